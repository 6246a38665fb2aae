/* Is it told what is left below a composite, how deep, and who holds it since when? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "claim_world.h"

void setUp(void)
{
    claim_world_init();
}

void tearDown(void)
{
    claim_world_done();
}

#define BUCKETS_OF(n) COMPOSES(REF_OF("Bucket", n))
#define HELD_BUCKET(name, owner, uid, at)                              \
    BUCKET(name, OWNED(owner, uid, BLOCKS) ", deletionTimestamp: '" at \
                                           "', finalizers: [" LEAF_FINALIZER "]")
#define WAITS "waits for composite XNetwork x1, which is being deleted since " AT ": "

static const char *told(const char *yaml)
{
    build(yaml);
    (void)play(N1);
    return message();
}

static void test_a_leaf_is_named_with_depth_time_and_finalizer(void)
{
    TEST_ASSERT_EQUAL_STRING(WAITS
            "1 composed resource is left: Bucket b1 (depth 1, being deleted since " AT
            ", finalizer " LEAF_FINALIZER ")",
            told(LEAVING COMPOSITE(IN_FOREGROUND, BOUND BUCKETS_OF("b1"))
                            HELD_BUCKET("b1", "XNetwork", "u-x1", AT)));
}

static void test_the_deepest_come_first_then_who_has_been_at_it_longest(void)
{
    TEST_ASSERT_EQUAL_STRING(WAITS
            "4 composed resources are left: "
            "Bucket late (depth 2, being deleted since 2026-01-02T02:00:00Z, finalizer " LEAF_FINALIZER
            "), "
            "Bucket b1 (depth 2, being deleted since " AT ", finalizer " LEAF_FINALIZER "), "
            "Bucket idle (depth 2, not being deleted), "
            "XSubnet s1 (depth 1, being deleted since " AT ", finalizer foregroundDeletion)",
            told(LEAVING COMPOSITE(IN_FOREGROUND, BOUND COMPOSES(REF_OF("XSubnet", "s1"))) SUBNET(
                    "s1", OWNED("XNetwork", "u-x1", BLOCKS) IN_FOREGROUND, "a: b" BUCKETS_OF("b1"))
                            HELD_BUCKET("b1", "XSubnet", "u-s1", AT)
                                    HELD_BUCKET("late", "XSubnet", "u-s1", "2026-01-02T02:00:00Z")
                                            BUCKET("idle", OWNED("XSubnet", "u-s1", BLOCKS))));
}

static void test_five_are_named_and_the_others_counted(void)
{
    const char *text = told(LEAVING COMPOSITE(IN_FOREGROUND, BOUND BUCKETS_OF("b1")) HELD_BUCKET(
            "b1", "XNetwork", "u-x1", AT) HELD_BUCKET("b2", "XNetwork", "u-x1", AT)
                    HELD_BUCKET("b3", "XNetwork", "u-x1", AT) HELD_BUCKET(
                            "b4", "XNetwork", "u-x1", AT) HELD_BUCKET("b5", "XNetwork", "u-x1", AT)
                            HELD_BUCKET("b6", "XNetwork", "u-x1", AT));

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "6 composed resources are left: Bucket b1 "), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Bucket b5 "), text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "Bucket b6 "), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, " and 1 more"), text);
}

/* Discovery does not care for case, and knows plurals. */
static void test_a_kind_that_is_listed_under_two_names_counts_once(void)
{
    TEST_ASSERT_EQUAL_STRING(WAITS
            "1 composed resource is left: Bucket b1 (depth 1, being deleted since " AT
            ", finalizer " LEAF_FINALIZER ")",
            told(LEAVING COMPOSITE(IN_FOREGROUND,
                    BOUND COMPOSES(REF_OF("Bucket", "b1") ", " REF_OF("bucket", "b1")))
                            HELD_BUCKET("b1", "XNetwork", "u-x1", AT)));
}

/* Listed, or owned in another way, is not composed. */
static void test_what_it_does_not_control_is_not_waited_for(void)
{
    TEST_ASSERT_EQUAL_STRING(WAITS "its finalizers are foregroundDeletion",
            told(LEAVING COMPOSITE(IN_FOREGROUND, BOUND BUCKETS_OF("b1")) BUCKET("b1", "")
                            BUCKET("b2", OWNED("XNetwork", "u-x1", ""))
                                    BUCKET("b3", OWNED("XNetwork", "u-other", BLOCKS)) BUCKET("b4",
                                            ", ownerReferences: [{apiVersion: v1, kind: X, "
                                            "name: x, uid: u-x1}, {apiVersion: v1, kind: "
                                            "X, name: y, uid: u-y, controller: true}]")));
}

static void test_a_circle_of_owners_has_an_end(void)
{
    const char *text = told(LEAVING COMPOSITE(
            IN_FOREGROUND, BOUND COMPOSES(REF_OF("XSubnet", "a"))) SUBNET("a",
            OWNED("XNetwork", "u-x1", BLOCKS), "c: d" COMPOSES(REF_OF("XSubnet", "b"))) SUBNET("b",
            OWNED("XSubnet", "u-a", BLOCKS), "c: d" COMPOSES(REF_OF("XSubnet", "b"))) SUBNET("c",
            OWNED("XSubnet", "u-c", BLOCKS), "c: d" COMPOSES(REF_OF("XSubnet", "c"))));

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "2 composed resources are left"), text);

    /* Also where the API server would not let it. */
    build(LEAVING COMPOSITE(IN_FOREGROUND, BOUND COMPOSES(REF_OF("XSubnet", "a"))) OF_KIND(
            "XSubnet") "metadata: {name: a, uid: u-a, ownerReferences: ["
                       "{apiVersion: v1, kind: X, name: x, uid: u-x1, controller: true},"
                       "{apiVersion: v1, kind: X, name: x, uid: u-a, controller: true}]}\n"
                       "spec: {resourceRefs: [" REF_OF("XSubnet", "a") "]}\n");
    (void)play(N1);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(message(), "1 composed resource is left"), message());
}

