#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/model/delete_option.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* A work with this spec.deleteOption ("" for none). */
static struct prb_object *work_of(const char *option)
{
    struct prb_object *work = NULL;
    struct prb_error err;

    (void)prb_object_draft(option[0] ? prb_test_json("{'spec':{'deleteOption':%s}}", option)
                                     : prb_test_json("{'spec':{}}"),
            &work, &err);
    return work;
}

/* A failed assertion does not end a test: there may be no such rule. */
static const struct prb_orphan_rule *rule_at(const struct prb_delete_option *option, size_t index)
{
    static const struct prb_orphan_rule none = { "", "", "", "", .list = "" };

    return index < option->rule_count ? &option->rules[index] : &none;
}

#define SELECT(rules) \
    "{'propagationPolicy':'SelectivelyOrphan','selectivelyOrphans':{'orphaningRules':" rules "}}"
#define CM1 "{'resource':'configmaps','namespace':'default','name':'cm1'}"
#define CM2 "{'resource':'configmaps','namespace':'default','name':'cm2'}"

static void test_policies_mean_what_they_say(void)
{
    static const struct {
        const char *option;
        enum prb_orphaning orphaning;
    } cases[] = {
        { "", PRB_ORPHAN_NOTHING },
        { "null", PRB_ORPHAN_NOTHING },
        { "{}", PRB_ORPHAN_NOTHING },
        { "'Orphan'", PRB_ORPHAN_NOTHING },
        { "{'propagationPolicy':null}", PRB_ORPHAN_NOTHING },
        { "{'propagationPolicy':'Foreground'}", PRB_ORPHAN_NOTHING },
        { "{'propagationPolicy':'Orphan'}", PRB_ORPHAN_ALL },
        { "{'propagationPolicy':'SelectivelyOrphan'}", PRB_ORPHAN_SELECTED },
        { "{'propagationPolicy':'orphan'}", PRB_ORPHAN_UNKNOWN },
        { "{'propagationPolicy':''}", PRB_ORPHAN_UNKNOWN },
        { "{'propagationPolicy':['Orphan']}", PRB_ORPHAN_UNKNOWN },
        { "{'propagationPolicy':'Orphan\\u0000'}", PRB_ORPHAN_UNKNOWN },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *work = work_of(cases[i].option);
        prb_auto(prb_delete_option_done) struct prb_delete_option option;

        prb_delete_option_read(work, &option);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].orphaning, option.orphaning, cases[i].option);
    }
}

static void test_no_work_says_nothing(void)
{
    prb_auto(prb_delete_option_done) struct prb_delete_option option;

    prb_delete_option_read(NULL, &option);
    TEST_ASSERT_EQUAL_INT(PRB_ORPHAN_NOTHING, option.orphaning);
    TEST_ASSERT_EQUAL_size_t(0, option.rule_count);
}

static void test_every_spelling_of_a_rule_is_read(void)
{
    static const struct {
        const char *option, *list;
        bool other;
    } cases[] = {
        { "{'selectivelyOrphans':{'orphaningRules':[{'group':'g','resource':'r','namespace':'n',"
          "'name':'x'}]}}",
                "selectivelyOrphans.orphaningRules", false },
        { "{'selectivelyOrphan':[{'group':'g','resource':'r','resourceNamespace':'n',"
          "'resourceName':'x'}]}",
                "selectivelyOrphan", true },
        { "{'selectivelyOrphan':{'orphaningRules':[{'group':'g','resource':'r','namespace':'n',"
          "'name':'x'}]}}",
                "selectivelyOrphan.orphaningRules", true },
        { "{'selectivelyOrphans':[{'group':'g','resource':'r','namespace':'n','name':'x'}]}",
                "selectivelyOrphans", true },
        { "{'selectivelyOrphans':{'orphaningRules':[{'group':'g','resource':'r','namespace':null,"
          "'resourceNamespace':'n','name':null,'resourceName':'x'}]}}",
                "selectivelyOrphans.orphaningRules", true },
        { "{'selectivelyOrphan':null,'selectivelyOrphans':{'orphaningRules':[{'group':'g',"
          "'resource':'r','namespace':'n','name':'x'}]}}",
                "selectivelyOrphans.orphaningRules", false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *work = work_of(cases[i].option);
        prb_auto(prb_delete_option_done) struct prb_delete_option option;

        prb_delete_option_read(work, &option);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(1, option.rule_count, cases[i].option);
        TEST_ASSERT_TRUE_MESSAGE(
                prb_orphan_rule_names(rule_at(&option, 0), "g", "r", "n", "x"), cases[i].option);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].list, rule_at(&option, 0)->list, cases[i].option);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].other, option.other_spelling, cases[i].option);
    }
}

