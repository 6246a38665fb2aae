/* Does what a live work has no manifest for any more go by the path, and nothing else? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "work_stage.h"

void setUp(void)
{
    stage_begin();
    stage.stale = "stale";
}

void tearDown(void)
{
    stage_end();
}

#define LIVE(spec) WORK(FINALIZED, spec)
#define STALE "stale"
#define PLAIN LIVE(MANIFESTS(""))
#define ONE RECORD(RECORDING, ENTRIES(ENTRY(STALE, "u-stale")))
#define DELETE_IT "delete configmaps default/stale\n"
#define DISOWN_IT "owners configmaps default/stale\n"
#define ALL_GONE "0 of 1 resources are left"

struct row {
    const char *name, *world, *wanted, *left;
};

static const struct row rows[] = {
    { "ours", PLAIN ONE MAP(STALE, OWNERS(OURS)), DELETE_IT, ALL_GONE },
    { "gone", PLAIN ONE, "", ALL_GONE },
    { "not ours", PLAIN ONE MAP(STALE, ""), "", ALL_GONE },
    { "recorded without uid, ours",
            PLAIN RECORD(RECORDING, ENTRIES(ENTRY(STALE, ""))) MAP(STALE, OWNERS(OURS)), DELETE_IT,
            ALL_GONE },
    { "recorded without uid, not ours",
            PLAIN RECORD(RECORDING, ENTRIES(ENTRY(STALE, ""))) MAP(STALE, ""), "", ALL_GONE },
    { "another object",
            PLAIN RECORD(RECORDING, ENTRIES(ENTRY(STALE, "u-before"))) MAP(STALE, OWNERS(OURS)), "",
            ALL_GONE },
    { "shared", PLAIN ONE MAP(STALE, OWNERS(OURS ", " OWNER("h1-v", "u-v"))), DISOWN_IT, ALL_GONE },
    { "orphaned", LIVE(MANIFESTS("") ORPHAN) ONE MAP(STALE, OWNERS(OURS)), DISOWN_IT, ALL_GONE },
    { "orphaned long ago", LIVE(MANIFESTS("") ORPHAN) ONE MAP(STALE, ""), "", ALL_GONE },
    { "named by a rule",
            LIVE(MANIFESTS("") ", deleteOption: {propagationPolicy: SelectivelyOrphan, "
                               "selectivelyOrphans: {orphaningRules: [{group: '', resource: "
                               "configmaps, namespace: default, name: stale}]}}")
                    ONE MAP(STALE, OWNERS(OURS)),
            DISOWN_IT, ALL_GONE },
    { "not named by a rule",
            LIVE(MANIFESTS("") ", deleteOption: {propagationPolicy: SelectivelyOrphan, "
                               "selectivelyOrphans: {orphaningRules: [{group: '', resource: "
                               "configmaps, namespace: other, name: stale}]}}")
                    ONE MAP(STALE, OWNERS(OURS)),
            DELETE_IT, ALL_GONE },
    { "an option that nobody understands",
            LIVE(MANIFESTS("") ", deleteOption: {propagationPolicy: Orphaned}")
                    ONE MAP(STALE, OWNERS(OURS)),
            DISOWN_IT, ALL_GONE },
    { "only to be read, and then taken out",
            LIVE(MANIFESTS("") ", manifestConfigs: [{resourceIdentifier: {resource: configmaps, "
                               "namespace: default, name: '*'}, updateStrategy: {type: ReadOnly}}]")
                    ONE MAP(STALE, OWNERS(OURS)),
            DISOWN_IT, ALL_GONE },
    { "going", PLAIN ONE MAP(STALE, OWNERS(OURS) DELETED ", finalizers: [x/y, z/z]"), "",
            "1 of 1 resources is left: configmaps default/stale (deleting, finalizers x/y, z/z)" },
    { "held by a finalizer", PLAIN ONE MAP(STALE, OWNERS(OURS) ", finalizers: [x/y]"), DELETE_IT,
            "1 of 1 resources is left: configmaps default/stale (deleting, finalizer x/y)" },
    { "a kind that is gone",
            PLAIN RECORD(RECORDING,
                    ENTRIES("{group: gone.io, version: v1, resource: stale, namespace: default, "
                            "name: stale, uid: u}")),
            "", ALL_GONE },
    { "a version that is not served any more",
            PLAIN RECORD(RECORDING,
                    ENTRIES("{group: '', version: v1beta1, resource: configmaps, namespace: "
                            "default, name: stale, uid: u-stale}")) MAP(STALE, OWNERS(OURS)),
            DELETE_IT, ALL_GONE },
    { "recorded without its namespace",
            PLAIN RECORD(RECORDING, ENTRIES("{group: '', version: v1, resource: configmaps, name: "
                                            "stale, uid: u-stale}")) MAP(STALE, OWNERS(OURS)),
            "",
            "1 of 1 resources is left: configmaps stale; configmaps stale: it is recorded without "
            "the namespace that its kind needs" },
    { "recorded with a namespace it cannot have",
            PLAIN RECORD(RECORDING, ENTRIES("{group: '', version: v1, resource: namespaces, "
                                            "namespace: default, name: stale, uid: u-stale}")),
            "",
            "1 of 1 resources is left: namespaces default/stale; namespaces default/stale: it is "
            "recorded with a namespace, which its kind has not" },
    { "recorded under another name of its kind",
            PLAIN RECORD(RECORDING, ENTRIES("{group: '', version: v1, resource: configmap, "
                                            "namespace: default, name: stale, uid: u-stale}"))
                    MAP(STALE, OWNERS(OURS)),
            "",
            "1 of 1 resources is left: configmap default/stale; configmap default/stale: its "
            "recorded resource is by now another name of some other kind" },
    { "recorded twice, in two versions",
            PLAIN RECORD(RECORDING, ENTRIES(ENTRY(STALE, "u-stale") ", " ENTRY(STALE, "u-before")))
                    MAP(STALE, OWNERS(OURS)),
            DELETE_IT, "0 of 2 resources are left" },
};

static void test_each_goes_by_the_path(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        stage_end();
        setUp();
        put(rows[i].world);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, pass(), rows[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].left, waits(), rows[i].name);

        /* And once more, with what is left. */
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", pass(), rows[i].name);
    }
}

