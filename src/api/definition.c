/* Does a CustomResourceDefinition have what the API server does not serve? */

#include "probate/api/definition.h"

#include <string.h>
#include <strings.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

/*
 * Pages of definitions, at PRB_LIST_LIMIT each: a hundred thousand. A server slows down at a few
 * thousand. A list that never ends would otherwise be read until the deadline.
 */
#define PAGES_MAX 200

const struct prb_gvr prb_definitions = { "apiextensions.k8s.io", "v1",
    "customresourcedefinitions" };

#define END         \
    {               \
        .key = NULL \
    }

/* The names of a definition, and what a Status in its place would have. Its schema may be larger
 * and deeper than what is built. */
static const struct prb_json_filter metadata_parts[] = { { .key = "name" }, END };
static const struct prb_json_filter spec_parts[] = { { .key = "names" }, END };
static const struct prb_json_filter status_parts[] = { { .key = "acceptedNames" }, END };
static const struct prb_json_filter definition_parts[] = {
    { .key = "metadata", .children = metadata_parts },
    { .key = "spec", .children = spec_parts },
    { .key = "status", .children = status_parts },
    { .key = "code" },
    { .key = "message" },
    { .key = "reason" },
    { .key = "details" },
    END,
};

static int timeout(const struct prb_sought *sought)
{
    int64_t left_ms = sought->deadline_ms - sought->clock->mono_ms(sought->clock);

    if (left_ms < 1)
        return 1;
    return left_ms < PRB_API_TIMEOUT_MS ? (int)left_ms : PRB_API_TIMEOUT_MS;
}

static bool is_over(const struct prb_sought *sought)
{
    return sought->clock->mono_ms(sought->clock) >= sought->deadline_ms;
}

static int fail_in_time(struct prb_error *err)
{
    return prb_fail(err, PRB_E_UNAVAILABLE,
            "there was no time to read the CustomResourceDefinitions of the group");
}

static int fail_absent(const struct prb_sought *sought, struct prb_error *err)
{
    (void)prb_fail(err, PRB_E_NOTFOUND, "the server serves no resource \"%s\" in %s%s",
            sought->name, sought->group[0] ? "group " : "the core group", sought->group);
    (void)prb_copy(err->reason, sizeof(err->reason), PRB_REASON_NOT_SERVED);
    return err->code;
}

static int fail_defined(const char *definition, struct prb_error *err)
{
    (void)prb_fail(err, PRB_E_UNAVAILABLE,
            "CustomResourceDefinition %s has it, but the API server does not serve it now: set "
            "\"served: true\" in one of its versions",
            definition);
    (void)prb_copy(err->reason, sizeof(err->reason), PRB_REASON_DEFINED);
    return err->code;
}

static int fail_ambiguous(const char *served, const char *definition, struct prb_error *err)
{
    return prb_fail(err, PRB_E_UNSUPPORTED,
            "%s are served by this name, but CustomResourceDefinition %s has it, too: write the "
            "plural",
            served, definition);
}

/* Every API server has CustomResourceDefinitions: one that knows none says nothing about them. */
static int fail_unread(const char *verb, struct prb_error *err)
{
    if (err->code == PRB_E_FORBIDDEN) {
        (void)prb_fail(err, PRB_E_FORBIDDEN,
                "it is not served, and to find out whether it is defined Probate lacks the right: "
                "verb \"%s\" on %s.%s. \"probate manifest\" prints what it needs, rbac.create of its "
                "chart grants it",
                verb, prb_definitions.resource, prb_definitions.group);
        (void)prb_copy(err->reason, sizeof(err->reason), PRB_REASON_DEFINITIONS_FORBIDDEN);
        return err->code;
    }
    if (err->code == PRB_E_NOTFOUND || err->code == PRB_E_INVALID || err->code == PRB_E_GONE ||
            err->code == PRB_E_UNSUPPORTED)
        return prb_fail(err, PRB_E_UNAVAILABLE, "the CustomResourceDefinitions cannot be read: %s",
                err->msg);
    return prb_wrap(err, "the CustomResourceDefinitions cannot be read");
}

/* ---- one definition ---- */

static bool is_text(const struct json_object *names, const char *key, const char *word)
{
    const char *text = prb_json_str(names, key);

    return text && strcasecmp(text, word) == 0;
}

static bool has_name(const struct json_object *names, const char *word)
{
    const struct json_object *short_names = prb_json_arr(names, "shortNames");

    if (is_text(names, "plural", word) || is_text(names, "singular", word) ||
            is_text(names, "kind", word))
        return true;
    for (size_t i = 0; i < prb_json_len(short_names); i++) {
        const char *text = prb_json_string(prb_json_elem(short_names, i));

        if (text && strcasecmp(text, word) == 0)
            return true;
    }
    return false;
}

static bool is_exactly(const struct json_object *names, const char *word)
{
    return prb_streq(prb_json_str(names, "plural"), word) ||
           prb_streq(prb_json_str(names, "kind"), word);
}

/* By what it asks for, and by what it was given when that was still something else. */
static bool answers_to(const struct prb_object *definition, const struct prb_sought *sought)
{
    const struct json_object *tree = prb_object_tree(definition);
    const struct json_object *asked = prb_json_obj(prb_json_obj(tree, "spec"), "names");
    const struct json_object *given = prb_json_obj(prb_json_obj(tree, "status"), "acceptedNames");

    if (sought->exact)
        return is_exactly(asked, sought->name) || is_exactly(given, sought->name);
    return has_name(asked, sought->name) || has_name(given, sought->name);
}

