/*
 * Do the five deletes of design 002 resolve themselves in every order, on a hub in memory?
 *
 *     test_orders_hub PROGRAM [PART-OF-A-ROW'S-NAME]
 */

#include <stdio.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/hub/hub.h"

#include "../cli/program.h"
#include "hub_guard.h"
#include "play.h"
#include "support/wait.h"

/* Rows mostly compute, on two cores; but their clients rest now and then. */
#define THREADS 8

void setUp(void)
{
}

void tearDown(void)
{
}

/* The worlds of one table, side by side on one hub. */
struct guarded {
    struct prb_hub *hub;
    enum pace pace;
};

static void check_guarded(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    const struct guarded *guarded = ctx;
    char id[WORLD_ID_SIZE];
    struct play end;

    (void)snprintf(id, sizeof(id), "w%03zu", row);
    play(&(struct play_options){ .api = prb_hub_api(guarded->hub),
                 .id = id,
                 .order = row,
                 .pace = guarded->pace,
                 .guarded = true,
                 .patience_ms = PRB_TEST_SOON_MS },
            &end);
    if (end.why[0])
        (void)snprintf(why, PRB_TEST_WHY_SIZE, "%s", end.why);
    else if (end.stuck)
        (void)snprintf(why, PRB_TEST_WHY_SIZE, "stuck: the Deployment is gone, the CR is not");
    else
        steps_check(&end.steps, why, PRB_TEST_WHY_SIZE);
}

/* The hub asks whom it is told to; but that it is registered is what Probate wants to see before it
 * says that the protection is in force. */
static int register_probate(struct prb_hub *hub, struct prb_error *err)
{
    static const char *const arguments[] = { "manifest", "webhook", "--rules", "critical-service",
        NULL };
    prb_autofree char *manifest = NULL;

    if (program_run(arguments, NULL, &manifest) != 0)
        return prb_fail(err, PRB_E_INVALID, "manifest webhook: %s", manifest);
    return prb_hub_load_text(hub, manifest, strlen(manifest), err);
}

static bool run_guarded(enum pace pace, const char *only)
{
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);
    prb_auto(hub_guard_stop) struct hub_guard *guard = NULL;
    struct prb_error err;

    if (register_probate(hub, &err) < 0 || hub_guard_start(hub, &guard, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return false;
    }
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = ORDERS,
            .threads = THREADS,
            .name = order_name,
            .check = check_guarded,
            .ctx = &(struct guarded){ .hub = hub, .pace = pace },
            .only = only });
    return true;
}

int main(int argc, char **argv)
{
    const char *only = argc > 2 ? argv[2] : NULL;

    if (argc < 2)
        return 2;
    program_path = argv[1];
    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
    UNITY_BEGIN();
    printf("== the controller works beside the clients\n");
    if (!run_guarded(FREE, only))
        return 1;
    printf("== the controller begins when all five were deleted\n");
    if (!run_guarded(SLOW, only))
        return 1;
    return UNITY_END();
}
