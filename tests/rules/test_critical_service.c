/* The laws of critical-service that no golden case can show: what happens between question and
 * verdict, and what becomes of texts and numbers that nobody writes by hand. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/critical_service.h"
#include "probate/rules/registry.h"

#include "review_request.h"
#include "support/json_text.h"
#include "support/world.h"

#define SERVICES "criticalservices.v1alpha1.probate.dev"

/* 2026-01-01T00:00:00Z */
#define NOW INT64_C(1767225600000)

static const struct prb_rule *const rule = &prb_rule_critical_service;
static const struct prb_rule_settings settings;

static struct prb_world *world;
static struct prb_request *request;
static struct prb_questions questions;
static struct prb_verdict verdict;

static const char guard[] =
        "apiVersion: probate.dev/v1alpha1\n"
        "kind: CriticalService\n"
        "metadata: {name: guard}\n"
        "spec:\n"
        "  provider: {group: apps, resource: deployments, namespace: ops, name: op}\n"
        "  criteria:\n"
        "  - {type: Finalizer, finalizer: {resource: secrets, finalizerName: a/b}}\n";

static void begin(const char *resource, const char *old)
{
    prb_auto(prb_json_free) struct json_object *review =
            prb_test_json("{'request':{'operation':'DELETE','kind':{'kind':'K'},'resource':%s,"
                          "'userInfo':{'username':'alice'},'oldObject':{'metadata':%s}}}",
                    resource, old);

    request = prb_test_request(review);
}

static void begin_deployment(const char *metadata)
{
    begin("{'group':'apps','version':'v1','resource':'deployments'}", metadata);
}

/* By the registration for Deployments in labelled Namespaces. */
static void begin_labelled(const char *metadata)
{
    begin_deployment(metadata);
    request->route = "labelled";
}

void setUp(void)
{
    world = prb_world_new("");
    (void)prb_world_serve(world, SERVICES);
    prb_questions_init(&questions);
    prb_verdict_init(&verdict);
    request = NULL;
}

void tearDown(void)
{
    prb_world_free(world);
    prb_request_free(request);
    prb_questions_done(&questions);
    prb_verdict_done(&verdict);
}

static void ask(void)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, NOW);

    rule->ask(&settings, request, view, &questions);
}

static void judge(void)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, NOW);

    rule->judge(&settings, request, view, &questions, &verdict);
}

/* A CriticalService from its spec; a reference of the caller. */
static struct prb_object *service_of(const char *name, const char *spec)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(
            prb_test_json("{'metadata':{'name':'%s','uid':'u-%s'},'spec':%s}", name, name, spec),
            &object, &err);
    return object;
}

/* What is listed live; takes the objects. */
static void answer_list(struct prb_object **objects, size_t count)
{
    struct prb_question *list = NULL;

    for (size_t i = 0; i < questions.count; i++) {
        if (questions.items[i].type == PRB_ASK_LIST)
            list = &questions.items[i];
    }
    if (!list) {
        for (size_t i = 0; i < count; i++)
            prb_object_unref(objects[i]);
        return;
    }
    list->asked = true;
    list->state = PRB_PRESENT;
    list->objects = prb_calloc(count + 1, sizeof(struct prb_object *));
    list->object_count = count;
    for (size_t i = 0; i < count; i++)
        list->objects[i] = objects[i];
}

/* Everything that is open, the same way. */
static void answer_rest(enum prb_answer_state state)
{
    for (size_t i = 0; i < questions.count; i++) {
        if (questions.items[i].asked)
            continue;
        questions.items[i].asked = true;
        questions.items[i].state = state;
    }
}

static size_t count_of(enum prb_question_type type)
{
    size_t count = 0;

    for (size_t i = 0; i < questions.count; i++)
        count += questions.items[i].type == type;
    return count;
}

#define PROVIDER \
    "'provider':{'group':'apps','resource':'deployments','namespace':'ops','name':'op'}"

static const char other_spec[] =
        "{" PROVIDER ",'criteria':[{'type':'SpecificResource','specificResource':"
        "{'resource':'configmaps','namespace':'a','name':'b'}}]}";

