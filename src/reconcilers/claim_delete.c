/*
 * How does a composite go, that is there and its claim's to delete?
 *
 * In the background at once, and the claim with it. In the foreground not before all that it
 * composed lets the garbage collector wait for it; then the claim waits, too.
 */

#include "probate/base/str.h"

#include "claim_internal.h"

#define ORPHAN_FINALIZER "orphan"

/* Collections that are named are found and read within moments; ten times that, should the server
 * be slow. Then what is there goes without being seen, rather than not at all. */
#define PENDING_MAX_MS 30000
#define PENDING_AGAIN_MS 500

/* A garbage collector that does not know of what blocks (it looks for new kinds every 30 s) ends a
 * deletion in the foreground at once: asked again too soon, it would do so again. */
#define UPGRADE_EACH_MS 5000

static void delete_composite(const struct prb_claim_bond *bond, enum prb_propagation propagation,
        struct prb_changes *out)
{
    /* Unchanged, since what it is bound to decides. A second one, on what is going already, needs
     * not be: nothing is deleted by it that would stay otherwise. */
    if (prb_object_is_deleting(bond->composite))
        prb_changes_delete(out, &bond->ref, bond->composite, propagation,
                "its deletion is to wait for what it composed");
    else
        prb_changes_delete_unchanged(
                out, &bond->ref, bond->composite, propagation, "its claim is being deleted");
    prb_changes_set_slot(out, PRB_CLAIM_SLOT_DELETE);
    prb_changes_go_on(out);
}

static void delete_in_background(const struct prb_claim_bond *bond, struct prb_changes *out)
{
    const struct prb_outcome *deleted = prb_view_outcome(bond->a_case->view, PRB_CLAIM_SLOT_DELETE);

    if (deleted && deleted->code != PRB_OK)
        prb_claim_fail(bond->a_case, "cannot delete composite", deleted->err, out);
    else if (deleted || prb_object_is_deleting(bond->composite))
        prb_claim_let_go(bond->a_case, "it is being deleted in the background", out);
    else
        delete_composite(bond, PRB_PROPAGATE_BACKGROUND, out);
}

/* Is a deletion in the background to become one in the foreground? While there is something to wait
 * for: without that the garbage collector would end it at once, and so on for ever. */
static bool is_to_upgrade(const struct prb_claim_bond *bond, const struct prb_claim_tree *tree)
{
    const char *upgraded = prb_json_str(prb_view_memory(bond->a_case->view), PRB_CLAIM_UPGRADED);

    if (prb_object_has_finalizer(bond->composite, PRB_CLAIM_IN_FOREGROUND) ||
            prb_object_has_finalizer(bond->composite, ORPHAN_FINALIZER))
        return false;
    if (tree->blocking > 0)
        return true;
    return (tree->unread > 0 || tree->more) &&
           !prb_streq(upgraded, prb_object_uid(bond->composite));
}

/* In how many ms, if we did so a moment ago; 0: now. */
static int64_t until_upgrade_ms(const struct prb_claim_bond *bond)
{
    const struct json_object *memory = prb_view_memory(bond->a_case->view);
    int64_t passed_ms, at_ms;

    if (!prb_json_int(memory, PRB_CLAIM_UPGRADED_AT, &at_ms) ||
            !prb_streq(prb_json_str(memory, PRB_CLAIM_UPGRADED), prb_object_uid(bond->composite)))
        return 0;
    passed_ms = prb_view_now_ms(bond->a_case->view) - at_ms;
    return passed_ms >= 0 && passed_ms < UPGRADE_EACH_MS ? UPGRADE_EACH_MS - passed_ms : 0;
}

static void upgrade(const struct prb_claim_bond *bond, const struct prb_claim_tree *tree,
        struct prb_changes *out)
{
    int64_t wait_ms = until_upgrade_ms(bond);

    if (wait_ms == 0) {
        delete_composite(bond, PRB_PROPAGATE_FOREGROUND, out);
        return;
    }
    prb_claim_hold(bond->a_case, bond->composite, tree, out);
    prb_changes_again(out, wait_ms);
}

/* Somebody takes it off again: who goes on now does not wait for that one. */
static void tell_undone(const struct prb_claim_bond *bond, const struct prb_claim_node *undone,
        struct prb_changes *out)
{
    struct prb_error err;

    (void)prb_fail(&err, PRB_E_INVALID,
            "somebody takes blockOwnerDeletion off again from %s %s, which would not be waited for "
            "then. Stop who does, or do not wait: spec.compositeDeletePolicy Background",
            undone->known->kind, prb_object_name(undone->object));
    prb_claim_fail(bond->a_case, "cannot delete composite", &err, out);
}

