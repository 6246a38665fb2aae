/* Is the composite of a deleted claim deleted as the claim says, and the claim let go after it? */

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

/* Crossplane's case ClaimNotFound. */
static void test_a_claim_that_is_gone_is_nothing_to_do(void)
{
    build("");
    TEST_ASSERT_EQUAL_STRING("", play(N1));
}

/* SuccessfulReconcile. */
static void test_a_live_claim_gets_the_finalizer_and_nothing_else(void)
{
    static const struct row rows[] = {
        { "without one", CLAIM("", REF) COMPOSITE("", BOUND),
                "finalizers networks team/n1 add [\"" FINALIZER "\"]\n" },
        { "beside others", CLAIM(", finalizers: [a/b]", REF) COMPOSITE("", BOUND),
                "finalizers networks team/n1 add \"" FINALIZER "\"\n" },
        { "that has it", CLAIM(", " HELD, REF) COMPOSITE("", BOUND), "" },
    };

    CHECK(rows);
}

static void test_the_finalizer_may_have_another_name(void)
{
    settings.finalizer = "probate.dev/claim-cleanup";
    build(CLAIM(", " HELD, REF));
    TEST_ASSERT_EQUAL_STRING(
            "finalizers networks team/n1 add \"probate.dev/claim-cleanup\"\n", play(N1));
}

/* ReconciliationPaused, ReconciliationUnpaused. */
static void test_a_paused_claim_is_left_alone(void)
{
    static const struct row rows[] = {
        { "live", CLAIM(", annotations: {crossplane.io/paused: 'true'}", REF), "" },
        { "deleting",
                CLAIM(", " DELETED ", " HELD ", annotations: {crossplane.io/paused: 'true'}", REF)
                        COMPOSITE("", BOUND),
                "" },
        { "another value is none",
                CLAIM(", " DELETED ", " HELD ", annotations: {crossplane.io/paused: 'false'}", REF)
                        COMPOSITE("", BOUND),
                DELETE("Background @5\n") RELEASED },
    };

    CHECK(rows);
    build(rows[1].world);
    (void)play(N1);
    TEST_ASSERT_EQUAL_STRING("paused by the annotation crossplane.io/paused", waits());
}

static void test_a_claim_that_was_paused_since_is_left_alone(void)
{
    build(CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND));
    serve(CLAIM(", " DELETED ", " HELD ", annotations: {crossplane.io/paused: 'true'}", REF)
                    COMPOSITE("", BOUND));
    TEST_ASSERT_EQUAL_STRING("", play(N1));
}

/* SuccessfulDelete. */
static void test_in_the_background_the_claim_goes_at_once(void)
{
    static const struct row rows[] = {
        { "by default", CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND),
                DELETE("Background @5\n") RELEASED },
        { "by name",
                CLAIM(", " DELETED ", " HELD, REF ", compositeDeletePolicy: Background")
                        COMPOSITE("", BOUND),
                DELETE("Background @5\n") RELEASED },
        { "a composite that is going already",
                CLAIM(", " DELETED ", " HELD, REF) COMPOSITE(", " DELETED, BOUND), RELEASED },
        { "a composite that is gone", CLAIM(", " DELETED ", " HELD, REF), RELEASED },
        { "others keep the claim",
                CLAIM(", " DELETED ", finalizers: [a/b, " FINALIZER "]", REF) COMPOSITE("", BOUND),
                DELETE("Background @5\n") "finalizers networks team/n1 replace [\"a/b\"]\n"
                                          "event ClaimReleased on networks team/n1\n" },
        { "what was let go before is not again",
                CLAIM(", " DELETED ", finalizers: [a/b]", REF) COMPOSITE(", " DELETED, BOUND), "" },
    };

    CHECK(rows);
}

