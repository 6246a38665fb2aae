/* Does the key queue de-duplicate, delay, back off and shut down as it says? */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unity.h>

#include "probate/base/cleanup.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"
#include "probate/control/queue.h"

#include "support/wait.h"

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

static void advance(int64_t ms)
{
    prb_fake_clock_advance(&clock_, ms);
    prb_queue_poke(queue);
}

/* The next key is `want` (NULL: none is due). It stays in hand. */
#define ASSERT_NEXT(want)                                    \
    do {                                                     \
        prb_autofree char *key_ = prb_queue_try_take(queue); \
        TEST_ASSERT_EQUAL_STRING((want), key_);              \
    } while (0)

static const char *const nothing = NULL;

static void test_keys_come_in_the_order_they_were_added(void)
{
    prb_queue_add(queue, "b");
    prb_queue_add(queue, "a");
    prb_queue_add(queue, "c");
    TEST_ASSERT_EQUAL_size_t(3, prb_queue_depth(queue));
    ASSERT_NEXT("b");
    ASSERT_NEXT("a");
    ASSERT_NEXT("c");
    ASSERT_NEXT(nothing);
}

static void test_a_key_added_twice_comes_once(void)
{
    prb_queue_add(queue, "a");
    prb_queue_add(queue, "a");
    ASSERT_NEXT("a");
    ASSERT_NEXT(nothing);
    prb_queue_finish(queue, "a");
    ASSERT_NEXT(nothing);
    TEST_ASSERT_TRUE(prb_queue_idle(queue));
}

static void test_a_key_in_hand_is_not_handed_out_again_before_it_is_finished(void)
{
    prb_queue_add(queue, "a");
    ASSERT_NEXT("a");
    prb_queue_add(queue, "a");
    prb_queue_add(queue, "a");
    ASSERT_NEXT(nothing);
    prb_queue_finish(queue, "a");
    ASSERT_NEXT("a");
    prb_queue_finish(queue, "a");
    ASSERT_NEXT(nothing);
}

static void test_a_delayed_key_comes_when_its_time_has_come(void)
{
    prb_queue_add_after(queue, "a", 100);
    ASSERT_NEXT(nothing);
    advance(99);
    ASSERT_NEXT(nothing);
    TEST_ASSERT_FALSE(prb_queue_idle(queue));
    TEST_ASSERT_EQUAL_size_t(0, prb_queue_depth(queue));
    advance(1);
    TEST_ASSERT_EQUAL_size_t(1, prb_queue_depth(queue));
    ASSERT_NEXT("a");
}

static void test_a_queue_rests_while_all_it_has_is_delayed(void)
{
    TEST_ASSERT_TRUE(prb_queue_resting(queue));
    prb_queue_add_after(queue, "a", 100);
    TEST_ASSERT_TRUE(prb_queue_resting(queue));
    advance(100);
    TEST_ASSERT_FALSE_MESSAGE(prb_queue_resting(queue), "it is due");
    ASSERT_NEXT("a");
    TEST_ASSERT_FALSE_MESSAGE(prb_queue_resting(queue), "it is in hand");
    prb_queue_retry(queue, "a", 50);
    prb_queue_finish(queue, "a");
    TEST_ASSERT_TRUE(prb_queue_resting(queue));
    TEST_ASSERT_FALSE(prb_queue_idle(queue));
    prb_queue_shut_down(queue);
    TEST_ASSERT_TRUE(prb_queue_resting(queue));
}

static void test_of_two_delays_the_earlier_holds(void)
{
    prb_queue_add_after(queue, "a", 100);
    prb_queue_add_after(queue, "a", 500);
    prb_queue_add_after(queue, "b", 500);
    prb_queue_add_after(queue, "b", 100);
    advance(100);
    ASSERT_NEXT("a");
    ASSERT_NEXT("b");
    prb_queue_finish(queue, "a");
    prb_queue_finish(queue, "b");
    advance(500);
    ASSERT_NEXT(nothing);
}

