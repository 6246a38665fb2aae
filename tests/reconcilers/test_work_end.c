/* Does a deleted work go only after all that is its own, and with nothing else? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
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

#define TWO ENTRIES(ENTRY("a", "u-a1") ", " ENTRY("b", "u-b1"))
#define OBJECT(name, uid, more)                                    \
    "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " name \
    ", namespace: default, uid: " uid more "}\n"
#define BOTH MANIFESTS(MANIFEST("a") ", " MANIFEST("b"))
#define SELECT(name)                                                              \
    ", deleteOption: {propagationPolicy: SelectivelyOrphan, selectivelyOrphans: " \
    "{orphaningRules: [{resource: configmaps, namespace: default, name: " name "}]}}"
#define FOREGROUND ", deleteOption: {propagationPolicy: Foreground}"

/* What of it is to stay is put on record, where it is not yet. */
#define NOTE "patch appliedmanifestworks h1-w\n"
#define NOTED_SELECT_A                                                                                 \
    ", annotations: {probate.dev/orphan-settings: '{\"deleteOption\":{\"propagationPolicy\":"          \
    "\"SelectivelyOrphan\",\"selectivelyOrphans\":{\"orphaningRules\":[{\"name\":\"a\",\"namespace\":" \
    "\"default\",\"resource\":\"configmaps\"}]}}}'}"
#define DROP(name) "owners configmaps default/" name "\n"
#define DELETE(name) "delete configmaps default/" name "\n"
#define BEGIN "delete appliedmanifestworks h1-w\n"
#define RELEASE "finalizers appliedmanifestworks h1-w\n"
#define END "finalizers manifestworks c1/w\n"
#define SAY "status manifestworks c1/w\n"

struct row {
    const char *name, *world, *wanted, *stays;
};

