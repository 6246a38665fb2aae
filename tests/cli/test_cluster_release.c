/* Finalizers of ours that hold clusters for nobody: which are taken off, and which are not? */

#include <string.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/hub/hub.h"
#include "probate/reconcilers/cluster_deletion.h"

#include "cluster_release.h"

static const struct prb_gvr clusters = { "cluster.open-cluster-management.io", "v1",
    "managedclusters" };

static struct prb_hub *hub;
static struct prb_error err;
static bool again;
static int calls_left; /* until it may not go on */

void setUp(void)
{
    hub = prb_hub_new(NULL);
    err = (struct prb_error){ 0 };
    calls_left = 1000;
}

void tearDown(void)
{
    prb_hub_free(hub);
}

static bool goes_on(void *ctx)
{
    (void)ctx;
    return calls_left-- > 0;
}

static int sweep(const char *keep)
{
    struct prb_cluster_release release = {
        .api = prb_hub_api(hub), .keep = keep, .go_on = goes_on
    };

    int r = prb_cluster_release_sweep(&release, &err);

    again = release.again;
    return r;
}

/* A cluster with finalizers ("a, b"), which managers of these finalizers say they own. */
static int put(const char *name, const char *more, const char *finalizers, const char *fields)
{
    prb_autofree char *yaml = prb_asprintf("apiVersion: cluster.open-cluster-management.io/v1\n"
                                           "kind: ManagedCluster\n"
                                           "metadata:\n"
                                           "  name: %s\n"
                                           "%s"
                                           "  finalizers: [%s]\n"
                                           "  managedFields:\n"
                                           "%s",
            name, more, finalizers, fields);

    return prb_hub_load_text(hub, yaml, strlen(yaml), &err);
}

#define FIELDS(manager, finalizer)                                                   \
    "  - {manager: " manager ", operation: Update, fieldsType: FieldsV1, fieldsV1: " \
    "{'f:metadata': {'f:finalizers': {'.': {}, 'v:\"" finalizer "\"': {}}}}}\n"
#define DELETING "  deletionTimestamp: 2026-01-02T03:04:05Z\n"
#define OURS PRB_CLUSTER_FINALIZER
#define OWN "probate.dev/cluster-cleanup"

/* Its finalizers, with commas; "gone". The caller frees. */
static char *finalizers_of(const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *cluster = NULL;
    prb_auto(prb_str_done) struct prb_str text;
    struct prb_ref ref;

    prb_str_init(&text, 1024);
    if (!prb_ref_init(&ref, &clusters, NULL, name) ||
            prb_api_get(prb_hub_api(hub), &ref, NULL, &cluster, &err) < 0)
        return prb_strdup("gone");
    for (size_t i = 0; i < prb_object_finalizer_count(cluster); i++)
        prb_str_addf(&text, "%s%s", i > 0 ? "," : "", prb_object_finalizer_at(cluster, i));
    return prb_str_take(&text);
}

static void test_only_what_probate_put_there_is_taken_off_and_only_while_it_lives(void)
{
    static const struct {
        const char *what, *more, *finalizers, *fields, *keep, *left;
        bool again;
    } cases[] = {
        { "ours, off", "", OURS, FIELDS("probate", OURS), NULL, "", false },
        { "ours among others", "", "x.io/a, " OURS ", x.io/b", FIELDS("probate", OURS), NULL,
                "x.io/a,x.io/b", false },
        { "under another name", "", OWN, FIELDS("probate", OWN), NULL, "", false },
        { "ours, on", "", OURS, FIELDS("probate", OURS), OURS, OURS, false },
        { "renamed", "", OURS ", " OWN, FIELDS("probate", OURS) FIELDS("probate", OWN), OWN, OWN,
                false },
        { "renamed, not on it yet", "", OURS, FIELDS("probate", OURS), OWN, OURS, true },
        { "renamed while it goes", DELETING, OURS, FIELDS("probate", OURS), OWN, OURS, false },
        { "another's", "", OURS, FIELDS("registration-controller", OURS), NULL, OURS, false },
        { "of both", "", OURS, FIELDS("probate", OURS) FIELDS("velero", OURS), NULL, OURS, false },
        { "of nobody", "", OURS, "  - {manager: probate}\n", NULL, OURS, false },
        { "another finalizer of ours", "", OURS, FIELDS("probate", OWN), NULL, OURS, false },
        { "deleting", DELETING, OURS, FIELDS("probate", OURS), NULL, OURS, false },
        { "none at all", "", "", FIELDS("probate", OURS), NULL, "", false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *left = NULL;

        prb_hub_free(hub);
        hub = prb_hub_new(NULL);
        TEST_ASSERT_EQUAL_MESSAGE(
                0, put("west", cases[i].more, cases[i].finalizers, cases[i].fields), cases[i].what);
        TEST_ASSERT_EQUAL_MESSAGE(0, sweep(cases[i].keep), cases[i].what);
        left = finalizers_of("west");
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].left, left, cases[i].what);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].again, again, cases[i].what);
    }
}

/* What a finalizer was put there at; `shift_ms` from now. */
static int put_at(const char *name, int64_t shift_ms)
{
    const struct prb_clock *clock = prb_clock_system();
    char time[PRB_TIME_SIZE];
    prb_autofree char *fields = NULL;

    prb_time_format(clock->wall_ms(clock) + shift_ms, time);
    fields = prb_asprintf(
            "  - {manager: probate, time: '%s', fieldsV1: {'f:metadata': {'f:finalizers': "
            "{'v:\"" OURS "\"': {}}}}}\n",
            time);
    return put(name, "", OURS, fields);
}

#define MINUTE INT64_C(60000)

