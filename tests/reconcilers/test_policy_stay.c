/* What is not meant by a policy, or not any more: does it stay? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "policy_world.h"

void setUp(void)
{
    policy_world_init();
}

void tearDown(void)
{
    policy_world_done();
}

#define ASSERT_HAS(text, part) TEST_ASSERT_NOT_NULL_MESSAGE(strstr((text), (part)), (text))

#define A_YAML "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"
#define MERGE_NONE "{\"spec\":{\"pruneObjectBehavior\":\"None\"}}"
#define HOLD "{\"metadata\":{\"finalizers\":[\"test.dev/hold\"]}}"
#define LET_GO "{\"metadata\":{\"finalizers\":null}}"

/* ---- another kind ---- */

#define DEFINITION(kind, plural, singular)                                                       \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"                      \
    "metadata: {name: " plural ".test.dev}\n"                                                    \
    "spec: {group: test.dev, scope: Namespaced, names: {plural: " plural ", singular: " singular \
    ", kind: " kind ", listKind: " kind "List}, versions: [{name: v1, served: true, "            \
    "storage: true, schema: {openAPIV3Schema: {type: object}}}]}\n"
#define CRD(plural) "customresourcedefinitions.v1.apiextensions.k8s.io//" plural ".test.dev"
#define GADGET "gadgets.v1.test.dev/default/w"

/* The kind is gone, and what is found by its name is another one. */
static void test_another_kind_of_that_short_name_is_not_pruned(void)
{
    put(DEFINITION("Widget", "widgets", "widget"));
    put(POLICY_YAML("p", ENFORCE ALL,
            TEMPLATE("musthave", "{apiVersion: test.dev/v1, kind: Widget, metadata: {name: w, "
                                 "namespace: default}}")));
    (void)settle();
    erase("widgets.v1.test.dev/default/w");
    erase(CRD("widgets"));
    TEST_ASSERT_FALSE(is_there(CRD("widgets")));
    put(DEFINITION("Gadget", "gadgets", "widget"));
    put("apiVersion: test.dev/v1\nkind: Gadget\nmetadata: {name: w, namespace: default}\n");
    TEST_ASSERT_TRUE(is_there(GADGET));
    erase(P);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(GADGET));
    TEST_ASSERT_FALSE(is_there(P));
}

/* As design 003 writes it. */
static void test_what_is_on_record_by_its_plural_is_pruned(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)pass();
    set(P, "status",
            "{\"status\":{\"relatedObjects\":[{\"object\":{\"apiVersion\":\"v1\",\"kind\":"
            "\"configmaps\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}}}]}}");
    later(1000);
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
}

/* ---- who comes after ---- */

static void put_again(void)
{
    put(A_YAML);
}

static void put_again_once_deleted(void)
{
    meanwhile("get configmaps", put_again);
}

static void test_what_is_made_as_soon_as_it_is_deleted_stays(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(P);
    meanwhile("delete configmaps", put_again_once_deleted);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
}

/* Two that want the opposite would otherwise go on for ever. */
static void test_what_is_made_when_another_is_gone_at_last_stays(void)
{
    put(A_YAML);
    set(CM("a"), NULL, HOLD);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(P);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(P));
    set(CM("a"), NULL, LET_GO);
    TEST_ASSERT_FALSE(is_there(CM("a")));
    put(A_YAML);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
}

/* The same where only a template has gone. */
static void test_what_is_made_when_one_that_left_is_gone_at_last_stays(void)
{
    put(A_YAML);
    set(CM("a"), NULL, HOLD);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    (void)settle();
    ASSERT_HAS(related("a"), " Cleaning up child objects");
    set(CM("a"), NULL, LET_GO);
    put(A_YAML);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("", related("a"));
}

/* What is not known for a while is not forgotten. */
static void test_what_was_seen_going_is_known_after_a_pass_that_could_not_look(void)
{
    put(A_YAML);
    set(CM("a"), NULL, HOLD);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    (void)settle();
    later(600000);
    fault("get configmaps default/b", PRB_E_UNAVAILABLE, 1);
    (void)pass();
    ASSERT_HAS(message(0), "it could not be read");
    set(CM("a"), NULL, LET_GO);
    put(A_YAML);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("", related("a"));
}

