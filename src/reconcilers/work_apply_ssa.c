/*
 * What is written under ServerSideApply?
 *
 * Two works may share a manager, and a manager that leaves a field out of what it applies gives it
 * up: so references are applied on their own, by a manager that each AppliedManifestWork has for
 * itself. What is not there yet is first applied whole by that one, with the reference, so that it
 * is never there without; then by the manager that was asked for; and only when that has the fields
 * too, the first one lets go of all but the reference.
 */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "work_apply.h"

#define MANAGER "work-agent"

/* One of the applies that an item may need, in the order in which they are taken. */
struct step {
    const char *name; /* static: of its slot */
    struct json_object *(*body)(const struct prb_pass *pass, const struct prb_item *item);
    bool ours; /* by the manager of the AppliedManifestWork */
};

static char *our_manager(const struct prb_pass *pass)
{
    return prb_asprintf("probate-%s", prb_object_uid(pass->pair->applied));
}

/* Only onto the object that was seen: an apply must not make it anew, unowned. */
static struct json_object *onto(const struct prb_item *item, struct json_object *body)
{
    if (item->live)
        prb_json_set_str(prb_json_obj(body, "metadata"), "uid", prb_object_uid(item->live));
    return body;
}

static struct json_object *content_body(const struct prb_pass *pass, const struct prb_item *item)
{
    (void)pass;
    return onto(item, prb_json_copy(item->body));
}

static struct json_object *reference_body(const struct prb_pass *pass, const struct prb_item *item)
{
    prb_auto(prb_json_free) struct json_object *whole = prb_item_new_body(pass, item);
    const struct json_object *from = prb_json_obj(whole, "metadata");
    struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");

    prb_json_set_str(body, "apiVersion", prb_json_str(whole, "apiVersion"));
    prb_json_set_str(body, "kind", prb_json_str(whole, "kind"));
    prb_json_set_str(metadata, "name", item->ref.name);
    if (item->ref.namespace[0] != '\0')
        prb_json_set_str(metadata, "namespace", item->ref.namespace);
    prb_json_set(
            metadata, "ownerReferences", prb_json_copy(prb_json_find(from, "ownerReferences")));
    return onto(item, body);
}

static const struct step step_make = { "make", prb_item_new_body, true };
static const struct step step_content = { "content", content_body, false };
static const struct step step_own = { "own", reference_body, true };

static void take(const struct prb_pass *pass, struct prb_item *item, const struct step *step,
        bool force, int try)
{
    prb_autofree char *slot = prb_item_slot(item, step->name, try);
    prb_autofree char *ours = our_manager(pass);
    const char *theirs = item->config->field_manager;

    prb_changes_apply(&item->asks, &item->ref, step->body(pass, item), NULL,
            step == &step_own ? "it is deleted with the work" : "a manifest of the work");
    if (step->ours)
        prb_changes_set_manager(&item->asks, ours, true);
    else
        prb_changes_set_manager(&item->asks, theirs[0] != '\0' ? theirs : MANAGER, force);
    prb_changes_set_slot(&item->asks, slot);
    item->state = PRB_ITEM_WRITES;
}

static const struct prb_outcome *outcome_of(
        const struct prb_pass *pass, const struct prb_item *item, const struct step *step, int try)
{
    prb_autofree char *slot = prb_item_slot(item, step->name, try);

    return prb_view_outcome(pass->pair->view, slot);
}

/* Has this step been taken, with success? Otherwise it is asked for, or the item has failed. */
static bool has_taken(const struct prb_pass *pass, struct prb_item *item, const struct step *step,
        bool force, int try)
{
    const struct prb_outcome *outcome = outcome_of(pass, item, step, try);

    if (!outcome) {
        take(pass, item, step, force, try);
        return false;
    }

    /* Without force a conflict is about the fields of others, and reading again cannot help. */
    return prb_apply_judge(item, outcome, try == 0 && (force || step->ours));
}

/* ---- what is not there ---- */

