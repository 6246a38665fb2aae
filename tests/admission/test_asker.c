/* Many reviews on one pool, with a port that stalls. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/admission/asker.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "question_port.h"
#include "support/wait.h"

/* How long a test waits for what must come; and a deadline of reviews that nothing answers. */
enum { PATIENCE_MS = 30000, SHORT_MS = 200 };

/* One review. */
struct review {
    struct prb_questions questions;
    struct prb_asker_job job;
    _Atomic int called; /* how often `done` was */
    _Atomic int64_t at_ms;
    pthread_t on;
};

static struct question_port port;
static struct prb_asker *asker;
static struct review *reviews;
static size_t review_count;

static int64_t now_ms(void)
{
    return prb_test_now_ms();
}

void setUp(void)
{
    question_port_init(&port);
    reviews = prb_calloc(PRB_ASKER_QUEUE_MAX + 1, sizeof(*reviews));
    review_count = 0;
    asker = NULL;
}

void tearDown(void)
{
    question_port_release(&port);
    prb_asker_free(asker);
    for (size_t i = 0; i < review_count; i++)
        prb_questions_done(&reviews[i].questions);
    free(reviews);
    question_port_done(&port);
}

static bool start(int threads)
{
    struct prb_error err;

    return prb_asker_new(&port.api, prb_clock_system(), threads, &asker, &err) == 0;
}

static void done(void *ctx)
{
    struct review *review = ctx;

    review->on = pthread_self();
    atomic_store(&review->at_ms, now_ms());
    atomic_fetch_add(&review->called, 1);
}

/* Submit a review with these questions; NULL: it was refused. */
static struct review *submit(int64_t ms, const char *const *names)
{
    struct review *review = &reviews[review_count++];

    prb_questions_init(&review->questions);
    for (; *names; names++)
        question_add(&review->questions, *names);
    review->job = (struct prb_asker_job){
        .questions = &review->questions, .deadline_ms = now_ms() + ms, .done = done, .ctx = review
    };
    return prb_asker_submit(asker, &review->job) ? review : NULL;
}
#define SUBMIT(ms, ...) submit((ms), (const char *const[]){ __VA_ARGS__, NULL })

static bool was_called(void *ctx)
{
    return atomic_load(&((struct review *)ctx)->called) > 0;
}

static bool wait_for(struct review *review)
{
    return prb_test_wait(was_called, review, PATIENCE_MS);
}

static bool wait_for_all(void)
{
    for (size_t i = 0; i < review_count; i++) {
        if (!wait_for(&reviews[i]))
            return false;
    }
    return true;
}

static void test_answers_come_and_done_is_called_once_on_another_thread(void)
{
    struct review *review;

    TEST_ASSERT_TRUE(start(4));
    review = SUBMIT(PATIENCE_MS, "live", "absent", "Lives", "forbidden");
    TEST_ASSERT_TRUE(wait_for(review));
    TEST_ASSERT_FALSE(pthread_equal(pthread_self(), review->on));
    TEST_ASSERT_EQUAL(PRB_PRESENT, review->questions.items[0].state);
    TEST_ASSERT_EQUAL(PRB_ABSENT, review->questions.items[1].state);
    TEST_ASSERT_EQUAL_STRING("lives", review->questions.items[2].resource);
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, review->questions.items[3].state);
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, review->questions.items[3].error.code);
    prb_asker_stop(asker);
    TEST_ASSERT_EQUAL(1, atomic_load(&review->called));
}

static void test_a_slow_question_leaves_the_others_answered(void)
{
    struct review *review;

    TEST_ASSERT_TRUE(start(4));
    review = SUBMIT(5 * SHORT_MS, "hang", "live-1", "live-2", "Lives");
    TEST_ASSERT_TRUE(wait_for(review));
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, review->questions.items[0].state);
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, review->questions.items[0].error.code);
    for (size_t i = 1; i < 4; i++)
        TEST_ASSERT_EQUAL(PRB_PRESENT, review->questions.items[i].state);
}

/* A server that stalls, for longer than anyone asked it to. */
static void test_every_review_is_handed_back_at_its_deadline(void)
{
    TEST_ASSERT_TRUE(start(PRB_ASKER_THREADS));
    for (int i = 0; i < 2 * PRB_ASKER_THREADS; i++)
        TEST_ASSERT_NOT_NULL(SUBMIT(SHORT_MS, "hang-1", "hang-2", "Hang"));
    TEST_ASSERT_TRUE(question_port_wait(&port, PRB_ASKER_THREADS));
    TEST_ASSERT_TRUE(wait_for_all());
    for (size_t i = 0; i < review_count; i++) {
        int64_t late_ms = atomic_load(&reviews[i].at_ms) - reviews[i].job.deadline_ms;

        TEST_ASSERT_EQUAL(1, atomic_load(&reviews[i].called));
        TEST_ASSERT_GREATER_OR_EQUAL_INT64(0, late_ms);
        TEST_ASSERT_LESS_THAN_INT64_MESSAGE(
                PATIENCE_MS / 2, late_ms, "after the server was let go");
        for (size_t q = 0; q < 3; q++)
            TEST_ASSERT_EQUAL(PRB_UNKNOWN, reviews[i].questions.items[q].state);
    }

    /* Late answers are dropped, and the threads are good for others. */
    question_port_release(&port);
    TEST_ASSERT_TRUE(wait_for(SUBMIT(PATIENCE_MS, "live")));
    TEST_ASSERT_EQUAL(PRB_PRESENT, reviews[review_count - 1].questions.items[0].state);
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, reviews[0].questions.items[0].state);
}

