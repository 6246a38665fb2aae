#ifndef TESTS_SUPPORT_FAULT_BENCH_H
#define TESTS_SUPPORT_FAULT_BENCH_H

/* A table of checks on the fault proxy: each row has a proxy and clients of its own. */

#include <stddef.h>

#include "support/proxied.h"
#include "support/table.h"
#include "support/temp_dir.h"
#include "support/wait.h"
#include "support/watch_log.h"

/* For what must not come: a round trip takes a few ms, so this is long. */
#define PRB_BENCH_SILENCE_MS 300

/* A delay to be noticed: checks ask for at least this, never for at most. */
#define PRB_BENCH_DELAY_MS 400

/* What one row has. */
struct prb_fault_bench {
    struct prb_test_proxied world;
    struct prb_fault_proxy *proxy; /* borrowed, as both below */
    struct prb_api *api;           /* through the proxy */
    struct prb_api *direct;
    struct prb_error err; /* of the last call through a helper */
    char *why;            /* borrowed */
};

struct prb_fault_bench_row {
    const char *name; /* a sentence */
    int (*check)(struct prb_fault_bench *b);
};

/* main() of a table: `only` runs the rows with that in their name. */
int prb_fault_bench_run(
        const char *file, const struct prb_fault_bench_row *rows, size_t count, const char *only);

int prb_fault_bench_fail(struct prb_fault_bench *b, int line, const char *what);

/* Leaves the row when it is not so. A bare if: not to be used before an else. */
#define CHECK(b, condition) \
    if (!(condition))       \
    return prb_fault_bench_fail((b), __LINE__, #condition)

/* The same for a wait that says whether it came true, and for a condition. */
#define CHECK_CAME(b, came) \
    if (!(came))            \
    return prb_fault_bench_fail((b), __LINE__, prb_test_awaited())
#define CHECK_AWAIT(b, what, holds, ctx) \
    CHECK_CAME((b), prb_test_await((what), (holds), (ctx), PRB_TEST_SOON_MS))

/* The namespace in which all rows work, under names of their own. */
const char *prb_fault_bench_namespace(void);

extern const struct prb_gvr prb_fault_bench_configmaps;

/* Calls on a ConfigMap; they set b->err and return its code. */
int prb_fault_bench_create(struct prb_fault_bench *b, struct prb_api *api, const char *name);
int prb_fault_bench_get(
        struct prb_fault_bench *b, struct prb_api *api, const char *name, int timeout_ms);
int prb_fault_bench_list(struct prb_fault_bench *b);

/* Watch that one ConfigMap through the proxy, and wait until the proxy forwards the watch. */
int prb_fault_bench_watch(struct prb_fault_bench *b, const char *name, struct prb_watch_log **ret);

#endif
