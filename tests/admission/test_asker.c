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
#define PATIENCE_MS prb_test_patience_ms(PRB_TEST_SOON_MS)
#define SHORT_MS INT64_C(200)

/* The same where a busy machine must have asked, or answered, before it. */
#define ENOUGH_MS prb_test_patience_ms(4000)

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

static void start(int threads)
{
    struct prb_error err;

    if (prb_asker_new(&port.api, prb_clock_system(), threads, &asker, &err) < 0)
        abort(); /* no threads to be had: nothing to test */
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

/* So many of the same; how many were taken. */
static int submit_many(int times, int64_t ms, const char *const *names)
{
    int taken = 0;

    for (int i = 0; i < times; i++)
        taken += submit(ms, names) != NULL;
    return taken;
}
#define SUBMIT_MANY(times, ms, ...) \
    submit_many((times), (ms), (const char *const[]){ __VA_ARGS__, NULL })

static bool was_called(void *ctx)
{
    return atomic_load(&((struct review *)ctx)->called) > 0;
}

static bool wait_for(struct review *review)
{
    return prb_test_await("the review is called back", was_called, review, PRB_TEST_SOON_MS);
}

static bool wait_for_all(void)
{
    for (size_t i = 0; i < review_count; i++) {
        if (!wait_for(&reviews[i]))
            return false;
    }
    return true;
}

/* Were its questions answered like this, all of them, and was it called back once? */
static bool is_answered(const struct review *review, const enum prb_answer_state *states)
{
    for (size_t i = 0; i < review->questions.count; i++) {
        if (review->questions.items[i].state != states[i])
            return false;
    }
    return atomic_load(&review->called) == 1;
}

static size_t count_answered(const enum prb_answer_state *states)
{
    size_t count = 0;

    for (size_t i = 0; i < review_count; i++)
        count += is_answered(&reviews[i], states);
    return count;
}

static void test_answers_come_and_done_is_called_once_on_another_thread(void)
{
    struct review *review;

    start(4);
    review = SUBMIT(PATIENCE_MS, "live", "absent", "Lives", "forbidden");
    TEST_ASSERT_CAME(wait_for(review));
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

    start(4);
    review = SUBMIT(ENOUGH_MS, "hang", "live-1", "live-2", "Lives");
    TEST_ASSERT_CAME(wait_for(review));
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, review->questions.items[0].state);
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, review->questions.items[0].error.code);
    for (size_t i = 1; i < 4; i++)
        TEST_ASSERT_EQUAL(PRB_PRESENT, review->questions.items[i].state);
}

/* Handed back at its deadline, and not when the server was let go at last? */
static bool is_in_time(const struct review *review)
{
    int64_t late_ms = atomic_load(&review->at_ms) - review->job.deadline_ms;

    return late_ms >= 0 && late_ms < PATIENCE_MS / 2;
}

static size_t count_in_time(void)
{
    size_t count = 0;

    for (size_t i = 0; i < review_count; i++)
        count += is_in_time(&reviews[i]);
    return count;
}

/* A server that stalls, for longer than anyone asked it to. */
static void test_every_review_is_handed_back_at_its_deadline(void)
{
    static const enum prb_answer_state unknown[] = { PRB_UNKNOWN, PRB_UNKNOWN, PRB_UNKNOWN };
    const int many = 2 * PRB_ASKER_THREADS;

    start(PRB_ASKER_THREADS);
    TEST_ASSERT_EQUAL(many, SUBMIT_MANY(many, ENOUGH_MS, "hang-1", "hang-2", "Hang"));
    TEST_ASSERT_CAME(question_port_wait(&port, PRB_ASKER_THREADS));
    TEST_ASSERT_TRUE(wait_for_all());
    TEST_ASSERT_EQUAL(many, count_answered(unknown));
    TEST_ASSERT_EQUAL(many, count_in_time());
}

static void test_late_answers_are_dropped_and_the_threads_are_good_for_others(void)
{
    static const enum prb_answer_state unknown[] = { PRB_UNKNOWN }, present[] = { PRB_PRESENT };
    struct review *late, *next;

    start(1);
    late = SUBMIT(SHORT_MS, "hang");
    TEST_ASSERT_CAME(wait_for(late));
    next = SUBMIT(PATIENCE_MS, "live");
    question_port_release(&port);
    TEST_ASSERT_CAME(wait_for(next) && is_answered(next, present));
    TEST_ASSERT_TRUE(is_answered(late, unknown));
}

