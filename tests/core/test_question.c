#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/core/question.h"

#include "support/world.h"

static struct prb_questions questions;

void setUp(void)
{
    prb_questions_init(&questions);
}

void tearDown(void)
{
    prb_questions_done(&questions);
}

static void test_a_question_is_asked_once(void)
{
    struct prb_ref c1 = prb_world_ref("nodes.v1.//c1"), c2 = prb_world_ref("nodes.v1.//c2");

    prb_ask_object(&questions, &c1);
    prb_ask_object(&questions, &c2);
    prb_ask_object(&questions, &c1);
    prb_ask_resource(&questions, "apps", "Deployment");
    prb_ask_resource(&questions, "apps", "Deployment");
    prb_ask_resource(&questions, "", "Deployment");

    TEST_ASSERT_EQUAL_size_t(4, questions.count);
    TEST_ASSERT_EQUAL_INT(PRB_UNKNOWN, questions.items[0].state);
}

static void test_an_answer_is_found_by_its_question(void)
{
    struct prb_ref c1 = prb_world_ref("nodes.v1.//c1"), c2 = prb_world_ref("nodes.v1.//c2");

    prb_ask_object(&questions, &c1);
    prb_ask_resource(&questions, "apps", "Deployment");
    questions.items[0].state = PRB_ABSENT;
    questions.items[1].state = PRB_PRESENT;

    TEST_ASSERT_EQUAL_PTR(&questions.items[0], prb_answer_object(&questions, &c1));
    TEST_ASSERT_EQUAL_PTR(
            &questions.items[1], prb_answer_resource(&questions, "apps", "Deployment"));
    TEST_ASSERT_NULL(prb_answer_object(&questions, &c2));
    TEST_ASSERT_NULL(prb_answer_resource(&questions, "", "Deployment"));
    TEST_ASSERT_NULL(prb_answer_resource(&questions, "apps", "deployment"));
}

static void test_a_name_that_is_none_is_not_asked(void)
{
    char novel[PRB_GROUP_SIZE + 10];

    memset(novel, 'x', sizeof(novel) - 1);
    novel[sizeof(novel) - 1] = '\0';
    prb_ask_resource(&questions, "apps", novel);
    prb_ask_resource(&questions, novel, "Deployment");

    TEST_ASSERT_EQUAL_size_t(0, questions.count);
    TEST_ASSERT_NULL(prb_answer_resource(&questions, "apps", novel));
}

static void test_kinds_leave_room_for_objects(void)
{
    struct prb_ref c1 = prb_world_ref("nodes.v1.//c1");
    char kind[16];

    for (int i = 0; i < PRB_QUESTIONS_MAX + 10; i++) {
        (void)snprintf(kind, sizeof(kind), "Kind%d", i);
        prb_ask_resource(&questions, "", kind);
    }
    prb_ask_object(&questions, &c1);

    TEST_ASSERT_EQUAL_size_t(PRB_RESOURCE_QUESTIONS_MAX + 1, questions.count);
    TEST_ASSERT_NOT_NULL(prb_answer_object(&questions, &c1));
    TEST_ASSERT_NULL(prb_answer_resource(&questions, "", "Kind41"));
}

static void test_the_list_of_questions_is_bounded(void)
{
    struct prb_ref ref = prb_world_ref("nodes.v1.//c1");

    for (int i = 0; i < PRB_QUESTIONS_MAX + 10; i++) {
        (void)snprintf(ref.name, sizeof(ref.name), "c%d", i);
        prb_ask_object(&questions, &ref);
    }

    TEST_ASSERT_EQUAL_size_t(PRB_QUESTIONS_MAX, questions.count);
    TEST_ASSERT_NULL(prb_answer_object(&questions, &ref));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_question_is_asked_once);
    RUN_TEST(test_an_answer_is_found_by_its_question);
    RUN_TEST(test_a_name_that_is_none_is_not_asked);
    RUN_TEST(test_kinds_leave_room_for_objects);
    RUN_TEST(test_the_list_of_questions_is_bounded);
    return UNITY_END();
}