struct trouble {
    const char *name, *call;
    enum prb_errc code;
    const char *reason, *words, *wanted, *left;
};

#define FAILS(text) "1 of 1 resources is left: configmaps default/stale; " text

static const struct trouble troubles[] = {
    { "403 on a look", "get configmaps default/stale", PRB_E_FORBIDDEN, "Forbidden", "no right", "",
            FAILS("configmaps default/stale: it could not be read: no right") },
    { "500 on a look", "get configmaps default/stale", PRB_E_UNAVAILABLE, "InternalError", "etcd",
            "", FAILS("configmaps default/stale: it could not be read: etcd") },
    { "a timeout on a look", "get configmaps default/stale", PRB_E_IO, "", "timed out", "",
            FAILS("configmaps default/stale: it could not be read: timed out") },
    { "a look at a version that went", "get configmaps default/stale", PRB_E_NOTFOUND, "NotServed",
            "no such version", "", NULL },
    { "discovery is away", "resolve configmaps.", PRB_E_UNAVAILABLE, "", "discovery failed", "",
            FAILS("configmaps default/stale: its kind could not be found out: discovery failed") },
    { "refused with 403", "delete configmaps default/stale", PRB_E_FORBIDDEN, "Forbidden",
            "admission webhook \"x\" denied the request: not yet", DELETE_IT,
            FAILS("configmaps default/stale: it could not be deleted: admission webhook \"x\" denied the request: "
                  "not yet") },
    { "refused with 404", "delete configmaps default/stale", PRB_E_NOTFOUND, "NotFound",
            "admission webhook \"x\" denied the request: not yet", DELETE_IT,
            FAILS("configmaps default/stale: it could not be deleted: admission webhook \"x\" denied the request: "
                  "not yet") },
    { "refused with 409", "delete configmaps default/stale", PRB_E_CONFLICT, "Conflict",
            "admission webhook \"x\" denied the request: not yet", DELETE_IT,
            FAILS("configmaps default/stale: it could not be deleted: admission webhook \"x\" denied the request: "
                  "not yet") },
    { "changed meanwhile", "delete configmaps default/stale", PRB_E_CONFLICT, "Conflict",
            "Precondition failed: 7 is not 8", DELETE_IT DELETE_IT,
            FAILS("configmaps default/stale: it could not be deleted: it was changed meanwhile") },
    { "503 on a delete", "delete configmaps default/stale", PRB_E_UNAVAILABLE, "", "away",
            DELETE_IT, FAILS("configmaps default/stale: it could not be deleted: away") },
    { "the hub is away", "get manifestworks c1/w", PRB_E_IO, "", "no route to the hub", "",
            FAILS("configmaps default/stale: the hub could not be asked: no route to the hub") },
};