static void test_many_delays_come_in_order_of_time(void)
{
    enum { COUNT = 97 }; /* a prime, so that i * 31 % COUNT meets every delay once */
    char key[8];

    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(key, sizeof(key), "%d", i * 31 % COUNT);
        prb_queue_add_after(queue, key, 10 * (i * 31 % COUNT) + 1);
    }
    /* Take some out of the middle of the heap: an add now cancels the delay when taken. */
    for (int i = 1; i < COUNT; i += 7) {
        (void)snprintf(key, sizeof(key), "%d", i);
        prb_queue_add(queue, key);
        ASSERT_NEXT(key);
        prb_queue_finish(queue, key);
    }
    for (int i = 0; i < COUNT; i++, advance(10)) {
        advance(i == 0 ? 1 : 0);
        (void)snprintf(key, sizeof(key), "%d", i);
        ASSERT_NEXT(i % 7 == 1 ? nothing : key);
    }
}

static void test_taking_a_key_cancels_delays_asked_for_before(void)
{
    prb_queue_add_after(queue, "a", 100);
    prb_queue_add(queue, "a");
    ASSERT_NEXT("a");
    prb_queue_finish(queue, "a");
    TEST_ASSERT_TRUE(prb_queue_idle(queue));
    advance(100);
    ASSERT_NEXT(nothing);
}

static void test_a_delay_asked_for_while_in_hand_is_kept(void)
{
    prb_queue_add(queue, "a");
    ASSERT_NEXT("a");
    prb_queue_add_after(queue, "a", 100);
    prb_queue_finish(queue, "a");
    TEST_ASSERT_FALSE(prb_queue_idle(queue));
    advance(100);
    ASSERT_NEXT("a");
}

static void test_the_backoff_doubles_up_to_its_ceiling(void)
{
    int64_t delay = PRB_QUEUE_BACKOFF_MIN_MS;

    prb_queue_add(queue, "a");
    for (int i = 0; i < 40; i++) {
        ASSERT_NEXT("a");
        TEST_ASSERT_EQUAL_INT(i, prb_queue_failures(queue, "a"));
        prb_queue_retry(queue, "a", 0);
        prb_queue_finish(queue, "a");
        advance(delay - 1);
        ASSERT_NEXT(nothing);
        advance(1);
        delay = delay * 2 < PRB_QUEUE_BACKOFF_MAX_MS ? delay * 2 : PRB_QUEUE_BACKOFF_MAX_MS;
    }
    TEST_ASSERT_EQUAL_INT64(PRB_QUEUE_BACKOFF_MAX_MS, delay);
}

static void test_a_retry_comes_not_before_what_the_server_asked_for(void)
{
    prb_queue_retry(queue, "a", 700);
    advance(699);
    ASSERT_NEXT(nothing);
    advance(1);
    ASSERT_NEXT("a");
}

static void test_a_retry_may_have_a_lower_ceiling(void)
{
    prb_queue_add(queue, "a");
    for (int i = 0; i < 20; i++) {
        ASSERT_NEXT("a");
        prb_queue_retry_within(queue, "a", 0, 50);
        prb_queue_finish(queue, "a");
        ASSERT_NEXT(nothing);
        advance(50);
    }
    ASSERT_NEXT("a");
    prb_queue_retry_within(queue, "a", 80, 50);
    prb_queue_finish(queue, "a");
    advance(79);
    ASSERT_NEXT(nothing);
    advance(1);
    ASSERT_NEXT("a");
}

static void test_a_delay_beyond_all_time_is_never(void)
{
    prb_queue_add_after(queue, "a", INT64_MAX);
    advance(3600000);
    ASSERT_NEXT(nothing);
    TEST_ASSERT_FALSE(prb_queue_idle(queue));
}

