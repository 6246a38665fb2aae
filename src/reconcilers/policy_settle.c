/*
 * How does one object come to be as its template says: look, compare, write, and once more after a
 * conflict?
 *
 * Nothing is kept between the rounds but outcomes, each under a name that says what it was about: a
 * policy that changes in the middle of a pass finds none of them, and begins anew.
 */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "policy_internal.h"

/* After a conflict what is there is read again and the write repeated once; then it is for the next
 * pass. */
#define TRIES_MAX 2

/* The reason of a NOTFOUND that is about the kind. */
#define NOT_SERVED "NotServed"

char *prb_policy_slot(const struct prb_policy_item *item, const char *step, int try)
{
    char ref[PRB_REF_TEXT_SIZE];

    prb_ref_format(&item->ref, ref);
    return prb_asprintf("%s:%d:%s:%s", step, try, item->want, ref);
}

static void found(struct prb_policy_item *item, enum prb_policy_finding finding)
{
    item->state = PRB_POLICY_SETTLED;
    item->finding = finding;
}

/* ---- what is there ---- */

/*
 * A cache that knows of none saves the look: who creates something that is there all the same meets
 * a conflict. But what is on record must not lose its uid to a cache that is behind; an intent that
 * this pass has recorded has none to lose.
 */
static bool is_known_absent(
        const struct prb_policy_run *run, const struct prb_policy_item *item, int try)
{
    prb_autofree char *slot = prb_policy_slot(item, "create", 0);
    bool is_meant = item->was.phase == PRB_PHASE_CREATING &&
                    prb_view_outcome(run->view, PRB_POLICY_SLOT_AHEAD);

    if (try > 0)
        return false;
    return prb_view_outcome(run->view, slot) ||
           ((!item->was.is_known || is_meant) && prb_policy_is_known_absent(run, item));
}

/* Another template has just looked at it, or changed it. */
static bool look_behind(struct prb_policy_item *item)
{
    const struct prb_policy_item *before = item->before;

    if (!before || !(before->live || before->seen == PRB_LOOK_ABSENT))
        return false;
    item->live = before->live;
    item->seen = before->seen;
    return true;
}

/*
 * Where only being there counts, a cache will do: to tell of it, and to wait for its end. Not to
 * delete it.
 */
static bool glimpse(const struct prb_policy_run *run, struct prb_policy_item *item)
{
    struct prb_ref ref = item->ref;
    const struct prb_object *cached;

    ref.gvr = item->resource->gvr;
    cached = prb_view_find(run->view, &ref);
    if (item->template->type != PRB_MUST_NOT_HAVE || !cached || !prb_policy_is_cached(run, &ref) ||
            (run->policy.enforces && !prb_object_is_deleting(cached)))
        return false;
    item->live = cached;
    item->seen = PRB_LOOK_THERE;
    return true;
}

/* Fill in what is there; false: it is not known. */
static bool look(const struct prb_policy_run *run, struct prb_policy_item *item, int try)
{
    prb_autofree char *slot = prb_policy_slot(item, "read", try);
    const struct prb_outcome *outcome = prb_view_outcome(run->view, slot);

    item->live = NULL;
    item->seen = PRB_LOOK_UNKNOWN;
    if (try == 0 && (look_behind(item) || (!outcome && glimpse(run, item))))
        return true;
    if (!outcome && !is_known_absent(run, item, try)) {
        prb_changes_read(&item->asks, &item->ref, slot, "what is there of a template");
        item->state = PRB_POLICY_READS;
        return false;
    }
    if (!outcome || (outcome->code == PRB_E_NOTFOUND && outcome->err &&
                            !prb_streq(outcome->err->reason, NOT_SERVED))) {
        item->seen = PRB_LOOK_ABSENT;
        return true;
    }
    if (outcome->code != PRB_OK || !outcome->object) {
        prb_policy_item_fail(item, true, "it could not be read: %s",
                outcome->err ? outcome->err->msg : "no answer");
        return false;
    }
    item->seen = PRB_LOOK_THERE;
    item->live = outcome->object;
    return true;
}

bool prb_policy_judge(
        struct prb_policy_item *item, const struct prb_outcome *outcome, bool may_be_tried)
{
    bool lost = outcome->code == PRB_E_NOTFOUND && item->seen == PRB_LOOK_THERE;

    if (outcome->code == PRB_OK) {
        if (outcome->object)
            item->live = outcome->object;
        return true;
    }
    if (may_be_tried && (outcome->code == PRB_E_CONFLICT || lost))
        item->state = PRB_POLICY_OPEN;
    else
        prb_policy_item_fail(item, true, "%s", outcome->err ? outcome->err->msg : "no answer");
    return false;
}

/* ---- it is not there, and should be ---- */

/* Did the server say that it has created nothing? After anything else nobody knows. */
static bool is_refusal(enum prb_errc code)
{
    return code == PRB_E_INVALID || code == PRB_E_NOTFOUND || code == PRB_E_FORBIDDEN ||
           code == PRB_E_UNAUTHORIZED || code == PRB_E_UNSUPPORTED || code == PRB_E_THROTTLED ||
           code == PRB_E_CONFLICT;
}

