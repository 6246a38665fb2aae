#ifndef PROBATE_SRC_CLI_SELFTEST_CALL_H
#define PROBATE_SRC_CLI_SELFTEST_CALL_H

/*
 * One dry run through the API server that only Probate can answer: a Lease, labelled as a
 * self-test, that Probate refuses with its name in the text (rules/selftest.c). It changes nothing,
 * and needs no right but that to create a Lease in the namespace of leader election.
 */

#include "probate/api/api.h"

enum prb_selftest {
    PRB_SELFTEST_ANSWERED,
    PRB_SELFTEST_UNASKED, /* it went through: nothing is registered, or what is fails open */
    PRB_SELFTEST_FAILED,  /* the API server could not call Probate, or got no verdict */
    PRB_SELFTEST_UNKNOWN, /* it could not be tried: no right, no server, no such namespace */
};

/* `why` is set, for a person, unless it was answered; its code says what the call returned. */
enum prb_selftest prb_selftest_call(
        struct prb_api *api, const char *namespace, int timeout_ms, struct prb_error *why);

/*
 * What time it is at the API server, by the creationTimestamp of another such dry run, which nobody
 * answers: to the second, wall. The error is that of the call.
 */
int prb_server_time(struct prb_api *api, const char *namespace, int timeout_ms, int64_t *ret_ms,
        struct prb_error *err);

#endif