static void test_forgetting_starts_the_backoff_anew(void)
{
    prb_queue_retry(queue, "a", 0);
    prb_queue_retry(queue, "a", 0);
    TEST_ASSERT_EQUAL_INT(2, prb_queue_failures(queue, "a"));
    prb_queue_forget(queue, "a");
    TEST_ASSERT_EQUAL_INT(0, prb_queue_failures(queue, "a"));
    prb_queue_forget(queue, "never seen");
    advance(1000);
    ASSERT_NEXT("a");
    prb_queue_retry(queue, "a", 0);
    prb_queue_finish(queue, "a");
    advance(PRB_QUEUE_BACKOFF_MIN_MS);
    ASSERT_NEXT("a");
}

static void test_after_a_shut_down_nothing_comes_and_nothing_is_kept(void)
{
    prb_queue_add(queue, "in hand");
    ASSERT_NEXT("in hand");
    prb_queue_add(queue, "due");
    prb_queue_add_after(queue, "delayed", 10);
    prb_queue_retry(queue, "in hand", 0);
    prb_queue_shut_down(queue);
    prb_queue_add(queue, "late");
    prb_queue_retry(queue, "late", 0);
    advance(1000);
    ASSERT_NEXT(nothing);
    TEST_ASSERT_NULL(prb_queue_take(queue));
    TEST_ASSERT_FALSE(prb_queue_idle(queue));
    prb_queue_finish(queue, "in hand");
    TEST_ASSERT_TRUE(prb_queue_idle(queue));

    prb_queue_reopen(queue);
    ASSERT_NEXT(nothing);
    TEST_ASSERT_EQUAL_INT(0, prb_queue_failures(queue, "in hand"));
    prb_queue_add(queue, "new");
    ASSERT_NEXT("new");
}

static void test_the_metrics_have_the_names_of_controller_runtime(void)
{
    static const char *const wanted[] = {
        "workqueue_depth{name=\"metrics\"} 1\n",
        "workqueue_adds_total{name=\"metrics\"} 3\n",
        "workqueue_retries_total{name=\"metrics\"} 1\n",
        "workqueue_queue_duration_seconds_count{name=\"metrics\"} 2\n",
        "workqueue_queue_duration_seconds_sum{name=\"metrics\"} 2\n",
        "workqueue_work_duration_seconds_count{name=\"metrics\"} 1\n",
        "workqueue_work_duration_seconds_sum{name=\"metrics\"} 3\n",
    };
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, 1 << 20);
    prb_queue_free(queue);
    queue = prb_queue_new("metrics", &clock_.clock);
    prb_queue_add(queue, "a");
    prb_queue_add(queue, "b");
    advance(1000);
    ASSERT_NEXT("a");
    ASSERT_NEXT("b");
    advance(3000);
    prb_queue_retry(queue, "a", 0);
    prb_queue_finish(queue, "a");
    advance(1000);
    TEST_ASSERT_EQUAL_size_t(1, prb_queue_depth(queue));

    prb_metrics_print(&text);
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(prb_str_get(&text), wanted[i]), wanted[i]);
}

/* Threads: each key is worked on by one worker at a time, and none is lost. */

enum { KEYS = 8, ROUNDS = 400, WORKERS = 4 };

static _Atomic int busy[KEYS], worked[KEYS], overlaps;

static void *worker(void *arg)
{
    struct prb_queue *from = arg;
    char *key;

    while ((key = prb_queue_take(from))) {
        int i = key[0] - 'a';

        if (atomic_fetch_add(&busy[i], 1) != 0)
            atomic_fetch_add(&overlaps, 1);
        atomic_fetch_add(&worked[i], 1);
        if (atomic_load(&worked[i]) % 16 == 0)
            prb_queue_retry(from, key, 0);
        else
            prb_queue_forget(from, key);
        atomic_fetch_sub(&busy[i], 1);
        prb_queue_finish(from, key);
        free(key);
    }
    return NULL;
}

static bool is_idle(void *ctx)
{
    return prb_queue_idle(ctx);
}