static const struct row rows[] = {
    { "everything goes",
            LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS))
                    OBJECT("b", "u-b1", OWNERS(OURS)),
            BEGIN DELETE("a") DELETE("b") RELEASE END, "" },
    { "Foreground is the same",
            LEAVING(BOTH FOREGROUND) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS))
                    OBJECT("b", "u-b1", OWNERS(OURS)),
            BEGIN DELETE("a") DELETE("b") RELEASE END, "" },
    { "Orphan, long since",
            LEAVING(BOTH ORPHAN) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", "")
                    OBJECT("b", "u-b1", ""),
            NOTE BEGIN RELEASE END, "ab" },
    { "Orphan set and deleted within the same second",
            LEAVING(BOTH ORPHAN) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS))
                    OBJECT("b", "u-b1", OWNERS(OURS)),
            NOTE DROP("a") DROP("b") BEGIN RELEASE END, "ab" },
    { "SelectivelyOrphan set and deleted within the same second",
            LEAVING(BOTH SELECT("a")) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS))
                    OBJECT("b", "u-b1", OWNERS(OURS)),
            NOTE DROP("a") BEGIN DELETE("b") RELEASE END, "a" },
    { "Orphan, and an agent that died before it could record",
            LEAVING(BOTH ORPHAN) RECORD(RECORDING, "") OBJECT("a", "u-a1", OWNERS(OURS))
                    OBJECT("b", "u-b1", OWNERS(OURS)),
            NOTE DROP("a") DROP("b") BEGIN RELEASE END, "ab" },
    { "the same, to be deleted",
            LEAVING(BOTH) RECORD(RECORDING, "") OBJECT("a", "u-a1", OWNERS(OURS))
                    OBJECT("b", "u-b1", ""),
            BEGIN DELETE("a") RELEASE END, "b" },
    { "Orphan taken back and deleted within the same second",
            LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", "")
                    OBJECT("b", "u-b1", OWNERS(OURS)),
            BEGIN DELETE("b") RELEASE END, "a" },
    { "an object that has lost our reference stays",
            LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", "")
                    OBJECT("b", "u-b1", OWNERS(OWNER("h1-w", "u-earlier"))),
            BEGIN RELEASE END, "ab" },
    { "nothing is adopted that is another object",
            LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a2", "")
                    OBJECT("b", "u-b1", OWNERS(OURS)),
            BEGIN DELETE("b") RELEASE END, "a" },
    { "nor what is only recorded",
            LEAVING(MANIFESTS(MANIFEST("b"))) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", "")
                    OBJECT("b", "u-b1", OWNERS(OURS)),
            BEGIN DELETE("b") RELEASE END, "a" },
    { "nor what was recorded before it was applied",
            LEAVING(BOTH) RECORD(RECORDING, ENTRIES(ENTRY("a", "") ", " ENTRY("b", "u-b1")))
                    OBJECT("a", "u-a1", "") OBJECT("b", "u-b1", OWNERS(OURS)),
            BEGIN DELETE("b") RELEASE END, "a" },
    { "nor what is only read",
            LEAVING(BOTH ", manifestConfigs: [{resourceIdentifier: {resource: configmaps, "
                         "namespace: default, name: a}, updateStrategy: {type: ReadOnly}}]")
                    RECORD(RECORDING, TWO) OBJECT("a", "u-a1", "")
                            OBJECT("b", "u-b1", OWNERS(OURS)),
            NOTE BEGIN DELETE("b") RELEASE END, "a" },
    { "what is only read from now on loses our reference",
            LEAVING(BOTH ", manifestConfigs: [{resourceIdentifier: {resource: configmaps, "
                         "namespace: default, name: a}, updateStrategy: {type: ReadOnly}}]")
                    RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS))
                            OBJECT("b", "u-b1", OWNERS(OURS)),
            NOTE DROP("a") BEGIN DELETE("b") RELEASE END, "a" },
    { "nor what another work has by now",
            LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OWNER("h1-v", "u-v")))
                    OBJECT("b", "u-b1", OWNERS(OURS))
                            APPLIED_NAMED("h1-v", "u-v", "", "hubHash: h1", ""),
            BEGIN DELETE("b") RELEASE END, "a" },
    { "what is shared loses our reference",
            LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1",
                    OWNERS(OURS ", " OWNER("h1-v", "u-v"))) OBJECT("b", "u-b1", OWNERS(OURS))
                    APPLIED_NAMED("h1-v", "u-v", "", "hubHash: h1", ""),
            DROP("a") BEGIN DELETE("b") RELEASE END, "a" },
    { "another object with our reference stays, whatever the garbage collector thinks",
            LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a2", OWNERS(OURS))
                    OBJECT("b", "u-b1", OWNERS(OURS)),
            BEGIN DROP("a") DELETE("b") RELEASE END, "a" },
    { "an option that nobody understands deletes nothing",
            LEAVING(BOTH ", deleteOption: {propagationPolicy: 7}") RECORD(RECORDING, TWO)
                    OBJECT("a", "u-a1", OWNERS(OURS)) OBJECT("b", "u-b1", OWNERS(OURS)),
            NOTE DROP("a") DROP("b") BEGIN RELEASE END, "ab" },
    { "SelectivelyOrphan with nothing selected",
            LEAVING(BOTH ", deleteOption: {propagationPolicy: SelectivelyOrphan}") RECORD(RECORDING,
                    TWO) OBJECT("a", "u-a1", OWNERS(OURS)) OBJECT("b", "u-b1", OWNERS(OURS)),
            NOTE BEGIN DELETE("a") DELETE("b") RELEASE END, "" },
    { "a work with an executor goes as any other",
            LEAVING(BOTH ", executor: {subject: {type: ServiceAccount}}") RECORD(RECORDING, TWO)
                    OBJECT("a", "u-a1", OWNERS(OURS)) OBJECT("b", "u-b1", OWNERS(OURS)),
            BEGIN DELETE("a") DELETE("b") RELEASE END, "" },
    { "all is gone already", LEAVING(BOTH) RECORD(RECORDING, TWO), BEGIN RELEASE END, "" },
    { "nothing was ever recorded", LEAVING(BOTH) RECORD(RECORDING, ""), BEGIN RELEASE END, "" },
    { "an AppliedManifestWork that has lost its finalizer gets it first",
            LEAVING(BOTH) RECORD("", TWO) OBJECT("a", "u-a1", OWNERS(OURS))
                    OBJECT("b", "u-b1", OWNERS(OURS)),
            RELEASE BEGIN DELETE("a") DELETE("b") RELEASE END, "" },
    { "it never had one", LEAVING(BOTH) OBJECT("a", "u-a1", ""), END, "a" },
    { "it is gone by force, and references dangle",
            LEAVING(BOTH) OBJECT("a", "u-a1", OWNERS(OWNER("h1-w", "u-gone"))), END, "a" },
    { "one that names no agent is nobody else's",
            LEAVING(BOTH) APPLIED_NAMED("h1-w", "u-a", RECORDING, "hubHash: h1", TWO)
                    OBJECT("a", "u-a1", OWNERS(OURS)) OBJECT("b", "u-b1", OWNERS(OURS)),
            BEGIN DELETE("a") DELETE("b") RELEASE END, "" },
};

