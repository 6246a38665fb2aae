/* Which keys does a changed object lead to? */

#include <assert.h>

#include "probate/base/mem.h"

#include "runner_internal.h"

static void enqueue(void *ctx, const struct prb_ref *key)
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
    if (watch->spec->map)
        watch->spec->map(view, &ref, object, enqueue, watch->runner);
    else
        prb_runner_enqueue(watch->runner, &ref);
}

struct prb_view *prb_runner_view(struct prb_runner *runner)
{
    const struct prb_clock *clock = runner->options.clock;

    return prb_view_open(runner->stores, runner->store_count, clock->wall_ms(clock));
}

/* The store's lock is not held here, so that the view may take it. */
static void on_changed(
        void *ctx, struct prb_informer *informer, const struct prb_object *object, bool gone)
{
    const struct prb_runner_watch *watch = ctx;
    prb_auto(prb_view_close) struct prb_view *view = NULL;

    (void)informer;
    (void)gone;
    if (watch->runner->stop)
        return; /* the next start looks at everything */
    if (watch->spec->map)
        view = prb_runner_view(watch->runner);
    map_object(watch, view, object);
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
        watch->informer = prb_informers_add(runner->options.informers, spec, NULL);
        prb_informer_listen(watch->informer,
                &(struct prb_informer_listener){ .changed = on_changed, .ctx = watch });
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
    prb_auto(prb_view_close) struct prb_view *view = prb_runner_view(runner);

    for (size_t i = 0; i < runner->reconciler->watch_count; i++) {
        struct mapping mapping = { .watch = &runner->watches[i], .view = view };

        prb_view_each(view, prb_informer_gvr(mapping.watch->informer), NULL, map_each, &mapping);
    }
}