/* ---- between question and verdict ---- */

static void test_a_guard_that_comes_between_question_and_verdict_is_not_ignored(void)
{
    begin_deployment("{'name':'op','namespace':'ops'}");
    ask();
    TEST_ASSERT_EQUAL_size_t(0, questions.count);
    prb_world_add(world, guard);
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_UNAVAILABLE, verdict.denial);
    TEST_ASSERT_EQUAL_INT(5, verdict.retry_after_s);
}

static void test_a_guard_that_only_the_cache_knows_of_refuses_nothing(void)
{
    prb_world_add(world, guard);
    begin_deployment("{'name':'op','namespace':'ops'}");
    ask();
    TEST_ASSERT_EQUAL_size_t(1, count_of(PRB_ASK_FINALIZER));
    answer_list(NULL, 0);
    answer_rest(PRB_PRESENT);
    judge();
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
}

static void test_criteria_that_hold_by_the_cache_alone_let_nothing_go(void)
{
    prb_world_add(world, guard);
    begin_deployment("{'name':'op','namespace':'ops'}");
    ask();
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_UNAVAILABLE, verdict.denial);
}

static void test_what_the_live_list_demands_is_asked_in_the_next_round(void)
{
    struct prb_object *listed[] = { service_of("guard", other_spec) };
    size_t before;

    prb_world_add(world, guard);
    begin_deployment("{'name':'op','namespace':'ops'}");
    ask();
    TEST_ASSERT_EQUAL_size_t(3, questions.count);
    answer_list(listed, 1);
    answer_rest(PRB_ABSENT);
    ask();
    TEST_ASSERT_EQUAL_size_t(1, count_of(PRB_ASK_NAMED));
    TEST_ASSERT_EQUAL_size_t(1, prb_questions_open(&questions));
    answer_rest(PRB_PRESENT);
    before = questions.count;
    ask();
    TEST_ASSERT_EQUAL_size_t(before, questions.count);
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, verdict.denial);
}

/* When that takes until the deadline there is no time left for it afterwards. */
static void test_the_right_to_override_is_asked_for_beside_what_stands_in_the_way(void)
{
    struct prb_object *listed[] = { service_of("guard", other_spec) };

    begin_labelled("{'name':'op','namespace':'ops',"
                   "'annotations':{'probate.dev/allow-delete':'until=2026-01-01T00:30:00Z x'}}");
    ask();
    TEST_ASSERT_EQUAL_size_t(2, questions.count);
    answer_list(listed, 1);
    ask();
    TEST_ASSERT_EQUAL_size_t(1, count_of(PRB_ASK_ACCESS));
    for (size_t i = 0; i < questions.count; i++) {
        if (questions.items[i].type == PRB_ASK_ACCESS)
            questions.items[i].state = PRB_PRESENT;
        questions.items[i].asked = true;
    }
    judge();
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
    TEST_ASSERT_EQUAL_STRING("x", verdict.override_reason);
}

/* It comes from something in between: every API server serves them. */
static void test_that_deployments_are_not_served_does_not_say_that_one_is_gone(void)
{
    begin("{'group':'probate.dev','version':'v1alpha1','resource':'criticalservices'}",
            "{'name':'guard'},'spec':{'provider':{'group':'apps','resource':'deployments',"
            "'namespace':'ops','name':'op'}}");
    ask();
    TEST_ASSERT_EQUAL_size_t(1, count_of(PRB_ASK_OBJECT));
    answer_rest(PRB_ABSENT);
    judge();
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
    (void)prb_copy(
            questions.items[0].error.reason, sizeof(questions.items[0].error.reason), "NotServed");
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_UNAVAILABLE, verdict.denial);
}

