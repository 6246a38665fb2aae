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
 *     round 4  let what is composed block it, or delete it (claim_delete.c)
 *     round 5  say what came of it, or let the claim go
 */

#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "claim_internal.h"

#define SLOT_CLAIM "claim"
#define SLOT_KIND "kind"
#define SLOT_COMPOSITE "composite"

/* The reason of a NOTFOUND that means the version or the kind, not the object. */
#define NOT_SERVED "NotServed"

/* --- the end ---------------------------------------------------------------------------------- */

/* Only from the claim as it was read: somebody may have named a composite since. */
void prb_claim_let_go(const struct prb_claim_case *a_case, const char *why, struct prb_changes *out)
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

/* --- whose composite is it? ------------------------------------------------------------------- */

/* May the claim delete it? A claim that no definition speaks for must be named by it. */
static bool is_ours(const struct prb_claim_bond *bond, struct prb_changes *out)
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

/* Its name was free, and somebody took it after the deletion had begun: the one that was meant is
 * gone. Both times are the server's. */
static bool is_anothers(const struct prb_claim_bond *bond)
{
    const struct prb_claim_case *a_case = bond->a_case;
    int64_t deleted_ms = prb_object_deleted_at_ms(a_case->claim);

    return deleted_ms > 0 && prb_object_created_at_ms(bond->composite) > deleted_ms &&
           !prb_claim_is_bound_to(bond->composite, a_case->claim, &a_case->ref);
}

/* By a short name some other kind may be found, where the one that is meant is gone. */
static bool is_meant(const struct prb_claim_name *name, const struct prb_known_resource *resource)
{
    return prb_streq(resource->kind, name->kind) || prb_streq(resource->gvr.resource, name->kind);
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

/* A version that is served no more says nothing of the object: the next pass finds another. */
static bool is_gone(const struct prb_outcome *read)
{
    return read->code == PRB_E_NOTFOUND && !prb_streq(read->err->reason, NOT_SERVED);
}

static void see_to_composite(const struct prb_claim_case *a_case, enum prb_claim_policy policy,
        const struct prb_known_resource *resource, const char *name, struct prb_changes *out)
{
    const struct prb_outcome *read = prb_view_outcome(a_case->view, SLOT_COMPOSITE);
    struct prb_claim_bond bond = { .a_case = a_case };

    if (!prb_ref_init(&bond.ref, &resource->gvr, NULL, name)) {
        prb_claim_let_go(a_case, "nothing can have that name", out);
        return;
    }
    if (!read) {
        prb_changes_read(out, &bond.ref, SLOT_COMPOSITE, "the composite of a deleted claim");
        prb_changes_go_on(out);
        return;
    }
    if (read->code != PRB_OK) {
        if (is_gone(read))
            prb_claim_let_go(a_case, "it is gone", out);
        else
            prb_claim_fail(a_case, "cannot read composite", read->err, out);
        return;
    }
    bond.composite = read->object;
    if (is_anothers(&bond))
        prb_claim_let_go(a_case, "it is gone, and another has its name", out);
    else if (is_ours(&bond, out))
        prb_claim_delete(&bond, policy == PRB_CLAIM_FOREGROUND, out);
}

static void see_to_kind(const struct prb_claim_case *a_case, enum prb_claim_policy policy,
        const struct prb_claim_name *name, struct prb_changes *out)
{
    const struct prb_outcome *found = prb_view_outcome(a_case->view, SLOT_KIND);

    if (!found) {
        prb_changes_resolve_surely(out, name->group, name->kind, SLOT_KIND);
        prb_changes_go_on(out);
    } else if (found->code == PRB_E_NOTFOUND ||
               (found->code == PRB_OK && !is_meant(name, found->resource))) {
        prb_claim_let_go(a_case, "its kind is gone", out);
    } else if (found->code != PRB_OK) {
        prb_claim_fail(a_case, "cannot find the kind of composite", found->err, out);
    } else if (is_composite_kind(a_case, name, found->resource, out)) {
        see_to_composite(a_case, policy, found->resource, name->name, out);
    }
}

/* At a start they are read in a moment; what keeps them from it is told on the claim. */
static void await_definitions(const struct prb_claim_case *a_case, struct prb_changes *out)
{
    static const char text[] = "CompositeResourceDefinitions cannot be read yet, and with them how "
                               "its composite is to be deleted";
    const struct prb_known_resource *known =
            prb_view_resource(a_case->view, PRB_DEFINITION_GROUP, PRB_DEFINITION_RESOURCE);
    struct prb_error err;

    if (known && known->trouble[0] && !prb_streq(known->trouble, PRB_NOT_LOOKED_FOR)) {
        (void)prb_fail(&err, known->forbidden ? PRB_E_FORBIDDEN : PRB_E_UNAVAILABLE, "%s: %s", text,
                known->trouble);
        prb_claim_fail(a_case, "cannot delete composite", &err, out);
        return;
    }
    prb_changes_wait(out, "%s", text);
    prb_changes_retry(out, PRB_CLAIM_RETRY_MIN_MS, PRB_CLAIM_RETRY_MAX_MS);
}

static void see_to_claim(struct prb_claim_case *a_case, struct prb_changes *out)
{
    enum prb_claim_policy policy = prb_claim_policy_of(a_case);
    struct prb_claim_name name;
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_KIND_AND_NAME_MAX);
    if (!prb_claim_composite_name(a_case->claim, &name)) {
        prb_claim_let_go(a_case, "it has no composite", out);
        return;
    }
    prb_str_addf(&text, "%s %s", name.kind, name.name);
    a_case->composite = prb_str_get(&text);
    if (policy == PRB_CLAIM_UNKNOWN || !prb_claim_knows_definitions(a_case->view)) {
        await_definitions(a_case, out);
    } else if (policy == PRB_CLAIM_INVALID) {
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
    if (prb_claim_policy_of(a_case) != PRB_CLAIM_FOREGROUND ||
            !prb_claim_composite_name(a_case->claim, &name))
        return false;
    known = prb_claim_find_kind(a_case->view, name.group, name.kind);
    if (!known || known->trouble[0] || !prb_ref_init(&ref, &known->gvr, NULL, name.name))
        return false;
    composite = prb_view_find(a_case->view, &ref);
    if (!composite || !prb_object_has_finalizer(composite, PRB_CLAIM_IN_FOREGROUND) ||
            !prb_object_is_deleting(composite) ||
            !prb_claim_is_bound_to(composite, a_case->claim, &a_case->ref))
        return false;
    prb_str_addf(&text, "%s %s", name.kind, name.name);
    named.composite = prb_str_get(&text);
    prb_claim_tree_fill(&tree, a_case->view, composite, true);
    prb_claim_hold(&named, composite, &tree, out);
    return true;
}

void prb_claim_end(const struct prb_claim_case *a_case, struct prb_changes *out)
{
    const struct prb_outcome *read = prb_view_outcome(a_case->view, SLOT_CLAIM);
    struct prb_claim_case live = *a_case;

    /* Who took our finalizer off, be it we, has let it go: a composite that others make under that
     * name since is not its. None is added to what is being deleted. */
    if (!prb_object_has_finalizer(a_case->claim, a_case->settings->finalizer))
        return;
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
            !prb_object_is_deleting(read->object) || prb_claim_is_paused(read->object) ||
            !prb_object_has_finalizer(read->object, a_case->settings->finalizer))
        return;
    live.claim = read->object;
    see_to_claim(&live, out);
}
