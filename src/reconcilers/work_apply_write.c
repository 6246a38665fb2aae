/* What is written under Update and under CreateOnly? */

#include "probate/model/patch.h"

#include "work_apply.h"

static struct json_object *owner_json(const struct prb_owner *owner)
{
    struct json_object *made = json_object_new_object();

    prb_json_set_str(made, "apiVersion", owner->api_version);
    prb_json_set_str(made, "kind", owner->kind);
    prb_json_set_str(made, "name", owner->name);
    prb_json_set_str(made, "uid", owner->uid);
    return made;
}

struct json_object *prb_item_new_body(const struct prb_pass *pass, const struct prb_item *item)
{
    struct json_object *body = prb_json_copy(item->body);
    struct prb_owner owner = prb_work_owner(pass->pair);
    struct json_object *owners;

    if (item->owned) {
        owners = json_object_new_array();
        prb_json_push(owners, owner_json(&owner));
        prb_json_set(prb_json_obj(body, "metadata"), "ownerReferences", owners);
    }
    return body;
}

static void create(const struct prb_pass *pass, struct prb_item *item)
{
    prb_changes_create(
            &item->asks, &item->ref, prb_item_new_body(pass, item), "a manifest of the work");
}

/* Nothing but our reference. */
static void own(const struct prb_pass *pass, struct prb_item *item)
{
    struct prb_owner owner = prb_work_owner(pass->pair);

    if (item->owned)
        prb_changes_add_owner(
                &item->asks, &item->ref, item->live, &owner, "it is deleted with the work");
    else
        prb_changes_remove_owner(
                &item->asks, &item->ref, item->live, &owner, "it stays when the work goes");
}

/* The merged object with its references as they should be. */
static struct json_object *with_owner(
        const struct prb_pass *pass, const struct prb_item *item, struct json_object *merged_taken)
{
    prb_auto(prb_json_free) struct json_object *merged = merged_taken;
    struct prb_owner owner = prb_work_owner(pass->pair);
    prb_auto(prb_json_free) struct json_object *patch =
            item->owned ? prb_patch_add_owner(item->live, &owner)
                        : prb_patch_remove_owner(item->live, &owner);
    struct json_object *owned;
    struct prb_error err;

    if (!patch || prb_json_patch(merged, patch, &owned, &err) != 0)
        return prb_take(merged);
    return owned;
}

void prb_apply_create_only(const struct prb_pass *pass, struct prb_item *item)
{
    if (item->seen == PRB_SEEN_ABSENT)
        create(pass, item);
    else
        own(pass, item);
}

void prb_apply_update(const struct prb_pass *pass, struct prb_item *item)
{
    prb_auto(prb_json_free) struct json_object *merged = NULL;

    if (item->seen == PRB_SEEN_ABSENT) {
        create(pass, item);
        return;
    }
    merged = prb_manifest_merge(item->body, item->live);

    /* Servers write some values in another way ("1000m" becomes "1"): what our last write has left
     * is not written again. */
    if (prb_manifest_contains(prb_object_tree(item->live), merged) ||
            prb_apply_is_as_left(pass, item))
        own(pass, item);
    else
        prb_changes_update(&item->asks, &item->ref, with_owner(pass, item, prb_take(merged)),
                "a manifest of the work");
}
