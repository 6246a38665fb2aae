/* In which order questions are asked, and how many at once. */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "asker_rounds.h"
#include "question_port.h"

enum { THREADS = 8, JOBS_MAX = 8 };

static struct prb_rounds rounds;
static struct prb_questions questions[JOBS_MAX];
static size_t job_count;
static char order[256]; /* names of questions that were started */

void setUp(void)
{
    rounds = (struct prb_rounds){ .threads = THREADS };
    job_count = 0;
    order[0] = '\0';
}

void tearDown(void)
{
    while (rounds.first)
        (void)prb_rounds_hand_back(&rounds, rounds.first, "over");
    for (size_t i = 0; i < job_count; i++)
        prb_questions_done(&questions[i]);
}

static void add(int64_t deadline_ms, const char *const *names)
{
    struct prb_asker_job job = { .questions = &questions[job_count++], .deadline_ms = deadline_ms };

    prb_questions_init(job.questions);
    for (; *names; names++)
        question_add(job.questions, *names);
    prb_rounds_add(&rounds, &job);
}
#define ADD(deadline_ms, ...) add((deadline_ms), (const char *const[]){ __VA_ARGS__, NULL })

static const char *name_of(const struct prb_question *question)
{
    if (question->type == PRB_ASK_LIST)
        return question->ref.gvr.resource;
    return question->ref.name[0] ? question->ref.name : question->kind;
}

/* Start all that may be started; `into` has room for them. */
static size_t start_all(struct prb_asking *into)
{
    prb_auto(prb_str_done) struct prb_str text;
    size_t count = 0;

    prb_str_init(&text, sizeof(order) - 1);
    while (prb_rounds_ready(&rounds) && prb_rounds_start(&rounds, &into[count]))
        prb_str_addf(&text, "%s%s", text.len ? " " : "", name_of(&into[count++].question));
    (void)prb_copy(order, sizeof(order), prb_str_get(&text));
    return count;
}

static void answer_all(struct prb_asking *asked, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct prb_round *over;

        asked[i].question.asked = true;
        over = prb_rounds_answered(&rounds, &asked[i]);

        if (over)
            (void)prb_rounds_hand_back(&rounds, over, "");
    }
}

static void test_questions_of_one_review_are_asked_side_by_side_objects_first(void)
{
    struct prb_asking asked[THREADS];
    size_t count;

    ADD(1, "Kind", "a", "b", "c");
    count = start_all(asked);
    TEST_ASSERT_EQUAL_STRING("a b c Kind", order);
    answer_all(asked, count);
    TEST_ASSERT_EQUAL(0, rounds.count);
    TEST_ASSERT_EACH_EQUAL_INT(0, rounds.busy, PRB_PACES);
}

static void test_a_second_question_waits_when_half_of_the_threads_are_busy(void)
{
    struct prb_asking asked[THREADS];
    size_t count;

    ADD(1, "a1", "a2", "a3", "a4", "a5", "a6");
    ADD(1, "b1", "b2");
    ADD(1, "c1");
    count = start_all(asked);
    TEST_ASSERT_EQUAL_STRING("a1 a2 a3 a4 a5 b1 c1", order);
    answer_all(asked, count);
    count = start_all(asked);
    TEST_ASSERT_EQUAL_STRING("a6 b2", order);
    answer_all(asked, count);
    TEST_ASSERT_EQUAL(0, rounds.count);
}

static void test_kinds_never_take_more_than_a_quarter(void)
{
    struct prb_asking asked[THREADS];
    size_t count;

    ADD(1, "A", "B", "C");
    ADD(1, "D");
    ADD(1, "x");
    count = start_all(asked);
    TEST_ASSERT_EQUAL_STRING("x A B", order);
    answer_all(asked, count);
    count = start_all(asked);
    TEST_ASSERT_EQUAL_STRING("C D", order);
    answer_all(asked, count);
    TEST_ASSERT_EQUAL(0, rounds.count);
}

