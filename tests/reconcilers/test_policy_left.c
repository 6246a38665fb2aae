/* Which object does DeleteAll mean, whoever comes next, and is a person told what it leaves? */

#include <stdio.h>
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
#define HOLD "{\"metadata\":{\"finalizers\":[\"test.dev/hold\"]}}"
#define LET_GO "{\"metadata\":{\"finalizers\":null}}"

/* ---- who comes after ---- */

/* The one who has deleted the first is not there any more. */
static void test_what_is_made_after_a_deletion_stays_whoever_comes_next(void)
{
    put(A_YAML);
    set(CM("a"), NULL, HOLD);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    later(1000);
    erase(P);
    (void)pass();
    restart();
    set(CM("a"), NULL, LET_GO);
    put(A_YAML);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
}

static void test_what_is_made_after_one_that_left_stays_whoever_comes_next(void)
{
    put(A_YAML);
    set(CM("a"), NULL, HOLD);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    (void)settle();
    ASSERT_HAS(related("a"), " deleting-");
    restart();
    set(CM("a"), NULL, LET_GO);
    put(A_YAML);
    (void)pass();
    ASSERT_HAS(prb_str_get(&policy_world.events),
            "no template means it any more, and it is left: ConfigMap default/a (it was made after "
            "the one of its name was deleted)");
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("", related("a"));
}

/* The one that was meant went before the policy did, and nobody had told. The policy's deletion is
 * the last moment at which anything of that name is meant. */
static void test_what_is_made_after_the_policy_was_deleted_stays(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(CM("a"));
    later(1000);
    erase(P);
    put(A_YAML);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
    ASSERT_HAS(prb_str_get(&policy_world.events),
            "left behind: ConfigMap default/a (it was made after the policy was deleted)");
}

/* And what was made before it goes, by whomever: that is what DeleteAll means. */
static void test_what_others_made_again_before_the_policy_was_deleted_goes(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    erase(CM("a"));
    put(A_YAML);
    later(1000);
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
}

/* Which one is meant is on record before the DELETE is sent; without, it is not. */
static void test_a_deletion_by_name_is_recorded_before(void)
{
    char uid[64], deleting[80];

    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    (void)snprintf(uid, sizeof(uid), "%s", at(CM("a"), "/metadata/uid"));
    later(1000);
    erase(P);
    policy_world.killed_after = 1;
    (void)pass();
    policy_world.killed_after = 0;
    (void)snprintf(deleting, sizeof(deleting), "deleting-%s", uid);
    ASSERT_HAS(related("a"), deleting);
    TEST_ASSERT_EQUAL_STRING(uid, at(CM("a"), "/metadata/uid"));

    /* Somebody else takes its place, and it is told as made before: clocks are what they are. */
    restart();
    erase(CM("a"));
    later(-5000);
    put(A_YAML);
    later(5000);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
}

static void test_what_cannot_be_recorded_is_not_deleted(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    later(1000);
    erase(P);
    fault("patch configurationpolicies default/p status", PRB_E_FORBIDDEN, 1);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(message(0),
            "ConfigMap default/a (not deleted, because it could not be recorded before: refused by "
            "the test)");
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
}

/* A record of a deletion is none of a creation. */
static void test_what_was_recorded_to_go_is_spared_when_only_what_was_created_is_to(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    later(1000);
    erase(P);
    policy_world.killed_after = 1;
    (void)pass();
    policy_world.killed_after = 0;
    set(P, NULL, "{\"spec\":{\"pruneObjectBehavior\":\"DeleteIfCreated\"}}");
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
}

/* ---- what is left is told ---- */

#define ONLY(name) TEMPLATE("mustonlyhave", CM_YAML(name, ""))

static void test_what_is_not_supported_is_named_before_the_policy_goes(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "") "," ONLY("b") "," HAS("c", "x: '{{ y }}'")));
    (void)settle();
    erase(P);
    (void)pass();
    TEST_ASSERT_FALSE(is_there(P));
    ASSERT_HAS(prb_str_get(&policy_world.events),
            "Terminating; violation - deleted at 2026-01-01T00:00:00Z; nothing that it prunes is "
            "left; left behind: ConfigMap default/b (complianceType mustonlyhave is not supported "
            "yet: nothing is done because of this template), ConfigMap default/c (a Go template "
            "({{ }}) is not supported yet: nothing is done because of this template)");
    ASSERT_HAS(prb_str_get(&policy_world.calls), "patch configurationpolicies default/p status");
}