static void test_what_fails_keeps_its_entry_and_says_why(void)
{
    for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
        const struct trouble *row = &troubles[i];

        stage_end();
        setUp();
        put(PLAIN ONE MAP(STALE, OWNERS(OURS)));
        fail(row->call, row->code, row->reason, row->words);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(row->wanted, pass(), row->name);
        if (row->left)
            TEST_ASSERT_EQUAL_STRING_MESSAGE(row->left, waits(), row->name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(waits(), "1 of 1 resources is left"), waits());
        TEST_ASSERT_TRUE_MESSAGE(is_there(CM("stale")), row->name);
        fail(row->call, PRB_OK, "", "");
        TEST_ASSERT_EQUAL_STRING_MESSAGE(DELETE_IT, pass(), row->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(ALL_GONE, waits(), row->name);
    }
}

static void test_nothing_is_deleted_while_one_that_stays_has_its_reference(void)
{
    static const char option[] = ", deleteOption: {propagationPolicy: SelectivelyOrphan, "
                                 "selectivelyOrphans: {orphaningRules: [{group: '', resource: "
                                 "configmaps, namespace: default, name: stale-b}]}}";
    prb_autofree char *world = prb_asprintf("%s%s",
            RECORD(RECORDING,
                    ENTRIES(ENTRY("stale-a", "u-stale-a") ", " ENTRY("stale-b", "u-stale-b")))
                    MAP("stale-a", OWNERS(OURS)) MAP("stale-b", OWNERS(OURS)),
            "");
    prb_autofree char *work = prb_asprintf(WORK(FINALIZED, MANIFESTS("") "%s"), option);

    put(world);
    put(work);
    fail("owners configmaps default/stale-b", PRB_E_FORBIDDEN, "Forbidden", "no");
    TEST_ASSERT_EQUAL_STRING("owners configmaps default/stale-b\n", pass());
    TEST_ASSERT_EQUAL_STRING(
            "2 of 2 resources are left: configmaps default/stale-a, configmaps "
            "default/stale-b; configmaps default/stale-b: its reference could not be removed: no",
            waits());
    fail("owners configmaps default/stale-b", PRB_OK, "", "");
    fail("get configmaps default/stale-b", PRB_E_IO, "", "cut");
    TEST_ASSERT_EQUAL_STRING("", pass());
    fail("get configmaps default/stale-b", PRB_OK, "", "");
    TEST_ASSERT_EQUAL_STRING(
            "owners configmaps default/stale-b\ndelete configmaps default/stale-a\n", pass());
    TEST_ASSERT_TRUE(is_there(CM("stale-b")));
    TEST_ASSERT_FALSE(is_there(CM("stale-a")));
}

static void test_one_that_cannot_be_read_holds_up_no_other(void)
{
    put(PLAIN RECORD(
            RECORDING, ENTRIES(ENTRY("stale-a", "u-stale-a") ", " ENTRY("stale-b", "u-stale-b")))
                    MAP("stale-a", OWNERS(OURS)) MAP("stale-b", OWNERS(OURS)));
    fail("get configmaps default/stale-a", PRB_E_FORBIDDEN, "Forbidden", "no");
    TEST_ASSERT_EQUAL_STRING("delete configmaps default/stale-b\n", pass());
    TEST_ASSERT_EQUAL_STRING("1 of 2 resources is left: configmaps default/stale-a; "
                             "configmaps default/stale-a: it could not be read: no",
            waits());
}

/* ---- what others do between our look and our write ---- */

static void share(const char *call)
{
    if (strcmp(call, "delete configmaps default/stale") == 0)
        set(CM("stale"), NULL,
                "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":"
                "\"work.open-cluster-management.io/v1\",\"kind\":\"AppliedManifestWork\","
                "\"name\":\"h1-w\",\"uid\":\"u-a\"},{\"apiVersion\":"
                "\"work.open-cluster-management.io/v1\",\"kind\":\"AppliedManifestWork\","
                "\"name\":\"h1-v\",\"uid\":\"u-v\"}]}}");
}