static void test_a_circle_back_to_the_composite_counts_everything_once(void)
{
    const char *text = told(LEAVING COMPOSITE(OWNED("XSubnet", "u-a", BLOCKS) IN_FOREGROUND,
            BOUND COMPOSES(REF_OF("XSubnet", "a"))) SUBNET("a", OWNED("XNetwork", "u-x1", BLOCKS),
            "c: d" COMPOSES(REF_OF("XNetwork", "x1"))));

    TEST_ASSERT_EQUAL_STRING(
            WAITS "1 composed resource is left: XSubnet a (depth 1, not being deleted)", text);
}

/* Lists of what is there have no order; a text that changes by itself would be a write each time.
 */
static void test_of_the_same_name_the_namespaces_decide(void)
{
    static const char *const orders[][2] = { { "a", "b" }, { "b", "a" } };

    for (size_t i = 0; i < 2; i++) {
        prb_autofree char *yaml = prb_asprintf(
                LEAVING COMPOSITE(IN_FOREGROUND, BOUND BUCKETS_OF("b1")) OF_KIND(
                        "Bucket") "metadata: {name: b1, namespace: %s, uid: u-1%s" OWNED("XNetwork",
                        "u-x1", BLOCKS) "}\n" OF_KIND("Bucket") "metadata: {name: b1, namespace: "
                                                                "%s, uid: u-1%s" OWNED("XNetwork",
                                                                        "u-x1", BLOCKS) "}\n",
                orders[i][0], orders[i][1], orders[i][1], orders[i][0]);

        TEST_ASSERT_EQUAL_STRING(WAITS
                "2 composed resources are left: Bucket a/b1 (depth 1, not being deleted), Bucket "
                "b/b1 (depth 1, not being deleted)",
                told(yaml));
    }
}

static void test_kinds_that_cannot_be_seen_are_told_of(void)
{
    build(LEAVING COMPOSITE(
            IN_FOREGROUND, BOUND COMPOSES(REF_OF("Bucket", "b1") ", " REF_OF(
                                   "Bucket", "b2") ", "
                                                   "{apiVersion: v1, kind: Secret, name: s}"))
                    HELD_BUCKET("b1", "XNetwork", "u-x1", AT));
    (void)play(N1);
    TEST_ASSERT_EQUAL_STRING(WAITS
            "1 composed resource is left: Bucket b1 (depth 1, being deleted since " AT
            ", finalizer " LEAF_FINALIZER "); 1 kind of composed resources cannot be seen: "
            "Secret",
            message());
}

/* What goes within moments is no news; then it is, but not all the time. */
static void test_news_have_their_time(void)
{
    static const char young[] = LEAVING SAYING("Deleting", "something") COMPOSITE(IN_FOREGROUND,
            BOUND BUCKETS_OF("b1")) HELD_BUCKET("b1", "XNetwork", "u-x1", "2026-01-02T03:11:59Z");

    build(young);
    TEST_ASSERT_EQUAL_STRING("", play(N1));
    TEST_ASSERT_EQUAL(1000, changes.again_after_ms);
    now = "2026-01-02T03:12:01Z";
    TEST_ASSERT_EQUAL_STRING("condition Ready False Deleting @7 beside others\n", play(N1));
    keep_memory();
    now = "2026-01-02T03:12:03Z";
    TEST_ASSERT_EQUAL_STRING("", play(N1));
    TEST_ASSERT_EQUAL(3000, changes.again_after_ms);
    now = "2026-01-02T03:12:06Z";
    TEST_ASSERT_EQUAL_STRING("condition Ready False Deleting @7 beside others\n", play(N1));
}

static void test_an_instant_is_told_and_not_an_age(void)
{
    prb_autofree char *before = NULL;

    build(LEAVING COMPOSITE(IN_FOREGROUND, BOUND BUCKETS_OF("b1"))
                    HELD_BUCKET("b1", "XNetwork", "u-x1", AT));
    (void)play(N1);
    before = prb_strdup(message());
    now = "2026-01-02T09:00:00Z";
    (void)play(N1);
    TEST_ASSERT_EQUAL_STRING(before, message());
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_leaf_is_named_with_depth_time_and_finalizer);
    RUN_TEST(test_the_deepest_come_first_then_who_has_been_at_it_longest);
    RUN_TEST(test_five_are_named_and_the_others_counted);
    RUN_TEST(test_a_kind_that_is_listed_under_two_names_counts_once);
    RUN_TEST(test_what_it_does_not_control_is_not_waited_for);
    RUN_TEST(test_a_circle_of_owners_has_an_end);
    RUN_TEST(test_a_circle_back_to_the_composite_counts_everything_once);
    RUN_TEST(test_of_the_same_name_the_namespaces_decide);
    RUN_TEST(test_kinds_that_cannot_be_seen_are_told_of);
    RUN_TEST(test_news_have_their_time);
    RUN_TEST(test_an_instant_is_told_and_not_an_age);
    return UNITY_END();
}
