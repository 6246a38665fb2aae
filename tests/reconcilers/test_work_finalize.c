/* Whoever deletes an AppliedManifestWork: does what it recorded go, as the work says that is there?
 */

#include <string.h>
#include <unity.h>

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
#define OBJECT(name, uid, more)                                    \
    "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " name \
    ", namespace: default, uid: " uid more "}\n"
#define OURS_ALONE OBJECT("a", "u-a1", OWNERS(OURS))
#define LIVE(spec) WORK(FINALIZED, spec)
#define GOING RECORD(RECORDING DELETED, ONE)
#define READ_ONLY(name)                                                                         \
    "{\"manifestConfigs\":[{\"resourceIdentifier\":{\"resource\":\"configmaps\",\"namespace\":" \
    "\"default\",\"name\":\"" name "\"},\"updateStrategy\":{\"type\":\"ReadOnly\"}}]}"
#define DROP "owners configmaps default/a\n"
#define DELETE_A "delete configmaps default/a\n"
#define RELEASE "finalizers appliedmanifestworks h1-w\n"
#define END "finalizers manifestworks c1/w\n"
#define SAY "status manifestworks c1/w\n"

struct row {
    const char *name, *world, *wanted;
    bool is_left; /* the object */
};

static const struct row rows[] = {
    { "no work: references alone count", GOING OURS_ALONE, DELETE_A RELEASE, false },
    { "no work, and not ours", GOING OBJECT("a", "u-a1", ""), RELEASE, true },
    { "no work, and shared",
            GOING OBJECT("a", "u-a1", OWNERS(OURS ", " OWNER("h1-v", "u-v")))
                    APPLIED_NAMED("h1-v", "u-v", "", "hubHash: h1", ""),
            DROP RELEASE, true },
    { "no work, and another object", GOING OBJECT("a", "u-a2", OWNERS(OURS)), DROP RELEASE, true },
    { "a live work: all goes, and it is applied anew",
            LIVE(MANIFESTS(MANIFEST("a"))) GOING OURS_ALONE, DELETE_A RELEASE "apply\n", false },
    { "a live work that orphans", LIVE(MANIFESTS(MANIFEST("a")) ORPHAN) GOING OURS_ALONE,
            DROP RELEASE "apply\n", true },
    { "a live work that orphans, and a record that lacks it",
            LIVE(MANIFESTS(MANIFEST("a")) ORPHAN) RECORD(RECORDING DELETED, "") OURS_ALONE,
            DROP RELEASE "apply\n", true },
    { "a live work adopts nothing to delete it",
            LIVE(MANIFESTS(MANIFEST("a"))) GOING OBJECT("a", "u-a1", ""), RELEASE "apply\n", true },
    { "a work that goes after it adopts nothing either",
            LEAVING(MANIFESTS(MANIFEST("a"))) GOING OBJECT("a", "u-a1", ""), RELEASE END, true },
    { "a work that goes without our finalizer has its say",
            WORK(DELETED ", finalizers: [x/y]", MANIFESTS(MANIFEST("a")) ORPHAN) GOING OURS_ALONE,
            DROP RELEASE, true },
    { "no work, and the settings on record spare it",
            RECORD(RECORDING NOTED_ORPHAN DELETED, ONE) OURS_ALONE, DROP RELEASE, true },
    { "no work, and ReadOnly on record",
            RECORD(RECORDING NOTED(READ_ONLY("*")) DELETED, ONE) OURS_ALONE, DROP RELEASE, true },
    { "no work, and something else on record",
            RECORD(RECORDING NOTED(READ_ONLY("b")) DELETED, ONE) OURS_ALONE, DELETE_A RELEASE,
            false },
    { "no work, and a record of settings that nobody can read",
            RECORD(RECORDING NOTED("[") DELETED, ONE) OURS_ALONE, DROP RELEASE, true },
    { "no work, and settings that were too long",
            RECORD(RECORDING NOTED("{\"deleteOption\":{\"propagationPolicy\":\"TooLongToRecord\"}}")
                            DELETED,
                    ONE) OURS_ALONE,
            DROP RELEASE, true },
    { "a work that has lost its settings and our finalizer",
            WORK(DELETED ", finalizers: [x/y]", MANIFESTS(MANIFEST("a")))
                    RECORD(RECORDING NOTED_ORPHAN DELETED, ONE) OURS_ALONE,
            DROP RELEASE, true },
    { "a work that has settings which were never recorded",
            LEAVING(MANIFESTS(MANIFEST("a")) ORPHAN) GOING OURS_ALONE, DROP RELEASE END, true },
    { "recorded twice, once before it was made anew",
            RECORD(RECORDING DELETED, ENTRIES(ENTRY("a", "u-a0") ", " ENTRY("a", "u-a1")))
                    OURS_ALONE,
            DELETE_A RELEASE, false },
    { "recorded twice, once without uid",
            RECORD(RECORDING DELETED, ENTRIES(ENTRY("a", "u-a0") ", " ENTRY("a", ""))) OURS_ALONE,
            DELETE_A RELEASE, false },
    { "another hub's",
            APPLIED_NAMED("h2-w", "u-a", RECORDING DELETED,
                    "hubHash: h2, agentID: me, manifestWorkName: w", ONE)
                    OBJECT("a", "u-a1", OWNERS(OWNER("h2-w", "u-a"))),
            DELETE_A "finalizers appliedmanifestworks h2-w\n", false },
    { "another hub's says nothing about a work of ours",
            LIVE(MANIFESTS(MANIFEST("a")) ORPHAN) APPLIED_NAMED("h2-w", "u-a", RECORDING DELETED,
                    "hubHash: h2, agentID: me, manifestWorkName: w", ONE)
                    OBJECT("a", "u-a1", OWNERS(OWNER("h2-w", "u-a"))),
            DELETE_A "finalizers appliedmanifestworks h2-w\n", false },
    { "another agent's",
            APPLIED_NAMED("h1-w", "u-a", RECORDING DELETED, "hubHash: h1, agentID: you", ONE)
                    OURS_ALONE,
            "", true },
    { "another agent's, by the name of a live work",
            LIVE(MANIFESTS(MANIFEST("a"))) APPLIED_NAMED(
                    "h1-w", "u-a", RECORDING DELETED, "hubHash: h1, agentID: you", ONE) OURS_ALONE,
            DELETE_A RELEASE "apply\n", false },
    { "a live work with an executor could not be applied anew",
            LIVE(MANIFESTS(MANIFEST("a")) ", executor: {subject: {type: ServiceAccount}}")
                    GOING OURS_ALONE,
            SAY, true },
    { "who takes the finalizer off wants all to stay",
            RECORD(DELETED ", finalizers: [x/y]", ONE) OURS_ALONE, "", true },
};

