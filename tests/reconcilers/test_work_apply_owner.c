/* Does what is to be deleted with a work carry its reference, and what is to stay none? */

#include <unity.h>

#include "probate/base/str.h"

#include "work_world.h"

void setUp(void)
{
    work_world_init();
    watch("", "ConfigMap");
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'") ", " CM_YAML("b", "x: '1'")));
}

void tearDown(void)
{
    work_world_done();
}

#define AMW "appliedmanifestworks hub-w1"
#define OPTION(option) "{\"spec\":{\"deleteOption\":" option "}}"
#define POLICY(policy) OPTION("{\"propagationPolicy\":\"" policy "\"}")
#define SELECT(rule)                                                                                  \
    "{\"spec\":{\"deleteOption\":{\"propagationPolicy\":\"SelectivelyOrphan\",\"selectivelyOrphans\"" \
    ":{\"orphaningRules\":[{" rule "}]}}}}"
#define RULE_A "\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":\"a\""

#define CONFIG(name, type)                                                                            \
    "{\"resourceIdentifier\":{\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":\"" name \
    "\"},\"updateStrategy\":{\"type\":\"" type "\"}}"

static bool is_ours(const char *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);
    prb_auto(prb_object_unref) struct prb_object *applied = live(APPLIED("w1"));

    return object && applied && prb_object_is_owned_by(object, prb_object_uid(applied));
}

static size_t owners_of(const char *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);

    return object ? prb_object_owner_count(object) : 0;
}

static void test_a_reference_has_this_shape(void)
{
    prb_auto(prb_object_unref) struct prb_object *applied = NULL;
    prb_auto(prb_str_done) struct prb_str wanted;

    (void)settle("w1");
    applied = live(APPLIED("w1"));
    prb_str_init(&wanted, 1000);
    prb_str_addf(&wanted,
            "[{\"apiVersion\":\"work.open-cluster-management.io/v1\",\"kind\":"
            "\"AppliedManifestWork\",\"name\":\"hub-w1\",\"uid\":\"%s\"}]",
            applied ? prb_object_uid(applied) : "");
    TEST_ASSERT_EQUAL_STRING(prb_str_get(&wanted), at(CM("a"), "/metadata/ownerReferences"));
}

