/* How does an object go: because it must not be, or to be made again? */

#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/model/names.h"

#include "policy_internal.h"

/* The reason of a server that would create it, were it not there. */
#define ALREADY_EXISTS "AlreadyExists"

static void await_end(struct prb_policy_item *item)
{
    prb_auto(prb_str_done) struct prb_str text;
    char since[PRB_TIME_SIZE];

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    prb_time_format(prb_object_deleted_at_ms(item->live), since);
    prb_str_addf(&text, "it is being deleted since %s", since);
    if (prb_object_finalizer_count(item->live) > 0)
        prb_str_add(&text, ", held by ");
    prb_names_finalizers(&text, item->live);
    prb_policy_item_fail(item, true, "%s", prb_str_get(&text));
}

/* A DELETE was accepted: is it gone? */
static void look_after(const struct prb_policy_run *run, struct prb_policy_item *item)
{
    prb_autofree char *slot = prb_policy_slot(item, "gone", 0);
    const struct prb_outcome *outcome = prb_view_outcome(run->view, slot);

    item->did = "deleted";
    if (!outcome) {
        prb_changes_read(&item->asks, &item->ref, slot, "it was deleted");
        item->state = PRB_POLICY_READS;
    } else if (outcome->code == PRB_E_NOTFOUND) {
        item->state = PRB_POLICY_SETTLED;
        item->finding = PRB_FOUND_GONE;
        item->seen = PRB_LOOK_ABSENT;
        item->live = NULL;
    } else if (outcome->code == PRB_OK && outcome->object &&
               prb_object_is_deleting(outcome->object)) {
        item->live = outcome->object;
        await_end(item);
    } else {
        prb_policy_item_fail(item, true, "it was deleted, and is not known to be gone");
    }
}

void prb_policy_delete(const struct prb_policy_run *run, struct prb_policy_item *item)
{
    prb_autofree char *slot = prb_policy_slot(item, "delete", 0);
    const struct prb_outcome *outcome = prb_view_outcome(run->view, slot);

    if (prb_object_is_deleting(item->live) && !outcome) {
        await_end(item);
    } else if (!outcome) {
        if (!prb_policy_may_write(run, item))
            return;
        item->deletes = true;
        prb_changes_delete(&item->asks, &item->ref, item->live, PRB_PROPAGATE_BACKGROUND,
                "the policy says that it must not be");
        prb_changes_set_slot(&item->asks, slot);
        item->state = PRB_POLICY_WRITES;
    } else if (prb_policy_judge(item, outcome, false)) {
        look_after(run, item);
    }
}

/*
 * Could it be made again at all? A template that is wrong is refused as an update and as a creation
 * alike, and all that would come of it is that what is there is lost. True: it could.
 */
static bool can_be_made(const struct prb_policy_run *run, struct prb_policy_item *item)
{
    prb_autofree char *slot = prb_policy_slot(item, "try", 0);
    const struct prb_outcome *outcome = prb_view_outcome(run->view, slot);
    struct json_object *body;

    if (!outcome) {
        body = prb_json_copy(item->body);
        prb_json_del(body, "status");
        prb_changes_try_create(&item->asks, &item->ref, body, "can it be made again?");
        prb_changes_set_slot(&item->asks, slot);
        item->state = PRB_POLICY_READS;
        return false;
    }
    if (outcome->code == PRB_OK || (outcome->code == PRB_E_CONFLICT && outcome->err &&
                                           prb_streq(outcome->err->reason, ALREADY_EXISTS)))
        return true;
    prb_policy_item_fail(item, true, "it is not deleted, because it could not be made again: %s",
            outcome->err ? outcome->err->msg : "no answer");
    return false;
}

/* It is made again in a later pass, once it is gone; what was known of it is kept for that. */
void prb_policy_recreate(const struct prb_policy_run *run, struct prb_policy_item *item)
{
    prb_autofree char *slot = prb_policy_slot(item, "recreate", 0);
    const struct prb_outcome *outcome = prb_view_outcome(run->view, slot);

    if (!outcome && (!prb_policy_may_write(run, item) || !can_be_made(run, item)))
        return;
    if (!outcome) {
        item->deletes = item->recreates = true;
        prb_changes_delete(&item->asks, &item->ref, item->live, PRB_PROPAGATE_BACKGROUND,
                "to be made again, as recreateOption says");
        prb_changes_set_slot(&item->asks, slot);
        item->state = PRB_POLICY_WRITES;
        return;
    }
    if (!prb_policy_judge(item, outcome, false))
        return;
    item->did = "deleted";
    prb_policy_item_fail(item, true, "it was deleted, and is made again once it is gone");
}