/* They may take as long as the review has: never so many that others wait for them. */
static void test_slow_questions_never_take_more_than_half(void)
{
    struct prb_asking asked[THREADS];
    size_t count;

    ADD(1, "finalizer:a1");
    ADD(1, "list:b1");
    ADD(1, "named:c1");
    ADD(1, "finalizer:d1");
    ADD(1, "finalizer:e1");
    ADD(1, "x", "y");
    count = start_all(asked);
    TEST_ASSERT_EQUAL_STRING("x y a1 b1 c1 d1", order);
    answer_all(asked, count);
    count = start_all(asked);
    TEST_ASSERT_EQUAL_STRING("e1", order);
    answer_all(asked, count);
    TEST_ASSERT_EQUAL(0, rounds.count);
}

static void test_slow_questions_of_one_review_leave_room_for_those_of_another(void)
{
    struct prb_asking asked[THREADS];
    size_t count;

    ADD(1, "finalizer:a1", "finalizer:a2", "finalizer:a3", "finalizer:a4");
    ADD(1, "finalizer:b1", "finalizer:b2");
    ADD(1, "access:c1", "finalizer:c2");
    count = start_all(asked);
    TEST_ASSERT_EQUAL_STRING("c1 a1 a2 b1 c2", order);
    answer_all(asked, count);
    count = start_all(asked);
    TEST_ASSERT_EQUAL_STRING("a3 a4 b2", order);
    answer_all(asked, count);
    TEST_ASSERT_EQUAL(0, rounds.count);
    TEST_ASSERT_EACH_EQUAL_INT(0, rounds.busy, PRB_PACES);
}

static void test_with_one_thread_everything_is_asked_one_after_the_other(void)
{
    struct prb_asking asked[THREADS];

    rounds.threads = 1;
    ADD(1, "finalizer:a", "Kind", "x");
    TEST_ASSERT_TRUE(prb_rounds_start(&rounds, &asked[0]));
    TEST_ASSERT_EQUAL_STRING("x", asked[0].question.ref.name);
    answer_all(asked, 1);
    TEST_ASSERT_TRUE(prb_rounds_start(&rounds, &asked[0]));
    TEST_ASSERT_EQUAL_STRING("a", asked[0].question.kind);
    answer_all(asked, 1);
    TEST_ASSERT_TRUE(prb_rounds_start(&rounds, &asked[0]));
    TEST_ASSERT_EQUAL_STRING("Kind", asked[0].question.kind);
    answer_all(asked, 1);
    TEST_ASSERT_EQUAL(0, rounds.count);
}

static void test_a_further_round_asks_only_what_is_new(void)
{
    struct prb_asker_job job = { .questions = &questions[0], .deadline_ms = 1 };
    struct prb_asking asked[THREADS];
    size_t count;

    ADD(1, "a", "finalizer:b");
    count = start_all(asked);
    asked[1].question.state = PRB_ABSENT;
    answer_all(asked, count);
    question_add(&questions[0], "c");
    question_add(&questions[0], "finalizer:d");
    prb_rounds_add(&rounds, &job);
    count = start_all(asked);
    TEST_ASSERT_EQUAL_STRING("c d", order);
    answer_all(asked, 1);
    (void)prb_rounds_hand_back(&rounds, rounds.first, "over");
    TEST_ASSERT_EQUAL_MESSAGE(PRB_ABSENT, questions[0].items[1].state, "of the first round");
    TEST_ASSERT_EQUAL(PRB_OK, questions[0].items[1].error.code);
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, questions[0].items[3].error.code);
    TEST_ASSERT_TRUE(questions[0].items[3].asked);
    TEST_ASSERT_NULL(prb_rounds_answered(&rounds, &asked[count - 1]));

    prb_rounds_add(&rounds, &job);
    TEST_ASSERT_EQUAL_PTR_MESSAGE(
            rounds.first, prb_rounds_due(&rounds, 0), "there is nothing left to ask");
}