static void test_rules_under_both_keys_add_up(void)
{
    prb_auto(prb_object_unref) struct prb_object *work =
            work_of("{'selectivelyOrphan':[" CM1 "],'selectivelyOrphans':{'orphaningRules':[" CM2
                    "," CM1 "]}}");
    prb_auto(prb_delete_option_done) struct prb_delete_option option;

    prb_delete_option_read(work, &option);
    TEST_ASSERT_EQUAL_size_t(3, option.rule_count);
    TEST_ASSERT_EQUAL_STRING("cm2", rule_at(&option, 0)->name);
    TEST_ASSERT_EQUAL_size_t(1, rule_at(&option, 1)->index);
    TEST_ASSERT_EQUAL_size_t(0, rule_at(&option, 2)->index);
}

static void test_the_name_of_the_api_wins_over_the_other(void)
{
    prb_auto(prb_object_unref) struct prb_object *work =
            work_of(SELECT("[{'resource':'r','name':'mine','resourceName':'other'}]"));
    prb_auto(prb_delete_option_done) struct prb_delete_option option;

    prb_delete_option_read(work, &option);
    TEST_ASSERT_EQUAL_STRING("mine", rule_at(&option, 0)->name);
}

static void test_a_rule_names_exactly_one_resource(void)
{
    static const struct {
        const char *group, *resource, *namespace, *name;
        bool named;
    } resources[] = {
        { "", "configmaps", "default", "cm1", true },
        { "apps", "configmaps", "default", "cm1", false },
        { "", "secrets", "default", "cm1", false },
        { "", "configmaps", "", "cm1", false },
        { "", "configmaps", "default", "cm", false },
    };
    prb_auto(prb_object_unref) struct prb_object *work = work_of(SELECT("[" CM1 "]"));
    prb_auto(prb_delete_option_done) struct prb_delete_option option;

    prb_delete_option_read(work, &option);
    for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++)
        TEST_ASSERT_EQUAL(resources[i].named,
                prb_orphan_rule_names(rule_at(&option, 0), resources[i].group,
                        resources[i].resource, resources[i].namespace, resources[i].name));
}

static void test_a_mistyped_rule_names_nothing(void)
{
    prb_auto(prb_object_unref) struct prb_object *work =
            work_of(SELECT("[{'resource':'r','name':'x','namespace':7},9,null,[],"
                           "{'resource':'r','name':'x\\u0000y'}]"));
    prb_auto(prb_delete_option_done) struct prb_delete_option option;

    prb_delete_option_read(work, &option);
    TEST_ASSERT_EQUAL_size_t(5, option.rule_count);
    TEST_ASSERT_EQUAL_UINT(PRB_RULE_NAMESPACE, rule_at(&option, 0)->mistyped);
    TEST_ASSERT_FALSE(prb_orphan_rule_names(rule_at(&option, 0), "", "r", "", "x"));
    TEST_ASSERT_EQUAL_UINT(PRB_RULE_ITSELF, rule_at(&option, 1)->mistyped);
    TEST_ASSERT_EQUAL_UINT(PRB_RULE_ITSELF, rule_at(&option, 2)->mistyped);
    TEST_ASSERT_EQUAL_UINT(PRB_RULE_ITSELF, rule_at(&option, 3)->mistyped);
    TEST_ASSERT_EQUAL_UINT(PRB_RULE_NAME, rule_at(&option, 4)->mistyped);
}

