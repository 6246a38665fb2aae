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

/* A reference that was let block, or may not be, is not tried again before that. Somebody who takes
 * the flag off each time it is set (Crossplane before 1.10 writes references without) would
 * otherwise be answered as fast as both can write. */
#define AGAIN_MS 30000

/* By then a watch has told of what was written, as a rule. */
#define SEEN_MS 2000

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

/* What is remembered of a node; 0: nothing. */
static int64_t tried_at(const struct prb_view *view, const struct prb_claim_node *node)
{
    int64_t at_ms = 0;

    (void)prb_json_int(prb_json_obj(prb_view_memory(view), PRB_CLAIM_BLOCKED),
            prb_object_uid(node->object), &at_ms);
    return at_ms;
}

/* How long it was tried ago; below 0: not, or by a clock that was ahead. */
static int64_t tried_ago(const struct prb_view *view, const struct prb_claim_node *node)
{
    int64_t at_ms = tried_at(view, node);

    return at_ms == 0 ? -1 : prb_view_now_ms(view) - (at_ms < 0 ? -at_ms : at_ms);
}

size_t prb_claim_block(const struct prb_claim_tree *tree, const struct prb_view *view,
        const struct prb_claim_node **ret_undone, struct prb_changes *out)
{
    size_t added = 0;

    *ret_undone = NULL;
    for (size_t i = 0; i < tree->count; i++) {
        const struct prb_claim_node *node = &tree->nodes[i];
        int64_t ago_ms = node->blocks ? -1 : tried_ago(view, node);

        if (ago_ms >= 0 && ago_ms < AGAIN_MS) {
            prb_changes_again(out, AGAIN_MS - ago_ms);
            if (!*ret_undone && tried_at(view, node) > 0 && ago_ms >= SEEN_MS)
                *ret_undone = node;
        } else if (add_change(node, out)) {
            prb_changes_set_slot(out, prb_object_uid(node->object));
            added++;
        }
    }
    return added;
}

/* Who lost to another is tried again soon, and who is gone never. */
static int64_t remembered(const struct prb_view *view, const struct prb_claim_node *node)
{
    const struct prb_outcome *outcome = prb_view_outcome(view, prb_object_uid(node->object));

    if (!outcome || outcome->code == PRB_E_CONFLICT || outcome->code == PRB_E_NOTFOUND)
        return tried_at(view, node);
    return outcome->code == PRB_OK ? prb_view_now_ms(view) : -prb_view_now_ms(view);
}

void prb_claim_block_remember(
        const struct prb_claim_tree *tree, const struct prb_view *view, struct prb_changes *out)
{
    const struct json_object *before = prb_view_memory(view);
    struct json_object *memory = before ? prb_json_copy(before) : json_object_new_object();
    struct json_object *blocked = json_object_new_object();

    for (size_t i = 0; i < tree->count; i++) {
        int64_t at_ms = remembered(view, &tree->nodes[i]);

        if (at_ms != 0)
            prb_json_set_int(blocked, prb_object_uid(tree->nodes[i].object), at_ms);
    }
    prb_json_set(memory, PRB_CLAIM_BLOCKED, blocked);
    prb_changes_remember(out, memory);
    prb_changes_again(out, AGAIN_MS); /* some may have been left for later */
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
