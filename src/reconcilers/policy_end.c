/*
 * What goes with a policy that is being deleted?
 *
 * All that it has recorded, as spec.pruneObjectBehavior says now, if it enforces now; then its
 * finalizer. The policy is read again before, since it may have been told to spare them in the last
 * moment. And so is the definition of its kind: when ConfigurationPolicies as such are being
 * removed, all of them are deleted, and that must prune nothing.
 */

#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/model/names.h"
#include "probate/model/patch.h"

#include "policy_internal.h"

#define SLOT_CRD "crd"
#define SLOT_LET_GO "let go"

#define CRD_NAME "configurationpolicies." PRB_POLICY_GROUP

static const struct prb_gvr definitions = { "apiextensions.k8s.io", "v1",
    "customresourcedefinitions" };

static void retry(struct prb_policy_run *run)
{
    prb_changes_retry(run->out, PRB_POLICY_RETRY_MIN_MS, PRB_POLICY_RETRY_MAX_MS);
}

/* ---- the finalizer ---- */

static void take_finalizer(struct prb_policy_run *run, const char *why)
{
    struct json_object *patch = prb_patch_remove_finalizer(run->now, PRB_POLICY_FINALIZER);

    if (!patch)
        return;

    /* Only on the record that was worked off: one that has grown meanwhile has to be looked at. */
    prb_json_patch_add(patch, "test", "/metadata/resourceVersion",
            json_object_new_string(prb_object_resource_version(run->now)));
    prb_changes_json_patch(run->out, &run->key, patch, NULL, why);
    run->out->items[run->out->count - 1].absent_is_done = true;
    prb_changes_set_slot(run->out, SLOT_LET_GO);
    prb_changes_go_on(run->out);
}

static void let_go(struct prb_policy_run *run, const char *why)
{
    const struct prb_outcome *outcome = prb_view_outcome(run->view, SLOT_LET_GO);

    if (!outcome) {
        take_finalizer(run, why);
        return;
    }
    if (outcome->code == PRB_OK)
        return; /* its end is told by the cache */
    if (outcome->code != PRB_E_CONFLICT)
        prb_changes_wait(run->out, "its finalizer cannot be removed: %s",
                outcome->err ? outcome->err->msg : "no answer");
    retry(run);
}

/* ---- what is asked before anything goes ---- */

enum standing { STANDS, ASKED, UNKNOWN, IS_GONE, KIND_GOES };

static void look(struct prb_policy_run *run)
{
    struct prb_ref crd;

    if (prb_ref_init(&crd, &definitions, NULL, CRD_NAME))
        prb_changes_read(run->out, &crd, SLOT_CRD, "is its kind being removed?");
    prb_changes_read(run->out, &run->key, PRB_POLICY_SLOT_SELF, "is the policy still so?");
    prb_changes_go_on(run->out);
}

static enum standing unknown(
        struct prb_policy_run *run, const char *what, const struct prb_outcome *outcome)
{
    prb_changes_wait(run->out, "nothing is pruned: %s could not be read: %s", what,
            outcome->err ? outcome->err->msg : "no answer");
    retry(run);
    return UNKNOWN;
}

/* Is its kind being removed, or was it, and is back? A definition whose finalizer somebody takes
 * off leaves its objects behind, deleted as they are, until it is made again. */
static bool is_leaving(const struct prb_policy_run *run, const struct prb_object *crd)
{
    return prb_object_is_deleting(crd) ||
           prb_object_created_at_ms(crd) > prb_object_deleted_at_ms(run->now);
}

/* Read in this order: whose kind has no definition, though the policy itself is there after that,
 * is served in some other way. */
static enum standing ask(struct prb_policy_run *run)
{
    const struct prb_outcome *crd = prb_view_outcome(run->view, SLOT_CRD);
    const struct prb_outcome *self = prb_view_outcome(run->view, PRB_POLICY_SLOT_SELF);

    if (!crd || !self) {
        look(run);
        return ASKED;
    }
    if (self->code == PRB_E_NOTFOUND ||
            (self->object && !prb_streq(prb_object_uid(self->object), prb_object_uid(run->object))))
        return IS_GONE;
    if (self->code != PRB_OK || !self->object)
        return unknown(run, "the policy", self);
    if (crd->code == PRB_OK && crd->object && is_leaving(run, crd->object))
        return KIND_GOES;
    if (crd->code != PRB_OK && crd->code != PRB_E_NOTFOUND)
        return unknown(run, "CustomResourceDefinition " CRD_NAME, crd);
    return STANDS;
}

