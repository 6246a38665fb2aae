/* Is what a policy says so, told, and looked at when it should be? */

#include <string.h>
#include <unity.h>

#include "policy_world.h"

void setUp(void)
{
    policy_world_init();
    watch("", "ConfigMap");
}

void tearDown(void)
{
    policy_world_done();
}

#define ASSERT_HAS(text, part) TEST_ASSERT_NOT_NULL_MESSAGE(strstr((text), (part)), (text))
#define A_YAML "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"
#define MERGE_X "{\"data\":{\"x\":\"other\"}}"

/* ---- whose policies ---- */

static void test_a_policy_elsewhere_is_not_carried_out(void)
{
    policy_world.namespace = "elsewhere";
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)pass();
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&policy_world.calls));
    policy_world.namespace = "default";
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    erase(P);
    policy_world.namespace = "elsewhere";
    (void)pass();
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&policy_world.calls));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* ---- findings ---- */

static const struct {
    const char *name, *before, *policy, *compliant, *entry, *message;
} findings[] = {
    { "musthave, there", A_YAML "data: {x: '1'}\n", POLICY_YAML("p", INFORM, HAS("a", "x: '1'")),
            "Compliant", "Resource found as expected",
            "configmaps [a] found as specified in namespace default" },
    { "musthave, absent", NULL, POLICY_YAML("p", INFORM, HAS("a", "x: '1'")), "NonCompliant",
            "Resource not found but should exist",
            "configmaps [a] not found in namespace default" },
    { "musthave, different", A_YAML "data: {x: '2'}\n",
            POLICY_YAML("p", INFORM, HAS("a", "x: '1'")), "NonCompliant",
            "Resource found but does not match",
            "configmaps [a] found but not as specified in namespace default" },
    { "mustnothave, there", A_YAML, POLICY_YAML("p", INFORM, HAS_NOT("a")), "NonCompliant",
            "Resource found but should not exist",
            "configmaps [a] found, and should not be in namespace default" },
    { "mustnothave, absent", NULL, POLICY_YAML("p", INFORM, HAS_NOT("a")), "Compliant",
            "Resource not found as expected",
            "configmaps [a] missing as expected in namespace "
            "default" },
};

static void test_inform_tells_and_touches_nothing(void)
{
    for (size_t i = 0; i < sizeof(findings) / sizeof(findings[0]); i++) {
        if (findings[i].before)
            put(findings[i].before);
        put(findings[i].policy);
        (void)settle();
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                findings[i].compliant, at(P, "/status/compliant"), findings[i].name);
        ASSERT_HAS(related("a"), findings[i].entry);
        TEST_ASSERT_EQUAL_STRING(findings[i].message, message(0));
        TEST_ASSERT_EQUAL_MESSAGE(findings[i].before != NULL, is_there(CM("a")), findings[i].name);
        policy_world_done();
        policy_world_init();
        watch("", "ConfigMap");
    }
}

static void test_what_must_not_be_and_never_was_has_no_properties(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", INFORM, HAS_NOT("a") ", " HAS("gone", "")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("NonCompliant Resource found but should not exist", related("a"));
    TEST_ASSERT_EQUAL_STRING("NonCompliant Resource not found but should exist", related("gone"));
}

static void test_enforce_repairs_drift(void)
{
    put(POLICY_YAML("p", ENFORCE, HAS("a", "x: '1'")));
    (void)settle();
    set(CM("a"), NULL, MERGE_X);
    later(3000);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\nupdate configmaps default/a\n", pass());
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_STRING("", pass());
}

