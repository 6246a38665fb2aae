/* In which order are intended changes performed, what ends that, and what is kept of it? */

#include "probate/control/apply.h"

#include <stdatomic.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"

#include "apply_internal.h"

static struct prb_metric writes_total = {
    .name = "probate_writes_total",
    .help = "Writes to the API by controller, verb and result.",
    .type = PRB_COUNTER,
    .labels = { "controller", "verb", "result" },
};

/* What each type of change is called. */
static const char *const verbs[] = {
    [PRB_CHANGE_CREATE] = "create",
    [PRB_CHANGE_UPDATE] = "update",
    [PRB_CHANGE_MERGE_PATCH] = "patch",
    [PRB_CHANGE_JSON_PATCH] = "patch",
    [PRB_CHANGE_APPLY] = "apply",
    [PRB_CHANGE_DELETE] = "delete",
    [PRB_CHANGE_EXPECT_ABSENT] = "expect absent",
    [PRB_CHANGE_EXPECT_NONE] = "expect none of",
    [PRB_CHANGE_READ] = "read",
    [PRB_CHANGE_RESOLVE] = "resolve",
    [PRB_CHANGE_EVENT] = "event",
};

static void describe(const struct prb_change *change, char what[PRB_REF_TEXT_SIZE])
{
    if (change->type == PRB_CHANGE_RESOLVE)
        (void)prb_copy(what, PRB_REF_TEXT_SIZE, change->kind);
    else
        prb_ref_describe(&change->ref, what);
}

/* Did this write, or may it have? Only a conflict says for sure that it did not. */
static void note_write(const struct prb_apply_job *job, int r)
{
    if (job->options->ret_wrote && r != PRB_E_CONFLICT && !job->change->is_trial)
        *job->options->ret_wrote = true;
}

/* Of a trial there is nothing to tell. */
static void tell(const struct prb_apply_job *job, int r)
{
    const struct prb_object *object = job->outcome.object;

    if (job->options->told && !job->options->dry_run && !job->change->is_trial)
        job->options->told(job->options->told_ctx, job->change, r,
                object ? prb_object_resource_version(object) : NULL);
}

static int perform(struct prb_apply_job *job, struct prb_error *err)
{
    const struct prb_change *change = job->change;
    const struct prb_apply_options *options = job->options;
    const char *verb = verbs[change->type];
    char what[PRB_REF_TEXT_SIZE];
    int r;

    if (!prb_change_type_writes(change->type))
        return prb_apply_look(job, err);
    r = prb_apply_write(job, err);
    note_write(job, r);
    tell(job, r);
    prb_metric_add(&writes_total, 1, options->controller, verb, prb_errc_name(r));
    if (r != 0)
        return r;
    describe(change, what);
    prb_info(options->dry_run || change->is_trial ? "change tried" : "change made",
            KV("controller", options->controller), KV("verb", verb), KV("object", what),
            KV("subresource", change->subresource), KV("why", change->why));
    return 0;
}

/* The server's own words are kept as they are: the reconciler knows what it wanted. */
static void keep_outcome(struct prb_apply_job *job, int r, const struct prb_error *err)
{
    const struct prb_change *change = job->change;
    char what[PRB_REF_TEXT_SIZE];

    job->outcome.code = r;
    if (r != 0) {
        describe(change, what);
        prb_debug("change failed", KV("controller", job->options->controller),
                KV("verb", verbs[change->type]), KV("object", what), KV("error", err->msg));
        job->outcome.err = prb_calloc(1, sizeof(*err));
        *job->outcome.err = *err;
    }
    prb_outcomes_set(job->options->outcomes, change->slot, job->outcome);
}

static int perform_one(struct prb_apply_job *job, struct prb_error *err)
{
    const struct prb_change *change = job->change;
    char what[PRB_REF_TEXT_SIZE];
    int r;

    if (change->slot && !job->options->outcomes)
        return prb_fail(err, PRB_E_INTERNAL, "nobody keeps what becomes of %s", change->slot);
    r = perform(job, err);
    if (change->slot)
        keep_outcome(job, r, err);
    else
        prb_object_unref(prb_take(job->outcome.object));
    if (r == 0 || (change->slot && r != PRB_E_CANCELLED))
        return 0;
    describe(change, what);
    return prb_wrap(err, "%s %s", verbs[change->type], what);
}

bool prb_apply_may_go_on(const struct prb_apply_options *options)
{
    const struct prb_clock *clock = options->clock ? options->clock : prb_clock_system();

    if (options->stop && atomic_load(options->stop))
        return false;
    return !options->until_ms || clock->mono_ms(clock) < atomic_load(options->until_ms);
}

int prb_apply(struct prb_api *api, struct prb_recorder *recorder, const struct prb_changes *changes,
        const struct prb_apply_options *options, struct prb_error *err)
{
    struct prb_apply_misses misses = { .count = 0 };

    for (size_t i = 0; i < changes->count; i++) {
        struct prb_apply_job job = {
            .api = api, .change = &changes->items[i], .options = options, .misses = &misses
        };

        if (!prb_apply_may_go_on(options))
            return prb_fail(err, PRB_E_CANCELLED, "stopped before all changes were made");
        if (job.change->type == PRB_CHANGE_EVENT)
            prb_apply_record(recorder, &job);
        else if (perform_one(&job, err) != 0)
            return err->code;
    }
    return 0;
}
