/* Does a claim, or a composite, that names what is not its own get it deleted? */

#include "probate/base/mem.h"

#include "rows.h"
#include "support/json_text.h"

/* A claim in the foreground that names this; not one of family_make. */
static int make_claim_on(
        struct family *family, const char *api_version, const char *kind, const char *name)
{
    prb_autofree char *spec =
            prb_asprintf("'resourceRef':{'apiVersion':'%s','kind':'%s','name':'%s'},"
                         "'compositeDeletePolicy':'Foreground'",
                    api_version, kind, name);

    DO(family_create(family, CLAIM, "", "", spec));
    return family_await_finalizer(family, CLAIM, "", PRB_CLAIM_FINALIZER);
}

/* Nobody else lets such a claim go. */
static int let_claim_go(struct family *family)
{
    DO(family_patch(family, CLAIM, "", "{'metadata':{'finalizers':null}}"));
    return family_await_gone(family, CLAIM, "");
}

static int another_claims_composite(struct family *family)
{
    struct family victim;

    family_open(&victim, family->stage, family->why);
    DO(make_seen(&victim, "Foreground", 2, 0));
    DO(make_claim_on(family, API_VERSION, "XNetwork", victim.id));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_said(family, "CompositeNotBound", victim.id));
    DO(family_await_event(family, "CompositeNotBound"));
    DO(family_expect_untouched(&victim, ROOT, ""));
    DO(family_expect_untouched(&victim, LEAF, "-0"));
    return let_claim_go(family);
}

static int what_is_no_composite(struct family *family)
{
    struct family victim;

    family_open(&victim, family->stage, family->why);
    DO(make_seen(&victim, NULL, 1, STANDALONE | DEEP));
    DO(make_claim_on(family, API_VERSION, "XSubnet", "victim-sub"));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_said(family, "CompositeNotBound",
            "XSubnet of group " GROUP " is not the kind of composites of this claim"));
    DO(family_expect_untouched(&victim, SUB, "-sub"));
    return let_claim_go(family);
}

static int a_namespace(struct family *family)
{
    static const struct prb_ref victim = { .gvr = { "", "v1", "namespaces" },
        .name = "kube-public" };
    prb_auto(prb_object_unref) struct prb_object *after = NULL;
    struct prb_error err;

    if (family->stage->hub)
        return 0; /* which has no such */
    DO(make_claim_on(family, "v1", "Namespace", victim.name));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_said(family, "CompositeNotBound", "Namespace"));
    if (prb_api_get(family->stage->direct, &victim, NULL, &after, &err) < 0 ||
            prb_object_is_deleting(after))
        return family_fail(family, "a Namespace that a claim names is deleted");
    return let_claim_go(family);
}

/* A composite that lists somebody's leaf: not controlled, not touched, not waited for. */
static int a_leaf_that_is_only_listed(struct family *family)
{
    struct family victim;
    prb_autofree char *patch = NULL;

    family_open(&victim, family->stage, family->why);
    DO(make_seen(&victim, NULL, 1, STANDALONE));
    DO(make_seen(family, "Foreground", 1, 0));
    patch = prb_asprintf("{'spec':{'resourceRefs':[{'apiVersion':'" API_VERSION
                         "','kind':'Bucket','name':'%s-0'},{'apiVersion':'" API_VERSION
                         "','kind':'Bucket','name':'%s-0'}]}}",
            family->id, victim.id);
    DO(family_patch(family, ROOT, "", patch));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_end(family));
    DO(family_expect_bottom_up(family));
    return family_expect_untouched(&victim, LEAF, "-0");
}

/* One that is unbound is the claim's that names it, as Crossplane has it. */
static int an_unbound_composite(struct family *family)
{
    DO(family_make(family, NULL, 1, STANDALONE));
    DO(family_await_blocking(family));
    DO(make_claim_on(family, API_VERSION, "XNetwork", family->id));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

static bool is_younger(struct family *family)
{
    prb_auto(prb_object_unref) struct prb_object *claim = family_get(family, CLAIM, "");
    prb_auto(prb_object_unref) struct prb_object *root = family_get(family, ROOT, "");

    return claim && root && prb_object_created_at_ms(root) > prb_object_deleted_at_ms(claim);
}

/* Time goes by in seconds: the first may be of the same one as the deletion. */
static int make_younger(struct family *family)
{
    for (;;) {
        DO(family_create(family, ROOT, "", "", ""));
        if (is_younger(family))
            return 0;
        DO(family_delete(family, ROOT, "", PRB_PROPAGATE_BACKGROUND));
        DO(family_await_gone(family, ROOT, ""));
    }
}

/* While nobody looked the composite went, and its name was taken. */
static int a_name_that_was_taken(struct family *family)
{
    DO(make_claim_on(family, API_VERSION, "XNetwork", family->id));
    DO(family_patch(family, CLAIM, "",
            "{'metadata':{'annotations':{'" PRB_ANNOTATION_PAUSED "':'true'}}}"));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_deleting(family, CLAIM, ""));
    DO(make_younger(family));
    DO(family_patch(
            family, CLAIM, "", "{'metadata':{'annotations':{'" PRB_ANNOTATION_PAUSED "':null}}}"));
    DO(family_await_gone(family, CLAIM, ""));
    return family_expect_untouched(family, ROOT, "");
}

static const struct row list[] = {
    { "a claim that names another claim's composite deletes nothing", another_claims_composite },
    { "a claim that names a composite of another kind deletes nothing", what_is_no_composite },
    { "a claim that names a Namespace deletes nothing", a_namespace },
    { "a leaf that a composite lists and does not control stays", a_leaf_that_is_only_listed },
    { "a composite that is bound to none goes with the claim that names it", an_unbound_composite },
    { "a composite that took the name after the claim was deleted stays", a_name_that_was_taken },
};

ROW_LIST(rows_deputies);
