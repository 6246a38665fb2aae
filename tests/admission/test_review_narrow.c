/* What a review keeps in memory while it waits: the members that the rules for it read. */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/core/judge.h"
#include "probate/rules/registry.h"

#include "review_narrow.h"
#include "review_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* All values of a tree. */
static size_t count(const struct json_object *tree)
{
    size_t values = 1;

    if (json_object_is_type(tree, json_type_array)) {
        for (size_t i = 0; i < prb_json_len(tree); i++)
            values += count(prb_json_elem(tree, i));
    } else if (json_object_is_type(tree, json_type_object)) {
        json_object_object_foreach ((struct json_object *)(uintptr_t)tree, key, member) {
            (void)key;
            values += count(member);
        }
    }
    return values;
}

static const char *const own[] = { "metadata.labels", "spec.mine", "spec.list.k", NULL };
static const char *const less[] = { "metadata.labels", NULL };
static const char *const of_another[] = { "spec.theirs", NULL };
static const char *const at_run_time[] = { "spec.perhaps", NULL };

static const struct prb_rule_match things[] = {
    { .group = "g.io", .resource = "things", .operations = PRB_UPDATE },
    { .group = "g.io", .resource = "things", .operations = PRB_DELETE, .reads = less },
};
static const struct prb_rule_match others[] = {
    { .group = "g.io", .resource = "others", .operations = PRB_UPDATE | PRB_DELETE },
};
static const struct prb_rule_match any[] = {
    { .operations = PRB_UPDATE },
};
static const struct prb_rule rules[] = {
    { .name = "own", .matches = things, .match_count = 2, .reads = own },
    { .name = "another", .matches = others, .match_count = 1, .reads = of_another },
    { .name = "run-time", .matches = any, .match_count = 1, .reads = at_run_time },
};
static const struct prb_rule_entry entries[] = { { &rules[0], PRB_MODE_DENY },
    { &rules[1], PRB_MODE_DENY }, { &rules[2], PRB_MODE_DENY } };
static const struct prb_judge judge = { .entries = entries, .count = 3 };

#define OBJECT                                                             \
    "{'metadata':{'name':'a','uid':'1','labels':{'x':'y'}},'spec':{'mine'" \
    ":{'a':[1,2]},'list':[{'k':1,'v':2},7],'theirs':[0,0,0],'perhaps':'p','nobodys':1}}"

static void check(const char *request_text, const char *only, const char *wanted_text)
{
    static const char *const all[] = { "metadata", "spec", NULL };
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_autofree char *wanted = review_text(wanted_text), *kept = NULL;
    struct prb_error err = { 0 };

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, review_read(request_text, all, &request, &err), err.msg);
    request->only = only ? prb_strdup(only) : NULL;
    (void)prb_review_narrow(&judge, request);
    kept = prb_json_text(prb_object_tree(request->old), true);
    TEST_ASSERT_EQUAL_STRING(wanted, kept);
    if (request->object) {
        free(kept);
        kept = prb_json_text(prb_object_tree(request->object), true);
        TEST_ASSERT_EQUAL_STRING(wanted, kept);
    }
}

#define NAMES "'metadata':{'labels':{'x':'y'},'name':'a','uid':'1'}"
#define UPDATE REQUEST("'operation':'UPDATE','object':" OBJECT ",'oldObject':" OBJECT)

static void test_what_the_rules_for_it_read_is_kept(void)
{
    check(UPDATE, NULL, "{" NAMES ",'spec':{'list':[{'k':1},7],'mine':{'a':[1,2]},'perhaps':'p'}}");
}

static void test_of_one_rule_alone_only_its_own_is_kept(void)
{
    check(UPDATE, "own", "{" NAMES ",'spec':{'list':[{'k':1},7],'mine':{'a':[1,2]}}}");
    check(UPDATE, "run-time", "{'metadata':{'name':'a','uid':'1'},'spec':{'perhaps':'p'}}");
}

