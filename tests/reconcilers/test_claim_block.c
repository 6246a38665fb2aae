/* Does what a composite controls come to block its deletion, and nothing else? */

#include <string.h>
#include <unity.h>

#include "claim_world.h"

void setUp(void)
{
    claim_world_init();
}

void tearDown(void)
{
    claim_world_done();
}

#define OF_B1 COMPOSES(REF_OF("Bucket", "b1"))
#define BLOCK "block buckets b1 /0/blockOwnerDeletion\n"

static void check_composites(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        build(rows[i].world);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, play(X1), rows[i].name);
    }
}
#define CHECK_COMPOSITES(rows) check_composites(rows, sizeof(rows) / sizeof((rows)[0]))

static void test_only_the_reference_to_the_controller_is_changed(void)
{
    static const struct row rows[] = {
        { "without the flag",
                COMPOSITE("", BOUND OF_B1) BUCKET("b1", OWNED("XNetwork", "u-x1", CONTROLS)),
                BLOCK },
        { "that says no",
                COMPOSITE("", BOUND OF_B1) BUCKET(
                        "b1", OWNED("XNetwork", "u-x1", CONTROLS ", blockOwnerDeletion: false")),
                BLOCK },
        { "that has it", COMPOSITE("", BOUND OF_B1) BUCKET("b1", OWNED("XNetwork", "u-x1", BLOCKS)),
                "" },
        { "of an owner that does not control",
                COMPOSITE("", BOUND OF_B1) BUCKET("b1", OWNED("XNetwork", "u-x1", "")), "" },
        { "of another controller",
                COMPOSITE("", BOUND OF_B1) BUCKET("b1", OWNED("XNetwork", "u-old", CONTROLS)), "" },
        { "of none", COMPOSITE("", BOUND OF_B1) BUCKET("b1", ""), "" },
        { "behind others",
                COMPOSITE("", BOUND OF_B1) BUCKET("b1",
                        ", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: c, uid: u-c},"
                        "{apiVersion: example.org/v1, kind: XNetwork, name: x1, uid: u-x1, "
                        "controller: true}]"),
                "block buckets b1 /1/blockOwnerDeletion\n" },
    };

    CHECK_COMPOSITES(rows);
}

/* The patch tests who it is, and who controls it. */
static void test_the_change_holds_only_for_what_was_seen(void)
{
    build(COMPOSITE("", BOUND OF_B1) BUCKET("b1", OWNED("XNetwork", "u-x1", CONTROLS)));
    fail_on("write buckets b1", PRB_E_CONFLICT, "test failed");
    (void)play(X1);
    TEST_ASSERT_GREATER_THAN(0, changes.retry_max_ms);
    TEST_ASSERT_EQUAL_STRING("", waits());
    TEST_ASSERT_EQUAL_STRING("[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"u-b1\"},"
                             "{\"op\":\"test\",\"path\":\"/metadata/ownerReferences/0/uid\","
                             "\"value\":\"u-x1\"},"
                             "{\"op\":\"test\",\"path\":\"/metadata/ownerReferences/0/controller\","
                             "\"value\":true},"
                             "{\"op\":\"add\",\"path\":\"/metadata/ownerReferences/0/"
                             "blockOwnerDeletion\",\"value\":true}]",
            last_patch());
}

static void test_a_standalone_composite_is_not_touched_but_for_that(void)
{
    static const struct row rows[] = {
        { "live", COMPOSITE("", "a: b" OF_B1) BUCKET("b1", OWNED("XNetwork", "u-x1", CONTROLS)),
                BLOCK },
        { "deleting",
                COMPOSITE(", " DELETED ", finalizers: [a/b]", "a: b" OF_B1)
                        BUCKET("b1", OWNED("XNetwork", "u-x1", CONTROLS)),
                BLOCK },
        { "with all as it should be",
                COMPOSITE(", " DELETED ", finalizers: [a/b]", "a: b" OF_B1)
                        BUCKET("b1", OWNED("XNetwork", "u-x1", BLOCKS)),
                "" },
    };

    CHECK_COMPOSITES(rows);
}

