/* Against which objects are reviews judged offline? */

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/cli/verb.h"

#include "review.h"

static void tell_note(void *ctx, const char *text)
{
    (void)ctx;
    prb_cli_complain("review", text, NULL);
}

static int load(struct prb_review_world *world, const char *dir, struct prb_error *err)
{
    world->hub = prb_hub_new(NULL);
    if (prb_hub_load(world->hub, dir, tell_note, NULL, err) < 0)
        return prb_wrap(err, "--embedded");
    return 0;
}

/* A collection that some rule looks up, as the one that reads the most of it wants it. */
struct collection {
    struct prb_gvr gvr;
    const char *label_selector;
    bool whole;
};

static void add_collection(
        struct collection *all, size_t *count, const struct prb_watch_spec *watch)
{
    struct collection one = { .label_selector = watch->label_selector, .whole = watch->whole };

    if (!prb_gvr_init(&one.gvr, watch->group, watch->version, watch->resource))
        return;
    for (size_t i = 0; i < *count; i++) {
        if (!prb_gvr_equal(&all[i].gvr, &one.gvr))
            continue;
        all[i].whole = all[i].whole || one.whole;
        if (!prb_streq(all[i].label_selector, one.label_selector))
            all[i].label_selector = NULL;
        return;
    }
    all[(*count)++] = one;
}

static size_t collect(const struct prb_rule_choice *choice, struct collection **ret)
{
    size_t most = 0, count = 0;

    for (size_t i = 0; i < choice->count; i++)
        most += choice->rules[i]->watch_count;
    *ret = prb_calloc(most + 1, sizeof(**ret));
    for (size_t i = 0; i < choice->count; i++) {
        for (size_t w = 0; w < choice->rules[i]->watch_count; w++)
            add_collection(*ret, &count, &choice->rules[i]->watches[w]);
    }
    return count;
}

/* What the hub does not serve stays unread, as it does on a real one. */
static int read_collection(
        struct prb_review_world *world, const struct collection *collection, struct prb_error *err)
{
    const struct prb_list_options options = { .label_selector = collection->label_selector,
        .metadata_only = !collection->whole };
    struct prb_store *store = prb_store_new(&collection->gvr);
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    world->stores[world->store_count++] = store;
    prb_page_init(&page);
    r = prb_api_list_all(
            prb_hub_api(world->hub), &collection->gvr, &options, PRB_HUB_OBJECTS_MAX, &page, err);
    if (r == PRB_E_NOTFOUND)
        return 0;
    if (r < 0)
        return r;
    prb_store_replace(store, page.objects, page.count, NULL, NULL);
    prb_store_set_synced(store);
    return 0;
}

static int read_collections(
        struct prb_review_world *world, const struct prb_rule_choice *choice, struct prb_error *err)
{
    prb_autofree struct collection *collections = NULL;
    size_t count = collect(choice, &collections);

    world->stores = prb_calloc(count + 1, sizeof(struct prb_store *));
    for (size_t i = 0; i < count; i++) {
        int r = read_collection(world, &collections[i], err);

        if (r < 0)
            return r;
    }
    return 0;
}

static struct prb_view *open_view(void *ctx)
{
    const struct prb_review_world *world = ctx;
    const struct prb_clock *clock = world->engine.clock;

    return prb_view_open(world->stores, world->store_count, clock->wall_ms(clock));
}

int prb_review_world_open(struct prb_review_world *world, const char *dir,
        const struct prb_rule_choice *choice, struct prb_error *err)
{
    int r;

    *world = (struct prb_review_world){ .judge = prb_rule_choice_judge(choice) };
    world->reader = prb_review_reader_new(choice->rules, choice->count);
    r = load(world, dir, err);
    if (r == 0)
        r = read_collections(world, choice, err);
    if (r < 0)
        return r;
    world->engine = (struct prb_engine){ .judge = &world->judge,
        .api = prb_hub_api(world->hub),
        .clock = prb_clock_system(),
        .open_view = open_view,
        .ctx = world };
    return 0;
}

void prb_review_world_done(struct prb_review_world *world)
{
    for (size_t i = 0; i < world->store_count; i++)
        prb_store_unref(world->stores[i]);
    free(world->stores);
    prb_review_reader_free(world->reader);
    prb_hub_free(world->hub);
    *world = (struct prb_review_world){ 0 };
}