static void test_a_reason_that_steers_a_terminal_stays_one_line(void)
{
    struct prb_object *listed[] = { service_of("guard", other_spec) };

    begin_labelled("{'name':'op','namespace':'ops',"
                   "'annotations':{'probate.dev/allow-delete':'until=2026-01-01T00:30:00Z \\n "
                   "a\\u001b[2Jb \\n'}}");
    ask();
    answer_list(listed, 1);
    ask();
    answer_rest(PRB_PRESENT);
    ask();
    answer_rest(PRB_PRESENT);
    judge();
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
    TEST_ASSERT_EQUAL_size_t(1, verdict.warning_count);
    if (verdict.warning_count == 1) {
        TEST_ASSERT_NULL(strchr(verdict.warnings[0], '\x1b'));
        TEST_ASSERT_NOT_NULL(strstr(verdict.warnings[0], "(probate.dev/allow-delete: a [2Jb)"));
    }
}

/* Break-glass is for deletions: nobody is sent to look for it in vain. */
static void test_who_takes_the_label_off_is_not_told_of_break_glass(void)
{
    prb_auto(prb_json_free) struct json_object *review =
            prb_test_json("{'request':{'operation':'UPDATE','kind':{'kind':'Namespace'},"
                          "'resource':{'group':'','version':'v1','resource':'namespaces'},"
                          "'object':{'metadata':{'name':'ops'}},"
                          "'oldObject':{'metadata':{'name':'ops',"
                          "'labels':{'probate.dev/protected':'true'}}}}}");
    struct prb_object *listed[] = { service_of("guard", other_spec) };

    request = prb_test_request(review);
    ask();
    answer_list(listed, 1);
    ask();
    answer_rest(PRB_PRESENT);
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, verdict.denial);
    TEST_ASSERT_NULL(strstr(verdict.message ? verdict.message : "", "allow-delete"));
}

/* ---- sizes ---- */

static struct json_object *long_criteria(size_t name_length)
{
    struct json_object *list = json_object_new_array();

    for (int i = 0; i < PRB_CRITERIA_MAX; i++) {
        char name[PRB_NAME_SIZE];

        memset(name, 'x', name_length);
        name[name_length] = '\0';
        name[0] = (char)('a' + i % 26);
        name[1] = (char)('a' + i / 26);
        prb_json_push(
                list, prb_test_json("{'type':'SpecificResource','specificResource':{'resource':"
                                    "'configmaps','namespace':'ns','name':'%s'}}",
                              name));
    }
    return list;
}

static struct prb_object *long_service(const char *name, size_t name_length)
{
    struct json_object *tree =
            prb_test_json("{'metadata':{'name':'%s'},'spec':{" PROVIDER "}}", name);
    struct prb_object *object = NULL;
    struct prb_error err;

    prb_json_set(prb_json_obj(tree, "spec"), "criteria", long_criteria(name_length));
    (void)prb_object_new(tree, &object, &err);
    return object;
}

/* However much stands in the way, what to do is told. */
static void test_the_longest_denial_ends_with_what_to_do(void)
{
    struct prb_object *listed[] = { long_service("guard", 253) };

    begin_labelled("{'name':'op','namespace':'ops'}");
    ask();
    answer_list(listed, 1);
    ask();
    for (size_t i = 0; i < questions.count; i += 2) {
        /* Every other one cannot be told. */
        if (!questions.items[i].asked)
            (void)prb_fail(&questions.items[i].error, PRB_E_UNAVAILABLE, "%0200d", 7);
        questions.items[i].asked = true;
    }
    answer_rest(PRB_PRESENT);
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, verdict.denial);
    TEST_ASSERT_NOT_NULL(verdict.message);
    if (!verdict.message)
        return;
    TEST_ASSERT_LESS_THAN_size_t(4096, strlen(verdict.message));
    TEST_ASSERT_NOT_NULL(strstr(verdict.message, "Beside that, "));
    TEST_ASSERT_NOT_NULL(strstr(verdict.message, "Delete these first"));
    TEST_ASSERT_NOT_NULL(
            strstr(verdict.message, "\"override\" criticalservices.probate.dev guard"));
}