/* What is not as it should be in the end; NULL: all is. */
static const char *find_wrong(const struct row *row)
{
    if (is_there(W) || is_there(A))
        return "the work, or its record, is still there";
    if (is_there(CM("a")) != (strchr(row->stays, 'a') != NULL))
        return "a should stay and is gone, or should go and is there";
    if (is_there(CM("b")) != (strchr(row->stays, 'b') != NULL))
        return "b should stay and is gone, or should go and is there";
    return NULL;
}

static void begin(const char *world)
{
    stage_end();
    setUp();
    put(world);
}

static void test_what_is_its_own_goes_and_then_the_work(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin(rows[i].world);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, passes(4), rows[i].name);
        TEST_ASSERT_NULL_MESSAGE(find_wrong(&rows[i]), rows[i].name);
        begin(rows[i].world);
        stage.watches_maps = true;
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, passes(4), rows[i].name);
        TEST_ASSERT_NULL_MESSAGE(find_wrong(&rows[i]), rows[i].name);
    }
}

/* Most need fewer calls than this. */
#define KILLS 24

static void test_an_agent_killed_after_any_call_is_taken_up_where_it_was(void)
{
    for (size_t i = 0; i < KILLS * sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *row = &rows[i / KILLS];

        begin(row->world);
        stage.watches_maps = (i / KILLS + i) % 2 == 1;
        stage.calls_max = 1 + i % KILLS;
        (void)passes(4);
        stage.calls_max = SIZE_MAX;
        (void)passes(4);
        TEST_ASSERT_NULL_MESSAGE(find_wrong(row), row->name);
    }
}

/* ---- alignment succeeds whole, or nothing goes ---- */

#define MIXED                             \
    LEAVING(BOTH SELECT("a"))             \
    RECORD(RECORDING NOTED_SELECT_A, TWO) \
    OBJECT("a", "u-a1", OWNERS(OURS)) OBJECT("b", "u-b1", OWNERS(OURS))

struct trouble {
    const char *name, *call;
    enum prb_errc code;
    const char *wanted, *said;
};

#define NOTHING_YET \
    "True WorkDeleting: nothing is deleted before all references are as deleteOption says; "

static const struct trouble troubles[] = {
    { "one that stays cannot be read", "get configmaps default/a", PRB_E_FORBIDDEN, SAY,
            NOTHING_YET "2 of 2 resources are left: configmaps default/a, configmaps default/b; "
                        "configmaps default/a: it could not be read: no" },
    { "one that goes cannot be read", "get configmaps default/b", PRB_E_UNAVAILABLE, DROP("a") SAY,
            NOTHING_YET "1 of 2 resources is left: configmaps default/b; configmaps default/b: it "
                        "could not be read: no" },
    { "a reference cannot be removed", "owners configmaps default/a", PRB_E_IO, DROP("a") SAY,
            NOTHING_YET "2 of 2 resources are left: configmaps default/a, configmaps default/b; "
                        "configmaps default/a: its reference could not be removed: no" },
    { "a reference was changed meanwhile", "owners configmaps default/a", PRB_E_CONFLICT,
            DROP("a") SAY,
            NOTHING_YET "2 of 2 resources are left: configmaps default/a, configmaps default/b; "
                        "configmaps default/a: its reference could not be removed: it was changed "
                        "meanwhile" },
    { "discovery is away", "resolve configmaps.", PRB_E_UNAVAILABLE, SAY,
            NOTHING_YET "2 of 2 resources are left: configmaps default/a, configmaps default/b; "
                        "configmaps default/a and 3 more: its kind could not be found out: no" },
    { "the AppliedManifestWork may not be deleted", "delete appliedmanifestworks h1-w",
            PRB_E_FORBIDDEN, DROP("a") BEGIN SAY,
            "True WorkDeleting: AppliedManifestWork h1-w cannot be deleted: no; 1 of 2 resources "
            "is left: configmaps default/b" },
};

