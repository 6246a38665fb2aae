#ifndef TESTS_SUPPORT_FAULT_LOG_H
#define TESTS_SUPPORT_FAULT_LOG_H

/*
 * What went through the fault proxy: how many calls of which sort, and every write in order with
 * what became of it. Thread-safe.
 */

#include <stdbool.h>
#include <stddef.h>

#include "support/api_call.h"

/* Writes remembered: tests make thousands at most. What comes later is counted as lost. */
#define PRB_FAULT_WRITES_MAX 20000

/* Bytes of a request's body kept: patches and DeleteOptions are smaller. */
#define PRB_FAULT_BODY_MAX 4096

/* One write, entered when its answer (or its failure) was known to the proxy. */
struct prb_fault_write {
    struct prb_api_call call;
    int status;             /* of the answer; 0: none came */
    bool reached;           /* it was sent to the API server */
    bool delivered;         /* the client got the answer */
    char *agent;            /* owned: User-Agent of the client, "" when it has none */
    char *body;             /* owned: start of the request's body */
    char *resource_version; /* owned: of the object in the answer; "" when it has none */
};

struct prb_fault_log;
struct prb_fault_log *prb_fault_log_new(void);
void prb_fault_log_free(struct prb_fault_log *log);

/* A call was received. */
void prb_fault_log_count(struct prb_fault_log *log, const struct prb_api_call *call);

/* Calls received so far: NULL or "*" for any verb, resource (as prb_api_call_is_on), name. */
unsigned long prb_fault_log_calls(
        struct prb_fault_log *log, const char *verb, const char *resource, const char *name);

/* Enter a write; its texts are copied. */
void prb_fault_log_write(struct prb_fault_log *log, const struct prb_fault_write *write);

/* Call `each` for the writes in order, with the lock held: it must not touch the proxy. */
typedef void (*prb_fault_write_fn)(void *ctx, const struct prb_fault_write *write);
void prb_fault_log_each_write(struct prb_fault_log *log, prb_fault_write_fn each, void *ctx);

/* Writes that did not fit. */
unsigned long prb_fault_log_lost(struct prb_fault_log *log);

#endif