/* More guards than one review has questions: the rest is unknown, not fulfilled. */
static void judge_crowd(void)
{
    struct prb_object *listed[20];

    for (size_t i = 0; i < 20; i++) {
        char name[] = { 'g', (char)('a' + i), '\0' };

        listed[i] = long_service(name, 20 + i);
    }
    ask();
    answer_list(listed, 20);
    ask();
    TEST_ASSERT_EQUAL_size_t(PRB_QUESTIONS_MAX, questions.count);
    for (size_t i = 0; i < questions.count; i++) {
        if (questions.items[i].type != PRB_ASK_OBJECT)
            continue;
        questions.items[i].asked = true;
        questions.items[i].state = PRB_PRESENT;
    }
    answer_rest(PRB_ABSENT);
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, verdict.denial); /* a retry would not help */
    TEST_ASSERT_NOT_NULL(strstr(verdict.message ? verdict.message : "", "more than 256 look-ups"));
    TEST_ASSERT_GREATER_THAN_size_t(0, verdict.note_count);
    TEST_ASSERT_LESS_OR_EQUAL_size_t(PRB_NOTES_MAX, verdict.note_count);
}

static bool advises(const char *text)
{
    return verdict.message && strstr(verdict.message, text);
}

static void test_what_there_is_no_room_to_ask_of_a_namespace_is_unknown(void)
{
    begin("{'group':'','version':'v1','resource':'namespaces'}",
            "{'name':'ops','labels':{'probate.dev/protected':'true'}}");
    judge_crowd();
    TEST_ASSERT_TRUE(
            advises("Delete the Deployments that they protect first, one by one, or give"));
}

static void test_what_there_is_no_room_to_ask_of_a_deployment_is_unknown(void)
{
    begin_labelled("{'name':'op','namespace':'ops'}");
    judge_crowd();
    TEST_ASSERT_TRUE(advises("Give them fewer criteria"));
    TEST_ASSERT_FALSE(advises("one by one"));
}

/* As many as a list may have, of which one counts. */
static void test_a_guard_is_found_among_thousands(void)
{
    prb_autofree struct prb_object **listed = prb_calloc(PRB_ASK_LIST_MAX, sizeof(*listed));

    for (size_t i = 0; i < PRB_ASK_LIST_MAX; i++) {
        prb_autofree char *name = prb_asprintf("s%zu", i);
        prb_autofree char *spec = prb_asprintf("{'provider':{'group':'apps','resource':"
                                               "'deployments','namespace':'ops','name':'%s'}}",
                name);

        listed[i] = i == 4321 ? service_of("guard", other_spec) : service_of(name, spec);
    }
    begin_labelled("{'name':'op','namespace':'ops'}");
    ask();
    answer_list(listed, PRB_ASK_LIST_MAX);
    ask();
    TEST_ASSERT_EQUAL_size_t(3, questions.count);
    answer_rest(PRB_PRESENT);
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, verdict.denial);
    TEST_ASSERT_EQUAL_size_t(1, verdict.note_count);
    if (verdict.note_count == 1)
        TEST_ASSERT_EQUAL_STRING("u-guard", verdict.notes[0].guard_uid);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_guard_that_comes_between_question_and_verdict_is_not_ignored);
    RUN_TEST(test_a_guard_that_only_the_cache_knows_of_refuses_nothing);
    RUN_TEST(test_criteria_that_hold_by_the_cache_alone_let_nothing_go);
    RUN_TEST(test_what_the_live_list_demands_is_asked_in_the_next_round);
    RUN_TEST(test_the_right_to_override_is_asked_for_beside_what_stands_in_the_way);
    RUN_TEST(test_that_deployments_are_not_served_does_not_say_that_one_is_gone);
    RUN_TEST(test_a_reason_that_steers_a_terminal_stays_one_line);
    RUN_TEST(test_who_takes_the_label_off_is_not_told_of_break_glass);
    RUN_TEST(test_the_longest_denial_ends_with_what_to_do);
    RUN_TEST(test_what_there_is_no_room_to_ask_of_a_namespace_is_unknown);
    RUN_TEST(test_what_there_is_no_room_to_ask_of_a_deployment_is_unknown);
    RUN_TEST(test_a_guard_is_found_among_thousands);
    return UNITY_END();
}
