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

/* The Secret with a composite's connection details, which somebody holds; NULL: it could not be
 * had.
 */
static struct prb_object *make_secret(struct family *family, const struct prb_ref *ref)
{
    prb_auto(prb_object_unref) struct prb_object *root = family_get(family, ROOT, "");
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("{'apiVersion':'v1','kind':'Secret','metadata':{'namespace':'" NAMESPACE
                          "','name':'%s','finalizers':['example.org/hold'],'ownerReferences':[{"
                          "'apiVersion':'" API_VERSION "','kind':'XNetwork','name':'%s','uid':"
                          "'%s','controller':true}]}}",
                    ref->name, family->id, root ? prb_object_uid(root) : "");
    struct prb_object *made = NULL;
    struct prb_error err;

    return prb_api_create(family->stage->direct, ref, body, NULL, &made, &err) == 0 ? made : NULL;
}

/* As the page says: only what resourceRefs list is waited for. */
static int what_is_controlled_and_not_listed(struct family *family)
{
    static const struct prb_gvr secrets = { "", "v1", "secrets" };
    prb_auto(prb_object_unref) struct prb_object *made = NULL, *after = NULL;
    prb_auto(prb_json_free) struct json_object *release =
            prb_test_json("{'metadata':{'finalizers':null}}");
    struct prb_owner owner;
    struct prb_error err;
    struct prb_ref ref;
    bool blocks;

    (void)prb_ref_init(&ref, &secrets, NAMESPACE, family->id);
    DO(make_seen(family, "Foreground", 1, 0));
    made = make_secret(family, &ref);
    if (!made)
        return family_fail(family, "the Secret could not be made");
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_end(family));
    DO(family_expect_bottom_up(family));
    if (prb_api_get(family->stage->direct, &ref, NULL, &after, &err) < 0)
        return family_fail(family, "the Secret is gone: %s", err.msg);
    blocks = !prb_object_owner_at(after, 0, &owner) || owner.block_owner_deletion;
    (void)prb_api_patch(family->stage->direct, &ref, PRB_PATCH_MERGE, release, NULL, NULL, &err);
    return blocks ? family_fail(family, "the reference of the Secret was changed") : 0;
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
    { "what a composite controls and does not list holds up no claim",
            what_is_controlled_and_not_listed },
    { "a composite that is bound to none goes with the claim that names it", an_unbound_composite },
    { "a composite that took the name after the claim was deleted stays", a_name_that_was_taken },
};

ROW_LIST(rows_deputies);