static void make(const struct prb_pass *pass, struct prb_item *item, int try)
{
    item->creates = !outcome_of(pass, item, item->owned ? &step_make : &step_content, try);
    if (!item->owned) {
        if (has_taken(pass, item, &step_content, item->config->force, try))
            item->state = PRB_ITEM_DONE;
        return;
    }

    /* Forced: the only other manager is ours, and it is about to let go. */
    if (has_taken(pass, item, &step_make, true, try) &&
            has_taken(pass, item, &step_content, true, try) &&
            has_taken(pass, item, &step_own, true, try))
        item->state = PRB_ITEM_DONE;
}

/* ---- what is there ---- */

static const struct json_object *fields_of(const struct prb_object *live, const char *manager)
{
    const struct json_object *list = prb_json_arr(prb_object_metadata(live), "managedFields");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *entry = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(entry, "manager"), manager) &&
                prb_streq(prb_json_str(entry, "operation"), "Apply"))
            return prb_json_obj(entry, "fieldsV1");
    }
    return NULL;
}

/* Does our manager still hold more than the reference? Whoever made it was stopped half-way. */
static bool holds_content(const struct prb_pass *pass, const struct prb_item *item)
{
    prb_autofree char *ours = our_manager(pass);
    const struct json_object *fields = fields_of(item->live, ours);
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    while (prb_json_next(fields, &at, &started, &key, &value)) {
        if (!prb_streq(key, "f:metadata"))
            return true;
    }
    started = false;
    fields = prb_json_obj(fields, "f:metadata");
    while (prb_json_next(fields, &at, &started, &key, &value)) {
        if (!prb_streq(key, "f:ownerReferences"))
            return true;
    }
    return false;
}

/* Our reference goes by a patch of its own: applying nothing would do only where we applied it. */
static bool has_disowned(const struct prb_pass *pass, struct prb_item *item, int try)
{
    struct prb_owner owner = prb_work_owner(pass->pair);
    prb_autofree char *slot = prb_item_slot(item, "disown", try);
    const struct prb_outcome *outcome = prb_view_outcome(pass->pair->view, slot);

    if (outcome)
        return prb_apply_judge(item, outcome, try == 0);
    prb_changes_remove_owner(
            &item->asks, &item->ref, item->live, &owner, "it stays when the work goes");
    if (item->asks.count == 0)
        return true;
    prb_changes_set_slot(&item->asks, slot);
    item->state = PRB_ITEM_WRITES;
    return false;
}

/* Exactly as it should be, as the pure patch sees it. */
static bool has_reference(const struct prb_pass *pass, const struct prb_item *item)
{
    struct prb_owner owner = prb_work_owner(pass->pair);
    prb_auto(prb_json_free) struct json_object *patch = prb_patch_add_owner(item->live, &owner);

    return patch == NULL;
}

/* Has another apply of the same nothing to change? */
static bool has_content(const struct prb_pass *pass, const struct prb_item *item)
{
    return prb_apply_remembered(pass, item) &&
           (prb_manifest_contains(prb_object_tree(item->live), item->body) ||
                   prb_apply_is_as_left(pass, item));
}

static void keep(const struct prb_pass *pass, struct prb_item *item, int try)
{
    bool half = holds_content(pass, item);
    bool force = item->config->force || half;
    bool owns = item->owned && (half || !has_reference(pass, item));
    bool content = half || !has_content(pass, item);

    /* The reference first: that others hold fields is no reason to leave it as it is. */
    if (!item->owned && !has_disowned(pass, item, try))
        return;
    if (owns && !half && !has_taken(pass, item, &step_own, true, try))
        return;
    if (content && !has_taken(pass, item, &step_content, force, try))
        return;
    if (owns && half && !has_taken(pass, item, &step_own, true, try))
        return;
    item->state = PRB_ITEM_DONE;
}

void prb_apply_ssa(const struct prb_pass *pass, struct prb_item *item, int try)
{
    if (item->seen == PRB_SEEN_ABSENT)
        make(pass, item, try);
    else
        keep(pass, item, try);
}
