/* Is a provider guarded while others hold every connection that Probate has? */

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <unity.h>

#include "probate/admission/ops.h"
#include "probate/admission/server.h"
#include "probate/base/mem.h"

#include "../admission/http_client.h"
#include "critical.h"

/* More than are open at once, with those that are on their way out. */
#define HELD (PRB_SERVER_CONNECTIONS_MAX + 200)
#define HELD_OPS (PRB_OPS_CONNECTIONS_MAX + 32)

/* And all that the test itself has open. */
#define FILES (HELD + HELD_OPS + 128)

static struct bench *held;
static int fds[HELD], ops_fds[HELD_OPS];

/* Those that were closed are opened again. */
static void hold(uint16_t port, int *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (at[i] >= 0)
            (void)close(at[i]);
        at[i] = dial(port);
    }
}

static void let_go(int *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (at[i] >= 0)
            (void)close(at[i]);
        at[i] = -1;
    }
}

static bool run(const char *command, const char *input, int code, const char *text)
{
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };
    prb_autofree char *wanted = kubectl_expand(text, "held");
    bool good;

    kubectl_run(&held->kubectl, "held", command, input, &answer);
    /* One that waits may have been refused something on its way to a good end. */
    good = (code ? answer.code == code && answer.exit != 0 : answer.exit == 0) &&
           strstr(answer.text, wanted);
    if (!good)
        printf("%s: %d, not %d: %s\n", command, answer.code, code, answer.text);
    return good;
}

#define DENIAL                                                                        \
    "Deployment @/provider cannot be deleted yet: CriticalService @ demands that no " \
    "coolresources.my.crd.group has the finalizer example.dev/@, but " DATA           \
    "/@ (not being deleted) "                                                         \
    "has it"

static void raise_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= FILES)
        return;
    limit.rlim_cur = limit.rlim_max < FILES ? limit.rlim_max : FILES;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static void test_a_provider_is_guarded_while_others_hold_every_connection(void)
{
    const struct program *program = &held->programs[DENYING];
    uint16_t port = bench_admission_port(held, DENYING);

    raise_limit();
    memset(fds, -1, sizeof(fds));
    memset(ops_fds, -1, sizeof(ops_fds));
    TEST_ASSERT_TRUE(run("create", A_SERVICE, 0, "created"));
    TEST_ASSERT_TRUE(
            run("wait --for=condition=Protected --timeout=60s criticalservice/@" CLUSTER_WIDE, NULL,
                    0, "condition met"));
    for (int i = 0; i < 3; i++) {
        prb_autofree char *health = NULL;

        hold(port, fds, HELD);
        hold(program->port, ops_fds, HELD_OPS);
        TEST_ASSERT_TRUE(fds[HELD - 1] >= 0 && ops_fds[HELD_OPS - 1] >= 0);
        TEST_ASSERT_TRUE(run(DELETE_PROVIDER, NULL, 403, DENIAL));
        health = program_get(program, "/healthz");
        ASSERT_STATUS(health, 200);
    }
    TEST_ASSERT_TRUE(run(LET_GO("@"), NULL, 0, "patched"));
    hold(port, fds, HELD);
    TEST_ASSERT_TRUE(run(DELETE_PROVIDER, NULL, 0, "deleted"));
    let_go(fds, HELD);
    let_go(ops_fds, HELD_OPS);
    TEST_ASSERT_TRUE(run(DELETE_SERVICE, NULL, 0, "deleted"));
    TEST_ASSERT_TRUE(run(DELETE_NAMESPACE, NULL, 0, "deleted"));
}

void run_critical_held_tests(struct bench *bench)
{
    held = bench;
    UnitySetTestFile(__FILE__);
    RUN_TEST(test_a_provider_is_guarded_while_others_hold_every_connection);
}
