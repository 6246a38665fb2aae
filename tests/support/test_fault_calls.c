/* Does each fault do to single calls on a real API server what it says? */

#include <stdlib.h>
#include <string.h>

#include "probate/base/str.h"

#include "support/api_objects.h"
#include "support/fault_bench.h"
#include "support/json_text.h"
#include "support/wait.h"

/* Half of it is enough for a call to reach the proxy, on a machine that is busy. */
#define LATE_MS prb_test_patience_ms(6000)

static int calls_go_through_and_are_counted(struct prb_fault_bench *b)
{
    CHECK(b, prb_fault_bench_create(b, b->api, "count") == 0);
    CHECK(b, prb_fault_bench_get(b, b->api, "count", 0) == 0);
    CHECK(b, prb_fault_bench_get(b, b->api, "count-none", 0) == PRB_E_NOTFOUND);
    CHECK(b, prb_fault_bench_list(b) == 0);
    CHECK(b, prb_fault_proxy_count(b->proxy, "create", "configmaps") == 1);
    CHECK(b, prb_fault_proxy_count(b->proxy, "get", "configmaps") == 2);
    CHECK(b, prb_fault_proxy_count_named(b->proxy, "get", "configmaps", "count") == 1);
    CHECK(b, prb_fault_proxy_count(b->proxy, "list", "*") == 1);
    CHECK(b, prb_fault_proxy_count(b->proxy, "patch", "configmaps") == 0);
    return 0;
}

static int the_kubeconfig_it_writes_works(struct prb_fault_bench *b)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    prb_auto(prb_api_close) struct prb_api *api = NULL;

    CHECK(b, prb_kube_config_load(prb_fault_proxy_kubeconfig(b->proxy), NULL, &config, &b->err) ==
                     0);
    CHECK(b, prb_kube_open(config, NULL, &api, &b->err) == 0);
    CHECK(b, prb_fault_bench_get(b, api, "none", 0) == PRB_E_NOTFOUND);
    CHECK(b, prb_fault_proxy_count_named(b->proxy, "get", "configmaps", "none") == 1);
    return 0;
}

struct last_write {
    struct prb_fault_write write; /* texts are not kept */
    char version[32], agent[64], body[256];
    int count;
};

static void keep_last(void *ctx, const struct prb_fault_write *write)
{
    struct last_write *last = ctx;

    last->write = *write;
    last->count++;
    (void)prb_copy(last->version, sizeof(last->version), write->resource_version);
    (void)prb_copy(last->agent, sizeof(last->agent), write->agent);
    (void)prb_copy(last->body, sizeof(last->body), write->body);
}

static int writes_are_logged(struct prb_fault_bench *b)
{
    struct last_write last = { .count = 0 };

    CHECK(b, prb_fault_bench_create(b, b->api, "log") == 0);
    CHECK(b, prb_fault_bench_list(b) == 0);
    prb_fault_proxy_each_write(b->proxy, keep_last, &last);
    CHECK(b, last.count == 1 && prb_fault_proxy_lost_writes(b->proxy) == 0);
    CHECK(b, last.write.status == 201 && last.write.reached && last.write.delivered);
    CHECK(b, prb_streq(last.write.call.verb, "create"));
    CHECK(b, prb_streq(last.write.call.ref.namespace, prb_fault_bench_namespace()));
    CHECK(b, last.version[0] && prb_starts_with(last.agent, "probate/"));
    CHECK(b, strstr(last.body, "\"log\""));
    return 0;
}

/* A connection that has served a call before is told from a new one: a client that repeats by
 * itself on a broken old connection would double the write. */
static int drop(struct prb_fault_bench *b, enum prb_fault fault, const char *name)
{
    CHECK(b, prb_fault_bench_get(b, b->api, name, 0) == PRB_E_NOTFOUND);
    (void)prb_fault_proxy_add(
            b->proxy, &(struct prb_fault_rule){ .fault = fault, .verb = "create", .times = 1 });
    CHECK(b, prb_fault_bench_create(b, b->api, name) == PRB_E_IO);
    CHECK(b, prb_fault_proxy_count(b->proxy, "create", "configmaps") == 1);
    return 0;
}

