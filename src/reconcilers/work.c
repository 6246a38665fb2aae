/*
 * What a ManifestWork asks for is on the cluster, and goes when it goes, but for what is to stay.
 *
 * Looks at:  the ManifestWorks of this cluster on the hub, the AppliedManifestWorks on the cluster,
 *            and metadata of all kinds that these name
 * Writes:    on the cluster the manifests, with or without a reference to the AppliedManifestWork,
 *            which keeps the record; on the hub the finalizer and the status of the works
 * Why:       what is brought to a cluster has to be found again when it is to go, by its uid, and
 *            nothing else may go by mistake: ownership is a reference, and a record
 *
 * A work and its AppliedManifestWork are one pair, and one key. Which part is concerned is decided
 * here; in doubt none is.
 */

#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#include "condition.h"
#include "work_internal.h"
#include "work_map.h"

const struct prb_gvr prb_work_works = { PRB_WORK_GROUP PRB_HUB_SUFFIX, "v1", "manifestworks" };
const struct prb_gvr prb_work_applied = { PRB_WORK_GROUP, "v1", "appliedmanifestworks" };

const char *prb_work_agent_of(const struct prb_object *applied)
{
    const char *agent = prb_json_str(prb_object_spec(applied), "agentID");

    return agent ? agent : "";
}

bool prb_work_is_ours(const struct prb_pair *pair)
{
    return prb_streq(prb_work_agent_of(pair->applied), pair->settings->agent_id);
}

bool prb_work_is_foreign(const struct prb_pair *pair)
{
    return prb_work_agent_of(pair->applied)[0] != '\0' && !prb_work_is_ours(pair);
}

bool prb_work_must_stay(const char *group, const char *resource, const char *name)
{
    if (prb_streq(resource, "customresourcedefinitions"))
        return prb_streq(group, "apiextensions.k8s.io") &&
               prb_streq(name, "appliedmanifestworks." PRB_WORK_GROUP);
    return prb_streq(group, prb_work_applied.group) &&
           prb_streq(resource, prb_work_applied.resource);
}

struct prb_owner prb_work_owner(const struct prb_pair *pair)
{
    return (struct prb_owner){ .api_version = PRB_WORK_GROUP "/v1",
        .kind = "AppliedManifestWork",
        .name = prb_object_name(pair->applied),
        .uid = prb_object_uid(pair->applied) };
}

/* The name of a work may be as long as that of an AppliedManifestWork, which has a hash before it.
 */
static void refuse_name(
        const struct prb_ref *key, const struct prb_view *view, struct prb_changes *out)
{
    static const struct prb_condition condition = { .type = "Applied",
        .status = "False",
        .reason = "AppliedManifestWorkFailed",
        .message = "its name is longer than 188 characters, so that its AppliedManifestWork cannot "
                   "have one: nothing is applied" };
    const struct prb_object *work = prb_view_find(view, key);
    struct prb_condition said = condition;
    struct json_object *patch;

    if (!work)
        return;
    if (prb_object_is_deleting(work)) {
        prb_changes_remove_finalizer(
                out, key, work, PRB_WORK_FINALIZER, "nothing of it can be on the cluster");
        return;
    }
    prb_changes_wait(out, "%s", condition.message);
    said.observed_generation = prb_object_generation(work);
    patch = prb_condition_patch(work, &said, prb_view_now_ms(view));
    if (patch)
        prb_changes_merge_patch(out, key, patch, "status", prb_object_resource_version(work),
                "it cannot be applied");
}

static void dispatch(struct prb_pair *pair)
{
    bool is_live = pair->work && !prb_object_is_deleting(pair->work);

    /* Whatever an earlier pass has left behind was about one that is gone. */
    if (!pair->applied)
        prb_changes_remember(pair->out, NULL);
    if (pair->applied && prb_object_is_deleting(pair->applied)) {
        prb_work_finalize(pair);
    } else if (is_live) {
        if (!pair->applied || !prb_work_evict_stop(pair))
            prb_work_apply(pair);
    } else if (pair->work && prb_object_has_finalizer(pair->work, PRB_WORK_FINALIZER)) {
        prb_work_end(pair);
    } else if (pair->applied) {
        prb_work_evict(pair);
    }
}

static void decide(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *key, struct prb_changes *out)
{
    struct prb_pair pair = {
        .settings = self->settings, .view = view, .applied_ref = *key, .out = out
    };
    const char *name;

    /* A collection that was not read has no word on what is gone. */
    if (!self->settings || !prb_view_has_read(view, &prb_work_works) ||
            !prb_view_knows(view, &prb_work_applied)) {
        prb_changes_wait(out, "works or AppliedManifestWorks are not known yet");
        return;
    }
    if (prb_gvr_equal(&key->gvr, &prb_work_works)) {
        refuse_name(key, view, out);
        return;
    }
    name = prb_work_of_key(pair.settings, key);
    if (name[0] != '\0' &&
            prb_ref_init(&pair.work_ref, &prb_work_works, pair.settings->cluster_name, name))
        pair.work = prb_view_find(view, &pair.work_ref);
    if (pair.work && prb_object_defect(pair.work)) {
        prb_changes_wait(out, "the work cannot be read: %s", prb_object_defect(pair.work));
        return;
    }
    pair.applied = prb_view_find(view, key);
    if (pair.applied && prb_object_uid(pair.applied)[0] == '\0')
        return; /* cannot be; nothing could be known as its own */
    dispatch(&pair);
}

static const struct prb_watch_spec watches[] = {
    { .group = prb_work_works.group,
            .version = prb_work_works.version,
            .resource = prb_work_works.resource,
            .whole = true,
            .map_for = prb_work_map_work },
    { .group = prb_work_applied.group,
            .version = prb_work_applied.version,
            .resource = prb_work_applied.resource,
            .whole = true },
};

/* Works are on the hub, AppliedManifestWorks on the cluster, and there also all that manifests may
 * name: to be granted kind by kind, by who runs the agent (docs/work-agent.md). */
static const struct prb_right rights[] = {
    { PRB_WORK_GROUP PRB_HUB_SUFFIX, "manifestworks", "get,list,watch,patch" },
    { PRB_WORK_GROUP PRB_HUB_SUFFIX, "manifestworks/status", "patch" },
    { PRB_WORK_GROUP, "appliedmanifestworks", "get,list,watch,create,patch,delete" },
    { PRB_WORK_GROUP, "appliedmanifestworks/status", "patch" },
    { "apiextensions.k8s.io", "customresourcedefinitions", "get,list" },
};

const struct prb_reconciler prb_reconciler_work = {
    .name = "work",
    .summary = "brings what ManifestWorks ask for to the cluster, keeps it so, and removes it "
               "with them, but for what is to be orphaned",
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .rights = rights,
    .right_count = sizeof(rights) / sizeof(rights[0]),
    .by_name = true,
    .decide = decide,
    .wants = prb_work_want,
    .map_wanted = prb_work_map_wanted,
};
