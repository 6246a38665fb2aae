/*
 * Whatever happens between a CREATE and the status that tells of it: is nothing that the policy has
 * created left behind, and nothing else ever deleted?
 */

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
#define MARK "/metadata/annotations/probate.dev~1created-by-policy"
#define UID(name) at(CM(name), "/metadata/uid")

/* Kill the process after so many writes, and start another. */
static void die_after(int writes)
{
    policy_world.killed_after = writes;
    (void)pass();
    restart();
}

/* ---- killed ---- */

static void test_the_intent_is_on_record_before_the_object_is_there(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    die_after(1);
    TEST_ASSERT_FALSE(is_there(CM("a")));
    ASSERT_HAS(related("a"), "NonCompliant true creating-1767225600000-");
    ASSERT_HAS(related("a"), "Resource not found but should exist");
}

static void test_who_is_killed_after_the_create_knows_its_object_again(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    die_after(2);
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(related("a"), "creating-");
    (void)settle();
    ASSERT_HAS(related("a"), "Compliant true ");
    ASSERT_HAS(related("a"), UID("a"));
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
}

/* Three objects, a change and a deletion, killed after every single write there is. */
static void test_killed_anywhere_nothing_is_left_behind_and_nothing_else_deleted(void)
{
    for (int writes = 1; writes <= 12; writes++) {
        char name[32];

        (void)snprintf(name, sizeof(name), "after %d writes", writes);
        put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: old, namespace: default}\n");
        put(POLICY_YAML(
                "p", ENFORCE IF_CREATED, HAS("a", "") ", " HAS("b", "") ", " HAS("old", "x: '1'")));
        for (int at_write = 0, passes = 0; passes < 8; passes++) {
            policy_world.killed_after = writes - at_write;
            if (policy_world.killed_after > 0) {
                (void)pass();
                at_write += (int)policy_world.writes;
                restart();
            }
        }
        (void)settle();
        set(P, NULL, TEMPLATES_JSON(CM_JSON("b") "," CM_JSON("old") "," CM_JSON("c")));
        die_after(writes % 4 + 1);
        later(31000);
        (void)settle();
        TEST_ASSERT_FALSE_MESSAGE(is_there(CM("a")), name);
        erase(P);
        die_after(writes % 3 + 1);
        later(31000);
        (void)settle();
        TEST_ASSERT_FALSE_MESSAGE(is_there(P), name);
        TEST_ASSERT_FALSE_MESSAGE(is_there(CM("b")), name);
        TEST_ASSERT_FALSE_MESSAGE(is_there(CM("c")), name);
        TEST_ASSERT_TRUE_MESSAGE(is_there(CM("old")), name);
        policy_world_done();
        policy_world_init();
        watch("", "ConfigMap");
    }
}

static void test_a_policy_deleted_while_nobody_ran_takes_what_was_just_created(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    die_after(2);
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_FALSE(is_there(CM("a")));
}

/* ---- answers that are lost ---- */

static void test_a_create_whose_answer_was_lost_is_ours(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    lose("create configmaps", 1);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(related("a"), "NonCompliant true creating-");
    TEST_ASSERT_TRUE(policy_world.changes.retry_max_ms > 0);
    (void)settle();
    ASSERT_HAS(related("a"), "Compliant true ");
    ASSERT_HAS(related("a"), UID("a"));
}

/* The CREATE that nobody waits for any more arrives after the one that was sent again. */
static void test_a_create_that_was_sent_twice_is_ours_whichever_arrives(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    fault("create configmaps", PRB_E_IO, 1);
    (void)pass();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    const char *token = strstr(related("a"), "creating-");

    (void)settle();
    TEST_ASSERT_NOT_NULL(token);
    TEST_ASSERT_EQUAL_STRING_LEN(token + strlen("creating-"), strchr(at(CM("a"), MARK), '/') + 1,
            strlen("1767225600000-0123456789abcdef"));
    ASSERT_HAS(related("a"), "Compliant true ");
}

static void test_a_status_that_could_not_be_written_is_written_later(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    (void)pass();
    erase(CM("a"));
    later(3000);
    fault("patch configurationpolicies default/p status", PRB_E_UNAVAILABLE, 1);
    (void)pass();
    TEST_ASSERT_FALSE_MESSAGE(is_there(CM("a")), "nothing is created that was not recorded");
    (void)settle();
    ASSERT_HAS(related("a"), UID("a"));
}