static void test_who_adopts_it_at_the_last_moment_keeps_it(void)
{
    put(PLAIN ONE MAP(STALE, OWNERS(OURS)) APPLIED_NAMED("h1-v", "u-v", "", "hubHash: h1", ""));
    meanwhile = share;
    TEST_ASSERT_EQUAL_STRING(DELETE_IT, pass());
    TEST_ASSERT_TRUE(is_there(CM("stale")));
    meanwhile = NULL;
    TEST_ASSERT_EQUAL_STRING(DISOWN_IT, pass());
    TEST_ASSERT_EQUAL_STRING(ALL_GONE, waits());
    TEST_ASSERT_TRUE(is_there(CM("stale")));
    TEST_ASSERT_EQUAL_size_t(1, owners_of(CM("stale")));
}

static void touch(const char *call)
{
    static int count;

    if (strcmp(call, "delete configmaps default/stale") == 0 && count++ == 0)
        set(CM("stale"), NULL, "{\"data\":{\"beat\":\"1\"}}");
}

static void test_what_is_changed_all_the_time_goes_all_the_same(void)
{
    put(PLAIN ONE MAP(STALE, OWNERS(OURS)));
    meanwhile = touch;
    TEST_ASSERT_EQUAL_STRING(DELETE_IT DELETE_IT, pass());
    TEST_ASSERT_FALSE(is_there(CM("stale")));
}

static void replace(const char *call)
{
    if (strcmp(call, "delete configmaps default/stale") != 0)
        return;
    erase(CM("stale"));
    put("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: stale, namespace: default, uid: "
        "u-new}\n");
}

static void test_who_takes_its_name_at_the_last_moment_keeps_it(void)
{
    put(PLAIN ONE MAP(STALE, OWNERS(OURS)));
    meanwhile = replace;
    (void)pass();
    meanwhile = NULL;
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_STRING(ALL_GONE, waits());
    TEST_ASSERT_TRUE(is_there(CM("stale")));
}

static void test_two_works_that_let_go_at_once_do_not_both_leave_it(void)
{
    put(PLAIN ONE MAP(STALE, OWNERS(OURS ", " OWNER("h1-v", "u-v"))) WORK_NAMED(
            "v", FINALIZED, MANIFESTS("")) APPLIED_NAMED("h1-v", "u-v", RECORDING,
            "hubHash: h1, agentID: me, manifestWorkName: v", ENTRIES(ENTRY(STALE, "u-stale"))));
    TEST_ASSERT_EQUAL_STRING(DISOWN_IT, pass());
    TEST_ASSERT_EQUAL_STRING(DELETE_IT, pass_on(APPLIED "//h1-v"));
    TEST_ASSERT_FALSE(is_there(CM("stale")));
}

static void end_kind(const char *call)
{
    if (strcmp(call, "get configmaps default/stale") != 0)
        return;
    fail("get configmaps default/stale", PRB_E_NOTFOUND, "NotServed", "no such kind");
    fail("resolve configmaps.", PRB_E_NOTFOUND, "NotServed", "no such kind");
}

/* Found a moment ago, and gone now: discovery has to say so once more before it counts. */
static void test_a_kind_that_goes_meanwhile_is_asked_for_again(void)
{
    put(PLAIN ONE MAP(STALE, OWNERS(OURS)));
    meanwhile = end_kind;
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_STRING(
            FAILS("configmaps default/stale: it could not be read: no such kind"), waits());
    meanwhile = NULL;
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_STRING(ALL_GONE, waits());
}

static void test_a_cache_that_is_behind_the_hub_removes_nothing(void)
{
    put(PLAIN ONE MAP(STALE, OWNERS(OURS)) APPLIED_NAMED("h1-v", "u-v", "", "hubHash: h1", ""));
    see();
    set(W, NULL, "{\"spec\":{\"deleteOption\":{\"propagationPolicy\":\"Orphan\"}}}");
    TEST_ASSERT_EQUAL_STRING(DISOWN_IT, pass_blind()); /* its second round sees it */
    TEST_ASSERT_TRUE(is_there(CM("stale")));
}

static void move_on(const char *call)
{
    if (strcmp(call, "get manifestworks c1/w") == 0)
        set(W, NULL, "{\"spec\":{\"deleteOption\":{\"propagationPolicy\":\"Orphan\"}}}");
}