static const char *key_of(const struct row *row)
{
    return strstr(row->world, "name: h2-w") ? APPLIED "//h2-w" : A;
}

static void test_what_is_recorded_goes_as_the_work_says(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        stage_end();
        setUp();
        put(rows[i].world);
        if (strstr(rows[i].wanted, "apply"))
            TEST_ASSERT_EQUAL_STRING_MESSAGE(
                    rows[i].wanted, pass_on(key_of(&rows[i])), rows[i].name);
        else
            TEST_ASSERT_EQUAL_STRING_MESSAGE(
                    rows[i].wanted, passes_on(key_of(&rows[i]), 4), rows[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(rows[i].is_left, is_there(CM("a")), rows[i].name);
    }
}

static void test_a_live_work_says_what_it_waits_for(void)
{
    put(LIVE(MANIFESTS(MANIFEST("a")))
                    GOING OBJECT("a", "u-a1", OWNERS(OURS) ", finalizers: [x/y]"));
    TEST_ASSERT_EQUAL_STRING(DELETE_A SAY, pass());
    TEST_ASSERT_EQUAL_STRING(
            "False AppliedManifestWorkFailed: its AppliedManifestWork was deleted on the cluster; "
            "it is applied anew when what was recorded is gone; 1 of 1 resources is left: "
            "configmaps default/a (deleting, finalizer x/y)",
            message("Applied"));
    TEST_ASSERT_EQUAL_STRING("", message("Deleting"));
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_TRUE(retries());
}

/* NULL: it stays while this fails, and goes when it does not any more. */
static const char *play_failure(const char *call, enum prb_errc code)
{
    stage_end();
    setUp();
    put(GOING OURS_ALONE);
    fail(call, code, "", "no");
    (void)passes(3);
    if (!is_going(A) || !retries())
        return "it is gone, or not looked at again";
    fail(call, PRB_OK, "", "");
    (void)passes(3);
    return is_there(A) || is_there(CM("a")) ? "something is left" : NULL;
}

static void test_it_stays_while_anything_fails(void)
{
    static const char *const calls[] = { "get configmaps default/a", "delete configmaps default/a",
        "resolve configmaps.", "get manifestworks c1/w", "finalizers appliedmanifestworks h1-w" };
    static const enum prb_errc codes[] = { PRB_E_FORBIDDEN, PRB_E_UNAVAILABLE, PRB_E_IO,
        PRB_E_THROTTLED, PRB_E_INVALID, PRB_E_UNAUTHORIZED, PRB_E_INTERNAL, PRB_E_GONE };

    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        for (size_t j = 0; j < sizeof(codes) / sizeof(codes[0]); j++)
            TEST_ASSERT_NULL_MESSAGE(play_failure(calls[i], codes[j]), calls[i]);
    }
}

