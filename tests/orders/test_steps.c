/* Does the oracle find what is out of order, and nothing else? */

#include <unity.h>

#include "probate/base/str.h"

#include "order.h"
#include "steps.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* The design's own order. */
static struct steps in_order(void)
{
    struct steps steps = { .at = { 0 } };

    for (int i = 1; i < STEPS; i++)
        steps.at[i] = 100 + i;
    return steps;
}

static void test_the_order_of_the_design_is_in_order(void)
{
    struct steps steps = in_order();
    char why[512];

    steps_check(&steps, why, sizeof(why));
    TEST_ASSERT_EQUAL_STRING("", why);
}

static void test_steps_that_do_not_wait_for_each_other_may_change_places(void)
{
    static const enum step pairs[][2] = { { CRD_ACCEPTED, CR_ACCEPTED },
        { DEPLOYMENT_ACCEPTED, NAMESPACE_ACCEPTED }, { NAMESPACE_REMOVED, SERVICE_REMOVED } };
    char why[512];

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        struct steps steps = in_order();
        int64_t first = steps.at[pairs[i][0]];

        steps.at[pairs[i][0]] = steps.at[pairs[i][1]];
        steps.at[pairs[i][1]] = first;
        steps_check(&steps, why, sizeof(why));
        TEST_ASSERT_EQUAL_STRING("", why);
    }
}

static void test_each_relation_is_looked_at(void)
{
    /* A later step, moved right before an earlier one, with all others in their places. */
    static const struct {
        const char *name;
        enum step before, after;
    } broken[] = {
        { "not 1<4", CRD_ACCEPTED, CRD_REMOVED },
        { "not 2<3", CR_ACCEPTED, CR_REMOVED },
        { "not 3<4", CR_REMOVED, CRD_REMOVED },
        { "not 4<5", CRD_REMOVED, DEPLOYMENT_ACCEPTED },
        { "not 4<6", CRD_REMOVED, NAMESPACE_ACCEPTED },
        { "not 5<7", DEPLOYMENT_ACCEPTED, DEPLOYMENT_REMOVED },
        { "not 6<8", NAMESPACE_ACCEPTED, NAMESPACE_REMOVED },
        { "not 7<8", DEPLOYMENT_REMOVED, NAMESPACE_REMOVED },
        { "not 7<9", DEPLOYMENT_REMOVED, SERVICE_REMOVED },
    };

    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        struct steps steps = in_order();
        char why[1024];

        steps.at[broken[i].after] = steps.at[broken[i].before] - 1;
        steps_check(&steps, why, sizeof(why));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(why, broken[i].name), why);
    }
}

static void test_only_a_deployment_may_be_accepted_and_removed_at_once(void)
{
    struct steps steps = in_order();
    char why[512];

    steps.at[DEPLOYMENT_ACCEPTED] = steps.at[DEPLOYMENT_REMOVED];
    steps_check(&steps, why, sizeof(why));
    TEST_ASSERT_EQUAL_STRING("", why);
    steps.at[CR_ACCEPTED] = steps.at[CR_REMOVED];
    steps_check(&steps, why, sizeof(why));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(why, "not 2<3"), why);
}

static void test_a_step_that_never_happened_is_found(void)
{
    for (int i = 1; i < STEPS; i++) {
        struct steps steps = in_order();
        char why[512], wanted[32];

        steps.at[i] = 0;
        (void)snprintf(wanted, sizeof(wanted), "%d never happened", i);
        steps_check(&steps, why, sizeof(why));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(why, wanted), why);
    }
}

static void test_the_orders_are_all_different(void)
{
    for (size_t i = 0; i < ORDERS; i++) {
        for (size_t k = 0; k < i; k++)
            TEST_ASSERT_TRUE(!prb_streq(order_name(i), order_name(k)));
    }
    TEST_ASSERT_EQUAL_STRING("CR, CRD, Deployment, Namespace, CriticalService", order_name(0));
    TEST_ASSERT_EQUAL_STRING(
            "CriticalService, Namespace, Deployment, CRD, CR", order_name(ORDERS - 1));
}

static void test_a_seed_chooses_the_same_orders_each_time_and_none_twice(void)
{
    size_t first[ORDERS], second[ORDERS], other[ORDERS];
    bool taken[ORDERS] = { false };
    size_t same = 0;

    order_choose(42, first, ORDERS);
    order_choose(42, second, 24);
    order_choose(43, other, ORDERS);
    TEST_ASSERT_EQUAL_MEMORY(second, first, 24 * sizeof(first[0]));
    for (size_t i = 0; i < ORDERS; i++) {
        TEST_ASSERT_FALSE(taken[first[i]]);
        taken[first[i]] = true;
        same += first[i] == other[i];
    }
    TEST_ASSERT_LESS_THAN(ORDERS / 4, same);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_order_of_the_design_is_in_order);
    RUN_TEST(test_steps_that_do_not_wait_for_each_other_may_change_places);
    RUN_TEST(test_each_relation_is_looked_at);
    RUN_TEST(test_only_a_deployment_may_be_accepted_and_removed_at_once);
    RUN_TEST(test_a_step_that_never_happened_is_found);
    RUN_TEST(test_the_orders_are_all_different);
    RUN_TEST(test_a_seed_chooses_the_same_orders_each_time_and_none_twice);
    return UNITY_END();
}
