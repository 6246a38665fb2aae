#include <string.h>
#include <unity.h>

#include "probate/base/str.h"
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

    TEST_ASSERT_EQUAL_size_t(4, count);
    for (size_t i = 0; i < count; i++)
        TEST_ASSERT_EQUAL_PTR_MESSAGE(rules[i], prb_rule_find(rules[i]->name), rules[i]->name);
    TEST_ASSERT_NULL(prb_rule_find("no-such-rule"));
    TEST_ASSERT_NULL(prb_rule_find(NULL));
}

static void test_names_are_what_flags_and_dashboards_rely_on(void)
{
    TEST_ASSERT_EQUAL_PTR(&prb_rule_manifestwork_orphan, prb_rule_find("manifestwork-orphan"));
    TEST_ASSERT_EQUAL_PTR(&prb_rule_cluster_lifecycle, prb_rule_find("cluster-lifecycle"));
    TEST_ASSERT_EQUAL_PTR(&prb_rule_claim_delete_policy, prb_rule_find("claim-delete-policy"));
    TEST_ASSERT_EQUAL_PTR(&prb_rule_policy_prune, prb_rule_find("policy-prune"));
}

static void test_every_entry_of_the_table_is_whole(void)
{
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    for (size_t i = 0; i < count; i++) {
        const struct prb_rule *rule = rules[i];

        TEST_ASSERT_NOT_NULL_MESSAGE(rule->summary, rule->name);
        TEST_ASSERT_NOT_NULL_MESSAGE(rule->judge, rule->name);
        TEST_ASSERT_NOT_NULL_MESSAGE(rule->reads, rule->name);
        TEST_ASSERT_GREATER_THAN_size_t_MESSAGE(0, rule->match_count, rule->name);
        for (size_t m = 0; m < rule->match_count; m++) {
            TEST_ASSERT_NOT_EQUAL_MESSAGE(0, rule->matches[m].operations, rule->name);
            TEST_ASSERT_TRUE_MESSAGE(rule->matches[m].resource || rule->covers, rule->name);
            TEST_ASSERT_EQUAL_MESSAGE(
                    !rule->matches[m].resource, !rule->matches[m].group, rule->name);
        }
    }
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

static void test_what_a_rule_watches_it_has_the_right_to(void)
{
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    for (size_t i = 0; i < count; i++) {
        for (size_t w = 0; w < rules[i]->watch_count; w++) {
            const char *verbs = verbs_for(rules[i], &rules[i]->watches[w]);

            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(verbs, "list"), rules[i]->name);
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(verbs, "watch"), rules[i]->name);
        }
    }
}

static void test_what_is_asked_live_may_be_read(void)
{
    const struct prb_rule *rule = &prb_rule_cluster_lifecycle;
    const struct prb_watch_spec asked[] = {
        { .group = "cluster.open-cluster-management.io", .resource = "managedclusters" },
        { .group = "addon.open-cluster-management.io", .resource = "managedclusteraddons" },
    };

    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(verbs_for(rule, &asked[i]), "get"), asked[i].resource);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_rule_is_found_by_its_name);
    RUN_TEST(test_names_are_what_flags_and_dashboards_rely_on);
    RUN_TEST(test_every_entry_of_the_table_is_whole);
    RUN_TEST(test_what_a_rule_watches_it_has_the_right_to);
    RUN_TEST(test_what_is_asked_live_may_be_read);
    return UNITY_END();
}