/* ---- what is left ---- */

/* "deleted at ...; 1 of 2 related objects is left: ...; left behind: ..." False: nothing is left of
 * either sort. */
static bool describe(const struct prb_policy_run *run, const struct prb_policy_removals *removals,
        struct prb_str *out)
{
    char since[PRB_TIME_SIZE];
    prb_auto(prb_str_done) struct prb_str spared;

    prb_str_init(&spared, PRB_POLICY_TEXT_MAX);
    prb_policy_describe_spared(run, removals, true, &spared);
    prb_time_format(prb_object_deleted_at_ms(run->now), since);
    prb_str_addf(out, "deleted at %s; ", since);
    if (prb_policy_removals_left(removals) > 0)
        prb_policy_removals_describe(removals, out);
    else
        prb_str_add(out, "nothing that it prunes is left");
    if (spared.len > 0)
        prb_str_addf(out, "; left behind: %s", prb_str_get(&spared));
    return prb_policy_removals_left(removals) > 0 || spared.len > 0;
}

/* True: the status has to be written first, which is done in this round. */
static bool tell(
        struct prb_policy_run *run, const struct prb_policy_removals *removals, const char *text)
{
    struct json_object *patch;

    if (prb_view_outcome(run->view, PRB_POLICY_SLOT_ENDING))
        return false;
    patch = prb_policy_status_ending(
            run, prb_policy_removals_failed(removals) ? PRB_REASON_LEFT : PRB_REASON_PRUNING, text);
    if (!patch)
        return false;
    prb_policy_tell(run, patch);
    prb_changes_merge_patch(run->out, &run->key, patch, "status",
            prb_object_resource_version(run->now), "what is left of it");
    prb_changes_set_slot(run->out, PRB_POLICY_SLOT_ENDING);
    prb_changes_go_on(run->out);
    return true;
}

/* What cannot be written, other than because somebody was faster, holds up no end. */
static bool may_go(const struct prb_policy_run *run)
{
    const struct prb_outcome *outcome = prb_view_outcome(run->view, PRB_POLICY_SLOT_ENDING);

    return !outcome || outcome->code != PRB_E_CONFLICT;
}

/* What it prunes is gone. What it leaves behind is told before it goes. */
static void finish(struct prb_policy_run *run)
{
    if (may_go(run))
        let_go(run, "nothing that it prunes is left");
    else
        retry(run);
}

static void prune(struct prb_policy_run *run)
{
    prb_auto(prb_policy_removals_done) struct prb_policy_removals removals = { .count = 0 };
    size_t count;
    prb_autofree const struct json_object **entries = prb_policy_left(run, &count);
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_POLICY_TEXT_MAX);
    if (prb_policy_remove(run, entries, count, &removals)) {
        prb_changes_go_on(run->out);
        return;
    }
    if (describe(run, &removals, &text) && tell(run, &removals, prb_str_get(&text)))
        return;
    if (prb_policy_removals_left(&removals) == 0) {
        finish(run);
        return;
    }
    prb_changes_wait(run->out, "%s", prb_str_get(&text));
    prb_policy_removals_again(&removals, run->out);
    prb_changes_remember(run->out, prb_policy_remember_gone(run, &removals));
}

/* It is going, and not ours to hold: what is deleting takes no finalizer any more. */
static void stand_by(struct prb_policy_run *run)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    prb_str_add(&text, "it is being deleted without our finalizer: nothing is pruned; held by ");
    prb_names_finalizers(&text, run->now);
    prb_changes_wait(run->out, "%s", prb_str_get(&text));
}

void prb_policy_end(struct prb_policy_run *run)
{
    if (!prb_object_has_finalizer(run->now, PRB_POLICY_FINALIZER)) {
        stand_by(run);
        return;
    }
    switch (ask(run)) {
    case ASKED:
    case UNKNOWN:
    case IS_GONE:
        return;
    case KIND_GOES:
        let_go(run, "its kind is being removed, or was: nothing is pruned");
        return;
    case STANDS:
        break;
    }
    if (prb_policy_prunes(&run->policy))
        prune(run);
    else
        let_go(run, "it prunes nothing");
}