/* What is Crossplane's is in a member of its own there. */
static void test_composites_of_the_second_generation_are_seen_to_as_well(void)
{
    build(COMPOSITE("", "crossplane: {resourceRefs: [" REF_OF("Bucket", "b1") "]}")
                    BUCKET("b1", OWNED("XNetwork", "u-x1", CONTROLS)));
    TEST_ASSERT_EQUAL_STRING(BLOCK, play(X1));
}

static void test_what_is_refused_is_told_and_keeps_nobody_else(void)
{
    build(COMPOSITE("", BOUND COMPOSES(REF_OF("Bucket", "b1") ", " REF_OF("Bucket", "b2")))
                    BUCKET("b1", OWNED("XNetwork", "u-x1", CONTROLS))
                            BUCKET("b2", OWNED("XNetwork", "u-x1", CONTROLS)));
    fail_on("write buckets b1", PRB_E_FORBIDDEN, "no right");
    TEST_ASSERT_EQUAL_STRING(BLOCK "block buckets b2 /0/blockOwnerDeletion\n", play(X1));
    TEST_ASSERT_EQUAL_STRING(
            "cannot set blockOwnerDeletion on what it composed: no right", waits());
    TEST_ASSERT_GREATER_THAN(0, changes.retry_max_ms);
}

/* On every level, and before the deletion: the collector must know of it by then. */
static void test_a_claim_sees_to_it_before_its_composite_is_deleted(void)
{
    static const char not_yet[] = LEAVING COMPOSITE("", BOUND COMPOSES(REF_OF("XSubnet", "s1")))
            SUBNET("s1", OWNED("XNetwork", "u-x1", CONTROLS), "a: b" OF_B1)
                    BUCKET("b1", OWNED("XSubnet", "u-s1", CONTROLS));
    static const char by_now[] = LEAVING COMPOSITE("", BOUND COMPOSES(REF_OF("XSubnet", "s1")))
            SUBNET("s1", OWNED("XNetwork", "u-x1", BLOCKS), "a: b" OF_B1)
                    BUCKET("b1", OWNED("XSubnet", "u-s1", BLOCKS));

    build(not_yet);
    TEST_ASSERT_EQUAL_STRING(
            "block buckets b1 /0/blockOwnerDeletion\nblock xsubnets s1 /0/blockOwnerDeletion\n",
            play(N1));
    TEST_ASSERT_EQUAL_STRING(
            "everything that composite XNetwork x1 composed to block its deletion", waits());
    build(by_now);
    TEST_ASSERT_EQUAL_STRING(DELETE("Foreground @5\n") "event DeletingComposite on networks "
                                                       "team/n1\n" CONDITION("Deleting"),
            play(N1));
    build(not_yet);
    fail_on("write buckets b1", PRB_E_FORBIDDEN, "no right");
    (void)play(N1);
    TEST_ASSERT_EQUAL_STRING("cannot set blockOwnerDeletion on what is composed by composite "
                             "XNetwork x1: no right",
            message());
}

/* Crossplane before 1.10 writes its references without. */
static void test_who_takes_it_off_again_is_not_answered_at_once(void)
{
    build(COMPOSITE("", BOUND OF_B1) BUCKET("b1", OWNED("XNetwork", "u-x1", CONTROLS))
                    BUCKET("b2", OWNED("XNetwork", "u-x1", BLOCKS)));
    TEST_ASSERT_EQUAL_STRING(BLOCK, play(X1));
    keep_memory();
    now = "2026-01-02T03:12:01Z";
    TEST_ASSERT_EQUAL_STRING("", play(X1));
    TEST_ASSERT_EQUAL_INT64(29000, changes.again_after_ms);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", waits(), "the cache may be behind");
    now = "2026-01-02T03:12:10Z";
    TEST_ASSERT_EQUAL_STRING("", play(X1));
    TEST_ASSERT_EQUAL_STRING("somebody takes blockOwnerDeletion off again from Bucket b1", waits());
    build(COMPOSITE("", BOUND OF_B1) BUCKET("b1", OWNED("XNetwork", "u-x1", CONTROLS))
                    BUCKET("b2", OWNED("XNetwork", "u-x1", CONTROLS)));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
            "block buckets b2 /0/blockOwnerDeletion\n", play(X1), "others need not wait for it");
    keep_memory();
    now = "2026-01-02T03:12:30Z";
    TEST_ASSERT_EQUAL_STRING(BLOCK, play(X1));
}