/* ---- the kind of policies was removed, and is back ---- */

#define POLICY_CRD                                                                            \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"                   \
    "metadata: {name: configurationpolicies.policy.open-cluster-management.io}\n"             \
    "spec: {group: policy.open-cluster-management.io, scope: Namespaced, names: {plural: "    \
    "configurationpolicies, singular: configurationpolicy, kind: ConfigurationPolicy, "       \
    "listKind: ConfigurationPolicyList}, versions: [{name: v1, served: true, storage: true, " \
    "subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, "                   \
    "x-kubernetes-preserve-unknown-fields: true}}}]}\n"

/* Deleted with its kind, whose own finalizer somebody has taken off: etcd has kept it. */
static void test_a_policy_that_was_deleted_before_its_kind_was_made_prunes_nothing(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(P);
    later(2000);
    put(POLICY_CRD);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void test_a_policy_that_was_deleted_after_its_kind_was_made_prunes(void)
{
    put(POLICY_CRD);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_FALSE(is_there(CM("a")));
}

/* ---- what a template without a name has found ---- */

#define ENTRY_JSON(name, properties)                                                      \
    "{\"compliant\":\"Compliant\",\"reason\":\"Resource found as expected\",\"object\":{" \
    "\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" name         \
    "\",\"namespace\":\"default\"}}" properties "}"

/* Another controller records these by name, and never enforces them. */
static void test_what_a_template_without_a_name_has_found_elsewhere_stays(void)
{
    put(POLICY_YAML("p", ENFORCE ALL,
            TEMPLATE("musthave", "{apiVersion: v1, kind: ConfigMap, data: {x: '1'}}") "," HAS(
                    "b", "")));
    put(A_YAML "data: {x: '1'}\n");
    set(P, "status", "{\"status\":{\"relatedObjects\":[" ENTRY_JSON("a", "") "]}}");
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("b")));
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_FALSE(is_there(CM("b")));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* ---- the policy has changed its mind ---- */

static void prune_nothing(void)
{
    set(P, NULL, MERGE_NONE);
}

/* It was read in this pass, but long before. */
static void test_a_policy_is_read_again_after_others_have_gone(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: default}\n");
    set(P, NULL,
            TEMPLATES_JSON("{\"complianceType\":\"mustnothave\",\"objectDefinition\":{"
                           "\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":"
                           "\"c\",\"namespace\":\"default\"}}}"));
    meanwhile("delete configmaps default/c", prune_nothing);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("c")));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* ---- what waits for the policy ---- */

#define SELF_YAML                                                                    \
    "{apiVersion: policy.open-cluster-management.io/v1, kind: ConfigurationPolicy, " \
    "metadata: {name: p, namespace: default}}"

static void test_a_policy_does_not_wait_for_itself(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, TEMPLATE("musthave", SELF_YAML) "," HAS("a", "")));
    (void)settle();
    ASSERT_HAS(related("p"), "Compliant false ");
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
}

static void test_a_policy_that_does_not_mean_itself_any_more_stays(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, TEMPLATE("musthave", SELF_YAML)));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("a")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("", at(P, "/metadata/deletionTimestamp"));
    TEST_ASSERT_EQUAL_STRING("", related("p"));
}

#define HOME "namespaces.v1.//home"
#define AT_HOME POLICIES "/home/p"

/* The namespace cannot be gone before the policy is. */
static void test_a_policy_does_not_wait_for_its_own_namespace(void)
{
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: home}\n"
        "---\napiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\n"
        "metadata: {name: p, namespace: home}\n"
        "spec: {" ENFORCE ALL " object-templates: [" TEMPLATE(
                "musthave", "{apiVersion: v1, kind: Namespace, metadata: {name: home}}") "]}\n");
    for (int i = 0; i < 3; i++)
        (void)pass_of(AT_HOME);
    TEST_ASSERT_EQUAL_STRING("Compliant", at(AT_HOME, "/status/compliant"));
    erase(AT_HOME);
    TEST_ASSERT_NOT_NULL(strstr(pass_of(AT_HOME), "delete namespaces home"));
    TEST_ASSERT_FALSE(is_there(AT_HOME));
    TEST_ASSERT_FALSE(is_there(HOME));
}