static struct json_object *marked_body(
        const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    struct json_object *body = prb_json_copy(item->body);
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");
    prb_autofree char *mark = prb_asprintf("%s/%s", prb_object_uid(run->now), item->was.uid);

    if (item->was.phase == PRB_PHASE_CREATING)
        prb_json_set_str(
                prb_json_ensure_obj(metadata, "annotations"), PRB_ANNOTATION_CREATED_BY, mark);
    prb_json_del(body, "status");
    return body;
}

static void create(const struct prb_policy_run *run, struct prb_policy_item *item, int try)
{
    prb_autofree char *slot = prb_policy_slot(item, "create", try);
    const struct prb_outcome *outcome = prb_view_outcome(run->view, slot);

    if (!outcome) {
        if (!prb_policy_may_write(run, item))
            return;
        item->creates = true;
        prb_changes_create(&item->asks, &item->ref, marked_body(run, item), "as the policy says");
        prb_changes_set_slot(&item->asks, slot);
        item->state = PRB_POLICY_WRITES;
        return;
    }
    item->refused = is_refusal(outcome->code);
    if (!prb_policy_judge(item, outcome, try + 1 < TRIES_MAX))
        return;
    item->seen = PRB_LOOK_THERE;
    item->did = "created";
    found(item, PRB_FOUND_AS_WANTED);
}

/* ---- it is there ---- */

/* Does the object itself stand in the way, as with a field that never changes? An admission webhook
 * may refuse with any number. */
static bool is_impossible(const struct prb_outcome *outcome)
{
    return outcome->code == PRB_E_INVALID && outcome->err && outcome->err->status == 422 &&
           prb_streq(outcome->err->reason, "Invalid");
}

static void update(const struct prb_policy_run *run, struct prb_policy_item *item, int try)
{
    prb_autofree char *slot = prb_policy_slot(item, "update", try);
    const struct prb_outcome *outcome = prb_view_outcome(run->view, slot);
    bool may_recreate = item->template->recreate != PRB_RECREATE_NEVER;
    struct json_object *merged;

    if (!outcome) {
        if (!prb_policy_may_write(run, item))
            return;
        merged = prb_policy_merge(item->body, item->live);
        if (!merged) {
            prb_policy_item_fail(item, false,
                    "a list is too long to be compared in any order, and has something else in a "
                    "place that the template names: nothing is added to it");
            return;
        }
        prb_changes_update(&item->asks, &item->ref, merged, "as the policy says");
        prb_changes_set_slot(&item->asks, slot);
        item->state = PRB_POLICY_WRITES;
    } else if (may_recreate && is_impossible(outcome)) {
        prb_policy_recreate(run, item);
    } else if (prb_policy_judge(item, outcome, try + 1 < TRIES_MAX)) {
        item->did = "updated";
        found(item, PRB_FOUND_AS_WANTED);
    }
}

static void await_end(struct prb_policy_item *item)
{
    prb_policy_item_fail(item, true, "it is being deleted, and made again once it is gone");
}

static void keep(const struct prb_policy_run *run, struct prb_policy_item *item, int try)
{
    enum prb_match match = prb_policy_compare(item->body, prb_object_tree(item->live));

    item->as_left = match == PRB_DIFFERS && prb_policy_is_as_left(run, item);
    if (match == PRB_MATCHES || item->as_left)
        found(item, PRB_FOUND_AS_WANTED);
    else if (!run->policy.enforces || match == PRB_DIFFERS_IN_STATUS)
        found(item, PRB_FOUND_OTHER);
    else if (prb_object_is_deleting(item->live))
        await_end(item);
    else if (item->template->recreate == PRB_RECREATE_ALWAYS)
        prb_policy_recreate(run, item);
    else
        update(run, item, try);
}

/* ---- in which order ---- */

static void attempt(const struct prb_policy_run *run, struct prb_policy_item *item, int try)
{
    bool is_wanted = item->template->type == PRB_MUST_HAVE;

    if (!look(run, item, try))
        return;
    if (item->seen == PRB_LOOK_ABSENT && !is_wanted)
        found(item, PRB_FOUND_GONE);
    else if (item->seen == PRB_LOOK_ABSENT && !run->policy.enforces)
        found(item, PRB_FOUND_ABSENT);
    else if (item->seen == PRB_LOOK_ABSENT)
        create(run, item, try);
    else if (is_wanted)
        keep(run, item, try);
    else if (!run->policy.enforces)
        found(item, PRB_FOUND_UNWANTED);
    else
        prb_policy_delete(run, item);
}

/* One template after the other: the next has to see what the one before it has made. */
static bool has_to_wait(const struct prb_policy_item *item)
{
    const struct prb_policy_item *before = item->before;

    return before && before->state != PRB_POLICY_SETTLED && before->state != PRB_POLICY_FAILED;
}

void prb_policy_settle(struct prb_policy_run *run, struct prb_policy_item *item)
{
    if (item->state != PRB_POLICY_OPEN)
        return;
    if (has_to_wait(item)) {
        item->state = PRB_POLICY_WAITS;
        return;
    }
    if (item->template->type == PRB_MUST_HAVE && !(item->before && item->before->did))
        prb_policy_fresh(run, item);
    for (int try = 0; item->state == PRB_POLICY_OPEN && try < TRIES_MAX; try++)
        attempt(run, item, try);
}