static void set_trouble(const struct trouble *row, enum prb_errc code)
{
    /* Discovery that is away is so for every name. */
    if (prb_starts_with(row->call, "resolve"))
        fail("resolve ConfigMap.", code, "", "no");
    fail(row->call, code, "", "no");
}

static bool is_untouched(void)
{
    return retries() && !is_going(A) && is_there(CM("a")) && is_there(CM("b"));
}

static void test_nothing_goes_before_all_references_are_in_line(void)
{
    for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
        const struct trouble *row = &troubles[i];

        begin(MIXED);
        set_trouble(row, row->code);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(row->wanted, pass(), row->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(row->said, message("Deleting"), row->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                row->said + strlen("True WorkDeleting: "), waits(), row->name);
        TEST_ASSERT_TRUE_MESSAGE(is_untouched(), row->name);
    }
}

static void test_what_is_said_is_not_said_again_and_ends_with_the_trouble(void)
{
    static const struct row selected = { .name = "b alone goes", .stays = "a" };

    for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
        const struct trouble *row = &troubles[i];

        begin(MIXED);
        set_trouble(row, row->code);
        (void)pass();
        TEST_ASSERT_NULL_MESSAGE(strstr(pass(), SAY), row->name);
        set_trouble(row, PRB_OK);
        (void)passes(4);
        TEST_ASSERT_NULL_MESSAGE(find_wrong(&selected), row->name);
    }
}

/* It must not be reached for by what somebody writes into a record. */
static const char on_hub[] = "{group: work.open-cluster-management.io.hub.probate.dev, version: "
                             "v1, resource: manifestworks, namespace: c1, name: w}";

static void test_an_entry_that_cannot_be_read_is_never_dropped(void)
{
    static const char *const odd[] = {
        "{group: '', version: v1, resource: configmaps, name: ''}",
        "{version: v1, resource: configmaps, namespace: default}",
        "{version: v1, resource: '', namespace: default, name: a}",
        "{version: v1, resource: configmaps, namespace: default, name: ../x}",
        "{version: v1, resource: ConfigMaps, namespace: default, name: a}",
        "{version: v1, resource: configmaps, namespace: default, name: 7}",
        "{version: v1, resource: configmaps, namespace: default, name: a, uid: {}}",
        on_hub,
        "nothing",
    };

    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        prb_autofree char *record =
                prb_asprintf(RECORD(RECORDING, ENTRIES(ENTRY("b", "u-b1") ", %s")), odd[i]);

        stage_end();
        setUp();
        put(LEAVING(BOTH) OBJECT("b", "u-b1", OWNERS(OURS)));
        put(record);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(SAY, passes(4), odd[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(
                strstr(message("Deleting"),
                        "; 1 of status.appliedResources of AppliedManifestWork h1-w cannot be "
                        "read, the first is number 1 (counted from 0)"),
                message("Deleting"));
        TEST_ASSERT_TRUE_MESSAGE(is_there(W) && !is_going(A) && is_there(CM("b")), odd[i]);
    }
}

/* ---- what is left is told ---- */

#define STAYS(names) \
    "1 resource stays, because it has no owner reference of AppliedManifestWork h1-w: " names

/* It was made by hand, and somebody has edited the work while it was going. */
static void test_what_has_no_reference_stays_and_is_named(void)
{
    put(LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", "")
                    OBJECT("b", "u-b1", OWNERS(OURS) ", finalizers: [x/y]"));
    TEST_ASSERT_EQUAL_STRING(BEGIN DELETE("b") SAY, pass());
    TEST_ASSERT_EQUAL_STRING("True WorkDeleting: 1 of 2 resources is left: configmaps default/b "
                             "(deleting, finalizer x/y); " STAYS("configmaps default/a"),
            message("Deleting"));
    TEST_ASSERT_EQUAL_STRING(
            "Warning ResourcesStay ManifestWork: " STAYS("configmaps default/a\n"), events());
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", passes(3), "known from the pass before");
    set(CM("b"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    TEST_ASSERT_EQUAL_STRING(RELEASE END, passes(4));
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("Warning ResourcesStay ManifestWork: " STAYS(
                                     "configmaps default/a\n") "Warning ResourcesStay "
                                                               "AppliedManifestWork: " STAYS(
                                                                       "configmaps default/a\n"),
            events());
}

static void test_what_is_spared_or_going_is_not_named(void)
{
    put(LEAVING(BOTH SELECT("a")) RECORD(RECORDING NOTED_SELECT_A, TWO) OBJECT("a", "u-a1", "")
                    OBJECT("b", "u-b1", DELETED ", finalizers: [x/y]"));
    TEST_ASSERT_EQUAL_STRING(BEGIN RELEASE END, passes(4));
    TEST_ASSERT_EQUAL_STRING("", events());
}

/* What was frozen when the deletion was first seen decides, whatever the work says by then. */
static void test_settings_that_are_lost_later_still_count(void)
{
    put(WORK(DELETED ", finalizers: [" PRB_WORK_FINALIZER ", x/y]", BOTH ORPHAN) RECORD(
            RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS)) OBJECT("b", "u-b1", OWNERS(OURS)));
    fail("owners configmaps default/b", PRB_E_IO, "", "no");
    TEST_ASSERT_EQUAL_STRING(NOTE, pass());
    (void)pass();
    set(W, NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]},\"spec\":{\"deleteOption\":null}}");
    fail("owners configmaps default/b", PRB_OK, "", "");
    (void)passes(2);
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("a")) + owners_of(CM("b")));
    set(W, NULL, "{\"metadata\":{\"finalizers\":null}}");
    prb_fake_clock_advance(&stage.clock, 2 * stage.settings.eviction_grace_ms);
    (void)passes(4);
    TEST_ASSERT_FALSE(is_there(A));
    TEST_ASSERT_TRUE(is_there(CM("a")) && is_there(CM("b")));
}

