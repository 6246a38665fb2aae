#include <string.h>
#include <unity.h>

#include "probate/base/str.h"
#include "probate/core/judge.h"
#include "probate/rules/registry.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_every_rule_is_found_by_its_name(void)
{
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    TEST_ASSERT_EQUAL_size_t(5, count);
    for (size_t i = 0; i < count; i++)
        TEST_ASSERT_EQUAL_PTR_MESSAGE(rules[i], prb_rule_find(rules[i]->name), rules[i]->name);
    TEST_ASSERT_EQUAL_PTR(&prb_rule_selftest, prb_rule_find("selftest"));
    TEST_ASSERT_NULL(prb_rule_find("no-such-rule"));
    TEST_ASSERT_NULL(prb_rule_find(NULL));
}

static void test_names_are_what_flags_and_dashboards_rely_on(void)
{
    TEST_ASSERT_EQUAL_PTR(&prb_rule_manifestwork_orphan, prb_rule_find("manifestwork-orphan"));
    TEST_ASSERT_EQUAL_PTR(&prb_rule_cluster_lifecycle, prb_rule_find("cluster-lifecycle"));
    TEST_ASSERT_EQUAL_PTR(&prb_rule_claim_delete_policy, prb_rule_find("claim-delete-policy"));
    TEST_ASSERT_EQUAL_PTR(&prb_rule_policy_prune, prb_rule_find("policy-prune"));
    TEST_ASSERT_EQUAL_PTR(&prb_rule_critical_service, prb_rule_find("critical-service"));
}

/* What is missing in an entry, NULL when nothing is. */
static const char *find_gap(const struct prb_rule *rule)
{
    if (!rule->summary || !rule->judge || !rule->reads || rule->match_count == 0)
        return "summary, judge, reads or matches";
    for (size_t i = 0; i < rule->match_count; i++) {
        const struct prb_rule_match *match = &rule->matches[i];

        if (match->operations == 0)
            return "operations";
        if (!match->resource && !rule->covers)
            return "covers";
        if (!match->resource != !match->group)
            return "group and resource";
    }
    return NULL;
}

static void test_every_entry_of_the_table_is_whole(void)
{
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    for (size_t i = 0; i < count; i++)
        TEST_ASSERT_NULL_MESSAGE(find_gap(rules[i]), rules[i]->name);
}

static const char *verbs_for(const struct prb_rule *rule, const struct prb_watch_spec *watch)
{
    for (size_t i = 0; i < rule->right_count; i++) {
        if (prb_streq(rule->rights[i].group, watch->group) &&
                prb_streq(rule->rights[i].resource, watch->resource))
            return rule->rights[i].verbs;
    }
    return "";
}

static bool may_watch(const struct prb_rule *rule, const struct prb_watch_spec *watch)
{
    const char *verbs = verbs_for(rule, watch);

    return strstr(verbs, "list") && strstr(verbs, "watch");
}

static void test_what_a_rule_watches_it_has_the_right_to(void)
{
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    for (size_t i = 0; i < count; i++) {
        for (size_t w = 0; w < rules[i]->watch_count; w++)
            TEST_ASSERT_TRUE_MESSAGE(may_watch(rules[i], &rules[i]->watches[w]), rules[i]->name);
    }
}

