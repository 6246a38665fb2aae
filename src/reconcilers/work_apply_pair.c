/* What has to be in place before anything of a work is applied? */

#include "probate/base/str.h"

#include "work_apply.h"

static struct json_object *spec_of(const struct prb_pair *pair)
{
    struct json_object *spec = json_object_new_object();

    prb_json_set_str(spec, "hubHash", pair->settings->hub_hash);
    prb_json_set_str(spec, "agentID", pair->settings->agent_id);
    prb_json_set_str(spec, "manifestWorkName", pair->work_ref.name);
    return spec;
}

static void create(struct prb_pair *pair)
{
    const struct json_object *labels = prb_json_obj(prb_object_metadata(pair->work), "labels");
    struct json_object *body = json_object_new_object(), *finalizers = json_object_new_array();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");

    prb_json_set_str(body, "apiVersion", PRB_WORK_GROUP "/v1");
    prb_json_set_str(body, "kind", "AppliedManifestWork");
    prb_json_set_str(metadata, "name", pair->applied_ref.name);
    if (labels)
        prb_json_set(metadata, "labels", prb_json_copy(labels));
    prb_json_push(finalizers, json_object_new_string(PRB_APPLIED_FINALIZER));
    prb_json_set(metadata, "finalizers", finalizers);
    prb_orphans_put(metadata, pair->work);
    prb_json_set(body, "spec", spec_of(pair));
    prb_changes_create(pair->out, &pair->applied_ref, body, "what is applied is recorded here");
}

/* What else it may say is not ours to judge. */
static bool says(const struct json_object *seen, const struct json_object *spec)
{
    static const char *const keys[] = { "hubHash", "agentID", "manifestWorkName" };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (!prb_streq(prb_json_str(seen, keys[i]), prb_json_str(spec, keys[i])))
            return false;
    }
    return true;
}

/* When this agent has last taken it over from another; 0: not that anybody knew. */
static int64_t taken_ms(const struct prb_pair *pair)
{
    int64_t taken = 0;

    (void)prb_json_int(prb_view_memory(pair->view), PRB_MEMORY_TAKEN, &taken);
    return taken;
}

static void remember_taking(struct prb_pair *pair)
{
    struct json_object *memory = json_object_new_object();

    prb_json_set_int(memory, PRB_MEMORY_TAKEN, prb_view_now_ms(pair->view));
    prb_changes_remember(pair->out, memory);
}

/* Two agents that both mean this work would take it from each other as fast as the server can
 * answer. */
static bool is_taken_back(struct prb_pair *pair)
{
    int64_t age = prb_view_now_ms(pair->view) - taken_ms(pair);
    const int pause = PRB_WORK_RESYNC_MS;

    if (!prb_work_is_foreign(pair) || age < 0 || age >= pause)
        return false;
    prb_changes_wait(pair->out,
            "agent %s has taken AppliedManifestWork %s back: two agents are at work here, which "
            "must have one --agent-id, or not both run",
            prb_work_agent_of(pair->applied), pair->applied_ref.name);
    prb_changes_again(pair->out, pause - age);
    return true;
}

/* What of the work is to stay is on record before a reference is changed by it. */
static void record_settings(struct prb_pair *pair)
{
    struct json_object *patch = prb_orphans_patch(pair->applied, pair->work);

    if (patch)
        prb_changes_merge_patch(pair->out, &pair->applied_ref, patch, NULL,
                prb_object_resource_version(pair->applied), "what of its work is to stay");
}

static void correct_with(struct prb_pair *pair, struct json_object *spec_taken)
{
    struct json_object *patch = json_object_new_object();

    prb_json_set(patch, "spec", spec_taken);
    prb_changes_merge_patch(pair->out, &pair->applied_ref, patch, NULL,
            prb_object_resource_version(pair->applied), "it belongs to this work and agent");
}

/* One that another agent left under this very name is taken over. */
static void correct(struct prb_pair *pair)
{
    prb_auto(prb_json_free) struct json_object *spec = spec_of(pair);

    prb_changes_add_finalizer(pair->out, &pair->applied_ref, pair->applied, PRB_APPLIED_FINALIZER,
            "what it records is removed before it goes");
    if (pair->out->count > 0)
        return;
    if (says(prb_object_spec(pair->applied), spec)) {
        record_settings(pair);
        return;
    }
    if (prb_work_is_foreign(pair))
        remember_taking(pair);
    correct_with(pair, prb_take(spec));
}

bool prb_apply_pair(struct prb_pair *pair)
{
    if (pair->applied && is_taken_back(pair))
        return true;

    /* Nothing may be applied of a work that could vanish unnoticed. */
    prb_changes_add_finalizer(pair->out, &pair->work_ref, pair->work, PRB_WORK_FINALIZER,
            "what it applied is removed before it goes");
    if (!pair->applied)
        create(pair);
    else
        correct(pair);
    return pair->out->count > 0;
}
