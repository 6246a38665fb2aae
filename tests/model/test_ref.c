#include <string.h>
#include <unity.h>

#include "probate/model/ref.h"

static struct prb_gvr configmaps;

void setUp(void)
{
    (void)prb_gvr_init(&configmaps, "", "v1", "configmaps");
}

void tearDown(void)
{
}

static void test_text_and_parts_say_the_same(void)
{
    static const struct {
        const char *gvr, *namespace, *name, *text, *described;
    } cases[] = {
        { "configmaps.v1.", "default", "web", "configmaps.v1./default/web",
                "configmaps default/web" },
        { "namespaces.v1.", "", "default", "namespaces.v1.//default", "namespaces default" },
        { "clusterroles.v1.rbac.authorization.k8s.io", "", "system:node",
                "clusterroles.v1.rbac.authorization.k8s.io//system:node",
                "clusterroles system:node" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[PRB_REF_TEXT_SIZE];
        struct prb_ref ref, parsed;
        struct prb_gvr gvr;

        TEST_ASSERT_TRUE(prb_gvr_parse(cases[i].gvr, &gvr));
        TEST_ASSERT_TRUE(prb_ref_init(&ref, &gvr, cases[i].namespace, cases[i].name));
        prb_ref_format(&ref, text);
        TEST_ASSERT_EQUAL_STRING(cases[i].text, text);
        TEST_ASSERT_TRUE_MESSAGE(prb_ref_parse(text, &parsed), text);
        TEST_ASSERT_TRUE_MESSAGE(prb_ref_equal(&ref, &parsed), text);
        prb_ref_describe(&ref, text);
        TEST_ASSERT_EQUAL_STRING(cases[i].described, text);
    }
}

static void test_a_name_that_is_no_path_segment_is_refused(void)
{
    static const char *const names[] = { "", ".", "..", "a/b", "../x", "a%2fb", "%", "a\nb",
        "a\x7f", "\x01" };
    struct prb_ref ref;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        TEST_ASSERT_FALSE_MESSAGE(prb_ref_init(&ref, &configmaps, "default", names[i]), names[i]);
        if (names[i][0])
            TEST_ASSERT_FALSE_MESSAGE(prb_ref_init(&ref, &configmaps, names[i], "web"), names[i]);
    }
    TEST_ASSERT_FALSE(prb_ref_init(&ref, &configmaps, "default", NULL));
}

static void test_no_namespace_is_the_empty_one(void)
{
    struct prb_ref with_null, with_empty;

    TEST_ASSERT_TRUE(prb_ref_init(&with_null, &configmaps, NULL, "a"));
    TEST_ASSERT_TRUE(prb_ref_init(&with_empty, &configmaps, "", "a"));
    TEST_ASSERT_TRUE(prb_ref_equal(&with_null, &with_empty));
}

static void test_the_longest_names_fit_and_longer_ones_are_refused(void)
{
    char name[300], text[PRB_REF_TEXT_SIZE];
    struct prb_ref ref, parsed;

    memset(name, 'n', sizeof(name));
    name[254] = '\0';
    TEST_ASSERT_FALSE(prb_ref_init(&ref, &configmaps, "", name));
    name[253] = '\0';
    TEST_ASSERT_TRUE(prb_ref_init(&ref, &configmaps, "", name));
    TEST_ASSERT_FALSE(prb_ref_init(&ref, &configmaps, name + 253 - 64, name));
    TEST_ASSERT_TRUE(prb_ref_init(&ref, &configmaps, name + 253 - 63, name));

    memset(ref.gvr.group, 'g', sizeof(ref.gvr.group) - 1);
    memset(ref.gvr.version, 'v', sizeof(ref.gvr.version) - 1);
    memset(ref.gvr.resource, 'r', sizeof(ref.gvr.resource) - 1);
    prb_ref_format(&ref, text);
    TEST_ASSERT_TRUE(prb_ref_parse(text, &parsed));
    TEST_ASSERT_TRUE(prb_ref_equal(&ref, &parsed));
}

static void test_each_part_counts_for_equality(void)
{
    static const char *const texts[] = { "pods.v1./a/b", "pods.v2./a/b", "pods.v1.g/a/b",
        "jobs.v1./a/b", "pods.v1./c/b", "pods.v1./a/c" };
    struct prb_ref first, other;

    TEST_ASSERT_TRUE(prb_ref_parse(texts[0], &first));
    for (size_t i = 1; i < sizeof(texts) / sizeof(texts[0]); i++) {
        TEST_ASSERT_TRUE_MESSAGE(prb_ref_parse(texts[i], &other), texts[i]);
        TEST_ASSERT_FALSE_MESSAGE(prb_ref_equal(&first, &other), texts[i]);
    }
}

static void test_text_of_another_form_is_refused(void)
{
    static const char *const texts[] = { "", "pods.v1.", "pods.v1./a", "pods.v1./a/", "pods/a/b",
        "pods.v1./a/b/c", "pods.v1./a/..", "/a/b" };
    char long_text[PRB_REF_TEXT_SIZE + 8];
    struct prb_ref ref;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        TEST_ASSERT_FALSE_MESSAGE(prb_ref_parse(texts[i], &ref), texts[i]);
    memset(long_text, 'a', sizeof(long_text) - 1);
    long_text[sizeof(long_text) - 1] = '\0';
    memcpy(long_text, "pods.v1./a/", 11);
    TEST_ASSERT_FALSE(prb_ref_parse(long_text, &ref));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_text_and_parts_say_the_same);
    RUN_TEST(test_a_name_that_is_no_path_segment_is_refused);
    RUN_TEST(test_no_namespace_is_the_empty_one);
    RUN_TEST(test_the_longest_names_fit_and_longer_ones_are_refused);
    RUN_TEST(test_each_part_counts_for_equality);
    RUN_TEST(test_text_of_another_form_is_refused);
    return UNITY_END();
}
