/* Is each update strategy what it says? */

#include <string.h>
#include <unity.h>

#include "probate/base/str.h"

#include "work_world.h"

void setUp(void)
{
    work_world_init();
}

void tearDown(void)
{
    work_world_done();
}

#define AMW "appliedmanifestworks hub-w1"
#define BY(strategy, more)                                                                     \
    "manifestConfigs: [{resourceIdentifier: {resource: configmaps, namespace: default, name: " \
    "a}, updateStrategy: {type: " strategy more "}}], "
#define ORPHAN "deleteOption: {propagationPolicy: Orphan}, "
#define A CM_YAML("a", "x: '1'")

#define HOUR ((int64_t)1000 * 60 * 60)

static size_t owners_of(const char *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);

    return object ? prb_object_owner_count(object) : 0;
}

/* ---- CreateOnly ---- */

static void test_create_only_creates_and_keeps_only_the_reference(void)
{
    hub_put(WORK_YAML("w1", BY("CreateOnly", ""), A));
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_size_t(1, owners_of(CM("a")));
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"},\"metadata\":{\"ownerReferences\":null}}");
    prb_fake_clock_advance(&work_world.clock, HOUR);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "get manifestworks c1/w1\n"
                             "patch configmaps default/a\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_STRING("2", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_size_t(1, owners_of(CM("a")));
    set(WORK("w1"), NULL, "{\"spec\":{\"deleteOption\":{\"propagationPolicy\":\"Orphan\"}}}");
    (void)settle("w1");
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("a")));
    TEST_ASSERT_EQUAL_STRING("2", at(CM("a"), "/data/x"));
}

/* ---- ReadOnly ---- */

static void test_read_only_says_whether_it_is_there_and_touches_nothing(void)
{
    hub_put(WORK_YAML("w1", BY("ReadOnly", ""), A));
    (void)settle("w1");
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING(
            "Applied False AppliedManifestFailed: it is ReadOnly, and there is none",
            condition("w1", 0, "Applied"));
    TEST_ASSERT_EQUAL_STRING("Available False ResourceNotAvailable: the resource is not there",
            condition("w1", 0, "Available"));
    TEST_ASSERT_EQUAL_INT64(0, work_world.changes.retry_max_ms);
    spoke_put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n");
    prb_fake_clock_advance(&work_world.clock, HOUR);
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("Applied True AppliedManifestComplete: it is ReadOnly, and there",
            condition("w1", 0, "Applied"));
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("a")));
    TEST_ASSERT_EQUAL_STRING("", at(CM("a"), "/data"));
}

static void test_read_only_gives_up_the_reference_of_ours(void)
{
    hub_put(WORK_YAML("w1", "", A));
    (void)settle("w1");
    set(WORK("w1"), NULL,
            "{\"spec\":{\"manifestConfigs\":[{\"resourceIdentifier\":{\"resource\":\"configmaps\","
            "\"namespace\":\"default\",\"name\":\"a\"},\"updateStrategy\":{\"type\":\"ReadOnly\"}}"
            "]}}");
    (void)settle("w1");
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("a")));
    TEST_ASSERT_EQUAL_STRING("Applied True AppliedManifestComplete: it is ReadOnly, and there",
            condition("w1", 0, "Applied"));
    prb_fake_clock_advance(&work_world.clock, HOUR);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n", pass("w1"));
}

/* ---- ServerSideApply ---- */

