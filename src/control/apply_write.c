/* How does a change become a write, and which answers mean that it is done? */

#include "probate/base/str.h"

#include "apply_internal.h"

static struct prb_write_options write_options(const struct prb_apply_job *job)
{
    return (struct prb_write_options){
        .subresource = job->change->subresource,
        .resource_version = job->change->resource_version,
        .field_manager = job->change->field_manager,
        .force = job->change->type == PRB_CHANGE_APPLY && !job->change->gentle,
        .dry_run = job->options->dry_run || job->change->is_trial,
        .timeout_ms = job->options->timeout_ms,
    };
}

/* Where the server's answer goes; NULL: nobody will look at it. */
static struct prb_object **answer(struct prb_apply_job *job)
{
    return job->change->slot || job->options->told ? &job->outcome.object : NULL;
}

static int do_create(struct prb_apply_job *job, struct prb_error *err)
{
    struct prb_write_options options = write_options(job);
    int r = prb_api_create(
            job->api, &job->change->ref, job->change->body, &options, answer(job), err);

    /* Whoever decided did not know it yet: look again. */
    if (r == PRB_E_EXISTS)
        r = err->code = PRB_E_CONFLICT;
    return r;
}

/* Not when a webhook refuses with 404, nor when the kind is not served. */
static bool is_gone(const struct prb_apply_job *job)
{
    const struct prb_get_options options = { .metadata_only = true,
        .timeout_ms = job->options->timeout_ms };
    prb_auto(prb_object_unref) struct prb_object *live = NULL;
    struct prb_error err;

    return prb_api_get(job->api, &job->change->ref, &options, &live, &err) == PRB_E_NOTFOUND &&
           !prb_streq(err.reason, PRB_APPLY_NOT_SERVED);
}

static int do_update(struct prb_apply_job *job, struct prb_error *err)
{
    struct prb_write_options options = write_options(job);
    int r = prb_api_update(
            job->api, &job->change->ref, job->change->body, &options, answer(job), err);

    /* The decision was made on a cache that still had the object: a conflict makes the key look
     * again. */
    if (r == PRB_E_NOTFOUND && is_gone(job))
        r = err->code = PRB_E_CONFLICT;
    return r;
}

/* A kind that is positively not served has no objects. One that is served in another version may
 * have, and a server that has just started does not know all of its kinds yet. */
static int settle_not_served(const struct prb_apply_job *job, struct prb_error *err)
{
    struct prb_resource served;
    struct prb_error why;
    int r = prb_apply_is_served(job, &served, &why);

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
static int settle(const struct prb_apply_job *job, struct prb_error *err)
{
    const struct prb_change *change = job->change;
    struct prb_get_options options = { .metadata_only = true,
        .timeout_ms = job->options->timeout_ms };
    prb_auto(prb_object_unref) struct prb_object *live = NULL;
    struct prb_error get_err;
    int r = prb_api_get(job->api, &change->ref, &options, &live, &get_err);

    if (r == PRB_E_NOTFOUND)
        return prb_streq(get_err.reason, PRB_APPLY_NOT_SERVED) ? settle_not_served(job, err) : 0;
    if (r != 0) {
        *err = get_err;
        return r;
    }
    if (change->type == PRB_CHANGE_DELETE &&
            (!prb_streq(prb_object_uid(live), change->uid) || prb_object_is_deleting(live)))
        return 0;
    return err->code;
}

static int do_patch(struct prb_apply_job *job, enum prb_patch_type type, struct prb_error *err)
{
    struct prb_write_options options = write_options(job);
    int r = prb_api_patch(
            job->api, &job->change->ref, type, job->change->body, &options, answer(job), err);

    return r == PRB_E_NOTFOUND && job->change->absent_is_done ? settle(job, err) : r;
}

static int do_delete(const struct prb_apply_job *job, struct prb_error *err)
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

int prb_apply_write(struct prb_apply_job *job, struct prb_error *err)
{
    switch (job->change->type) {
    case PRB_CHANGE_CREATE:
        return do_create(job, err);
    case PRB_CHANGE_UPDATE:
        return do_update(job, err);
    case PRB_CHANGE_MERGE_PATCH:
        return do_patch(job, PRB_PATCH_MERGE, err);
    case PRB_CHANGE_JSON_PATCH:
        return do_patch(job, PRB_PATCH_JSON, err);
    case PRB_CHANGE_APPLY:
        return do_patch(job, PRB_PATCH_APPLY, err);
    case PRB_CHANGE_DELETE:
        return do_delete(job, err);
    case PRB_CHANGE_EXPECT_ABSENT:
    case PRB_CHANGE_EXPECT_NONE:
    case PRB_CHANGE_READ:
    case PRB_CHANGE_RESOLVE:
    case PRB_CHANGE_EVENT:
        break;
    }
    return prb_fail(err, PRB_E_INTERNAL, "no write");
}
