/*
 * How does one manifest come to be as it should: look, write, and once more after a conflict?
 *
 * Nothing is kept between the rounds but outcomes, each under a name that says what it was about:
 * a work that changes in the middle of a pass finds none of them, and begins anew.
 */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "work_apply.h"

/* After a conflict what is there is read again and the write repeated once; then it is for the next
 * pass. */
#define TRIES_MAX 2

/* The reason of a NOTFOUND that is about the kind. */
#define NOT_SERVED "NotServed"

char *prb_item_slot(const struct prb_item *item, const char *step, int try)
{
    char ref[PRB_REF_TEXT_SIZE];

    prb_ref_format(&item->ref, ref);
    if (prb_streq(step, "read"))
        return prb_asprintf("read:%d:%s", try, ref);
    return prb_asprintf("%s:%d:%s:%s", step, try, item->want, ref);
}

static void ask_read(struct prb_item *item, const char *slot)
{
    prb_changes_read(&item->asks, &item->ref, slot, "what is there of a manifest");
    item->state = PRB_ITEM_READS;
}

/*
 * A cache that knows of none saves the first look: who creates something that is there all the same
 * meets a conflict. An apply would not. Once it was created so, the cache may know it.
 */
static bool is_known_absent(const struct prb_pass *pass, const struct prb_item *item, int try)
{
    prb_autofree char *slot = prb_item_slot(item, "write", 0);

    return try == 0 && item->strategy != PRB_SERVER_SIDE_APPLY &&
           (prb_view_outcome(pass->pair->view, slot) || prb_apply_is_absent(pass, item));
}

/* Fill in what is there; false: it is not known. */
static bool look(const struct prb_pass *pass, struct prb_item *item, int try)
{
    prb_autofree char *slot = prb_item_slot(item, "read", try);
    const struct prb_outcome *outcome = prb_view_outcome(pass->pair->view, slot);

    item->live = NULL;
    item->looked = outcome ? outcome->number : 0;
    item->seen = PRB_SEEN_UNKNOWN;
    if (!outcome && !is_known_absent(pass, item, try)) {
        ask_read(item, slot);
        return false;
    }
    if (!outcome || (outcome->code == PRB_E_NOTFOUND && outcome->err &&
                            !prb_streq(outcome->err->reason, NOT_SERVED))) {
        item->seen = PRB_SEEN_ABSENT;
        return true;
    }
    if (outcome->code == PRB_E_NOTFOUND) {
        prb_item_fail(item, true, "the cluster does not serve version %s of kind %s",
                item->manifest->version, item->manifest->kind);
        return false;
    }
    if (outcome->code != PRB_OK || !outcome->object) {
        prb_item_fail(item, true, "it could not be read: %s",
                outcome->err ? outcome->err->msg : "no answer");
        return false;
    }
    item->seen = PRB_SEEN_THERE;
    item->live = outcome->object;
    return true;
}

bool prb_apply_judge(struct prb_item *item, const struct prb_outcome *outcome, bool may_be_tried)
{
    bool lost = outcome->code == PRB_E_NOTFOUND && item->seen == PRB_SEEN_THERE;

    if (outcome->code == PRB_OK) {
        if (outcome->object)
            item->live = outcome->object;
        item->seen = PRB_SEEN_THERE;
        item->wrote = true;
        return true;
    }
    if (may_be_tried && (outcome->code == PRB_E_CONFLICT || lost))
        item->state = PRB_ITEM_OPEN;
    else
        prb_item_fail(item, true, "%s", outcome->err ? outcome->err->msg : "no answer");
    return false;
}

/* Somebody else has written to what is there, after each look? A webhook may refuse like that. */
static bool has_raced(const struct prb_item *item, const struct prb_outcome *outcome)
{
    return item->state == PRB_ITEM_FAILED && outcome->code == PRB_E_CONFLICT &&
           item->seen == PRB_SEEN_THERE && outcome->err &&
           !strstr(outcome->err->msg, PRB_REFUSED_BY_WEBHOOK);
}

/* Strategies that need one write at most. */
static void write_once(const struct prb_pass *pass, struct prb_item *item, int try)
{
    prb_autofree char *slot = prb_item_slot(item, "write", try);
    const struct prb_outcome *outcome = prb_view_outcome(pass->pair->view, slot);

    item->creates = item->seen == PRB_SEEN_ABSENT;
    if (item->strategy == PRB_UPDATE)
        prb_apply_update(pass, item);
    else
        prb_apply_create_only(pass, item);
    if (item->asks.count == 0) {
        item->state = PRB_ITEM_DONE;
    } else if (!outcome) {
        prb_changes_set_slot(&item->asks, slot);
        item->state = PRB_ITEM_WRITES;
    } else {
        prb_changes_done(&item->asks);
        if (prb_apply_judge(item, outcome, try + 1 < TRIES_MAX))
            item->state = PRB_ITEM_DONE;
        item->raced = has_raced(item, outcome);
    }
}

/* One that was owned before it became ReadOnly must not go with the work: our reference, and
 * nothing else, is taken off. */
static void read_only(const struct prb_pass *pass, struct prb_item *item, int try)
{
    if (item->seen == PRB_SEEN_ABSENT)
        prb_item_fail(item, false, "it is ReadOnly, and there is none");
    else if (prb_object_is_deleting(item->live))
        item->state = PRB_ITEM_DONE;
    else
        write_once(pass, item, try);
}

static void attempt(const struct prb_pass *pass, struct prb_item *item, int try)
{
    if (!look(pass, item, try))
        return;
    if (item->strategy == PRB_READ_ONLY)
        read_only(pass, item, try);
    else if (item->live && prb_object_is_deleting(item->live))
        prb_item_fail(item, true, "it is being deleted, and made again once it is gone");
    else if (item->strategy == PRB_SERVER_SIDE_APPLY)
        prb_apply_ssa(pass, item, try);
    else
        write_once(pass, item, try);
}

void prb_apply_settle(struct prb_pass *pass, struct prb_item *item)
{
    if (item->state == PRB_ITEM_OPEN)
        prb_apply_fresh(pass, item);
    for (int try = 0; item->state == PRB_ITEM_OPEN && try < TRIES_MAX; try++)
        attempt(pass, item, try);
    prb_apply_be_patient(pass, item);
}