static void test_a_finalizer_that_cannot_be_removed_is_told(void)
{
    put(LEAVING(MANIFESTS("")) GOING OURS_ALONE);
    fail("finalizers appliedmanifestworks h1-w", PRB_E_FORBIDDEN, "Forbidden", "no right");
    TEST_ASSERT_EQUAL_STRING(DELETE_A RELEASE SAY, pass());
    TEST_ASSERT_EQUAL_STRING("True WorkDeleting: the finalizer of AppliedManifestWork h1-w cannot "
                             "be removed: no right",
            message("Deleting"));
    TEST_ASSERT_TRUE(is_there(W));
}

static void grow(const char *call)
{
    if (strcmp(call, "finalizers appliedmanifestworks h1-w") == 0)
        set(A, "status",
                "{\"status\":{\"appliedResources\":[{\"group\":\"\",\"version\":\"v1\","
                "\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":\"late\","
                "\"uid\":\"u-late\"}]}}");
}

static void test_a_record_that_has_grown_is_not_let_go(void)
{
    put(GOING OURS_ALONE OBJECT("late", "u-late", OWNERS(OURS) ", finalizers: [x/y]"));
    meanwhile = grow;
    (void)pass();
    meanwhile = NULL;
    TEST_ASSERT_TRUE(is_going(A));
    (void)passes(3);
    TEST_ASSERT_TRUE(is_going(A) && is_going(CM("late")));
}

/* Its uid is another then, and what has the old one's reference is nobody's to delete. */
static void test_one_that_is_made_anew_is_another(void)
{
    put(RECORD(RECORDING DELETED, ONE)
                    OBJECT("a", "u-a1", OWNERS(OWNER("h1-w", "u-before")) ", finalizers: [x/y]"));
    TEST_ASSERT_EQUAL_STRING(RELEASE, passes(3));
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_going(CM("a")));
}

static void test_a_record_that_cannot_be_read_whole_is_not_let_go(void)
{
    put(LEAVING(MANIFESTS("")) RECORD(RECORDING DELETED,
            ENTRIES("{resource: configmaps, version: v1, name: ''}, " ENTRY("a", "u-a1")))
                    OURS_ALONE);
    TEST_ASSERT_EQUAL_STRING(DELETE_A SAY, passes(4));
    TEST_ASSERT_EQUAL_STRING(
            "0 of 1 resources are left; 1 of status.appliedResources of AppliedManifestWork h1-w "
            "cannot be read, the first is number 0 (counted from 0): mend it, or take it out if "
            "nothing of that kind is left",
            waits());
    TEST_ASSERT_TRUE(is_there(W) && is_going(A));
    set(A, "status", "{\"status\":{\"appliedResources\":[]}}");
    TEST_ASSERT_EQUAL_STRING(RELEASE END, passes(4));
}

static void test_of_a_deleting_work_nothing_goes_while_one_cannot_be_read(void)
{
    put(LEAVING(MANIFESTS(""))
                    RECORD(RECORDING DELETED, ENTRIES(ENTRY("a", "u-a1") ", " ENTRY("b", "u-b1")))
                            OURS_ALONE OBJECT("b", "u-b1", OWNERS(OURS)));
    fail("get configmaps default/b", PRB_E_UNAVAILABLE, "", "no");
    TEST_ASSERT_EQUAL_STRING(SAY, passes(4));
    TEST_ASSERT_TRUE(is_there(CM("a")) && is_there(CM("b")));
    fail("get configmaps default/b", PRB_OK, "", "");
    (void)passes(4);
    TEST_ASSERT_FALSE(is_there(CM("a")) || is_there(CM("b")) || is_there(W));
}

static void test_who_takes_the_finalizer_off_is_told_what_holds(void)
{
    put(LEAVING(MANIFESTS("")) RECORD(DELETED ", finalizers: [x/y]", ONE) OURS_ALONE);
    TEST_ASSERT_EQUAL_STRING(SAY, passes(3));
    TEST_ASSERT_EQUAL_STRING(
            "AppliedManifestWork h1-w is being deleted without our finalizer: nothing is removed, "
            "held by finalizer x/y",
            waits());
    TEST_ASSERT_TRUE(is_there(CM("a")) && is_there(W));
}