static void test_containers_of_a_wrong_type_are_kept_apart(void)
{
    static const struct {
        const char *option, *field, *wanted;
    } cases[] = {
        { "'Orphan'", "spec.deleteOption", "a map" },
        { "[]", "spec.deleteOption", "a map" },
        { "{'selectivelyOrphans':true}", "spec.deleteOption.selectivelyOrphans", "a map" },
        { "{'selectivelyOrphan':'x'}", "spec.deleteOption.selectivelyOrphan", "a map" },
        { "{'selectivelyOrphans':{'orphaningRules':{}}}",
                "spec.deleteOption.selectivelyOrphans.orphaningRules", "a list" },
        { "{'selectivelyOrphan':{'orphaningRules':1}}",
                "spec.deleteOption.selectivelyOrphan.orphaningRules", "a list" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *work = work_of(cases[i].option);
        prb_auto(prb_delete_option_done) struct prb_delete_option option;

        prb_delete_option_read(work, &option);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(1, option.misfit_count, cases[i].option);
        TEST_ASSERT_EQUAL_STRING(cases[i].field, option.misfits[0].field);
        TEST_ASSERT_EQUAL_STRING(cases[i].wanted, option.misfits[0].wanted);
    }
}

static void test_both_keys_may_be_misfits(void)
{
    prb_auto(prb_object_unref) struct prb_object *work =
            work_of("{'selectivelyOrphans':1,'selectivelyOrphan':{'orphaningRules':2}}");
    prb_auto(prb_delete_option_done) struct prb_delete_option option;

    prb_delete_option_read(work, &option);
    TEST_ASSERT_EQUAL_size_t(2, option.misfit_count);
}

static const struct {
    const char *name, *a, *b;
    bool same_policy, same_rules;
} pairs[] = {
    { "nothing and the default", "", "{'propagationPolicy':'Foreground'}", true, true },
    { "nothing and null", "", "null", true, true },
    { "two policies", "{'propagationPolicy':'Orphan'}", "", false, true },
    { "an unknown policy and itself", "{'propagationPolicy':'X'}", "{'propagationPolicy':'X'}",
            true, true },
    { "two unknown policies", "{'propagationPolicy':'X'}", "{'propagationPolicy':'Y'}", false,
            true },
    { "two policies of wrong types", "{'propagationPolicy':7}", "{'propagationPolicy':[7]}", false,
            true },
    { "the ttl", "{'ttlSecondsAfterFinished':1}", "{'ttlSecondsAfterFinished':2}", true, true },
    { "the order", SELECT("[" CM1 "," CM2 "]"), SELECT("[" CM2 "," CM1 "]"), true, true },
    { "repetition on the left", SELECT("[" CM1 "," CM1 "," CM2 "," CM2 "]"),
            SELECT("[" CM2 "," CM1 "]"), true, true },
    { "repetition on the right", SELECT("[" CM1 "]"), SELECT("[" CM1 "," CM1 "," CM1 "]"), true,
            true },
    { "repetition on both", SELECT("[" CM1 "," CM1 "]"), SELECT("[" CM1 "," CM1 "," CM1 "]"), true,
            true },
    { "one more", SELECT("[" CM1 "]"), SELECT("[" CM1 "," CM2 "]"), true, false },
    { "one less", SELECT("[" CM1 "," CM2 "]"), SELECT("[" CM2 "]"), true, false },
    { "none and one", SELECT("[]"), SELECT("[" CM2 "]"), true, false },
    { "the other spelling", SELECT("[" CM1 "]"),
            "{'propagationPolicy':'SelectivelyOrphan','selectivelyOrphan':[{'resource':"
            "'configmaps','resourceNamespace':'default','resourceName':'cm1'}]}",
            true, true },
    { "an absent group and an empty one", SELECT("[" CM1 "]"),
            SELECT("[{'group':'','resource':'configmaps','namespace':'default','name':'cm1'}]"),
            true, true },
    { "two groups", SELECT("[{'group':'a','resource':'r','name':'x'}]"),
            SELECT("[{'group':'b','resource':'r','name':'x'}]"), true, false },
    { "fields whose texts join to the same",
            SELECT("[{'resource':'ab','namespace':'c','name':'d'}]"),
            SELECT("[{'resource':'a','namespace':'bc','name':'d'}]"), true, false },
    { "a mistyped rule and itself, members in another order", SELECT("[{'resource':'r','name':7}]"),
            SELECT("[{'name':7,'resource':'r'}]"), true, true },
    { "two mistyped rules", SELECT("[{'resource':'r','name':7}]"),
            SELECT("[{'resource':'r','name':8}]"), true, false },
    { "a mistyped name and an absent one", SELECT("[{'resource':'r','name':7}]"),
            SELECT("[{'resource':'r'}]"), true, false },
    { "a misfit and itself", "{'selectivelyOrphans':7}", "{'selectivelyOrphans':7}", true, true },
    { "two misfits", "{'selectivelyOrphans':7}", "{'selectivelyOrphans':8}", true, false },
    { "the same misfit in two places", "{'selectivelyOrphans':7}", "{'selectivelyOrphan':7}", true,
            false },
    { "a misfit and nothing", "'x'", "", true, false },
};

static void test_settings_are_compared_by_what_they_do(void)
{
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *left = work_of(pairs[i].a);
        prb_auto(prb_object_unref) struct prb_object *right = work_of(pairs[i].b);
        prb_auto(prb_delete_option_done) struct prb_delete_option a, b;

        prb_delete_option_read(left, &a);
        prb_delete_option_read(right, &b);
        prb_delete_option_compare(&a, &b);
        TEST_ASSERT_EQUAL_MESSAGE(
                pairs[i].same_policy, prb_delete_option_same_policy(&a, &b), pairs[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(
                pairs[i].same_policy, prb_delete_option_same_policy(&b, &a), pairs[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(
                pairs[i].same_rules, prb_delete_option_same_rules(&a, &b), pairs[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(
                pairs[i].same_rules, prb_delete_option_same_rules(&b, &a), pairs[i].name);
    }
}

/* "s" for a shared rule, "r" for a repeated one, "-" between them. */
static void describe_marks(const struct prb_delete_option *option, char text[64])
{
    text[0] = '\0';
    for (size_t i = 0; i < option->rule_count; i++)
        (void)snprintf(text + strlen(text), 64 - strlen(text), "%s%s%s", i > 0 ? "-" : "",
                option->rules[i].shared ? "s" : "", option->rules[i].repeated ? "r" : "");
}

static void test_rules_are_marked_as_shared_and_repeated(void)
{
    prb_auto(prb_object_unref) struct prb_object *left =
            work_of(SELECT("[" CM1 "," CM2 "," CM1 "," CM2 "]"));
    prb_auto(prb_object_unref) struct prb_object *right = work_of(SELECT("[" CM1 "]"));
    prb_auto(prb_delete_option_done) struct prb_delete_option a, b;
    char marks[64];

    prb_delete_option_read(left, &a);
    prb_delete_option_read(right, &b);
    prb_delete_option_compare(&a, &b);
    describe_marks(&a, marks);
    TEST_ASSERT_EQUAL_STRING("s--sr-r", marks);
    describe_marks(&b, marks);
    TEST_ASSERT_EQUAL_STRING("s", marks);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_policies_mean_what_they_say);
    RUN_TEST(test_no_work_says_nothing);
    RUN_TEST(test_every_spelling_of_a_rule_is_read);
    RUN_TEST(test_rules_under_both_keys_add_up);
    RUN_TEST(test_the_name_of_the_api_wins_over_the_other);
    RUN_TEST(test_a_rule_names_exactly_one_resource);
    RUN_TEST(test_a_mistyped_rule_names_nothing);
    RUN_TEST(test_containers_of_a_wrong_type_are_kept_apart);
    RUN_TEST(test_both_keys_may_be_misfits);
    RUN_TEST(test_settings_are_compared_by_what_they_do);
    RUN_TEST(test_rules_are_marked_as_shared_and_repeated);
    return UNITY_END();
}
