/*
 * How is a live policy evaluated?
 *
 * Finalizer, kinds, objects, intents, writes, what is to go, status, in this order and in rounds.
 * Each object stands for itself: what one meets holds up no other. But as long as anything that
 * should be there is not known, nothing goes.
 */

#include "probate/base/str.h"

#include "policy_internal.h"

#define SLOT_STATUS "status"

/* Whether it enforces does not matter: it may do so by the time it goes. True: that comes first. */
static bool keep_finalizer(struct prb_policy_run *run)
{
    size_t before = run->out->count;

    if (run->policy.prune != PRB_PRUNE_NONE)
        prb_changes_add_finalizer(
                run->out, &run->key, run->now, PRB_POLICY_FINALIZER, "it prunes when it goes");
    else
        prb_changes_remove_finalizer(
                run->out, &run->key, run->now, PRB_POLICY_FINALIZER, "it prunes nothing");
    return run->out->count > before;
}

static size_t count_in(const struct prb_policy_run *run, enum prb_policy_state state)
{
    size_t count = 0;

    for (size_t i = 0; i < run->count; i++)
        count += run->items[i].state == state;
    return count;
}

static bool ask(struct prb_policy_run *run, enum prb_policy_state state)
{
    if (count_in(run, state) == 0)
        return false;
    for (size_t i = 0; i < run->count; i++) {
        if (run->items[i].state == state)
            prb_changes_move(run->out, &run->items[i].asks);
    }
    prb_changes_go_on(run->out);
    return true;
}

/*
 * Look at the policy itself before something is deleted on its word. 0: it is as it was decided on;
 * 1: in the next round; negative: it is not, or nobody knows, and the pass is over.
 */
static int confirm(struct prb_policy_run *run, const char *slot)
{
    const struct prb_outcome *outcome = prb_view_outcome(run->view, slot);

    if (!outcome) {
        prb_changes_read(run->out, &run->key, slot, "is the policy still so?");
        prb_changes_go_on(run->out);
        return 1;
    }
    if (outcome->code == PRB_OK && outcome->object &&
            prb_streq(prb_object_uid(outcome->object), prb_object_uid(run->object)) &&
            prb_object_generation(outcome->object) == prb_object_generation(run->now) &&
            !prb_object_is_deleting(outcome->object))
        return 0;
    prb_changes_wait(run->out, "the policy is another one by now, or cannot be read");
    prb_changes_retry(run->out, PRB_POLICY_RETRY_MIN_MS, PRB_POLICY_RETRY_MAX_MS);
    return -1;
}

static bool deletes(const struct prb_policy_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        if (run->items[i].state == PRB_POLICY_WRITES && run->items[i].deletes)
            return true;
    }
    return false;
}

/*
 * Is anything created by an intent that this pass has not written itself? A cache that is behind
 * may show one whose object was made, recorded and deleted long since: the CREATE would be sent
 * once more, and what it makes be on no record.
 */
static bool resumes(const struct prb_policy_run *run)
{
    if (prb_view_outcome(run->view, PRB_POLICY_SLOT_AHEAD))
        return false;
    for (size_t i = 0; i < run->count; i++) {
        const struct prb_policy_item *item = &run->items[i];

        if (item->state == PRB_POLICY_WRITES && item->creates &&
                item->was.phase == PRB_PHASE_CREATING)
            return true;
    }
    return false;
}

/* Read, record, write. True: this round has something to do, or the pass is over. */
static bool bring(struct prb_policy_run *run)
{
    for (size_t i = 0; i < run->count; i++)
        prb_policy_settle(run, &run->items[i]);
    if (ask(run, PRB_POLICY_READS))
        return true;
    if ((deletes(run) || resumes(run)) && confirm(run, PRB_POLICY_SLOT_SELF) != 0)
        return true;
    if (prb_policy_confirm_meant(run) != 0)
        return true;
    return prb_policy_record_ahead(run) || ask(run, PRB_POLICY_WRITES);
}

/* What could not be read may be anything, also something that another entry is the old name of. */
static void note_unknown(struct prb_policy_run *run)
{
    for (size_t i = 0; i < run->count; i++)
        run->blind |=
                run->items[i].state == PRB_POLICY_FAILED && run->items[i].seen == PRB_LOOK_UNKNOWN;
}

