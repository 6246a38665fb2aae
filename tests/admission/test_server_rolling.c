/*
 * Two servers behind a balancer are restarted one after the other under load, as a rolling update
 * does it, and not one call fails.
 *
 *   test_server_rolling [RESTARTS]
 */

#include <stdio.h>
#include <stdlib.h>
#include <unity.h>

#include "balancer.h"
#include "callers.h"
#include "server_internal.h"
#include "server_world.h"
#include "support/wait.h"

#define INSTANCES 2
#define CALLERS 6

/* Calls that must have been answered between two steps: each caller has had several. */
#define CALLS_BETWEEN 100

static unsigned restarts = 3;

static struct server_world worlds[INSTANCES];
static struct balancer *balancer;
static struct callers callers;

void setUp(void)
{
    balancer = balancer_start();
    for (unsigned i = 0; i < INSTANCES; i++)
        world_init(&worlds[i]);
}

void tearDown(void)
{
    balancer_stop(balancer);
    for (unsigned i = 0; i < INSTANCES; i++)
        world_done(&worlds[i]);
}

static bool start(unsigned index)
{
    /* Both serve the same certificate, as replicas do. */
    const struct prb_tls_options tls = { .cert_pem = worlds[0].certs.cert,
        .key_pem = worlds[0].certs.key };

    if (!world_start(&worlds[index], NULL, &tls))
        return false;
    balancer_set(balancer, index, world_port(&worlds[index]));
    return true;
}

static bool has_calls(void *ctx)
{
    unsigned calls = atomic_load(&callers.calls);

    return calls >= *(unsigned *)ctx || prb_test_saw("%u of %u", calls, *(unsigned *)ctx);
}

static bool wait_for_calls(void)
{
    unsigned wanted = atomic_load(&callers.calls) + CALLS_BETWEEN;

    return prb_test_await("the callers have made more calls", has_calls, &wanted, PRB_TEST_SOON_MS);
}

static bool is_left(void *ctx)
{
    const struct server_world *world = ctx;

    return atomic_load(&world->server->open) == 0;
}

/* Who connected before this call is let in before it: then all are counted. */
static bool all_are_let_in(const struct server_world *world)
{
    prb_autofree char *review = review_of("fine", "u", 0);
    prb_auto(answer_done) struct answer answer = { 0 };

    return https_call_once(world_port(world), worlds[0].client, review, &answer);
}

/* As a pod goes: unready, then asked to end, then gone; and another one comes. */
static bool restart(unsigned index)
{
    struct server_world *world = &worlds[index];

    balancer_set(balancer, index, 0);
    prb_server_drain(world->server);
    /* The delay before the end: each connection is used once more, and closes with the answer. */
    if (!all_are_let_in(world) ||
            !prb_test_await("nobody is connected any more", is_left, world, PRB_TEST_SOON_MS))
        return false;
    world_stop(world, HTTPS_PATIENCE_MS);
    question_port_done(&world->port);
    question_port_init(&world->port);
    return wait_for_calls() && start(index) && wait_for_calls();
}

static void test_rolling_restarts_lose_no_call(void)
{
    unsigned done = 0;

    TEST_ASSERT_TRUE(start(0) && start(1));
    callers = (struct callers){
        .port = balancer_port(balancer), .credentials = worlds[0].client, .count = CALLERS
    };
    callers_start(&callers);
    while (done < restarts && restart(done % INSTANCES))
        done++;
    callers_stop(&callers);
    printf("%u restarts, %u calls over %u connections, %u failures\n", done,
            atomic_load(&callers.calls), atomic_load(&callers.handshakes),
            atomic_load(&callers.failures));
    TEST_ASSERT_EQUAL_UINT(restarts, done);
    TEST_ASSERT_EQUAL_UINT(0, atomic_load(&callers.failures));
    TEST_ASSERT_EQUAL_UINT(0, balancer_refused(balancer));
}

int main(int argc, char **argv)
{
    if (argc > 1)
        restarts = (unsigned)strtoul(argv[1], NULL, 10);
    UNITY_BEGIN();
    RUN_TEST(test_rolling_restarts_lose_no_call);
    return UNITY_END();
}