static void test_each_change_of_the_option_moves_references(void)
{
    static const struct {
        const char *name, *patch;
        bool a, b;
    } steps[] = {
        { "nothing said", OPTION("null"), true, true },
        { "Orphan", POLICY("Orphan"), false, false },
        { "Foreground", POLICY("Foreground"), true, true },
        { "one selected", SELECT(RULE_A), false, true },
        { "Orphan after that", POLICY("Orphan"), false, false },
        { "another selected",
                SELECT("\"resource\":\"configmaps\",\"namespace\":\"default\","
                       "\"name\":\"b\""),
                true, false },
        { "of another group", SELECT("\"group\":\"x.io\"," RULE_A), true, true },
        { "cluster-scoped", SELECT("\"resource\":\"configmaps\",\"name\":\"a\""), true, true },
        { "unknown", POLICY("Keep"), false, false },
        { "nothing again", OPTION("null"), true, true },
        { "no map", OPTION("\"Orphan\""), false, false },
        { "a rule of a wrong type", SELECT("\"resource\":\"configmaps\",\"name\":7"), false,
                false },
    };

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        prb_fake_clock_advance(&work_world.clock, 60000);
        set(WORK("w1"), NULL, OPTION("null"));
        set(WORK("w1"), NULL, steps[i].patch);
        (void)settle("w1");
        TEST_ASSERT_EQUAL_MESSAGE(steps[i].a, is_ours(CM("a")), steps[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(steps[i].b, is_ours(CM("b")), steps[i].name);
    }
}

static void test_a_reference_alone_is_patched_alone(void)
{
    (void)settle("w1");
    prb_fake_clock_advance(&work_world.clock, 60000);
    set(WORK("w1"), NULL, SELECT(RULE_A));
    TEST_ASSERT_EQUAL_STRING("patch appliedmanifestworks hub-w1\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "patch configmaps default/a\n"
                             "patch manifestworks c1/w1 status\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("a")));
}

/* What is written down is what counts, in one form however it is spelt; the default is no record.
 */
static void test_the_orphan_settings_are_on_record_before_references_change(void)
{
    static const char record[] = "/metadata/annotations/probate.dev~1orphan-settings";
    static const struct {
        const char *name, *patch, *wanted;
    } steps[] = {
        { "nothing said", OPTION("null"), "" },
        { "the default", POLICY("Foreground"), "" },
        { "how long it lives", OPTION("{\"ttlSecondsAfterFinished\":7}"), "" },
        { "Orphan", OPTION("{\"propagationPolicy\":\"Orphan\",\"ttlSecondsAfterFinished\":7}"),
                "{\"deleteOption\":{\"propagationPolicy\":\"Orphan\"}}" },
        { "no map", OPTION("\"Orphan\""), "{\"deleteOption\":\"Orphan\"}" },
        { "another strategy", "{\"spec\":{\"manifestConfigs\":[" CONFIG("a", "CreateOnly") "]}}",
                "" },
        { "ReadOnly, and what comes before it",
                "{\"spec\":{\"manifestConfigs\":[" CONFIG("a", "CreateOnly") "," CONFIG(
                        "*", "ReadOnly") "," CONFIG("b", "CreateOnly") "]}}",
                "{\"manifestConfigs\":[{\"resourceIdentifier\":{\"name\":"
                "\"a\",\"namespace\":\"default\",\"resource\":"
                "\"configmaps\"},\"updateStrategy\":{\"type\":\"Update\"}},{"
                "\"resourceIdentifier\":{\"name\":\"*\",\"namespace\":"
                "\"default\",\"resource\":\"configmaps\"},\"updateStrategy\":{"
                "\"type\":\"ReadOnly\"}}]}" },
    };

    (void)settle("w1");
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        set(WORK("w1"), NULL, "{\"spec\":{\"deleteOption\":null,\"manifestConfigs\":null}}");
        (void)settle("w1");
        set(WORK("w1"), NULL, steps[i].patch);
        TEST_ASSERT_EQUAL_MESSAGE(steps[i].wanted[0] != '\0',
                prb_streq(pass("w1"), "patch " AMW "\n"), steps[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(steps[i].wanted, at(APPLIED("w1"), record), steps[i].name);
        (void)settle("w1");
        TEST_ASSERT_EQUAL_STRING_MESSAGE(steps[i].wanted, at(APPLIED("w1"), record), steps[i].name);
    }
}

/* An annotation has no room for them. What cannot be written down must not read as "nothing". */
static void test_settings_too_long_for_a_record_spare_everything(void)
{
    prb_auto(prb_str_done) struct prb_str patch;

    prb_str_init(&patch, (size_t)1024 * 1024);
    prb_str_add(&patch, "{\"spec\":{\"deleteOption\":{\"propagationPolicy\":\"SelectivelyOrphan\","
                        "\"selectivelyOrphans\":{\"orphaningRules\":[");
    for (int i = 0; i < 4000; i++)
        prb_str_addf(&patch,
                "%s{\"group\":\"\",\"resource\":\"configmaps\",\"namespace\":\"default\","
                "\"name\":\"stays-%d\"}",
                i > 0 ? "," : "", i);
    prb_str_add(&patch, "]}}}}");
    (void)settle("w1");
    set(WORK("w1"), NULL, prb_str_get(&patch));
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("{\"deleteOption\":{\"propagationPolicy\":\"TooLongToRecord\"}}",
            at(APPLIED("w1"), "/metadata/annotations/probate.dev~1orphan-settings"));
}

static void test_a_new_record_has_them_from_the_beginning(void)
{
    set(WORK("w1"), NULL, POLICY("Orphan"));
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING("{\"deleteOption\":{\"propagationPolicy\":\"Orphan\"}}",
            at(APPLIED("w1"), "/metadata/annotations/probate.dev~1orphan-settings"));
}

static void test_other_owners_are_kept(void)
{
    spoke_put("apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: default, uid: u-s}\n"
              "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default, "
              "ownerReferences: [{apiVersion: v1, kind: Secret, name: s, uid: u-s}]}\n");
    (void)settle("w1");
    TEST_ASSERT_EQUAL_size_t(2, owners_of(CM("a")));
    TEST_ASSERT_TRUE(is_ours(CM("a")));
    set(WORK("w1"), NULL, POLICY("Orphan"));
    (void)settle("w1");
    TEST_ASSERT_EQUAL_size_t(1, owners_of(CM("a")));
    TEST_ASSERT_FALSE(is_ours(CM("a")));
}

/* An older agent has recorded and owned it; this one knows neither hash nor memory of it. */
static void test_what_an_older_agent_owns_is_released_by_orphan(void)
{
    set(WORK("w1"), NULL, POLICY("Orphan"));
    spoke_put("apiVersion: work.open-cluster-management.io/v1\nkind: AppliedManifestWork\n"
              "metadata: {name: hub-w1, uid: u-amw, "
              "finalizers: [cluster.open-cluster-management.io/applied-manifest-work-cleanup]}\n"
              "spec: {hubHash: hub, agentID: other, manifestWorkName: w1}\n"
              "status: {appliedResources: [{group: '', version: v1, resource: configmaps, "
              "namespace: default, name: a, uid: u-a}]}\n"
              "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default, "
              "uid: u-a, ownerReferences: [{apiVersion: work.open-cluster-management.io/v1, "
              "kind: AppliedManifestWork, name: hub-w1, uid: u-amw}]}\ndata: {x: '1'}\n");
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("agent-1", at(APPLIED("w1"), "/spec/agentID"));
    TEST_ASSERT_EQUAL_STRING("u-a", at(CM("a"), "/metadata/uid"));
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("a")));
}

static void test_the_definition_of_all_records_is_never_owned(void)
{
    hub_put(WORK_YAML("w2", "",
            "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: "
            "appliedmanifestworks.work.open-cluster-management.io}, spec: {group: "
            "work.open-cluster-management.io, scope: Cluster, names: {plural: "
            "appliedmanifestworks, kind: AppliedManifestWork}, versions: [{name: v1, served: true, "
            "storage: true}]}}"));
    (void)settle("w2");
    TEST_ASSERT_EQUAL_STRING(
            "Applied True AppliedManifestComplete: applied", condition("w2", 0, "Applied"));
    TEST_ASSERT_EQUAL_STRING("", at("customresourcedefinitions.v1.apiextensions.k8s.io//"
                                    "appliedmanifestworks.work.open-cluster-management.io",
                                         "/metadata/ownerReferences/0/name"));
}

/* ---- what is taken over ---- */

#define BY_HAND                                                                             \
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: default}\ndata: {by: " \
    "hand}\n"

