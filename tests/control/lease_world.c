/* Two candidates for one Lease. */

#include "lease_world.h"

#include <stdlib.h>
#include <string.h>

struct candidate a, b;

static void add_word(struct candidate *candidate, const char *word)
{
    size_t used = strlen(candidate->said);

    (void)prb_copy(candidate->said + used, sizeof(candidate->said) - used, word);
}

static void on_won(void *ctx)
{
    add_word(ctx, "won ");
}

static void on_lost(void *ctx)
{
    struct candidate *candidate = ctx;
    prb_auto(prb_object_unref) struct prb_object *lease = stored("leases", "ns", "lead");

    candidate->released_at_lost = prb_streq(value_at(lease, "/spec/holderIdentity"), "");
    add_word(candidate, "lost ");
}

struct prb_lease_options options_of(struct candidate *candidate, const char *identity)
{
    return (struct prb_lease_options){ .namespace = "ns",
        .name = "lead",
        .identity = identity,
        .clock = &world.clock.clock,
        .safe_until_ms = &candidate->safe_until_ms,
        .won = on_won,
        .lost = on_lost,
        .ctx = candidate };
}

static void make(struct candidate *candidate, const char *identity)
{
    struct prb_lease_options options = options_of(candidate, identity);
    struct prb_error err;

    *candidate = (struct candidate){ .lease = NULL };
    if (prb_lease_new(&world.port.api, &options, &candidate->lease, &err) != 0)
        abort();
}

void lease_world_init(void)
{
    world_init();
    make(&a, "a_1");
    make(&b, "b_2");
}

void lease_world_done(void)
{
    prb_lease_free(a.lease);
    prb_lease_free(b.lease);
    world_done();
}

void advance(int64_t ms)
{
    prb_fake_clock_advance(&world.clock, ms);
}

int64_t now(void)
{
    return world.clock.now_ms;
}

void spoil(const char *verb, enum prb_errc code, int times, bool after)
{
    fault_port_spoil(&world.port,
            (struct fault){ .verb = verb, .code = code, .times = times, .after = after });
}
