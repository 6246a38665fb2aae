/* Does the scratch reconciler get through each fault of the proxy, losing and doubling nothing? */

#include <stdio.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"

#include "loop.h"
#include "stage.h"
#include "support/api_objects.h"
#include "support/proxied.h"
#include "support/wait.h"
#include "writes.h"

#define PAIRS 8
#define RULES_MAX 4

/* Rows mostly wait; a row is a proxy, two clients and a loop. */
#define THREADS 8

/* For rows in which calls or watches hang: short, so that the row is. A call that is cut off only
 * because the machine is slow may be made twice, and both may succeed: the API server ignores that
 * what a patch lets go of is gone already. */
#define HANG_MS prb_test_patience_ms(1500)

/* How long the API server is away. */
#define AWAY_MS 2000

void setUp(void)
{
}

void tearDown(void)
{
}

struct fault_row {
    const char *name;
    struct prb_fault_rule rules[RULES_MAX]; /* up to the first PRB_FAULT_NONE; all must hit */

    /* What else is done when half of the twins are gone; it has the other half deleted, too. NULL:
     * nothing. */
    int (*middle)(struct stage *stage, struct prb_fault_proxy *proxy);
    bool hangs; /* calls and watches may hang for HANG_MS only */
};

static int cut_watches(struct stage *stage, struct prb_fault_proxy *proxy)
{
    if (stage_delete_half(stage, true) < 0)
        return -1;
    if (prb_fault_proxy_cut_watches(proxy, "configmaps") == 0)
        return stage_fail(stage, "there was no watch to cut");
    return 0;
}

static int expire_watches(struct stage *stage, struct prb_fault_proxy *proxy)
{
    unsigned long lists = prb_fault_proxy_count(proxy, "list", "configmaps");
    struct prb_test_wait wait;

    if (stage_delete_half(stage, true) < 0)
        return -1;
    if (prb_fault_proxy_expire_watches(proxy, "configmaps") == 0)
        return stage_fail(stage, "there was no watch to expire");
    wait = prb_test_wait_for(PRB_TEST_SOON_MS, "the informer lists again after a 410");
    while (prb_fault_proxy_count(proxy, "list", "configmaps") == lists) {
        (void)prb_test_saw("%lu lists", lists);
        if (!prb_test_wait_more(&wait))
            return stage_fail(stage, "%s", prb_test_awaited());
    }
    return 0;
}

/* The watch that runs is held at its next event, and never let go. */
static int hold_watch(struct stage *stage, struct prb_fault_proxy *proxy)
{
    struct prb_test_wait wait;
    int rule = prb_fault_proxy_add(proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_BLACKHOLE,
                                                  .verb = "watch",
                                                  .resource = "configmaps",
                                                  .times = 1 });

    if (stage_delete_half(stage, true) < 0)
        return -1;
    wait = prb_test_wait_for(PRB_TEST_SOON_MS, "an event comes that is held");
    while (prb_fault_proxy_hits(proxy, rule) == 0) {
        if (!prb_test_wait_more(&wait))
            return stage_fail(stage, "%s", prb_test_awaited());
    }
    return 0;
}

/* Down for a while: the time is what the row is about. */
static int take_server_away(struct stage *stage, struct prb_fault_proxy *proxy)
{
    int64_t until;

    if (stage_delete_half(stage, true) < 0)
        return -1;
    until = prb_test_now_ms() + AWAY_MS;
    prb_fault_proxy_set_upstream(proxy, false);
    while (prb_test_now_ms() < until)
        prb_test_pause();
    prb_fault_proxy_set_upstream(proxy, true);
    return 0;
}

#define ON_WRITES(what, ...)                                                     \
    { .fault = (what), .verb = "patch", .resource = "configmaps", __VA_ARGS__ }, \
    {                                                                            \
        .fault = (what), .verb = "delete", .resource = "configmaps", __VA_ARGS__ \
    }

#define ON(what, which, ...)                                                    \
    {                                                                           \
        .fault = (what), .verb = (which), .resource = "configmaps", __VA_ARGS__ \
    }

