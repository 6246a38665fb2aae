/* How does a recorded resource lose our reference? */

#include "probate/base/str.h"

#include "work_remove_run.h"

bool prb_removal_keep(struct prb_removal_run *run, size_t before, const char *slot)
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
        if (!prb_removal_keep(run, before, name))
            prb_removal_fail(step, NULL, "its owner could not be found again");
    }
    if (!slot.outcome)
        return;
    if (slot.outcome->code == PRB_OK)
        step->removal->state = PRB_REMOVAL_DONE;
    else
        prb_removal_fail(step, slot.outcome->err, "its reference could not be removed");
}
