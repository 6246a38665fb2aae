/* Does each fault do to watches on a real API server, and to what hangs, what it says? */

#include <pthread.h>
#include <stdlib.h>

#include "probate/base/str.h"

#include "support/fault_bench.h"
#include "support/wait.h"

static bool has_no_watch(void *ctx)
{
    unsigned watches = (unsigned)prb_fault_proxy_watches(ctx, NULL);

    return watches == 0 || prb_test_saw("%u watches", watches);
}

/* A rule that is waited for. */
struct hit {
    struct prb_fault_proxy *proxy;
    int rule;
};

static bool was_hit(void *ctx)
{
    const struct hit *hit = ctx;

    return prb_fault_proxy_hits(hit->proxy, hit->rule) > 0;
}

static int watches_go_through(struct prb_fault_bench *b)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;

    CHECK(b, prb_fault_bench_watch(b, "watched", &log) == 0);
    CHECK(b, prb_fault_bench_create(b, b->direct, "watched") == 0);
    CHECK_CAME(b, prb_watch_log_wait_for(log, PRB_WATCH_ADDED, "watched", PRB_TEST_SOON_MS));
    CHECK(b, prb_fault_proxy_count(b->proxy, "watch", "configmaps") == 1);
    CHECK(b, prb_watch_log_count(log) == 1);
    prb_watch_log_halt(log);
    /* The proxy notices that the client has gone. */
    CHECK_AWAIT(b, "the proxy has no watch any more", has_no_watch, b->proxy);
    return 0;
}

static int watches_are_cut(struct prb_fault_bench *b)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    struct prb_error why;

    CHECK(b, prb_fault_bench_watch(b, "cut", &log) == 0);
    CHECK(b, prb_fault_proxy_cut_watches(b->proxy, "secrets") == 0);
    CHECK(b, prb_fault_proxy_cut_watches(b->proxy, "configmaps") == 1);
    CHECK_CAME(b, prb_watch_log_wait_closed(log, PRB_TEST_SOON_MS, &why));
    CHECK(b, why.code == PRB_OK || why.code == PRB_E_IO);
    return 0;
}

static int watches_expire_at_once(struct prb_fault_bench *b)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    struct prb_error why;

    CHECK(b, prb_fault_bench_watch(b, "expire", &log) == 0);
    CHECK(b, prb_fault_proxy_expire_watches(b->proxy, NULL) == 1);
    CHECK_CAME(b, prb_watch_log_wait_closed(log, PRB_TEST_SOON_MS, &why));
    CHECK(b, why.code == PRB_E_GONE);
    return 0;
}

static int watches_expire_by_rule(struct prb_fault_bench *b)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    struct prb_error why;

    (void)prb_fault_proxy_add(
            b->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_EXPIRE, .verb = "watch" });
    CHECK(b, prb_watch_log_start(b->api, &prb_fault_bench_configmaps,
                     &(struct prb_watch_options){ .namespace = prb_fault_bench_namespace() }, &log,
                     &b->err) == 0);
    CHECK_CAME(b, prb_watch_log_wait_closed(log, PRB_TEST_SOON_MS, &why));
    CHECK(b, why.code == PRB_E_GONE);
    CHECK(b, prb_watch_log_count(log) == 0);
    return 0;
}

static int events_are_slowed(struct prb_fault_bench *b)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    int64_t began;

    CHECK(b, prb_fault_bench_watch(b, "slow", &log) == 0);
    (void)prb_fault_proxy_add(b->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_SLOW_EVENTS,
                                                .delay_ms = PRB_BENCH_DELAY_MS });
    began = prb_test_now_ms();
    CHECK(b, prb_fault_bench_create(b, b->direct, "slow") == 0);
    CHECK_CAME(b, prb_watch_log_wait(log, 1, PRB_TEST_SOON_MS));
    CHECK(b, prb_test_now_ms() - began >= PRB_BENCH_DELAY_MS);
    return 0;
}

static int events_are_repeated(struct prb_fault_bench *b)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;

    CHECK(b, prb_fault_bench_watch(b, "twice", &log) == 0);
    (void)prb_fault_proxy_add(
            b->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_REPEAT_EVENTS, .times = 1 });
    CHECK(b, prb_fault_bench_create(b, b->direct, "twice") == 0);
    CHECK_CAME(b, prb_watch_log_wait(log, 2, PRB_TEST_SOON_MS));
    CHECK(b, prb_streq(prb_watch_log_at(log, 0)->resource_version,
                     prb_watch_log_at(log, 1)->resource_version));
    return 0;
}