/* An aggregated API that is taken away and put back has its objects still, with our references: the
 * garbage collector would take what is to stay. */
static void test_a_kind_that_is_served_again_is_looked_at_again(void)
{
    put(LEAVING(MANIFESTS(MANIFEST(
            "a") ", {apiVersion: v1, kind: Secret, metadata: {name: s, "
                 "namespace: default}}") ", deleteOption: "
                                         "{propagationPolicy: SelectivelyOrphan, selectivelyOrphans: {orphaningRules: "
                                         "[{group: '', resource: configmaps, namespace: default, name: a}]}}")
                    RECORD(RECORDING DELETED,
                            ENTRIES(ENTRY("a", "u-a1") ", {group: '', version: v1, resource: "
                                                       "secrets, namespace: default, name: s, "
                                                       "uid: u-s}")) OURS_ALONE
            "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: default, uid: u-s, "
            "finalizers: [x/y], ownerReferences: [" OURS "]}\n");
    fail("resolve configmaps.", PRB_E_NOTFOUND, "NotServed", "not now");
    fail("resolve ConfigMap.", PRB_E_NOTFOUND, "NotServed", "not now");
    (void)pass();
    TEST_ASSERT_TRUE(is_going("secrets.v1./default/s"));
    fail("resolve configmaps.", PRB_OK, "", "");
    fail("resolve ConfigMap.", PRB_OK, "", "");
    (void)pass();
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("a")));
    set("secrets.v1./default/s", NULL, "{\"metadata\":{\"finalizers\":null}}");
    (void)passes(4);
    TEST_ASSERT_FALSE(is_there(A));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

#define GROUND                                                                                   \
    ENTRIES("{group: work.open-cluster-management.io, version: v1, resource: "                   \
            "appliedmanifestworks, name: h1-w, uid: u-a}, {group: work.open-cluster-management." \
            "io, version: v1, resource: appliedmanifestworks, name: h1-v, uid: u-v}, {group: "   \
            "apiextensions.k8s.io, version: v1, resource: customresourcedefinitions, name: "     \
            "appliedmanifestworks.work.open-cluster-management.io, uid: u-crd}")
#define DEFINITION                                                                          \
    "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: "  \
    "{name: appliedmanifestworks.work.open-cluster-management.io, uid: u-crd, "             \
    "ownerReferences: [" OURS "]}\nspec: {group: work.open-cluster-management.io, scope: "  \
    "Cluster, names: {plural: appliedmanifestworks, kind: AppliedManifestWork}, versions: " \
    "[{name: v1, served: true, storage: true}]}\n"

/* One record waits for itself, the end of another takes what that has brought, and the definition
 * takes all of them. */
static void test_what_works_stand_on_never_goes_with_one(void)
{
    put(RECORD(RECORDING DELETED OWNERS(OURS), GROUND) APPLIED_NAMED(
            "h1-v", "u-v", RECORDING OWNERS(OURS), "hubHash: h1, agentID: other", "") DEFINITION);
    TEST_ASSERT_NULL(strstr(passes(5), "delete"));
    TEST_ASSERT_FALSE(is_there(A));
    TEST_ASSERT_TRUE(is_there(APPLIED "//h1-v"));
    TEST_ASSERT_FALSE(is_going(APPLIED "//h1-v"));
    TEST_ASSERT_EQUAL_size_t(0, owners_of(APPLIED "//h1-v"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_recorded_goes_as_the_work_says);
    RUN_TEST(test_a_live_work_says_what_it_waits_for);
    RUN_TEST(test_it_stays_while_anything_fails);
    RUN_TEST(test_a_finalizer_that_cannot_be_removed_is_told);
    RUN_TEST(test_a_record_that_has_grown_is_not_let_go);
    RUN_TEST(test_one_that_is_made_anew_is_another);
    RUN_TEST(test_a_record_that_cannot_be_read_whole_is_not_let_go);
    RUN_TEST(test_of_a_deleting_work_nothing_goes_while_one_cannot_be_read);
    RUN_TEST(test_who_takes_the_finalizer_off_is_told_what_holds);
    RUN_TEST(test_what_works_stand_on_never_goes_with_one);
    RUN_TEST(test_a_kind_that_is_served_again_is_looked_at_again);
    return UNITY_END();
}
