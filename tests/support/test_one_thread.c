/* Does a program of suite "one-thread" end when it starts a thread? This is one of them. */

#include <pthread.h>
#include <string.h>
#include <threads.h>
#include <unity.h>

#include "support/death.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void *do_nothing(void *ctx)
{
    return ctx;
}

static void start_a_thread(void *ctx)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, do_nothing, ctx) == 0)
        (void)pthread_join(thread, NULL);
}

static int return_zero(void *ctx)
{
    (void)ctx;
    return 0;
}

static void start_a_c11_thread(void *ctx)
{
    thrd_t thread;

    if (thrd_create(&thread, return_zero, ctx) == thrd_success)
        (void)thrd_join(thread, NULL);
}

static void test_a_thread_ends_the_program_and_the_last_words_say_why(void)
{
    void (*const starts[])(void *ctx) = { start_a_thread, start_a_c11_thread };
    char words[200];

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        TEST_ASSERT_TRUE(prb_test_aborts(starts[i], NULL, words, sizeof(words)));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(words, "suite one-thread starts a thread"), words);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_thread_ends_the_program_and_the_last_words_say_why);
    return UNITY_END();
}
