/*
 * What becomes of the five deletes of design 002 without Probate? The control of test_orders_hub.c:
 * same world, clients, controller, observer and oracle, on the same hub, and nobody who refuses.
 */

#include <stdio.h>
#include <unity.h>

#include "probate/hub/hub.h"

#include "play.h"
#include "support/wait.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* Each on a hub of its own, with the names of the design. */
static void play_unguarded(size_t order, enum pace pace, struct play *ret)
{
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);

    play(&(struct play_options){ .api = prb_hub_api(hub),
                 .id = "",
                 .order = order,
                 .pace = pace,
                 .patience_ms = PRB_TEST_SOON_MS },
            ret);
}

static enum fate fate_of(const struct play *end)
{
    char why[PRB_TEST_WHY_SIZE];

    if (end->stuck)
        return STUCK;
    steps_check(&end->steps, why, sizeof(why));
    return why[0] ? OUT_OF_ORDER : LUCKY;
}

/* Which orders get stuck is known beforehand, one by one. */
static void test_half_of_all_orders_get_stuck_and_few_are_right(void)
{
    unsigned counts[] = { [STUCK] = 0, [OUT_OF_ORDER] = 0, [LUCKY] = 0 };

    for (size_t i = 0; i < ORDERS; i++) {
        const struct order order = order_at(i);
        struct play end;

        play_unguarded(i, QUICK, &end);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", end.why, order_name(i));
        TEST_ASSERT_EQUAL_INT_MESSAGE(order_fate(&order), fate_of(&end), order_name(i));
        counts[fate_of(&end)]++;
    }
    TEST_ASSERT_EQUAL_UINT(60, counts[STUCK]);
    TEST_ASSERT_EQUAL_UINT(40, counts[OUT_OF_ORDER]);
    TEST_ASSERT_EQUAL_UINT(20, counts[LUCKY]);
}

static void test_every_order_gets_stuck_when_the_controller_is_slow(void)
{
    for (size_t i = 0; i < ORDERS; i++) {
        struct play end;

        play_unguarded(i, SLOW, &end);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", end.why, order_name(i));
        TEST_ASSERT_TRUE_MESSAGE(end.stuck, order_name(i));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_half_of_all_orders_get_stuck_and_few_are_right);
    RUN_TEST(test_every_order_gets_stuck_when_the_controller_is_slow);
    return UNITY_END();
}