/* It was taken up when its template was a good one. */
static void test_what_is_on_record_goes_though_its_template_is_not_supported_any_more(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    set(P, NULL,
            TEMPLATES_JSON("{\"complianceType\":\"mustonlyhave\",\"objectDefinition\":{"
                           "\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":"
                           "\"a\",\"namespace\":\"default\"}}}"));
    (void)settle();
    erase(P);
    (void)pass();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_NULL(strstr(prb_str_get(&policy_world.events), "left behind"));
}

static void test_a_policy_that_prunes_what_it_created_only_is_not_told_of(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "") "," ONLY("b")));
    (void)settle();
    erase(P);
    (void)pass();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_NULL(strstr(prb_str_get(&policy_world.events), "left behind"));
}

/* What is only told must not hold up the end. */
static void test_a_policy_goes_though_it_cannot_be_told_what_it_leaves(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, ONLY("b")));
    (void)settle();
    erase(P);
    fault("patch configurationpolicies default/p status", PRB_E_FORBIDDEN, 9);
    (void)pass();
    TEST_ASSERT_FALSE(is_there(P));
    ASSERT_HAS(prb_str_get(&policy_world.events), "left behind: ConfigMap default/b");
}

#define ODD_JSON                                                                                \
    "{\"status\":{\"relatedObjects\":[{\"compliant\":\"Compliant\",\"object\":{\"apiVersion\":" \
    "\"v1\",\"kind\":\"configmaps\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}},"  \
    "\"properties\":{\"createdByPolicy\":true,\"uid\":1234567890},"                             \
    "\"reason\":\"Resource found as expected\"}]}}"

/* As design 003 prints it: a number. */
static void test_a_recorded_uid_that_is_no_text_is_told(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    set(P, "status", ODD_JSON);
    erase(P);
    (void)pass();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(prb_str_get(&policy_world.events),
            "left behind: configmaps default/a (its recorded uid is no text, so that nobody knows "
            "which one it was)");
}

/* Of a live policy it is replaced, and the object is not its own from then on. */
static void test_a_recorded_uid_that_is_no_text_is_replaced_and_told(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    set(P, "status",
            "{\"status\":{\"relatedObjects\":[{\"compliant\":\"Compliant\",\"object\":{"
            "\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\","
            "\"namespace\":\"default\"}},\"properties\":{\"createdByPolicy\":true,\"uid\":7},"
            "\"reason\":\"Resource found as expected\"}]}}");
    (void)pass();
    ASSERT_HAS(prb_str_get(&policy_world.events),
            "the recorded uid of configmaps default/a is no text: it does not count as created by "
            "this policy");
    ASSERT_HAS(related("a"), "Compliant false ");
    (void)pass();
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&policy_world.events));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_made_after_a_deletion_stays_whoever_comes_next);
    RUN_TEST(test_what_is_made_after_one_that_left_stays_whoever_comes_next);
    RUN_TEST(test_what_is_made_after_the_policy_was_deleted_stays);
    RUN_TEST(test_what_others_made_again_before_the_policy_was_deleted_goes);
    RUN_TEST(test_a_deletion_by_name_is_recorded_before);
    RUN_TEST(test_what_cannot_be_recorded_is_not_deleted);
    RUN_TEST(test_what_was_recorded_to_go_is_spared_when_only_what_was_created_is_to);
    RUN_TEST(test_what_is_not_supported_is_named_before_the_policy_goes);
    RUN_TEST(test_what_is_on_record_goes_though_its_template_is_not_supported_any_more);
    RUN_TEST(test_a_policy_that_prunes_what_it_created_only_is_not_told_of);
    RUN_TEST(test_a_policy_goes_though_it_cannot_be_told_what_it_leaves);
    RUN_TEST(test_a_recorded_uid_that_is_no_text_is_told);
    RUN_TEST(test_a_recorded_uid_that_is_no_text_is_replaced_and_told);
    return UNITY_END();
}
