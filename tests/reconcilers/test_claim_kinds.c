/* Which collections are read, which keys follow from a change, and which kinds does nobody check?
 */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "claim_world.h"

static struct prb_str keys;

void setUp(void)
{
    claim_world_init();
    prb_str_init(&keys, 65536);
}

void tearDown(void)
{
    prb_str_done(&keys);
    claim_world_done();
}

/* --- what is read ----------------------------------------------------------------------------- */

static void add_want(void *ctx, const char *group, const char *resource)
{
    prb_str_addf(ctx, "%s/%s\n", group, resource);
}

static const char *wanted(bool whole)
{
    struct prb_reconciler reconciler = prb_reconciler_claims;
    prb_auto(prb_view_close) struct prb_view *view = claim_view();

    reconciler.settings = &settings;
    prb_str_clear(&keys);
    (whole ? reconciler.wants_whole : reconciler.wants)(&reconciler, view, add_want, &keys);
    return prb_str_get(&keys);
}

#define DEFINITIONS_WANTED "apiextensions.crossplane.io/compositeresourcedefinitions\n"

static void test_claims_and_composites_of_definitions_are_read_whole(void)
{
    build("");
    TEST_ASSERT_EQUAL_STRING(DEFINITIONS_WANTED "example.org/Network\nexample.org/XNetwork\n"
                                                "example.org/XSubnet\n",
            sorted(wanted(true)));
    TEST_ASSERT_EQUAL_STRING("", wanted(false));
}

static void test_what_composites_list_is_read_without_bodies(void)
{
    build(COMPOSITE("",
            BOUND COMPOSES(REF_OF("XSubnet", "s1") ", "
                                                   "{apiVersion: v1, kind: Secret}, {kind: ''}, 7"))
                    SUBNET("s1", "", "crossplane: {resourceRefs: [" REF_OF("Bucket", "b1") "]}"));
    TEST_ASSERT_EQUAL_STRING(
            "/Secret\nexample.org/Bucket\nexample.org/XSubnet\n", sorted(wanted(false)));
}

/* Who may write claims must not make us read Secrets with their bodies. */
static void test_composites_of_claims_by_flag_are_read_unless_they_are_of_kubernetes(void)
{
    settings.claims = (const struct prb_gvr[]){ { "example.org", "", "Network" } };
    settings.claim_count = 1;
    build_bare(CLAIM("", REF) COMPOSITE("", BOUND COMPOSES(REF_OF("Bucket", "b1"))));
    (void)prb_world_serve(world, DEFINITIONS);
    TEST_ASSERT_EQUAL_STRING(DEFINITIONS_WANTED
            "example.org/Network\nexample.org/Network\nexample.org/XNetwork\n",
            sorted(wanted(true)));
    TEST_ASSERT_EQUAL_STRING("example.org/Bucket\n", wanted(false));
    build_bare(CLAIM("", "resourceRef: {apiVersion: v1, kind: Secret, name: x1}"));
    TEST_ASSERT_EQUAL_STRING(
            DEFINITIONS_WANTED "example.org/Network\nexample.org/Network\n", sorted(wanted(true)));
    build_bare(CLAIM("", "resourceRef: {apiVersion: rbac.authorization.k8s.io/v1, kind: "
                         "ClusterRole, name: x1}"));
    TEST_ASSERT_EQUAL_STRING(
            DEFINITIONS_WANTED "example.org/Network\nexample.org/Network\n", sorted(wanted(true)));
}

/* A server that has no v1 of them has another version. */
static void test_definitions_of_another_version_will_do(void)
{
    build_bare("---\napiVersion: apiextensions.crossplane.io/v2\n"
               "kind: CompositeResourceDefinition\nmetadata: {name: xnetworks.example.org}\n"
               "spec: {group: example.org, scope: Namespaced, names: {kind: XNetwork, plural: "
               "xnetworks}}\n");
    know_definitions("compositeresourcedefinitions.v2.apiextensions.crossplane.io");
    TEST_ASSERT_EQUAL_STRING(DEFINITIONS_WANTED "example.org/XNetwork\n", sorted(wanted(true)));
}