static void test_what_was_refused_is_not_tried_with_every_change(void)
{
    build(COMPOSITE("", BOUND OF_B1) BUCKET("b1", OWNED("XNetwork", "u-x1", CONTROLS)));
    fail_on("write buckets b1", PRB_E_FORBIDDEN, "no right");
    TEST_ASSERT_EQUAL_STRING(BLOCK, play(X1));
    keep_memory();
    now = "2026-01-02T03:12:10Z";
    TEST_ASSERT_EQUAL_STRING("", play(X1));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", waits(), "nobody took it off");
    now = "2026-01-02T03:12:30Z";
    TEST_ASSERT_EQUAL_STRING(BLOCK, play(X1));
}

static void test_a_claim_says_who_keeps_its_composite_from_being_waited_for(void)
{
    build(LEAVING COMPOSITE("", BOUND OF_B1) BUCKET("b1", OWNED("XNetwork", "u-x1", CONTROLS)));
    TEST_ASSERT_EQUAL_STRING(BLOCK, play(N1));
    keep_memory();
    now = "2026-01-02T03:12:10Z";
    TEST_ASSERT_EQUAL_STRING(
            "warning CannotDeleteComposite on networks team/n1\n" CONDITION("Deleting"), play(N1));
    TEST_ASSERT_EQUAL_STRING(
            "cannot delete composite XNetwork x1: somebody takes blockOwnerDeletion off again from "
            "Bucket b1, which would not be waited for then. Stop who does, or do not wait: "
            "spec.compositeDeletePolicy Background",
            message());
}

#define CONTROLLED(kind, name, flags)                                              \
    ", ownerReferences: [{apiVersion: example.org/v1, kind: " kind ", name: " name \
    ", uid: u-" name flags "}]"

/* The garbage collector opens it: it must stay open. */
static void test_a_circle_is_left_as_it_is(void)
{
    static const struct row rows[] = {
        { "of two",
                COMPOSITE(CONTROLLED("XSubnet", "s1", BLOCKS) IN_FOREGROUND,
                        BOUND COMPOSES(REF_OF("XSubnet", "s1")))
                        SUBNET("s1", CONTROLLED("XNetwork", "x1", CONTROLS) IN_FOREGROUND,
                                "a: b" COMPOSES(REF_OF("XNetwork", "x1"))),
                "" },
        { "of one",
                COMPOSITE(CONTROLLED("XNetwork", "x1", CONTROLS),
                        BOUND COMPOSES(REF_OF("XNetwork", "x1"))),
                "" },
        { "none, but a level above",
                COMPOSITE(CONTROLLED("XSubnet", "s1", BLOCKS), "a: b" OF_B1)
                        SUBNET("s1", "", "a: b" COMPOSES(REF_OF("XNetwork", "x1")))
                                BUCKET("b1", CONTROLLED("XNetwork", "x1", CONTROLS)),
                BLOCK },
    };

    CHECK_COMPOSITES(rows);
}

/* Each level is a subnet that controls the next one; the last controls a bucket. */
static void add_levels(struct prb_str *yaml, int levels, const char *flags)
{
    for (int i = 1; i <= levels; i++) {
        prb_str_addf(yaml, OF_KIND("XSubnet") "metadata: {name: s%d, uid: u-s%d", i, i);
        prb_str_addf(yaml,
                ", ownerReferences: [{apiVersion: example.org/v1, kind: %s, name: %s%d, uid: "
                "u-%s%d%s}]}\n",
                i == 1 ? "XNetwork" : "XSubnet", i == 1 ? "x" : "s", i == 1 ? 1 : i - 1,
                i == 1 ? "x" : "s", i == 1 ? 1 : i - 1, flags);
        prb_str_addf(yaml, "spec: {resourceRefs: [{apiVersion: example.org/v1, kind: %s}]}\n",
                i == levels ? "Bucket" : "XSubnet");
    }
}

#define LEVELS 20

static void test_no_level_is_too_deep(void)
{
    prb_auto(prb_str_done) struct prb_str yaml;

    prb_str_init(&yaml, 65536);
    prb_str_add(&yaml, LEAVING COMPOSITE("", BOUND COMPOSES(REF_OF("XSubnet", "s1"))));
    add_levels(&yaml, LEVELS, BLOCKS);
    prb_str_add(&yaml, BUCKET("b1", CONTROLLED("XSubnet", "s20", CONTROLS)));
    build(prb_str_get(&yaml));
    TEST_ASSERT_EQUAL_STRING(BLOCK, play(N1));
    TEST_ASSERT_EQUAL_STRING(BLOCK, play(XSUBNETS "//s20"));
}