static void test_what_is_asked_live_may_be_read(void)
{
    static const struct {
        const struct prb_rule *rule;
        struct prb_watch_spec asked;
        const char *verb;
    } cases[] = {
        { &prb_rule_cluster_lifecycle,
                { .group = "cluster.open-cluster-management.io", .resource = "managedclusters" },
                "get" },
        { &prb_rule_cluster_lifecycle,
                { .group = "addon.open-cluster-management.io", .resource = "managedclusteraddons" },
                "get" },
        { &prb_rule_critical_service, { .group = "probate.dev", .resource = "criticalservices" },
                "list" },
        { &prb_rule_critical_service, { .group = "apps", .resource = "deployments" }, "get" },
        { &prb_rule_critical_service,
                { .group = "authorization.k8s.io", .resource = "subjectaccessreviews" }, "create" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_NOT_NULL_MESSAGE(
                strstr(verbs_for(cases[i].rule, &cases[i].asked), cases[i].verb),
                cases[i].asked.resource);
}

/* It is made in Probate's own namespace, where no other rule has a say. */
static void test_the_self_test_is_answered_in_an_exempt_namespace(void)
{
    const char *exempt[] = { "probate-system" };
    const struct prb_rule_settings settings = { .exempt_namespaces = exempt, .exempt_count = 1 };
    char namespace[] = "probate-system", none[] = "";
    const struct prb_request request = { .operation = PRB_CREATE,
        .gvr = { "coordination.k8s.io", "v1", "leases" },
        .subresource = none,
        .namespace = namespace };

    TEST_ASSERT_TRUE(prb_rule_matches(&prb_rule_selftest, &settings, &request, NULL));
}

/* A match says by its index how the API server is to call for it. */
static void test_every_match_has_its_registration(void)
{
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    for (size_t i = 0; i < count; i++) {
        size_t registrations = rules[i]->registrations ? rules[i]->registration_count : 1;

        for (size_t m = 0; m < rules[i]->match_count; m++)
            TEST_ASSERT_LESS_THAN_size_t_MESSAGE(
                    registrations, rules[i]->matches[m].registration, rules[i]->name);
    }
}

/* While Probate is down, what is protected stays and everything else goes on. */
static void test_only_what_is_protected_fails_closed(void)
{
    static const struct {
        const char *name;
        bool fail_open;
        int timeout_s;
        bool label, namespace_label, without_label, condition;
    } expected[] = {
        { "critical-service", false, 25, false, false, false, false },
        { "critical-service-delete", false, 25, false, true, false, false },
        { "critical-service-namespace", false, 25, true, false, false, false },
        { "critical-service-unlabelled", true, 0, false, true, true, false },
        { "critical-service-unlabelled-namespace", true, 0, true, false, true, false },
        { "critical-service-label", false, 25, true, false, false, true },
    };
    const struct prb_rule *rule = &prb_rule_critical_service;

    TEST_ASSERT_EQUAL_size_t(6, rule->registration_count);
    for (size_t i = 0; i < 6; i++) {
        const struct prb_registration *found = &rule->registrations[i];

        TEST_ASSERT_EQUAL_STRING(expected[i].name, found->name);
        TEST_ASSERT_EQUAL(expected[i].fail_open, found->fail_open);
        TEST_ASSERT_EQUAL_INT(expected[i].timeout_s, found->timeout_s);
        TEST_ASSERT_EQUAL(expected[i].label, found->label != NULL);
        TEST_ASSERT_EQUAL(expected[i].namespace_label, found->namespace_label != NULL);
        TEST_ASSERT_EQUAL(expected[i].without_label, found->without_label);
        TEST_ASSERT_EQUAL(expected[i].condition, found->condition != NULL);
    }
}

/* A Deployment is written by many, its Namespace's label is what the protection hangs on. */
static void test_no_update_of_a_deployment_is_judged(void)
{
    const struct prb_rule *rule = &prb_rule_critical_service;

    for (size_t i = 0; i < rule->match_count; i++) {
        if (prb_streq(rule->matches[i].resource, "deployments"))
            TEST_ASSERT_EQUAL_UINT(PRB_DELETE, rule->matches[i].operations);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_rule_is_found_by_its_name);
    RUN_TEST(test_names_are_what_flags_and_dashboards_rely_on);
    RUN_TEST(test_every_entry_of_the_table_is_whole);
    RUN_TEST(test_what_a_rule_watches_it_has_the_right_to);
    RUN_TEST(test_what_is_asked_live_may_be_read);
    RUN_TEST(test_the_self_test_is_answered_in_an_exempt_namespace);
    RUN_TEST(test_every_match_has_its_registration);
    RUN_TEST(test_only_what_is_protected_fails_closed);
    RUN_TEST(test_no_update_of_a_deployment_is_judged);
    return UNITY_END();
}
