/* How does a test get a cluster in memory from a few lines of text? */

#include "world.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/yaml.h"

struct prb_world {
    struct prb_store **stores; /* owned, as each in it */
    size_t count;
};

/* Kinds whose plural does not follow from the rules below. */
static const struct {
    const char *kind, *plural;
} irregular[] = {
    { "Endpoints", "endpoints" },
};

__attribute__((noreturn)) static void give_up(const char *what, const char *detail)
{
    (void)fprintf(stderr, "test world: %s: %s\n", what, detail);
    abort();
}

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text);

    return len >= strlen(end) && strcmp(text + len - strlen(end), end) == 0;
}

/* "networkpolicy" -> "networkpolicies", "ingress" -> "ingresses", "node" -> "nodes". */
static char *regular_plural(const char *lower)
{
    if (ends_with(lower, "s") || ends_with(lower, "x") || ends_with(lower, "ch"))
        return prb_asprintf("%ses", lower);
    if (ends_with(lower, "y") && !ends_with(lower, "ay") && !ends_with(lower, "ey"))
        return prb_asprintf("%.*sies", (int)strlen(lower) - 1, lower);
    return prb_asprintf("%ss", lower);
}

char *prb_world_plural(const char *kind)
{
    prb_autofree char *lower = prb_strdup(kind);

    for (size_t i = 0; i < sizeof(irregular) / sizeof(irregular[0]); i++) {
        if (strcmp(irregular[i].kind, kind) == 0)
            return prb_strdup(irregular[i].plural);
    }
    for (char *c = lower; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return regular_plural(lower);
}

static struct prb_store *store_for(struct prb_world *world, const struct prb_gvr *gvr)
{
    for (size_t i = 0; i < world->count; i++) {
        if (prb_gvr_equal(prb_store_gvr(world->stores[i]), gvr))
            return world->stores[i];
    }
    world->stores = prb_realloc(world->stores, world->count + 1, sizeof(struct prb_store *));
    world->stores[world->count] = prb_store_new(gvr);
    return world->stores[world->count++];
}

static void gvr_of(const struct prb_object *object, struct prb_gvr *ret)
{
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];
    prb_autofree char *plural = prb_world_plural(prb_object_kind(object));

    if (!prb_api_version_parse(prb_object_api_version(object), group, version) ||
            !prb_gvr_init(ret, group, version, plural))
        give_up("apiVersion or kind", prb_object_name(object));
}

static int add_document(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_world *world = ctx;
    struct prb_store *store;
    struct prb_gvr gvr;

    if (prb_object_new(taken, &object, err) < 0)
        return prb_wrap(err, "document at line %zu", line);
    gvr_of(object, &gvr);
    store = store_for(world, &gvr);
    (void)prb_store_put(store, object);
    prb_store_set_synced(store);
    return 0;
}

void prb_world_add(struct prb_world *world, const char *yaml)
{
    struct prb_error err;

    if (prb_yaml_read(yaml, strlen(yaml), add_document, world, &err) < 0)
        give_up("yaml", err.msg);
}

struct prb_world *prb_world_new(const char *yaml)
{
    struct prb_world *world = prb_calloc(1, sizeof(*world));

    prb_world_add(world, yaml);
    return world;
}

void prb_world_free(struct prb_world *world)
{
    if (!world)
        return;
    for (size_t i = 0; i < world->count; i++)
        prb_store_unref(world->stores[i]);
    free(world->stores);
    free(world);
}

struct prb_store *prb_world_store(struct prb_world *world, const char *gvr)
{
    struct prb_gvr parsed;

    if (!prb_gvr_parse(gvr, &parsed))
        give_up("no collection", gvr);
    return store_for(world, &parsed);
}

struct prb_store *prb_world_serve(struct prb_world *world, const char *gvr)
{
    struct prb_store *store = prb_world_store(world, gvr);

    prb_store_set_synced(store);
    return store;
}

struct prb_store *prb_world_store_at(struct prb_world *world, size_t index)
{
    return index < world->count ? world->stores[index] : NULL;
}

struct prb_view *prb_world_view(struct prb_world *world, int64_t now_ms)
{
    return prb_view_open(world->stores, world->count, now_ms);
}

struct prb_ref prb_world_ref(const char *text)
{
    struct prb_ref ref;

    if (!prb_ref_parse(text, &ref))
        give_up("no ref", text);
    return ref;
}
