/* Which kinds does the hub serve, and under which names are they found? */

#include "kinds.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

static void kind_free(void *value)
{
    struct prb_hub_kind *kind = value;

    prb_map_free(kind->entries);
    free(kind->versions);
    free(kind->short_names);
    free(kind->crd);
    free(kind);
}

struct prb_map *prb_hub_kinds_new(void)
{
    struct prb_map *kinds = prb_map_new(kind_free);

    for (size_t i = 0; i < prb_hub_known_kind_count; i++)
        (void)prb_hub_kind_add(kinds, &prb_hub_known_kinds[i]);
    return kinds;
}

void prb_hub_kind_key(const char *group, const char *resource, char text[PRB_HUB_KIND_KEY_SIZE])
{
    (void)snprintf(text, PRB_HUB_KIND_KEY_SIZE, "%s%s%s", resource, group[0] ? "." : "", group);
}

static void lower(char *text)
{
    for (; *text; text++) {
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
    }
}

/* The resource a spec describes; false when a name in it is none. */
static bool describe(const struct prb_hub_kind_spec *spec, struct prb_resource *ret)
{
    struct prb_resource resource = { .namespaced = spec->flags & PRB_HUB_NAMESPACED,
        .has_status = spec->flags & PRB_HUB_STATUS };
    char version[PRB_VERSION_SIZE];
    size_t len = strcspn(spec->versions, ",");

    if (len == 0 || len >= sizeof(version))
        return false;
    memcpy(version, spec->versions, len);
    version[len] = '\0';
    if (!prb_gvr_init(&resource.gvr, spec->group, version, spec->resource) ||
            !prb_copy(resource.kind, sizeof(resource.kind), spec->kind) ||
            !prb_copy(resource.singular, sizeof(resource.singular),
                    spec->singular ? spec->singular : spec->kind))
        return false;
    lower(resource.singular);
    *ret = resource;
    return true;
}

struct prb_hub_kind *prb_hub_kind_add(struct prb_map *kinds, const struct prb_hub_kind_spec *spec)
{
    char key[PRB_HUB_KIND_KEY_SIZE];
    struct prb_resource resource;
    struct prb_hub_kind *kind;

    if (!describe(spec, &resource))
        return NULL;
    prb_hub_kind_key(spec->group, spec->resource, key);
    kind = prb_map_find(kinds, key);
    if (!kind) {
        kind = prb_calloc(1, sizeof(*kind));
        prb_map_set(kinds, key, kind);
    }
    kind->resource = resource;
    kind->flags = spec->flags;
    kind->served = true;
    free(kind->versions);
    kind->versions = prb_strdup(spec->versions);
    free(kind->short_names);
    kind->short_names = prb_strdup(spec->short_names ? spec->short_names : "");
    return kind;
}

struct prb_hub_kind *prb_hub_kind_stored(
        const struct prb_map *kinds, const char *group, const char *resource)
{
    char key[PRB_HUB_KIND_KEY_SIZE];

    prb_hub_kind_key(group, resource, key);
    return prb_map_find(kinds, key);
}

struct prb_hub_kind *prb_hub_kind_find(
        const struct prb_map *kinds, const char *group, const char *resource)
{
    struct prb_hub_kind *kind = prb_hub_kind_stored(kinds, group, resource);

    return kind && kind->served ? kind : NULL;
}

/* Is `name` one of the names in `list`, which commas separate? Without regard to case. */
static bool listed(const char *list, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        if (strcspn(at, ",") == len && strncasecmp(at, name, len) == 0)
            return true;
    }
    return false;
}

bool prb_hub_kind_has_version(const struct prb_hub_kind *kind, const char *version)
{
    return listed(kind->versions, version);
}

bool prb_hub_kind_is(const struct prb_hub_kind *kind, const char *group, const char *resource)
{
    return prb_streq(kind->resource.gvr.resource, resource) &&
           prb_streq(kind->resource.gvr.group, group);
}

struct prb_hub_kind *prb_hub_kind_serving(const struct prb_map *kinds, const struct prb_gvr *gvr)
{
    struct prb_hub_kind *kind = prb_hub_kind_find(kinds, gvr->group, gvr->resource);

    return kind && prb_hub_kind_has_version(kind, gvr->version) ? kind : NULL;
}

struct prb_hub_kind *prb_hub_kind_of(
        const struct prb_map *kinds, const char *group, const char *kind)
{
    size_t at = 0;
    const char *key;
    void *value;

    while (prb_map_next(kinds, &at, &key, &value)) {
        struct prb_hub_kind *candidate = value;

        if (candidate->served && prb_streq(candidate->resource.kind, kind) &&
                prb_streq(candidate->resource.gvr.group, group))
            return candidate;
    }
    return NULL;
}

/* How well a name fits a kind: 3 its resource, 2 its kind or singular, 1 a short name, 0 not. */
static int fit(const struct prb_hub_kind *kind, const char *group, const char *name)
{
    if (!kind->served || !prb_streq(kind->resource.gvr.group, group))
        return 0;
    if (strcasecmp(kind->resource.gvr.resource, name) == 0)
        return 3;
    if (strcasecmp(kind->resource.kind, name) == 0 ||
            strcasecmp(kind->resource.singular, name) == 0)
        return 2;
    return listed(kind->short_names, name) ? 1 : 0;
}

struct prb_hub_kind *prb_hub_kind_resolve(
        const struct prb_map *kinds, const char *group, const char *name)
{
    struct prb_hub_kind *best = NULL;
    int best_fit = 0;
    size_t at = 0;
    const char *key;
    void *value;

    while (prb_map_next(kinds, &at, &key, &value)) {
        int f = fit(value, group, name);

        if (f > best_fit) {
            best = value;
            best_fit = f;
        }
    }
    return best;
}

static int by_name(const void *a, const void *b)
{
    const struct prb_gvr *left = &(*(struct prb_hub_kind *const *)a)->resource.gvr;
    const struct prb_gvr *right = &(*(struct prb_hub_kind *const *)b)->resource.gvr;
    int order = strcmp(left->resource, right->resource);

    return order ? order : strcmp(left->group, right->group);
}

struct prb_hub_kind **prb_hub_kinds_sorted(const struct prb_map *kinds, size_t *ret_count)
{
    struct prb_hub_kind **sorted =
            prb_calloc(prb_map_count(kinds) + 1, sizeof(struct prb_hub_kind *));
    size_t count = 0, at = 0;
    const char *key;
    void *value;

    while (prb_map_next(kinds, &at, &key, &value))
        sorted[count++] = value;
    qsort(sorted, count, sizeof(struct prb_hub_kind *), by_name);
    *ret_count = count;
    return sorted;
}

void prb_hub_guess_plural(const char *kind, char resource[PRB_RESOURCE_SIZE])
{
    size_t len = strlen(kind);
    char last = len > 0 ? kind[len - 1] : '\0';

    if (last == 'y')
        (void)snprintf(resource, PRB_RESOURCE_SIZE, "%.*sies", (int)len - 1, kind);
    else
        (void)snprintf(resource, PRB_RESOURCE_SIZE, "%s%s", kind, last == 's' ? "es" : "s");
    lower(resource);
}
