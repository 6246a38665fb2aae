#ifndef PROBATE_TESTS_OPS_FIXTURE_H
#define PROBATE_TESTS_OPS_FIXTURE_H

/* An ops server over a made-up world; setUp and tearDown are here. */

#include <stdbool.h>
#include <stddef.h>

#include "probate/admission/ops.h"
#include "probate/base/error.h"

/* What the pages are told; to be changed before the server starts, or between two requests. */
struct world {
    bool synced;
    _Atomic size_t waits;
    const char *_Atomic waits_for;
};
extern struct world world;

extern struct prb_ops *ops;
extern struct prb_error err;

/* On 127.0.0.1, any port, with these limits (0: the default). False: see err. */
bool start(unsigned connections_max, int64_t request_ms, int64_t idle_ms);

/* The same with options of the caller's, whose source is filled in. */
int start_with(struct prb_ops_options *options, struct prb_ops **ret);

char *ask(const char *method, const char *target, const char *headers);

/* Without a server there is nothing to test. */
#define START(...)                      \
    do {                                \
        if (!start(__VA_ARGS__)) {      \
            TEST_FAIL_MESSAGE(err.msg); \
            return;                     \
        }                               \
    } while (0)

#endif
