/*
 * Which objects does the status name before DeleteAll deletes them?
 *
 * DeleteAll goes by the name. So the status says the uid before the DELETE is sent,
 *
 *   properties: {createdByPolicy: false, uid: deleting-4f1d...}
 *
 * and from then on no other object of that name goes, whoever is killed and started in between: it
 * was made after the one that was meant. DeleteIfCreated goes by a uid on record anyway.
 */

#include "probate/base/str.h"

#include "policy_internal.h"

bool prb_policy_needs_record(
        const struct prb_policy_run *run, const struct prb_policy_removal *removal)
{
    return run->policy.prune == PRB_PRUNE_ALL &&
           !(removal->was.phase == PRB_PHASE_DELETING &&
                   prb_streq(removal->was.uid, prb_object_uid(removal->live)));
}

static const struct prb_policy_removal *find(
        const struct prb_policy_removals *removals, const struct json_object *entry)
{
    for (size_t i = 0; i < removals->count; i++) {
        if (removals->items[i].entry == entry && removals->items[i].state == PRB_LEFT_UNRECORDED)
            return &removals->items[i];
    }
    return NULL;
}

/* All entries as they are, but for what is known of those that go. */
static struct json_object *list_with(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals)
{
    const struct json_object *old = prb_json_arr(prb_object_status(run->now), "relatedObjects");
    struct json_object *list = json_object_new_array();

    for (size_t i = 0; i < prb_json_len(old); i++) {
        const struct json_object *entry = prb_json_elem(old, i);
        const struct prb_policy_removal *removal = find(removals, entry);
        struct json_object *copy = prb_json_copy(entry);

        if (removal)
            prb_json_set(copy, "properties",
                    prb_provenance_json(prb_provenance_owns(&removal->was, prb_object_uid(run->now),
                                                removal->live),
                            PRB_DELETING, prb_object_uid(removal->live)));
        prb_json_push(list, copy);
    }
    return list;
}

static void settle(struct prb_policy_removals *removals, enum prb_policy_removal_state state,
        const struct prb_error *err)
{
    for (size_t i = 0; i < removals->count; i++) {
        struct prb_policy_removal *removal = &removals->items[i];

        if (removal->state != PRB_LEFT_UNRECORDED)
            continue;
        removal->state = state;
        removal->err = err;
        removal->why = "not deleted, because it could not be recorded before";
    }
}

void prb_policy_record_removals(struct prb_policy_run *run, struct prb_policy_removals *removals)
{
    const struct prb_outcome *outcome = prb_view_outcome(run->view, PRB_POLICY_SLOT_DELETING);
    struct json_object *patch;
    bool is_needed = false;

    for (size_t i = 0; i < removals->count; i++)
        is_needed |= removals->items[i].state == PRB_LEFT_UNRECORDED;
    if (!is_needed)
        return;
    if (outcome) { /* it failed, or the server did not keep it, or one more came up */
        settle(removals, PRB_LEFT_FAILED, outcome->err);
        return;
    }
    patch = json_object_new_object();
    prb_json_set(prb_json_ensure_obj(patch, "status"), "relatedObjects", list_with(run, removals));
    prb_changes_merge_patch(run->out, &run->key, patch, "status",
            prb_object_resource_version(run->now), "recorded before it is deleted");
    prb_changes_set_slot(run->out, PRB_POLICY_SLOT_DELETING);
    settle(removals, PRB_LEFT_ASKED, NULL);
}