static void test_a_circle_of_many_is_left_as_it_is(void)
{
    prb_auto(prb_str_done) struct prb_str yaml;

    prb_str_init(&yaml, 65536);
    prb_str_add(&yaml, LEAVING COMPOSITE(CONTROLLED("XSubnet", "s20", CONTROLS),
                               BOUND COMPOSES(REF_OF("XSubnet", "s1"))));
    add_levels(&yaml, LEVELS, CONTROLS);
    build(prb_str_get(&yaml));
    TEST_ASSERT_EQUAL_STRING("", play(X1));
    TEST_ASSERT_EQUAL_STRING("", play(XSUBNETS "//s7"));
    TEST_ASSERT_EQUAL_STRING(
            CONDITION("Deleting") DELETE("Foreground @5\n") "event DeletingComposite on networks "
                                                            "team/n1\n",
            sorted(play(N1)));
}

#define MANY 4200

static void build_many(const char *first, const char *kind, const char *spec, const char *last)
{
    prb_auto(prb_str_done) struct prb_str yaml;

    prb_str_init(&yaml, 4 * 1024 * 1024);
    prb_str_add(&yaml, first);
    for (int i = 1; i <= MANY; i++)
        prb_str_addf(&yaml,
                OF_KIND("%s") "metadata: {name: m%d, uid: u-m%d" CONTROLLED(
                        "XNetwork", "x1", BLOCKS) "}\n%s",
                kind, i, i, spec);
    prb_str_add(&yaml, last);
    build(prb_str_get(&yaml));
}

/* Whatever else there is, and however much. */
static void test_what_does_not_block_is_found_among_many(void)
{
    build_many(LEAVING COMPOSITE("", BOUND OF_B1)
                       BUCKET("a1", CONTROLLED("XNetwork", "x1", CONTROLS)),
            "Bucket", "", BUCKET("z1", CONTROLLED("XNetwork", "x1", CONTROLS)));
    TEST_ASSERT_EQUAL_STRING("block buckets a1 /0/blockOwnerDeletion\n"
                             "block buckets z1 /0/blockOwnerDeletion\n",
            sorted(play(N1)));
}

/* Below each of them there may be what does not. */
static void test_what_was_not_looked_at_is_not_taken_to_block(void)
{
    build_many(LEAVING COMPOSITE("", BOUND COMPOSES(REF_OF("XSubnet", "s1"))), "XSubnet",
            "spec: {resourceRefs: [" REF_OF("Bucket", "b1") "]}\n", "");
    TEST_ASSERT_EQUAL_STRING(
            CONDITION("Deleting") "warning CannotDeleteComposite on networks team/n1\n",
            sorted(play(N1)));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(message(), "not all of it could be looked at"), message());
    TEST_ASSERT_GREATER_THAN(0, changes.retry_max_ms);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_only_the_reference_to_the_controller_is_changed);
    RUN_TEST(test_the_change_holds_only_for_what_was_seen);
    RUN_TEST(test_a_standalone_composite_is_not_touched_but_for_that);
    RUN_TEST(test_composites_of_the_second_generation_are_seen_to_as_well);
    RUN_TEST(test_what_is_refused_is_told_and_keeps_nobody_else);
    RUN_TEST(test_a_claim_sees_to_it_before_its_composite_is_deleted);
    RUN_TEST(test_who_takes_it_off_again_is_not_answered_at_once);
    RUN_TEST(test_what_was_refused_is_not_tried_with_every_change);
    RUN_TEST(test_a_claim_says_who_keeps_its_composite_from_being_waited_for);
    RUN_TEST(test_a_circle_is_left_as_it_is);
    RUN_TEST(test_no_level_is_too_deep);
    RUN_TEST(test_a_circle_of_many_is_left_as_it_is);
    RUN_TEST(test_what_does_not_block_is_found_among_many);
    RUN_TEST(test_what_was_not_looked_at_is_not_taken_to_block);
    return UNITY_END();
}