static const struct fault_row rows[] = {
    { .name = "no fault at all" },
    { .name = "writes dropped before the server",
            .rules = { ON_WRITES(PRB_FAULT_DROP_BEFORE, .times = 5) } },
    { .name = "writes dropped after the server did them",
            .rules = { ON_WRITES(PRB_FAULT_DROP_AFTER, .times = 5) } },
    /* A retry then decides on a cache that does not know of the write yet. */
    { .name = "writes dropped after the server did them, and events slowed",
            .rules = { ON_WRITES(PRB_FAULT_DROP_AFTER, .times = 5),
                    ON(PRB_FAULT_SLOW_EVENTS, "watch", .delay_ms = 100) } },
    { .name = "writes delayed", .rules = { ON_WRITES(PRB_FAULT_DELAY, .delay_ms = 200) } },
    { .name = "answers to writes truncated",
            .rules = { ON_WRITES(PRB_FAULT_TRUNCATE, .times = 5) } },
    { .name = "answers to lists truncated",
            .rules = { ON(PRB_FAULT_TRUNCATE, "list", .times = 2) } },
    { .name = "writes into a black hole",
            .rules = { ON_WRITES(PRB_FAULT_BLACKHOLE, .times = 2) },
            .hangs = true },
    { .name = "watches into a black hole",
            .rules = { ON(PRB_FAULT_BLACKHOLE, "watch", .times = 2) },
            .hangs = true },
    { .name = "403 to writes and reads",
            .rules = { ON_WRITES(PRB_FAULT_ANSWER, .status = 403, .times = 3),
                    ON(PRB_FAULT_ANSWER, "list", .status = 403, .times = 1),
                    ON(PRB_FAULT_ANSWER, "watch", .status = 403, .times = 1) } },
    { .name = "409 to writes",
            .rules = { ON_WRITES(PRB_FAULT_ANSWER, .status = 409, .times = 5) } },
    { .name = "410 to watches",
            .rules = { ON(PRB_FAULT_ANSWER, "watch", .status = 410, .times = 1),
                    ON(PRB_FAULT_EXPIRE, "watch", .times = 1) } },
    { .name = "429 to writes and reads",
            .rules = { ON_WRITES(PRB_FAULT_ANSWER, .status = 429, .retry_after_s = 1, .times = 2),
                    ON(PRB_FAULT_ANSWER, "list", .status = 429, .retry_after_s = 1, .times = 1),
                    ON(PRB_FAULT_ANSWER, "watch", .status = 429, .times = 1) } },
    { .name = "500 to writes and reads",
            .rules = { ON_WRITES(PRB_FAULT_ANSWER, .status = 500, .times = 5),
                    ON(PRB_FAULT_ANSWER, "list", .status = 500, .times = 1),
                    ON(PRB_FAULT_ANSWER, "watch", .status = 500, .times = 1) } },
    { .name = "503 to writes and reads",
            .rules = { ON_WRITES(PRB_FAULT_ANSWER, .status = 503, .times = 5),
                    ON(PRB_FAULT_ANSWER, "list", .status = 503, .times = 1),
                    ON(PRB_FAULT_ANSWER, "watch", .status = 503, .times = 1) } },
    { .name = "watch events slowed",
            .rules = { ON(PRB_FAULT_SLOW_EVENTS, "watch", .delay_ms = 50) } },
    { .name = "watch events repeated", .rules = { ON(PRB_FAULT_REPEAT_EVENTS, "watch") } },
    { .name = "watch events truncated", .rules = { ON(PRB_FAULT_TRUNCATE, "watch", .times = 2) } },
    { .name = "watches cut in the middle", .middle = cut_watches },
    { .name = "watches expired in the middle", .middle = expire_watches },
    { .name = "a running watch into a black hole", .middle = hold_watch, .hangs = true },
    { .name = "the server away in the middle", .middle = take_server_away },
};

static const char *name_at(size_t row)
{
    return rows[row].name;
}

