/* From a request to its verdict: two views, and the port asked between them. */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/admission/engine.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "question_port.h"

static const struct prb_gvr things = { "g.io", "v1", "things" };

static struct question_port port;
static struct prb_store *store;
static int views; /* opened so far */

void setUp(void)
{
    question_port_init(&port);
    store = prb_store_new(&things);
    prb_store_set_synced(store);
    views = 0;
}

void tearDown(void)
{
    prb_store_unref(store);
    question_port_done(&port);
}

static struct prb_view *open_view(void *ctx)
{
    struct prb_store *stores[] = { ctx };

    views++;
    return prb_view_open(stores, 1, 1000);
}

static void ref_of(const char *name, struct prb_ref *ret)
{
    if (!prb_ref_init(ret, &things, "ns", name))
        abort();
}

/*
 * A rule that must know whether the thing named like the user is there, and when the user is named
 * live-to-N, whether live-1 is, and if so whether live-2 is, and so on to live-N.
 */
static void ask(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, struct prb_questions *out)
{
    int last = 0;

    (void)settings;
    (void)view;
    question_add(out, request->subject->user);
    if (prb_starts_with(request->subject->user, "live-to-"))
        last = request->subject->user[strlen("live-to-")] - '0';
    for (int i = 1; i <= last && out->items[i - 1].state == PRB_PRESENT; i++) {
        prb_autofree char *name = prb_asprintf("live-%d", i);

        question_add(out, name);
    }
}

static void judge(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    const struct prb_question *answer;
    struct prb_ref ref;

    (void)settings;
    ref_of(request->subject->user, &ref);
    answer = prb_answer_object(answers, &ref);
    if (!answer || answer->state == PRB_UNKNOWN)
        prb_unverified(out, 1, "not known");
    else if (answer->state == PRB_ABSENT)
        prb_forbid(out, "not there");
    if (prb_view_find(view, &ref))
        prb_caution(out, "in the view by now");
}

static const struct prb_rule_match matches[] = {
    { .group = "g.io", .resource = "things", .operations = PRB_CREATE, .namespaced = true },
};
static const struct prb_rule rule = {
    .name = "test",
    .matches = matches,
    .match_count = 1,
    .ask = ask,
    .judge = judge,
};
static const struct prb_rule_entry entry = { .rule = &rule };
static const struct prb_judge one_rule = { .entries = &entry, .count = 1 };

static char nothing[] = "";

static void run(const char *user, enum prb_operation operation, struct prb_verdict *out)
{
    const struct prb_engine engine = { .judge = &one_rule,
        .api = &port.api,
        .clock = prb_clock_system(),
        .open_view = open_view,
        .ctx = store };
    prb_auto(prb_subject_unref) struct prb_subject *subject =
            prb_subject_new(prb_strdup(user), prb_strdup(""), prb_calloc(1, sizeof(char *)), NULL);
    struct prb_request request = { .uid = nothing,
        .operation = operation,
        .gvr = things,
        .kind = nothing,
        .subresource = nothing,
        .name = nothing,
        .namespace = nothing,
        .subject = subject };
    int64_t now_ms = engine.clock->mono_ms(engine.clock);

    prb_engine_judge(&engine, &request, now_ms + 30000, out);
}

static void test_the_answer_of_the_server_decides(void)
{
    static const struct {
        const char *name;
        enum prb_denial denial;
    } cases[] = {
        { "live", PRB_DENY_NOT },
        { "absent", PRB_DENY_FORBIDDEN },
        { "forbidden", PRB_DENY_UNAVAILABLE },
        { "io", PRB_DENY_UNAVAILABLE },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_verdict_done) struct prb_verdict verdict;

        prb_verdict_init(&verdict);
        run(cases[i].name, PRB_CREATE, &verdict);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].denial, verdict.denial, cases[i].name);
    }
    TEST_ASSERT_EQUAL(4, port.calls);
}

/* Whoever waits for an answer must hold no lock of a store: the informer could not write it. */
static int get_and_store(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct json_object *tree = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(tree, "metadata");

    (void)api;
    (void)options;
    prb_json_set_str(metadata, "name", ref->name);
    prb_json_set_str(metadata, "namespace", ref->namespace);
    if (prb_object_new(tree, ret, err) < 0)
        return err->code;
    (void)prb_store_put(store, *ret);
    return 0;
}

static void test_no_view_is_open_while_the_server_is_asked_and_the_next_one_is_fresh(void)
{
    static const struct prb_api_ops ops = { .get = get_and_store };
    prb_auto(prb_verdict_done) struct prb_verdict verdict;

    port.api.ops = &ops;
    prb_verdict_init(&verdict);
    run("live", PRB_CREATE, &verdict);
    TEST_ASSERT_EQUAL_MESSAGE(3, views, "ask, ask again, decide");
    TEST_ASSERT_EQUAL(1, verdict.warning_count);
    TEST_ASSERT_EQUAL_STRING("in the view by now", verdict.warnings[0]);
}

static void test_what_an_answer_brings_up_is_asked_in_the_next_round(void)
{
    static const struct {
        const char *user;
        int calls;
    } cases[] = {
        { "live", 1 }, { "live-to-1", 2 }, { "live-to-2", 3 }, { "live-to-3", 4 },
        { "live-to-9", PRB_ASK_ROUNDS_MAX }, /* and then it is time to decide */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_verdict_done) struct prb_verdict verdict;

        prb_verdict_init(&verdict);
        port.calls = 0;
        run(cases[i].user, PRB_CREATE, &verdict);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].calls, port.calls, cases[i].user);
        TEST_ASSERT_TRUE_MESSAGE(prb_verdict_allows(&verdict), cases[i].user);
    }
}

static void test_what_no_rule_matches_is_allowed_without_a_question(void)
{
    static const enum prb_operation others[] = { PRB_UPDATE, PRB_DELETE, PRB_CONNECT };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        prb_auto(prb_verdict_done) struct prb_verdict verdict;

        prb_verdict_init(&verdict);
        run("absent", others[i], &verdict);
        TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
        TEST_ASSERT_NULL(verdict.rule);
    }
    TEST_ASSERT_EQUAL(0, port.calls);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_answer_of_the_server_decides);
    RUN_TEST(test_no_view_is_open_while_the_server_is_asked_and_the_next_one_is_fresh);
    RUN_TEST(test_what_an_answer_brings_up_is_asked_in_the_next_round);
    RUN_TEST(test_what_no_rule_matches_is_allowed_without_a_question);
    return UNITY_END();
}
