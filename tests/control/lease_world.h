#ifndef TESTS_CONTROL_LEASE_WORLD_H
#define TESTS_CONTROL_LEASE_WORLD_H

/*
 * Two candidates for one Lease on a hub. They take their steps by hand, and both see the same fake
 * clock.
 */

#include "hub_world.h"
#include "lease_internal.h"

enum { DURATION = 15000, DEADLINE = 10000, RETRY = 2000 };

struct candidate {
    struct prb_lease *lease; /* owned */
    char said[64];           /* what was called, in order: "won lost " */
    bool released_at_lost;   /* was the Lease free already when `lost` was called? */
    _Atomic int64_t safe_until_ms;
};
extern struct candidate a, b;

void lease_world_init(void);
void lease_world_done(void);

/* Those of a candidate; DURATION by default. */
struct prb_lease_options options_of(struct candidate *candidate, const char *identity);

void advance(int64_t ms);
int64_t now(void);

/* The next calls (-1: all) of a verb fail; `after`: they are made, and their answers lost. */
void spoil(const char *verb, enum prb_errc code, int times, bool after);

#define ASSERT_LEASE(pointer, want)                                                            \
    do {                                                                                       \
        prb_auto(prb_object_unref) struct prb_object *lease_ = stored("leases", "ns", "lead"); \
        TEST_ASSERT_EQUAL_STRING((want), value_at(lease_, (pointer)));                         \
    } while (0)

#endif