/* SuccessfulForegroundDelete, ForegroundDeleteWaitForCompositeDeletion. */
static void test_in_the_foreground_the_claim_waits_for_its_composite(void)
{
    static const struct row rows[] = {
        { "it is deleted", LEAVING COMPOSITE("", BOUND),
                DELETE("Foreground @5\n") "event DeletingComposite on networks team/n1\n" CONDITION(
                        "Deleting") },
        { "it is waited for", LEAVING COMPOSITE(IN_FOREGROUND, BOUND),
                "event DeletingComposite on networks team/n1\n" CONDITION("Deleting") },
        { "it is gone", LEAVING, RELEASED },
    };

    CHECK(rows);
}

static void test_no_step_is_taken_on_the_word_of_the_cache(void)
{
    build(LEAVING);
    serve(LEAVING COMPOSITE("", BOUND));
    TEST_ASSERT_EQUAL_STRING(DELETE("Foreground @5\n") "event DeletingComposite on networks "
                                                       "team/n1\n" CONDITION("Deleting"),
            play(N1));
    build(CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND));
    serve(CLAIM(", " HELD, REF) COMPOSITE("", BOUND));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", play(N1), "it is not being deleted");
    serve(OF_KIND("Network") "metadata: {name: n1, namespace: team, uid: u-new, " DELETED "}\n"
                             "spec: {" REF "}\n" COMPOSITE("", BOUND));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", play(N1), "it is another of that name");
    serve("");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", play(N1), "it is gone");
    build(CLAIM(", " DELETED ", " HELD, "") COMPOSITE("", BOUND));
    serve(CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
            DELETE("Background @5\n") RELEASED, play(N1), "it names a composite since");
}

/* Issue 2173 there: the reference was there, but its name was empty. */
static void test_a_claim_without_a_composite_goes(void)
{
    static const struct row rows[] = {
        { "no reference", CLAIM(", " DELETED ", " HELD, ""), RELEASE },
        { "an empty name", CLAIM(", " DELETED ", " HELD, REF_TO("XNetwork", "''") FOREGROUND),
                RELEASE },
        { "a name that nothing can have",
                CLAIM(", " DELETED ", " HELD, REF_TO("XNetwork", "'a/b'") FOREGROUND), RELEASED },
    };

    CHECK(rows);
}

static void test_a_kind_that_is_not_served_has_no_composites(void)
{
    build(LEAVING);
    set_kind("XNetwork", PRB_RESOURCE_ABSENT, "");
    TEST_ASSERT_EQUAL_STRING(RELEASED, play(N1));
}

/* Their composite is gone with its kind; what else goes by that name is a stranger. */
static void test_a_kind_that_is_found_by_another_name_has_none_of_its_composites(void)
{
    build(CLAIM(", " DELETED ", " HELD, REF_TO("XNet", "x1")) COMPOSITE("", ""));
    give_short_name("XNet");
    TEST_ASSERT_EQUAL_STRING(RELEASED, play(N1));
}

/* It lives on in another version, which the next pass finds. */
static void test_a_version_that_is_not_served_is_no_composite_that_is_gone(void)
{
    build(LEAVING COMPOSITE("", BOUND));
    fail_on("read xnetworks x1", PRB_E_NOTFOUND, NOT_SERVED);
    TEST_ASSERT_NULL_MESSAGE(strstr(play(N1), "finalizers"), "let go");
    TEST_ASSERT_EQUAL_STRING("cannot read composite XNetwork x1: " NOT_SERVED, message());
    TEST_ASSERT_GREATER_THAN(0, changes.retry_max_ms);
}

/* Another's finalizer holds it; what has its composite's name since may be anybody's. */
static void test_a_claim_that_was_let_go_deletes_nothing_any_more(void)
{
    static const struct row rows[] = {
        { "unbound", CLAIM(", " DELETED ", finalizers: [a/b]", REF) COMPOSITE("", "a: b"), "" },
        { "bound", CLAIM(", " DELETED ", finalizers: [a/b]", REF FOREGROUND) COMPOSITE("", BOUND),
                "" },
    };

    CHECK(rows);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", calls(), "and asks for nothing");
    build(LEAVING COMPOSITE("", BOUND));
    serve(CLAIM(", " DELETED ", finalizers: [a/b]", REF FOREGROUND) COMPOSITE("", BOUND));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", play(N1), "as it was read");
}