static void test_what_was_put_there_a_moment_ago_may_still_be_seen_to(void)
{
    prb_autofree char *fresh = NULL, *old = NULL;

    TEST_ASSERT_EQUAL(0, put_at("fresh", -9 * MINUTE));
    TEST_ASSERT_EQUAL(0, put_at("old", -11 * MINUTE));
    TEST_ASSERT_EQUAL(0, sweep(NULL));
    fresh = finalizers_of("fresh");
    old = finalizers_of("old");
    TEST_ASSERT_EQUAL_STRING(OURS, fresh);
    TEST_ASSERT_EQUAL_STRING("", old);
}

/* Two that are run in different ways must not fight over it. */
static void test_what_another_probate_puts_there_is_left_to_it(void)
{
    struct prb_cluster_release release = { .api = prb_hub_api(hub), .go_on = goes_on };
    prb_autofree char *before = NULL, *since = NULL;

    TEST_ASSERT_EQUAL(0, put_at("before", -60 * MINUTE));
    TEST_ASSERT_EQUAL(0, put_at("since", -20 * MINUTE));
    release.since_ms = prb_clock_system()->wall_ms(prb_clock_system()) - 30 * MINUTE;
    TEST_ASSERT_EQUAL(0, prb_cluster_release_sweep(&release, &err));
    before = finalizers_of("before");
    since = finalizers_of("since");
    TEST_ASSERT_EQUAL_STRING("", before);
    TEST_ASSERT_EQUAL_STRING(OURS, since);
    TEST_ASSERT_TRUE(release.told);
}

/* Refuses every write, as an API server does that grants no right. */
static int refuse(void *ctx, const struct prb_hub_write *write, struct prb_error *error)
{
    (void)ctx;
    return prb_fail(error, PRB_E_FORBIDDEN, "no %s", write->operation);
}

static void test_a_right_that_is_missing_is_an_error_that_says_what_for(void)
{
    TEST_ASSERT_EQUAL(0, put("west", "", OURS, FIELDS("probate", OURS)));
    prb_hub_set_admission(hub, refuse, NULL);
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, sweep(NULL));
    TEST_ASSERT_EQUAL_STRING("take finalizer " OURS " off ManagedCluster west: no UPDATE", err.msg);
}

/* Somebody is faster: the first write is refused as one on an old version. */
static int conflict(void *ctx, const struct prb_hub_write *write, struct prb_error *error)
{
    (void)ctx;
    return prb_fail(error, PRB_E_CONFLICT, "%s: it is another by now", write->name);
}

static void test_a_cluster_that_changed_meanwhile_is_looked_at_again_soon(void)
{
    TEST_ASSERT_EQUAL(0, put("west", "", OURS, FIELDS("probate", OURS)));
    prb_hub_set_admission(hub, conflict, NULL);
    TEST_ASSERT_EQUAL(0, sweep(NULL));
    TEST_ASSERT_TRUE(again);
}

static void test_a_hub_without_clusters_has_none(void)
{
    TEST_ASSERT_EQUAL(0, sweep(NULL));
}

static void test_who_may_not_go_on_does_not(void)
{
    prb_autofree char *east = NULL, *west = NULL;

    TEST_ASSERT_EQUAL(0, put("east", "", OURS, FIELDS("probate", OURS)));
    TEST_ASSERT_EQUAL(0, put("west", "", OURS, FIELDS("probate", OURS)));
    calls_left = 1;
    TEST_ASSERT_EQUAL(PRB_E_CANCELLED, sweep(NULL));
    east = finalizers_of("east");
    west = finalizers_of("west");
    TEST_ASSERT_EQUAL_STRING("", east);
    TEST_ASSERT_EQUAL_STRING(OURS, west);
}

static void test_it_is_tended_once_and_then_not_for_a_while(void)
{
    struct prb_cluster_release release = { .api = prb_hub_api(hub), .go_on = goes_on };
    prb_autofree char *first = NULL, *second = NULL;

    TEST_ASSERT_EQUAL(0, put("east", "", OURS, FIELDS("probate", OURS)));
    prb_cluster_release_tend(&release);
    first = finalizers_of("east");
    TEST_ASSERT_EQUAL_STRING("", first);
    TEST_ASSERT_EQUAL(0, put("west", "", OURS, FIELDS("probate", OURS)));
    prb_cluster_release_tend(&release);
    second = finalizers_of("west");
    TEST_ASSERT_EQUAL_STRING(OURS, second);
}

static void test_a_standby_looks_as_soon_as_it_leads(void)
{
    struct prb_cluster_release release = { .api = prb_hub_api(hub), .go_on = goes_on };
    prb_autofree char *left = NULL;

    TEST_ASSERT_EQUAL(0, put("east", "", OURS, FIELDS("probate", OURS)));
    calls_left = 0;
    prb_cluster_release_tend(&release);
    calls_left = 1000;
    prb_cluster_release_tend(&release);
    left = finalizers_of("east");
    TEST_ASSERT_EQUAL_STRING("", left);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_only_what_probate_put_there_is_taken_off_and_only_while_it_lives);
    RUN_TEST(test_what_was_put_there_a_moment_ago_may_still_be_seen_to);
    RUN_TEST(test_what_another_probate_puts_there_is_left_to_it);
    RUN_TEST(test_a_right_that_is_missing_is_an_error_that_says_what_for);
    RUN_TEST(test_a_cluster_that_changed_meanwhile_is_looked_at_again_soon);
    RUN_TEST(test_a_hub_without_clusters_has_none);
    RUN_TEST(test_who_may_not_go_on_does_not);
    RUN_TEST(test_it_is_tended_once_and_then_not_for_a_while);
    RUN_TEST(test_a_standby_looks_as_soon_as_it_leads);
    return UNITY_END();
}
