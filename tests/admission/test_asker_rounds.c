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
    return question->type == PRB_ASK_OBJECT ? question->ref.name : question->kind;
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
    RUN_TEST(test_reviews_are_due_by_their_deadlines);
    RUN_TEST(test_a_review_without_questions_is_due_at_once);
    RUN_TEST(test_what_is_handed_back_says_why_it_has_no_answer);
    return UNITY_END();
}
