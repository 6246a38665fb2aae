/* Which keys does a changed object lead to? */

#include <assert.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/defect.h"

#include "runner_internal.h"

void prb_runner_enqueue_for(void *ctx, const struct prb_ref *key)
{
    prb_runner_enqueue(ctx, key);
}

/* `view` may be NULL where the reconciler does not map. */
static void map_object(const struct prb_runner_watch *watch, const struct prb_view *view,
        const struct prb_object *object)
{
    struct prb_ref ref;

    if (!prb_object_ref_in(object, &watch->gvr, &ref))
        return;
    if (watch->spec->map_for)
        watch->spec->map_for(watch->runner->reconciler, view, &ref, object, prb_runner_enqueue_for,
                watch->runner);
    else if (watch->spec->map)
        watch->spec->map(view, &ref, object, prb_runner_enqueue_for, watch->runner);
    else
        prb_runner_enqueue(watch->runner, &ref);
}

/* The stores of a view. */
struct stores {
    struct prb_store **items; /* owned; the stores are borrowed */
    size_t count;
};

static void stores_donep(struct stores *stores)
{
    free(stores->items);
}

static void add_stores(struct stores *stores, struct prb_store *const *items, size_t count)
{
    stores->items =
            prb_realloc(stores->items, stores->count + count + 1, sizeof(struct prb_store *));
    for (size_t i = 0; i < count; i++)
        stores->items[stores->count++] = items[i];
}

struct prb_runner_look prb_runner_look(struct prb_runner *runner)
{
    const struct prb_clock *clock = runner->options.clock;
    struct prb_runner_look look = { .sight = NULL };
    prb_auto(stores_done) struct stores stores = { .items = NULL };

    add_stores(&stores, runner->stores, runner->store_count);
    look.sight = runner->wanted ? prb_wanted_sight(runner->wanted) : NULL;
    if (look.sight)
        add_stores(&stores, look.sight->stores, look.sight->store_count);
    for (size_t i = 0; i < runner->namespaced_count; i++) {
        look.namespaced[i] = prb_namespaced_sight(runner->namespaced[i]->namespaced);
        if (look.namespaced[i])
            add_stores(&stores, look.namespaced[i]->stores, look.namespaced[i]->store_count);
    }
    look.view = prb_view_open(stores.items, stores.count, clock->wall_ms(clock));
    if (look.sight)
        prb_view_set_resources(look.view, look.sight->known, look.sight->known_count);
    if (look.sight && look.sight->more)
        prb_view_set_more_resources(look.view);
    for (size_t i = 0; i < runner->namespaced_count; i++) {
        if (look.namespaced[i] && look.namespaced[i]->trouble[0])
            prb_view_set_unread(
                    look.view, &runner->namespaced[i]->gvr, look.namespaced[i]->trouble);
    }
    return look;
}

void prb_runner_look_done(struct prb_runner_look *look)
{
    prb_view_close(prb_take(look->view));
    prb_wanted_sight_unref(prb_take(look->sight));
    for (size_t i = 0; i < PRB_RUNNER_NAMESPACED_MAX; i++)
        prb_namespaced_sight_unref(prb_take(look->namespaced[i]));
}

/* The same object may be a reason to want other collections, and be in one of them. */
static void look_at_wanted(const struct prb_runner_watch *watch, const struct prb_object *object)
{
    struct prb_wanted *wanted = watch->runner->wanted;

    if (!wanted)
        return;
    prb_wanted_look(wanted);
    prb_wanted_look_for(wanted, prb_informer_gvr(watch->informer), object);
}

/* The store's lock is not held here, so that the view may take it. */
static void on_changed(
        void *ctx, struct prb_informer *informer, const struct prb_object *object, bool gone)
{
    const struct prb_runner_watch *watch = ctx;
    struct prb_runner *runner = watch->runner;
    prb_auto(prb_runner_look_done) struct prb_runner_look look = { .view = NULL };

    (void)gone;
    if (runner->stop)
        return; /* the next start looks at everything */
    look_at_wanted(watch, object);
    for (size_t i = 0; i < runner->namespaced_count; i++)
        prb_namespaced_look(runner->namespaced[i]->namespaced);
    if (watch->spec->map || watch->spec->map_for || runner->wanted)
        look = prb_runner_look(runner);
    map_object(watch, look.view, object);
    if (prb_wanted_sight_has(look.sight, prb_informer_gvr(informer)))
        prb_runner_map_wanted(runner, look.view, prb_informer_gvr(informer), object);
}

static void on_state(void *ctx, struct prb_informer *informer)
{
    const struct prb_runner_watch *watch = ctx;

    if (watch->runner->wanted && !watch->runner->stop)
        prb_wanted_look_at(watch->runner->wanted, prb_informer_gvr(informer));
}

