/*
 * When a claim goes, its composite and all that this composed go before it, from the leaves up.
 *
 * Looks at:  CompositeResourceDefinitions, and what they define: claims and composites; what
 *            composites list; the webhooks that are registered; CRDs, which outlive definitions
 * Writes:    a finalizer on each claim; blockOwnerDeletion on the references of what composites
 *            control; for a deleting claim the DELETE of its composite and the condition Ready,
 *            which says at every moment what is left
 * Why:       Kubernetes cannot let a claim in a namespace own a composite outside of it; left
 *            alone, "kubectl delete" returns while everything is still there, and what fails to go
 *            is seen by nobody
 */

#include "probate/reconcilers/registry.h"

#include "claim_internal.h"

/* What is kept of definitions: their schemas are most of them. */
static const char *const definition_keeps[] = { "spec.group", "spec.names", "spec.claimNames",
    "spec.defaultCompositeDeletePolicy", NULL };

/* What is kept of claims and composites, and of definitions that are not read by the table. */
static const char *const wanted_keeps[] = { "spec.resourceRef", "spec.compositeDeletePolicy",
    "spec.claimRef", "spec.resourceRefs", "spec.crossplane.resourceRefs", "status.conditions",
    "spec.group", "spec.names", "spec.claimNames", "spec.defaultCompositeDeletePolicy", NULL };

/* The references of what a composite controls. */
static void see_to_composite(
        const struct prb_view *view, const struct prb_object *composite, struct prb_changes *out)
{
    prb_auto(prb_claim_tree_done) struct prb_claim_tree tree = { .count = 0 };
    const struct prb_claim_node *undone;
    struct prb_claim_block_result result;

    prb_claim_tree_fill(&tree, view, composite, false);
    if (tree.blocking == tree.total || prb_claim_is_circular(view, composite))
        return;
    result = prb_claim_block_look(&tree, view);
    if (result.tried == 0) {
        if (prb_claim_block(&tree, view, &undone, out) > 0)
            prb_changes_go_on(out);
        else if (undone)
            prb_changes_wait(out, "somebody takes blockOwnerDeletion off again from %s %s",
                    undone->known->kind, prb_object_name(undone->object));
        return;
    }
    prb_claim_block_remember(&tree, view, out);
    if (result.error)
        prb_changes_wait(
                out, "cannot set blockOwnerDeletion on what it composed: %s", result.error->msg);
    if (result.error || result.lost > 0)
        prb_changes_retry(out, PRB_CLAIM_RETRY_MIN_MS, PRB_CLAIM_RETRY_MAX_MS);
}

static void see_to_claim(const struct prb_claim_case *a_case, struct prb_changes *out)
{
    if (prb_claim_is_paused(a_case->claim)) {
        if (prb_object_is_deleting(a_case->claim))
            prb_changes_wait(out, "paused by the annotation " PRB_ANNOTATION_PAUSED);
        return;
    }
    if (prb_object_is_deleting(a_case->claim))
        prb_claim_end(a_case, out);
    else
        prb_changes_add_finalizer(out, &a_case->ref, a_case->claim, a_case->settings->finalizer,
                "its composite goes before it");
}

static void decide(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *key, struct prb_changes *out)
{
    struct prb_claim_case a_case = { .settings = prb_claim_settings_of(self),
        .view = view,
        .ref = *key,
        .claim = prb_view_find(view, key) };
    const struct prb_gvr *definitions = prb_claim_definitions_read(view);

    if (!a_case.claim)
        return;
    if (definitions && prb_gvr_equal(definitions, &key->gvr))
        prb_claim_cover(view, key, a_case.claim, out);
    else if (prb_claim_is_kind(a_case.settings, view, &key->gvr))
        see_to_claim(&a_case, out);
    else
        see_to_composite(view, a_case.claim, out);
}

/* All are optional: claims that a flag names need no definitions, and none needs the others. */
static const struct prb_watch_spec watches[] = {
    { .group = prb_claim_definitions.group,
            .version = prb_claim_definitions.version,
            .resource = prb_claim_definitions.resource,
            .whole = true,
            .keeps = definition_keeps,
            .optional = true,
            .map = prb_claim_map_definition },
    { .group = prb_claim_webhooks.group,
            .version = prb_claim_webhooks.version,
            .resource = prb_claim_webhooks.resource,
            .whole = true,
            .optional = true,
            .map = prb_claim_map_webhook },
    { .group = prb_claim_crds.group,
            .version = prb_claim_crds.version,
            .resource = prb_claim_crds.resource,
            .optional = true,
            .map = prb_claim_map_crd },
};

/* Those on claims, composites and what these compose depend on what there is: cli/claims.c. */
static const struct prb_right rights[] = {
    { PRB_DEFINITION_GROUP, PRB_DEFINITION_RESOURCE, "list,watch" },
    { prb_claim_webhooks.group, prb_claim_webhooks.resource, "list,watch" },
    { prb_claim_crds.group, prb_claim_crds.resource, "get,list,watch" },
};

const struct prb_reconciler prb_reconciler_claims = {
    .name = "claims",
    .summary = "when a claim is deleted, deletes its composite, in the foreground if it says so, "
               "and says what it waits for",
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .rights = rights,
    .right_count = sizeof(rights) / sizeof(rights[0]),
    .by_name = true,
    .decide = decide,
    .wants = prb_claims_want,
    .wants_whole = prb_claims_want_whole,
    .wanted_keeps = wanted_keeps,
    .map_wanted = prb_claim_map_wanted,
};