/* NULL in *ret: it is not there. */
static int read_definition(struct prb_api *api, const struct prb_sought *sought, const char *name,
        struct prb_object **ret, struct prb_error *err)
{
    const struct prb_get_options options = { .parts = definition_parts,
        .timeout_ms = timeout(sought) };
    struct prb_ref ref;
    int r;

    if (!prb_ref_init(&ref, &prb_definitions, "", name))
        return 0; /* nothing can have that name */
    if (is_over(sought))
        return fail_in_time(err);
    r = prb_api_get(api, &ref, &options, ret, err);
    if (r == PRB_E_NOTFOUND && !prb_streq(err->reason, PRB_REASON_NOT_SERVED))
        return 0;
    return r < 0 ? fail_unread("get", err) : 0;
}

/* Negative: this one has the name, or that could not be found out. `served` is the plural of what
 * is served by it, or "". */
static int look_at(struct prb_api *api, const struct prb_sought *sought, const char *served,
        const char *name, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *definition = NULL;
    int r = read_definition(api, sought, name, &definition, err);

    if (r < 0 || !definition || !answers_to(definition, sought))
        return r;
    return served[0] ? fail_ambiguous(served, name, err) : fail_defined(name, err);
}

/* The name of a definition is its plural, which has no dot, a dot and the group. */
static bool is_of_group(const char *name, const char *group)
{
    const char *dot = strchr(name, '.');

    return dot && prb_streq(dot + 1, group);
}

static bool is_plural(const char *name, const char *plural)
{
    size_t len = strcspn(name, ".");

    return len == strlen(plural) && memcmp(name, plural, len) == 0;
}

/* ---- all of them ---- */

/* All but what is served. */
static int look_at_page(struct prb_api *api, const struct prb_sought *sought, const char *served,
        const struct prb_page *page, struct prb_error *err)
{
    for (size_t i = 0; i < page->count; i++) {
        const char *name = prb_object_name(page->objects[i]);
        int r;

        if (!is_of_group(name, sought->group) || is_plural(name, served))
            continue;
        r = look_at(api, sought, served, name, err);
        if (r < 0)
            return r;
    }
    return 0;
}

/* One page, and where to go on. */
static int look_through(struct prb_api *api, const struct prb_sought *sought, const char *served,
        char **next, struct prb_error *err)
{
    const struct prb_list_options options = {
        .metadata_only = true,
        .next = *next,
        .timeout_ms = timeout(sought),
    };
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    if (is_over(sought))
        return fail_in_time(err);
    r = prb_api_list(api, &prb_definitions, &options, &page, err);
    if (r < 0)
        return fail_unread("list", err);
    free(*next);
    *next = prb_take(page.next);
    return look_at_page(api, sought, served, &page, err);
}

/* 0: no definition has the name, but perhaps the one that is served. */
static int look_through_all(struct prb_api *api, const struct prb_sought *sought,
        const char *served, struct prb_error *err)
{
    prb_autofree char *next = NULL;

    /* The groups of definitions have a dot: "apps" and the core group are Kubernetes' own. */
    if (!strchr(sought->group, '.'))
        return 0;
    for (int pages = 0; pages < PAGES_MAX; pages++) {
        int r = look_through(api, sought, served, &next, err);

        if (r < 0 || !next)
            return r;
    }
    return prb_fail(err, PRB_E_UNAVAILABLE, "there are more than %d pages of %s", PAGES_MAX,
            prb_definitions.resource);
}

/* From what is known already, if it is known there. That something is not served must be news. */
static int resolve(struct prb_api *api, const struct prb_sought *sought, struct prb_resource *ret,
        struct prb_error *err)
{
    int r = prb_api_resolve(api, sought->group, sought->name, ret, err);

    if (r != PRB_E_NOTFOUND)
        return r;
    prb_api_forget(api, sought->group);
    return prb_api_resolve(api, sought->group, sought->name, ret, err);
}

/*
 * A plural is the name of one resource. By another name anything may be served that somebody
 * defined after what is meant was not served any more. A name with capitals is a kind, also where a
 * plural differs from it only in these.
 */
static int check_is_meant(struct prb_api *api, const struct prb_sought *sought,
        const struct prb_resource *found, struct prb_error *err)
{
    if (prb_streq(found->gvr.resource, sought->name))
        return 0;
    return look_through_all(api, sought, found->gvr.resource, err);
}

/*
 * The core group is the same on every server: what it does not have never was there, so its absence
 * says nothing. A group was forgotten, or is left out of what the API server shows, because
 * somebody has changed the schema of the object that names it.
 */
static int fail_not_core(const struct prb_sought *sought, struct prb_error *err)
{
    return prb_fail(err, PRB_E_INVALID, "the core group has no %s; say of which API group it is",
            sought->name);
}

int prb_api_confirm_absent(
        struct prb_api *api, const struct prb_sought *sought, struct prb_error *err)
{
    int r = look_through_all(api, sought, "", err);

    return r < 0 ? r : fail_absent(sought, err);
}

int prb_api_find(struct prb_api *api, const struct prb_sought *sought, struct prb_resource *ret,
        struct prb_error *err)
{
    int r = resolve(api, sought, ret, err);

    if (r == 0)
        return check_is_meant(api, sought, ret, err);
    if (r != PRB_E_NOTFOUND)
        return r;
    if (sought->group[0] == '\0')
        return fail_not_core(sought, err);
    return prb_api_confirm_absent(api, sought, err);
}

int prb_api_confirm_unserved(
        struct prb_api *api, const struct prb_sought *plural, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *definition = NULL;
    prb_autofree char *name = prb_asprintf("%s.%s", plural->name, plural->group);
    int r = read_definition(api, plural, name, &definition, err);

    if (r < 0)
        return r;
    return definition ? fail_defined(name, err) : fail_absent(plural, err);
}
