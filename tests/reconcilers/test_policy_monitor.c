/* Does the monitor of stuck deletions that is handed out find them? */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/file.h"

#include "policy_world.h"

static const char *path;

void setUp(void)
{
    policy_world_init();
    watch("", "ConfigMap");
}

void tearDown(void)
{
    policy_world_done();
}

#define MONITOR POLICY_REF("stuck-policies")
#define COMPLIANT "/status/compliant"
#define MESSAGE "/status/compliancyDetails/0/conditions/0/message"

static void test_the_example_names_a_policy_that_is_stuck_and_only_then(void)
{
    prb_autofree char *yaml = NULL;
    struct prb_error err;
    size_t len;

    TEST_ASSERT_EQUAL_MESSAGE(0, prb_file_read(path, 65536, &yaml, &len, &err), err.msg);
    put(yaml);
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    (void)pass_of(MONITOR);
    TEST_ASSERT_EQUAL_STRING("Compliant", at(MONITOR, COMPLIANT));

    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    erase(P);
    (void)settle();
    (void)pass_of(MONITOR);
    TEST_ASSERT_EQUAL_STRING("NonCompliant", at(MONITOR, COMPLIANT));
    TEST_ASSERT_EQUAL_STRING(
            "configurationpolicies [default/p] found, and should not be", at(MONITOR, MESSAGE));

    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    (void)pass_of(MONITOR);
    TEST_ASSERT_EQUAL_STRING("Compliant", at(MONITOR, COMPLIANT));
    (void)pass_of(MONITOR);
    TEST_ASSERT_EQUAL(0, policy_world.writes);
}

static void test_it_touches_nothing_when_it_goes(void)
{
    prb_autofree char *yaml = NULL;
    struct prb_error err;
    size_t len;

    TEST_ASSERT_EQUAL_MESSAGE(0, prb_file_read(path, 65536, &yaml, &len, &err), err.msg);
    put(yaml);
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    (void)pass_of(MONITOR);
    erase(MONITOR);
    TEST_ASSERT_FALSE(is_there(MONITOR));
    TEST_ASSERT_TRUE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return EXIT_FAILURE;
    path = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_the_example_names_a_policy_that_is_stuck_and_only_then);
    RUN_TEST(test_it_touches_nothing_when_it_goes);
    return UNITY_END();
}
