#include <string.h>
#include <unity.h>

#include "probate/model/gvr.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* `count` times 'a' in a static buffer. */
static const char *long_text(size_t count)
{
    static char text[512];

    memset(text, 'a', count);
    text[count] = '\0';
    return text;
}

static void test_text_and_parts_say_the_same(void)
{
    static const struct {
        const char *group, *version, *resource, *text;
    } cases[] = {
        { "cluster.open-cluster-management.io", "v1", "managedclusters",
                "managedclusters.v1.cluster.open-cluster-management.io" },
        { "apps", "v1", "deployments", "deployments.v1.apps" },
        { "", "v1", "pods", "pods.v1." },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_gvr gvr, parsed;
        char text[PRB_GVR_TEXT_SIZE];

        TEST_ASSERT_TRUE(prb_gvr_init(&gvr, cases[i].group, cases[i].version, cases[i].resource));
        prb_gvr_format(&gvr, text);
        TEST_ASSERT_EQUAL_STRING(cases[i].text, text);
        TEST_ASSERT_TRUE_MESSAGE(prb_gvr_parse(text, &parsed), text);
        TEST_ASSERT_TRUE_MESSAGE(prb_gvr_equal(&gvr, &parsed), text);
    }
}

static void test_the_last_dot_of_the_core_group_may_be_missing(void)
{
    struct prb_gvr gvr;

    TEST_ASSERT_TRUE(prb_gvr_parse("pods.v1", &gvr));
    TEST_ASSERT_EQUAL_STRING("", gvr.group);
    TEST_ASSERT_EQUAL_STRING("v1", gvr.version);
    TEST_ASSERT_EQUAL_STRING("pods", gvr.resource);
}

static void test_text_of_another_form_is_refused(void)
{
    static const char *const texts[] = { "", "pods", ".v1.apps", "pods..apps", "Pods.v1.",
        "pods.v1.a..b", "pods.v1..apps", "pods.v1.apps.", "pods/x.v1.", "pods.v1.apps/v2",
        "pods.v1.%2e" };
    struct prb_gvr gvr;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        TEST_ASSERT_FALSE_MESSAGE(prb_gvr_parse(texts[i], &gvr), texts[i]);
}

static void test_parts_that_could_leave_their_place_in_a_url_are_refused(void)
{
    static const struct {
        const char *name, *group, *version, *resource;
    } cases[] = {
        { "group of dots", "..", "v1", "pods" },
        { "group with a slash", "a/b", "v1", "pods" },
        { "version with a dot", "apps", "v1.2", "pods" },
        { "version of dots", "apps", "..", "pods" },
        { "resource with a slash", "apps", "v1", "pods/status" },
        { "resource with a question mark", "apps", "v1", "pods?x" },
        { "no version", "apps", "", "pods" },
        { "no resource", "apps", "v1", "" },
        { "no group at all", NULL, "v1", "pods" },
        { "upper case", "apps", "v1", "Pods" },
    };
    struct prb_gvr gvr;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_FALSE_MESSAGE(
                prb_gvr_init(&gvr, cases[i].group, cases[i].version, cases[i].resource),
                cases[i].name);
}

static void test_the_longest_parts_fit_and_longer_ones_are_refused(void)
{
    struct prb_gvr gvr;
    char text[PRB_GVR_TEXT_SIZE];

    TEST_ASSERT_TRUE(prb_gvr_init(&gvr, long_text(253), "v1", "pods"));
    TEST_ASSERT_FALSE(prb_gvr_init(&gvr, long_text(254), "v1", "pods"));
    TEST_ASSERT_FALSE(prb_gvr_init(&gvr, "", long_text(64), "pods"));
    TEST_ASSERT_FALSE(prb_gvr_init(&gvr, "", "v1", long_text(64)));

    memset(gvr.group, 'g', 253);
    memset(gvr.version, 'v', 63);
    memset(gvr.resource, 'r', 63);
    gvr.version[63] = gvr.resource[63] = '\0';
    prb_gvr_format(&gvr, text);
    TEST_ASSERT_EQUAL_size_t(PRB_GVR_TEXT_SIZE - 1, strlen(text));
}

static void test_a_refusal_leaves_the_result_alone(void)
{
    struct prb_gvr gvr;
    char group[PRB_GROUP_SIZE] = "g", version[PRB_VERSION_SIZE] = "v";

    TEST_ASSERT_TRUE(prb_gvr_init(&gvr, "apps", "v1", "deployments"));
    TEST_ASSERT_FALSE(prb_gvr_init(&gvr, "batch", "v1", "Jobs"));
    TEST_ASSERT_EQUAL_STRING("apps", gvr.group);
    TEST_ASSERT_FALSE(prb_api_version_parse("batch/", group, version));
    TEST_ASSERT_EQUAL_STRING("g", group);
    TEST_ASSERT_EQUAL_STRING("v", version);
}

static void test_order_is_by_group_then_version_then_resource(void)
{
    static const char *const sorted[] = { "pods.v1.", "services.v1.", "pods.v2.", "jobs.v1.apps",
        "deployments.v1.batch" };

    for (size_t i = 0; i + 1 < sizeof(sorted) / sizeof(sorted[0]); i++) {
        struct prb_gvr a, b;

        TEST_ASSERT_TRUE(prb_gvr_parse(sorted[i], &a) && prb_gvr_parse(sorted[i + 1], &b));
        TEST_ASSERT_TRUE_MESSAGE(prb_gvr_compare(&a, &b) < 0, sorted[i]);
        TEST_ASSERT_TRUE_MESSAGE(prb_gvr_compare(&b, &a) > 0, sorted[i]);
        TEST_ASSERT_FALSE_MESSAGE(prb_gvr_equal(&a, &b), sorted[i]);
    }
}

static void test_an_api_version_splits_and_joins(void)
{
    static const struct {
        const char *text, *group, *version;
    } cases[] = { { "v1", "", "v1" }, { "apps/v1", "apps", "v1" },
        { "work.open-cluster-management.io/v1alpha1", "work.open-cluster-management.io",
                "v1alpha1" } };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE], text[PRB_API_VERSION_SIZE];

        TEST_ASSERT_TRUE_MESSAGE(
                prb_api_version_parse(cases[i].text, group, version), cases[i].text);
        TEST_ASSERT_EQUAL_STRING(cases[i].group, group);
        TEST_ASSERT_EQUAL_STRING(cases[i].version, version);
        prb_api_version_format(group, version, text);
        TEST_ASSERT_EQUAL_STRING(cases[i].text, text);
    }
}

static void test_a_malformed_api_version_is_refused(void)
{
    static const char *const texts[] = { "", "/", "/v1", "apps/", "a/b/v1", "../v1", "apps/v1.1",
        "Apps/v1" };
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        TEST_ASSERT_FALSE_MESSAGE(prb_api_version_parse(texts[i], group, version), texts[i]);
    TEST_ASSERT_FALSE(prb_api_version_parse(long_text(64), group, version));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_text_and_parts_say_the_same);
    RUN_TEST(test_the_last_dot_of_the_core_group_may_be_missing);
    RUN_TEST(test_text_of_another_form_is_refused);
    RUN_TEST(test_parts_that_could_leave_their_place_in_a_url_are_refused);
    RUN_TEST(test_the_longest_parts_fit_and_longer_ones_are_refused);
    RUN_TEST(test_a_refusal_leaves_the_result_alone);
    RUN_TEST(test_order_is_by_group_then_version_then_resource);
    RUN_TEST(test_an_api_version_splits_and_joins);
    RUN_TEST(test_a_malformed_api_version_is_refused);
    return UNITY_END();
}
