/*
 * Does a second process take over when the leader is killed, losing and doubling nothing?
 *
 *     test_scenario_replicas                                       the test
 *     test_scenario_replicas worker KUBECONFIG WORLD NS IDENTITY   one replica, until SIGTERM
 */

#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "loop.h"
#include "stage.h"
#include "support/api_objects.h"
#include "support/process.h"
#include "support/proxied.h"
#include "support/wait.h"
#include "writes.h"

#define PAIRS 12

/* How far the first leader gets before it is killed. */
#define PAIRS_OF_FIRST 3

/* Long against the delays of a busy machine, short against the patience of who runs tests. */
#define LEASE_MS prb_test_patience_ms(12000)

/* What a deletion takes: the first leader needs longer for the rest of the pairs than it can take
 * to kill it. */
#define DELETION_MS prb_test_patience_ms(1000)

static const char *program; /* argv[0] */

void setUp(void)
{
}

void tearDown(void)
{
}

/* ------------------------------------------------------------------------------- the replica */

static int work(const struct loop_options *options, const sigset_t *signals)
{
    prb_auto(loop_stop) struct loop loop = { .lease = NULL };
    struct prb_error err;
    int received;

    if (loop_start(&loop, options, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    (void)sigwait(signals, &received);
    return 0;
}

static int be_worker(char **argv)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    prb_auto(prb_api_close) struct prb_api *api = NULL;
    const struct prb_kube_options kube = { .user_agent = argv[5] };
    struct loop_options options = { .world = argv[3],
        .workers = 1,
        .call_timeout_ms = LEASE_MS / 3,
        .lease_ns = argv[4],
        .lease = argv[3],
        .identity = argv[5],
        .lease_duration_ms = LEASE_MS };
    struct prb_error err;
    sigset_t signals;

    /* Before any thread is there, so that all of them leave the signal to sigwait. */
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (prb_kube_config_load(argv[2], NULL, &config, &err) < 0 ||
            prb_kube_open(config, &kube, &api, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    options.api = api;
    return work(&options, &signals);
}

/* ---------------------------------------------------------------------------------- the test */

/* A process, and the identity under which it competes and is known to the proxy. */
struct replica {
    const char *identity;
    pid_t pid; /* 0: none */
};

static int start(struct stage *stage, struct prb_fault_proxy *proxy, struct replica *replica)
{
    replica->pid = prb_test_spawn(&(struct prb_test_command){
            .argv = (const char *[]){ program, "worker", prb_fault_proxy_kubeconfig(proxy),
                    stage->world, stage->ns, replica->identity, NULL } });
    return replica->pid > 0 ? 0 : stage_fail(stage, "cannot start a replica");
}

static void end(struct replica *replica)
{
    if (replica->pid > 0) {
        (void)kill(replica->pid, SIGKILL);
        (void)prb_test_wait_exit(replica->pid);
    }
    replica->pid = 0;
}

static void endp(struct replica *replica)
{
    end(replica);
}

static bool holds_lease(struct stage *stage, const char *identity)
{
    prb_auto(prb_object_unref) struct prb_object *lease = NULL;
    struct prb_gvr leases;
    struct prb_error err;
    struct prb_ref ref;
    const char *holder;

    (void)prb_gvr_init(&leases, "coordination.k8s.io", "v1", "leases");
    (void)prb_ref_init(&ref, &leases, stage->ns, stage->world);
    if (prb_api_get(stage->api, &ref, NULL, &lease, &err) < 0)
        return prb_test_saw("%s", err.msg);
    holder = prb_json_str(prb_object_spec(lease), "holderIdentity");
    return prb_streq(holder, identity) ||
           prb_test_saw("it is held by \"%s\"", holder ? holder : "");
}

static int wait_holder(struct stage *stage, const char *identity)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "%s has the lease", identity);

    while (!holds_lease(stage, identity)) {
        if (!prb_test_wait_more(&wait))
            return stage_fail(stage, "%s", prb_test_awaited());
    }
    return 0;
}

/* Up to the death of the first leader in the middle of its work. */
static int lead_and_die(struct stage *stage, struct prb_fault_proxy *proxy, struct replica *first,
        struct replica *second)
{
    if (start(stage, proxy, first) < 0 || wait_holder(stage, first->identity) < 0 ||
            start(stage, proxy, second) < 0 || stage_wait_finalizers(stage) < 0 ||
            stage_delete_originals(stage) < 0 || stage_wait_twins_gone(stage, PAIRS_OF_FIRST) < 0)
        return -1;
    if (writes_by(proxy, second->identity) > 0)
        return stage_fail(stage, "the second replica wrote while the first was leading");
    end(first);
    if (stage_twins_gone(stage) == PAIRS)
        return stage_fail(stage, "the first replica was done before it was killed");
    return 0;
}

static int hand_over(struct stage *stage, struct prb_fault_proxy *proxy)
{
    __attribute__((cleanup(endp))) struct replica first = { .identity = "replica-first" };
    __attribute__((cleanup(endp))) struct replica second = { .identity = "replica-second" };
    int code;

    (void)prb_fault_proxy_add(proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_DELAY,
                                             .verb = "delete",
                                             .resource = "configmaps",
                                             .delay_ms = DELETION_MS });
    if (lead_and_die(stage, proxy, &first, &second) < 0)
        return -1;
    prb_fault_proxy_clear(proxy, 0);
    if (wait_holder(stage, second.identity) < 0 || stage_wait_gone(stage) < 0)
        return -1;
    if (writes_by(proxy, first.identity) == 0 || writes_by(proxy, second.identity) == 0)
        return stage_fail(stage, "one of the replicas did not write at all");

    (void)kill(second.pid, SIGTERM);
    code = prb_test_wait_exit(second.pid);
    second.pid = 0;
    if (code != 0)
        return stage_fail(stage, "the second replica ended with %d", code);
    if (!holds_lease(stage, ""))
        return stage_fail(stage, "a replica that ends in good order keeps the lease");
    return stage_check_end(stage) < 0 || stage_check_events(stage) < 0
                   ? -1
                   : writes_check(stage, proxy, false);
}

static void test_a_second_process_takes_over_when_the_leader_is_killed(void)
{
    prb_auto(prb_test_proxied_close) struct prb_test_proxied world = { .proxy = NULL };
    char why[PRB_TEST_WHY_SIZE] = "", ns[PRB_TEST_NAME_SIZE];
    struct stage stage = { .why = why };
    struct prb_error err = { .code = PRB_OK };

    prb_test_unique_name("scenario-replicas", ns);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_proxied_open(&world, NULL, NULL, &err), err.msg);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_namespace_create(world.direct, ns, &err), err.msg);
    if (stage_open(&stage, world.direct, ns, PAIRS) == 0)
        (void)hand_over(&stage, world.proxy);
    stage_close(&stage);
    prb_test_namespace_delete(world.direct, ns);
    TEST_ASSERT_EQUAL_STRING("", why);
}

int main(int argc, char **argv)
{
    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
    program = argv[0];
    if (argc == 6 && prb_streq(argv[1], "worker"))
        return be_worker(argv);
    UNITY_BEGIN();
    RUN_TEST(test_a_second_process_takes_over_when_the_leader_is_killed);
    return UNITY_END();
}