static void test_nothing_is_added_to_a_list_that_is_too_long_to_be_compared(void)
{
    prb_auto(prb_str_done) struct prb_str yaml;

    prb_str_init(&yaml, 65536);
    prb_str_add(&yaml,
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\nlist: [0");
    for (int i = 1; i <= 2000; i++)
        prb_str_addf(&yaml, ", %d", i);
    prb_str_add(&yaml, "]\n");
    put(prb_str_get(&yaml));
    put(POLICY_YAML("p", ENFORCE,
            TEMPLATE("musthave",
                    "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}, "
                    "list: [7]}")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("", at(CM("a"), "/list/2001"));
    TEST_ASSERT_EQUAL_STRING("NonCompliant", at(P, "/status/compliant"));
    ASSERT_HAS(message(0), "a list is too long to be compared in any order");
}

static void test_enforce_deletes_what_must_not_be(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE, HAS_NOT("a")));
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "get configurationpolicies default/p\n"
                             "delete configmaps default/a\n"
                             "get configmaps default/a\n"
                             "patch configurationpolicies default/p status\n",
            pass());
    TEST_ASSERT_FALSE(is_there(CM("a")));
    ASSERT_HAS(prb_str_get(&policy_world.events), "deleted configmaps default/a");
    TEST_ASSERT_EQUAL_STRING("", pass());
}

static void spare_it(void)
{
    set(P, NULL, "{\"spec\":{\"remediationAction\":\"inform\"}}");
}

static void test_enforce_deletes_nothing_on_the_word_of_a_cache(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE, HAS_NOT("a")));
    policy_world.stale = true;
    meanwhile("get configmaps", spare_it);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void test_what_must_not_be_and_is_held_is_waited_for(void)
{
    put(A_YAML);
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    put(POLICY_YAML("p", ENFORCE, HAS_NOT("a")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("NonCompliant", at(P, "/status/compliant"));
    TEST_ASSERT_EQUAL_STRING("configmaps default/a: it is being deleted since "
                             "2026-01-01T00:00:00Z, held by finalizer x/y",
            message(0));
    TEST_ASSERT_EQUAL_STRING("", pass());
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
}

/* ---- namespaces ---- */

static void test_a_selector_means_each_namespace_it_selects(void)
{
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: app-1}\n---\n"
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: app-2}\n---\n"
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: app-3}\n");
    put(POLICY_YAML("p",
            ENFORCE "namespaceSelector: {include: ['app-*', default], exclude: ['app-[3-9]']},",
            TEMPLATE("musthave", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING(
            "configmaps [a] found as specified in namespaces app-1, app-2, default", message(0));
    TEST_ASSERT_FALSE(is_there("configmaps.v1./app-3/a"));
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: app-0}\n");
    (void)settle();
    TEST_ASSERT_TRUE(is_there("configmaps.v1./app-0/a"));
}

static void test_a_selector_that_selects_nothing_is_told(void)
{
    put(POLICY_YAML("p", ENFORCE "namespaceSelector: {include: [none]},",
            TEMPLATE("musthave", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("NonCompliant", at(P, "/status/compliant"));
    TEST_ASSERT_EQUAL_STRING(
            "ConfigMap [a]: spec.namespaceSelector selects no namespace", message(0));
}

static void test_a_cluster_scoped_kind_needs_no_namespace(void)
{
    put(POLICY_YAML("p", ENFORCE,
            TEMPLATE("musthave", "{apiVersion: v1, kind: Namespace, metadata: {name: made}}")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there("namespaces.v1.//made"));
    TEST_ASSERT_EQUAL_STRING("namespaces [made] found as specified", message(0));
}

/* ---- several templates ---- */

static void test_two_templates_may_say_two_halves_of_one_object(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "x: '1'") ", " HAS("a", "z: '2'")));
    (void)pass();
    TEST_ASSERT_EQUAL_STRING("patch configurationpolicies default/p status\n"
                             "create configmaps default/a\n"
                             "update configmaps default/a\n"
                             "patch configurationpolicies default/p status\n",
            pass());
    TEST_ASSERT_EQUAL_STRING("{\"x\":\"1\",\"z\":\"2\"}", at(CM("a"), "/data"));
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
    TEST_ASSERT_EQUAL_STRING("", at(P, "/status/relatedObjects/1"));
    ASSERT_HAS(related("a"), "Compliant true ");
    TEST_ASSERT_EQUAL_STRING("", pass());
}

static void test_templates_that_say_the_opposite_do_not_fight(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "") ", " HAS_NOT("a")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(message(1), "template 0 says the opposite");
    TEST_ASSERT_EQUAL_STRING("NonCompliant", at(P, "/status/compliant"));
    TEST_ASSERT_EQUAL_STRING("", pass());
}

static void test_one_that_fails_holds_up_no_other(void)
{
    put(POLICY_YAML("p", ENFORCE, HAS("a", "") ", " HAS("b", "")));
    fault("create configmaps default/a", PRB_E_FORBIDDEN, 100);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("b")));
    TEST_ASSERT_EQUAL_STRING("NonCompliant", at(P, "/status/compliant"));
    ASSERT_HAS(related("b"), "Compliant true ");
}

/* ---- what the server makes of it ---- */

static void shout(struct json_object *body)
{
    struct json_object *data = prb_json_obj(body, "data");

    if (data && prb_json_has(data, "x"))
        prb_json_set_str(data, "x", "NORMALISED");
}

