/* Does a wait that is in vain end, and say what it awaited, for how long, and what it saw? */

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "support/process.h"
#include "support/wait.h"

#define PATIENCE "PROBATE_TEST_PATIENCE"

/* Short: these waits are in vain. */
#define VAIN_MS 40

static char *before; /* owned: what was set when the test began */

void setUp(void)
{
    const char *set = getenv(PATIENCE);

    before = set ? strdup(set) : NULL;
    (void)unsetenv(PATIENCE);
}

void tearDown(void)
{
    if (before)
        (void)setenv(PATIENCE, before, 1);
    else
        (void)unsetenv(PATIENCE);
    free(before);
}

static bool has_gone(void *ctx)
{
    return prb_test_saw("finalizers [a b], look %d", ++*(int *)ctx);
}

static bool is_third_look(void *ctx)
{
    return ++*(int *)ctx == 3;
}

static bool never(void *ctx)
{
    (void)ctx;
    return false;
}

#define ASSERT_TOLD(text) \
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(prb_test_awaited(), (text)), prb_test_awaited())

/* Of "waited 1.5 s for: ...". */
static double told_seconds(void)
{
    return strtod(prb_test_awaited() + strlen("waited "), NULL);
}

static void test_what_comes_true_is_not_waited_for_any_longer(void)
{
    int looks = 0;

    TEST_ASSERT_TRUE(prb_test_await("the third look", is_third_look, &looks, PRB_TEST_SOON_MS));
    TEST_ASSERT_EQUAL_INT(3, looks);
}

static void test_a_wait_in_vain_tells_what_it_awaited_saw_and_for_how_long(void)
{
    int64_t began_ms = prb_test_now_ms();
    int looks = 0;

    TEST_ASSERT_FALSE(prb_test_await("the work's finalizer goes", has_gone, &looks, 100));
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(100, prb_test_now_ms() - began_ms);
    TEST_ASSERT_TRUE_MESSAGE(told_seconds() >= 0.1, prb_test_awaited());
    TEST_ASSERT_TRUE_MESSAGE(
            told_seconds() * 1000 <= (double)(prb_test_now_ms() - began_ms) + 50, "rounded");
    ASSERT_TOLD(" s for: the work's finalizer goes; last seen: finalizers [a b], look ");
    TEST_ASSERT_GREATER_THAN_INT(1, looks);
}

static void test_a_condition_that_says_nothing_is_counted(void)
{
    TEST_ASSERT_FALSE(prb_test_await("rain", never, NULL, VAIN_MS));
    ASSERT_TOLD("for: rain; last seen: that it is not so, ");
}

static void test_what_another_wait_saw_is_not_told(void)
{
    int looks = 0;

    TEST_ASSERT_FALSE(prb_test_await("one", has_gone, &looks, VAIN_MS));
    TEST_ASSERT_FALSE(prb_test_await("two", never, NULL, VAIN_MS));
    TEST_ASSERT_NULL_MESSAGE(strstr(prb_test_awaited(), "finalizers"), prb_test_awaited());
}

static void test_patience_is_a_percentage_of_the_environment(void)
{
    static const struct {
        const char *percent;
        int want;
    } cases[] = {
        { "100", 1000 },
        { "250", 2500 },
        { "2000", 20000 },
        { "2001", 20000 },
        { "99", 1000 },
        { "0", 1000 },
        { "-300", 1000 },
        { "", 1000 },
        { "300%", 1000 },
        { "much", 1000 },
    };

    TEST_ASSERT_EQUAL_INT(1000, prb_test_patience_ms(1000));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        (void)setenv(PATIENCE, cases[i].percent, 1);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].want, prb_test_patience_ms(1000), cases[i].percent);
    }
}

static void test_a_wait_is_as_patient_as_the_environment_says(void)
{
    int64_t began_ms = prb_test_now_ms();

    (void)setenv(PATIENCE, "500", 1);
    TEST_ASSERT_FALSE(prb_test_await("rain", never, NULL, VAIN_MS));
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(5 * VAIN_MS, prb_test_now_ms() - began_ms);
}

static void test_a_signal_that_does_not_come_is_told(void)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    struct prb_test_wait wait = prb_test_wait_for(VAIN_MS, "%d calls", 3);
    int calls = 2;

    (void)pthread_mutex_lock(&lock);
    while (calls < 3) {
        (void)prb_test_saw("%d calls", calls);
        if (!prb_test_wait_cond(&wait, &cond, &lock))
            break;
    }
    (void)pthread_mutex_unlock(&lock);
    ASSERT_TOLD("s for: 3 calls; last seen: 2 calls");
}