static void change_the_policy(void)
{
    set(P, NULL, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
}

static void test_a_final_status_that_conflicts_loses_nothing(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    meanwhile("create configmaps", change_the_policy);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(related("a"), "creating-");
    TEST_ASSERT_TRUE(policy_world.changes.retry_max_ms > 0);
    (void)settle();
    ASSERT_HAS(related("a"), "Compliant true ");
    ASSERT_HAS(related("a"), UID("a"));
}

/* ---- proofs that are none ---- */

static void make_it_first(void)
{
    put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n");
}

static void test_who_was_faster_has_created_it(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    meanwhile("create configmaps", make_it_first);
    (void)settle();
    ASSERT_HAS(related("a"), "Compliant false ");
    erase(P);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* Restored from a backup, annotation and all, while the policy was about to create it anew. */
static void test_what_is_restored_from_a_backup_is_not_ours(void)
{
    char yaml[512], mark[128];

    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    (void)prb_copy(mark, sizeof(mark), at(CM("a"), MARK));
    TEST_ASSERT_TRUE(mark[0] != '\0');
    erase(CM("a"));
    later(3000);
    die_after(1); /* the new intent is recorded, and that was that */
    ASSERT_HAS(related("a"), "creating-");
    (void)snprintf(yaml, sizeof(yaml),
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default, annotations: "
            "{probate.dev/created-by-policy: '%s'}}\n",
            mark);
    put(yaml);
    (void)settle();
    ASSERT_HAS(related("a"), "Compliant false ");
    erase(P);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* The same, but the policy goes before anybody looks. */
static void test_what_came_in_the_place_of_an_intent_stays_when_the_policy_goes(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    die_after(1);
    ASSERT_HAS(related("a"), "true creating-");
    make_it_first();
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* What was there before, and was made again by somebody: the old uid stays on record. */
static void test_what_is_recorded_is_not_recorded_anew(void)
{
    const char *uid;

    make_it_first();
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    uid = UID("a");
    erase(CM("a"));
    make_it_first();
    later(3000);
    (void)settle();
    ASSERT_HAS(related("a"), "Compliant false ");
    ASSERT_HAS(related("a"), uid);
}

/* The cache of the object's kind has not seen yet what was created a moment ago. */
static void test_a_cache_that_is_behind_takes_nothing_from_the_record(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    see();
    policy_world.lags = true;
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    restart();
    (void)settle();
    ASSERT_HAS(related("a"), "Compliant true ");
    ASSERT_HAS(related("a"), UID("a"));
}

static void test_a_copied_annotation_makes_nothing_ours(void)
{
    char yaml[512];

    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    (void)snprintf(yaml, sizeof(yaml),
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: default, annotations: "
            "{probate.dev/created-by-policy: '%s'}}\n",
            at(CM("a"), MARK));
    put(yaml);
    set(P, NULL, TEMPLATES_JSON(CM_JSON("a") "," CM_JSON("b")));
    (void)settle();
    ASSERT_HAS(related("b"), "Compliant false ");
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_TRUE(is_there(CM("b")));
}

/* A policy of the same name, with the status of the one before it, as a restore brings it. */
static void test_an_intent_of_another_policy_proves_nothing(void)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    prb_autofree char *text = NULL;

    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    die_after(2);
    prb_auto(prb_object_unref) struct prb_object *policy = live(P);
    tree = prb_object_copy(policy);
    prb_json_del(prb_json_obj(tree, "metadata"), "uid");
    prb_json_del(prb_json_obj(tree, "metadata"), "resourceVersion");
    set(P, NULL, "{\"metadata\":{\"finalizers\":null}}");
    erase(P);
    TEST_ASSERT_FALSE(is_there(P));
    text = prb_json_text(tree, false);
    put(text);
    (void)settle();
    ASSERT_HAS(related("a"), "Compliant false ");
    erase(P);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* ---- creations that may still be under way ---- */

static void test_a_deletion_waits_for_a_create_that_nobody_knows_of(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    die_after(1);
    erase(P);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(P));
    ASSERT_HAS(message(0), "its creation was not answered, and may still be under way");
    TEST_ASSERT_TRUE(policy_world.changes.retry_max_ms > 0);
    later(31000);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
}

static void test_a_refused_creation_is_not_waited_for(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    fault("create configmaps", PRB_E_FORBIDDEN, 100);
    (void)pass();
    ASSERT_HAS(message(0), "configmaps default/a: refused by the test");
    TEST_ASSERT_EQUAL_STRING(
            "K8s creation error", at(P, "/status/compliancyDetails/0/conditions/0/reason"));
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
}

/* An error that lasts is told once, and tried again without a word. The policy is looked at before:
 * its intent may be history already, and only the cache has not heard of it. */
static void test_a_creation_that_is_refused_for_ever_writes_no_status_each_time(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    fault("create configmaps", PRB_E_INVALID, 100);
    (void)pass();
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "get configurationpolicies default/p\n"
                             "create configmaps default/a\n",
            pass());
    TEST_ASSERT_TRUE(policy_world.changes.retry_max_ms > 0);
}

static void test_an_intent_that_leaves_the_policy_is_looked_after(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    die_after(2); /* created, and not told */
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("", related("a"));
}

static void test_an_absent_intent_that_leaves_the_policy_is_waited_for(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)pass();
    die_after(1);
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    (void)settle();
    ASSERT_HAS(related("a"), "true creating-");
    later(31000);
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("", related("a"));
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
}

/* ---- made again ---- */

#define RECREATE(option, data)                           \
    "{complianceType: musthave, recreateOption: " option \
    ", objectDefinition: " CM_YAML("a", data) "}"
#define MERGE_DATA "{\"data\":{\"x\":\"other\"}}"

static void test_an_immutable_field_is_an_error_without_the_option(void)
{
    put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n");
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "x: '1'")));
    (void)pass();
    fault("update configmaps", PRB_E_INVALID, 100);
    (void)pass();
    ASSERT_HAS(message(0), "configmaps default/a: refused by the test");
    TEST_ASSERT_EQUAL(2, policy_world.writes);
}