static void test_what_the_server_makes_of_our_write_is_not_written_again(void)
{
    put(A_YAML);
    mutate(shout);
    put(POLICY_YAML("p", ENFORCE, HAS("a", "x: '1'")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}"); /* seen, and nothing new */
    later(3000);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n", pass());
    set(CM("a"), NULL, MERGE_X);
    later(3000);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\nupdate configmaps default/a\n", pass());
}

static void test_a_status_in_a_template_is_told_and_never_written(void)
{
    put("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: default}\n"
        "status: {replicas: 1}\n");
    put(POLICY_YAML("p", ENFORCE,
            TEMPLATE("musthave", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, "
                                 "namespace: default}, status: {replicas: 2}}")));
    TEST_ASSERT_EQUAL_STRING("get deployments default/d\n"
                             "patch configurationpolicies default/p status\n",
            pass());
    ASSERT_HAS(message(0), "found but not as specified");
}

static void be_faster(void)
{
    set(CM("a"), NULL, "{\"data\":{\"z\":\"2\"}}");
}

static void test_a_conflict_is_tried_once_more_on_what_is_there_then(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE, HAS("a", "x: '1'")));
    meanwhile("update configmaps", be_faster);
    (void)pass();
    TEST_ASSERT_EQUAL_STRING("{\"x\":\"1\",\"z\":\"2\"}", at(CM("a"), "/data"));
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
}

/* ---- when ---- */

static void test_a_compliant_policy_costs_no_call(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "x: '1'") ", " HAS_NOT("b")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("", pass());
    later(240000);
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(240000, policy_world.changes.again_after_ms);
}

static void test_an_interval_is_kept_and_changes_in_between_wait_for_it(void)
{
    put(POLICY_YAML("p", ENFORCE "evaluationInterval: {compliant: 5m, noncompliant: 20s},",
            HAS("a", "x: '1'")));
    (void)settle();
    set(CM("a"), NULL, MERGE_X);
    later(60000);
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_INT64_WITHIN(1000, 240000, policy_world.changes.again_after_ms);
    later(241000);
    (void)pass();
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
}

static void test_an_interval_is_not_shorter_than_ten_seconds(void)
{
    put(POLICY_YAML("p", INFORM "evaluationInterval: {noncompliant: 1s},", HAS("a", "")));
    (void)pass();
    TEST_ASSERT_EQUAL_INT64(10000, policy_world.changes.again_after_ms);
}

static void test_never_is_never_until_the_policy_changes(void)
{
    put(POLICY_YAML("p", ENFORCE "evaluationInterval: {compliant: never},", HAS("a", "x: '1'")));
    (void)settle();
    set(CM("a"), NULL, MERGE_X);
    later(86400000);
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_INT64(0, policy_world.changes.again_after_ms);
    set(P, NULL, TEMPLATES_JSON(CM_JSON("a") "," CM_JSON("b")));
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("b")));
}

