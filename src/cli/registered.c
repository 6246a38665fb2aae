/* Which registrations of the rules is a request for? */

#include "registered.h"

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/selector.h"

#include "manifest.h"

static const struct prb_gvr namespaces = { "", "v1", "namespaces" };

struct entry {
    struct prb_registered_call call;
    struct prb_selector *namespaces; /* owned; NULL: all */
    struct prb_selector *objects;    /* owned; NULL: all */
};

struct prb_registered {
    struct prb_judge judge;
    struct entry *entries; /* owned */
    size_t count;
};

/* A member of a webhook; NULL when it is absent, which is "all". */
static int read_selector(const struct json_object *webhook, const char *member,
        struct prb_selector **ret, struct prb_error *err)
{
    const struct json_object *selector = prb_json_obj(webhook, member);

    return selector ? prb_selector_from_json(selector, ret, err) : 0;
}

static int add(struct prb_registered *registered, const struct prb_manifest_webhook *options,
        struct prb_registered_call call, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *webhook = json_object_new_object();
    struct entry *entry;
    int r;

    registered->entries =
            prb_realloc(registered->entries, registered->count + 1, sizeof(*registered->entries));
    entry = &registered->entries[registered->count++];
    *entry = (struct entry){ .call = call };
    prb_manifest_set_selectors(webhook, options, call.rule, call.index);
    r = read_selector(webhook, "namespaceSelector", &entry->namespaces, err);
    return r < 0 ? r : read_selector(webhook, "objectSelector", &entry->objects, err);
}

int prb_registered_new(const struct prb_rule_choice *choice, const char *namespace,
        struct prb_registered **ret, struct prb_error *err)
{
    prb_auto(prb_registered_free) struct prb_registered *registered =
            prb_calloc(1, sizeof(*registered));
    const struct prb_manifest_webhook options = { .namespace = namespace, .choice = choice };

    registered->judge = prb_rule_choice_judge(choice);
    for (size_t i = 0; i < choice->count; i++) {
        const struct prb_rule *rule = choice->rules[i];
        size_t count = rule->registrations ? rule->registration_count : 1;

        for (size_t at = 0; at < count; at++) {
            if (add(registered, &options, (struct prb_registered_call){ .rule = rule, .index = at },
                        err) < 0)
                return err->code;
        }
    }
    *ret = prb_take(registered);
    return 0;
}

void prb_registered_free(struct prb_registered *registered)
{
    if (!registered)
        return;
    for (size_t i = 0; i < registered->count; i++) {
        prb_selector_free(registered->entries[i].namespaces);
        prb_selector_free(registered->entries[i].objects);
    }
    free(registered->entries);
    free(registered);
}

size_t prb_registered_count(const struct prb_registered *registered)
{
    return registered->count;
}

/* One question, while it is answered. */
struct query {
    const struct prb_registered *registered;
    const struct prb_registered_source *source;
    const struct prb_request *request;
    bool looked_up;
    struct prb_object *namespace; /* owned; with the labels that count; NULL: in none */
};

static bool is_about_namespace(const struct prb_request *request)
{
    return prb_streq(request->gvr.group, "") && prb_streq(request->gvr.resource, "namespaces");
}

/* `rules` of a webhook. */
static bool covers(
        const struct query *query, const struct entry *entry, const struct prb_view *view)
{
    const struct prb_rule *rule = entry->call.rule;

    for (size_t i = 0; i < rule->match_count; i++) {
        if (rule->matches[i].registration == entry->call.index &&
                prb_rule_match_covers(rule, &rule->matches[i], &query->registered->judge.settings,
                        query->request, view))
            return true;
    }
    return false;
}

/* The Namespace of this name; one without labels when it is not there. */
static int get_namespace(
        struct query *query, const char *name, struct json_object **ret, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *found = NULL;
    struct prb_ref ref;
    int r = PRB_E_NOTFOUND;

    if (prb_ref_init(&ref, &namespaces, NULL, name))
        r = prb_api_get(query->source->api, &ref, NULL, &found, err);
    if (r < 0 && r != PRB_E_NOTFOUND)
        return prb_wrap(err, "namespace \"%s\"", name);
    *ret = found ? prb_object_copy(found) : json_object_new_object();
    return 0;
}

/*
 * Whose labels does a namespaceSelector look at? Those of the Namespace that the object is in; of a
 * Namespace that is written, those it will have.
 */
static int look_up(struct query *query, struct prb_error *err)
{
    const struct prb_request *request = query->request;
    const char *name = is_about_namespace(request) ? request->name : request->namespace;
    struct json_object *tree = NULL, *metadata;

    if (query->looked_up || name[0] == '\0')
        return 0;
    if (is_about_namespace(request) && request->object && request->subresource[0] == '\0')
        tree = prb_object_copy(request->object);
    else if (get_namespace(query, name, &tree, err) < 0)
        return err->code;
    metadata = prb_json_ensure_obj(tree, "metadata");
    prb_json_set_str(metadata, "name", name);
    prb_json_set_str(prb_json_ensure_obj(metadata, "labels"), PRB_MANIFEST_NAME_LABEL, name);
    query->looked_up = true;
    return prb_object_new(tree, &query->namespace, err);
}

/* What is in no namespace, and is none, is never left out by namespace. */
static int selects(struct query *query, const struct entry *entry, bool *ret, struct prb_error *err)
{
    const struct prb_request *request = query->request;
    int r = entry->namespaces ? look_up(query, err) : 0;

    if (r < 0)
        return r;
    *ret = !query->namespace || prb_selector_matches(entry->namespaces, query->namespace);
    if (*ret && entry->objects)
        *ret = (request->object && prb_selector_matches(entry->objects, request->object)) ||
               (request->old && prb_selector_matches(entry->objects, request->old));
    return 0;
}

static void cover_all(const struct query *query, bool *ret_covered)
{
    prb_auto(prb_view_close) struct prb_view *view = query->source->open_view(query->source->ctx);

    for (size_t i = 0; i < query->registered->count; i++)
        ret_covered[i] = covers(query, &query->registered->entries[i], view);
}

int prb_registered_find(const struct prb_registered *registered,
        const struct prb_registered_source *source, const struct prb_request *request,
        struct prb_registered_call *ret, struct prb_error *err)
{
    struct query query = { .registered = registered, .source = source, .request = request };
    prb_autofree bool *covered = prb_calloc(registered->count + 1, sizeof(*covered));
    int count = 0, r = 0;

    cover_all(&query, covered);
    for (size_t i = 0; i < registered->count && r == 0; i++) {
        bool selected = false;

        if (covered[i])
            r = selects(&query, &registered->entries[i], &selected, err);
        if (selected)
            ret[count++] = registered->entries[i].call;
    }
    prb_object_unref(query.namespace);
    return r < 0 ? r : count;
}
