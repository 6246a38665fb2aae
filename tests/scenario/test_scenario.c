/*
 * Does the scratch reconciler do its work, the same on the hub and on a real API server?
 *
 *     test_scenario hub|cluster [PART-OF-A-ROW'S-NAME]
 */

#include <stdio.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/str.h"
#include "probate/hub/hub.h"
#include "probate/kube/kube.h"

#include "loop.h"
#include "stage.h"
#include "support/api_objects.h"
#include "support/cluster.h"
#include "support/wait.h"

#define PAIRS 12

/* Nobody waits for it to expire; a busy server may take seconds to renew it. */
#define LEASE_MS prb_test_patience_ms(15000)

void setUp(void)
{
}

void tearDown(void)
{
}

/* What all rows share. */
struct target {
    struct prb_api *api;
    char ns[PRB_TEST_NAME_SIZE];
};

static int end_well(struct stage *stage)
{
    return stage_wait_gone(stage) < 0 || stage_check_end(stage) < 0 || stage_check_events(stage) < 0
                   ? -1
                   : 0;
}

static int twins_go_first(struct stage *stage)
{
    prb_auto(loop_stop) struct loop loop = { .lease = NULL };
    struct prb_error err;

    if (loop_start(&loop, &(struct loop_options){ .api = stage->api, .world = stage->world },
                &err) < 0)
        return stage_fail(stage, "%s", err.msg);
    if (stage_wait_finalizers(stage) < 0 || stage_delete_originals(stage) < 0)
        return -1;
    return end_well(stage);
}

/* What was deleted while nobody looked is seen to afterwards. */
static int a_loop_that_comes_late_catches_up(struct stage *stage)
{
    struct prb_error err;
    const struct loop_options options = { .api = stage->api, .world = stage->world };
    struct loop loop;

    if (loop_start(&loop, &options, &err) < 0)
        return stage_fail(stage, "%s", err.msg);
    if (stage_wait_finalizers(stage) < 0) {
        loop_stop(&loop);
        return -1;
    }
    loop_stop(&loop);
    if (stage_delete_originals(stage) < 0)
        return -1;
    if (loop_start(&loop, &options, &err) < 0)
        return stage_fail(stage, "%s", err.msg);
    (void)end_well(stage);
    loop_stop(&loop);
    return 0;
}

static bool leads(void *ctx)
{
    const struct loop *loop = ctx;

    return prb_lease_leads(loop->lease);
}

static int compete(struct stage *stage, struct loop *loop, const char *identity)
{
    struct prb_error err;
    const struct loop_options options = { .api = stage->api,
        .world = stage->world,
        .call_timeout_ms = LEASE_MS / 3,
        .lease_ns = stage->ns,
        .lease = stage->world,
        .identity = identity,
        .lease_duration_ms = LEASE_MS };

    return loop_start(loop, &options, &err) < 0 ? stage_fail(stage, "%s", err.msg) : 0;
}

static int a_second_replica_takes_over(struct stage *stage)
{
    prb_auto(loop_stop) struct loop first = { .lease = NULL };
    prb_auto(loop_stop) struct loop second = { .lease = NULL };

    if (compete(stage, &first, "first") < 0)
        return -1;
    if (!prb_test_await("the first replica leads", leads, &first, PRB_TEST_SOON_MS))
        return stage_fail(stage, "%s", prb_test_awaited());
    if (compete(stage, &second, "second") < 0 || stage_wait_finalizers(stage) < 0)
        return -1;
    if (prb_lease_leads(second.lease))
        return stage_fail(stage, "both replicas lead");
    loop_stop(&first);
    if (!prb_test_await("the second replica takes over", leads, &second, PRB_TEST_SOON_MS))
        return stage_fail(stage, "%s", prb_test_awaited());
    return stage_delete_originals(stage) < 0 ? -1 : end_well(stage);
}

static const struct {
    const char *name;
    int (*check)(struct stage *stage);
} rows[] = {
    { "every original gets its finalizer, and goes after its twin", twins_go_first },
    { "a loop that comes late catches up", a_loop_that_comes_late_catches_up },
    { "a second replica takes over from one that stops", a_second_replica_takes_over },
};

static const char *name_at(size_t row)
{
    return rows[row].name;
}

static void check_row(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    const struct target *target = ctx;
    struct stage stage = { .log = NULL };

    stage.why = why;
    if (stage_open(&stage, target->api, target->ns, PAIRS) == 0)
        (void)rows[row].check(&stage);
    stage_close(&stage);
}

static int run(struct target *target, const char *only)
{
    struct prb_error err;

    prb_test_unique_name("scenario", target->ns);
    if (prb_test_namespace_create(target->api, target->ns, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
    UNITY_BEGIN();
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = sizeof(rows) / sizeof(rows[0]),
            .threads = (int)(sizeof(rows) / sizeof(rows[0])),
            .name = name_at,
            .check = check_row,
            .ctx = target,
            .only = only });
    prb_test_namespace_delete(target->api, target->ns);
    return UNITY_END();
}

static int run_on_cluster(const char *only)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct target target = { .api = NULL };
    struct prb_error err;
    int code;

    if (prb_test_cluster_config(&config, &err) < 0 ||
            prb_kube_open(config, NULL, &target.api, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    code = run(&target, only);
    prb_api_close(target.api);
    return code;
}

int main(int argc, char **argv)
{
    const char *only = argc > 2 ? argv[2] : NULL;

    if (argc > 1 && prb_streq(argv[1], "cluster"))
        return run_on_cluster(only);
    if (argc > 1 && prb_streq(argv[1], "hub")) {
        prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);

        return run(&(struct target){ .api = prb_hub_api(hub) }, only);
    }
    (void)fprintf(stderr, "usage: %s hub|cluster [PART-OF-A-ROW'S-NAME]\n", argv[0]);
    return 2;
}
