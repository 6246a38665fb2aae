/* Does what a policy has created go with it, and nothing else? */

#include <string.h>
#include <unity.h>

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
#define ASSERT_LACKS(text, part) TEST_ASSERT_NULL_MESSAGE(strstr((text), (part)), (text))

#define MERGE_INFORM "{\"spec\":{\"remediationAction\":\"inform\"}}"
#define MERGE_ENFORCE "{\"spec\":{\"remediationAction\":\"enforce\"}}"
#define MERGE_NONE "{\"spec\":{\"pruneObjectBehavior\":\"None\"}}"
#define A_YAML "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"

/* Delete the policy, and let the controller see to it. */
static void end_policy(void)
{
    erase(P);
    (void)settle();
}

/* ---- calls ---- */

static void test_a_first_evaluation_makes_exactly_these_calls(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "x: '1'")));
    TEST_ASSERT_EQUAL_STRING("patch configurationpolicies default/p\n", pass());
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "patch configurationpolicies default/p status\n"
                             "create configmaps default/a\n"
                             "patch configurationpolicies default/p status\n",
            pass());
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
}

static void test_a_deletion_makes_exactly_these_calls(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "x: '1'")));
    (void)settle();
    erase(P);
    TEST_ASSERT_EQUAL_STRING(
            "get customresourcedefinitions configurationpolicies.policy.open-cluster-management.io\n"
            "get configurationpolicies default/p\n"
            "get configmaps default/a\n"
            "delete configmaps default/a\n"
            "get configmaps default/a\n"
            "patch configurationpolicies default/p\n",
            pass());
    TEST_ASSERT_FALSE(is_there(P));
}

/* ---- createdByPolicy ---- */

