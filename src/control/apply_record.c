/* How does an intended Event become one? */

#include "apply_internal.h"

/* Items of lists do not say what they are, and metadata alone calls itself something else. */
static const char *kind_of(const struct prb_apply_job *job, struct prb_resource *room)
{
    const struct prb_gvr *gvr = &job->change->ref.gvr;
    struct prb_error err;

    if (job->change->kind && job->change->kind[0] != '\0')
        return job->change->kind;
    if (prb_api_resolve(job->api, gvr->group, gvr->resource, room, &err) != 0)
        return "";
    return room->kind;
}

void prb_apply_record(struct prb_recorder *recorder, const struct prb_apply_job *job)
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
