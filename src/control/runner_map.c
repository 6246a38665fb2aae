/* Which keys does a changed object lead to? */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

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

    if (!prb_object_ref_in(object, prb_informer_gvr(watch->informer), &ref))
        return;
    if (watch->spec->map_for)
        watch->spec->map_for(watch->runner->reconciler, view, &ref, object, prb_runner_enqueue_for,
                watch->runner);
    else if (watch->spec->map)
        watch->spec->map(view, &ref, object, prb_runner_enqueue_for, watch->runner);
    else
        prb_runner_enqueue(watch->runner, &ref);
}

struct prb_runner_look prb_runner_look(struct prb_runner *runner)
{
    const struct prb_clock *clock = runner->options.clock;
    struct prb_runner_look look = { .sight = NULL };
    size_t count = runner->store_count;

    look.sight = runner->wanted ? prb_wanted_sight(runner->wanted) : NULL;
    if (!look.sight) {
        look.view = prb_view_open(runner->stores, count, clock->wall_ms(clock));
        return look;
    }

    prb_autofree struct prb_store **stores =
            prb_calloc(count + look.sight->store_count, sizeof(struct prb_store *));

    memcpy(stores, runner->stores, count * sizeof(struct prb_store *));
    for (size_t i = 0; i < look.sight->store_count; i++)
        stores[count++] = look.sight->stores[i];
    look.view = prb_view_open(stores, count, clock->wall_ms(clock));
    prb_view_set_resources(look.view, look.sight->known, look.sight->known_count);
    return look;
}

void prb_runner_look_done(struct prb_runner_look *look)
{
    prb_view_close(prb_take(look->view));
    prb_wanted_sight_unref(prb_take(look->sight));
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
        watch->informer = prb_informers_add(runner->options.informers, spec,
                spec->scoped ? runner->reconciler->namespace : NULL);
        prb_informer_listen(
                watch->informer, &(struct prb_informer_listener){
                                         .changed = on_changed, .state = on_state, .ctx = watch });
        add_store(runner, prb_informer_store(watch->informer));
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

        prb_view_each(
                look.view, prb_informer_gvr(mapping.watch->informer), NULL, map_each, &mapping);
    }
}