/* However many questions they have, and however long discovery hangs. */
static void test_stalled_reviews_do_not_delay_an_unrelated_one(void)
{
    struct review *other;

    TEST_ASSERT_TRUE(start(PRB_ASKER_THREADS));
    for (int i = 0; i < 16; i++)
        TEST_ASSERT_NOT_NULL(SUBMIT(PATIENCE_MS, "hang-1", "hang-2", "hang-3", "hang-4", "HangA",
                "HangB", "HangC", "HangD"));
    TEST_ASSERT_TRUE(question_port_wait(&port, PRB_ASKER_THREADS / 2));
    other = SUBMIT(PATIENCE_MS, "live");
    TEST_ASSERT_TRUE(wait_for(other));
    TEST_ASSERT_EQUAL(PRB_PRESENT, other->questions.items[0].state);
    for (size_t i = 0; i < 16; i++)
        TEST_ASSERT_EQUAL(0, atomic_load(&reviews[i].called));
}

static void test_a_call_gets_the_time_that_is_left_and_a_timeout_is_unknown(void)
{
    struct review *review;

    TEST_ASSERT_TRUE(start(2));
    review = SUBMIT(SHORT_MS, "slow");
    TEST_ASSERT_TRUE(wait_for(review));
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, review->questions.items[0].state);
    TEST_ASSERT_LESS_OR_EQUAL_INT(SHORT_MS, question_port_timeout(&port));
}

static void test_past_the_limit_reviews_are_refused_at_once(void)
{
    struct review *refused;

    TEST_ASSERT_TRUE(start(2));
    for (int i = 0; i < PRB_ASKER_QUEUE_MAX; i++)
        TEST_ASSERT_NOT_NULL(SUBMIT(PATIENCE_MS, "hang"));
    TEST_ASSERT_NULL(SUBMIT(PATIENCE_MS, "live", "Live"));
    refused = &reviews[review_count - 1];
    for (size_t i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL(PRB_UNKNOWN, refused->questions.items[i].state);
        TEST_ASSERT_EQUAL_STRING(
                "too many reviews wait for the API server", refused->questions.items[i].error.msg);
    }
    prb_asker_stop(asker);
    TEST_ASSERT_EQUAL(0, atomic_load(&refused->called));
    review_count--; /* it alone was not called back */
    TEST_ASSERT_TRUE(wait_for_all());
    prb_questions_done(&refused->questions);
}

static void test_stop_hands_every_review_back_and_takes_no_more(void)
{
    struct review *asked, *waiting;

    TEST_ASSERT_TRUE(start(1));
    asked = SUBMIT(PATIENCE_MS, "hang");
    waiting = SUBMIT(PATIENCE_MS, "live");
    TEST_ASSERT_TRUE(question_port_wait(&port, 1));
    prb_asker_stop(asker);
    TEST_ASSERT_EQUAL(1, atomic_load(&asked->called));
    TEST_ASSERT_EQUAL(1, atomic_load(&waiting->called));
    TEST_ASSERT_EQUAL_STRING(
            "the API server did not answer in time", asked->questions.items[0].error.msg);
    TEST_ASSERT_EQUAL_STRING("Probate is shutting down", waiting->questions.items[0].error.msg);
    TEST_ASSERT_NULL(SUBMIT(PATIENCE_MS, "live"));
    TEST_ASSERT_EQUAL_STRING(
            "Probate is shutting down", reviews[review_count - 1].questions.items[0].error.msg);
}

static void test_a_review_without_questions_or_time_is_handed_back(void)
{
    struct review *empty, *late;

    TEST_ASSERT_TRUE(start(1));
    SUBMIT(PATIENCE_MS, "hang");
    TEST_ASSERT_TRUE(question_port_wait(&port, 1));
    empty = submit(PATIENCE_MS, (const char *const[]){ NULL });
    late = SUBMIT(-1, "live");
    TEST_ASSERT_TRUE(wait_for(empty));
    TEST_ASSERT_TRUE(wait_for(late));
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, late->questions.items[0].state);
}

static void test_many_reviews_at_once_are_all_answered(void)
{
    TEST_ASSERT_TRUE(start(8));
    for (int i = 0; i < 500; i++)
        TEST_ASSERT_NOT_NULL(SUBMIT(PATIENCE_MS, "live-1", "absent", "live-2", "Lives"));
    TEST_ASSERT_TRUE(wait_for_all());
    prb_asker_stop(asker);
    for (size_t i = 0; i < review_count; i++) {
        TEST_ASSERT_EQUAL(1, atomic_load(&reviews[i].called));
        TEST_ASSERT_EQUAL(PRB_PRESENT, reviews[i].questions.items[0].state);
        TEST_ASSERT_EQUAL(PRB_ABSENT, reviews[i].questions.items[1].state);
        TEST_ASSERT_EQUAL(PRB_PRESENT, reviews[i].questions.items[2].state);
        TEST_ASSERT_EQUAL(PRB_PRESENT, reviews[i].questions.items[3].state);
    }
    TEST_ASSERT_EQUAL(2000, port.calls);
    TEST_ASSERT_LESS_OR_EQUAL_INT(8, port.running_most);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_answers_come_and_done_is_called_once_on_another_thread);
    RUN_TEST(test_a_slow_question_leaves_the_others_answered);
    RUN_TEST(test_every_review_is_handed_back_at_its_deadline);
    RUN_TEST(test_stalled_reviews_do_not_delay_an_unrelated_one);
    RUN_TEST(test_a_call_gets_the_time_that_is_left_and_a_timeout_is_unknown);
    RUN_TEST(test_past_the_limit_reviews_are_refused_at_once);
    RUN_TEST(test_stop_hands_every_review_back_and_takes_no_more);
    RUN_TEST(test_a_review_without_questions_or_time_is_handed_back);
    RUN_TEST(test_many_reviews_at_once_are_all_answered);
    return UNITY_END();
}