static const char *going;

/* The work is deleted, and then somebody makes what it has a manifest for. No cache knows. */
static void delete_and_make(void)
{
    erase(going);
    if (is_there(CM("b")))
        erase(CM("b"));
    spoke_put(BY_HAND);
}

/* Play it up to the call before which that happens, then to the end. */
static void play_behind_the_caches(const char *call)
{
    going = WORK("w1");
    work_world.stale = true;
    (void)pass("w1"); /* the finalizer of the work */
    meanwhile(call, delete_and_make);
    (void)pass("w1");
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, owners_of(CM("b")), call);
    work_world.stale = false;
    TEST_ASSERT_GREATER_THAN_INT(0, settle("w1"));
    TEST_ASSERT_FALSE(is_there(WORK("w1")));
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("hand", at(CM("b"), "/data/by"));
}

static void test_what_is_made_after_the_deletion_of_the_work_is_not_taken_over(void)
{
    play_behind_the_caches("create configmaps default/b");
}

static void test_nor_where_it_was_there_before(void)
{
    spoke_put(BY_HAND);
    play_behind_the_caches("get configmaps default/b");
}

/* The hub was asked for the sake of another before, when all was well. */
static void test_nor_where_the_hub_was_asked_before_that(void)
{
    spoke_put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n");
    play_behind_the_caches("create configmaps default/b");
}