static void test_server_side_apply_makes_it_owned_from_the_first_moment(void)
{
    hub_put(WORK_YAML("w1", BY("ServerSideApply", ""), A));
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING("patch " AMW " status\n"
                             "get configmaps default/a\n"
                             "apply configmaps default/a probate-\n"
                             "apply configmaps default/a work-agent\n"
                             "apply configmaps default/a probate-\n"
                             "patch " AMW " status\n"
                             "patch manifestworks c1/w1 status\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_size_t(1, owners_of(CM("a")));
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_STRING("", at(CM("a"), "/metadata/annotations"));
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
    prb_fake_clock_advance(&work_world.clock, HOUR);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n", pass("w1"));
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
    prb_fake_clock_advance(&work_world.clock, HOUR);
    TEST_ASSERT_EQUAL_STRING(
            "get configmaps default/a\napply configmaps default/a work-agent\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
}

static void test_server_side_apply_never_goes_on_after_the_first_step_failed(void)
{
    hub_put(WORK_YAML("w1", BY("ServerSideApply", ""), A));
    (void)pass("w1");
    fault("apply configmaps default/a probate-", PRB_E_UNAVAILABLE, 1);
    (void)pass("w1");
    TEST_ASSERT_FALSE(is_there(CM("a")));
    fault("apply configmaps default/a work-agent", PRB_E_UNAVAILABLE, 1);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "apply configmaps default/a probate-\n"
                             "apply configmaps default/a work-agent\n"
                             "patch " AMW " status\n"
                             "patch manifestworks c1/w1 status\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_size_t(1, owners_of(CM("a")));
}

static void test_server_side_apply_moves_the_reference(void)
{
    hub_put(WORK_YAML("w1",
            ORPHAN BY("ServerSideApply", ", serverSideApply: {fieldManager: "
                                         "work-agent-x, force: true}"),
            A));
    (void)pass("w1");
    TEST_ASSERT_NOT_NULL(strstr(pass("w1"), "apply configmaps default/a work-agent-x\n"));
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("a")));
    set(WORK("w1"), NULL, "{\"spec\":{\"deleteOption\":null}}");
    TEST_ASSERT_EQUAL_STRING("patch " AMW "\n", pass("w1"));
    TEST_ASSERT_NOT_NULL(strstr(pass("w1"), "apply configmaps default/a probate-\n"
                                            "apply configmaps default/a work-agent-x\n"));
    TEST_ASSERT_EQUAL_size_t(1, owners_of(CM("a")));
    set(WORK("w1"), NULL, "{\"spec\":{\"deleteOption\":{\"propagationPolicy\":\"Orphan\"}}}");
    TEST_ASSERT_EQUAL_STRING("patch " AMW "\n", pass("w1"));
    TEST_ASSERT_NOT_NULL(strstr(pass("w1"), "patch configmaps default/a\n"
                                            "apply configmaps default/a work-agent-x\n"));
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("a")));
}

static void erase_a(void)
{
    erase(CM("a"));
}

/* An apply makes what is not there: it must not, of an object that went a moment ago. */
static void test_server_side_apply_makes_nothing_anew_by_mistake(void)
{
    hub_put(WORK_YAML("w1", BY("ServerSideApply", ", serverSideApply: {force: true}"), A));
    (void)settle("w1");
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
    prb_fake_clock_advance(&work_world.clock, HOUR);
    meanwhile("apply configmaps default/a work-agent", erase_a);
    (void)pass("w1");
    TEST_ASSERT_EQUAL_size_t(1, owners_of(CM("a")));
    TEST_ASSERT_EQUAL_INT(1, settle("w1"));
}

/* Stopped between the first step and the second, the first manager still has all fields. */
static void test_server_side_apply_ends_what_was_begun(void)
{
    prb_auto(prb_object_unref) struct prb_object *applied = NULL;
    prb_auto(prb_str_done) struct prb_str patch;

    hub_put(WORK_YAML("w1", BY("ServerSideApply", ""), A));
    (void)settle("w1");
    applied = live(APPLIED("w1"));
    prb_str_init(&patch, 1000);
    prb_str_addf(&patch,
            "{\"metadata\":{\"managedFields\":[{\"manager\":\"probate-%s\",\"operation\":\"Apply\","
            "\"fieldsV1\":{\"f:metadata\":{\"f:ownerReferences\":{}},\"f:data\":{}}}]}}",
            applied ? prb_object_uid(applied) : "");
    set(CM("a"), NULL, prb_str_get(&patch));
    prb_fake_clock_advance(&work_world.clock, HOUR);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "apply configmaps default/a work-agent\n"
                             "apply configmaps default/a probate-\n",
            pass("w1"));
}