static void test_workers_never_share_a_key_and_lose_none(void)
{
    prb_auto(prb_queue_free) struct prb_queue *shared = prb_queue_new("threads", NULL);
    pthread_t threads[WORKERS];

    for (int i = 0; i < WORKERS; i++)
        TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[i], NULL, worker, shared));
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < KEYS; i++) {
            char key[2] = { (char)('a' + i), '\0' };

            if (round % 3 == 0)
                prb_queue_add_after(shared, key, 1);
            else
                prb_queue_add(shared, key);
        }
    }
    TEST_ASSERT_AWAIT("the workers have done all keys", is_idle, shared);
    prb_queue_shut_down(shared);
    for (int i = 0; i < WORKERS; i++)
        TEST_ASSERT_TRUE_MESSAGE(prb_test_join("a worker ends after the shut down", threads[i],
                                         NULL, PRB_TEST_SOON_MS),
                prb_test_awaited());

    TEST_ASSERT_EQUAL_INT(0, overlaps);
    for (int i = 0; i < KEYS; i++)
        TEST_ASSERT_GREATER_THAN_INT(0, worked[i]);
}

static void *take_one(void *arg)
{
    return prb_queue_take(arg);
}

/* The key that the thread has taken, to be freed. One that is not woken is let go, with none. */
static void *await_key(pthread_t thread, struct prb_queue *from)
{
    void *key = NULL;

    if (!prb_test_join("the waiting worker has a key", thread, &key, PRB_TEST_SOON_MS)) {
        TEST_FAIL_MESSAGE(prb_test_awaited());
        prb_queue_shut_down(from);
        (void)pthread_join(thread, &key);
    }
    return key;
}

static void test_a_waiting_worker_is_woken_by_time_on_the_system_clock(void)
{
    prb_auto(prb_queue_free) struct prb_queue *real = prb_queue_new("time", NULL);
    pthread_t thread;
    void *key;

    prb_queue_add_after(real, "later", 3600000);
    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, take_one, real));
    prb_queue_add_after(real, "soon", 5);
    key = await_key(thread, real);
    TEST_ASSERT_EQUAL_STRING("soon", key);
    free(key);
}

static void test_a_waiting_worker_is_woken_by_a_poke_on_a_fake_clock(void)
{
    pthread_t thread;
    void *key;

    prb_queue_add_after(queue, "a", 60000);
    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, take_one, queue));
    advance(60000);
    key = await_key(thread, queue);
    TEST_ASSERT_EQUAL_STRING("a", key);
    free(key);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_keys_come_in_the_order_they_were_added);
    RUN_TEST(test_a_key_added_twice_comes_once);
    RUN_TEST(test_a_key_in_hand_is_not_handed_out_again_before_it_is_finished);
    RUN_TEST(test_a_delayed_key_comes_when_its_time_has_come);
    RUN_TEST(test_a_queue_rests_while_all_it_has_is_delayed);
    RUN_TEST(test_of_two_delays_the_earlier_holds);
    RUN_TEST(test_many_delays_come_in_order_of_time);
    RUN_TEST(test_taking_a_key_cancels_delays_asked_for_before);
    RUN_TEST(test_a_delay_asked_for_while_in_hand_is_kept);
    RUN_TEST(test_the_backoff_doubles_up_to_its_ceiling);
    RUN_TEST(test_a_retry_comes_not_before_what_the_server_asked_for);
    RUN_TEST(test_a_retry_may_have_a_lower_ceiling);
    RUN_TEST(test_a_delay_beyond_all_time_is_never);
    RUN_TEST(test_forgetting_starts_the_backoff_anew);
    RUN_TEST(test_after_a_shut_down_nothing_comes_and_nothing_is_kept);
    RUN_TEST(test_the_metrics_have_the_names_of_controller_runtime);
    RUN_TEST(test_workers_never_share_a_key_and_lose_none);
    RUN_TEST(test_a_waiting_worker_is_woken_by_time_on_the_system_clock);
    RUN_TEST(test_a_waiting_worker_is_woken_by_a_poke_on_a_fake_clock);
    return UNITY_END();
}
