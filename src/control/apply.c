/* How do intended changes become writes, and which answers mean that they are done? */

#include "probate/control/apply.h"

#include <stdatomic.h>

#include "probate/base/log.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"

static struct prb_metric writes_total = {
    .name = "probate_writes_total",
    .help = "Writes to the API by controller, verb and result.",
    .type = PRB_COUNTER,
    .labels = { "controller", "verb", "result" },
};

/* The reason of a NOTFOUND that means the kind, not an object. */
#define NOT_SERVED "NotServed"

/* What the helpers below need to perform one change. */
struct job {
    struct prb_api *api;
    const struct prb_change *change;
    const struct prb_apply_options *options;
};

static const char *verb(enum prb_change_type type)
{
    switch (type) {
    case PRB_CHANGE_CREATE:
        return "create";
    case PRB_CHANGE_MERGE_PATCH:
    case PRB_CHANGE_JSON_PATCH:
        return "patch";
    case PRB_CHANGE_APPLY:
        return "apply";
    case PRB_CHANGE_DELETE:
        return "delete";
    case PRB_CHANGE_EXPECT_ABSENT:
        return "expect absent";
    case PRB_CHANGE_EXPECT_NONE:
        return "expect none of";
    case PRB_CHANGE_EVENT:
        return "event";
    }
    return "";
}

static struct prb_write_options write_options(const struct job *job)
{
    return (struct prb_write_options){
        .subresource = job->change->subresource,
        .resource_version = job->change->resource_version,
        .force = job->change->type == PRB_CHANGE_APPLY,
        .dry_run = job->options->dry_run,
        .timeout_ms = job->options->timeout_ms,
    };
}

static int do_create(const struct job *job, struct prb_error *err)
{
    struct prb_write_options options = write_options(job);
    int r = prb_api_create(job->api, &job->change->ref, job->change->body, &options, NULL, err);

    /* The cache did not know it yet: look again once it does. */
    if (r == PRB_E_EXISTS)
        r = err->code = PRB_E_CONFLICT;
    return r;
}

/* A kind that is positively not served has no objects. One that is served in another version may
 * have, and a server that has just started does not know all of its kinds yet. */
static int settle_not_served(const struct job *job, struct prb_error *err)
{
    const struct prb_gvr *gvr = &job->change->ref.gvr;
    struct prb_resource served;
    struct prb_error why;
    int r = prb_api_resolve(job->api, gvr->group, gvr->resource, &served, &why);

    if (r == PRB_E_NOTFOUND)
        return 0;
    if (r != 0)
        *err = why;
    return err->code;
}

/*
 * A write was answered with NOTFOUND, or a DELETE with CONFLICT. Most often what was meant is gone,
 * or another object has its name by now. But an admission webhook may refuse with 404 or 409 as
 * well, and a refusal taken for "done" would never be tried again, while what waits for it goes on:
 * so ask who lives there.
 */
static int settle(const struct job *job, struct prb_error *err)
{
    const struct prb_change *change = job->change;
    struct prb_get_options options = { .metadata_only = true,
        .timeout_ms = job->options->timeout_ms };
    prb_auto(prb_object_unref) struct prb_object *live = NULL;
    struct prb_error get_err;
    int r = prb_api_get(job->api, &change->ref, &options, &live, &get_err);

    if (r == PRB_E_NOTFOUND)
        return prb_streq(get_err.reason, NOT_SERVED) ? settle_not_served(job, err) : 0;
    if (r != 0) {
        *err = get_err;
        return r;
    }
    if (change->type == PRB_CHANGE_DELETE &&
            (!prb_streq(prb_object_uid(live), change->uid) || prb_object_is_deleting(live)))
        return 0;
    return err->code;
}

static int do_patch(const struct job *job, enum prb_patch_type type, struct prb_error *err)
{
    struct prb_write_options options = write_options(job);
    int r = prb_api_patch(
            job->api, &job->change->ref, type, job->change->body, &options, NULL, err);

    return r == PRB_E_NOTFOUND && job->change->absent_is_done ? settle(job, err) : r;
}

static int do_delete(const struct job *job, struct prb_error *err)
{
    struct prb_delete_options options = {
        .uid = job->change->uid,
        .resource_version = job->change->resource_version,
        .propagation = job->change->propagation,
        .dry_run = job->options->dry_run,
        .timeout_ms = job->options->timeout_ms,
    };
    int r = prb_api_delete(job->api, &job->change->ref, &options, err);

    return r == PRB_E_NOTFOUND || r == PRB_E_CONFLICT ? settle(job, err) : r;
}

