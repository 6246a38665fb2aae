/*
 * How does a claim go, and its composite before it?
 *
 * Nothing that cannot be undone is decided on a cache: claim and composite are read live, in
 * rounds of one pass, before the composite is deleted or the claim let go. The composite is deleted
 * only when it is of the kind that the claim's definition names, and bound to this claim or to
 * none: a claim may name anything.
 *
 *     round 1  read the claim             slot "claim"
 *     round 2  which resource is the kind that it names?      "kind"
 *     round 3  read the composite         "composite"
 *     round 4  let what is composed block it (claim_block.c), or delete it     "delete"
 *     round 5  say what came of it, or let the claim go
 */

#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "claim_internal.h"

#define FOREGROUND_FINALIZER "foregroundDeletion"
#define ORPHAN_FINALIZER "orphan"

/* Collections that are named are found and read within moments; ten times that, should the server
 * be slow. Then what is there goes without being seen, rather than not at all. */
#define PENDING_MAX_MS 30000
#define PENDING_AGAIN_MS 500

#define SLOT_CLAIM "claim"
#define SLOT_KIND "kind"
#define SLOT_COMPOSITE "composite"
#define SLOT_DELETE "delete"

/* --- how it is to be deleted ------------------------------------------------------------------ */

enum policy {
    POLICY_BACKGROUND,
    POLICY_FOREGROUND,
    POLICY_UNKNOWN, /* the definition says it, and was not read */
    POLICY_INVALID,
};

static enum policy policy_named(const struct json_object *value)
{
    const char *text = prb_json_string(value);

    if (prb_streq(text, "Background"))
        return POLICY_BACKGROUND;
    return prb_streq(text, "Foreground") ? POLICY_FOREGROUND : POLICY_INVALID;
}

/* What the claim says, else its definition, else Background. */
static enum policy policy_of(const struct prb_claim_case *a_case)
{
    const struct json_object *value =
            prb_json_find(prb_object_spec(a_case->claim), "compositeDeletePolicy");
    const struct prb_object *definition;

    if (value)
        return policy_named(value);
    if (!prb_claim_knows_definitions(a_case->view))
        return POLICY_UNKNOWN;
    definition = prb_claim_definition(a_case->view, &a_case->ref.gvr);
    if (!definition)
        return POLICY_BACKGROUND;
    value = prb_json_find(prb_object_spec(definition), "defaultCompositeDeletePolicy");
    return value ? policy_named(value) : POLICY_BACKGROUND;
}

/* --- the end ---------------------------------------------------------------------------------- */

/* Only from the claim as it was read: somebody may have named a composite since. */
static void let_go(const struct prb_claim_case *a_case, const char *why, struct prb_changes *out)
{
    const char *finalizer = a_case->settings->finalizer;
    struct json_object *patch = prb_patch_remove_finalizer(a_case->claim, finalizer);

    if (!patch)
        return;
    prb_json_patch_add(patch, "test", "/metadata/resourceVersion",
            json_object_new_string(prb_object_resource_version(a_case->claim)));
    prb_changes_json_patch(out, &a_case->ref, patch, NULL, why);
    if (a_case->composite)
        prb_changes_event(out, &a_case->ref, a_case->claim, false, "ClaimReleased",
                "composite %s: %s", a_case->composite, why);
}

/* --- a composite that is there ---------------------------------------------------------------- */

/* The composite of a claim, as it was read. */
struct bond {
    const struct prb_claim_case *a_case;
    struct prb_ref ref;
    const struct prb_object *composite;
    const struct prb_outcome *deleted; /* what came of its deletion; NULL: not tried */
};

static void delete_composite(
        const struct bond *bond, enum prb_propagation propagation, struct prb_changes *out)
{
    /* Unchanged, since what it is bound to decides. A second one, on what is going already, needs
     * not be: nothing is deleted by it that would stay otherwise. */
    if (prb_object_is_deleting(bond->composite))
        prb_changes_delete(out, &bond->ref, bond->composite, propagation,
                "its deletion is to wait for what it composed");
    else
        prb_changes_delete_unchanged(
                out, &bond->ref, bond->composite, propagation, "its claim is being deleted");
    prb_changes_set_slot(out, SLOT_DELETE);
    prb_changes_go_on(out);
}

static void delete_in_background(const struct bond *bond, struct prb_changes *out)
{
    if (bond->deleted && bond->deleted->code != PRB_OK)
        prb_claim_fail(bond->a_case, "cannot delete composite", bond->deleted->err, out);
    else if (bond->deleted || prb_object_is_deleting(bond->composite))
        let_go(bond->a_case, "it is being deleted in the background", out);
    else
        delete_composite(bond, PRB_PROPAGATE_BACKGROUND, out);
}

/* A deletion in the background becomes one in the foreground, while there is something to wait for.
 * Without that the garbage collector would end it at once, and so on for ever. */
