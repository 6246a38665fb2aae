/* How is a key worked on: rounds of deciding and doing, and what follows from how they went? */

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/control/apply.h"
#include "probate/model/outcome.h"

#include "echo.h"
#include "runner_internal.h"

/* After a CONFLICT: about the time an event takes from the server into the cache. */
#define CONFLICT_MIN_MS 20

/* While the server is away all keys wait for the same, and should go on soon after it is back. The
 * workers, not the keys, bound how often it is tried meanwhile. */
#define AWAY_MAX_MS 15000

/* So many conflicts in a row (a third of a second of backoff, or three while each waits for its
 * echo) are no race any more, and told. */
#define CONFLICTS_QUIET 6

/* A collection that could not be read when a key was due: informers try at least every 30 s. */
#define UNREAD_AGAIN_MS 5000

static struct prb_metric reconciles_total = {
    .name = "probate_reconciles_total",
    .help = "Keys worked on, by controller and result.",
    .type = PRB_COUNTER,
    .labels = { "controller", "result" },
};

/* What is waited for comes with an event, as a rule; where none leads to the key, this is how long
 * it takes to notice. */
#define ECHO_AGAIN_MS 100

/* One look at a key, from the first decision to the last write. */
struct pass {
    struct prb_runner *runner; /* borrowed, as the key */
    const char *key;
    struct prb_ref ref;
    struct prb_outcomes *outcomes;  /* owned */
    struct json_object *memory;     /* owned: what the pass before left behind; NULL: nothing */
    struct prb_echo echo;           /* owned: of what it writes */
    int rounds;                     /* begun so far */
    bool wrote;                     /* something was written, or may have been */
    const struct prb_store *unread; /* ended it: a collection that must be known and is not */
};

static int64_t wall_ms(const struct prb_runner *runner)
{
    return runner->options.clock->wall_ms(runner->options.clock);
}

static int64_t mono_ms(const struct prb_runner *runner)
{
    return runner->options.clock->mono_ms(runner->options.clock);
}

/* When does the key come again, if nothing happens? */
static void schedule(struct prb_runner *runner, const char *key, const struct prb_changes *changes)
{
    /* What a dry run could not do it will not do the next time either. */
    int64_t retry_max_ms =
            runner->options.dry_run ? PRB_QUEUE_BACKOFF_MAX_MS : changes->retry_max_ms;

    if (changes->retry_max_ms > 0)
        prb_queue_postpone(runner->queue, key, changes->retry_min_ms, retry_max_ms);
    else
        prb_queue_forget(runner->queue, key);
    if (changes->again_after_ms > 0)
        prb_queue_add_after(runner->queue, key, changes->again_after_ms);
}

static void succeeded(struct pass *pass, struct prb_changes *changes)
{
    struct prb_runner *runner = pass->runner;

    prb_metric_add(&reconciles_total, 1, runner->reconciler->name, "success");
    prb_waits_set(runner->waits, pass->key, changes->waits_for, wall_ms(runner));
    prb_memory_put(runner->memory, pass->key,
            changes->remembers ? prb_take(changes->memory) : prb_take(pass->memory));
    schedule(runner, pass->key, changes);
}

/* A conflict is how a stale cache shows, and mends itself; the wait it interrupts goes on. */
static bool is_race(struct prb_runner *runner, const char *key, const struct prb_error *err)
{
    return err->code == PRB_E_CONFLICT && prb_queue_failures(runner->queue, key) < CONFLICTS_QUIET;
}

static void come_again(struct prb_runner *runner, const char *key, const struct prb_error *err)
{
    int64_t at_least = err->retry_after_ms;
    bool away = err->code == PRB_E_IO || err->code == PRB_E_UNAVAILABLE;

    if (err->code == PRB_E_CONFLICT && at_least < CONFLICT_MIN_MS)
        at_least = CONFLICT_MIN_MS;
    prb_queue_retry_within(
            runner->queue, key, at_least, away ? AWAY_MAX_MS : PRB_QUEUE_BACKOFF_MAX_MS);
}

static void failed(struct pass *pass, const struct prb_error *err)
{
    struct prb_runner *runner = pass->runner;
    const char *key = pass->key;

    prb_metric_add(&reconciles_total, 1, runner->reconciler->name, prb_errc_name(err->code));
    if (err->code == PRB_E_CANCELLED || is_race(runner, key, err))
        prb_debug("will look again", KV("controller", runner->reconciler->name), KV("key", key),
                KV("error", err->msg));
    else if (prb_errc_is_transient(err->code))
        prb_waits_set_failed(runner->waits, key, err->msg, wall_ms(runner));
    else
        prb_waits_set_refused(runner->waits, key, err->msg, wall_ms(runner));

    /* Nobody knows whether what was remembered holds after half of a pass. */
    if (!pass->wrote)
        prb_memory_put(runner->memory, key, prb_take(pass->memory));
    come_again(runner, key, err);
}

