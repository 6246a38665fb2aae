/* Which world do the tests of the ops port see? */

#include "ops_fixture.h"

#include <stdio.h>
#include <unity.h>

#include "probate/base/clock.h"

#include "http_client.h"

struct world world;
struct prb_ops *ops;
struct prb_error err;

static struct prb_fake_clock fake;

static void each_check(void *ctx, prb_ops_check_fn each, void *sink)
{
    struct prb_ops_check good = { "widgets", PRB_OPS_OK, "3 objects" };
    struct prb_ops_check bad = { "gadgets", PRB_OPS_FAILED, "not read yet" };
    struct prb_ops_check info = { "leader", PRB_OPS_INFO, "another one leads" };

    (void)ctx;
    each(sink, &good);
    if (!world.synced)
        each(sink, &bad);
    each(sink, &info);
}

static void each_wait(void *ctx, prb_ops_wait_fn each, void *sink)
{
    struct prb_ref ref = { .gvr = { "example.dev", "v1", "widgets" }, .namespace = "shop" };

    (void)ctx;
    for (size_t i = 0; i < world.waits; i++) {
        struct prb_ops_wait wait = { "sweeper", &ref, world.waits_for, 1000 };

        (void)snprintf(ref.name, sizeof(ref.name), "w%zu", i);
        each(sink, &wait);
    }
}

int start_with(struct prb_ops_options *options, struct prb_ops **ret)
{
    options->source = (struct prb_ops_source){ each_check, each_wait, NULL, &fake.clock };
    return prb_ops_start(options, ret, &err);
}

bool start(unsigned connections_max, int64_t request_ms, int64_t idle_ms)
{
    struct prb_ops_options options = { .host = "127.0.0.1",
        .connections_max = connections_max,
        .first_ms = request_ms,
        .request_ms = request_ms,
        .idle_ms = idle_ms };

    return start_with(&options, &ops) == 0;
}

char *ask(const char *method, const char *target, const char *headers)
{
    return ask_port(prb_ops_port(ops), method, target, headers);
}

void setUp(void)
{
    prb_fake_clock_init(&fake, 61000);
    world.synced = true;
    world.waits = 0;
    world.waits_for = "its parts";
    err = (struct prb_error){ 0 };
    ops = NULL;
}

void tearDown(void)
{
    prb_ops_stop(ops);
    ops = NULL;
}