/* A template that has lost its name may stand for what it has made: a search prunes nothing. */
static bool may_be_found(
        const struct prb_policy_run *run, const struct json_object *const *entries, size_t count)
{
    bool searches = false;

    for (size_t i = 0; i < run->policy.count; i++)
        searches |= run->parts[i].is_search;
    for (size_t i = 0; searches && i < count; i++) {
        if (prb_streq(prb_json_str(prb_json_obj(entries[i], "object"), "kind"), PRB_POLICY_KIND))
            return true;
    }
    return false;
}

/* Take away what no template stands for any more. True: this round has something to do for it, or
 * the pass is over. */
static bool clear(struct prb_policy_run *run, struct prb_policy_removals *ret)
{
    size_t count;
    prb_autofree const struct json_object **left = prb_policy_left(run, &count);

    run->blind |= may_be_found(run, left, count);
    if (run->blind || count == 0 || !prb_policy_prunes(&run->policy))
        return false;

    /* Whatever was written before this may have taken long. */
    if (confirm(run, PRB_POLICY_SLOT_LAST) != 0 || prb_policy_confirm_left(run, left, count) != 0)
        return true;
    if (!prb_policy_remove(run, left, count, ret))
        return false;
    prb_changes_go_on(run->out);
    return true;
}

/* Once in a pass: a cache that is behind would have us say it again. */
static bool tell(struct prb_policy_run *run, const struct prb_policy_removals *removals)
{
    struct json_object *patch;

    if (prb_view_outcome(run->view, SLOT_STATUS))
        return false;
    patch = prb_policy_status(run, removals);
    if (!patch)
        return false;
    prb_policy_tell(run, patch);
    prb_policy_tell_spared(run, removals);
    prb_changes_merge_patch(run->out, &run->key, patch, "status",
            prb_object_resource_version(run->now), "what became of the templates");
    prb_changes_set_slot(run->out, SLOT_STATUS);
    prb_changes_go_on(run->out);
    return true;
}

static bool should_retry(const struct prb_policy_run *run)
{
    const struct prb_outcome *outcome = prb_view_outcome(run->view, SLOT_STATUS);

    for (size_t i = 0; i < run->count; i++) {
        if (run->items[i].state == PRB_POLICY_FAILED && run->items[i].again)
            return true;
    }
    for (size_t i = 0; i < run->policy.count; i++) {
        if (run->parts[i].trouble && run->parts[i].again)
            return true;
    }
    return outcome && outcome->code != PRB_OK;
}

/* What is reported in the status and will stay so is no wait. */
static void wait_for(struct prb_policy_run *run, const struct prb_policy_removals *removals)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    for (size_t i = 0; i < run->policy.count; i++) {
        struct prb_policy_words words = prb_policy_part_words(run, i);
        prb_autofree char *message = words.message;

        if (!words.is_compliant && (run->policy.enforces || run->parts[i].trouble))
            prb_str_addf(&text, "%s%s", text.len > 0 ? "; " : "", message);
    }
    if (prb_policy_removals_left(removals) > 0) {
        prb_str_add(&text, text.len > 0 ? "; " : "");
        prb_policy_removals_describe(removals, &text);
    }
    if (text.len > 0)
        prb_changes_wait(run->out, "%s", prb_str_get(&text));
}

static void end(struct prb_policy_run *run, const struct prb_policy_removals *removals)
{
    prb_changes_remember(run->out, prb_policy_memory(run));
    prb_policy_come_again(run, prb_policy_is_compliant(run, removals));
    prb_policy_removals_again(removals, run->out);
    if (should_retry(run))
        prb_changes_retry(run->out, PRB_POLICY_RETRY_MIN_MS, PRB_POLICY_RETRY_MAX_MS);
    wait_for(run, removals);
}

/* Nothing of this pass is done yet, and nothing is due. */
static bool is_early(struct prb_policy_run *run)
{
    int64_t due;

    if (prb_view_outcome(run->view, SLOT_STATUS) ||
            prb_view_outcome(run->view, PRB_POLICY_SLOT_AHEAD))
        return false;
    due = prb_policy_due_in(run);
    if (due > 0)
        prb_changes_again(run->out, due);
    return due != 0;
}

void prb_policy_evaluate(struct prb_policy_run *run)
{
    prb_auto(prb_policy_removals_done) struct prb_policy_removals removals = { .count = 0 };

    if (keep_finalizer(run) || is_early(run))
        return;
    if (run->policy.defect) {
        run->blind = true;
    } else {
        if (prb_policy_items(run) || bring(run))
            return;
        note_unknown(run);
        if (clear(run, &removals))
            return;
    }
    if (!tell(run, &removals))
        end(run, &removals);
}