static bool is_to_upgrade(const struct bond *bond, const struct prb_claim_tree *tree)
{
    const char *upgraded = prb_json_str(prb_view_memory(bond->a_case->view), PRB_CLAIM_UPGRADED);

    if (prb_object_has_finalizer(bond->composite, FOREGROUND_FINALIZER) ||
            prb_object_has_finalizer(bond->composite, ORPHAN_FINALIZER))
        return false;
    if (tree->blocking > 0)
        return true;
    return tree->unread > 0 && !prb_streq(upgraded, prb_object_uid(bond->composite));
}

/* Are there references that do not block yet? Then they are seen to first: true. */
static bool let_block(
        const struct bond *bond, const struct prb_claim_tree *tree, struct prb_changes *out)
{
    struct prb_claim_block_result result = prb_claim_block_look(tree, bond->a_case->view);

    if (tree->blocking == tree->count)
        return false;
    if (result.tried == 0) {
        prb_claim_block(tree, out);
        prb_changes_go_on(out);
        return true;
    }
    if (result.error) {
        prb_claim_fail(bond->a_case,
                "cannot set blockOwnerDeletion on what is composed by composite", result.error,
                out);
        return true;
    }

    /* The garbage collector hears of it when we do: the watch brings us back. */
    prb_changes_wait(out, "waits until everything that composite %s composed blocks its deletion",
            bond->a_case->composite);
    prb_changes_retry(out, PRB_CLAIM_RETRY_MIN_MS, PRB_CLAIM_RETRY_MAX_MS);
    return true;
}

/* Is something not read yet, after a start say, that may be in a moment? Then it is awaited, but
 * not for ever: true. */
static bool await_pending(
        const struct bond *bond, const struct prb_claim_tree *tree, struct prb_changes *out)
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

static void delete_in_foreground(const struct bond *bond, struct prb_changes *out)
{
    prb_auto(prb_claim_tree_done) struct prb_claim_tree tree = { .count = 0 };

    prb_claim_tree_fill(&tree, bond->a_case->view, bond->composite, PRB_CLAIM_DEPTH_MAX);
    if (bond->deleted) {
        if (bond->deleted->code == PRB_OK)
            prb_claim_hold(bond->a_case, bond->composite, &tree, out);
        else
            prb_claim_fail(bond->a_case, "cannot delete composite", bond->deleted->err, out);
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
        delete_composite(bond, PRB_PROPAGATE_FOREGROUND, out);
    else
        prb_claim_hold(bond->a_case, bond->composite, &tree, out);
}

/* --- whose composite is it? ------------------------------------------------------------------- */

/* May the claim delete it? A claim that no definition speaks for must be named by it. */
static bool is_ours(const struct bond *bond, struct prb_changes *out)
{
    const struct prb_claim_case *a_case = bond->a_case;
    bool defined = prb_claim_definition(a_case->view, &a_case->ref.gvr) != NULL;
    struct prb_claim_name other;
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CLAIM_TEXT_MAX);
    if (prb_claim_is_bound_to(bond->composite, a_case->claim, &a_case->ref) ||
            (defined && prb_claim_is_unbound(bond->composite)))
        return true;
    prb_str_addf(&text, "composite %s is not touched: ", a_case->composite);
    if (prb_claim_of_composite(bond->composite, &other))
        prb_str_addf(&text, "it is bound to %s %s/%s", other.kind, other.namespace, other.name);
    else
        prb_str_add(&text, "it does not say which claim it is bound to");
    prb_str_addf(&text,
            ", not to this claim. Correct spec.resourceRef of the claim, or take its finalizer %s "
            "off",
            a_case->settings->finalizer);
    prb_claim_refuse(a_case, "CompositeNotBound", prb_str_get(&text), out);
    return false;
}

/* Only what a definition calls a composite is one: a claim may name anything. */
static bool is_composite_kind(const struct prb_claim_case *a_case,
        const struct prb_claim_name *name, const struct prb_known_resource *resource,
        struct prb_changes *out)
{
    const struct prb_object *definition = prb_claim_definition(a_case->view, &a_case->ref.gvr);
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CLAIM_TEXT_MAX);
    if (!resource->namespaced && (!definition || prb_claim_defines(definition, name)))
        return true;
    prb_str_addf(&text,
            "%s is not touched: %s of group %s is not the kind of composites of this claim. "
            "Correct spec.resourceRef of the claim, or take its finalizer %s off",
            a_case->composite, name->kind, name->group, a_case->settings->finalizer);
    prb_claim_refuse(a_case, "CompositeNotBound", prb_str_get(&text), out);
    return false;
}

/* --- rounds ----------------------------------------------------------------------------------- */