/* Under the address sanitizer: who asked is gone, with all it asked. */
static void test_a_late_answer_is_freed_with_all_it_holds(void)
{
    struct prb_asking asked[THREADS];
    struct prb_question *list = &asked[2].question;
    struct prb_error err;

    ADD(1, "access:a", "finalizer:b", "list:c");
    TEST_ASSERT_EQUAL(3, start_all(asked));
    (void)prb_rounds_hand_back(&rounds, rounds.first, "over");
    prb_questions_done(&questions[0]);
    TEST_ASSERT_EQUAL_STRING("alice", asked[0].question.subject->user);
    TEST_ASSERT_EQUAL_STRING("g.io/f", asked[1].question.finalizer);
    list->objects = prb_calloc(1, sizeof(struct prb_object *));
    (void)prb_object_draft(json_object_new_object(), &list->objects[0], &err);
    list->object_count = 1;
    for (size_t i = 0; i < 3; i++)
        TEST_ASSERT_NULL(prb_rounds_answered(&rounds, &asked[i]));
    TEST_ASSERT_EACH_EQUAL_INT(0, rounds.busy, PRB_PACES);
}

static void test_reviews_are_due_by_their_deadlines(void)
{
    ADD(300, "a");
    ADD(100, "b");
    ADD(200, "c");
    TEST_ASSERT_EQUAL(100, prb_rounds_deadline(&rounds));
    TEST_ASSERT_NULL(prb_rounds_due(&rounds, 99));
    TEST_ASSERT_EQUAL_PTR(rounds.first->next, prb_rounds_due(&rounds, 100));
    (void)prb_rounds_hand_back(&rounds, rounds.first->next, "over");
    TEST_ASSERT_EQUAL(200, prb_rounds_deadline(&rounds));
    TEST_ASSERT_EQUAL_PTR(rounds.last, prb_rounds_due(&rounds, 250));
    (void)prb_rounds_hand_back(&rounds, rounds.last, "over");
    (void)prb_rounds_hand_back(&rounds, rounds.last, "over");
    TEST_ASSERT_EQUAL(INT64_MAX, prb_rounds_deadline(&rounds));
    ADD(400, "d");
    TEST_ASSERT_EQUAL_PTR(rounds.first, rounds.last);
}

static void test_a_review_without_questions_is_due_at_once(void)
{
    add(1000, (const char *const[]){ NULL });
    TEST_ASSERT_EQUAL_PTR(rounds.first, prb_rounds_due(&rounds, 0));
}

static void test_what_is_handed_back_says_why_it_has_no_answer(void)
{
    struct prb_asking asked[THREADS];

    ADD(1, "a", "B", "C", "D");
    TEST_ASSERT_EQUAL(3, start_all(asked));
    asked[0].question.asked = true;
    asked[0].question.state = PRB_ABSENT;
    TEST_ASSERT_NULL(prb_rounds_answered(&rounds, &asked[0]));
    (void)prb_rounds_hand_back(&rounds, rounds.first, "nobody asked");
    TEST_ASSERT_EQUAL(PRB_ABSENT, questions[0].items[0].state);
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, questions[0].items[1].state);
    TEST_ASSERT_EQUAL_STRING(
            "the API server did not answer in time", questions[0].items[1].error.msg);
    TEST_ASSERT_EQUAL_STRING("nobody asked", questions[0].items[3].error.msg);

    asked[1].question.state = PRB_PRESENT;
    TEST_ASSERT_NULL(prb_rounds_answered(&rounds, &asked[1]));
    TEST_ASSERT_NULL(prb_rounds_answered(&rounds, &asked[2]));
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, questions[0].items[1].state);
    TEST_ASSERT_EACH_EQUAL_INT(0, rounds.busy, PRB_PACES);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_questions_of_one_review_are_asked_side_by_side_objects_first);
    RUN_TEST(test_a_second_question_waits_when_half_of_the_threads_are_busy);
    RUN_TEST(test_kinds_never_take_more_than_a_quarter);
    RUN_TEST(test_slow_questions_never_take_more_than_half);
    RUN_TEST(test_slow_questions_of_one_review_leave_room_for_those_of_another);
    RUN_TEST(test_with_one_thread_everything_is_asked_one_after_the_other);
    RUN_TEST(test_a_further_round_asks_only_what_is_new);
    RUN_TEST(test_a_late_answer_is_freed_with_all_it_holds);
    RUN_TEST(test_reviews_are_due_by_their_deadlines);
    RUN_TEST(test_a_review_without_questions_is_due_at_once);
    RUN_TEST(test_what_is_handed_back_says_why_it_has_no_answer);
    return UNITY_END();
}