static void test_fields_of_others_are_a_conflict_that_is_told(void)
{
    hub_put(WORK_YAML("w1", BY("ServerSideApply", ""), A));
    (void)settle("w1");
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
    prb_fake_clock_advance(&work_world.clock, HOUR);
    fault("apply configmaps default/a work-agent", PRB_E_CONFLICT, 1);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "apply configmaps default/a work-agent\n"
                             "patch manifestworks c1/w1 status\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_STRING("Applied False AppliedManifestFailed: refused by the test",
            condition("w1", 0, "Applied"));
}

/* ---- what is not supported ---- */

static void test_what_is_not_supported_is_said_and_not_applied(void)
{
    static const struct {
        const char *config, *text;
    } cases[] = {
        { BY("Recreate", ""), "updateStrategy.type is none of Update, CreateOnly, ServerSideApply, "
                              "ReadOnly, so it is not applied" },
        { BY("ServerSideApply", ", serverSideApply: {ignoreFields: [{condition: OnSpokePresent}]}"),
                "updateStrategy.serverSideApply.ignoreFields is not supported yet, so it is not "
                "applied" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_str_done) struct prb_str yaml;

        prb_str_init(&yaml, 10000);
        prb_str_addf(&yaml,
                "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\n"
                "metadata: {name: w%zu, namespace: c1}\nspec: {%sworkload: {manifests: [%s]}}\n",
                i, cases[i].config, A);
        hub_put(prb_str_get(&yaml));
    }
    (void)settle("w0");
    (void)settle("w1");
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_NOT_NULL(strstr(condition("w0", 0, "Applied"), cases[0].text));
    TEST_ASSERT_NOT_NULL(strstr(condition("w1", 0, "Applied"), cases[1].text));
}

/* One is made by server-side apply, one loses its reference, and one is deleted: the longest way
 * that a single change of a work can take, with a conflict on the way, once its orphan settings are
 * on record. */
static void test_the_longest_way_ends_in_one_pass(void)
{
    hub_put(WORK_YAML("long", "", CM_YAML("a", "x: '1'") ", " CM_YAML("b", "x: '1'")));
    (void)settle("long");
    set(WORK("long"), NULL,
            "{\"spec\":{\"deleteOption\":{\"propagationPolicy\":\"SelectivelyOrphan\","
            "\"selectivelyOrphans\":{\"orphaningRules\":[{\"group\":\"\",\"resource\":"
            "\"configmaps\",\"namespace\":\"default\",\"name\":\"a\"}]}},\"manifestConfigs\":[{"
            "\"resourceIdentifier\":{\"group\":\"\",\"resource\":\"secrets\",\"namespace\":"
            "\"default\",\"name\":\"c\"},\"updateStrategy\":{\"type\":\"ServerSideApply\","
            "\"serverSideApply\":{\"force\":true}}}],\"workload\":{\"manifests\":[{\"apiVersion\":"
            "\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"c\",\"namespace\":\"default\"}"
            "}]}}}");
    fault("delete configmaps", PRB_E_CONFLICT, 1);
    TEST_ASSERT_EQUAL_STRING("patch appliedmanifestworks hub-long\n", pass("long"));
    (void)pass("long");
    TEST_ASSERT_FALSE_MESSAGE(work_world.changes.go_on, "it takes more rounds than there are");
    TEST_ASSERT_TRUE(is_there("secrets.v1./default/c"));
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(CM("b")));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_create_only_creates_and_keeps_only_the_reference);
    RUN_TEST(test_read_only_says_whether_it_is_there_and_touches_nothing);
    RUN_TEST(test_read_only_gives_up_the_reference_of_ours);
    RUN_TEST(test_server_side_apply_makes_it_owned_from_the_first_moment);
    RUN_TEST(test_server_side_apply_never_goes_on_after_the_first_step_failed);
    RUN_TEST(test_server_side_apply_moves_the_reference);
    RUN_TEST(test_server_side_apply_makes_nothing_anew_by_mistake);
    RUN_TEST(test_server_side_apply_ends_what_was_begun);
    RUN_TEST(test_fields_of_others_are_a_conflict_that_is_told);
    RUN_TEST(test_what_is_not_supported_is_said_and_not_applied);
    RUN_TEST(test_the_longest_way_ends_in_one_pass);
    return UNITY_END();
}