static void see_to_composite(const struct prb_claim_case *a_case, enum policy policy,
        const struct prb_known_resource *resource, const char *name, struct prb_changes *out)
{
    const struct prb_outcome *read = prb_view_outcome(a_case->view, SLOT_COMPOSITE);
    struct bond bond = { .a_case = a_case, .deleted = prb_view_outcome(a_case->view, SLOT_DELETE) };

    if (!prb_ref_init(&bond.ref, &resource->gvr, NULL, name)) {
        let_go(a_case, "nothing can have that name", out);
        return;
    }
    if (!read) {
        prb_changes_read(out, &bond.ref, SLOT_COMPOSITE, "the composite of a deleted claim");
        prb_changes_go_on(out);
        return;
    }
    if (read->code != PRB_OK) {
        if (read->code == PRB_E_NOTFOUND)
            let_go(a_case, "it is gone", out);
        else
            prb_claim_fail(a_case, "cannot read composite", read->err, out);
        return;
    }
    bond.composite = read->object;
    if (!is_ours(&bond, out))
        return;
    if (policy == POLICY_BACKGROUND)
        delete_in_background(&bond, out);
    else
        delete_in_foreground(&bond, out);
}

static void see_to_kind(const struct prb_claim_case *a_case, enum policy policy,
        const struct prb_claim_name *name, struct prb_changes *out)
{
    const struct prb_outcome *found = prb_view_outcome(a_case->view, SLOT_KIND);

    if (!found) {
        prb_changes_resolve(out, name->group, name->kind, SLOT_KIND);
        prb_changes_go_on(out);
    } else if (found->code == PRB_E_NOTFOUND) {
        let_go(a_case, "its kind is gone", out);
    } else if (found->code != PRB_OK) {
        prb_claim_fail(a_case, "cannot find the kind of composite", found->err, out);
    } else if (is_composite_kind(a_case, name, found->resource, out)) {
        see_to_composite(a_case, policy, found->resource, name->name, out);
    }
}

static void see_to_claim(struct prb_claim_case *a_case, struct prb_changes *out)
{
    enum policy policy = policy_of(a_case);
    struct prb_claim_name name;
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_KIND_AND_NAME_MAX);
    if (!prb_claim_composite_name(a_case->claim, &name)) {
        let_go(a_case, "it has no composite", out);
        return;
    }
    prb_str_addf(&text, "%s %s", name.kind, name.name);
    a_case->composite = prb_str_get(&text);
    if (policy == POLICY_UNKNOWN || !prb_claim_knows_definitions(a_case->view)) {
        prb_changes_wait(out, "CompositeResourceDefinitions cannot be read yet, and with them how "
                              "its composite is to be deleted");
        prb_changes_retry(out, PRB_CLAIM_RETRY_MIN_MS, PRB_CLAIM_RETRY_MAX_MS);
    } else if (policy == POLICY_INVALID) {
        prb_claim_refuse(a_case, "InvalidDeletePolicy",
                "spec.compositeDeletePolicy is neither Background nor Foreground: nothing is "
                "deleted until it is one of them",
                out);
    } else {
        see_to_kind(a_case, policy, &name, out);
    }
}

/* Is its composite on its way, as far as the cache knows? Then there is nothing to decide. */
static bool hold_by_cache(const struct prb_claim_case *a_case, struct prb_changes *out)
{
    prb_auto(prb_claim_tree_done) struct prb_claim_tree tree = { .count = 0 };
    const struct prb_known_resource *known;
    const struct prb_object *composite;
    struct prb_claim_case named = *a_case;
    struct prb_claim_name name;
    struct prb_ref ref;
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_KIND_AND_NAME_MAX);
    if (policy_of(a_case) != POLICY_FOREGROUND || !prb_claim_composite_name(a_case->claim, &name))
        return false;
    known = prb_claim_find_kind(a_case->view, name.group, name.kind);
    if (!known || !prb_ref_init(&ref, &known->gvr, NULL, name.name))
        return false;
    composite = prb_view_find(a_case->view, &ref);
    if (!composite || !prb_object_has_finalizer(composite, FOREGROUND_FINALIZER) ||
            !prb_object_is_deleting(composite) ||
            !prb_claim_is_bound_to(composite, a_case->claim, &a_case->ref))
        return false;
    prb_str_addf(&text, "%s %s", name.kind, name.name);
    named.composite = prb_str_get(&text);
    prb_claim_tree_fill(&tree, a_case->view, composite, PRB_CLAIM_DEPTH_MAX);
    prb_claim_hold(&named, composite, &tree, out);
    return true;
}

void prb_claim_end(const struct prb_claim_case *a_case, struct prb_changes *out)
{
    const struct prb_outcome *read = prb_view_outcome(a_case->view, SLOT_CLAIM);
    struct prb_claim_case live = *a_case;

    if (!read) {
        if (hold_by_cache(a_case, out))
            return;
        prb_changes_read(out, &a_case->ref, SLOT_CLAIM, "a claim that is being deleted");
        prb_changes_go_on(out);
        return;
    }
    if (read->code == PRB_E_NOTFOUND)
        return;
    if (read->code != PRB_OK) {
        prb_claim_fail(a_case, "cannot read the claim", read->err, out);
        return;
    }

    /* Another one of that name, or a change that the watch will bring. */
    if (!prb_streq(prb_object_uid(read->object), prb_object_uid(a_case->claim)) ||
            !prb_object_is_deleting(read->object) || prb_claim_is_paused(read->object))
        return;
    live.claim = read->object;
    see_to_claim(&live, out);
}