/* Who deletes a definition before its claims leaves them to us, for as long as their kind is there.
 */
static void test_claims_whose_definition_is_gone_are_read(void)
{
    static const struct {
        const char *name, *world, *wanted;
    } rows[] = {
        { "gone", CRD_OF("xnetworks") CRD_OF("networks"), "example.org/networks\n" },
        { "the kind of composites alone", CRD_OF("xnetworks"), "" },
        { "another controls it",
                CRD("networks", "example.com/v1", "CompositeResourceDefinition",
                        "xnetworks.example.org", CONTROLS),
                "" },
        { "another kind controls it",
                CRD("networks", "apiextensions.crossplane.io/v1", "Composition",
                        "xnetworks.example.org", CONTROLS),
                "" },
        { "it is owned only",
                CRD("networks", "apiextensions.crossplane.io/v1", "CompositeResourceDefinition",
                        "xnetworks.example.org", ""),
                "" },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        prb_autofree char *expected = prb_asprintf(DEFINITIONS_WANTED "%s", rows[i].wanted);

        build_bare(rows[i].world);
        (void)prb_world_serve(world, DEFINITIONS);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, sorted(wanted(true)), rows[i].name);
    }
    build(CRD_OF("xnetworks") CRD_OF("networks"));
    TEST_ASSERT_NULL_MESSAGE(strstr(wanted(true), "example.org/networks\n"), "it is there");
    build_bare(CRD_OF("xnetworks") CRD_OF("networks"));
    set_kind("CompositeResourceDefinition", PRB_RESOURCE_UNKNOWN, "discovery failed");
    TEST_ASSERT_EQUAL_STRING_MESSAGE(DEFINITIONS_WANTED, wanted(true), "nobody knows");
    set_kind("CompositeResourceDefinition", PRB_RESOURCE_ABSENT, "");
    TEST_ASSERT_EQUAL_STRING_MESSAGE(DEFINITIONS_WANTED "example.org/networks\n",
            sorted(wanted(true)), "there are none at all");
}

/* --- which keys ------------------------------------------------------------------------------- */

static void add_key(void *ctx, const struct prb_ref *key)
{
    char text[PRB_REF_TEXT_SIZE];

    prb_ref_describe(key, text);
    prb_str_addf(ctx, "%s\n", text);
}

/* By a change of this one; "": of the collection. */
static const char *mapped(const char *gvr, const char *namespace, const char *name)
{
    struct prb_store *store = prb_world_store(world, gvr);
    prb_auto(prb_object_unref) struct prb_object *object =
            name[0] ? prb_store_get(store, namespace, name) : NULL;
    prb_auto(prb_view_close) struct prb_view *view = claim_view();
    struct prb_ref ref = { .name = "" };

    (void)prb_gvr_parse(gvr, &ref.gvr);
    if (object)
        (void)prb_object_ref_in(object, &ref.gvr, &ref);
    prb_str_clear(&keys);
    prb_reconciler_claims.map_wanted(view, &ref, object, add_key, &keys);
    return sorted(prb_str_get(&keys));
}

#define OWNED_BY(kind, name, flags)                                                \
    ", ownerReferences: [{apiVersion: example.org/v1, kind: " kind ", name: " name \
    ", uid: u-" name flags "}]"
#define TREE(claim, flags)                                                                     \
    claim COMPOSITE("", BOUND COMPOSES(REF_OF("XSubnet", "s1"))) SUBNET(                       \
            "s1", OWNED_BY("XNetwork", "x1", BLOCKS), "a: b" COMPOSES(REF_OF("Bucket", "b1"))) \
            BUCKET("b1", OWNED_BY("XSubnet", "s1", flags))