static bool do_all_block(const struct prb_claim_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (!tree->nodes[i].blocks)
            return false;
    }
    return true;
}

/* An object that nobody looked at may not block: the composite is not deleted as if all did. */
static void tell_more(const struct prb_claim_bond *bond, const struct prb_claim_tree *tree,
        struct prb_changes *out)
{
    struct prb_error err;

    (void)prb_fail(&err, PRB_E_INVALID,
            "so much is below it that not all of it could be looked at, and some of that may not "
            "be waited for%s%s%s. Delete a part of it before, or do not wait: "
            "spec.compositeDeletePolicy Background",
            tree->unread > 0 ? " (" : "", tree->unread_what, tree->unread > 0 ? ")" : "");
    prb_claim_fail(bond->a_case, "cannot delete composite", &err, out);
}

/* The garbage collector hears of it when we do: the watch brings us back. */
static void await_blocks(const struct prb_claim_bond *bond, struct prb_changes *out)
{
    prb_changes_wait(out, "everything that composite %s composed to block its deletion",
            bond->a_case->composite);
    prb_changes_retry(out, PRB_CLAIM_RETRY_MIN_MS, PRB_CLAIM_RETRY_MAX_MS);
}

/* Are there references that do not block yet? Then they are seen to first: true. */
static bool let_block(const struct prb_claim_bond *bond, const struct prb_claim_tree *tree,
        struct prb_changes *out)
{
    const struct prb_view *view = bond->a_case->view;
    struct prb_claim_block_result result = prb_claim_block_look(tree, view);
    const struct prb_claim_node *undone = NULL;

    if ((tree->blocking == tree->total && !tree->more) ||
            prb_claim_is_circular(view, bond->composite))
        return false;
    if (result.tried == 0 && prb_claim_block(tree, view, &undone, out) > 0) {
        prb_changes_go_on(out);
        return true;
    }
    if (result.tried > 0)
        prb_claim_block_remember(tree, view, out);
    if (result.error)
        prb_claim_fail(bond->a_case,
                "cannot set blockOwnerDeletion on what is composed by composite", result.error,
                out);
    else if (undone)
        tell_undone(bond, undone, out);
    else if (do_all_block(tree))
        tell_more(bond, tree, out);
    else
        await_blocks(bond, out);
    return true;
}

/* Is something not read yet, after a start say, that may be in a moment? Then it is awaited, but
 * not for ever: true. */
static bool await_pending(const struct prb_claim_bond *bond, const struct prb_claim_tree *tree,
        struct prb_changes *out)
{
    const struct json_object *before = prb_view_memory(bond->a_case->view);
    int64_t now_ms = prb_view_now_ms(bond->a_case->view), since_ms = now_ms;
    struct json_object *memory;

    (void)prb_json_int(before, PRB_CLAIM_PENDING, &since_ms);
    if (tree->pending == 0 || now_ms - since_ms > PENDING_MAX_MS)
        return false;
    memory = before ? prb_json_copy(before) : json_object_new_object();
    prb_json_set_int(memory, PRB_CLAIM_PENDING, since_ms);
    prb_changes_remember(out, memory);
    prb_changes_wait(out, "%zu kind%s that composite %s is made of %s not read yet: %s",
            tree->pending, tree->pending == 1 ? "" : "s", bond->a_case->composite,
            tree->pending == 1 ? "is" : "are", tree->unread_what);
    prb_changes_again(out, PENDING_AGAIN_MS);
    return true;
}

static void delete_in_foreground(const struct prb_claim_bond *bond, struct prb_changes *out)
{
    const struct prb_outcome *deleted = prb_view_outcome(bond->a_case->view, PRB_CLAIM_SLOT_DELETE);
    prb_auto(prb_claim_tree_done) struct prb_claim_tree tree = { .count = 0 };

    prb_claim_tree_fill(&tree, bond->a_case->view, bond->composite, true);
    if (deleted) {
        if (deleted->code == PRB_OK)
            prb_claim_hold(bond->a_case, bond->composite, &tree, out);
        else
            prb_claim_fail(bond->a_case, "cannot delete composite", deleted->err, out);
        return;
    }
    if (await_pending(bond, &tree, out))
        return;
    if (!prb_object_is_deleting(bond->composite)) {
        if (!let_block(bond, &tree, out))
            delete_composite(bond, PRB_PROPAGATE_FOREGROUND, out);
        return;
    }
    if (is_to_upgrade(bond, &tree))
        upgrade(bond, &tree, out);
    else
        prb_claim_hold(bond->a_case, bond->composite, &tree, out);
}

void prb_claim_delete(const struct prb_claim_bond *bond, bool foreground, struct prb_changes *out)
{
    if (foreground)
        delete_in_foreground(bond, out);
    else
        delete_in_background(bond, out);
}
