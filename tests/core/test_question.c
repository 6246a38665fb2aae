#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
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

/* ---- by type ---- */

static struct prb_request request;

static void set_request(const char *user)
{
    request = (struct prb_request){ .subject = prb_subject_new(prb_strdup(user), prb_strdup("u-1"),
                                            prb_calloc(1, sizeof(char *)), NULL) };
}

static void test_resources_as_people_write_them_are_asked_about_once(void)
{
    prb_ask_named(&questions, "apps", "Deployment", "ns", "d");
    prb_ask_named(&questions, "apps", "Deployment", "ns", "d");
    prb_ask_named(&questions, "", "namespaces", NULL, "ns");
    prb_ask_finalizer(&questions, "g.io", "things", "g.io/f");
    prb_ask_finalizer(&questions, "g.io", "things", "g.io/f");
    prb_ask_finalizer(&questions, "g.io", "things", "g.io/other");
    TEST_ASSERT_EQUAL_size_t(4, questions.count);
    TEST_ASSERT_EQUAL_PTR(
            &questions.items[0], prb_answer_named(&questions, "apps", "Deployment", "ns", "d"));
    TEST_ASSERT_EQUAL_PTR(
            &questions.items[1], prb_answer_named(&questions, "", "namespaces", "", "ns"));
    TEST_ASSERT_NULL(prb_answer_named(&questions, "apps", "Deployment", "ns", "e"));
    TEST_ASSERT_NULL(prb_answer_named(&questions, "apps", "Deployment", "", "d"));
    TEST_ASSERT_EQUAL_PTR(
            &questions.items[3], prb_answer_finalizer(&questions, "g.io", "things", "g.io/other"));
    TEST_ASSERT_NULL(prb_answer_finalizer(&questions, "", "things", "g.io/f"));
}

/* By one of them a plural may be meant, by the other a kind that is no longer served. */
static void test_a_resource_in_another_case_is_another_question(void)
{
    prb_ask_named(&questions, "apps", "deployment", "ns", "d");
    TEST_ASSERT_NULL(prb_answer_named(&questions, "apps", "Deployment", "ns", "d"));
    prb_ask_named(&questions, "apps", "Deployment", "ns", "d");
    prb_ask_finalizer(&questions, "g.io", "thing", "g.io/f");
    TEST_ASSERT_NULL(prb_answer_finalizer(&questions, "g.io", "Thing", "g.io/f"));
    prb_ask_finalizer(&questions, "g.io", "Thing", "g.io/f");
    TEST_ASSERT_EQUAL_size_t(4, questions.count);
}

static void test_lists_and_access_are_asked_for_once(void)
{
    struct prb_ref c1 = prb_world_ref("criticalservices.v1alpha1.probate.dev//c1");
    struct prb_ref c2 = prb_world_ref("criticalservices.v1alpha1.probate.dev//c2");

    set_request("alice");
    for (int times = 0; times < 2; times++) {
        prb_ask_list(&questions, &c1.gvr);
        prb_ask_access(&questions, &request, "override", &c1);
        prb_ask_access(&questions, &request, "delete", &c1);
        prb_ask_access(&questions, &request, "override", &c2);
    }
    TEST_ASSERT_EQUAL_size_t(4, questions.count);
    TEST_ASSERT_EQUAL_PTR(&questions.items[0], prb_answer_list(&questions, &c1.gvr));
    TEST_ASSERT_EQUAL_PTR(&questions.items[2], prb_answer_access(&questions, "delete", &c1));
    TEST_ASSERT_EQUAL_PTR(&questions.items[3], prb_answer_access(&questions, "override", &c2));
    TEST_ASSERT_NULL(prb_answer_access(&questions, "delete", &c2));
    TEST_ASSERT_EQUAL_STRING("alice", questions.items[1].subject->user);
    prb_subject_unref(request.subject);
}

