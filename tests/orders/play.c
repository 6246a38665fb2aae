/* What becomes of a world whose five parts are deleted in a certain order? */

#include "play.h"

#include <stdarg.h>
#include <stdio.h>

#include "probate/base/str.h"

#include "crew.h"
#include "finalizer.h"
#include "observer.h"
#include "support/wait.h"

/* Bytes of what is told of an object's history. */
#define HISTORY_MAX 512

/* Everybody who has a part in it. */
struct stage {
    const struct play_options *options;
    struct play *play;
    struct world world;
    struct observer observer;
    struct crew crew;
    struct finalizer finalizer;
};

__attribute__((format(printf, 2, 3))) static int fail(struct stage *stage, const char *fmt, ...)
{
    va_list args;

    if (stage->play->why[0])
        return -1;
    va_start(args, fmt);
    (void)vsnprintf(stage->play->why, sizeof(stage->play->why), fmt, args);
    va_end(args);
    return -1;
}

static int set_up(struct stage *stage)
{
    const struct play_options *options = stage->options;
    struct prb_error err;

    if (world_create(&stage->world, options->patience_ms, &err) < 0 ||
            observer_start(&stage->observer, &stage->world, options->patience_ms, &err) < 0 ||
            (options->guarded &&
                    observer_wait_protected(&stage->observer, options->patience_ms, &err) < 0) ||
            finalizer_start(&stage->finalizer, &stage->world, options->pace != SLOW, &err) < 0)
        return fail(stage, "set up: %s", err.msg);
    return 0;
}

/* Something was so that must not be: tell it with all that is known of the object. */
static int accuse(struct stage *stage, enum thing thing, const char *what)
{
    prb_auto(prb_str_done) struct prb_str history;

    prb_str_init(&history, HISTORY_MAX);
    observer_history(&stage->observer, thing, &history);
    return fail(stage, "the %s %s: %s", thing_name(thing), what, prb_str_get(&history));
}

/* The finalizer is there for certain, so what is guarded must not go. */
static int check_refused(struct stage *stage, enum thing thing)
{
    struct client client = crew_client(&stage->crew, thing);

    if (client.accepted > 0)
        return accuse(stage, thing, "could be deleted while the CR had its finalizer");
    return client.gone ? accuse(stage, thing, "was gone while the CR had its finalizer") : 0;
}

/* The mark decides whether a Probate that does not answer is in the way: it stays as long as
 * there is anything to guard. */
static int check_marks(struct stage *stage)
{
    if (observer_saw_unmarked(&stage->observer, NAMESPACE))
        return accuse(stage, NAMESPACE, "lost its label while the Deployment was there");
    return 0;
}

static int send_all(struct stage *stage)
{
    const struct order order = order_at(stage->options->order);

    for (size_t i = 0; i < THINGS; i++) {
        crew_send(&stage->crew, order.at[i]);
        if (stage->options->pace == QUICK)
            finalizer_catch_up(&stage->finalizer);
    }
    if (stage->options->pace != SLOW)
        return 0;
    if (stage->options->guarded &&
            (check_refused(stage, DEPLOYMENT) < 0 || check_refused(stage, NAMESPACE) < 0 ||
                    check_refused(stage, SERVICE) < 0))
        return -1;
    finalizer_wake(&stage->finalizer);
    return 0;
}

static bool all_removed(const struct stage *stage)
{
    for (enum thing i = CR; i < THINGS; i++) {
        if (!observer_saw_removed(&stage->observer, i))
            return prb_test_saw("the %s is there", thing_name(i));
    }
    return true;
}

/* The CR, if it is held by its finalizer, and its CRD by it; NULL: it is not so. */
static struct prb_object *find_held(const struct stage *stage)
{
    prb_auto(prb_object_unref) struct prb_object *instance = world_get(&stage->world, CR);
    prb_auto(prb_object_unref) struct prb_object *definition = world_get(&stage->world, CRD);