/* As above, where the cache never follows: the hub's word counts. */
static void test_a_work_that_changed_meanwhile_is_looked_at_first(void)
{
    put(PLAIN ONE MAP(STALE, OWNERS(OURS)) APPLIED_NAMED("h1-v", "u-v", "", "hubHash: h1", ""));
    see();
    meanwhile = move_on;
    stage.is_blind = true;
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_STRING(FAILS("configmaps default/stale: the hub has another version of the "
                                   "work than was seen"),
            waits());
    TEST_ASSERT_TRUE(is_there(CM("stale")));
}

static void leave(const char *call)
{
    if (strcmp(call, "get manifestworks c1/w") == 0)
        erase(W);
}

static void test_a_work_that_is_being_deleted_meanwhile_is_ended_first(void)
{
    put(PLAIN ONE MAP(STALE, OWNERS(OURS)) APPLIED_NAMED("h1-v", "u-v", "", "hubHash: h1", ""));
    see();
    meanwhile = leave;
    stage.is_blind = true;
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_TRUE(is_going(W) && is_there(CM("stale")));
}

/* ---- one object, two groups ---- */

#define INGRESS_ENTRY(group, uid) \
    "{group: " group              \
    ", version: v1, resource: ingresses, namespace: default, name: web, uid: '" uid "'}"

static void test_what_has_only_changed_its_group_is_not_deleted(void)
{
    static const char world[] = LIVE(MANIFESTS(
            "{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: web, namespace: "
            "default}}")) "---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: "
                          "web, namespace: default, uid: u-web" OWNERS(OURS) "}\n";

    /* Of the hub the two groups are two collections: the one is played by the other here. */
    stage.stale = "web";
    stage.stale_group = "networking.k8s.io";
    put(world);
    put(RECORD(RECORDING, ENTRIES(INGRESS_ENTRY("networking.k8s.io", "u-web") ", " INGRESS_ENTRY(
                                  "extensions", "u-web"))));
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_STRING(ALL_GONE, waits());
    set(A, "status",
            "{\"status\":{\"appliedResources\":[{\"group\":\"networking.k8s.io\",\"version\":"
            "\"v1\",\"resource\":\"ingresses\",\"namespace\":\"default\",\"name\":\"web\","
            "\"uid\":\"u-web\"},{\"group\":\"extensions\",\"version\":\"v1\",\"resource\":"
            "\"ingresses\",\"namespace\":\"default\",\"name\":\"web\",\"uid\":\"\"}]}}");
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_STRING(
            "1 of 1 resources is left: ingresses default/web; ingresses default/web: another group "
            "has the same on record, without a uid yet",
            waits());
    TEST_ASSERT_TRUE(is_there("ingresses.v1.networking.k8s.io/default/web"));
}

/* ---- many ---- */

static char *many(size_t count)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, (size_t)1024 * 1024);
    prb_str_add(&text, PLAIN OCM "AppliedManifestWork\nmetadata: {name: h1-w, uid: u-a" RECORDING
                                 "}\nspec: {hubHash: h1, agentID: me, manifestWorkName: w}\n"
                                 "status:\n  appliedResources:\n");
    for (size_t i = 0; i < count; i++)
        prb_str_addf(&text,
                "  - {group: '', version: v1, resource: configmaps, namespace: default, name: "
                "stale-%zu, uid: u-%zu}\n",
                i, i);
    for (size_t i = 0; i < count; i++)
        prb_str_addf(&text,
                "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: stale-%zu, namespace: "
                "default, uid: u-%zu, ownerReferences: [" OURS "]%s}\n",
                i, i, i % 100 == 0 ? ", finalizers: [a/b]" : "");
    return prb_str_take(&text);
}

static void test_500_go_in_one_pass_with_three_calls_each(void)
{
    prb_autofree char *world = many(500);

    put(world);
    (void)pass();
    TEST_ASSERT_EQUAL_STRING(
            "5 of 500 resources are left: configmaps default/stale-0 (deleting, finalizer a/b), "
            "configmaps default/stale-100 (deleting, finalizer a/b), configmaps default/stale-200 "
            "(deleting, finalizer a/b), configmaps default/stale-300 (deleting, finalizer a/b), "
            "configmaps default/stale-400 (deleting, finalizer a/b)",
            waits());
    TEST_ASSERT_EQUAL_size_t(1 + 500 + 495, stage.reads);
}

