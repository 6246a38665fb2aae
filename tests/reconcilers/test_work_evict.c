/* Is an AppliedManifestWork evicted only when nobody can want it any more? */

#include <string.h>
#include <unity.h>

#include "probate/base/str.h"

#include "work_stage.h"

void setUp(void)
{
    stage_begin();
}

void tearDown(void)
{
    stage_end();
}

#define ONE ENTRIES(ENTRY("a", "u-a1"))
#define OBJECT_A                                                                          \
    "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default, uid: " \
    "u-a1" OWNERS(OURS) "}\n"

/* It is 03:10 in all of these. */
#define SINCE(text) ", evictionStartTime: '" text "'"
#define LATE SINCE("2026-01-02T02:10:00Z")
#define LATE_ALONE "evictionStartTime: '2026-01-02T02:10:00Z'"
#define EARLY SINCE("2026-01-02T03:00:00Z")
#define STAMP "status appliedmanifestworks h1-w\n"
#define EVICT "delete appliedmanifestworks h1-w\n"
#define GONE "delete configmaps default/a\nfinalizers appliedmanifestworks h1-w\n"
#define SPECIFIED(name, spec, status) APPLIED_NAMED(name, "u-a", RECORDING, spec, status)

static const char *stamp(void)
{
    static char text[64];
    prb_auto(prb_object_unref) struct prb_object *applied = live(A);
    const char *seen =
            applied ? prb_json_str(prb_object_status(applied), "evictionStartTime") : NULL;

    text[0] = '\0';
    if (seen)
        (void)prb_copy(text, sizeof(text), seen);
    return text;
}

struct row {
    const char *name, *world, *wanted, *stamp;
    bool is_gone;
};

static const struct row rows[] = {
    { "first sight", RECORD(RECORDING, ONE), STAMP, "2026-01-02T03:10:00Z", false },
    { "in the grace period", RECORD(RECORDING, ONE EARLY), "", "2026-01-02T03:00:00Z", false },
    { "a second before its end", RECORD(RECORDING, ONE SINCE("2026-01-02T02:10:01Z")), "",
            "2026-01-02T02:10:01Z", false },
    { "at its end", RECORD(RECORDING, ONE LATE), EVICT GONE, "", true },
    { "a stamp that is none", RECORD(RECORDING, ONE SINCE("yesterday")), STAMP,
            "2026-01-02T03:10:00Z", false },
    { "a stamp to come", RECORD(RECORDING, ONE SINCE("2026-01-02T04:00:00Z")), STAMP,
            "2026-01-02T03:10:00Z", false },
    { "another agent's",
            SPECIFIED("h1-w", "hubHash: h1, agentID: you, manifestWorkName: w", ONE LATE), "",
            "2026-01-02T02:10:00Z", false },
    { "nobody's", SPECIFIED("h1-w", "hubHash: h1, manifestWorkName: w", ONE LATE), "",
            "2026-01-02T02:10:00Z", false },
    { "one that means another work",
            SPECIFIED("h1-w", "hubHash: h1, agentID: me, manifestWorkName: v", ONE LATE), "",
            "2026-01-02T02:10:00Z", false },
    { "one that means another hub",
            SPECIFIED("h1-w", "hubHash: h2, agentID: me, manifestWorkName: w", ONE LATE), "",
            "2026-01-02T02:10:00Z", false },
    { "a work that is being deleted without our finalizer",
            WORK(DELETED ", finalizers: [x/y]", "") RECORD(RECORDING, ONE), STAMP,
            "2026-01-02T03:10:00Z", false },
    { "the same, long after", WORK(DELETED ", finalizers: [x/y]", "") RECORD(RECORDING, ONE LATE),
            "", "2026-01-02T02:10:00Z", false },
    { "a work that is back takes the stamp off, and only that",
            WORK("", "") RECORD(RECORDING, ONE LATE), STAMP "apply\n", "", false },
    { "a work that is there", WORK("", "") RECORD(RECORDING, ONE), "apply\n", "", false },
    { "a work of that name in another namespace",
            OCM "ManifestWork\nmetadata: {name: w, namespace: c2, uid: x}\nspec: {}\n" RECORD(
                    RECORDING, ONE LATE),
            EVICT GONE, "", true },
    { "one without a finalizer gets it first", RECORD("", ONE LATE),
            "finalizers appliedmanifestworks h1-w\n" EVICT GONE, "", true },
};

