/* Does what a policy has created go with it, and nothing else? */

#include <string.h>
#include <unity.h>

#include "policy_world.h"

void setUp(void)
{
    policy_world_init();
}

void tearDown(void)
{
    policy_world_done();
}

static void test_a_first_evaluation_makes_exactly_these_calls(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "x: '1'")));
    TEST_ASSERT_EQUAL_STRING("patch configurationpolicies default/p\n", pass());
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "patch configurationpolicies default/p status\n"
                             "create configmaps default/a\n"
                             "patch configurationpolicies default/p status\n",
            pass());
    TEST_ASSERT_EQUAL_STRING("", pass());
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
    TEST_ASSERT_EQUAL_STRING(
            at(CM("a"), "/metadata/uid"), at(P, "/status/relatedObjects/0/properties/uid"));
    TEST_ASSERT_EQUAL_STRING("true", at(P, "/status/relatedObjects/0/properties/createdByPolicy"));
}

static void test_what_it_created_goes_with_it(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "x: '1'")));
    (void)settle();
    erase(P);
    TEST_ASSERT_TRUE(is_there(P));
    (void)pass();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(P));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_first_evaluation_makes_exactly_these_calls);
    RUN_TEST(test_what_it_created_goes_with_it);
    return UNITY_END();
}
