/* How does a recorded resource lose our reference, get it, or go? */

#include "probate/base/str.h"

#include "work_remove_run.h"

/* Give the last change its slot, if there is one: nothing is written where it is so already. */
static bool keep(struct prb_removal_run *run, size_t before, const char *slot)
{
    if (run->pair->out->count == before)
        return false;
    prb_changes_set_slot(run->pair->out, slot);
    return true;
}

void prb_removal_disown(struct prb_removal_run *run, struct prb_removal_step *step)
{
    struct prb_removal_slot slot = prb_removal_slot(run, step, "disown");
    prb_autofree char *name = slot.name;
    size_t before = run->pair->out->count;

    if (slot.ask) {
        prb_changes_remove_owner(run->pair->out, &step->ref, step->removal->live, &run->owner,
                "it stays, so it must not go with its owner");
        if (!keep(run, before, name))
            prb_removal_fail(step, NULL, "its owner could not be found again");
    }
    if (!slot.outcome)
        return;
    if (slot.outcome->code == PRB_OK)
        step->removal->state = PRB_REMOVAL_DONE;
    else
        prb_removal_fail(step, slot.outcome->err, "its reference could not be removed");
}

void prb_removal_adopt(struct prb_removal_run *run, struct prb_removal_step *step)
{
    struct prb_removal_slot slot = prb_removal_slot(run, step, "adopt");
    prb_autofree char *name = slot.name;
    size_t before = run->pair->out->count;

    if (slot.ask) {
        prb_changes_add_owner(run->pair->out, &step->ref, step->removal->live, &run->owner,
                "it is to go with its work");
        if (!keep(run, before, name))
            prb_removal_fail(step, NULL, "its owner could not be set");
    }
    if (!slot.outcome)
        return;
    if (slot.outcome->code != PRB_OK || !slot.outcome->object) {
        prb_removal_fail(step, slot.outcome->err, "its reference could not be added");
        return;
    }
    step->removal->live = slot.outcome->object;
    step->removal->state = PRB_REMOVAL_PENDING;
    step->ready = true;
}

static bool is_to_go(const struct prb_removal_plan *plan, const struct prb_applied_entry *entry)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct prb_applied_entry *other = &plan->entries[i];

        if (prb_streq(other->name, entry->name) && prb_streq(other->resource, entry->resource) &&
                prb_streq(other->group, entry->group) &&
                prb_streq(other->namespace, entry->namespace))
            return true;
    }
    return false;
}

/*
 * One object may be served by two groups (Ingresses were, for years). When a manifest moves from
 * one to the other, what falls out is what has just been applied, by another name: such a one is
 * forgotten, not deleted. As long as the uid of the other is not on record it is waited for.
 */
static bool is_kept_elsewhere(struct prb_removal_run *run, struct prb_removal_step *step)
{
    const struct prb_applied_entry *entry = &step->removal->entry;

    if (!run->recorded)
        run->recorded = prb_applied_entries(run->pair->applied, &run->recorded_count);
    for (size_t i = 0; i < run->recorded_count; i++) {
        const struct prb_applied_entry *other = &run->recorded[i];
        bool is_same = prb_streq(other->uid, prb_object_uid(step->removal->live));

        if (!prb_streq(other->name, entry->name) ||
                !prb_streq(other->namespace, entry->namespace) || is_to_go(run->plan, other))
            continue;
        if (is_same)
            step->removal->state = PRB_REMOVAL_DONE;
        if (is_same || (other->uid[0] == '\0' && prb_streq(other->resource, entry->resource)))
            return true;
    }
    return false;
}

/* Nothing but a finalizer keeps most things: they are gone at once, and their entry with them. */
static void look_after(struct prb_removal_run *run, struct prb_removal_step *step)
{
    struct prb_removal *removal = step->removal;

    removal->state = PRB_REMOVAL_PENDING;
    removal->deleted = true;
    if (prb_object_finalizer_count(removal->live) > 0)
        return;

    struct prb_removal_slot slot = prb_removal_slot(run, step, "gone");
    prb_autofree char *name = slot.name;

    if (slot.ask)
        prb_changes_read(run->pair->out, &step->ref, name, "it was deleted");
    if (!slot.outcome)
        return;
    if (prb_removal_is_absent(slot.outcome))
        removal->state = PRB_REMOVAL_DONE;
    if (slot.outcome->code == PRB_OK && slot.outcome->object)
        removal->live = slot.outcome->object;
}

void prb_removal_delete(struct prb_removal_run *run, struct prb_removal_step *step)
{
    if (is_kept_elsewhere(run, step))
        return;

    struct prb_removal_slot slot = prb_removal_slot(run, step, "delete");
    prb_autofree char *name = slot.name;
    size_t before = run->pair->out->count;

    if (slot.ask) {
        prb_changes_delete_unchanged(run->pair->out, &step->ref, step->removal->live,
                PRB_PROPAGATE_BACKGROUND, "it is to go with its work");
        (void)keep(run, before, name);
    }
    if (!slot.outcome)
        return;
    if (slot.outcome->code == PRB_OK)
        look_after(run, step);
    else
        prb_removal_fail(step, slot.outcome->err, "it could not be deleted");
}