static void test_each_is_evicted_when_its_time_has_come(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool is_back = strstr(rows[i].wanted, "apply") != NULL;

        stage_end();
        setUp();
        put(rows[i].world);
        put(OBJECT_A);
        (void)passes(is_back ? 1 : 4);
        if (is_back && strstr(rows[i].wanted, STAMP))
            (void)passes_more(A, 1);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, passes_more(A, 0), rows[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].stamp, stamp(), rows[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, stage.result, rows[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(rows[i].is_gone, !is_there(A), rows[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(rows[i].is_gone, !is_there(CM("a")), rows[i].name);
    }
}

#define NOTED_A                                                                                     \
    NOTED("{\"deleteOption\":{\"propagationPolicy\":\"SelectivelyOrphan\",\"selectivelyOrphans\":{" \
          "\"orphaningRules\":[{\"name\":\"a\",\"namespace\":\"default\",\"resource\":"             \
          "\"configmaps\"}]}}}")
#define NOTED_READ_ONLY                                                                              \
    NOTED("{\"manifestConfigs\":[{\"resourceIdentifier\":{\"name\":\"a\",\"namespace\":\"default\"," \
          "\"resource\":\"configmaps\"},\"updateStrategy\":{\"type\":\"ReadOnly\"}}]}")
#define OBJECT_B                                                                          \
    "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: default, uid: " \
    "u-b1" OWNERS(OURS) "}\n"
#define BOTH ENTRIES(ENTRY("a", "u-a1") ", " ENTRY("b", "u-b1"))

#define HELD WORK(DELETED ", finalizers: [x/y]", MANIFESTS(MANIFEST("a") ", " MANIFEST("b")))

static void expect_spared(const char *world)
{
    stage_end();
    setUp();
    put(world);
    TEST_ASSERT_EQUAL_STRING("owners configmaps default/a\n" STAMP, passes(4));
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("a")));
    TEST_ASSERT_EQUAL_size_t(1, owners_of(CM("b")));
    stage.reads = 0;
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, stage.reads, "known from the pass before");
    prb_fake_clock_advance(&stage.clock, 2 * stage.settings.eviction_grace_ms);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", passes(4), "the work is still there");
    set(W, NULL, "{\"metadata\":{\"finalizers\":null}}");
    TEST_ASSERT_EQUAL_STRING(EVICT "delete configmaps default/b\nfinalizers appliedmanifestworks "
                                   "h1-w\n",
            passes(4));
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(CM("b")) || is_there(A));
}

/* The finalizer and the settings are gone together, and something else holds the work. */
static void test_what_was_spared_loses_its_reference_at_once_and_is_not_evicted(void)
{
    expect_spared(HELD RECORD(RECORDING NOTED_A, BOTH) OBJECT_A OBJECT_B);
    expect_spared(HELD RECORD(RECORDING NOTED_READ_ONLY, BOTH) OBJECT_A OBJECT_B);
}

static void test_nothing_is_evicted_while_what_is_spared_has_its_reference(void)
{
    put(RECORD(RECORDING NOTED_A, BOTH LATE) OBJECT_A OBJECT_B);
    fail("owners configmaps default/a", PRB_E_FORBIDDEN, "", "no");
    TEST_ASSERT_EQUAL_STRING("owners configmaps default/a\n", pass());
    TEST_ASSERT_EQUAL_STRING(
            "it is not evicted before what is to stay has lost its owner reference; 1 of 1 "
            "resources is left: configmaps default/a; configmaps default/a: its reference could "
            "not be removed: no",
            waits());
    TEST_ASSERT_TRUE(retries() && !is_going(A));
    fail("owners configmaps default/a", PRB_OK, "", "");
    (void)passes(4);
    TEST_ASSERT_FALSE(is_there(A) || is_there(CM("b")));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void test_it_comes_again_when_the_time_is_over(void)
{
    put(RECORD(RECORDING, ONE EARLY) OBJECT_A);
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_INT64(50 * 60 * 1000, again_ms());
    TEST_ASSERT_EQUAL_STRING("its work is gone, or on another hub: it is evicted at "
                             "2026-01-02T04:00:00Z if it does not come back",
            waits());
    prb_fake_clock_advance(&stage.clock, again_ms());
    TEST_ASSERT_EQUAL_STRING(EVICT GONE, passes(4));
}

static void test_a_grace_of_0_evicts_nothing_and_clears_stamps(void)
{
    stage.settings.eviction_grace_ms = 0;
    put(RECORD(RECORDING, ONE LATE) OBJECT_A);
    TEST_ASSERT_EQUAL_STRING(STAMP, passes(4));
    TEST_ASSERT_EQUAL_STRING("", stamp());
    prb_fake_clock_advance(&stage.clock, (int64_t)1000 * 60 * 60 * 1000);
    TEST_ASSERT_EQUAL_STRING("", passes(4));
    TEST_ASSERT_TRUE(is_there(A) && is_there(CM("a")));
}

static void test_a_hub_that_cannot_be_asked_evicts_nothing(void)
{
    static const struct {
        enum prb_errc code;
        const char *reason;
    } answers[] = { { PRB_E_IO, "" }, { PRB_E_FORBIDDEN, "Forbidden" }, { PRB_E_UNAVAILABLE, "" },
        { PRB_E_UNAUTHORIZED, "Unauthorized" }, { PRB_E_NOTFOUND, "NotServed" } };

    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        stage_end();
        setUp();
        put(RECORD(RECORDING, ONE LATE) OBJECT_A);
        fail("get manifestworks c1/w", answers[i].code, answers[i].reason, "no");
        TEST_ASSERT_EQUAL_STRING("", passes(4));
        TEST_ASSERT_NOT_EQUAL_INT(0, stage.result);
        TEST_ASSERT_FALSE(is_going(A));
    }
}