static void test_what_holds_is_told_until_it_is_gone(void)
{
    put(LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1",
            OWNERS(OURS) ", finalizers: [x/y, z/z]") OBJECT("b", "u-b1", OWNERS(OURS)));
    TEST_ASSERT_EQUAL_STRING(BEGIN DELETE("a") DELETE("b") SAY, pass());
    TEST_ASSERT_EQUAL_STRING("True WorkDeleting: 1 of 2 resources is left: configmaps default/a "
                             "(deleting, finalizers x/y, z/z)",
            message("Deleting"));
    TEST_ASSERT_EQUAL_STRING("1 of 2 resources is left: configmaps default/a (deleting, finalizers "
                             "x/y, z/z)",
            waits());
    TEST_ASSERT_TRUE(retries());
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_TRUE(is_going(A) && is_there(W));
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":[\"z/z\"]}}");
    TEST_ASSERT_EQUAL_STRING(SAY, pass());
    TEST_ASSERT_EQUAL_STRING("True WorkDeleting: 1 of 2 resources is left: configmaps default/a "
                             "(deleting, finalizer z/z)",
            message("Deleting"));
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    TEST_ASSERT_EQUAL_STRING(RELEASE END, passes(4));
    TEST_ASSERT_FALSE(is_there(W));
}

static void test_conditions_of_others_and_the_time_stay(void)
{
    prb_auto(prb_object_unref) struct prb_object *work = NULL;
    const struct json_object *list;
    int64_t generation = 0;

    put(LEAVING(BOTH) "status: {conditions: [{type: Applied, status: 'True'}, {type: Deleting, "
                      "status: 'True', reason: WorkDeleting, message: x, lastTransitionTime: "
                      "'2026-01-02T03:04:05Z'}, {type: Mine, status: 'False'}]}\n");
    put(RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS) ", finalizers: [x/y]"));
    (void)pass();
    work = live(W);
    TEST_ASSERT_NOT_NULL(work);
    if (!work)
        return;
    list = prb_json_arr(prb_object_status(work), "conditions");
    TEST_ASSERT_EQUAL_size_t(3, prb_json_len(list));
    TEST_ASSERT_EQUAL_STRING("Mine", prb_json_str(prb_json_elem(list, 2), "type"));
    TEST_ASSERT_EQUAL_STRING(
            "2026-01-02T03:04:05Z", prb_json_str(prb_json_elem(list, 1), "lastTransitionTime"));
    TEST_ASSERT_TRUE(prb_json_int(prb_json_elem(list, 1), "observedGeneration", &generation));
    TEST_ASSERT_EQUAL_INT64(prb_object_generation(work), generation);
}