    if (!instance || !prb_object_is_deleting(instance) ||
            !prb_object_has_finalizer(instance, stage->world.finalizer))
        return NULL;
    return definition && prb_object_is_deleting(definition) ? prb_take(instance) : NULL;
}

/* See play.h. */
static bool is_stuck(struct stage *stage)
{
    prb_auto(prb_object_unref) struct prb_object *before = NULL;
    prb_auto(prb_object_unref) struct prb_object *after = NULL;
    unsigned declined = finalizer_declined(&stage->finalizer);

    if (declined == 0 || !observer_saw_removed(&stage->observer, DEPLOYMENT) ||
            !observer_saw_removed(&stage->observer, NAMESPACE) ||
            !observer_saw_removed(&stage->observer, SERVICE))
        return false;
    before = find_held(stage);
    if (!before)
        return false;
    crew_send(&stage->crew, CR);
    crew_send(&stage->crew, CRD);
    finalizer_catch_up(&stage->finalizer);
    after = find_held(stage);
    return after && finalizer_declined(&stage->finalizer) > declined &&
           prb_streq(prb_object_resource_version(before), prb_object_resource_version(after));
}

static bool is_over(void *ctx)
{
    struct stage *stage = ctx;
    struct play *play = stage->play;

    if (crew_has_trouble(&stage->crew, play->why, sizeof(play->why)) ||
            finalizer_has_trouble(&stage->finalizer, play->why, sizeof(play->why)) ||
            observer_lost_one(&stage->observer, play->why, sizeof(play->why)))
        return true;
    if (all_removed(stage) && crew_is_done(&stage->crew))
        return true;
    play->stuck = is_stuck(stage);
    return play->stuck;
}

/* Who is still there, and what its client was told. */
static int tell_rest(struct stage *stage)
{
    prb_auto(prb_str_done) struct prb_str out;

    prb_str_init(&out, PRB_TEST_WHY_SIZE - 1);
    prb_str_addf(&out, "neither gone nor stuck after %d s:",
            prb_test_patience_ms(stage->options->patience_ms) / 1000);
    for (enum thing i = CR; i < THINGS; i++) {
        struct client client = crew_client(&stage->crew, i);

        if (!observer_saw_removed(&stage->observer, i) || !client.gone)
            prb_str_addf(&out, " %s (%u accepted, %u refused%s%.100s)", thing_name(i),
                    client.accepted, client.refused, client.refused ? ": " : "", client.refusal);
    }
    return fail(stage, "%s", prb_str_get(&out));
}

static bool is_released(void *ctx)
{
    struct stage *stage = ctx;

    return all_removed(stage) && crew_is_done(&stage->crew);
}

static int release(struct stage *stage)
{
    struct prb_error err;

    if (world_release(&stage->world, &err) < 0)
        return fail(stage, "release: %s", err.msg);
    if (!prb_test_await("all are gone once the finalizer is off", is_released, stage,
                stage->options->patience_ms))
        return fail(stage, "it was stuck, but not only by the finalizer: %s", prb_test_awaited());
    return 0;
}

static int perform(struct stage *stage)
{
    struct prb_error err;

    if (set_up(stage) < 0 || send_all(stage) < 0)
        return -1;
    if (crew_start(&stage->crew, &err) < 0)
        return fail(stage, "%s", err.msg);
    if (!prb_test_await("all are gone, or stuck", is_over, stage, stage->options->patience_ms))
        return tell_rest(stage);
    stage->play->steps = observer_steps(&stage->observer);
    if (stage->options->guarded && check_marks(stage) < 0)
        return -1;
    return stage->play->stuck ? release(stage) : 0;
}

void play(const struct play_options *options, struct play *ret)
{
    struct stage stage = { .options = options, .play = ret };

    *ret = (struct play){ .stuck = false };
    world_init(&stage.world, options->api, options->id);
    crew_init(&stage.crew, &stage.world);
    (void)perform(&stage);
    crew_done(&stage.crew);
    finalizer_stop(&stage.finalizer);
    observer_stop(&stage.observer);
    world_done(&stage.world);
}
