/* Is a composite deleted only by the claim that it belongs to? */

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

#define REFUSED "warning CompositeNotBound on networks team/n1\n" CONDITION("CompositeNotBound")

/* CompositeAlreadyBoundError. */
static void test_a_composite_of_another_claim_is_never_touched(void)
{
    static const struct row rows[] = {
        { "another name", LEAVING COMPOSITE("", BOUND_TO("team", "n2")), REFUSED },
        { "another namespace", LEAVING COMPOSITE("", BOUND_TO("other", "n1")), REFUSED },
        { "another group",
                LEAVING COMPOSITE("", "claimRef: {apiVersion: example.com/v1, kind: Network, "
                                      "namespace: team, name: n1}"),
                REFUSED },
        { "another kind",
                LEAVING COMPOSITE("", "claimRef: {apiVersion: example.org/v1, kind: Site, "
                                      "namespace: team, name: n1}"),
                REFUSED },
        { "a reference that cannot be read", LEAVING COMPOSITE("", "claimRef: {name: n1}"),
                REFUSED },
        { "a reference that is no object", LEAVING COMPOSITE("", "claimRef: n1"), REFUSED },
        { "in the background",
                CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND_TO("team", "n2")), REFUSED },
        { "while it is being deleted", LEAVING COMPOSITE(IN_FOREGROUND, BOUND_TO("team", "n2")),
                REFUSED },
    };

    CHECK(rows);
    TEST_ASSERT_EQUAL_STRING(
            "composite XNetwork x1 is not touched: it is bound to Network team/n2, not to this "
            "claim. Correct spec.resourceRef of the claim, or take its finalizer " FINALIZER " off",
            message());
}

static void test_another_version_is_the_same_kind(void)
{
    static const struct row rows[] = {
        { "of the claim",
                CLAIM(", " DELETED ", " HELD, REF)
                        COMPOSITE("", "claimRef: {apiVersion: example.org/v1beta1, kind: Network, "
                                      "namespace: team, name: n1}"),
                DELETE("Background @5\n") RELEASED },
        { "of the composite",
                CLAIM(", " DELETED ", " HELD,
                        "resourceRef: {apiVersion: example.org/v1alpha1, kind: XNetwork, name: x1}")
                        COMPOSITE("", BOUND),
                DELETE("Background @5\n") RELEASED },
    };

    CHECK(rows);
}

static void test_an_unbound_composite_is_the_claims_that_names_it(void)
{
    static const struct row rows[] = {
        { "no reference", CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", ""),
                DELETE("Background @5\n") RELEASED },
        { "one that is null", CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", "claimRef: null"),
                DELETE("Background @5\n") RELEASED },
    };

    CHECK(rows);
}

#define CREATED(time) ", creationTimestamp: '" time "'"
#define LATER "2026-01-02T03:00:01Z"

/* The one that the claim meant is gone, while nobody looked, and its name was free. */
static void test_a_composite_that_came_after_the_deletion_is_anothers(void)
{
    static const struct row rows[] = {
        { "unbound", LEAVING COMPOSITE(CREATED(LATER), ""), RELEASED },
        { "unbound, in the background",
                CLAIM(", " DELETED ", " HELD, REF) COMPOSITE(CREATED(LATER), ""), RELEASED },
        { "another claim's", LEAVING COMPOSITE(CREATED(LATER), BOUND_TO("team", "n2")), RELEASED },
        { "its own", CLAIM(", " DELETED ", " HELD, REF) COMPOSITE(CREATED(LATER), BOUND),
                DELETE("Background @5\n") RELEASED },
        { "in the same second", CLAIM(", " DELETED ", " HELD, REF) COMPOSITE(CREATED(AT), ""),
                DELETE("Background @5\n") RELEASED },
        { "another claim's, in the same second",
                LEAVING COMPOSITE(CREATED(AT), BOUND_TO("team", "n2")), REFUSED },
    };

    CHECK(rows);
}

/* A claim may name anything: only what its definition calls a composite is one. */
static void test_what_is_no_composite_is_never_touched(void)
{
    static const struct row rows[] = {
        { "a composite of another definition",
                CLAIM(", " DELETED ", " HELD, REF_TO("XSubnet", "s1")) SUBNET("s1", "", ""),
                REFUSED },
        { "a leaf", CLAIM(", " DELETED ", " HELD, REF_TO("Bucket", "b1")) BUCKET("b1", ""),
                REFUSED },
        { "a claim", CLAIM(", " DELETED ", " HELD, REF_TO("Network", "n2")), REFUSED },
    };

    CHECK(rows);
}

/* Without a definition nobody says what a composite is: it has to say itself whose it is. */
static void test_a_claim_by_flag_alone_needs_to_be_named_by_its_composite(void)
{
    settings.claims = (const struct prb_gvr[]){ { "example.org", "", "networks" } };
    settings.claim_count = 1;
    build_bare(CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", ""));
    (void)prb_world_serve(world, DEFINITIONS);
    TEST_ASSERT_EQUAL_STRING(REFUSED, play(N1));
    build_bare(CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND));
    (void)prb_world_serve(world, DEFINITIONS);
    TEST_ASSERT_EQUAL_STRING(DELETE("Background @5\n") RELEASED, play(N1));
}

static void test_what_the_composite_says_is_read_live(void)
{
    build(CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND));
    serve(CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND_TO("team", "n2")));
    TEST_ASSERT_EQUAL_STRING(REFUSED, play(N1));
}

static void test_a_refusal_is_told_once(void)
{
    build(LEAVING SAYING("CompositeNotBound",
            "composite XNetwork x1 is not touched: it is bound to Network team/n2, not to this "
            "claim. Correct spec.resourceRef of the claim, or take its finalizer " FINALIZER " off")
                    COMPOSITE("", BOUND_TO("team", "n2")));
    TEST_ASSERT_EQUAL_STRING("", play(N1));
    TEST_ASSERT_GREATER_THAN(0, changes.again_after_ms);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_composite_of_another_claim_is_never_touched);
    RUN_TEST(test_another_version_is_the_same_kind);
    RUN_TEST(test_an_unbound_composite_is_the_claims_that_names_it);
    RUN_TEST(test_a_composite_that_came_after_the_deletion_is_anothers);
    RUN_TEST(test_what_is_no_composite_is_never_touched);
    RUN_TEST(test_a_claim_by_flag_alone_needs_to_be_named_by_its_composite);
    RUN_TEST(test_what_the_composite_says_is_read_live);
    RUN_TEST(test_a_refusal_is_told_once);
    return UNITY_END();
}