static int a_call_dropped_before_did_not_happen(struct prb_fault_bench *b)
{
    struct last_write last = { .count = 0 };

    if (drop(b, PRB_FAULT_DROP_BEFORE, "before") < 0)
        return -1;
    CHECK(b, prb_fault_bench_get(b, b->direct, "before", 0) == PRB_E_NOTFOUND);
    prb_fault_proxy_each_write(b->proxy, keep_last, &last);
    CHECK(b, last.count == 1 && last.write.status == 0 && !last.write.reached);
    CHECK(b, prb_fault_bench_create(b, b->api, "before") == 0);
    return 0;
}

static int a_call_dropped_after_did_happen(struct prb_fault_bench *b)
{
    struct last_write last = { .count = 0 };

    if (drop(b, PRB_FAULT_DROP_AFTER, "after") < 0)
        return -1;
    CHECK(b, prb_fault_bench_get(b, b->direct, "after", 0) == 0);
    prb_fault_proxy_each_write(b->proxy, keep_last, &last);
    CHECK(b, last.count == 1 && last.write.status == 201);
    CHECK(b, last.write.reached && !last.write.delivered);
    CHECK(b, prb_fault_bench_create(b, b->api, "after") == PRB_E_EXISTS);
    return 0;
}

static int a_delayed_call_comes_late(struct prb_fault_bench *b)
{
    int64_t began = prb_test_now_ms();

    (void)prb_fault_proxy_add(b->proxy,
            &(struct prb_fault_rule){ .fault = PRB_FAULT_DELAY, .delay_ms = PRB_BENCH_DELAY_MS });
    CHECK(b, prb_fault_bench_get(b, b->api, "none", 0) == PRB_E_NOTFOUND);
    CHECK(b, prb_test_now_ms() - began >= PRB_BENCH_DELAY_MS);
    return 0;
}

static bool is_written(void *ctx)
{
    struct prb_fault_bench *b = ctx;

    return prb_fault_bench_get(b, b->direct, "late", 0) == 0 || prb_test_saw("%s", b->err.msg);
}

static int a_delayed_write_happens_although_nobody_waits(struct prb_fault_bench *b)
{
    struct prb_ref ref = prb_test_configmap(prb_fault_bench_namespace(), "late");
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'late','namespace':'%s'}}",
            prb_fault_bench_namespace());
    const struct prb_write_options impatient = { .timeout_ms = LATE_MS / 2 };

    CHECK(b, prb_fault_bench_get(b, b->api, "late", 0) == PRB_E_NOTFOUND); /* it is connected */
    (void)prb_fault_proxy_add(
            b->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_DELAY, .delay_ms = LATE_MS });
    CHECK(b, prb_api_create(b->api, &ref, body, &impatient, NULL, &b->err) == PRB_E_IO);
    CHECK_AWAIT(b, "the write has happened", is_written, b);
    return 0;
}

static int a_truncated_answer_is_an_error(struct prb_fault_bench *b)
{
    int rule = prb_fault_proxy_add(
            b->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_TRUNCATE, .verb = "list" });

    CHECK(b, prb_fault_bench_create(b, b->api, "trunc") == 0);
    CHECK(b, prb_fault_bench_list(b) == PRB_E_IO);
    CHECK(b, prb_fault_proxy_hits(b->proxy, rule) >= 1);
    prb_fault_proxy_clear(b->proxy, rule);
    CHECK(b, prb_fault_bench_list(b) == 0);
    return 0;
}

static int a_black_hole_says_nothing(struct prb_fault_bench *b)
{
    int64_t began = prb_test_now_ms();
    int rule = prb_fault_proxy_add(
            b->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_BLACKHOLE, .verb = "get" });

    CHECK(b, prb_fault_bench_get(b, b->api, "none", PRB_BENCH_SILENCE_MS) == PRB_E_IO);
    CHECK(b, prb_test_now_ms() - began >= PRB_BENCH_SILENCE_MS);
    CHECK(b, prb_fault_bench_list(b) == 0);
    prb_fault_proxy_clear(b->proxy, rule);
    CHECK(b, prb_fault_bench_get(b, b->api, "none", 0) == PRB_E_NOTFOUND);
    return 0;
}

