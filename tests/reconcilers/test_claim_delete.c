/* Does a composite go in the foreground while there is something to wait for, and is it waited for?
 */

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

/* Somebody deleted the composite before, in the background. */
static void test_a_deletion_in_the_background_becomes_one_in_the_foreground(void)
{
    static const struct row rows[] = {
        { "while something is left that blocks",
                LEAVING COMPOSITE(
                        ", " DELETED ", finalizers: [c/d]", BOUND COMPOSES(REF_OF("Bucket", "b1")))
                        BUCKET("b1", OWNED("XNetwork", "u-x1", BLOCKS)),
                DELETE("Foreground\n") "event DeletingComposite on networks team/n1\n" CONDITION(
                        "Deleting") },
        { "not when nothing is left: it would be so for ever",
                LEAVING COMPOSITE(
                        ", " DELETED ", finalizers: [c/d]", BOUND COMPOSES(REF_OF("Bucket", "b1"))),
                "event DeletingComposite on networks team/n1\n" CONDITION("Deleting") },
        { "not when somebody wanted all to stay",
                LEAVING COMPOSITE(", " DELETED ", finalizers: [orphan]",
                        BOUND COMPOSES(REF_OF("Bucket", "b1")))
                        BUCKET("b1", OWNED("XNetwork", "u-x1", BLOCKS)),
                "event DeletingComposite on networks team/n1\n" CONDITION("Deleting") },
    };

    CHECK(rows);
}

/* A collector that knows nothing of these kinds yet ends it at once. */
static void test_a_deletion_that_is_no_longer_in_the_foreground_is_not_upgraded_at_once_again(void)
{
    build(LEAVING COMPOSITE(
            ", " DELETED ", finalizers: [c/d]", BOUND COMPOSES(REF_OF("Bucket", "b1")))
                    BUCKET("b1", OWNED("XNetwork", "u-x1", BLOCKS)));
    TEST_ASSERT_NOT_NULL(strstr(play(N1), DELETE("Foreground")));
    keep_memory();
    now = "2026-01-02T03:12:04Z";
    TEST_ASSERT_NULL(strstr(play(N1), "delete"));
    TEST_ASSERT_EQUAL_INT64(1000, changes.again_after_ms);
    keep_memory();
    now = "2026-01-02T03:12:05Z";
    TEST_ASSERT_NOT_NULL(strstr(play(N1), DELETE("Foreground")));
}

static void test_what_cannot_be_seen_is_waited_for_once(void)
{
    build(LEAVING COMPOSITE(
            ", " DELETED ", finalizers: [c/d]", BOUND COMPOSES(REF_OF("Bucket", "b1"))));
    set_kind("Bucket", PRB_RESOURCE_UNKNOWN, "may not be listed");
    TEST_ASSERT_EQUAL_STRING(DELETE("Foreground\n") "event DeletingComposite on networks "
                                                    "team/n1\n" CONDITION("Deleting"),
            play(N1));
    TEST_ASSERT_EQUAL_STRING("waits for composite XNetwork x1, which is being deleted since " AT
                             ": 1 kind of composed resources cannot be seen: Bucket.example.org: "
                             "may not be listed",
            message());
    keep_memory();
    TEST_ASSERT_EQUAL_STRING(
            "event DeletingComposite on networks team/n1\n" CONDITION("Deleting"), play(N1));
}

/* After a start what is composed is not known yet, and so not whether it blocks. */
static void test_what_is_not_read_yet_is_awaited_for_a_while(void)
{
    build(LEAVING COMPOSITE("", BOUND COMPOSES(REF_OF("Bucket", "b1"))));
    set_kind("Bucket", PRB_RESOURCE_UNKNOWN, PRB_NOT_LOOKED_FOR);
    TEST_ASSERT_EQUAL_STRING("", play(N1));
    TEST_ASSERT_EQUAL_STRING("1 kind that composite XNetwork x1 is made of is not read yet: "
                             "Bucket.example.org: " PRB_NOT_LOOKED_FOR,
            waits());
    TEST_ASSERT_GREATER_THAN(0, changes.again_after_ms);
    keep_memory();
    now = "2026-01-02T03:12:29Z";
    TEST_ASSERT_EQUAL_STRING("", play(N1));
    keep_memory();
    now = "2026-01-02T03:12:31Z";
    TEST_ASSERT_EQUAL_STRING(DELETE("Foreground @5\n") "event DeletingComposite on networks "
                                                       "team/n1\n" CONDITION("Deleting"),
            play(N1));
}

/* That is known not to change by itself, and not to be looked at. */
static void test_what_is_not_looked_for_is_not_taken_to_block(void)
{
    build(LEAVING COMPOSITE("", BOUND COMPOSES(REF_OF("Bucket", "b1"))));
    leave_out("Bucket", PRB_TOO_MANY_NAMED);
    TEST_ASSERT_EQUAL_STRING(
            "warning CannotDeleteComposite on networks team/n1\n" CONDITION("Deleting"), play(N1));
    TEST_ASSERT_EQUAL_STRING(
            "cannot delete composite XNetwork x1: so much is below it that not all of it could be "
            "looked at, and some of that may not be waited for (Bucket.example.org: "
            "" PRB_TOO_MANY_NAMED "). Delete a part of it before, or do not wait: "
            "spec.compositeDeletePolicy Background",
            message());
}

static void test_a_composite_that_no_watch_tells_of_is_looked_at_again(void)
{
    build(LEAVING COMPOSITE(IN_FOREGROUND, BOUND));
    (void)play(N1);
    TEST_ASSERT_EQUAL_INT64_MESSAGE(0, changes.again_after_ms, "a watch does");
    set_kind("XNetwork", PRB_RESOURCE_UNKNOWN, "may not be listed");
    (void)play(N1);
    TEST_ASSERT_GREATER_THAN_MESSAGE(0, changes.again_after_ms, "not read");
    set_kind("XNetwork", PRB_RESOURCE_PRESENT, "the watch is away");
    (void)play(N1);
    TEST_ASSERT_GREATER_THAN_MESSAGE(0, changes.again_after_ms, "read once");
    serve(LEAVING);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(RELEASED, play(N1), "gone, which the cache does not know");
}

static void test_waiting_costs_no_call(void)
{
    build(LEAVING SAYING("Deleting",
            "waits for composite XNetwork x1, which is being deleted since " AT
            ": its finalizers are foregroundDeletion") COMPOSITE(IN_FOREGROUND, BOUND));
    TEST_ASSERT_EQUAL_STRING("", play(N1));
    TEST_ASSERT_EQUAL_STRING("", calls());
    TEST_ASSERT_EQUAL_STRING("composite XNetwork x1, which is being deleted since " AT
                             ": its finalizers are foregroundDeletion",
            waits());
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_deletion_in_the_background_becomes_one_in_the_foreground);
    RUN_TEST(test_a_deletion_that_is_no_longer_in_the_foreground_is_not_upgraded_at_once_again);
    RUN_TEST(test_what_cannot_be_seen_is_waited_for_once);
    RUN_TEST(test_what_is_not_read_yet_is_awaited_for_a_while);
    RUN_TEST(test_what_is_not_looked_for_is_not_taken_to_block);
    RUN_TEST(test_a_composite_that_no_watch_tells_of_is_looked_at_again);
    RUN_TEST(test_waiting_costs_no_call);
    return UNITY_END();
}
