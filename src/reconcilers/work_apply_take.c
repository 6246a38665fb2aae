/*
 * May the work take over what is there without its reference?
 *
 * What gets the reference is deleted with the work. A cache may not have heard yet that the work is
 * being deleted, and what somebody makes by hand from then on is not the work's. So the work is
 * read from the hub after the object was read: while it lives, the object is older than its
 * deletion.
 */

#include "probate/base/str.h"

#include "work_apply.h"
#include "work_remove.h"

#define SLOT "work before it takes over"

static bool takes_over(const struct prb_pass *pass, const struct prb_item *item)
{
    return item->state == PRB_ITEM_WRITES && item->owned && item->seen == PRB_SEEN_THERE &&
           !prb_object_is_owned_by(item->live, prb_object_uid(pass->applied));
}

/* The number of the last look at an object that is to be taken over; 0: there is none. */
static unsigned last_look(const struct prb_pass *pass)
{
    unsigned last = 0;

    for (size_t i = 0; i < pass->count; i++) {
        const struct prb_item *item = &pass->items[i];

        if (takes_over(pass, item) && item->looked > last)
            last = item->looked;
    }
    return last;
}

static void refuse(struct prb_pass *pass, const struct prb_outcome *outcome)
{
    for (size_t i = 0; i < pass->count; i++) {
        if (!takes_over(pass, &pass->items[i]))
            continue;
        prb_changes_done(&pass->items[i].asks);
        prb_item_fail(&pass->items[i], true,
                "it was there before, and is not taken over until the hub says that the work is not "
                "being deleted: %s",
                outcome->err ? outcome->err->msg : "no answer");
    }
}

static bool is_same_and_lives(const struct prb_pass *pass, const struct prb_object *work)
{
    return work && !prb_object_is_deleting(work) &&
           prb_streq(prb_object_uid(work), prb_object_uid(pass->pair->work));
}

bool prb_apply_confirm(struct prb_pass *pass)
{
    const struct prb_outcome *outcome = prb_view_outcome(pass->pair->view, SLOT);
    unsigned last = last_look(pass);

    if (last == 0)
        return false;
    if (!outcome || outcome->number < last) {
        prb_changes_read(pass->pair->out, &pass->pair->work_ref, SLOT,
                "is it still there, so that it may take over what is?");
        prb_changes_go_on(pass->pair->out);
        return true;
    }
    if (outcome->code == PRB_OK ? is_same_and_lives(pass, outcome->object)
                                : !prb_removal_is_absent(outcome)) {
        if (outcome->code != PRB_OK)
            refuse(pass, outcome);
        return false;
    }

    /* The cache is behind, and will tell. */
    prb_changes_retry(pass->pair->out, PRB_WORK_RETRY_MIN_MS, PRB_WORK_RETRY_MAX_MS);
    return true;
}