static void test_the_words_of_a_refusal_are_in_the_condition(void)
{
    static const enum prb_errc codes[] = { PRB_E_FORBIDDEN, PRB_E_NOTFOUND, PRB_E_CONFLICT };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        stage_end();
        setUp();
        put(LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS))
                        OBJECT("b", "u-b1", OWNERS(OURS)));
        fail("delete configmaps default/a", codes[i], "",
                "admission webhook \"probate\" denied the request: wait for foos x");
        TEST_ASSERT_EQUAL_STRING(BEGIN DELETE("a") DELETE("b") SAY, pass());
        TEST_ASSERT_EQUAL_STRING(
                "True WorkDeleting: 1 of 2 resources is left: configmaps default/a; configmaps "
                "default/a: it could not be deleted: admission webhook \"probate\" denied the "
                "request: wait for foos x",
                message("Deleting"));
        TEST_ASSERT_TRUE(retries());
        TEST_ASSERT_EQUAL_STRING(DELETE("a"), pass());
        TEST_ASSERT_TRUE(is_going(A) && is_there(W) && is_there(CM("a")));
        fail("delete configmaps default/a", PRB_OK, "", "");
        TEST_ASSERT_EQUAL_STRING(DELETE("a") RELEASE END, passes(4));
    }
}

static void test_what_is_gone_is_not_looked_at_again(void)
{
    put(LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS) ", finalizers: [x/y]")
                    OBJECT("b", "u-b1", OWNERS(OURS)));
    (void)pass();
    stage.reads = 0;
    (void)pass();
    TEST_ASSERT_EQUAL_size_t(2, stage.reads); /* the work, and what is left */
    stage.watches_maps = true;
    stage.reads = 0;
    (void)pass();
    TEST_ASSERT_EQUAL_size_t(1, stage.reads); /* the watch will tell */
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    TEST_ASSERT_EQUAL_STRING(RELEASE END, passes(4));
}

/* Each would be a change of the work, and lead to the next pass at once, past any backoff. */
static void test_words_with_a_number_of_their_own_are_told_once(void)
{
    put(LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS)));
    fail("get configmaps default/a", PRB_E_IO, "", "no connection after 17 ms");
    TEST_ASSERT_EQUAL_STRING(SAY, pass());
    fail("get configmaps default/a", PRB_E_IO, "", "no connection after 4 ms");
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_NOT_NULL(strstr(message("Deleting"), "no connection after ? ms"));
    fail("get configmaps default/a", PRB_OK, "", "");
    fail("delete appliedmanifestworks h1-w", PRB_E_UNAVAILABLE, "", "timed out after 10001 ms");
    TEST_ASSERT_EQUAL_STRING(BEGIN SAY, pass());
    fail("delete appliedmanifestworks h1-w", PRB_E_UNAVAILABLE, "", "timed out after 10002 ms");
    TEST_ASSERT_EQUAL_STRING(BEGIN, pass());
}

/* ---- the hub has the last word ---- */

static void test_while_the_hub_is_away_nothing_goes(void)
{
    put(LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS)));
    fail("get manifestworks c1/w", PRB_E_IO, "", "no route");
    TEST_ASSERT_EQUAL_STRING("", passes(3));
    TEST_ASSERT_EQUAL_STRING("nothing is removed before the hub has been asked: no route", waits());
    TEST_ASSERT_TRUE(retries());
    fail("get manifestworks c1/w", PRB_E_NOTFOUND, "NotServed", "no such kind");
    TEST_ASSERT_EQUAL_STRING("", passes(3));
    fail("resolve manifestworks.work.open-cluster-management.io.hub.probate.dev", PRB_E_NOTFOUND,
            "NotServed", "no such kind");
    TEST_ASSERT_EQUAL_STRING("", passes(3));
    TEST_ASSERT_TRUE(is_there(CM("a")));

    /* Nor once its AppliedManifestWork is on its way. */
    erase(A);
    TEST_ASSERT_EQUAL_STRING("", passes(3));
    TEST_ASSERT_TRUE(is_going(A) && is_there(CM("a")));
}

