/* What the flags say about the deletion of clusters. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/clusters.h"

static struct prb_cluster_flags flags;
static struct prb_cluster_choice *choice;
static struct prb_error err;

void setUp(void)
{
    err = (struct prb_error){ 0 };
    flags = (struct prb_cluster_flags){ .delete_works = PRB_DELETE_WORKS_ADDON };
    choice = NULL;
}

static void drop(void)
{
    prb_autofree struct prb_cluster_choice *old = prb_take(choice);

    prb_list_done(&flags.monitored);
}

void tearDown(void)
{
    drop();
}

static int monitor(const char *text)
{
    drop();
    prb_list_add(&flags.monitored, text, strlen(text));
    return prb_clusters_choose(&flags, &choice, &err);
}

static void test_a_monitored_resource_has_its_version_and_group(void)
{
    static const struct {
        const char *text, *gvr;
    } cases[] = {
        { "clusterdeployments.v1.hive.openshift.io", "clusterdeployments.v1.hive.openshift.io" },
        { "machines.v1beta1.cluster.x-k8s.io", "machines.v1beta1.cluster.x-k8s.io" },
        { "pods.v1.", "pods.v1." },
        { "pods.v1", "pods.v1." },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[PRB_GVR_TEXT_SIZE];

        TEST_ASSERT_EQUAL_MESSAGE(0, monitor(cases[i].text), err.msg);
        if (!choice)
            return;
        TEST_ASSERT_EQUAL_size_t(1, choice->settings.monitored_count);
        prb_gvr_format(&choice->settings.monitored[0], text);
        TEST_ASSERT_EQUAL_STRING(cases[i].gvr, text);
    }
}

static void test_what_is_no_resource_is_refused_with_the_right_form(void)
{
    static const char *const cases[] = { "pods", "v1/pods", "deployments.apps",
        "apps/v1/deployments", "machines.cluster.x-k8s.io", "Pods.v1", "pods..", ".v1.",
        "pods.v1..", "pods.v1.a..b", "pods.v1.a/b", "pods.v1x", "pods .v1" };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *shown = prb_asprintf(
                "--resources-to-monitor-for-deletion: \"%s\" is not of the form "
                "RESOURCE.VERSION.GROUP, such as clusterdeployments.v1.hive.openshift.io, or "
                "pods.v1 of the core group",
                cases[i]);

        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, monitor(cases[i]), cases[i]);
        TEST_ASSERT_EQUAL_STRING(shown, err.msg);
        TEST_ASSERT_NULL(choice);
    }
}

static void add_numbered(int count)
{
    for (int i = 0; i < count; i++) {
        prb_autofree char *text = prb_asprintf("things%d.v1.example.org", i);

        prb_list_add(&flags.monitored, text, strlen(text));
    }
}

static void test_a_resource_that_is_named_again_counts_once(void)
{
    static const char *const again[] = { "things0.v1.example.org", "things1.v2beta1.example.org" };

    add_numbered(PRB_MONITORED_MAX);
    for (size_t i = 0; i < 2; i++)
        prb_list_add(&flags.monitored, again[i], strlen(again[i]));
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_clusters_choose(&flags, &choice, &err), err.msg);
    if (!choice)
        return;
    TEST_ASSERT_EQUAL_size_t(PRB_MONITORED_MAX, choice->settings.monitored_count);
}

static void test_more_resources_than_are_watched_are_refused(void)
{
    add_numbered(PRB_MONITORED_MAX + 1);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_clusters_choose(&flags, &choice, &err));
    TEST_ASSERT_EQUAL_STRING(
            "--resources-to-monitor-for-deletion: there are more than 32 resources", err.msg);
}

#define TEN "abcdefghij"
#define SIXTY TEN TEN TEN TEN TEN TEN

static void test_a_finalizer_is_a_name_with_its_domain(void)
{
    static const char *const good[] = { PRB_CLUSTER_FINALIZER, PRB_CLUSTER_FINALIZER_OWN, "a/b",
        "a-1.b/C_d.e-f", "a/" SIXTY "abc" };
    static const char *const bad[] = { "orphan", "foregroundDeletion", "/b", "a/", "a/b/c", "A.b/c",
        "a..b/c", ".a/c", "a./c", "-a/c", "a-/c", "a.-b/c", "a/-c", "a/c-", "a/c d", "a b/c",
        "a/" SIXTY "abcd", "a/\xc3\xa4", "a/c\n" };

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        drop();
        flags.finalizer = good[i];
        TEST_ASSERT_EQUAL_MESSAGE(0, prb_clusters_choose(&flags, &choice, &err), good[i]);
        if (!choice)
            return;
        TEST_ASSERT_EQUAL_STRING(good[i], choice->settings.finalizer);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        drop();
        flags.finalizer = bad[i];
        TEST_ASSERT_EQUAL_MESSAGE(
                PRB_E_INVALID, prb_clusters_choose(&flags, &choice, &err), bad[i]);
        TEST_ASSERT_TRUE(prb_starts_with(err.msg, "--cluster-finalizer: \""));
        TEST_ASSERT_NOT_NULL(strstr(err.msg, "\" is no name of a finalizer; that is DOMAIN/NAME, "
                                             "such as probate.dev/cluster-cleanup"));
    }
}

static void test_a_domain_that_is_too_long_is_refused(void)
{
    flags.finalizer = SIXTY "." SIXTY "." SIXTY "." SIXTY "." TEN "/x"; /* 254 */
    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_clusters_choose(&flags, &choice, &err));
}

static void test_what_is_not_said_is_as_the_design_has_it(void)
{
    TEST_ASSERT_EQUAL(0, prb_clusters_choose(&flags, &choice, &err));
    if (!choice)
        return;
    TEST_ASSERT_EQUAL_STRING(PRB_CLUSTER_FINALIZER, choice->settings.finalizer);
    TEST_ASSERT_EQUAL(PRB_DELETE_WORKS_ADDON, choice->settings.delete_works);
    TEST_ASSERT_EQUAL_size_t(0, choice->settings.monitored_count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_monitored_resource_has_its_version_and_group);
    RUN_TEST(test_what_is_no_resource_is_refused_with_the_right_form);
    RUN_TEST(test_a_resource_that_is_named_again_counts_once);
    RUN_TEST(test_more_resources_than_are_watched_are_refused);
    RUN_TEST(test_a_finalizer_is_a_name_with_its_domain);
    RUN_TEST(test_a_domain_that_is_too_long_is_refused);
    RUN_TEST(test_what_is_not_said_is_as_the_design_has_it);
    return UNITY_END();
}
