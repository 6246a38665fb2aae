/* Which namespaces does a selector mean, and what is no selector? */

#include <string.h>
#include <unity.h>

#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/model/policy_namespaces.h"

#include "support/world.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define NS(name, more) \
    "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: " name ", labels: {" more "}}\n"
static const char world_yaml[] = NS("default", "") NS("kube-system", "") NS("kube-public", "") NS(
        "app-1", "team: a") NS("app-2",
        "team: b") "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: app-9, labels: {team: a}, "
                   "deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [x/y]}\n";

/* NULL expected: it is refused. */
static const struct {
    const char *name, *selector, *expected;
} cases[] = {
    { "nothing said", "{}", "" },
    { "only exclude", "{exclude: ['kube-*']}", "" },
    { "include", "{include: [default]}", "default" },
    { "globs", "{include: ['kube-*', 'app-?']}", "app-1,app-2,app-9,kube-public,kube-system" },
    { "exclude wins", "{include: ['*'], exclude: ['kube-*', 'app-[2-9]']}", "app-1,default" },
    { "labels alone", "{matchLabels: {team: a}}", "app-1,app-9" },
    { "labels and include", "{matchLabels: {team: a}, include: ['app-1', default]}", "app-1" },
    { "expressions", "{matchExpressions: [{key: team, operator: In, values: [b]}]}", "app-2" },
    { "no deleting ones", "{matchLabels: {team: a}, terminatingInclusion: Never}", "app-1" },
    { "deleting ones too", "{matchLabels: {team: a}, terminatingInclusion: IfMatch}",
            "app-1,app-9" },
    { "empty labels are none", "{matchLabels: {}}", "" },
    { "empty include", "{include: []}", "" },
    { "no pattern", "{include: ['[']}", NULL },
    { "no pattern, where nothing is excluded", "{include: [none], exclude: ['a[']}", NULL },
    { "no text", "{include: [7]}", NULL },
    { "no list", "{include: default}", NULL },
    { "no operator", "{matchExpressions: [{key: team, operator: Like}]}", NULL },
    { "no labels", "{matchLabels: [a]}", NULL },
};

static void test_a_selector_means_these(void)
{
    prb_auto(prb_world_free) struct prb_world *world = prb_world_new(world_yaml);
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_namespaces_done) struct prb_namespaces found = { .count = 0 };
        prb_auto(prb_json_free) struct json_object *selector = NULL;
        prb_auto(prb_str_done) struct prb_str text;
        struct prb_error err;
        int r;

        prb_str_init(&text, 1024);
        TEST_ASSERT_EQUAL(
                0, prb_yaml_parse(cases[i].selector, strlen(cases[i].selector), &selector, &err));
        r = prb_policy_namespaces(selector, view, &found, &err);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].expected ? 0 : PRB_E_INVALID, r, cases[i].name);
        for (size_t at = 0; at < found.count; at++)
            prb_str_addf(&text, "%s%s", at > 0 ? "," : "", found.names[at]);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                cases[i].expected ? cases[i].expected : "", prb_str_get(&text), cases[i].name);
    }
}

static void test_no_selector_means_none(void)
{
    prb_auto(prb_world_free) struct prb_world *world = prb_world_new(world_yaml);
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);
    prb_auto(prb_namespaces_done) struct prb_namespaces found = { .count = 7 };
    struct prb_error err;

    TEST_ASSERT_EQUAL(0, prb_policy_namespaces(NULL, view, &found, &err));
    TEST_ASSERT_EQUAL(0, found.count);
}

/* As Go's own tests of filepath.Match have it; 2: no pattern. */
static const struct {
    const char *pattern, *name;
    int matches;
} globs[] = {
    { "abc", "abc", 1 },
    { "*", "abc", 1 },
    { "*", "", 1 },
    { "*c", "abc", 1 },
    { "a*", "a", 1 },
    { "a*", "abc", 1 },
    { "a*b?c*x", "abxbbxdbxebxczzx", 1 },
    { "a*b?c*x", "abxbbxdbxebxczzy", 0 },
    { "ab[c]", "abc", 1 },
    { "ab[b-d]", "abc", 1 },
    { "ab[e-g]", "abc", 0 },
    { "ab[^c]", "abc", 0 },
    { "ab[^b-d]", "abc", 0 },
    { "ab[^e-g]", "abc", 1 },
    { "a\\*b", "a*b", 1 },
    { "a\\*b", "ab", 0 },
    { "a?b", "ab", 0 },
    { "[\\]a]", "]", 1 },
    { "[x\\-]", "-", 1 },
    { "[x\\-]", "z", 0 },
    { "", "", 1 },
    { "", "a", 0 },
    { "[]a]", "]", 2 },
    { "[-]", "-", 2 },
    { "[x-]", "x", 2 },
    { "[-x]", "x", 2 },
    { "\\", "a", 2 },
    { "[a-b-c]", "a", 2 },
    { "[", "a", 2 },
    { "[^", "a", 2 },
    { "[^bc", "a", 2 },
    { "a[", "a", 2 },
    { "*x", "xxx", 1 },
};

static void test_a_glob_is_gos(void)
{
    for (size_t i = 0; i < sizeof(globs) / sizeof(globs[0]); i++) {
        struct prb_error err;
        bool matches = false;
        int r = prb_glob_match(globs[i].pattern, globs[i].name, &matches, &err);

        TEST_ASSERT_EQUAL_MESSAGE(globs[i].matches == 2, r < 0, globs[i].pattern);
        TEST_ASSERT_EQUAL_MESSAGE(globs[i].matches == 1, matches, globs[i].pattern);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_selector_means_these);
    RUN_TEST(test_no_selector_means_none);
    RUN_TEST(test_a_glob_is_gos);
    return UNITY_END();
}
