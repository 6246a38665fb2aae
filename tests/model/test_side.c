/* Is a group on the hub's side, and what is it called there? */

#include <unity.h>

#include "probate/model/side.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_only_groups_with_the_suffix_are_on_the_hub(void)
{
    static const struct {
        const char *group;
        bool on_hub;
        const char *there;
    } cases[] = {
        { "hub.probate.dev", true, "" },
        { "work.open-cluster-management.io.hub.probate.dev", true,
                "work.open-cluster-management.io" },
        { "apps.hub.probate.dev", true, "apps" },
        { "hub.probate.dev.hub.probate.dev", true, "hub.probate.dev" },
        { "", false, NULL },
        { "apps", false, NULL },
        { "probate.dev", false, NULL },
        { ".hub.probate.dev", false, NULL },
        { "myhub.probate.dev", false, NULL },
        { "hub.probate.dev.io", false, NULL },
        { "work.open-cluster-management.io", false, NULL },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char there[PRB_GROUP_SIZE];

        TEST_ASSERT_EQUAL_MESSAGE(cases[i].on_hub, prb_side_is_hub(cases[i].group), cases[i].group);
        if (!cases[i].on_hub)
            continue;
        prb_side_strip(cases[i].group, there);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].there, there, cases[i].group);
    }
}

static void test_a_person_reads_on_the_hub(void)
{
    static const struct {
        const char *gvr, *text, *group;
    } cases[] = {
        { "namespaces.v1.", "namespaces", "" },
        { "deployments.v1.apps", "deployments.apps", "apps" },
        { "events.v1.hub.probate.dev", "events on the hub", "core on the hub" },
        { "manifestworks.v1.work.open-cluster-management.io.hub.probate.dev",
                "manifestworks.work.open-cluster-management.io on the hub",
                "work.open-cluster-management.io on the hub" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[PRB_SIDE_TEXT_SIZE];
        struct prb_gvr gvr;

        TEST_ASSERT_TRUE_MESSAGE(prb_gvr_parse(cases[i].gvr, &gvr), cases[i].gvr);
        prb_side_describe(&gvr, text);
        TEST_ASSERT_EQUAL_STRING(cases[i].text, text);
        prb_side_describe_group(gvr.group, text);
        TEST_ASSERT_EQUAL_STRING(cases[i].group, text);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_only_groups_with_the_suffix_are_on_the_hub);
    RUN_TEST(test_a_person_reads_on_the_hub);
    return UNITY_END();
}
