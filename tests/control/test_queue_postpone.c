/* Does a key that went well but for parts come back as slowly as it says, and no slower? */

#include <unity.h>

#include "probate/base/cleanup.h"
#include "probate/control/queue.h"

static struct prb_fake_clock clock_;
static struct prb_queue *queue;

void setUp(void)
{
    prb_fake_clock_init(&clock_, 1000000);
    queue = prb_queue_new("test", &clock_.clock);
}

void tearDown(void)
{
    prb_queue_free(queue);
}

/* Is the key due now? Then it is taken, and in hand. */
static bool take(void)
{
    prb_autofree char *key = prb_queue_try_take(queue);

    return key != NULL;
}

/* Not due one millisecond before, due after `ms`; it is in hand then. */
#define ASSERT_COMES_AFTER(ms)                         \
    do {                                               \
        prb_fake_clock_advance(&clock_, (ms)-1);       \
        TEST_ASSERT_FALSE_MESSAGE(take(), "too soon"); \
        prb_fake_clock_advance(&clock_, 1);            \
        TEST_ASSERT_TRUE_MESSAGE(take(), "too late");  \
    } while (0)

static void postpone(void)
{
    prb_queue_postpone(queue, "a", 1000, 5000);
    prb_queue_finish(queue, "a");
}

static void begin(void)
{
    prb_queue_add(queue, "a");
    (void)take();
}

static void test_the_time_doubles_up_to_the_longest(void)
{
    static const int64_t times[] = { 1000, 2000, 4000, 5000, 5000 };

    begin();
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        postpone();
        ASSERT_COMES_AFTER(times[i]);
    }
}

static void test_it_starts_anew_once_it_was_forgotten(void)
{
    begin();
    postpone();
    ASSERT_COMES_AFTER(1000);
    postpone();
    ASSERT_COMES_AFTER(2000);
    prb_queue_forget(queue, "a");
    postpone();
    ASSERT_COMES_AFTER(1000);
}

static void test_failures_and_postponements_do_not_add_up(void)
{
    begin();
    for (int i = 0; i < 12; i++)
        prb_queue_retry(queue, "a", 0);
    TEST_ASSERT_EQUAL_INT(12, prb_queue_failures(queue, "a"));
    prb_queue_finish(queue, "a");
    prb_fake_clock_advance(&clock_, PRB_QUEUE_BACKOFF_MAX_MS);
    TEST_ASSERT_TRUE(take());
    postpone();
    TEST_ASSERT_EQUAL_INT(0, prb_queue_failures(queue, "a"));
    ASSERT_COMES_AFTER(1000);

    prb_queue_retry(queue, "a", 0);
    prb_queue_finish(queue, "a");
    ASSERT_COMES_AFTER(PRB_QUEUE_BACKOFF_MIN_MS);
    postpone();
    ASSERT_COMES_AFTER(2000);
}

static void test_of_two_times_the_shorter_holds(void)
{
    begin();
    prb_queue_add_after(queue, "a", 700);
    postpone();
    ASSERT_COMES_AFTER(700);
}

static void test_a_shut_queue_forgets_it(void)
{
    begin();
    postpone();
    prb_queue_shut_down(queue);
    prb_queue_postpone(queue, "a", 1000, 5000);
    prb_queue_reopen(queue);
    TEST_ASSERT_TRUE(prb_queue_idle(queue));
    begin();
    postpone();
    ASSERT_COMES_AFTER(1000);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_time_doubles_up_to_the_longest);
    RUN_TEST(test_it_starts_anew_once_it_was_forgotten);
    RUN_TEST(test_failures_and_postponements_do_not_add_up);
    RUN_TEST(test_of_two_times_the_shorter_holds);
    RUN_TEST(test_a_shut_queue_forgets_it);
    return UNITY_END();
}
