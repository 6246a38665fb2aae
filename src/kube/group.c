/* Which resources does an API group have, and by which names? */

#include "group.h"

#include <string.h>
#include <strings.h>

#include "probate/base/mem.h"

void prb_kube_group_free(struct prb_kube_group *group)
{
    if (!group)
        return;
    for (size_t i = 0; i < group->count; i++)
        prb_json_free(group->kinds[i].short_names);
    free(group->kinds);
    free(group);
}

static bool is_listed(const char *const *versions, size_t count, const char *version)
{
    for (size_t i = 0; i < count; i++) {
        if (prb_streq(versions[i], version))
            return true;
    }
    return false;
}

static const char *version_of(const struct json_object *entry)
{
    const char *plain = prb_json_string(entry); /* the core group lists bare names */

    return plain ? plain : prb_json_str(entry, "version");
}

int prb_kube_group_versions(const struct json_object *tree, const char *group, const char ***ret,
        size_t *ret_count, struct prb_error *err)
{
    const struct json_object *list = prb_json_arr(tree, "versions");
    const char *preferred = prb_json_str(prb_json_obj(tree, "preferredVersion"), "version");
    prb_autofree const char **versions = NULL;
    size_t count = 0;

    if (prb_json_len(list) > PRB_KUBE_VERSIONS_MAX)
        return prb_fail(err, PRB_E_IO,
                "discovery of group \"%s\": it has %zu versions, more than the %d that are looked "
                "at",
                group, prb_json_len(list), PRB_KUBE_VERSIONS_MAX);
    versions = prb_calloc(prb_json_len(list) + 1, sizeof(*versions));
    if (preferred && preferred[0])
        versions[count++] = preferred;
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const char *version = version_of(prb_json_elem(list, i));

        if (!version || !version[0])
            return prb_fail(err, PRB_E_IO,
                    "discovery of group \"%s\": one of its versions has no name", group);
        if (!is_listed(versions, count, version))
            versions[count++] = version;
    }
    *ret = prb_take(versions);
    *ret_count = count;
    return 0;
}

static struct prb_kube_kind *find_plural(
        struct prb_kube_group *group, const char *plural, size_t len, size_t rank)
{
    for (size_t i = 0; i < group->count; i++) {
        struct prb_kube_kind *kind = &group->kinds[i];

        if (kind->version == rank && strlen(kind->resource.gvr.resource) == len &&
                memcmp(kind->resource.gvr.resource, plural, len) == 0)
            return kind;
    }
    return NULL;
}

static void add_kind(struct prb_kube_group *group, struct prb_kube_kind kind)
{
    if (group->count == group->cap) {
        group->cap = group->cap ? group->cap * 2 : 16;
        group->kinds = prb_realloc(group->kinds, group->cap, sizeof(*group->kinds));
    }
    group->kinds[group->count++] = kind;
}

static bool read_kind(const struct json_object *entry, const char *group, const char *version,
        struct prb_kube_kind *ret)
{
    const char *plural = prb_json_str(entry, "name");
    const char *kind = prb_json_str(entry, "kind");
    const char *singular = prb_json_str(entry, "singularName");
    const struct json_object *short_names = prb_json_arr(entry, "shortNames");
    struct prb_resource *r = &ret->resource;

    if (!plural || !kind || !prb_gvr_init(&r->gvr, group, version, plural) ||
            !prb_copy(r->kind, sizeof(r->kind), kind) ||
            !prb_copy(r->singular, sizeof(r->singular), singular ? singular : ""))
        return false;
    (void)prb_json_bool(entry, "namespaced", &r->namespaced);
    ret->short_names = short_names ? prb_json_copy(short_names) : NULL;
    return true;
}

void prb_kube_group_add(struct prb_kube_group *group, const struct json_object *list,
        const char *name, const char *version, size_t rank)
{
    static const char status[] = "/status";
    const struct json_object *resources = prb_json_arr(list, "resources");

    for (size_t i = 0; i < prb_json_len(resources); i++) {
        const struct json_object *entry = prb_json_elem(resources, i);
        const char *plural = prb_json_str(entry, "name");
        struct prb_kube_kind kind = { .version = rank };

        if (plural && strchr(plural, '/'))
            continue;
        if (read_kind(entry, name, version, &kind))
            add_kind(group, kind);
        else
            group->partial = true;
    }
    /* Subresources come in no order that could be relied on, so in a second pass. */
    for (size_t i = 0; i < prb_json_len(resources); i++) {
        const char *plural = prb_json_str(prb_json_elem(resources, i), "name");
        const char *slash = plural ? strchr(plural, '/') : NULL;
        struct prb_kube_kind *kind;

        if (!slash || !prb_streq(slash, status))
            continue;
        kind = find_plural(group, plural, (size_t)(slash - plural), rank);
        if (kind)
            kind->resource.has_status = true;
    }
}

enum { BY_PLURAL, BY_SINGULAR, BY_KIND, BY_SHORT_NAME, BY_NOTHING };

static size_t match(const struct prb_kube_kind *kind, const char *name)
{
    if (strcasecmp(kind->resource.gvr.resource, name) == 0)
        return BY_PLURAL;
    if (strcasecmp(kind->resource.singular, name) == 0)
        return BY_SINGULAR;
    if (strcasecmp(kind->resource.kind, name) == 0)
        return BY_KIND;
    for (size_t i = 0; i < prb_json_len(kind->short_names); i++) {
        const char *text = prb_json_string(prb_json_elem(kind->short_names, i));

        if (text && strcasecmp(text, name) == 0)
            return BY_SHORT_NAME;
    }
    return BY_NOTHING;
}

const struct prb_resource *prb_kube_group_find(const struct prb_kube_group *group, const char *name)
{
    const struct prb_resource *best = NULL;
    size_t best_rank = SIZE_MAX;

    if (!*name)
        return NULL;
    for (size_t i = 0; i < group->count; i++) {
        const struct prb_kube_kind *kind = &group->kinds[i];
        size_t how = match(kind, name);
        size_t rank = how * (PRB_KUBE_VERSIONS_MAX + 1) + kind->version;

        if (how != BY_NOTHING && rank < best_rank) {
            best = &kind->resource;
            best_rank = rank;
        }
    }
    return best;
}