/* However many questions they have, and however long discovery hangs. */
static void test_stalled_reviews_do_not_delay_an_unrelated_one(void)
{
    static const enum prb_answer_state present[] = { PRB_PRESENT };
    struct review *other;

    start(PRB_ASKER_THREADS);
    TEST_ASSERT_EQUAL(16, SUBMIT_MANY(16, PATIENCE_MS, "hang-1", "hang-2", "hang-3", "hang-4",
                                  "HangA", "HangB", "HangC", "HangD"));
    TEST_ASSERT_CAME(question_port_wait(&port, PRB_ASKER_THREADS / 2));
    other = SUBMIT(PATIENCE_MS, "live");
    TEST_ASSERT_CAME(wait_for(other));
    TEST_ASSERT_TRUE(is_answered(other, present));
    TEST_ASSERT_EQUAL_MESSAGE(0, atomic_load(&reviews[0].called), "they wait still");
}

/* Lists may hang until their reviews are over: half of the threads stay for what is quick. */
static void test_hanging_lists_do_not_delay_a_quick_question(void)
{
    static const enum prb_answer_state present[] = { PRB_PRESENT, PRB_PRESENT };
    struct review *other;

    start(8);
    TEST_ASSERT_EQUAL(16, SUBMIT_MANY(16, PATIENCE_MS, "list:hang-1", "list:hang-2"));
    TEST_ASSERT_CAME(question_port_wait(&port, 4));
    other = SUBMIT(PATIENCE_MS, "live", "access:live");
    TEST_ASSERT_CAME(wait_for(other));
    TEST_ASSERT_TRUE(is_answered(other, present));
    TEST_ASSERT_EQUAL_MESSAGE(0, atomic_load(&reviews[0].called), "they wait still");
    question_port_release(&port);
    prb_asker_free(prb_take(asker));
    TEST_ASSERT_LESS_OR_EQUAL_INT(4 + 2, port.running_most);
}

static void test_every_type_is_answered_on_its_own_thread(void)
{
    struct review *review;

    start(8);
    review = SUBMIT(PATIENCE_MS, "live", "Lives", "named:live", "finalizer:lives", "list:lives",
            "access:live");
    TEST_ASSERT_CAME(wait_for(review));
    TEST_ASSERT_EQUAL(6, review->questions.count);
    for (size_t i = 0; i < review->questions.count; i++)
        TEST_ASSERT_EQUAL_MESSAGE(PRB_PRESENT, review->questions.items[i].state,
                review->questions.items[i].error.msg);
    TEST_ASSERT_EQUAL_STRING("lives", review->questions.items[3].holders.items[0].name);
    TEST_ASSERT_EQUAL_STRING("g.io/f", review->questions.items[3].finalizer);
    TEST_ASSERT_EQUAL(1, review->questions.items[4].object_count);
}

/* Under the address sanitizer: the review and all it asked are gone before the answers come. */
static void test_answers_outlive_the_review_they_were_for(void)
{
    struct review *late;

    start(8);
    late = SUBMIT(ENOUGH_MS, "access:hang", "list:hang", "finalizer:hang", "named:hang", "hang");
    TEST_ASSERT_CAME(question_port_wait(&port, 4));
    TEST_ASSERT_CAME(wait_for(late));
    prb_questions_done(&late->questions);
    question_port_release(&port);
    prb_asker_free(prb_take(asker));
}

/* Asks once more, from `done` itself, as long as there are further names. */
static const char *const *further;

static void done_and_on(void *ctx)
{
    struct review *review = ctx;

    if (*further) {
        question_add(&review->questions, *further++);
        if (prb_asker_submit(asker, &review->job))
            return;
    }
    done(ctx);
}

static struct review *submit_rounds(const char *first, const char *const *names)
{
    struct review *review = &reviews[review_count++];

    further = names;
    prb_questions_init(&review->questions);
    question_add(&review->questions, first);
    review->job = (struct prb_asker_job){ .questions = &review->questions,
        .deadline_ms = now_ms() + PATIENCE_MS,
        .done = done_and_on,
        .ctx = review };
    return prb_asker_submit(asker, &review->job) ? review : NULL;
}

static void test_a_review_may_come_again_when_it_is_called_back(void)
{
    static const char *const names[] = { "live-2", "finalizer:lives", NULL };
    static const enum prb_answer_state present[] = { PRB_PRESENT, PRB_PRESENT, PRB_PRESENT };
    struct review *review;

    start(1);
    review = submit_rounds("live-1", names);
    TEST_ASSERT_NOT_NULL(review);
    TEST_ASSERT_CAME(wait_for(review));
    TEST_ASSERT_EQUAL(3, review->questions.count);
    TEST_ASSERT_TRUE(is_answered(review, present));
    TEST_ASSERT_EQUAL_MESSAGE(
            4, question_port_calls(&port), "each question once; one needs discovery");
}