static void test_a_match_may_need_less_than_its_rule(void)
{
    check(REQUEST("'operation':'DELETE','oldObject':" OBJECT), NULL, "{" NAMES "}");
}

/* The rules of Probate, and reviews that are large by what no rule for them reads. */

static const struct prb_rule *const shipped[] = { &prb_rule_manifestwork_orphan,
    &prb_rule_cluster_lifecycle, &prb_rule_claim_delete_policy, &prb_rule_policy_prune,
    &prb_rule_critical_service, &prb_rule_selftest };
#define SHIPPED (sizeof(shipped) / sizeof(shipped[0]))

/* Values of a member that is built because a rule for another kind reads it. */
#define FAT 100000

struct fat {
    const char *group, *resource;
    const char *member; /* of spec: FAT zeros */
};

static char *fat_review(const struct fat *fat)
{
    prb_auto(prb_str_done) struct prb_str zeros;
    prb_autofree char *text = NULL;

    prb_str_init(&zeros, (size_t)4 * FAT);
    for (size_t i = 0; i < FAT; i++)
        prb_str_add(&zeros, i ? ",0" : "0");
    text = prb_asprintf(
            REVIEW("'uid':'u-1','kind':{'group':'%s','version':'v1','kind':'K'},'resource':{"
                   "'group':'%s','version':'v1','resource':'%s'},'namespace':'n','name':'a',"
                   "'operation':'DELETE','oldObject':{'metadata':{'name':'a','namespace':'n',"
                   "'labels':{'x':'y'}},'spec':{'%s':[%s]}}"),
            fat->group, fat->group, fat->resource, fat->member, prb_str_get(&zeros));
    return review_text(text);
}

static void test_a_fat_review_that_waits_is_small(void)
{
    static const struct fat cases[] = {
        { "apps", "deployments", "criteria" },
        { "", "namespaces", "criteria" },
        { "apps", "deployments", "deleteOption" },
        { "probate.dev", "criticalservices", "deleteOption" },
        { "cluster.open-cluster-management.io", "managedclusters", "criteria" },
    };
    prb_auto(prb_review_reader_free) struct prb_review_reader *reader =
            prb_review_reader_new(shipped, SHIPPED);
    struct prb_rule_entry all[SHIPPED];
    const struct prb_judge judge_all = { .entries = all, .count = SHIPPED };

    for (size_t i = 0; i < SHIPPED; i++)
        all[i] = (struct prb_rule_entry){ .rule = shipped[i] };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_request_free) struct prb_request *request = NULL;
        prb_autofree char *text = fat_review(&cases[i]);
        struct prb_error err = { 0 };
        size_t before, after, freed;

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, prb_review_read(reader, text, strlen(text), &request, &err), err.msg);
        before = count(prb_object_tree(request->old));
        freed = prb_review_narrow(&judge_all, request);
        after = count(prb_object_tree(request->old));
        printf("%s with spec.%s: %zu values built, %zu kept while it waits\n", cases[i].resource,
                cases[i].member, before, after);
        TEST_ASSERT_TRUE(before > FAT);
        TEST_ASSERT_TRUE(after < 10);
        TEST_ASSERT_GREATER_THAN_size_t((size_t)64 * FAT, freed);
        TEST_ASSERT_EQUAL_STRING("a", prb_object_name(request->old));
        TEST_ASSERT_EQUAL_STRING("n", prb_object_namespace(request->old));
    }
}

/* All rules at once, for any request: their lists have room. */
static void test_the_lists_of_all_rules_have_room(void)
{
    size_t matches = 0;

    for (size_t i = 0; i < SHIPPED; i++)
        matches += shipped[i]->match_count;
    TEST_ASSERT_TRUE(matches <= PRB_READS_MAX);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_the_rules_for_it_read_is_kept);
    RUN_TEST(test_of_one_rule_alone_only_its_own_is_kept);
    RUN_TEST(test_a_match_may_need_less_than_its_rule);
    RUN_TEST(test_a_fat_review_that_waits_is_small);
    RUN_TEST(test_the_lists_of_all_rules_have_room);
    return UNITY_END();
}