static void test_never_yields_to_namespaces_that_change(void)
{
    put(POLICY_YAML("p",
            ENFORCE "evaluationInterval: {compliant: never}, namespaceSelector: {include: ['d*']},",
            TEMPLATE("musthave", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")));
    (void)settle();
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: dev}\n");
    (void)pass();
    TEST_ASSERT_TRUE(is_there("configmaps.v1./dev/a"));
}

/* ---- what is told ---- */

static void test_a_status_says_nothing_that_changes_by_itself(void)
{
    put(POLICY_YAML("p", INFORM, HAS("a", "")));
    (void)settle();
    restart();
    later(3600000);
    (void)pass();
    TEST_ASSERT_EQUAL(0, policy_world.writes);
    TEST_ASSERT_EQUAL_STRING("1", at(P, "/status/lastEvaluatedGeneration"));
}

static void test_history_keeps_the_last_ten(void)
{
    put(POLICY_YAML("p", INFORM, HAS("a", "")));
    (void)settle();
    for (int i = 0; i < 6; i++) {
        put(A_YAML);
        later(3000);
        (void)settle();
        erase(CM("a"));
        later(3000);
        (void)settle();
    }
    ASSERT_HAS(at(P, "/status/history/0/message"), "NonCompliant; violation - configmaps [a] not");
    ASSERT_HAS(at(P, "/status/history/9/message"), "Compliant; ");
    TEST_ASSERT_EQUAL_STRING("", at(P, "/status/history/10"));
}

static void test_a_message_of_the_users_own_is_told_instead(void)
{
    put(POLICY_YAML("p", INFORM "customMessage: {noncompliant: call the team},", HAS("a", "")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("NonCompliant; call the team", at(P, "/status/history/0/message"));
}

static void test_too_many_objects_are_refused(void)
{
    prb_auto(prb_str_done) struct prb_str yaml;

    prb_str_init(&yaml, (size_t)4 * 1024 * 1024);
    for (int i = 0; i < 2600; i++)
        prb_str_addf(&yaml, "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: n%d}\n", i);
    put(prb_str_get(&yaml));
    put(POLICY_YAML("p", INFORM "namespaceSelector: {include: ['n*']},",
            TEMPLATE("mustnothave", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")));
    (void)pass();
    ASSERT_HAS(message(0), "the policy means more than 2500 objects");
}

/* ---- the monitor ---- */

static const char monitor[] = POLICY_YAML("p", INFORM,
        TEMPLATE("mustnothave", "{apiVersion: policy.open-cluster-management.io/v1, kind: "
                                "ConfigurationPolicy, status: {compliant: Terminating}}"));

static void test_a_monitor_finds_policies_that_are_stuck(void)
{
    put(monitor);
    put(POLICY_YAML("q", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass_of(POLICY_REF("q"));
    (void)pass_of(POLICY_REF("q"));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    erase(POLICY_REF("q"));
    (void)pass_of(POLICY_REF("q"));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("NonCompliant", at(P, "/status/compliant"));
    TEST_ASSERT_EQUAL_STRING(
            "configurationpolicies [default/q] found, and should not be", message(0));
    TEST_ASSERT_EQUAL_STRING("NonCompliant Resource found but should not exist", related("-"));
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    (void)pass_of(POLICY_REF("q"));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
}

/* Never mended: what an unnamed template matched was pruned with DeleteAll. */
static void test_what_a_search_finds_is_never_pruned(void)
{
    put(POLICY_YAML("q", INFORM, HAS("a", "")));
    put(POLICY_YAML("p", ENFORCE ALL,
            TEMPLATE("mustnothave", "{apiVersion: policy.open-cluster-management.io/v1, kind: "
                                    "ConfigurationPolicy, spec: {remediationAction: inform}}")));
    (void)settle();
    ASSERT_HAS(message(0), "default/q");
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(POLICY_REF("q")));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_policy_elsewhere_is_not_carried_out);
    RUN_TEST(test_inform_tells_and_touches_nothing);
    RUN_TEST(test_what_must_not_be_and_never_was_has_no_properties);
    RUN_TEST(test_enforce_repairs_drift);
    RUN_TEST(test_nothing_is_added_to_a_list_that_is_too_long_to_be_compared);
    RUN_TEST(test_enforce_deletes_what_must_not_be);
    RUN_TEST(test_enforce_deletes_nothing_on_the_word_of_a_cache);
    RUN_TEST(test_what_must_not_be_and_is_held_is_waited_for);
    RUN_TEST(test_a_selector_means_each_namespace_it_selects);
    RUN_TEST(test_a_selector_that_selects_nothing_is_told);
    RUN_TEST(test_a_cluster_scoped_kind_needs_no_namespace);
    RUN_TEST(test_two_templates_may_say_two_halves_of_one_object);
    RUN_TEST(test_templates_that_say_the_opposite_do_not_fight);
    RUN_TEST(test_one_that_fails_holds_up_no_other);
    RUN_TEST(test_what_the_server_makes_of_our_write_is_not_written_again);
    RUN_TEST(test_a_status_in_a_template_is_told_and_never_written);
    RUN_TEST(test_a_conflict_is_tried_once_more_on_what_is_there_then);
    RUN_TEST(test_a_compliant_policy_costs_no_call);
    RUN_TEST(test_an_interval_is_kept_and_changes_in_between_wait_for_it);
    RUN_TEST(test_an_interval_is_not_shorter_than_ten_seconds);
    RUN_TEST(test_never_is_never_until_the_policy_changes);
    RUN_TEST(test_never_yields_to_namespaces_that_change);
    RUN_TEST(test_a_status_says_nothing_that_changes_by_itself);
    RUN_TEST(test_history_keeps_the_last_ten);
    RUN_TEST(test_a_message_of_the_users_own_is_told_instead);
    RUN_TEST(test_too_many_objects_are_refused);
    RUN_TEST(test_a_monitor_finds_policies_that_are_stuck);
    RUN_TEST(test_what_a_search_finds_is_never_pruned);
    return UNITY_END();
}
