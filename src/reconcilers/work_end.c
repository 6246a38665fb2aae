/*
 * How does a deleted work go, when it has our finalizer?
 *
 * First its orphan settings are put on record, and every reference is brought in line with them, in
 * one pass that must succeed whole and that adds none; only then its AppliedManifestWork is
 * deleted, by the uid and version that this was done for, and takes what is its own with it
 * (work_finalize.c). When the server says that it is gone, the work may go. Where there never was
 * any, that is at once.
 */

#include "probate/base/str.h"

#include "work_remove.h"

#define DELETE_SLOT "delete what it recorded"

static void let_go(struct prb_pair *pair)
{
    prb_changes_expect_absent(
            pair->out, &pair->applied_ref, "a work goes after what it has brought");
    prb_changes_remove_finalizer(pair->out, &pair->work_ref, pair->work, PRB_WORK_FINALIZER,
            "nothing of it is left on the cluster");
}

/* What became of the DELETE is told on the work like everything else. */
static void tell_begun(struct prb_pair *pair, const struct prb_outcome *outcome,
        const struct prb_removals *removals)
{
    prb_auto(prb_str_done) struct prb_str first;

    prb_str_init(&first, PRB_CHANGE_TEXT_MAX);
    if (outcome->code != PRB_OK && outcome->code != PRB_E_CONFLICT)
        prb_str_addf(&first, "AppliedManifestWork %s cannot be deleted: %s; ",
                pair->applied_ref.name, outcome->err ? outcome->err->msg : "no answer");
    prb_pair_tell_left(pair, removals, prb_str_get(&first));
}

static void begin_removal(struct prb_pair *pair, const struct prb_removals *removals)
{
    const struct prb_outcome *outcome = prb_view_outcome(pair->view, DELETE_SLOT);

    /* Without it all would go at once, by the garbage collector's rules. */
    if (!prb_object_has_finalizer(pair->applied, PRB_APPLIED_FINALIZER)) {
        prb_changes_wait(pair->out, "AppliedManifestWork %s has to get its finalizer first",
                pair->applied_ref.name);
        prb_changes_add_finalizer(pair->out, &pair->applied_ref, pair->applied,
                PRB_APPLIED_FINALIZER, "what it has recorded goes before it");
        return;
    }
    if (outcome) {
        tell_begun(pair, outcome, removals);
        return;
    }
    prb_pair_tell_unowned(pair, &pair->work_ref, pair->work, removals);
    prb_changes_delete_unchanged(pair->out, &pair->applied_ref, pair->applied,
            PRB_PROPAGATE_BACKGROUND, "its work is being deleted");
    prb_changes_set_slot(pair->out, DELETE_SLOT);
    prb_changes_go_on(pair->out);
}

/* What is frozen now is what decides, also if the work should lose its settings with our finalizer.
 * True: that has to be written first. */
static bool record_settings(struct prb_pair *pair)
{
    struct json_object *patch = prb_orphans_patch(pair->applied, pair->work);

    if (!patch)
        return false;
    prb_changes_wait(pair->out, "what of it is to stay has to be on record first");
    prb_changes_merge_patch(pair->out, &pair->applied_ref, patch, NULL,
            prb_object_resource_version(pair->applied), "what of its work is to stay");
    return true;
}

static void align(struct prb_pair *pair)
{
    prb_auto(prb_manifest_work_done) struct prb_manifest_work work;
    prb_auto(prb_removals_done) struct prb_removals removals = { .count = 0 };
    prb_autofree struct prb_applied_entry *entries = NULL;
    struct prb_removal_plan plan = { .work = &work, .ends = true, .align_only = true };
    size_t first = 0;

    prb_manifest_work_read(pair->work, &work);
    entries = prb_removal_entries(pair->applied, &work, &plan.count);
    plan.entries = entries;
    prb_removals_run(pair, &plan, &removals);
    if (prb_removals_in(&removals, PRB_REMOVAL_ASKED) > 0)
        prb_changes_go_on(pair->out);
    else if (prb_removals_in(&removals, PRB_REMOVAL_FAILED) > 0 ||
             prb_applied_malformed(pair->applied, &first) > 0)
        prb_pair_tell_left(pair, &removals,
                "nothing is deleted before all references are as deleteOption says; ");
    else
        begin_removal(pair, &removals);
}

/* Somebody else may be at work with it. */
static void leave_to_other(struct prb_pair *pair)
{
    const char *agent = prb_work_agent_of(pair->applied);
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    prb_str_addf(&text,
            "AppliedManifestWork %s belongs to agent %s and not to this one, %s: nothing is "
            "removed. Run this agent with --agent-id=%s, or set spec.agentID",
            pair->applied_ref.name, agent, pair->settings->agent_id, agent);
    prb_pair_tell(pair, prb_str_get(&text));
}

void prb_work_end(struct prb_pair *pair)
{
    if (!pair->applied) {
        let_go(pair);
        return;
    }
    if (prb_pair_ask_hub(pair) != PRB_ASKED_KNOWN)
        return;

    /* The cache is behind, and will tell. */
    if (!pair->work || !prb_object_is_deleting(pair->work) ||
            !prb_object_has_finalizer(pair->work, PRB_WORK_FINALIZER)) {
        prb_changes_retry(pair->out, PRB_WORK_RETRY_MIN_MS, PRB_WORK_RETRY_MAX_MS);
        return;
    }
    if (prb_work_is_foreign(pair))
        leave_to_other(pair);
    else if (!record_settings(pair))
        align(pair);
}
