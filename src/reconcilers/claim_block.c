/*
 * Does the garbage collector wait for what is composed before it lets the composite go?
 *
 * It does where the reference to the composite says blockOwnerDeletion. Crossplane sets it since
 * 1.10; what is older, or was made by others, may lack it. Only the reference of the controller
 * that is proven by uid is changed, and only as it was seen.
 */

#include <stdio.h>

#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "claim_internal.h"

#define WHY "a composite that is deleted in the foreground waits for what it composed"

static void add_op(struct json_object *patch, const char *op, size_t index, const char *member,
        struct json_object *value_taken)
{
    char pointer[80];

    (void)snprintf(pointer, sizeof(pointer), "/metadata/ownerReferences/%zu/%s", index, member);
    prb_json_patch_add(patch, op, pointer, value_taken);
}

/* NULL: nothing to do. */
static struct json_object *make_patch(const struct prb_claim_node *node)
{
    const char *uid = prb_object_uid(node->owner);
    struct json_object *patch;
    struct prb_owner owner;
    size_t i = 0;

    while (prb_object_owner_at(node->object, i, &owner) &&
            !(owner.controller && prb_streq(owner.uid, uid)))
        i++;
    if (node->blocks || i == prb_object_owner_count(node->object))
        return NULL;
    patch = prb_json_patch_new();
    prb_json_patch_add(
            patch, "test", "/metadata/uid", json_object_new_string(prb_object_uid(node->object)));
    add_op(patch, "test", i, "uid", json_object_new_string(uid));
    add_op(patch, "test", i, "controller", json_object_new_boolean(true));
    add_op(patch, "add", i, "blockOwnerDeletion", json_object_new_boolean(true));
    return patch;
}

static bool add_change(const struct prb_claim_node *node, struct prb_changes *out)
{
    struct json_object *patch = make_patch(node);
    struct prb_ref ref;

    if (!patch)
        return false;
    if (!prb_object_ref_in(node->object, &node->known->gvr, &ref)) {
        prb_json_free(patch);
        return false;
    }
    prb_changes_json_patch(out, &ref, patch, NULL, WHY);
    return true;
}

void prb_claim_block(const struct prb_claim_tree *tree, struct prb_changes *out)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (add_change(&tree->nodes[i], out))
            prb_changes_set_slot(out, prb_object_uid(tree->nodes[i].object));
    }
}

struct prb_claim_block_result prb_claim_block_look(
        const struct prb_claim_tree *tree, const struct prb_view *view)
{
    struct prb_claim_block_result result = { .tried = 0 };

    for (size_t i = 0; i < tree->count; i++) {
        const struct prb_outcome *outcome =
                prb_view_outcome(view, prb_object_uid(tree->nodes[i].object));

        if (!outcome)
            continue;
        result.tried++;
        if (outcome->code == PRB_E_CONFLICT)
            result.lost++;
        else if (outcome->code != PRB_OK && outcome->code != PRB_E_NOTFOUND && !result.error)
            result.error = outcome->err;
    }
    return result;
}