static void test_a_work_that_only_the_hub_knows_of_is_enough(void)
{
    put(RECORD(RECORDING, ONE LATE) OBJECT_A);
    see();
    put(WORK("", ""));
    stage.is_blind = true;
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_FALSE(is_going(A));
}

static void come_back(const char *call)
{
    if (strstr(call, "delete appliedmanifestworks"))
        set(A, "status", "{\"status\":{\"evictionStartTime\":null}}");
}

static void test_one_that_was_touched_meanwhile_is_not_evicted(void)
{
    put(RECORD(RECORDING, ONE LATE) OBJECT_A);
    meanwhile = come_back;
    TEST_ASSERT_EQUAL_STRING(EVICT, pass());
    TEST_ASSERT_FALSE(is_going(A));
}

static void test_another_hubs_goes_without_asking(void)
{
    put(SPECIFIED("h2-w", "hubHash: h2, agentID: me, manifestWorkName: w", LATE_ALONE)
                    WORK("", ""));
    fail("get manifestworks c1/w", PRB_E_IO, "", "no");
    TEST_ASSERT_EQUAL_STRING(
            "delete appliedmanifestworks h2-w\nfinalizers appliedmanifestworks h2-w\n",
            passes_on(APPLIED "//h2-w", 4));
}

static void test_one_that_says_it_is_ours_under_a_strange_name_is_left(void)
{
    put(SPECIFIED("mine", "hubHash: h1, agentID: me, manifestWorkName: w", LATE_ALONE));
    TEST_ASSERT_EQUAL_STRING("", passes_on(APPLIED "//mine", 4));
    TEST_ASSERT_EQUAL_STRING(
            "its name is not that of the hub and the work in its spec: it is not evicted", waits());
}

static void test_what_another_agent_manages_is_not_stamped_all_the_time(void)
{
    size_t stamps = 0;

    put(SPECIFIED("h2-w", "hubHash: h2, agentID: me, manifestWorkName: w", ""));
    for (int second = 0; second < 600; second++) {
        stamps += strlen(pass_on(APPLIED "//h2-w")) > 0;
        set(APPLIED "//h2-w", "status", "{\"status\":{\"evictionStartTime\":null}}");
        prb_fake_clock_advance(&stage.clock, 1000);
    }
    TEST_ASSERT_EQUAL_size_t(3, stamps);
    TEST_ASSERT_NOT_NULL(strstr(waits(), "somebody else manages it"));
    TEST_ASSERT_TRUE(again_ms() > 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_each_is_evicted_when_its_time_has_come);
    RUN_TEST(test_what_was_spared_loses_its_reference_at_once_and_is_not_evicted);
    RUN_TEST(test_nothing_is_evicted_while_what_is_spared_has_its_reference);
    RUN_TEST(test_it_comes_again_when_the_time_is_over);
    RUN_TEST(test_a_grace_of_0_evicts_nothing_and_clears_stamps);
    RUN_TEST(test_a_hub_that_cannot_be_asked_evicts_nothing);
    RUN_TEST(test_a_work_that_only_the_hub_knows_of_is_enough);
    RUN_TEST(test_one_that_was_touched_meanwhile_is_not_evicted);
    RUN_TEST(test_another_hubs_goes_without_asking);
    RUN_TEST(test_one_that_says_it_is_ours_under_a_strange_name_is_left);
    RUN_TEST(test_what_another_agent_manages_is_not_stamped_all_the_time);
    return UNITY_END();
}