/* Shipped once: what was there before counted as created after a recreation, and was pruned. */
static void test_a_recreation_keeps_who_has_created_it(void)
{
    static const struct {
        const char *name;
        bool is_there_before;
    } cases[] = { { "created", false }, { "there before", true } };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *uid;

        if (cases[i].is_there_before)
            put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"
                "data: {x: '1'}\n");
        put(POLICY_YAML("p", ENFORCE IF_CREATED, RECREATE("IfRequired", "x: '1'")));
        (void)settle();
        uid = UID("a");
        set(CM("a"), NULL, MERGE_DATA);
        later(3000);
        fault("update configmaps", PRB_E_INVALID, 1);
        (void)settle();
        later(3000);
        (void)settle();
        TEST_ASSERT_EQUAL_STRING_MESSAGE("1", at(CM("a"), "/data/x"), cases[i].name);
        TEST_ASSERT_TRUE_MESSAGE(!prb_streq(uid, UID("a")), cases[i].name);
        ASSERT_HAS(related("a"), cases[i].is_there_before ? "Compliant false " : "Compliant true ");
        ASSERT_HAS(related("a"), UID("a"));
        erase(P);
        (void)settle();
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].is_there_before, is_there(CM("a")), cases[i].name);
        policy_world_done();
        policy_world_init();
        watch("", "ConfigMap");
    }
}

static void test_a_recreation_that_is_killed_in_the_middle_keeps_it_too(void)
{
    for (int writes = 1; writes <= 5; writes++) {
        put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"
            "data: {x: '1'}\n");
        put(POLICY_YAML("p", ENFORCE IF_CREATED, RECREATE("Always", "x: '1'")));
        (void)settle();
        set(CM("a"), NULL, MERGE_DATA);
        later(3000);
        die_after(writes);
        die_after(2);
        (void)settle();
        TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
        ASSERT_HAS(related("a"), "Compliant false ");
        erase(P);
        (void)settle();
        TEST_ASSERT_TRUE(is_there(CM("a")));
        policy_world_done();
        policy_world_init();
        watch("", "ConfigMap");
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_intent_is_on_record_before_the_object_is_there);
    RUN_TEST(test_who_is_killed_after_the_create_knows_its_object_again);
    RUN_TEST(test_killed_anywhere_nothing_is_left_behind_and_nothing_else_deleted);
    RUN_TEST(test_a_policy_deleted_while_nobody_ran_takes_what_was_just_created);
    RUN_TEST(test_a_create_whose_answer_was_lost_is_ours);
    RUN_TEST(test_a_create_that_was_sent_twice_is_ours_whichever_arrives);
    RUN_TEST(test_a_status_that_could_not_be_written_is_written_later);
    RUN_TEST(test_a_final_status_that_conflicts_loses_nothing);
    RUN_TEST(test_who_was_faster_has_created_it);
    RUN_TEST(test_what_is_restored_from_a_backup_is_not_ours);
    RUN_TEST(test_what_came_in_the_place_of_an_intent_stays_when_the_policy_goes);
    RUN_TEST(test_what_is_recorded_is_not_recorded_anew);
    RUN_TEST(test_a_cache_that_is_behind_takes_nothing_from_the_record);
    RUN_TEST(test_a_copied_annotation_makes_nothing_ours);
    RUN_TEST(test_an_intent_of_another_policy_proves_nothing);
    RUN_TEST(test_a_deletion_waits_for_a_create_that_nobody_knows_of);
    RUN_TEST(test_a_refused_creation_is_not_waited_for);
    RUN_TEST(test_a_creation_that_is_refused_for_ever_writes_no_status_each_time);
    RUN_TEST(test_an_intent_that_leaves_the_policy_is_looked_after);
    RUN_TEST(test_an_absent_intent_that_leaves_the_policy_is_waited_for);
    RUN_TEST(test_an_immutable_field_is_an_error_without_the_option);
    RUN_TEST(test_a_recreation_keeps_who_has_created_it);
    RUN_TEST(test_a_recreation_that_is_killed_in_the_middle_keeps_it_too);
    return UNITY_END();
}