/* ---- a record that nobody has written ---- */

static void test_an_intent_of_the_far_future_holds_no_policy(void)
{
    static const char *const tokens[] = { "9223372036854775807-x", "9223372036854775000-x",
        "32503680000000-x" };

    for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
        prb_autofree char *patch = prb_asprintf(
                "{\"status\":{\"relatedObjects\":[" ENTRY_JSON("z",
                        ",\"properties\":{\"createdByPolicy\":true,\"uid\":\"creating-%s\"}") "]}}",
                tokens[i]);

        put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
        (void)pass();
        set(P, "status", patch);
        erase(P);
        later(31000);
        (void)settle();
        TEST_ASSERT_FALSE_MESSAGE(is_there(P), tokens[i]);
        policy_world_done();
        policy_world_init();
    }
}

/* ---- one object, two groups ---- */

#define EVENT_JSON(api_version)                                                            \
    "{\"complianceType\":\"musthave\",\"objectDefinition\":{\"apiVersion\":\"" api_version \
    "\",\"kind\":\"Event\",\"metadata\":{\"name\":\"e\",\"namespace\":\"default\"}}}"
#define OLD_EVENT "events.v1./default/e"
#define NEW_EVENT "events.v1.events.k8s.io/default/e"

/* Of the hub the two groups are two collections: what the one has on record is in the other. */
static void test_what_has_moved_to_another_group_stays_and_goes_with_the_policy(void)
{
    prb_autofree char *record = NULL;

    put(POLICY_YAML("p", ENFORCE IF_CREATED, EVENT_JSON("v1")));
    (void)settle();
    erase(OLD_EVENT);
    put("apiVersion: events.k8s.io/v1\nkind: Event\nmetadata: {name: e, namespace: default}\n");
    record = prb_asprintf("{\"status\":{\"relatedObjects\":[{\"object\":{\"apiVersion\":\"v1\","
                          "\"kind\":\"Event\",\"metadata\":{\"name\":\"e\",\"namespace\":"
                          "\"default\"}},\"properties\":{\"createdByPolicy\":true,\"uid\":\"%s\"}"
                          "}]}}",
            at(NEW_EVENT, "/metadata/uid"));
    set(P, "status", record);
    set(P, NULL, TEMPLATES_JSON(EVENT_JSON("events.k8s.io/v1")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(NEW_EVENT));
    ASSERT_HAS(related("e"), "Compliant true ");
    TEST_ASSERT_EQUAL_STRING(
            "events.k8s.io/v1", at(P, "/status/relatedObjects/0/object/apiVersion"));
    TEST_ASSERT_EQUAL_STRING("", at(P, "/status/relatedObjects/1"));
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(NEW_EVENT));
    TEST_ASSERT_FALSE(is_there(P));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_another_kind_of_that_short_name_is_not_pruned);
    RUN_TEST(test_what_is_on_record_by_its_plural_is_pruned);
    RUN_TEST(test_what_is_made_as_soon_as_it_is_deleted_stays);
    RUN_TEST(test_what_is_made_when_another_is_gone_at_last_stays);
    RUN_TEST(test_what_is_made_when_one_that_left_is_gone_at_last_stays);
    RUN_TEST(test_what_was_seen_going_is_known_after_a_pass_that_could_not_look);
    RUN_TEST(test_a_policy_that_was_deleted_before_its_kind_was_made_prunes_nothing);
    RUN_TEST(test_a_policy_that_was_deleted_after_its_kind_was_made_prunes);
    RUN_TEST(test_what_a_template_without_a_name_has_found_elsewhere_stays);
    RUN_TEST(test_a_policy_is_read_again_after_others_have_gone);
    RUN_TEST(test_a_policy_does_not_wait_for_itself);
    RUN_TEST(test_a_policy_that_does_not_mean_itself_any_more_stays);
    RUN_TEST(test_a_policy_does_not_wait_for_its_own_namespace);
    RUN_TEST(test_an_intent_of_the_far_future_holds_no_policy);
    RUN_TEST(test_what_has_moved_to_another_group_stays_and_goes_with_the_policy);
    return UNITY_END();
}