static void test_a_leaf_leads_to_the_claim_that_is_being_deleted(void)
{
    build(TREE(LEAVING, BLOCKS));
    TEST_ASSERT_EQUAL_STRING("buckets b1\nnetworks team/n1\n", mapped(BUCKETS, "", "b1"));
    TEST_ASSERT_EQUAL_STRING("networks team/n1\nxsubnets s1\n", mapped(XSUBNETS, "", "s1"));
    TEST_ASSERT_EQUAL_STRING("networks team/n1\nxnetworks x1\n", mapped(XNETWORKS, "", "x1"));
    TEST_ASSERT_EQUAL_STRING("networks team/n1\n", mapped(NETWORKS, "team", "n1"));
    build(TREE(CLAIM(", " HELD, REF), BLOCKS));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("buckets b1\n", mapped(BUCKETS, "", "b1"), "a live claim");
}

static void test_a_leaf_that_does_not_block_leads_to_its_composite(void)
{
    build(TREE(CLAIM(", " HELD, REF), CONTROLS));
    TEST_ASSERT_EQUAL_STRING("buckets b1\nxsubnets s1\n", mapped(BUCKETS, "", "b1"));
    build(TREE(CLAIM(", " HELD, REF), ""));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("buckets b1\n", mapped(BUCKETS, "", "b1"), "not controlled");
}

static void test_a_collection_that_was_read_leads_to_all_that_it_concerns(void)
{
    build(TREE(LEAVING, BLOCKS));
    TEST_ASSERT_EQUAL_STRING("networks team/n1\nxnetworks x1\n", mapped(XNETWORKS, "", ""));
    TEST_ASSERT_EQUAL_STRING("networks team/n1\nnetworks team/n1\n", mapped(NETWORKS, "", ""));
    TEST_ASSERT_EQUAL_STRING("buckets b1\nnetworks team/n1\n", mapped(BUCKETS, "", ""));
}

/* The same by a change of one in a collection of the table. */
static const char *mapped_by(size_t watch, const char *key)
{
    const struct prb_ref ref = prb_world_ref(key);
    char gvr[PRB_GVR_TEXT_SIZE];
    prb_auto(prb_object_unref) struct prb_object *object = NULL;

    prb_gvr_format(&ref.gvr, gvr);
    object = prb_store_get(prb_world_store(world, gvr), "", ref.name);
    prb_str_clear(&keys);
    if (object) {
        prb_auto(prb_view_close) struct prb_view *view = claim_view();

        prb_reconciler_claims.watches[watch].map(view, &ref, object, add_key, &keys);
    }
    return sorted(prb_str_get(&keys));
}

static void test_a_definition_leads_to_claims_that_are_being_deleted(void)
{
    build(TREE(LEAVING, BLOCKS));
    TEST_ASSERT_EQUAL_STRING("compositeresourcedefinitions xnetworks.example.org\n"
                             "networks team/n1\n",
            mapped_by(0, DEFINITIONS "//xnetworks.example.org"));
}

#define COMPOSED(api_version, kind)                 \
    "---\napiVersion: " api_version "\nkind: " kind \
    "\nmetadata: {name: c1.example.org, uid: u-c1" OWNED_BY("XNetwork", "x1", BLOCKS) "}\n"

/* What the table has may be composed as anything else. */
static void test_what_is_composed_leads_to_its_claim_whatever_it_is(void)
{
    static const struct {
        const char *key, *composed;
    } rows[] = {
        { DEFINITIONS "//c1.example.org",
                COMPOSED("apiextensions.crossplane.io/v1", "CompositeResourceDefinition") },
        { WEBHOOKS "//c1.example.org",
                COMPOSED("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration") },
        { "customresourcedefinitions.v1.apiextensions.k8s.io//c1.example.org",
                COMPOSED("apiextensions.k8s.io/v1", "CustomResourceDefinition") },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        prb_autofree char *yaml =
                prb_asprintf("%s%s", LEAVING COMPOSITE("", BOUND), rows[i].composed);
        const char *found;

        build(yaml);
        found = mapped_by(i, rows[i].key);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(found, "networks team/n1\n"), rows[i].key);
    }
}

