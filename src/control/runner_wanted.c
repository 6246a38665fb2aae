/* How do the collections that objects name come into what a reconciler sees? */

#include <string.h>

#include "probate/model/defect.h"

#include "runner_internal.h"

static void collect(
        void *ctx, void (*want)(void *ctx, const char *group, const char *resource), void *want_ctx)
{
    struct prb_runner *runner = ctx;
    prb_auto(prb_runner_look_done) struct prb_runner_look look = prb_runner_look(runner);

    if (runner->reconciler->wants)
        runner->reconciler->wants(runner->reconciler, look.view, want, want_ctx);
}

static void collect_whole(
        void *ctx, void (*want)(void *ctx, const char *group, const char *resource), void *want_ctx)
{
    struct prb_runner *runner = ctx;
    prb_auto(prb_runner_look_done) struct prb_runner_look look = prb_runner_look(runner);

    if (runner->reconciler->wants_whole)
        runner->reconciler->wants_whole(runner->reconciler, look.view, want, want_ctx);
}

void prb_runner_map_wanted(struct prb_runner *runner, const struct prb_view *view,
        const struct prb_gvr *gvr, const struct prb_object *object)
{
    struct prb_ref ref = { .name = "" };

    if (!runner->reconciler->map_wanted)
        return;
    if (gvr)
        ref.gvr = *gvr;
    if (object && !prb_object_ref_in(object, gvr, &ref))
        return;
    runner->reconciler->map_wanted(view, &ref, object, prb_runner_enqueue_for, runner);
}

static void changed(void *ctx, const struct prb_gvr *gvr, const struct prb_object *object)
{
    struct prb_runner *runner = ctx;
    prb_auto(prb_runner_look_done) struct prb_runner_look look = { .view = NULL };

    if (runner->stop)
        return; /* the next start looks at everything */
    look = prb_runner_look(runner);
    prb_runner_map_wanted(runner, look.view, gvr, object);
}

static struct prb_informer *find_informer(void *ctx, const struct prb_gvr *gvr)
{
    struct prb_runner *runner = ctx;

    for (size_t i = 0; i < runner->reconciler->watch_count; i++) {
        struct prb_informer *informer = runner->watches[i].informer;

        if (informer && prb_gvr_equal(prb_informer_gvr(informer), gvr))
            return informer;
    }
    return NULL;
}

struct prb_wanted *prb_runner_wanted_new(struct prb_runner *runner)
{
    const struct prb_reconciler *reconciler = runner->reconciler;
    const struct prb_wanted_owner owner = { .name = reconciler->name,
        .collect = collect,
        .collect_whole = collect_whole,
        .keeps = reconciler->wanted_keeps,
        .confirms_absence = reconciler->confirms_absence,
        .changed = changed,
        .find_informer = find_informer,
        .ctx = runner };

    if (!reconciler->wants && !reconciler->wants_whole)
        return NULL;
    for (size_t i = 0; i < reconciler->watch_count; i++) {
        /* A view has each collection once, and half of one must not pass for the whole. */
        if (reconciler->watches[i].label_selector)
            prb_defect("a reconciler that wants collections reads one of its own in part");
    }
    return prb_wanted_new(runner->options.api, runner->options.clock, &owner);
}

static struct prb_store *find_store(const struct prb_runner *runner,
        const struct prb_wanted_sight *sight, const struct prb_gvr *gvr)
{
    for (size_t i = 0; i < runner->store_count; i++) {
        if (prb_gvr_equal(prb_store_gvr(runner->stores[i]), gvr))
            return runner->stores[i];
    }
    for (size_t i = 0; i < sight->store_count; i++) {
        if (prb_gvr_equal(prb_store_gvr(sight->stores[i]), gvr))
            return sight->stores[i];
    }
    return NULL;
}

void prb_runner_each_wanted(struct prb_runner *runner,
        void (*each)(void *ctx, const char *controller, const struct prb_known_resource *known,
                bool read, size_t objects),
        void *ctx)
{
    prb_auto(prb_wanted_sight_unref) struct prb_wanted_sight *sight =
            runner->wanted ? prb_wanted_sight(runner->wanted) : NULL;

    for (size_t i = 0; sight && i < sight->known_count; i++) {
        const struct prb_known_resource *known = &sight->known[i];
        struct prb_store *store = known->state == PRB_RESOURCE_PRESENT
                                          ? find_store(runner, sight, &known->gvr)
                                          : NULL;

        each(ctx, runner->reconciler->name, known, store && prb_store_synced(store),
                store ? prb_store_count(store) : 0);
    }
}