static void decide(struct pass *pass, struct prb_changes *changes)
{
    struct prb_runner *runner = pass->runner;
    prb_autofree char *refusal = prb_waits_refusal(runner->waits, pass->key);
    prb_auto(prb_runner_look_done) struct prb_runner_look look = prb_runner_look(runner);
    const struct prb_object *object;

    prb_view_set_trouble(look.view, refusal);
    prb_view_set_outcomes(look.view, pass->outcomes);
    prb_view_set_memory(look.view, pass->memory);
    object = prb_view_find(look.view, &pass->ref);
    if (object && prb_object_defect(object)) {
        prb_changes_wait(changes, "it cannot be read: %s", prb_object_defect(object));
        return; /* what is missing of it must not pass for absent */
    }
    runner->reconciler->decide(runner->reconciler, look.view, &pass->ref, changes);
    prb_echo_see(&pass->echo, look.view, changes);
}

/* The first collection that must be known to decide anything, and is not; NULL when all are. */
static const struct prb_store *find_unread(const struct prb_runner *runner)
{
    for (size_t i = 0; i < runner->reconciler->watch_count; i++) {
        const struct prb_runner_watch *watch = &runner->watches[i];
        const struct prb_store *store;

        if (watch->namespaced || watch->spec->optional)
            continue;
        store = prb_informer_store(watch->informer);
        if (!prb_store_synced(store))
            return store;
    }
    return NULL;
}

/* What is not known must not pass for "nothing there": the key waits for it. */
static void put_off(struct pass *pass)
{
    struct prb_runner *runner = pass->runner;
    char text[PRB_GVR_TEXT_SIZE + 64], name[PRB_GVR_TEXT_SIZE];

    prb_gvr_format(prb_store_gvr(pass->unread), name);
    (void)snprintf(text, sizeof(text), "%s cannot be read yet, or is not installed", name);
    prb_waits_set(runner->waits, pass->key, text, wall_ms(runner));
    if (!pass->wrote)
        prb_memory_put(runner->memory, pass->key, prb_take(pass->memory));
    prb_queue_add_after(runner->queue, pass->key, UNREAD_AGAIN_MS);
}

/* Decide and do. 0 with `changes` as they were done, or with `pass->unread` and nothing done. */
static int play_round(struct pass *pass, struct prb_changes *changes, struct prb_error *err)
{
    struct prb_runner *runner = pass->runner;
    const struct prb_apply_options options = {
        .dry_run = runner->options.dry_run,
        .controller = runner->reconciler->name,
        .timeout_ms = runner->options.call_timeout_ms,
        .stop = &runner->stop,
        .until_ms = runner->options.until_ms,
        .clock = runner->options.clock,
        .outcomes = pass->outcomes,
        .told = prb_echo_hear,
        .told_ctx = &pass->echo,
        .ret_wrote = &pass->wrote,
    };

    if (pass->rounds++ > 0 && !prb_apply_may_go_on(&options))
        return prb_fail(err, PRB_E_CANCELLED, "stopped between two rounds");
    pass->unread = find_unread(runner);
    if (pass->unread)
        return 0;
    decide(pass, changes);
    return prb_apply(runner->options.api, runner->options.recorder, changes, &options, err);
}

/* Round after round, until one is the last; that one is in `changes`. */
static int play(struct pass *pass, struct prb_changes *changes, struct prb_error *err)
{
    while (pass->rounds < PRB_ROUNDS_MAX) {
        int r;

        prb_changes_done(changes);
        r = play_round(pass, changes, err);
        if (r != 0 || pass->unread || !changes->go_on)
            return r;
    }

    /* What waits to see its own writes waits in vain when the server keeps none. */
    if (pass->runner->options.dry_run)
        return 0;
    return prb_fail(err, PRB_E_INTERNAL, "a decision was not reached in %d rounds", PRB_ROUNDS_MAX);
}

/* Does the cache not show yet what the last pass has written? Then the key comes again. */
static bool is_behind(struct prb_runner *runner, const char *key)
{
    prb_auto(prb_json_free) struct json_object *echo = prb_memory_take(runner->echoes, key);
    prb_auto(prb_runner_look_done) struct prb_runner_look look = { .view = NULL };
    int64_t wait_ms;

    if (!echo)
        return false;
    look = prb_runner_look(runner);
    wait_ms = prb_echo_wait_ms(echo, look.view, mono_ms(runner));
    if (wait_ms <= 0)
        return false;
    prb_memory_put(runner->echoes, key, prb_take(echo));
    prb_queue_add_after(runner->queue, key, wait_ms < ECHO_AGAIN_MS ? wait_ms : ECHO_AGAIN_MS);
    return true;
}

void prb_runner_work_on(struct prb_runner *runner, const char *key)
{
    struct pass pass = { .runner = runner, .key = key };
    prb_auto(prb_changes_done) struct prb_changes changes;
    struct prb_error err;

    prb_changes_init(&changes);
    if (!prb_ref_parse(key, &pass.ref))
        return; /* cannot be: keys are made from refs */
    if (is_behind(runner, key))
        return;
    prb_echo_init(&pass.echo);
    pass.outcomes = prb_outcomes_new();
    pass.memory = prb_memory_take(runner->memory, key);
    if (play(&pass, &changes, &err) != 0)
        failed(&pass, &err);
    else if (pass.unread)
        put_off(&pass);
    else
        succeeded(&pass, &changes);
    prb_memory_put(runner->echoes, key, prb_echo_take(&pass.echo, mono_ms(runner)));
    prb_echo_done(&pass.echo);
    prb_json_free(pass.memory);
    prb_outcomes_free(pass.outcomes);
}