/* --- who checks ------------------------------------------------------------------------------- */

#define X_DEFINITION DEFINITIONS "//xnetworks.example.org"
#define NAMED_CONFIGURATION(own, name, operations, group, resource)                            \
    "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n" \
    "metadata: {name: " own "}\nwebhooks: [{name: " name ", rules: [{operations: [" operations \
    "], apiGroups: ['" group "'], apiVersions: ['*'], resources: ['" resource "']}]}]\n"
#define CONFIGURATION(name, operations, group, resource) \
    NAMED_CONFIGURATION("probate", name, operations, group, resource)
#define OURS "claim-delete-policy.probate.dev"
#define WARNS "warning ClaimsNotCovered on compositeresourcedefinitions xnetworks.example.org\n"

static void test_kinds_that_no_registration_covers_are_told_of(void)
{
    static const struct row rows[] = {
        { "covered", CONFIGURATION(OURS, "CREATE, UPDATE", "example.org", "networks"), "" },
        { "by a star", CONFIGURATION(OURS, "'*'", "*", "*/*"), "" },
        { "by two rules of two configurations",
                CONFIGURATION(OURS, "CREATE", "example.org", "networks")
                        NAMED_CONFIGURATION("b", OURS, "UPDATE", "example.org", "networks"),
                "" },
        { "of another group", CONFIGURATION(OURS, "CREATE, UPDATE", "example.com", "networks"),
                WARNS },
        { "of another kind", CONFIGURATION(OURS, "CREATE, UPDATE", "example.org", "sites"), WARNS },
        { "on creation only", CONFIGURATION(OURS, "CREATE", "example.org", "networks"), WARNS },
        { "by another webhook", CONFIGURATION("a.b.c", "'*'", "*", "*"), WARNS },
        { "none at all", "", WARNS },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        build(rows[i].world);
        (void)prb_world_serve(world, WEBHOOKS);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, play(X_DEFINITION), rows[i].name);
    }
    TEST_ASSERT_EQUAL_STRING(
            "no registration of the webhook claim-delete-policy.probate.dev covers "
            "networks.example.org: what these claims say in spec.compositeDeletePolicy is not "
            "checked. Register it with --claim-resource=networks.example.org",
            waits());
}

static void test_what_is_not_known_or_has_no_claims_is_not_told_of(void)
{
    build("");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", play(X_DEFINITION), "webhooks were not read");
    (void)prb_world_serve(world, WEBHOOKS);
    TEST_ASSERT_EQUAL_STRING("", play(DEFINITIONS "//xsubnets.example.org"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_claims_and_composites_of_definitions_are_read_whole);
    RUN_TEST(test_what_composites_list_is_read_without_bodies);
    RUN_TEST(test_composites_of_claims_by_flag_are_read_unless_they_are_of_kubernetes);
    RUN_TEST(test_definitions_of_another_version_will_do);
    RUN_TEST(test_claims_whose_definition_is_gone_are_read);
    RUN_TEST(test_a_leaf_leads_to_the_claim_that_is_being_deleted);
    RUN_TEST(test_a_leaf_that_does_not_block_leads_to_its_composite);
    RUN_TEST(test_a_collection_that_was_read_leads_to_all_that_it_concerns);
    RUN_TEST(test_a_definition_leads_to_claims_that_are_being_deleted);
    RUN_TEST(test_what_is_composed_leads_to_its_claim_whatever_it_is);
    RUN_TEST(test_kinds_that_no_registration_covers_are_told_of);
    RUN_TEST(test_what_is_not_known_or_has_no_claims_is_not_told_of);
    return UNITY_END();
}