static int answers_are_what_the_rule_says(struct prb_fault_bench *b)
{
    static const struct {
        int status;
        enum prb_errc code;
        const char *reason;
    } cases[] = {
        { 401, PRB_E_UNAUTHORIZED, "Unauthorized" },
        { 403, PRB_E_FORBIDDEN, "Forbidden" },
        { 409, PRB_E_CONFLICT, "Conflict" },
        { 410, PRB_E_GONE, "Expired" },
        { 422, PRB_E_INVALID, "Invalid" },
        { 429, PRB_E_THROTTLED, "TooManyRequests" },
        { 500, PRB_E_UNAVAILABLE, "InternalError" },
        { 503, PRB_E_UNAVAILABLE, "ServiceUnavailable" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int rule =
                prb_fault_proxy_add(b->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_ANSWER,
                                                      .resource = "configmaps",
                                                      .status = cases[i].status });

        CHECK(b, prb_fault_bench_create(b, b->api, "answer") == (int)cases[i].code);
        CHECK(b, b->err.status == cases[i].status);
        CHECK(b, prb_streq(b->err.reason, cases[i].reason));
        prb_fault_proxy_clear(b->proxy, rule);
    }
    CHECK(b, prb_fault_bench_get(b, b->direct, "answer", 0) == PRB_E_NOTFOUND);
    return 0;
}

/* The client is told when to come back, and comes back by itself within its deadline. */
static int retry_after_is_sent(struct prb_fault_bench *b)
{
    int64_t began = prb_test_now_ms();
    int rule = prb_fault_proxy_add(b->proxy,
            &(struct prb_fault_rule){
                    .fault = PRB_FAULT_ANSWER, .status = 429, .retry_after_s = 1, .times = 1 });

    CHECK(b, prb_fault_bench_create(b, b->api, "retry") == 0);
    CHECK(b, prb_test_now_ms() - began >= 1000);
    CHECK(b, prb_fault_proxy_hits(b->proxy, rule) == 1);
    CHECK(b, prb_fault_proxy_count(b->proxy, "create", "configmaps") == 2);
    return 0;
}

static int other_objects_are_spared(struct prb_fault_bench *b)
{
    (void)prb_fault_proxy_add(b->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_ANSWER,
                                                .resource = "configmaps",
                                                .name = "hit",
                                                .status = 403 });
    CHECK(b, prb_fault_bench_get(b, b->api, "hit", 0) == PRB_E_FORBIDDEN);
    CHECK(b, prb_fault_bench_get(b, b->api, "spared", 0) == PRB_E_NOTFOUND);
    return 0;
}

static const struct prb_fault_bench_row rows[] = {
    { "calls go through and are counted by verb, resource and name",
            calls_go_through_and_are_counted },
    { "the kubeconfig it writes works", the_kubeconfig_it_writes_works },
    { "writes are logged with status, version, agent and body", writes_are_logged },
    { "a call dropped before the server did not happen", a_call_dropped_before_did_not_happen },
    { "a call dropped after the server did happen, once", a_call_dropped_after_did_happen },
    { "a delayed call comes late", a_delayed_call_comes_late },
    { "a delayed write happens although nobody waits any more",
            a_delayed_write_happens_although_nobody_waits },
    { "a truncated answer is an error", a_truncated_answer_is_an_error },
    { "a black hole says nothing", a_black_hole_says_nothing },
    { "answers are what the rule says", answers_are_what_the_rule_says },
    { "Retry-After is sent and followed", retry_after_is_sent },
    { "a rule for one object spares the others", other_objects_are_spared },
};

int main(int argc, char **argv)
{
    return prb_fault_bench_run(
            __FILE__, rows, sizeof(rows) / sizeof(rows[0]), argc > 1 ? argv[1] : NULL);
}