static void test_a_work_that_was_made_anew_is_not_ended(void)
{
    put(LEAVING(BOTH) RECORD(RECORDING, TWO) OBJECT("a", "u-a1", OWNERS(OURS)));
    see();
    set(W, NULL, "{\"metadata\":{\"finalizers\":null}}");
    put("---\napiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: "
        "w, namespace: c1, uid: other" FINALIZED "}\nspec: {}\n");
    stage.is_blind = true;
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_TRUE(retries() && !is_going(A) && is_there(CM("a")));
    stage.is_blind = false;
    TEST_ASSERT_EQUAL_STRING("apply\n", pass());
}

static void come_back(const char *call)
{
    if (strcmp(call, "get appliedmanifestworks h1-w") == 0 && !is_there(A))
        put(RECORD(RECORDING, TWO));
}

static void test_the_work_stays_while_its_record_is_there(void)
{
    put(LEAVING(BOTH));
    see();
    meanwhile = come_back;
    stage.is_blind = true;
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, stage.result);
    TEST_ASSERT_TRUE(is_there(W));
}

static void grow(const char *call)
{
    if (strcmp(call, "delete appliedmanifestworks h1-w") == 0)
        set(A, "status",
                "{\"status\":{\"appliedResources\":[{\"group\":\"\",\"version\":\"v1\","
                "\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":\"a\",\"uid\":"
                "\"u-a1\"}]}}");
}

static void test_a_record_that_has_grown_is_aligned_anew(void)
{
    put(LEAVING(MANIFESTS("") ORPHAN) RECORD(RECORDING, "") OBJECT("a", "u-a1", OWNERS(OURS)));
    meanwhile = grow;
    TEST_ASSERT_EQUAL_STRING(NOTE, pass());
    TEST_ASSERT_EQUAL_STRING(BEGIN DROP("a") SAY, pass());
    TEST_ASSERT_FALSE(is_going(A));
    meanwhile = NULL;
    TEST_ASSERT_EQUAL_STRING(BEGIN RELEASE END, passes(4));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void test_what_another_agent_has_is_left_to_it(void)
{
    put(LEAVING(BOTH) APPLIED_NAMED("h1-w", "u-a", RECORDING, "hubHash: h1, agentID: you", TWO)
                    OBJECT("a", "u-a1", OWNERS(OURS)));
    TEST_ASSERT_EQUAL_STRING(SAY, passes(3));
    TEST_ASSERT_EQUAL_STRING(
            "AppliedManifestWork h1-w belongs to agent you and not to this one, me: nothing is "
            "removed. Run this agent with --agent-id=you, or set spec.agentID",
            waits());
    erase(A);
    TEST_ASSERT_EQUAL_STRING(SAY, passes(3));
    TEST_ASSERT_TRUE(is_there(W) && is_going(A) && is_there(CM("a")));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_its_own_goes_and_then_the_work);
    RUN_TEST(test_an_agent_killed_after_any_call_is_taken_up_where_it_was);
    RUN_TEST(test_nothing_goes_before_all_references_are_in_line);
    RUN_TEST(test_what_is_said_is_not_said_again_and_ends_with_the_trouble);
    RUN_TEST(test_an_entry_that_cannot_be_read_is_never_dropped);
    RUN_TEST(test_what_has_no_reference_stays_and_is_named);
    RUN_TEST(test_what_is_spared_or_going_is_not_named);
    RUN_TEST(test_settings_that_are_lost_later_still_count);
    RUN_TEST(test_what_holds_is_told_until_it_is_gone);
    RUN_TEST(test_conditions_of_others_and_the_time_stay);
    RUN_TEST(test_the_words_of_a_refusal_are_in_the_condition);
    RUN_TEST(test_what_is_gone_is_not_looked_at_again);
    RUN_TEST(test_words_with_a_number_of_their_own_are_told_once);
    RUN_TEST(test_while_the_hub_is_away_nothing_goes);
    RUN_TEST(test_a_work_that_was_made_anew_is_not_ended);
    RUN_TEST(test_the_work_stays_while_its_record_is_there);
    RUN_TEST(test_a_record_that_has_grown_is_aligned_anew);
    RUN_TEST(test_what_another_agent_has_is_left_to_it);
    return UNITY_END();
}