/* Only a server that has the kind can say that an object of it is gone. */
static int expect_absent(const struct job *job, struct prb_error *err)
{
    struct prb_get_options options = { .metadata_only = true,
        .timeout_ms = job->options->timeout_ms };
    prb_auto(prb_object_unref) struct prb_object *live = NULL;
    int r = prb_api_get(job->api, &job->change->ref, &options, &live, err);

    if (r == 0)
        return prb_fail(err, PRB_E_CONFLICT, "it is there");
    if (r == PRB_E_NOTFOUND && prb_streq(err->reason, NOT_SERVED))
        return prb_fail(err, PRB_E_UNAVAILABLE, "its kind is not served, so nobody knows");
    return r == PRB_E_NOTFOUND ? 0 : r;
}

static int expect_none(const struct job *job, struct prb_error *err)
{
    const struct prb_ref *ref = &job->change->ref;
    struct prb_list_options options = { .namespace = ref->namespace,
        .metadata_only = true,
        .limit = 1,
        .timeout_ms = job->options->timeout_ms };
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    r = prb_api_list(job->api, &ref->gvr, &options, &page, err);
    if (r == PRB_E_NOTFOUND)
        return prb_fail(err, PRB_E_UNAVAILABLE, "its kind is not served, so nobody knows");
    if (r == 0 && (page.count > 0 || page.next))
        return prb_fail(err, PRB_E_CONFLICT, "there is one");
    return r;
}

/* Items of lists do not say what they are, and metadata alone calls itself something else. */
static const char *kind_of(const struct job *job, struct prb_resource *room)
{
    const struct prb_gvr *gvr = &job->change->ref.gvr;
    struct prb_error err;

    if (job->change->kind && job->change->kind[0] != '\0')
        return job->change->kind;
    if (prb_api_resolve(job->api, gvr->group, gvr->resource, room, &err) != 0)
        return "";
    return room->kind;
}

static void record(struct prb_recorder *recorder, const struct job *job)
{
    const struct prb_change *change = job->change;
    struct prb_resource resource;
    struct prb_event event = {
        .api_version = change->api_version,
        .namespace = change->ref.namespace,
        .name = change->ref.name,
        .uid = change->uid,
        .warning = change->warning,
        .reason = change->reason,
        .note = change->note,
    };

    if (!recorder || job->options->dry_run)
        return;
    event.kind = kind_of(job, &resource);
    prb_recorder_event(recorder, &event);
}

static int perform(const struct job *job, struct prb_error *err)
{
    switch (job->change->type) {
    case PRB_CHANGE_CREATE:
        return do_create(job, err);
    case PRB_CHANGE_MERGE_PATCH:
        return do_patch(job, PRB_PATCH_MERGE, err);
    case PRB_CHANGE_JSON_PATCH:
        return do_patch(job, PRB_PATCH_JSON, err);
    case PRB_CHANGE_APPLY:
        return do_patch(job, PRB_PATCH_APPLY, err);
    case PRB_CHANGE_DELETE:
        return do_delete(job, err);
    case PRB_CHANGE_EXPECT_ABSENT:
        return expect_absent(job, err);
    case PRB_CHANGE_EXPECT_NONE:
        return expect_none(job, err);
    case PRB_CHANGE_EVENT:
        break;
    }
    return 0;
}

static int write_one(const struct job *job, struct prb_error *err)
{
    const struct prb_change *change = job->change;
    const char *name = verb(change->type);
    char what[PRB_REF_TEXT_SIZE];
    int r = perform(job, err);

    prb_ref_describe(&change->ref, what);
    prb_metric_add(&writes_total, 1, job->options->controller, name, prb_errc_name(r));
    if (r != 0)
        return prb_wrap(err, "%s %s", name, what);
    if (change->type == PRB_CHANGE_EXPECT_ABSENT || change->type == PRB_CHANGE_EXPECT_NONE)
        return 0;

    prb_info(job->options->dry_run ? "change tried" : "change made",
            KV("controller", job->options->controller), KV("verb", name), KV("object", what),
            KV("subresource", change->subresource), KV("why", change->why));
    return 0;
}

/* May another change be begun? */
static bool may_go_on(const struct prb_apply_options *options)
{
    const struct prb_clock *clock = options->clock ? options->clock : prb_clock_system();

    if (options->stop && atomic_load(options->stop))
        return false;
    return !options->until_ms || clock->mono_ms(clock) < atomic_load(options->until_ms);
}

int prb_apply(struct prb_api *api, struct prb_recorder *recorder, const struct prb_changes *changes,
        const struct prb_apply_options *options, struct prb_error *err)
{
    for (size_t i = 0; i < changes->count; i++) {
        struct job job = { .api = api, .change = &changes->items[i], .options = options };

        if (!may_go_on(options))
            return prb_fail(err, PRB_E_CANCELLED, "stopped before all changes were made");
        if (job.change->type == PRB_CHANGE_EVENT)
            record(recorder, &job);
        else if (write_one(&job, err) != 0)
            return err->code;
    }
    return 0;
}
