/* How does an intended Event become one? */

#include "probate/model/side.h"

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
    char group[PRB_GROUP_SIZE], api_version[PRB_API_VERSION_SIZE];
    struct prb_resource resource;
    struct prb_event event = {
        .api_version = change->api_version,
        .on_hub = prb_side_is_hub(change->ref.gvr.group),
        .namespace = change->ref.namespace,
        .name = change->ref.name,
        .uid = change->uid,
        .warning = change->warning,
        .reason = change->reason,
        .note = change->note,
    };

    if (!recorder || job->options->dry_run)
        return;
    if (event.on_hub) {
        prb_side_strip(change->ref.gvr.group, group);
        prb_api_version_format(group, change->ref.gvr.version, api_version);
        event.api_version = api_version;
    }
    event.kind = kind_of(job, &resource);
    prb_recorder_event(recorder, &event);
}
