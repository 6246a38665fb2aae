/*
 * Does the scratch reconciler get over an API server that is killed in the middle of its work and
 * stays away for 20 s? On a cluster of the test's own, in the folder $PROBATE_TEST_KILL_DIR.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"

#include "loop.h"
#include "stage.h"
#include "support/api_objects.h"
#include "support/cluster.h"
#include "support/proxied.h"
#include "support/wait.h"
#include "writes.h"

#define PAIRS 24

/* Twins that are gone when the API server is killed. */
#define PAIRS_BEFORE 3

/* What a deletion takes until then: one worker needs longer for the rest of the pairs than the
 * script can take. */
#define DELETION_MS prb_test_patience_ms(1000)

#define AWAY_MS 20000

void setUp(void)
{
}

void tearDown(void)
{
}

/* The time is what the test is about. What was known stays known meanwhile. */
static int stay_away(struct stage *stage, struct loop *loop)
{
    int64_t until;
    size_t known;

    /* What the server had said before it died is heard until the watch ends. */
    if (!prb_test_await("the watch ends with its server", loop_is_cut, loop, PRB_TEST_SOON_MS))
        return stage_fail(stage, "%s", prb_test_awaited());
    known = loop_cached(loop);
    until = prb_test_now_ms() + AWAY_MS;
    /* The keeper, its twin and the lonely twin at least; and what has not gone yet. */
    if (known <= 3)
        return stage_fail(stage, "the cache holds only %zu objects", known);
    while (prb_test_now_ms() < until) {
        if (loop_cached(loop) != known)
            return stage_fail(stage, "the cache changed while the server was away");
        prb_test_pause();
    }
    return 0;
}

static int kill_in_the_middle(
        struct stage *stage, struct loop *loop, struct prb_fault_proxy *proxy, const char *dir)
{
    struct prb_error err;

    if (stage_wait_finalizers(stage) < 0 || stage_delete_originals(stage) < 0 ||
            stage_wait_twins_gone(stage, PAIRS_BEFORE) < 0)
        return -1;
    if (prb_test_cluster_do(dir, "kill-apiserver", &err) < 0)
        return stage_fail(stage, "%s", err.msg);
    if (stage_twins_gone(stage) == PAIRS)
        return stage_fail(stage, "all was done before the API server was killed");
    prb_fault_proxy_clear(proxy, 0);
    if (stay_away(stage, loop) < 0)
        return -1;
    if (prb_test_cluster_do(dir, "start-apiserver", &err) < 0)
        return stage_fail(stage, "%s", err.msg);
    return 0;
}

static int survive(struct stage *stage, struct prb_test_proxied *world, const char *dir)
{
    prb_auto(loop_stop) struct loop loop = { .lease = NULL };
    struct prb_error err;

    (void)prb_fault_proxy_add(world->proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_DELAY,
                                                    .verb = "delete",
                                                    .resource = "configmaps",
                                                    .delay_ms = DELETION_MS });
    if (loop_start(&loop,
                &(struct loop_options){ .api = world->api, .world = stage->world, .workers = 1 },
                &err) < 0)
        return stage_fail(stage, "%s", err.msg);
    if (kill_in_the_middle(stage, &loop, world->proxy, dir) < 0 || stage_wait_gone(stage) < 0)
        return -1;
    loop_stop(&loop);
    if (stage_check_end(stage) < 0)
        return -1;
    return writes_check(stage, world->proxy, true);
}

static void play(const char *dir, char why[PRB_TEST_WHY_SIZE])
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    prb_auto(prb_test_proxied_close) struct prb_test_proxied world = { .proxy = NULL };
    struct stage stage = { .log = NULL };
    struct prb_error err;

    stage.why = why;
    if (prb_test_cluster_do(dir, "up", &err) < 0 ||
            prb_test_cluster_config_in(dir, &config, &err) < 0 ||
            prb_test_proxied_open(&world, config, NULL, &err) < 0) {
        (void)stage_fail(&stage, "%s", err.msg);
        return;
    }
    if (stage_open(&stage, world.direct, "default", PAIRS) == 0)
        (void)survive(&stage, &world, dir);
    stage_close(&stage);
}

static void test_a_killed_api_server_costs_time_and_nothing_else(void)
{
    const char *dir = getenv("PROBATE_TEST_KILL_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    char why[PRB_TEST_WHY_SIZE] = "";
    struct prb_error err;

    TEST_ASSERT_NOT_NULL_MESSAGE(dir, "PROBATE_TEST_KILL_DIR names no folder");
    /* What a run left over that was itself killed. */
    (void)prb_test_cluster_do(dir, "down", &err);
    play(dir, why);
    (void)prb_test_cluster_do(dir, "down", &err);
    TEST_ASSERT_EQUAL_STRING("", why);
}

int main(void)
{
    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
    UNITY_BEGIN();
    RUN_TEST(test_a_killed_api_server_costs_time_and_nothing_else);
    return UNITY_END();
}