static void add_store(struct prb_runner *runner, struct prb_store *store)
{
    for (size_t i = 0; i < runner->store_count; i++) {
        if (runner->stores[i] == store)
            return;
        /* A view has each collection once; a table that reads one in two ways is a defect. */
        assert(!prb_gvr_equal(prb_store_gvr(runner->stores[i]), prb_store_gvr(store)));
    }
    runner->stores[runner->store_count++] = store;
}

/* --- what is read by namespace --- */

static void collect_namespaces(
        void *ctx, void (*name)(void *ctx, const char *namespace), void *name_ctx)
{
    const struct prb_runner_watch *watch = ctx;
    const struct prb_reconciler *reconciler = watch->runner->reconciler;
    prb_auto(prb_runner_look_done) struct prb_runner_look look = prb_runner_look(watch->runner);

    reconciler->namespaces(reconciler, look.view, name, name_ctx);
}

static void on_changed_in(void *ctx, const char *namespace, const struct prb_object *object)
{
    const struct prb_runner_watch *watch = ctx;
    prb_auto(prb_runner_look_done) struct prb_runner_look look = { .view = NULL };
    struct prb_ref ref = { .gvr = watch->gvr };

    if (watch->runner->stop)
        return;
    look = prb_runner_look(watch->runner);
    if (object)
        map_object(watch, look.view, object);
    else if (prb_copy(ref.namespace, sizeof(ref.namespace), namespace))
        watch->spec->map(look.view, &ref, NULL, prb_runner_enqueue_for, watch->runner);
}

int prb_runner_switch_namespaces(struct prb_runner *runner, bool on, struct prb_error *err)
{
    for (size_t i = 0; i < runner->namespaced_count; i++) {
        const struct prb_runner_watch *watch = runner->namespaced[i];
        int r = prb_namespaced_switch(watch->namespaced, watch, on, err);

        if (r < 0)
            return r;
    }
    return 0;
}

static void watch_by_namespace(struct prb_runner_watch *watch)
{
    struct prb_runner *runner = watch->runner;

    if (runner->namespaced_count == PRB_RUNNER_NAMESPACED_MAX || !watch->spec->map ||
            !runner->reconciler->namespaces)
        prb_defect("a reconciler reads by namespace, and does not say which or for what");
    watch->namespaced = prb_informers_add_namespaced(runner->options.informers, watch->spec);
    prb_namespaced_join(watch->namespaced,
            &(struct prb_namespaced_reader){
                    .collect = collect_namespaces, .changed = on_changed_in, .ctx = watch });
    runner->namespaced[runner->namespaced_count++] = watch;
}

static void watch_whole(struct prb_runner_watch *watch)
{
    struct prb_runner *runner = watch->runner;

    watch->informer = prb_informers_add(runner->options.informers, watch->spec,
            watch->spec->scoped ? runner->reconciler->namespace : NULL);
    prb_informer_listen(
            watch->informer, &(struct prb_informer_listener){
                                     .changed = on_changed, .state = on_state, .ctx = watch });
    add_store(runner, prb_informer_store(watch->informer));
}

void prb_runner_watch_all(struct prb_runner *runner)
{
    size_t count = runner->reconciler->watch_count;

    runner->watches = prb_calloc(count + 1, sizeof(*runner->watches));
    runner->stores = prb_calloc(count + 1, sizeof(struct prb_store *));
    for (size_t i = 0; i < count; i++) {
        const struct prb_watch_spec *spec = &runner->reconciler->watches[i];
        struct prb_runner_watch *watch = &runner->watches[i];

        watch->runner = runner;
        watch->spec = spec;
        if (!prb_gvr_init(&watch->gvr, spec->group, spec->version, spec->resource))
            prb_defect("what is to be watched is no resource");
        if (spec->by_namespace)
            watch_by_namespace(watch);
        else
            watch_whole(watch);
    }
}

/* One collection of an open view. */
struct mapping {
    const struct prb_runner_watch *watch;
    const struct prb_view *view;
};

static bool map_each(void *ctx, const struct prb_object *object)
{
    const struct mapping *mapping = ctx;

    map_object(mapping->watch, mapping->view, object);
    return true;
}

void prb_runner_enqueue_all(struct prb_runner *runner)
{
    prb_auto(prb_runner_look_done) struct prb_runner_look look = prb_runner_look(runner);

    for (size_t i = 0; i < runner->reconciler->watch_count; i++) {
        struct mapping mapping = { .watch = &runner->watches[i], .view = look.view };

        prb_view_each(look.view, &mapping.watch->gvr, NULL, map_each, &mapping);
    }
}