static void test_what_the_definition_says_holds_where_the_claim_says_nothing(void)
{
    build_bare(DEFINITION(", defaultCompositeDeletePolicy: Foreground")
                    CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND));
    TEST_ASSERT_EQUAL_STRING(DELETE("Foreground @5\n") "event DeletingComposite on networks "
                                                       "team/n1\n" CONDITION("Deleting"),
            play(N1));
    build_bare(DEFINITION(", defaultCompositeDeletePolicy: Foreground")
                    CLAIM(", " DELETED ", " HELD, REF ", compositeDeletePolicy: Background")
                            COMPOSITE("", BOUND));
    TEST_ASSERT_EQUAL_STRING(DELETE("Background @5\n") RELEASED, play(N1));
}

/* The kind outlives it, and so do claims that we hold; their composites have to name them. */
static void test_a_claim_whose_definition_is_gone_goes_as_one_of_a_flag_does(void)
{
    build_bare(CRD_OF("networks") CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND));
    (void)prb_world_serve(world, DEFINITIONS);
    TEST_ASSERT_EQUAL_STRING(DELETE("Background @5\n") RELEASED, play(N1));
    build_bare(CRD_OF("networks") LEAVING);
    (void)prb_world_serve(world, DEFINITIONS);
    set_kind("XNetwork", PRB_RESOURCE_ABSENT, "");
    TEST_ASSERT_EQUAL_STRING_MESSAGE(RELEASED, play(N1), "with its composite's kind");
    build_bare(CRD_OF("networks") CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", ""));
    (void)prb_world_serve(world, DEFINITIONS);
    set_kind("XNetwork", PRB_RESOURCE_PRESENT, "");
    TEST_ASSERT_NULL_MESSAGE(strstr(play(N1), "delete"), "an unbound composite");
    build_bare(CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND));
    (void)prb_world_serve(world, DEFINITIONS);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", play(N1), "its kind is nobody's");
}

static void test_without_the_definitions_nothing_is_decided(void)
{
    build_bare(CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND));
    settings.claims = (const struct prb_gvr[]){ { "example.org", "", "networks" } };
    settings.claim_count = 1;
    set_kind("CompositeResourceDefinition", PRB_RESOURCE_UNKNOWN, "discovery failed");
    TEST_ASSERT_EQUAL_STRING(CONDITION("Deleting"), play(N1));
    TEST_ASSERT_EQUAL_STRING("cannot delete composite XNetwork x1: CompositeResourceDefinitions "
                             "cannot be read yet, and with them how its composite is to be "
                             "deleted: discovery failed",
            message());
    set_kind("CompositeResourceDefinition", PRB_RESOURCE_UNKNOWN, PRB_NOT_LOOKED_FOR);
    TEST_ASSERT_EQUAL_STRING("", play(N1));
    TEST_ASSERT_EQUAL_STRING("CompositeResourceDefinitions cannot be read yet, and with them how "
                             "its composite is to be deleted",
            waits());
    set_kind("CompositeResourceDefinition", PRB_RESOURCE_ABSENT, "");
    TEST_ASSERT_EQUAL_STRING_MESSAGE(
            DELETE("Background @5\n") RELEASED, play(N1), "there are none");
}

static void test_a_policy_that_is_none_deletes_nothing(void)
{
    static const struct row rows[] = {
        { "Orphan",
                CLAIM(", " DELETED ", " HELD, REF ", compositeDeletePolicy: Orphan")
                        COMPOSITE("", BOUND),
                "warning InvalidDeletePolicy on networks team/n1\n" CONDITION(
                        "InvalidDeletePolicy") },
        { "no text",
                CLAIM(", " DELETED ", " HELD, REF ", compositeDeletePolicy: 7")
                        COMPOSITE("", BOUND),
                "warning InvalidDeletePolicy on networks team/n1\n" CONDITION(
                        "InvalidDeletePolicy") },
    };

    CHECK(rows);
}