static void test_what_cannot_be_a_name_is_not_asked_in_any_type(void)
{
    static const struct {
        const char *why, *group, *resource, *namespace, *name, *finalizer;
    } cases[] = {
        { "a group with a slash", "a/b", "things", "", "x", "f" },
        { "a group with letters that none has", "G.io", "things", "", "x", "f" },
        { "no resource", "g.io", "", "", "x", "f" },
        { "a resource with a slash", "g.io", "things/status", "", "x", "f" },
        { "a resource with a dot", "g.io", "things.v1", "", "x", "f" },
        { "a name that leads elsewhere", "g.io", "things", "", "..", "" },
        { "a name with a slash", "g.io", "things", "", "a/b", "" },
        { "a namespace with a slash", "g.io", "things", "a/b", "x", "" },
        { "no name", "g.io", "things", "ns", "", "" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_ask_named(
                &questions, cases[i].group, cases[i].resource, cases[i].namespace, cases[i].name);
        prb_ask_finalizer(&questions, cases[i].group, cases[i].resource, cases[i].finalizer);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(0, questions.count, cases[i].why);
        TEST_ASSERT_NULL_MESSAGE(prb_answer_named(&questions, cases[i].group, cases[i].resource,
                                         cases[i].namespace, cases[i].name),
                cases[i].why);
    }
}

static void test_a_rule_may_hold_an_answer_while_it_asks(void)
{
    struct prb_ref c1 = prb_world_ref("nodes.v1.//c1");
    const struct prb_question *first;
    char name[16];

    prb_ask_object(&questions, &c1);
    first = prb_answer_object(&questions, &c1);
    for (int i = 0; i < PRB_QUESTIONS_MAX + 10; i++) {
        (void)snprintf(name, sizeof(name), "n%d", i);
        prb_ask_named(&questions, "", "pods", "ns", name);
        prb_ask_finalizer(&questions, "", "pods", name);
    }
    TEST_ASSERT_EQUAL_size_t(PRB_QUESTIONS_MAX, questions.count);
    TEST_ASSERT_EQUAL_PTR(first, prb_answer_object(&questions, &c1));

    /* Past the bound nothing is kept, nor lost. */
    set_request("alice");
    prb_ask_access(&questions, &request, "delete", &c1);
    TEST_ASSERT_EQUAL_size_t(PRB_QUESTIONS_MAX, questions.count);
    prb_subject_unref(request.subject);
}

static void test_what_was_asked_is_not_open_any_more(void)
{
    struct prb_ref c1 = prb_world_ref("nodes.v1.//c1");

    TEST_ASSERT_EQUAL_size_t(0, prb_questions_open(&questions));
    prb_ask_object(&questions, &c1);
    prb_ask_list(&questions, &c1.gvr);
    TEST_ASSERT_EQUAL_size_t(2, prb_questions_open(&questions));
    questions.items[0].asked = true;
    TEST_ASSERT_EQUAL_size_t(1, prb_questions_open(&questions));
    prb_ask_object(&questions, &c1);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(1, prb_questions_open(&questions), "it is there already");
}

/* Under the address sanitizer: the copy outlives all it was made from. */
static void test_a_copy_asks_the_same_and_owns_what_it_holds(void)
{
    struct prb_ref c1 = prb_world_ref("nodes.v1.//c1");
    struct prb_question finalizer, access;

    set_request("alice");
    prb_ask_finalizer(&questions, "g.io", "things", "g.io/f");
    prb_ask_access(&questions, &request, "override", &c1);
    questions.items[0].state = PRB_PRESENT;
    questions.items[0].asked = true;
    questions.items[0].holders.count = 1;
    finalizer = prb_question_copy(&questions.items[0]);
    access = prb_question_copy(&questions.items[1]);
    prb_questions_done(&questions);
    prb_subject_unref(request.subject);

    TEST_ASSERT_EQUAL_INT(PRB_ASK_FINALIZER, finalizer.type);
    TEST_ASSERT_EQUAL_STRING("g.io", finalizer.group);
    TEST_ASSERT_EQUAL_STRING("things", finalizer.kind);
    TEST_ASSERT_EQUAL_STRING("g.io/f", finalizer.finalizer);
    TEST_ASSERT_FALSE(finalizer.asked);
    TEST_ASSERT_EQUAL_INT(PRB_UNKNOWN, finalizer.state);
    TEST_ASSERT_EQUAL_size_t(0, finalizer.holders.count);
    TEST_ASSERT_EQUAL_STRING("override", access.verb);
    TEST_ASSERT_EQUAL_STRING("alice", access.subject->user);
    TEST_ASSERT_EQUAL_STRING("u-1", access.subject->uid);
    TEST_ASSERT_TRUE(prb_ref_equal(&c1, &access.ref));
    prb_question_done(&finalizer);
    prb_question_done(&access);
    TEST_ASSERT_NULL(access.subject);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_question_is_asked_once);
    RUN_TEST(test_an_answer_is_found_by_its_question);
    RUN_TEST(test_a_name_that_is_none_is_not_asked);
    RUN_TEST(test_kinds_leave_room_for_objects);
    RUN_TEST(test_the_list_of_questions_is_bounded);
    RUN_TEST(test_resources_as_people_write_them_are_asked_about_once);
    RUN_TEST(test_a_resource_in_another_case_is_another_question);
    RUN_TEST(test_lists_and_access_are_asked_for_once);
    RUN_TEST(test_what_cannot_be_a_name_is_not_asked_in_any_type);
    RUN_TEST(test_a_rule_may_hold_an_answer_while_it_asks);
    RUN_TEST(test_what_was_asked_is_not_open_any_more);
    RUN_TEST(test_a_copy_asks_the_same_and_owns_what_it_holds);
    return UNITY_END();
}