static void test_nor_by_server_side_apply(void)
{
    set(WORK("w1"), NULL,
            "{\"spec\":{\"manifestConfigs\":[" CONFIG("a", "ServerSideApply") "," CONFIG(
                    "b", "ServerSideApply") "]}}");
    play_behind_the_caches("get configmaps default/b");
}

/* Of two that a pass takes over one is seen only after the hub was asked for the other. */

static void make_it_known(void)
{
    delete_and_make();
    world_caches_see_kinds();
}

static void at_the_next_record(void)
{
    meanwhile("patch appliedmanifestworks", make_it_known);
}

static void test_each_that_is_taken_over_is_older_than_the_look_at_the_hub(void)
{
    (void)settle("w1");
    erase(CM("a"));
    erase(CM("b"));
    spoke_put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n");
    going = WORK("w1");
    work_world.stale = true;
    prb_fake_clock_advance(&work_world.clock, 60000);
    meanwhile("get manifestworks c1/w1", at_the_next_record);
    (void)pass("w1");
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("b")));
    work_world.stale = false;
    TEST_ASSERT_GREATER_THAN_INT(0, settle("w1"));
    TEST_ASSERT_EQUAL_STRING("hand", at(CM("b"), "/data/by"));
}

/* Once for all that a pass takes over, and never for what has our reference. */
static void test_the_hub_is_asked_once_before_something_is_taken_over(void)
{
    spoke_put(BY_HAND "---\napiVersion: v1\nkind: ConfigMap\n"
                      "metadata: {name: a, namespace: default}\n");
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING("patch " AMW " status\n"
                             "get configmaps default/a\n"
                             "get configmaps default/b\n"
                             "get manifestworks c1/w1\n"
                             "update configmaps default/a\n"
                             "update configmaps default/b\n"
                             "patch " AMW " status\n"
                             "patch manifestworks c1/w1 status\n",
            pass("w1"));
    set(CM("b"), NULL, "{\"data\":{\"x\":\"other\"}}");
    prb_fake_clock_advance(&work_world.clock, 60000);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/b\nupdate configmaps default/b\n", pass("w1"));
}

/* What nobody can find out is not taken over; the rest goes on. */
static void test_nothing_is_taken_over_while_the_hub_does_not_answer(void)
{
    spoke_put(BY_HAND);
    (void)pass("w1");
    fault("get manifestworks", PRB_E_UNAVAILABLE, 1);
    (void)pass("w1");
    TEST_ASSERT_TRUE(is_ours(CM("a")));
    TEST_ASSERT_EQUAL_size_t(0, owners_of(CM("b")));
    TEST_ASSERT_TRUE(prb_starts_with(condition("w1", 1, "Applied"),
            "Applied False AppliedManifestFailed: it was there before, and is not taken over until "
            "the hub says that the work is not being deleted: "));
    TEST_ASSERT_GREATER_THAN_INT(0, settle("w1"));
    TEST_ASSERT_TRUE(is_ours(CM("b")));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_reference_has_this_shape);
    RUN_TEST(test_each_change_of_the_option_moves_references);
    RUN_TEST(test_a_reference_alone_is_patched_alone);
    RUN_TEST(test_the_orphan_settings_are_on_record_before_references_change);
    RUN_TEST(test_settings_too_long_for_a_record_spare_everything);
    RUN_TEST(test_a_new_record_has_them_from_the_beginning);
    RUN_TEST(test_other_owners_are_kept);
    RUN_TEST(test_what_an_older_agent_owns_is_released_by_orphan);
    RUN_TEST(test_the_definition_of_all_records_is_never_owned);
    RUN_TEST(test_what_is_made_after_the_deletion_of_the_work_is_not_taken_over);
    RUN_TEST(test_nor_where_it_was_there_before);
    RUN_TEST(test_nor_where_the_hub_was_asked_before_that);
    RUN_TEST(test_nor_by_server_side_apply);
    RUN_TEST(test_each_that_is_taken_over_is_older_than_the_look_at_the_hub);
    RUN_TEST(test_the_hub_is_asked_once_before_something_is_taken_over);
    RUN_TEST(test_nothing_is_taken_over_while_the_hub_does_not_answer);
    return UNITY_END();
}