static void test_what_it_created_is_recorded_with_its_uid(void)
{
    put(POLICY_YAML("p", ENFORCE, HAS("a", "x: '1'")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("true", at(P, "/status/relatedObjects/0/properties/createdByPolicy"));
    TEST_ASSERT_EQUAL_STRING(
            at(CM("a"), "/metadata/uid"), at(P, "/status/relatedObjects/0/properties/uid"));
    TEST_ASSERT_EQUAL_STRING("ConfigMap", at(P, "/status/relatedObjects/0/object/kind"));
}

static void test_what_was_there_or_only_edited_is_not_created(void)
{
    put(A_YAML "data: {z: '2'}\n");
    put(POLICY_YAML("p", ENFORCE, HAS("a", "x: '1'")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_STRING("2", at(CM("a"), "/data/z"));
    TEST_ASSERT_EQUAL_STRING("false", at(P, "/status/relatedObjects/0/properties/createdByPolicy"));
    TEST_ASSERT_EQUAL_STRING(
            at(CM("a"), "/metadata/uid"), at(P, "/status/relatedObjects/0/properties/uid"));
}

static void test_who_informs_says_false_and_a_uid(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", INFORM IF_CREATED, HAS("a", "x: '1'")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("NonCompliant", at(P, "/status/compliant"));
    TEST_ASSERT_EQUAL_STRING("false", at(P, "/status/relatedObjects/0/properties/createdByPolicy"));
    TEST_ASSERT_EQUAL_STRING(
            at(CM("a"), "/metadata/uid"), at(P, "/status/relatedObjects/0/properties/uid"));
    end_policy();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* ---- the behaviours, on deletion ---- */

static const struct {
    const char *name, *policy;
    bool is_there_before, is_there_after;
} behaviours[] = {
    { "DeleteIfCreated, created", POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")), false,
            false },
    { "DeleteIfCreated, there before", POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")), true,
            true },
    { "DeleteAll, created", POLICY_YAML("p", ENFORCE ALL, HAS("a", "")), false, false },
    { "DeleteAll, there before", POLICY_YAML("p", ENFORCE ALL, HAS("a", "")), true, false },
    { "None, created", POLICY_YAML("p", ENFORCE NONE, HAS("a", "")), false, true },
    { "not said, created", POLICY_YAML("p", ENFORCE, HAS("a", "")), false, true },
    { "inform and DeleteAll, there before", POLICY_YAML("p", INFORM ALL, HAS("a", "")), true,
            true },
    { "Enforce in capitals", POLICY_YAML("p", "remediationAction: Enforce," ALL, HAS("a", "")),
            false, false },
};

static void test_each_behaviour_prunes_what_it_says(void)
{
    for (size_t i = 0; i < sizeof(behaviours) / sizeof(behaviours[0]); i++) {
        if (behaviours[i].is_there_before)
            put(A_YAML);
        put(behaviours[i].policy);
        (void)settle();
        end_policy();
        TEST_ASSERT_FALSE_MESSAGE(is_there(P), behaviours[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(
                behaviours[i].is_there_after, is_there(CM("a")), behaviours[i].name);
        policy_world_done();
        policy_world_init();
    }
}

static void test_inform_that_became_enforce_prunes(void)
{
    put(POLICY_YAML("p", INFORM IF_CREATED, HAS("a", "")));
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    set(P, NULL, MERGE_ENFORCE);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    end_policy();
    TEST_ASSERT_FALSE(is_there(CM("a")));
}

static void test_enforce_that_became_inform_prunes_nothing(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    set(P, NULL, MERGE_INFORM);
    end_policy();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void become_inform(void)
{
    set(P, NULL, MERGE_INFORM);
}

/* The cache says enforce, the server does not any more. */
static void test_a_policy_that_was_told_to_spare_them_in_the_last_moment_does(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(P);
    policy_world.stale = true;
    meanwhile("get customresourcedefinitions", become_inform);
    (void)pass();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* ---- whose object it is ---- */

static void test_a_child_that_the_policy_made_again_goes_with_it(void)
{
    watch("", "ConfigMap");
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    erase(CM("a"));
    later(3000);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING(
            at(CM("a"), "/metadata/uid"), at(P, "/status/relatedObjects/0/properties/uid"));
    end_policy();
    TEST_ASSERT_FALSE(is_there(CM("a")));
}

static void test_a_child_that_somebody_else_made_again_stays(void)
{
    watch("", "ConfigMap");
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    erase(CM("a"));
    put(A_YAML);
    later(3000);
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("true", at(P, "/status/relatedObjects/0/properties/createdByPolicy"));
    end_policy();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void make_again(void)
{
    erase(CM("a"));
    put(A_YAML);
}

/* Between our look and our DELETE. */
static void test_a_child_that_is_replaced_under_our_hands_stays(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(P);
    meanwhile("delete configmaps", make_again);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* ---- what holds a deletion ---- */

static void test_a_finalizer_of_the_child_holds_the_policy_and_is_told(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    watch("", "ConfigMap");
    end_policy();
    TEST_ASSERT_TRUE(is_there(P));
    TEST_ASSERT_FALSE(is_there(CM("b")));
    TEST_ASSERT_EQUAL_STRING("Terminating", at(P, "/status/compliant"));
    TEST_ASSERT_EQUAL_STRING("Terminating", at(P, "/status/compliancyDetails/0/Compliant"));
    TEST_ASSERT_EQUAL_STRING("Cleaning up child objects",
            at(P, "/status/compliancyDetails/0/conditions/0/reason"));
    TEST_ASSERT_EQUAL_STRING(
            "deleted at 2026-01-01T00:00:00Z; 1 of 2 related objects is left: ConfigMap default/a (being "
            "deleted since 2026-01-01T00:00:00Z, held by finalizer x/y)",
            message(0));
    TEST_ASSERT_EQUAL_STRING("b", at(P, "/status/relatedObjects/1/object/metadata/name"));
    TEST_ASSERT_NOT_NULL(policy_world.changes.waits_for);
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
}

static void test_waiting_for_a_child_writes_nothing_more_as_time_goes_by(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    end_policy();
    later(3600 * 1000);
    (void)pass();
    TEST_ASSERT_EQUAL(0, policy_world.writes);
    TEST_ASSERT_TRUE(
            policy_world.changes.again_after_ms > 0 || policy_world.changes.retry_max_ms > 0);
}

static void test_a_refused_delete_is_quoted_retried_and_done_when_it_may(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    erase(P);
    fault("delete configmaps", PRB_E_FORBIDDEN, 1);
    (void)pass();
    ASSERT_HAS(message(0),
            "1 of 1 related objects is left: ConfigMap default/a (it could not be deleted: "
            "refused by the test)");
    TEST_ASSERT_EQUAL_STRING("Error cleaning up child objects",
            at(P, "/status/compliancyDetails/0/conditions/0/reason"));
    TEST_ASSERT_TRUE(policy_world.changes.retry_max_ms > 0);
    ASSERT_HAS(prb_str_get(&policy_world.events),
            "Warning ConfigurationPolicy configurationpolicies default/p (PolicyInfo): Policy "
            "status is Terminating; violation - deleted at");
    (void)pass();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_FALSE(is_there(CM("a")));
}

static void test_the_parent_is_told_too(void)
{
    put("---\napiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\n"
        "metadata: {name: p, namespace: default, ownerReferences: [{apiVersion: "
        "policy.open-cluster-management.io/v1, kind: Policy, name: parent, uid: u1}]}\n"
        "spec: {remediationAction: inform, object-templates: [" HAS("a", "") "]}\n");
    (void)pass();
    ASSERT_HAS(prb_str_get(&policy_world.events),
            "Warning Policy policies default/parent (policy: default/p): NonCompliant; violation "
            "- configmaps [a] not found in namespace default\n");
    (void)pass();
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&policy_world.events));
}

static void test_an_object_that_cannot_be_read_is_not_gone(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    erase(P);
    fault("get configmaps", PRB_E_UNAVAILABLE, 1);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
    (void)pass();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_FALSE(is_there(CM("a")));
}

static void test_a_kind_that_nobody_knows_of_is_not_gone(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    erase(P);
    fault("resolve", PRB_E_UNAVAILABLE, 1);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
    (void)pass();
    TEST_ASSERT_FALSE(is_there(P));
}

#define WIDGETS                                                                                \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"                    \
    "metadata: {name: widgets.test.dev}\n"                                                     \
    "spec: {group: test.dev, scope: Namespaced, names: {plural: widgets, singular: widget, "   \
    "kind: Widget, listKind: WidgetList}, versions: [{name: v1, served: true, storage: true, " \
    "schema: {openAPIV3Schema: {type: object}}}]}\n"
#define WIDGET                                                                                     \
    TEMPLATE("musthave", "{apiVersion: test.dev/v1, kind: Widget, metadata: {name: w, namespace: " \
                         "default}}")

static void test_a_missing_kind_counts_as_gone(void)
{
    put(WIDGETS);
    put(POLICY_YAML("p", ENFORCE ALL, WIDGET));
    (void)settle();
    TEST_ASSERT_TRUE(is_there("widgets.v1.test.dev/default/w"));
    erase("customresourcedefinitions.v1.apiextensions.k8s.io//widgets.test.dev");
    end_policy();
    TEST_ASSERT_FALSE(is_there(P));
}

/* The policy had seen to it that there is none; who makes one now has made another. */
static void test_what_must_not_be_and_comes_back_is_not_pruned(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS_NOT("a") ", " HAS("b", "")));
    (void)settle();
    set(CM("b"), NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    erase(P);
    (void)pass();
    put(A_YAML);
    set(CM("b"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void test_what_has_gone_is_not_looked_at_again(void)
{
    watch("", "ConfigMap");
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    set(CM("b"), NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    erase(P);
    (void)pass();
    TEST_ASSERT_EQUAL_STRING(
            "get customresourcedefinitions configurationpolicies.policy.open-cluster-management.io\n"
            "get configurationpolicies default/p\n",
            pass());
}

/* ---- the finalizer ---- */

#define FINALIZERS "/metadata/finalizers"

static void test_the_finalizer_is_there_while_it_prunes(void)
{
    put(POLICY_YAML("p", INFORM NONE, HAS("a", "")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("", at(P, FINALIZERS));
    set(P, NULL, "{\"spec\":{\"pruneObjectBehavior\":\"DeleteAll\"}}");
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("[\"" PRB_POLICY_FINALIZER "\"]", at(P, FINALIZERS));
    set(P, NULL, MERGE_NONE);
    (void)settle();
    TEST_ASSERT_TRUE(prb_streq("", at(P, FINALIZERS)) || prb_streq("[]", at(P, FINALIZERS)));
}

static void test_finalizers_of_others_stay(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    set(P, NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    (void)settle();
    ASSERT_HAS(at(P, FINALIZERS), "x/y");
    ASSERT_HAS(at(P, FINALIZERS), PRB_POLICY_FINALIZER);
    end_policy();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("[\"x/y\"]", at(P, FINALIZERS));
}

static void test_a_deleting_policy_never_gets_the_finalizer_again(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    set(P, NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    (void)settle();
    end_policy();
    TEST_ASSERT_TRUE(is_there(P));
    put(A_YAML);
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(policy_world.changes.waits_for, "held by finalizer x/y");
}

static void test_nothing_is_created_before_the_finalizer_is_there(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    fault("patch configurationpolicies default/p", PRB_E_UNAVAILABLE, 1);
    (void)pass();
    TEST_ASSERT_FALSE(is_there(CM("a")));
}

#define CRD_NAME "configurationpolicies.policy.open-cluster-management.io"
#define CRD "customresourcedefinitions.v1.apiextensions.k8s.io//" CRD_NAME
#define CRD_GOES                                                                           \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"                \
    "metadata: {name: " CRD_NAME ", finalizers: [x/y], deletionTimestamp: "                \
    "'2026-01-01T00:00:00Z'}\n"                                                            \
    "spec: {group: policy.open-cluster-management.io, scope: Namespaced, names: {plural: " \
    "configurationpolicies, singular: configurationpolicy, kind: ConfigurationPolicy}, "   \
    "versions: [{name: v1, served: true, storage: true}]}\n"

static void test_a_kind_that_is_being_removed_prunes_nothing(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(P);
    put(CRD_GOES);
    (void)pass();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void test_nothing_is_pruned_while_nobody_knows_whether_the_kind_goes(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(P);
    fault("get customresourcedefinitions", PRB_E_FORBIDDEN, 1);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(policy_world.changes.waits_for, "nothing is pruned: CustomResourceDefinition");
    TEST_ASSERT_TRUE(policy_world.changes.retry_max_ms > 0);
}

/* ---- a policy that is another one by now ---- */

static void be_another(void)
{
    set(P, NULL, "{\"metadata\":{\"finalizers\":null}}");
    erase(P);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
}

static void test_a_policy_of_the_same_name_is_not_taken_for_the_deleted_one(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(P);
    policy_world.stale = true;
    meanwhile("get customresourcedefinitions", be_another);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_TRUE(is_there(P));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_first_evaluation_makes_exactly_these_calls);
    RUN_TEST(test_a_deletion_makes_exactly_these_calls);
    RUN_TEST(test_what_it_created_is_recorded_with_its_uid);
    RUN_TEST(test_what_was_there_or_only_edited_is_not_created);
    RUN_TEST(test_who_informs_says_false_and_a_uid);
    RUN_TEST(test_each_behaviour_prunes_what_it_says);
    RUN_TEST(test_inform_that_became_enforce_prunes);
    RUN_TEST(test_enforce_that_became_inform_prunes_nothing);
    RUN_TEST(test_a_policy_that_was_told_to_spare_them_in_the_last_moment_does);
    RUN_TEST(test_a_child_that_the_policy_made_again_goes_with_it);
    RUN_TEST(test_a_child_that_somebody_else_made_again_stays);
    RUN_TEST(test_a_child_that_is_replaced_under_our_hands_stays);
    RUN_TEST(test_a_finalizer_of_the_child_holds_the_policy_and_is_told);
    RUN_TEST(test_waiting_for_a_child_writes_nothing_more_as_time_goes_by);
    RUN_TEST(test_a_refused_delete_is_quoted_retried_and_done_when_it_may);
    RUN_TEST(test_the_parent_is_told_too);
    RUN_TEST(test_an_object_that_cannot_be_read_is_not_gone);
    RUN_TEST(test_a_kind_that_nobody_knows_of_is_not_gone);
    RUN_TEST(test_a_missing_kind_counts_as_gone);
    RUN_TEST(test_what_must_not_be_and_comes_back_is_not_pruned);
    RUN_TEST(test_what_has_gone_is_not_looked_at_again);
    RUN_TEST(test_the_finalizer_is_there_while_it_prunes);
    RUN_TEST(test_finalizers_of_others_stay);
    RUN_TEST(test_a_deleting_policy_never_gets_the_finalizer_again);
    RUN_TEST(test_nothing_is_created_before_the_finalizer_is_there);
    RUN_TEST(test_a_kind_that_is_being_removed_prunes_nothing);
    RUN_TEST(test_nothing_is_pruned_while_nobody_knows_whether_the_kind_goes);
    RUN_TEST(test_a_policy_of_the_same_name_is_not_taken_for_the_deleted_one);
    return UNITY_END();
}