static bool is_let_go(void *ctx)
{
    return atomic_load((atomic_bool *)ctx);
}

static void *run_until_let_go(void *arg)
{
    (void)prb_test_await("the test lets the thread go", is_let_go, arg, PRB_TEST_PROMPT_MS);
    return NULL;
}

static void test_a_thread_that_runs_on_is_told(void)
{
    atomic_bool let_go = false;
    pthread_t thread;

    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, run_until_let_go, &let_go));
    TEST_ASSERT_FALSE(prb_test_join("the thread ends", thread, NULL, VAIN_MS));
    ASSERT_TOLD("for: the thread ends; last seen: ");
    atomic_store(&let_go, true);
    TEST_ASSERT_TRUE(prb_test_join("the thread ends", thread, NULL, PRB_TEST_PROMPT_MS));
}

static pid_t sleep_long(void)
{
    const char *argv[] = { "sleep", "600", NULL };

    return prb_test_spawn(&(struct prb_test_command){ .argv = argv });
}

static void test_a_process_that_does_not_end_is_told_and_killed(void)
{
    pid_t pid = sleep_long();

    TEST_ASSERT_EQUAL_INT(-1, prb_test_wait_exit_for(pid, 200));
    ASSERT_TOLD(" ends: sleep 600 ");
    ASSERT_TOLD("last seen: it runs on (State:");
    TEST_ASSERT_EQUAL_INT_MESSAGE(-1, kill(pid, 0), "it is gone");
}

static void test_the_end_of_a_process_is_noticed(void)
{
    pid_t pid = sleep_long();

    (void)kill(pid, SIGTERM);
    TEST_ASSERT_EQUAL_INT(128 + SIGTERM, prb_test_wait_exit(pid));
}

static void test_a_command_that_says_nothing_and_does_not_end_is_told_and_killed(void)
{
    const char *argv[] = { "sleep", "600", NULL };
    char output[64] = "?";

    TEST_ASSERT_EQUAL_INT(
            -1, prb_test_run(&(struct prb_test_command){ .argv = argv, .patience_ms = 300 }, output,
                        sizeof(output)));
    TEST_ASSERT_EQUAL_STRING("", output);
    ASSERT_TOLD("last seen: it runs on (State:");
}

static bool came_in_vain(void)
{
    return prb_test_await("what never comes", never, NULL, VAIN_MS);
}

/* The assertions themselves: each fails, and what failed is put right again. */
static void test_an_assertion_of_a_wait_in_vain_fails_with_its_text(void)
{
    bool failed;

    TEST_ASSERT_CAME(came_in_vain());
    failed = Unity.CurrentTestFailed != 0;
    Unity.CurrentTestFailed = 0;
    TEST_ASSERT_TRUE_MESSAGE(failed, "TEST_ASSERT_CAME let a wait in vain pass");
    ASSERT_TOLD("what never comes");

    (void)setenv(PATIENCE, "100", 1);
    TEST_ASSERT_AWAIT_WITHIN("what is never so", never, NULL, VAIN_MS);
    failed = Unity.CurrentTestFailed != 0;
    Unity.CurrentTestFailed = 0;
    TEST_ASSERT_TRUE_MESSAGE(failed, "TEST_ASSERT_AWAIT let a wait in vain pass");
    ASSERT_TOLD("what is never so");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_comes_true_is_not_waited_for_any_longer);
    RUN_TEST(test_a_wait_in_vain_tells_what_it_awaited_saw_and_for_how_long);
    RUN_TEST(test_a_condition_that_says_nothing_is_counted);
    RUN_TEST(test_what_another_wait_saw_is_not_told);
    RUN_TEST(test_patience_is_a_percentage_of_the_environment);
    RUN_TEST(test_a_wait_is_as_patient_as_the_environment_says);
    RUN_TEST(test_a_signal_that_does_not_come_is_told);
    RUN_TEST(test_a_thread_that_runs_on_is_told);
    RUN_TEST(test_a_process_that_does_not_end_is_told_and_killed);
    RUN_TEST(test_the_end_of_a_process_is_noticed);
    RUN_TEST(test_a_command_that_says_nothing_and_does_not_end_is_told_and_killed);
    RUN_TEST(test_an_assertion_of_a_wait_in_vain_fails_with_its_text);
    return UNITY_END();
}