static void test_who_comes_again_while_all_ends_is_told_so(void)
{
    static const char *const names[] = { "live-2", NULL };
    struct review *review;

    start(1);
    review = submit_rounds("hang", names);
    TEST_ASSERT_CAME(question_port_wait(&port, 1));
    prb_asker_stop(asker);
    TEST_ASSERT_EQUAL(1, atomic_load(&review->called));
    TEST_ASSERT_EQUAL(2, review->questions.count);
    TEST_ASSERT_EQUAL_STRING("Probate is shutting down", review->questions.items[1].error.msg);
    TEST_ASSERT_EQUAL_STRING(
            "the API server did not answer in time", review->questions.items[0].error.msg);
}

static void test_a_call_gets_the_time_that_is_left_and_a_timeout_is_unknown(void)
{
    struct review *review;

    start(2);
    review = SUBMIT(SHORT_MS, "slow");
    TEST_ASSERT_CAME(wait_for(review));
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, review->questions.items[0].state);
    TEST_ASSERT_LESS_OR_EQUAL_INT(SHORT_MS, question_port_timeout(&port));
}

static void test_past_the_limit_reviews_are_refused_at_once(void)
{
    static const char wanted[] = "too many reviews wait for the API server";
    struct review *refused;

    start(2);
    TEST_ASSERT_EQUAL(PRB_ASKER_QUEUE_MAX, SUBMIT_MANY(PRB_ASKER_QUEUE_MAX, PATIENCE_MS, "hang"));
    TEST_ASSERT_NULL(SUBMIT(PATIENCE_MS, "live", "Live"));
    refused = &reviews[review_count - 1];
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, refused->questions.items[0].state);
    TEST_ASSERT_EQUAL_STRING(wanted, refused->questions.items[0].error.msg);
    TEST_ASSERT_EQUAL_STRING(wanted, refused->questions.items[1].error.msg);
    prb_asker_stop(asker);
    TEST_ASSERT_EQUAL(0, atomic_load(&refused->called));
    for (int i = 0; i < PRB_ASKER_QUEUE_MAX; i++)
        TEST_ASSERT_EQUAL(1, atomic_load(&reviews[i].called));
}

static void test_stop_hands_every_review_back_and_takes_no_more(void)
{
    struct review *asked, *waiting;

    start(1);
    asked = SUBMIT(PATIENCE_MS, "hang");
    waiting = SUBMIT(PATIENCE_MS, "live");
    TEST_ASSERT_CAME(question_port_wait(&port, 1));
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
    static const enum prb_answer_state unknown[] = { PRB_UNKNOWN };
    struct review *empty, *late;

    start(1);
    (void)SUBMIT(PATIENCE_MS, "hang");
    empty = submit(PATIENCE_MS, (const char *const[]){ NULL });
    late = SUBMIT(-1, "live");
    TEST_ASSERT_CAME(wait_for(empty));
    TEST_ASSERT_CAME(wait_for(late));
    TEST_ASSERT_TRUE(is_answered(late, unknown));
}

static void test_many_reviews_at_once_are_all_answered(void)
{
    static const enum prb_answer_state states[] = { PRB_PRESENT, PRB_ABSENT, PRB_PRESENT,
        PRB_PRESENT };

    start(8);
    TEST_ASSERT_EQUAL(500, SUBMIT_MANY(500, PATIENCE_MS, "live-1", "absent", "live-2", "Lives"));
    TEST_ASSERT_TRUE(wait_for_all());
    prb_asker_stop(asker);
    TEST_ASSERT_EQUAL(500, count_answered(states));
    TEST_ASSERT_EQUAL(2000, port.calls);
    TEST_ASSERT_LESS_OR_EQUAL_INT(8, port.running_most);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_answers_come_and_done_is_called_once_on_another_thread);
    RUN_TEST(test_a_slow_question_leaves_the_others_answered);
    RUN_TEST(test_every_review_is_handed_back_at_its_deadline);
    RUN_TEST(test_late_answers_are_dropped_and_the_threads_are_good_for_others);
    RUN_TEST(test_stalled_reviews_do_not_delay_an_unrelated_one);
    RUN_TEST(test_hanging_lists_do_not_delay_a_quick_question);
    RUN_TEST(test_every_type_is_answered_on_its_own_thread);
    RUN_TEST(test_answers_outlive_the_review_they_were_for);
    RUN_TEST(test_a_review_may_come_again_when_it_is_called_back);
    RUN_TEST(test_who_comes_again_while_all_ends_is_told_so);
    RUN_TEST(test_a_call_gets_the_time_that_is_left_and_a_timeout_is_unknown);
    RUN_TEST(test_past_the_limit_reviews_are_refused_at_once);
    RUN_TEST(test_stop_hands_every_review_back_and_takes_no_more);
    RUN_TEST(test_a_review_without_questions_or_time_is_handed_back);
    RUN_TEST(test_many_reviews_at_once_are_all_answered);
    return UNITY_END();
}
