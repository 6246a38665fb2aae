/* Is a recorded resource still there, and what does it look like? */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "work_remove_run.h"

/* The reason of a NOTFOUND that means the kind, not an object. */
#define NOT_SERVED "NotServed"

void prb_removal_fail(struct prb_removal_step *step, const struct prb_error *err, const char *why)
{
    step->removal->state = PRB_REMOVAL_FAILED;
    step->removal->err = err;
    step->removal->defect = why;
}

bool prb_removal_is_absent(const struct prb_outcome *outcome)
{
    return outcome->code == PRB_E_NOTFOUND && outcome->err &&
           !prb_streq(outcome->err->reason, NOT_SERVED);
}

static struct prb_removal_slot find_slot(
        struct prb_removal_run *run, struct prb_removal_step *step, char *name_taken)
{
    struct prb_removal_slot slot = { .name = name_taken,
        .outcome = prb_view_outcome(run->pair->view, name_taken) };

    if (slot.outcome)
        return slot;
    step->removal->state = PRB_REMOVAL_ASKED;
    run->asked = true;

    /* Entries may be of one kind, or name one object twice. */
    slot.ask = !prb_map_find(run->slots, name_taken);
    prb_map_set(run->slots, name_taken, run);
    return slot;
}

struct prb_removal_slot prb_removal_slot(
        struct prb_removal_run *run, struct prb_removal_step *step, const char *verb)
{
    return find_slot(run, step, prb_asprintf("remove %s %s", verb, step->key));
}

/* Is there an entry for this resource, by its own name? */
static bool is_recorded(const struct prb_removal_plan *plan, const struct prb_applied_entry *entry)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct prb_applied_entry *other = &plan->entries[i];

        if (!other->by_kind && prb_streq(other->name, entry->name) &&
                prb_streq(other->resource, entry->resource) &&
                prb_streq(other->group, entry->group) &&
                prb_streq(other->namespace, entry->namespace))
            return true;
    }
    return false;
}

/* From now on the entry has the names that the server goes by. */
static void name_manifest(struct prb_removal_step *step)
{
    struct prb_applied_entry *entry = &step->removal->entry;

    entry->resource = step->kind->gvr.resource;
    if (!step->kind->namespaced)
        entry->namespace = "";
}

/* A manifest that is on record is looked at as such; one that lacks its namespace was never
 * applied. */
static bool is_settled(const struct prb_removal_run *run, const struct prb_removal_step *step)
{
    const struct prb_applied_entry *entry = &step->removal->entry;

    return entry->by_kind && ((step->kind->namespaced && entry->namespace[0] == '\0') ||
                                     is_recorded(run->plan, entry));
}

static bool is_known(const struct prb_removal_run *run, const struct prb_removal_step *step)
{
    const struct json_object *known = prb_json_obj(run->plan->known, step->key);
    const char *uid = prb_json_str(known, PRB_KNOWN_UID);

    if (!uid || !prb_streq(uid, step->removal->entry.uid))
        return false;
    (void)prb_json_bool(known, PRB_KNOWN_UNOWNED, &step->removal->unowned);
    return true;
}

/* A GET on a URL of the wrong scope, or of another kind, would read as "gone". */
static const char *find_misfit(const struct prb_removal_step *step)
{
    const struct prb_applied_entry *entry = &step->removal->entry;

    if (!prb_streq(entry->resource, step->kind->gvr.resource))
        return "its recorded resource is by now another name of some other kind";
    if (step->kind->namespaced != (entry->namespace[0] != '\0'))
        return step->kind->namespaced ? "it is recorded without the namespace that its kind needs"
                                      : "it is recorded with a namespace, which its kind has not";
    return NULL;
}

/* `kind` is there: whose object is it, and must it be looked at? */
static bool name_object(struct prb_removal_run *run, struct prb_removal_step *step)
{
    struct prb_removal *removal = step->removal;

    if (removal->entry.by_kind)
        name_manifest(step);
    step->key = prb_applied_entry_key(&removal->entry);
    if (is_settled(run, step) || is_known(run, step)) {
        removal->state = PRB_REMOVAL_DONE;
        return false;
    }
    if (find_misfit(step) || !prb_ref_init(&step->ref, &step->kind->gvr, removal->entry.namespace,
                                     removal->entry.name)) {
        prb_removal_fail(step, NULL, find_misfit(step));
        return false;
    }
    return true;
}

/* The kind of a manifest may have any letter in it, dots too; a group has no slash. */
bool prb_removal_find_kind(struct prb_removal_run *run, struct prb_removal_step *step)
{
    const struct prb_applied_entry *entry = &step->removal->entry;
    struct prb_removal_slot slot =
            find_slot(run, step, prb_asprintf("remove kind %s/%s", entry->group, entry->resource));
    prb_autofree char *name = slot.name;

    /* A manifest that is not on record was hardly ever applied: its kind is not waited for. */
    if (slot.ask && entry->by_kind)
        prb_changes_resolve(run->pair->out, entry->group, entry->resource, name);
    else if (slot.ask)
        prb_changes_resolve_surely(run->pair->out, entry->group, entry->resource, name);
    if (!slot.outcome)
        return false;
    if (slot.outcome->code == PRB_OK && slot.outcome->resource) {
        step->kind = slot.outcome->resource;
        return name_object(run, step);
    }
    if (slot.outcome->code == PRB_E_NOTFOUND) {
        step->removal->state = PRB_REMOVAL_DONE;
        step->removal->not_served = true;
    } else {
        prb_removal_fail(step, slot.outcome->err, "its kind could not be found out");
    }
    return false;
}

/*
 * What a cache has of it, if that is enough to go by; NULL: the server has to be asked. One that
 * has seen it going is right for ever: it cannot come back but as another, and its end will be
 * told. And a DELETE goes through only on the very version that was judged, so that it does not
 * matter who has that from where. That it is gone, or not ours, is for the server to say.
 */
static const struct prb_object *find_cached(
        const struct prb_removal_run *run, const struct prb_removal_step *step)
{
    const struct prb_object *seen;
    enum prb_removal_verdict verdict;

    if (run->plan->align_only || !prb_view_knows(run->pair->view, &step->kind->gvr))
        return NULL;
    seen = prb_view_find(run->pair->view, &step->ref);
    if (!seen || prb_object_uid(seen)[0] == '\0' || prb_object_resource_version(seen)[0] == '\0')
        return NULL;
    verdict = prb_removal_ask(run, step, seen);
    return verdict == PRB_VERDICT_AWAIT || verdict == PRB_VERDICT_DELETE ? seen : NULL;
}

bool prb_removal_look(struct prb_removal_run *run, struct prb_removal_step *step)
{
    const struct prb_outcome *outcome;

    step->removal->live = find_cached(run, step);
    if (step->removal->live)
        return true;

    struct prb_removal_slot slot = prb_removal_slot(run, step, "get");
    prb_autofree char *name = slot.name;

    if (slot.ask)
        prb_changes_read(run->pair->out, &step->ref, name, "it is to be removed");
    outcome = slot.outcome;
    if (!outcome)
        return false;
    if (prb_removal_is_absent(outcome)) {
        step->removal->state = PRB_REMOVAL_DONE;
    } else if (outcome->code != PRB_OK || !outcome->object) {
        prb_removal_fail(step, outcome->err, "it could not be read");
    } else if (prb_object_uid(outcome->object)[0] == '\0') {
        prb_removal_fail(step, NULL, "the server did not tell its uid");
    } else {
        step->removal->live = outcome->object;
        return true;
    }
    return false;
}