/* The rules take effect before the loop starts. */
static void add_rules(const struct fault_row *row, struct prb_fault_proxy *proxy, int *ids)
{
    for (int i = 0; i < RULES_MAX && row->rules[i].fault != PRB_FAULT_NONE; i++)
        ids[i] = prb_fault_proxy_add(proxy, &row->rules[i]);
}

/* A row whose fault never came would prove nothing. */
static int check_hits(
        struct stage *stage, const struct fault_row *row, struct prb_fault_proxy *proxy, int *ids)
{
    for (int i = 0; i < RULES_MAX && row->rules[i].fault != PRB_FAULT_NONE; i++) {
        unsigned hits = prb_fault_proxy_hits(proxy, ids[i]);

        if (hits == 0 || hits < (unsigned)row->rules[i].times)
            return stage_fail(stage, "rule %d hit only %u times", i, hits);
    }
    return 0;
}

static int act(struct stage *stage, const struct fault_row *row, struct prb_fault_proxy *proxy)
{
    int slow, r;

    if (stage_wait_finalizers(stage) < 0)
        return -1;
    if (!row->middle)
        return stage_delete_originals(stage) < 0 ? -1 : stage_wait_gone(stage);

    /* The middle is when one half is gone and the other half has just begun to go; slowly, so that
     * it is still at it. */
    slow = prb_fault_proxy_add(
            proxy, &(struct prb_fault_rule){
                           .fault = PRB_FAULT_DELAY, .verb = "delete", .delay_ms = 200 });
    if (stage_delete_half(stage, false) < 0 || stage_wait_twins_gone(stage, PAIRS / 2) < 0)
        return -1;
    r = row->middle(stage, proxy);
    prb_fault_proxy_clear(proxy, slow);
    return r < 0 ? -1 : stage_wait_gone(stage);
}

static int play(struct stage *stage, const struct fault_row *row, struct prb_test_proxied *world)
{
    prb_auto(loop_stop) struct loop loop = { .lease = NULL };
    const struct loop_options options = {
        .api = world->api, .world = stage->world, .call_timeout_ms = row->hangs ? HANG_MS : 0
    };
    int ids[RULES_MAX] = { 0 };
    struct prb_error err;

    add_rules(row, world->proxy, ids);
    if (loop_start(&loop, &options, &err) < 0)
        return stage_fail(stage, "%s", err.msg);
    if (act(stage, row, world->proxy) < 0)
        return -1;
    loop_stop(&loop);
    if (check_hits(stage, row, world->proxy, ids) < 0 || stage_check_end(stage) < 0 ||
            stage_check_events(stage) < 0)
        return -1;
    return writes_check(stage, world->proxy, false);
}

static void check_row(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    const struct prb_kube_options options = { .watch_silence_ms = rows[row].hangs ? HANG_MS : 0 };
    prb_auto(prb_test_proxied_close) struct prb_test_proxied world;
    struct stage stage = { .log = NULL };
    struct prb_error err;

    stage.why = why;
    if (prb_test_proxied_open(&world, NULL, &options, &err) < 0) {
        (void)stage_fail(&stage, "%s", err.msg);
        return;
    }
    if (stage_open(&stage, world.direct, ctx, PAIRS) == 0)
        (void)play(&stage, &rows[row], &world);
    stage_close(&stage);
}

int main(int argc, char **argv)
{
    prb_auto(prb_test_proxied_close) struct prb_test_proxied world;
    char ns[PRB_TEST_NAME_SIZE];
    struct prb_error err;

    prb_test_unique_name("scenario-faults", ns);
    if (prb_test_proxied_open(&world, NULL, NULL, &err) < 0 ||
            prb_test_namespace_create(world.direct, ns, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
    UNITY_BEGIN();
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = sizeof(rows) / sizeof(rows[0]),
            .threads = THREADS,
            .name = name_at,
            .check = check_row,
            .ctx = ns,
            .only = argc > 1 ? argv[1] : NULL });
    prb_test_namespace_delete(world.direct, ns);
    return UNITY_END();
}
