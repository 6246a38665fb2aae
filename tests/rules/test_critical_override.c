/* Break-glass by its text: when does the annotation of a DELETE count? */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/core/verdict.h"
#include "probate/model/critical_service.h"
#include "probate/rules/registry.h"

#include "review_request.h"
#include "support/json_text.h"
#include "support/world.h"

/* 2026-01-01T00:00:00Z */
#define NOW INT64_C(1767225600000)

/* A denial as a whole. */
#define SAID_SIZE 4097

static const struct prb_rule *const rule = &prb_rule_critical_service;

static struct prb_world *world;

void setUp(void)
{
    world = prb_world_new(
            "apiVersion: probate.dev/v1alpha1\n"
            "kind: CriticalService\n"
            "metadata: {name: guard}\n"
            "spec:\n"
            "  provider: {group: apps, resource: deployments, namespace: ops, name: op}\n"
            "  criteria:\n"
            "  - {type: Finalizer, finalizer: {resource: secrets, finalizerName: a/b}}\n");
    (void)prb_world_serve(world, "criticalservices.v1alpha1.probate.dev");
}

void tearDown(void)
{
    prb_world_free(world);
}

/* The DELETE of the provider, with this annotation. */
static struct prb_request *request_with(const char *value)
{
    prb_auto(prb_json_free) struct json_object *review =
            prb_test_json("{'request':{'operation':'DELETE','kind':{'kind':'Deployment'},"
                          "'resource':{'group':'apps','version':'v1','resource':'deployments'},"
                          "'userInfo':{'username':'alice'},'oldObject':{'metadata':{'name':'op',"
                          "'namespace':'ops','annotations':{'probate.dev/allow-delete':'%s'}}}}}",
                    value);

    return prb_test_request(review);
}

static bool find_guard(void *ctx, const struct prb_object *object)
{
    struct prb_question *list = ctx;

    list->objects = prb_calloc(1, sizeof(struct prb_object *));
    list->objects[0] = prb_object_ref(object);
    list->object_count = 1;
    return false;
}

/* Everything is there, and everything is allowed. */
static void answer(const struct prb_view *view, struct prb_questions *questions)
{
    for (size_t i = 0; i < questions->count; i++) {
        struct prb_question *question = &questions->items[i];

        if (question->type == PRB_ASK_LIST && !question->asked)
            prb_view_each(view, &prb_critical_services, NULL, find_guard, question);
        question->asked = true;
        question->state = PRB_PRESENT;
    }
}

/* Is it let through, for a user with the right to override? `said` gets the denial. */
static bool breaks(const char *value, char said[SAID_SIZE])
{
    static const struct prb_rule_settings settings;
    prb_auto(prb_request_free) struct prb_request *request = request_with(value);
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, NOW);
    prb_auto(prb_questions_done) struct prb_questions questions;
    prb_auto(prb_verdict_done) struct prb_verdict verdict;

    prb_questions_init(&questions);
    prb_verdict_init(&verdict);
    rule->ask(&settings, request, view, &questions);
    answer(view, &questions);
    rule->ask(&settings, request, view, &questions);
    answer(view, &questions);
    rule->judge(&settings, request, view, &questions, &verdict);
    (void)snprintf(said, SAID_SIZE, "%s", verdict.message ? verdict.message : "");
    return prb_verdict_allows(&verdict);
}

static void test_break_glass_counts_until_its_time_which_is_near(void)
{
    static const struct {
        const char *value;
        const char *flaw; /* NULL: it counts */
    } cases[] = {
        { "until=2026-01-01T00:00:00.001Z why", NULL },
        { "until=2026-01-01T01:00:00Z why", NULL },
        { "until=2026-01-01T01:30:00+01:00 why", NULL },
        { "  until=2026-01-01T00:30:00Z   why not  ", NULL },
        { "until=2026-01-01T00:30:00Z\\twhy", NULL },
        { "until=2026-01-01T00:00:00Z why", "it expired at 2026-01-01T00:00:00Z" },
        { "until=2025-12-31T23:59:59.999Z why", "it expired at 2025-12-31T23:59:59Z" },
        { "until=0000-01-01T00:00:00Z why", "it expired at 0000-01-01T00:00:00Z" },
        { "until=2026-01-01T01:00:00.001Z why", "which is more than an hour ahead" },
        { "until=2026-01-01T01:00:00-01:00 why", "which is more than an hour ahead" },
        { "until=9999-12-31T23:59:59Z why", "which is more than an hour ahead" },
        { "until=2026-01-01 why", "is no RFC 3339 time" },
        { "until=2026-01-01T00:30:00 why", "is no RFC 3339 time" },
        { "until= 2026-01-01T00:30:00Z why", "is no RFC 3339 time" },
        { "until=2026-01-01T00:30:00Z,why", "is no RFC 3339 time" },
        { "until=", "is no RFC 3339 time" },
        { "until=2026-01-01T00:30:00Z", "it gives no reason" },
        { "until=2026-01-01T00:30:00Z \\n\\t ", "it gives no reason" },
        { "", "it gives no reason" },
        { "why", "it has no expiry" },
        { "Until=2026-01-01T00:30:00Z why", "it has no expiry" },
        { "why until=2026-01-01T00:30:00Z", "it has no expiry" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char said[SAID_SIZE];
        bool allows = breaks(cases[i].value, said);

        TEST_ASSERT_EQUAL_MESSAGE(!cases[i].flaw, allows, cases[i].value);
        if (cases[i].flaw && !allows) {
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, cases[i].flaw), said);
            TEST_ASSERT_NOT_NULL_MESSAGE(
                    strstr(said, "kubectl annotate --overwrite deployment op -n ops "
                                 "probate.dev/allow-delete=\"until=2026-01-01T00:30:00Z REASON\""),
                    said);
        }
    }
}

/* What a denial offers counts when it is pasted, also where the clock is half an hour off. */
static void test_the_value_that_a_denial_offers_counts(void)
{
    char said[SAID_SIZE], value[SAID_SIZE] = "";
    const char *offered;

    (void)breaks("why", said);
    offered = strstr(said, "until=");
    TEST_ASSERT_NOT_NULL_MESSAGE(offered, said);
    if (!offered)
        return;
    (void)snprintf(value, sizeof(value), "%.*s", (int)strcspn(offered, "\""), offered);
    TEST_ASSERT_TRUE_MESSAGE(breaks(value, said), value);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_break_glass_counts_until_its_time_which_is_near);
    RUN_TEST(test_the_value_that_a_denial_offers_counts);
    return UNITY_END();
}
