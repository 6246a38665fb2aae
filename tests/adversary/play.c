/* How is one sequence played? */

#include "play.h"

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/model/critical_service.h"

#include "keepsakes.h"
#include "moves.h"
#include "support/json_text.h"
#include "support/wait.h"
#include "truth.h"

#define MOVES_MIN 20
#define MOVES_MORE 41

/* Of a hundred moves so many are made while Probate is away, or CriticalServices are not served:
 * they begin a bout of a few. */
#define BOUTS_EMBEDDED 8
#define BOUTS_REAL 1
#define BOUT_MAX 4

#define TEXT_MAX ((size_t)512 * 1024)

static const struct prb_ref *service_definition(void)
{
    static const struct prb_ref ref = { .gvr = { "apiextensions.k8s.io", "v1",
                                                "customresourcedefinitions" },
        .name = "criticalservices.probate.dev" };

    return &ref;
}

/* ---- one move ---- */

static void one(struct world *world, struct truth *truth)
{
    const struct move *move = moves_draw(world);
    struct truth after;

    world->accepted_delete = world->accepted_loosening = world->accepted_release = false;
    world->accepted_home = false;
    world_step(world, move->name);
    move->play(world);
    truth_look(world, &after);
    truth_compare(world, truth, &after);
    truth_done(truth);
    *truth = after;
}

/* Most of the time there is something to be protected. */
static void mend(struct world *world, struct truth *truth)
{
    if (world_roll(world, 3))
        return;
    moves_mend(world);
    truth_done(truth);
    truth_look(world, truth);
}

static void bout(struct world *world, struct truth *truth)
{
    for (unsigned i = world_roll(world, BOUT_MAX + 1); i > 0 && !world->why[0]; i--)
        one(world, truth);
}

/* ---- while something is away ---- */

static void without_probate(struct world *world, struct truth *truth)
{
    bool kill = world_roll(world, 2) == 0;
    struct target *target = world->target;
    struct prb_error err;

    (void)pthread_rwlock_wrlock(&target->turn);
    world_step(world, kill ? "kill Probate" : "end Probate");
    if (target->ops->stop(target, kill, &err) < 0)
        (void)world_fail(world, "Probate could not be ended: %s", err.msg);
    bout(world, truth);
    world_step(world, "start Probate");
    if (target->ops->start(target, &err) < 0)
        (void)world_fail(world, "Probate could not be started: %s", err.msg);
    (void)pthread_rwlock_unlock(&target->turn);
}

/* All its versions, as they are listed. */
static int set_served(struct world *world, bool served)
{
    prb_auto(prb_object_unref) struct prb_object *definition =
            world_get(world, service_definition(), NULL);
    struct json_object *patch = json_object_new_object(), *versions;

    if (!definition) {
        prb_json_free(patch);
        world_say(world, "it is not there");
        return -1;
    }
    versions = prb_json_copy(prb_json_arr(prb_object_spec(definition), "versions"));
    for (size_t i = 0; i < prb_json_len(versions); i++)
        prb_json_set_bool(prb_json_elem(versions, i), "served", served);
    prb_json_set(prb_json_ensure_obj(patch, "spec"), "versions", versions);
    return world_patch(world, service_definition(), patch);
}

static bool is_served(void *ctx)
{
    struct world *world = ctx;
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    return prb_api_list(world->target->eye, &prb_critical_services, NULL, &page, &err) == 0 ||
           prb_test_saw("%s", err.msg);
}

static void without_services(struct world *world, struct truth *truth)
{
    struct target *target = world->target;

    (void)pthread_rwlock_wrlock(&target->turn);
    world->is_definition_broken = true;
    world_step(world, "serve no CriticalServices");
    (void)set_served(world, false);
    bout(world, truth);
    world_step(world, "serve CriticalServices");
    (void)set_served(world, true);
    if (!prb_test_await("CriticalServices are served", is_served, world, PRB_TEST_SOON_MS))
        (void)world_fail(world, "%s", prb_test_awaited());
    world->is_definition_broken = false;
    (void)pthread_rwlock_unlock(&target->turn);
}

/* ---- the whole ---- */

static bool is_over(const struct play_options *options)
{
    return options->until_ms && prb_test_now_ms() > options->until_ms;
}

static void next(struct world *world, struct truth *truth)
{
    unsigned roll = world_roll(world, 100);

    if (world->is_restart_due) {
        world->is_restart_due = false;
        without_probate(world, truth);
        return;
    }
    if (roll < (world->target->where == REAL ? BOUTS_REAL : BOUTS_EMBEDDED)) {
        if (world_roll(world, 3))
            without_probate(world, truth);
        else
            without_services(world, truth);
        return;
    }
    (void)pthread_rwlock_rdlock(&world->target->turn);
    mend(world, truth);
    one(world, truth);
    (void)pthread_rwlock_unlock(&world->target->turn);
}

static void move_on(struct world *world, const struct play_options *options)
{
    unsigned moves = MOVES_MIN + world_roll(world, MOVES_MORE);
    struct truth truth;

    truth_look(world, &truth);
    while (moves-- > 0 && !world->why[0] && !is_over(options))
        next(world, &truth);
    truth_done(&truth);
}

static char *tell(struct world *world)
{
    struct prb_str out;

    prb_str_init(&out, TEXT_MAX);
    prb_str_addf(&out, "%s\n  world %s, seed %llu:\n%s", world->why, world->id,
            (unsigned long long)world->seed, prb_str_get(&world->steps));
    return prb_str_take(&out);
}

char *play(const struct play_options *options)
{
    struct world world;
    struct prb_error err;
    char *text = NULL;

    world_init(&world, options->target, options->slot, options->number, options->seed);
    (void)pthread_rwlock_rdlock(&world.target->turn);
    moves_begin(&world);
    (void)pthread_rwlock_unlock(&world.target->turn);
    if (keepsakes_open(&world, &err) < 0)
        (void)world_fail(&world, "no watch: %s", err.msg);
    else
        move_on(&world, options);
    if (!world.why[0])
        keepsakes_check(&world);
    if (!world.why[0])
        play_end(&world);
    if (world.why[0])
        text = tell(&world);
    else if (options->tells)
        printf("%s\n", prb_str_get(&world.steps));
    world_done(&world);
    return text;
}
