/* What does a controller see of what is there? */

#include "world_caches.h"

#include <stdlib.h>

#include "probate/base/str.h"

#include "world_objects.h"

#define STORES_MAX 16
#define OBJECTS_MAX 10000

static struct prb_api *server;
static struct prb_store *stores[STORES_MAX];
static bool is_whole[STORES_MAX];
static struct prb_known_resource known[STORES_MAX];
static size_t store_count, known_count;

void world_caches_open(struct prb_api *api)
{
    server = api;
    store_count = known_count = 0;
}

void world_caches_close(void)
{
    for (size_t i = 0; i < store_count; i++)
        prb_store_unref(stores[i]);
    store_count = known_count = 0;
}

static void add(const struct prb_gvr *gvr, bool whole)
{
    for (size_t i = 0; i < store_count; i++) {
        if (prb_gvr_equal(prb_store_gvr(stores[i]), gvr))
            return;
    }
    if (store_count == STORES_MAX)
        abort();
    is_whole[store_count] = whole;
    stores[store_count++] = prb_store_new(gvr);
}

void world_caches_add(const char *gvr, bool whole)
{
    struct prb_gvr parsed;

    if (!prb_gvr_parse(gvr, &parsed))
        abort();
    add(&parsed, whole);
}

void watch(const char *group, const char *kind)
{
    struct prb_known_resource *entry = &known[known_count++];
    struct prb_resource found;
    struct prb_error err;

    *entry = (struct prb_known_resource){ .state = PRB_RESOURCE_PRESENT };
    must(prb_api_resolve(server, group, kind, &found, &err), kind, &err);
    (void)prb_copy(entry->group, sizeof(entry->group), group);
    (void)prb_copy(entry->name, sizeof(entry->name), kind);
    (void)prb_copy(entry->kind, sizeof(entry->kind), found.kind);
    entry->gvr = found.gvr;
    entry->namespaced = found.namespaced;
    add(&found.gvr, false);
}

static void see_one(size_t i)
{
    struct prb_list_options options = { .metadata_only = !is_whole[i] };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    must(prb_api_list_all(server, prb_store_gvr(stores[i]), &options, OBJECTS_MAX, &page, &err),
            "see", &err);
    prb_store_replace(stores[i], page.objects, page.count, NULL, NULL);
    prb_store_set_synced(stores[i]);
}

void world_caches_see(size_t count)
{
    for (size_t i = 0; i < count && i < store_count; i++)
        see_one(i);
}

void world_caches_see_kinds(void)
{
    for (size_t i = 0; i < store_count; i++) {
        bool is_kind = false;

        for (size_t j = 0; j < known_count; j++)
            is_kind = is_kind || prb_gvr_equal(&known[j].gvr, prb_store_gvr(stores[i]));
        if (is_kind)
            see_one(i);
    }
}

struct prb_view *world_caches_view(int64_t now_ms)
{
    struct prb_view *view = prb_view_open(stores, store_count, now_ms);

    prb_view_set_resources(view, known, known_count);
    return view;
}
