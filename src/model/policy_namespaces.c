/* Which namespaces does the namespaceSelector of a policy mean? */

#include "probate/model/policy_namespaces.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/selector.h"

static const struct prb_gvr namespaces_gvr = { "", "v1", "namespaces" };

/* What is looked for, and what was found so far. */
struct search {
    const struct json_object *include, *exclude; /* NULL: none */
    const struct prb_selector *labels;
    bool skips_deleting;
    bool selects; /* anything at all */
    struct prb_namespaces *found;
    int result; /* negative: see `err` */
    struct prb_error *err;
};

void prb_namespaces_done(struct prb_namespaces *namespaces)
{
    free(namespaces->names);
    *namespaces = (struct prb_namespaces){ .count = 0 };
}

static bool any_matches(struct search *search, const struct json_object *patterns, const char *name)
{
    for (size_t i = 0; i < prb_json_len(patterns); i++) {
        bool matches = false;

        search->result = prb_glob_match(
                prb_json_string(prb_json_elem(patterns, i)), name, &matches, search->err);
        if (search->result < 0 || matches)
            return matches;
    }
    return false;
}

static bool is_meant(struct search *search, const struct prb_object *namespace)
{
    const char *name = prb_object_name(namespace);

    if (search->skips_deleting && prb_object_is_deleting(namespace))
        return false;
    if (search->include && !any_matches(search, search->include, name))
        return false;
    return search->result == 0 && !any_matches(search, search->exclude, name) &&
           search->result == 0 && prb_selector_matches(search->labels, namespace);
}

static bool look_at(void *ctx, const struct prb_object *namespace)
{
    struct search *search = ctx;
    struct prb_namespaces *found = search->found;

    if (!is_meant(search, namespace))
        return search->result == 0;
    found->names = prb_realloc(found->names, found->count + 1, sizeof(*found->names));
    found->names[found->count++] = prb_object_name(namespace);
    return true;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A pattern is wrong also where there is no namespace to see it. */
static int check_patterns(const struct json_object *patterns, struct prb_error *err)
{
    for (size_t i = 0; i < prb_json_len(patterns); i++) {
        const char *pattern = prb_json_string(prb_json_elem(patterns, i));
        bool matches;
        int r = prb_glob_match(pattern, "", &matches, err);

        if (r < 0)
            return r;
    }
    return 0;
}

/* A member of a wrong type must not pass for "not said". */
static int check_types(const struct json_object *selector, struct prb_error *err)
{
    static const char *const lists[] = { "include", "exclude", "matchExpressions" };

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (prb_json_find(selector, lists[i]) && !prb_json_arr(selector, lists[i]))
            return prb_fail(err, PRB_E_INVALID, "%s is no list", lists[i]);
    }
    return 0;
}

/* To say nothing about labels is not to mean all of them. */
static bool says_labels(const struct json_object *selector)
{
    const struct json_object *labels = prb_json_obj(selector, "matchLabels");

    return prb_json_len(prb_json_arr(selector, "matchExpressions")) > 0 ||
           (labels && json_object_object_length(labels) > 0);
}

/* Fill in what the selector says. `ret_labels` is the caller's. */
static int read_selector(const struct json_object *selector, struct search *search,
        struct prb_selector **ret_labels, struct prb_error *err)
{
    int r = check_types(selector, err);

    search->include = prb_json_arr(selector, "include");
    search->exclude = prb_json_arr(selector, "exclude");
    search->skips_deleting = prb_streq(prb_json_str(selector, "terminatingInclusion"), "Never");
    search->err = err;
    if (r == 0)
        r = prb_selector_from_json(selector, ret_labels, err);
    if (r == 0)
        r = check_patterns(search->include, err);
    if (r == 0)
        r = check_patterns(search->exclude, err);
    if (r < 0)
        return r;
    if (prb_json_len(search->include) == 0)
        search->include = NULL;
    search->labels = *ret_labels;
    search->selects = search->include || says_labels(selector);
    return 0;
}

int prb_policy_namespaces(const struct json_object *selector, const struct prb_view *view,
        struct prb_namespaces *ret, struct prb_error *err)
{
    prb_auto(prb_namespaces_done) struct prb_namespaces found = { .count = 0 };
    prb_auto(prb_selector_free) struct prb_selector *labels = NULL;
    struct search search = { .found = &found };
    int r = read_selector(selector, &search, &labels, err);

    if (r < 0)
        return r;
    if (search.selects)
        prb_view_each(view, &namespaces_gvr, NULL, look_at, &search);
    if (search.result < 0)
        return search.result;
    if (found.count > 0)
        qsort(found.names, found.count, sizeof(*found.names), compare);
    *ret = found;
    found = (struct prb_namespaces){ .count = 0 };
    return 0;
}

int prb_policy_selects(const struct json_object *selector, const struct prb_object *namespace,
        bool *ret, struct prb_error *err)
{
    prb_auto(prb_selector_free) struct prb_selector *labels = NULL;
    struct search search = { .result = 0 };
    int r = read_selector(selector, &search, &labels, err);
    bool meant;

    if (r < 0)
        return r;
    meant = search.selects && is_meant(&search, namespace);
    if (search.result < 0)
        return search.result;
    *ret = meant;
    return 0;
}
