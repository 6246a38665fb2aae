#ifndef TESTS_SUPPORT_WAIT_H
#define TESTS_SUPPORT_WAIT_H

/*
 * Waiting for a condition, with a deadline: what tests do where a sleep would only hope. A wait
 * whose deadline has passed says on stderr what it awaited, for how long, and what it saw last;
 * prb_test_awaited gives the same text to an assertion or to a row's `why`.
 *
 * All deadlines are here. They only limit how long a test hangs, so they are generous, and they are
 * scaled by PROBATE_TEST_PATIENCE: 100 (percent) stands for an idle machine. A time that a test is
 * about ("it ends before the limit of a call") is scaled in the same way: on a slow machine it says
 * less, and on none is it red because of the machine.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What other threads of the test do. */
#define PRB_TEST_PROMPT_MS 20000

/* One thing that a process, a server or its controllers do when asked. */
#define PRB_TEST_SOON_MS 60000

/* Several such things, one after the other. */
#define PRB_TEST_LONG_MS 90000

/* The last of many that are in the way of each other. */
#define PRB_TEST_STORM_MS 240000

/* Room for the text of a wait that failed. */
#define PRB_TEST_AWAITED_SIZE 896

/* A deadline, scaled to the machine. */
int prb_test_patience_ms(int base_ms);

/* Milliseconds of the monotonic clock. */
int64_t prb_test_now_ms(void);

/*
 * Ask `holds` again and again until it says true (true), or the patience is over (false). `what` is
 * the sentence that is to come true: "the Deployment has its label".
 */
bool prb_test_await(const char *what, bool (*holds)(void *ctx), void *ctx, int base_ms);

/* To be called by a condition that does not hold: what it sees instead. False, so that it can be
 * returned. */
bool prb_test_saw(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "waited 60.0 s for: ...; last seen: ...", of the last wait of this thread that failed. */
const char *prb_test_awaited(void);

/*
 * For a loop of one's own:
 *
 *     struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "%s is there", name);
 *
 *     while (!is_there(name))
 *         if (!prb_test_wait_more(&wait))
 *             return false;
 */
struct prb_test_wait {
    char what[256];
    int64_t began_ms, deadline_ms;
    unsigned looks;
};

struct prb_test_wait prb_test_wait_for(int base_ms, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Pause, short at first; false when the time is over. */
bool prb_test_wait_more(struct prb_test_wait *wait);

/* The same without a pause, for a loop whose look takes its time. */
bool prb_test_wait_in_time(struct prb_test_wait *wait);

/* The same until `cond` is signalled, on whichever clock it was made. `lock` is held. */
bool prb_test_wait_cond(struct prb_test_wait *wait, pthread_cond_t *cond, pthread_mutex_t *lock);

/* It cannot come any more: tell so at once. */
void prb_test_wait_give_up(const struct prb_test_wait *wait);

/* Milliseconds until the deadline, at least 0. */
int prb_test_wait_left_ms(const struct prb_test_wait *wait);

/* Wait for the end of a thread; false: it runs on. */
bool prb_test_join(const char *what, pthread_t thread, void **ret, int base_ms);

/* The pause between two looks, without a deadline: for threads that serve until they are told to
 * end, and for time that is to pass. */
void prb_test_pause(void);

/*
 * In a Unity test. A failed assertion does not leave the test here, so a test that has failed
 * already looks once and does not wait.
 */
#define TEST_ASSERT_AWAIT(what, holds, ctx) \
    TEST_ASSERT_AWAIT_WITHIN(what, holds, ctx, PRB_TEST_SOON_MS)

#define TEST_ASSERT_AWAIT_WITHIN(what, holds, ctx, base_ms)                               \
    TEST_ASSERT_TRUE_MESSAGE(Unity.CurrentTestFailed                                      \
                                     ? (holds)(ctx)                                       \
                                     : prb_test_await((what), (holds), (ctx), (base_ms)), \
            prb_test_awaited())

/* For a function that waits and says whether it came true. Not called in a test that has failed. */
#define TEST_ASSERT_CAME(came) \
    TEST_ASSERT_TRUE_MESSAGE(Unity.CurrentTestFailed || (came), prb_test_awaited())

#endif