static void test_errors_that_are_alike_are_said_once(void)
{
    prb_autofree char *world = many(7);

    put(world);
    for (int i = 0; i < 7; i++) {
        prb_autofree char *call = prb_asprintf("delete configmaps default/stale-%d", i);

        fail(call, PRB_E_FORBIDDEN, "Forbidden", i < 2 ? "a" : "b");
    }
    (void)pass();
    TEST_ASSERT_EQUAL_STRING(
            "7 of 7 resources are left: configmaps default/stale-0, configmaps default/stale-1, "
            "configmaps default/stale-2, configmaps default/stale-3, configmaps default/stale-4 "
            "and 2 more; configmaps default/stale-0 and 1 more: it could not be deleted: a; "
            "configmaps default/stale-2 and 4 more: it could not be deleted: b",
            waits());
}

/* ---- what a cache is good for ---- */

static void test_what_is_watched_is_not_read_before_it_is_deleted(void)
{
    stage.watches_maps = true;
    put(PLAIN ONE MAP(STALE, OWNERS(OURS)) APPLIED_NAMED("h1-v", "u-v", "", "hubHash: h1", ""));
    stage.wants_calls = true;
    TEST_ASSERT_EQUAL_STRING("get manifestworks c1/w\nresolve configmaps.\n" DELETE_IT
                             "get configmaps default/stale\n",
            pass());
    TEST_ASSERT_FALSE(is_there(CM(STALE)));
}

/* The cache has it as ours alone, and as the one on record. */
static void test_a_cache_that_is_behind_deletes_nothing(void)
{
    static const struct {
        const char *name, *owners, *then;
    } changes[] = {
        { "shared by now",
                "[{\"apiVersion\":\"work.open-cluster-management.io/v1\",\"kind\":"
                "\"AppliedManifestWork\",\"name\":\"h1-w\",\"uid\":\"u-a\"},"
                "{\"apiVersion\":\"work.open-cluster-management.io/v1\",\"kind\":"
                "\"AppliedManifestWork\",\"name\":\"h1-v\",\"uid\":\"u-v\"}]",
                DISOWN_IT },
        { "orphaned by now", "null", "" },
    };

    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        prb_autofree char *patch =
                prb_asprintf("{\"metadata\":{\"ownerReferences\":%s}}", changes[i].owners);

        stage_end();
        setUp();
        stage.watches_maps = true;
        put(PLAIN ONE MAP(STALE, OWNERS(OURS)) APPLIED_NAMED("h1-v", "u-v", "", "hubHash: h1", ""));
        see();
        set(CM(STALE), NULL, patch);
        stage.is_blind = true;
        TEST_ASSERT_EQUAL_STRING_MESSAGE(DELETE_IT, pass(), changes[i].name);
        TEST_ASSERT_TRUE_MESSAGE(is_there(CM(STALE)) && !is_going(CM(STALE)), changes[i].name);
        stage.is_blind = false;
        TEST_ASSERT_EQUAL_STRING_MESSAGE(changes[i].then, pass(), changes[i].name);
        TEST_ASSERT_TRUE_MESSAGE(is_there(CM(STALE)), changes[i].name);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_each_goes_by_the_path);
    RUN_TEST(test_what_fails_keeps_its_entry_and_says_why);
    RUN_TEST(test_nothing_is_deleted_while_one_that_stays_has_its_reference);
    RUN_TEST(test_one_that_cannot_be_read_holds_up_no_other);
    RUN_TEST(test_who_adopts_it_at_the_last_moment_keeps_it);
    RUN_TEST(test_what_is_changed_all_the_time_goes_all_the_same);
    RUN_TEST(test_who_takes_its_name_at_the_last_moment_keeps_it);
    RUN_TEST(test_two_works_that_let_go_at_once_do_not_both_leave_it);
    RUN_TEST(test_a_kind_that_goes_meanwhile_is_asked_for_again);
    RUN_TEST(test_a_cache_that_is_behind_the_hub_removes_nothing);
    RUN_TEST(test_a_work_that_changed_meanwhile_is_looked_at_first);
    RUN_TEST(test_a_work_that_is_being_deleted_meanwhile_is_ended_first);
    RUN_TEST(test_what_has_only_changed_its_group_is_not_deleted);
    RUN_TEST(test_500_go_in_one_pass_with_three_calls_each);
    RUN_TEST(test_errors_that_are_alike_are_said_once);
    RUN_TEST(test_what_is_watched_is_not_read_before_it_is_deleted);
    RUN_TEST(test_a_cache_that_is_behind_deletes_nothing);
    return UNITY_END();
}