/* GetClaimError, GetCompositeError, DeleteCompositeError: nothing goes on, it is told, and tried
 * again. */
static void test_a_failure_is_told_and_lets_nothing_go(void)
{
    static const struct {
        const char *call, *told;
        enum prb_errc code;
        bool warns;
    } rows[] = {
        { "read networks team/n1", "cannot read the claim: not now", PRB_E_UNAVAILABLE, false },
        { "resolve XNetwork", "cannot find the kind of composite XNetwork x1: not now",
                PRB_E_UNAVAILABLE, false },
        { "read xnetworks x1", "cannot read composite XNetwork x1: not now", PRB_E_FORBIDDEN,
                true },
        { "delete xnetworks x1", "cannot delete composite XNetwork x1: not now", PRB_E_FORBIDDEN,
                true },
        { "delete xnetworks x1", "cannot delete composite XNetwork x1: not now", PRB_E_CONFLICT,
                false },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *text;

        tearDown();
        setUp();
        build(CLAIM(", " DELETED ", " HELD, REF) COMPOSITE("", BOUND));
        fail_on(rows[i].call, rows[i].code, "not now");
        text = play(N1);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].told, message(), rows[i].call);
        TEST_ASSERT_NULL_MESSAGE(strstr(text, "finalizers"), text);
        TEST_ASSERT_EQUAL_MESSAGE(
                rows[i].warns, strstr(text, "warning CannotDeleteComposite") != NULL, text);
        TEST_ASSERT_GREATER_THAN(0, changes.retry_max_ms);
    }
}

/* Ours goes whoever else is there: the garbage collector takes its own off. */
static void test_finalizers_of_the_garbage_collector_are_not_waited_for(void)
{
    static const struct row rows[] = {
        { "foreground",
                CLAIM(", " DELETED ", finalizers: [foregroundDeletion, " FINALIZER "]", REF),
                "finalizers networks team/n1 replace [\"foregroundDeletion\"]\n"
                "event ClaimReleased on networks team/n1\n" },
        { "orphan", CLAIM(", " DELETED ", finalizers: [" FINALIZER ", orphan]", REF),
                "finalizers networks team/n1 replace [\"orphan\"]\n"
                "event ClaimReleased on networks team/n1\n" },
    };

    CHECK(rows);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_claim_that_is_gone_is_nothing_to_do);
    RUN_TEST(test_a_live_claim_gets_the_finalizer_and_nothing_else);
    RUN_TEST(test_the_finalizer_may_have_another_name);
    RUN_TEST(test_a_paused_claim_is_left_alone);
    RUN_TEST(test_a_claim_that_was_paused_since_is_left_alone);
    RUN_TEST(test_in_the_background_the_claim_goes_at_once);
    RUN_TEST(test_in_the_foreground_the_claim_waits_for_its_composite);
    RUN_TEST(test_no_step_is_taken_on_the_word_of_the_cache);
    RUN_TEST(test_a_claim_without_a_composite_goes);
    RUN_TEST(test_a_kind_that_is_not_served_has_no_composites);
    RUN_TEST(test_a_kind_that_is_found_by_another_name_has_none_of_its_composites);
    RUN_TEST(test_a_version_that_is_not_served_is_no_composite_that_is_gone);
    RUN_TEST(test_a_claim_that_was_let_go_deletes_nothing_any_more);
    RUN_TEST(test_what_the_definition_says_holds_where_the_claim_says_nothing);
    RUN_TEST(test_a_claim_whose_definition_is_gone_goes_as_one_of_a_flag_does);
    RUN_TEST(test_without_the_definitions_nothing_is_decided);
    RUN_TEST(test_a_policy_that_is_none_deletes_nothing);
    RUN_TEST(test_a_failure_is_told_and_lets_nothing_go);
    RUN_TEST(test_finalizers_of_the_garbage_collector_are_not_waited_for);
    return UNITY_END();
}
