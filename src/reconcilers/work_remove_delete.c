/* How is a recorded resource deleted that is ours, and nothing by mistake in its place? */

#include <string.h>

#include "probate/base/str.h"

#include "work_remove_run.h"

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
        else if (other->uid[0] == '\0' && prb_streq(other->resource, entry->resource))
            prb_removal_fail(step, NULL, "another group has the same on record, without a uid yet");
        else
            continue;
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

static const struct prb_outcome *send(
        struct prb_removal_run *run, struct prb_removal_step *step, const char *verb)
{
    struct prb_removal_slot slot = prb_removal_slot(run, step, verb);
    prb_autofree char *name = slot.name;
    size_t before = run->pair->out->count;

    if (slot.ask) {
        prb_changes_delete_unchanged(run->pair->out, &step->ref, step->removal->live,
                PRB_PROPAGATE_BACKGROUND, "it is to go with its work");
        (void)prb_removal_keep(run, before, name);
    }
    return slot.outcome;
}

/* Was it only that somebody has changed it since it was read? A webhook may refuse like that. */
static bool is_outdated(const struct prb_outcome *outcome)
{
    return outcome->code == PRB_E_CONFLICT && outcome->err &&
           !strstr(outcome->err->msg, PRB_REFUSED_BY_WEBHOOK);
}

/* What it is like now; NULL: not known yet, or decided. */
static const struct prb_object *look_again(
        struct prb_removal_run *run, struct prb_removal_step *step)
{
    struct prb_removal_slot slot = prb_removal_slot(run, step, "get again");
    prb_autofree char *name = slot.name;

    if (slot.ask)
        prb_changes_read(run->pair->out, &step->ref, name, "it was changed meanwhile");
    if (!slot.outcome)
        return NULL;
    if (prb_removal_is_absent(slot.outcome))
        step->removal->state = PRB_REMOVAL_DONE;
    else if (slot.outcome->code != PRB_OK || !slot.outcome->object)
        prb_removal_fail(step, slot.outcome->err, "it could not be read");
    else
        return slot.outcome->object;
    return NULL;
}

/*
 * Some things are changed all the time, and with hundreds of others between look and DELETE the one
 * never fits the other. So once more, right after each other; if there is anything new about it, in
 * the next pass.
 */
static void delete_again(struct prb_removal_run *run, struct prb_removal_step *step,
        const struct prb_error *outdated)
{
    const struct prb_object *live = look_again(run, step);
    const struct prb_outcome *outcome;

    if (!live)
        return;
    if (prb_object_uid(live)[0] == '\0' || prb_removal_ask(run, step, live) != PRB_VERDICT_DELETE) {
        prb_removal_fail(step, outdated, "it could not be deleted");
        return;
    }
    step->removal->live = live;
    outcome = send(run, step, "delete again");
    if (!outcome)
        return;
    if (outcome->code == PRB_OK) {
        step->removal->state = PRB_REMOVAL_PENDING;
        step->removal->deleted = true;
    } else {
        prb_removal_fail(step, outcome->err, "it could not be deleted");
    }
}

void prb_removal_delete(struct prb_removal_run *run, struct prb_removal_step *step)
{
    const struct prb_outcome *outcome;

    if (is_kept_elsewhere(run, step))
        return;
    outcome = send(run, step, "delete");
    if (!outcome)
        return;
    if (outcome->code == PRB_OK)
        look_after(run, step);
    else if (is_outdated(outcome))
        delete_again(run, step, outcome->err);
    else
        prb_removal_fail(step, outcome->err, "it could not be deleted");
}
