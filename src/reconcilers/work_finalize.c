/*
 * What goes with an AppliedManifestWork that is being deleted?
 *
 * Whoever has deleted it: everything on its record, by the one path, but for what the work spares
 * that is there now, if one is, and for what the orphan settings on record spare; then its
 * finalizer. A work that lives is applied anew after that. The hub
 * is asked first: while nobody can tell what the work says, nothing goes.
 */

#include "probate/base/str.h"
#include "probate/model/names.h"
#include "probate/model/patch.h"

#include "work_remove.h"

/* In what is remembered of a pass. */
#define KNOWN "removed"
#define KNOWN_OF "removedOf"

#define LET_GO_SLOT "let what it recorded go"

/* Only on the record that was worked off: one that has grown meanwhile has to be looked at. */
static void take_finalizer(struct prb_pair *pair)
{
    struct json_object *patch = prb_patch_remove_finalizer(pair->applied, PRB_APPLIED_FINALIZER);

    prb_json_patch_add(patch, "test", "/metadata/resourceVersion",
            json_object_new_string(prb_object_resource_version(pair->applied)));
    prb_changes_json_patch(
            pair->out, &pair->applied_ref, patch, NULL, "nothing that it recorded is left");
    pair->out->items[pair->out->count - 1].absent_is_done = true;
    prb_changes_set_slot(pair->out, LET_GO_SLOT);
    prb_changes_go_on(pair->out);
}

static void tell_refused(struct prb_pair *pair, const struct prb_outcome *outcome)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    prb_str_addf(&text, "the finalizer of AppliedManifestWork %s cannot be removed: %s",
            pair->applied_ref.name, outcome->err ? outcome->err->msg : "no answer");
    prb_pair_tell(pair, prb_str_get(&text));
}

static void let_go(struct prb_pair *pair, const struct prb_removals *removals)
{
    const struct prb_outcome *outcome = prb_view_outcome(pair->view, LET_GO_SLOT);

    if (!outcome) {
        prb_pair_tell_unowned(pair, &pair->applied_ref, pair->applied, removals);
        take_finalizer(pair);
        return;
    }
    if (outcome->code != PRB_OK && outcome->code != PRB_E_CONFLICT)
        tell_refused(pair, outcome);

    /* Its end is told by the cache. */
    prb_changes_retry(pair->out, PRB_WORK_RETRY_MIN_MS, PRB_WORK_RETRY_MAX_MS);
}

/* What an earlier pass over this very AppliedManifestWork has seen done. */
static const struct json_object *known_of(const struct prb_pair *pair)
{
    const struct json_object *memory = prb_view_memory(pair->view);

    return prb_streq(prb_json_str(memory, KNOWN_OF), prb_object_uid(pair->applied))
                   ? prb_json_obj(memory, KNOWN)
                   : NULL;
}

static void remember(struct prb_pair *pair, const struct prb_removals *removals)
{
    struct json_object *memory = json_object_new_object();

    prb_json_set_str(memory, KNOWN_OF, prb_object_uid(pair->applied));
    prb_json_set(memory, KNOWN, prb_removals_remember(removals));
    prb_changes_remember(pair->out, memory);
}

/* A deleting work is aligned here, too: it may have been deleted after its AppliedManifestWork. */
static bool is_ending(const struct prb_pair *pair)
{
    return pair->work && prb_object_is_deleting(pair->work) &&
           prb_object_has_finalizer(pair->work, PRB_WORK_FINALIZER);
}

static void remove_recorded(struct prb_pair *pair, const struct prb_manifest_work *work)
{
    prb_auto(prb_removals_done) struct prb_removals removals = { .count = 0 };
    prb_autofree struct prb_applied_entry *entries = NULL;
    prb_auto(prb_orphans_done) struct prb_orphans orphans;
    struct prb_removal_plan plan = {
        .work = work, .ends = is_ending(pair), .known = known_of(pair)
    };
    size_t first = 0;

    prb_orphans_read(pair->applied, &orphans);
    plan.recorded = orphans.any ? &orphans.work : NULL;
    entries = prb_removal_entries(pair->applied, work, &plan.count);
    plan.entries = entries;
    prb_removals_run(pair, &plan, &removals);
    if (prb_removals_in(&removals, PRB_REMOVAL_ASKED) > 0) {
        prb_changes_go_on(pair->out);
        return;
    }
    if (prb_removals_in(&removals, PRB_REMOVAL_DONE) == removals.count &&
            prb_applied_malformed(pair->applied, &first) == 0) {
        let_go(pair, &removals);
        return;
    }
    prb_pair_tell_left(pair, &removals,
            pair->work && !prb_object_is_deleting(pair->work)
                    ? "its AppliedManifestWork was deleted on the cluster; it is applied anew when "
                      "what was recorded is gone; "
                    : "");
    remember(pair, &removals);
}

/* It is going, and not ours to help or hold. */
static void stand_by(struct prb_pair *pair, const char *why)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    prb_str_addf(&text, "AppliedManifestWork %s is being deleted%s", pair->applied_ref.name, why);
    if (prb_object_finalizer_count(pair->applied) > 0)
        prb_str_add(&text, ", held by ");
    prb_names_finalizers(&text, pair->applied);
    if (pair->work)
        prb_pair_tell(pair, prb_str_get(&text));
    else
        prb_changes_wait(pair->out, "%s", prb_str_get(&text));
}

void prb_work_finalize(struct prb_pair *pair)
{
    prb_auto(prb_manifest_work_done) struct prb_manifest_work work = { .count = 0 };

    if (prb_pair_ask_hub(pair) != PRB_ASKED_KNOWN)
        return;

    /* Who takes the finalizer off wants what it has brought to stay. */
    if (!prb_object_has_finalizer(pair->applied, PRB_APPLIED_FINALIZER)) {
        stand_by(pair, " without our finalizer: nothing is removed");
        return;
    }
    if (prb_work_is_foreign(pair) && (!pair->work || prb_object_is_deleting(pair->work))) {
        stand_by(pair, ", and belongs to another agent");
        return;
    }
    if (pair->work)
        prb_manifest_work_read(pair->work, &work);

    /* It could not be applied anew. */
    if (work.has_executor && !prb_object_is_deleting(pair->work)) {
        stand_by(
                pair, ", and its work has an executor, which is not supported: nothing is removed");
        return;
    }
    remove_recorded(pair, pair->work ? &work : NULL);
}