static int a_truncated_event_ends_the_watch(struct prb_fault_bench *b)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    struct prb_error why;

    CHECK(b, prb_fault_bench_watch(b, "half", &log) == 0);
    (void)prb_fault_proxy_add(
            b->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_TRUNCATE, .verb = "watch" });
    CHECK(b, prb_fault_bench_create(b, b->direct, "half") == 0);
    CHECK_CAME(b, prb_watch_log_wait_closed(log, PRB_TEST_SOON_MS, &why));
    CHECK(b, prb_watch_log_count(log) == 0);
    return 0;
}

static int a_held_watch_loses_nothing(struct prb_fault_bench *b)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    int rule;

    CHECK(b, prb_fault_bench_watch(b, "held", &log) == 0);
    rule = prb_fault_proxy_add(
            b->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_BLACKHOLE, .verb = "watch" });
    CHECK(b, prb_fault_bench_create(b, b->direct, "held") == 0);
    CHECK_AWAIT(b, "the event is held", was_hit, (&(struct hit){ b->proxy, rule }));
    CHECK(b, prb_watch_log_stays_silent(log, PRB_BENCH_SILENCE_MS));
    CHECK(b, prb_fault_proxy_hits(b->proxy, rule) == 1);
    prb_fault_proxy_clear(b->proxy, rule);
    CHECK_CAME(b, prb_watch_log_wait_for(log, PRB_WATCH_ADDED, "held", PRB_TEST_SOON_MS));
    return 0;
}

static int a_dead_server_refuses_and_comes_back(struct prb_fault_bench *b)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    struct prb_error why;

    CHECK(b, prb_fault_bench_watch(b, "dead", &log) == 0);
    prb_fault_proxy_set_upstream(b->proxy, false);
    CHECK_CAME(b, prb_watch_log_wait_closed(log, PRB_TEST_SOON_MS, &why));
    CHECK(b, prb_fault_bench_get(b, b->api, "dead", 0) == PRB_E_IO);
    prb_fault_proxy_set_upstream(b->proxy, true);
    CHECK(b, prb_fault_bench_get(b, b->api, "dead", 0) == PRB_E_NOTFOUND);
    return 0;
}

/* Of a call that nobody ends: longer than all the waits of a row. */
#define HANG_MS (2 * prb_test_patience_ms(PRB_TEST_SOON_MS))

static void *get_for_long(void *arg)
{
    struct prb_fault_bench *b = arg;

    (void)prb_fault_bench_get(b, b->api, "none", HANG_MS);
    return NULL;
}

static int stopping_ends_what_hangs(struct prb_fault_bench *b)
{
    int rule = prb_fault_proxy_add(b->proxy,
            &(struct prb_fault_rule){ .fault = PRB_FAULT_DELAY, .delay_ms = 2 * HANG_MS });
    int64_t began = prb_test_now_ms();
    bool reached;
    pthread_t thread;

    CHECK(b, pthread_create(&thread, NULL, get_for_long, b) == 0);
    reached = prb_test_await("the call hangs in the proxy", was_hit,
            &(struct hit){ b->proxy, rule }, PRB_TEST_SOON_MS);
    prb_fault_proxy_stop(b->world.proxy);
    b->world.proxy = NULL;
    /* Longer than the call may take that nobody ends. */
    if (!prb_test_join("the call that hung ends", thread, NULL, 4 * PRB_TEST_SOON_MS))
        abort(); /* it has what is freed next */
    CHECK_CAME(b, reached);
    CHECK(b, prb_test_now_ms() - began < HANG_MS);
    CHECK(b, b->err.code == PRB_E_IO);
    return 0;
}

static const struct prb_fault_bench_row rows[] = {
    { "watches go through", watches_go_through },
    { "running watches are cut", watches_are_cut },
    { "running watches expire at once", watches_expire_at_once },
    { "new watches expire by rule", watches_expire_by_rule },
    { "events are slowed", events_are_slowed },
    { "events are repeated", events_are_repeated },
    { "a truncated event ends the watch and is not told", a_truncated_event_ends_the_watch },
    { "a held watch loses nothing", a_held_watch_loses_nothing },
    { "a dead server refuses, and comes back", a_dead_server_refuses_and_comes_back },
    { "stopping ends what hangs", stopping_ends_what_hangs },
};

int main(int argc, char **argv)
{
    return prb_fault_bench_run(
            __FILE__, rows, sizeof(rows) / sizeof(rows[0]), argc > 1 ? argv[1] : NULL);
}
