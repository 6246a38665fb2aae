#ifndef TESTS_SUPPORT_FAULT_RULES_H
#define TESTS_SUPPORT_FAULT_RULES_H

/* What the fault proxy is to do to whom, and how often. Thread-safe. */

#include <stdbool.h>

#include "support/api_call.h"

enum prb_fault {
    PRB_FAULT_NONE,
    PRB_FAULT_DROP_BEFORE,   /* cut the connection; the API server never hears of the call */
    PRB_FAULT_DROP_AFTER,    /* the API server has answered, the client sees a cut connection */
    PRB_FAULT_DELAY,         /* forward after delay_ms, also when the client has gone meanwhile */
    PRB_FAULT_TRUNCATE,      /* cut in the middle of the answer's body, or of a watch event */
    PRB_FAULT_BLACKHOLE,     /* accept and say nothing until the rule is cleared or the client goes;
                                a running watch is held up before its next event */
    PRB_FAULT_ANSWER,        /* a metav1.Status with `status`; the API server never hears of it */
    PRB_FAULT_EXPIRE,        /* watch: open, then an ERROR event with 410 */
    PRB_FAULT_SLOW_EVENTS,   /* watch: delay_ms before each event */
    PRB_FAULT_REPEAT_EVENTS, /* watch: each event twice */
};

struct prb_fault_rule {
    enum prb_fault fault;
    const char *verb;     /* borrowed until it was added, as all texts; NULL or "*": any */
    const char *resource; /* as prb_api_call_is_on understands it; NULL or "*": any */
    const char *name;     /* of the object; NULL: any */
    int times;            /* how many calls (or events) it hits; 0: until cleared */
    int delay_ms;
    int status;        /* ANSWER: 400 401 403 404 409 410 422 429 500 503 504 */
    int retry_after_s; /* ANSWER: sent as Retry-After unless 0 */
};

struct prb_fault_rules;
struct prb_fault_rules *prb_fault_rules_new(void);
void prb_fault_rules_free(struct prb_fault_rules *rules);

/* Add a rule after all others; its id, for hits and clear. */
int prb_fault_rules_add(struct prb_fault_rules *rules, const struct prb_fault_rule *rule);
void prb_fault_rules_clear(struct prb_fault_rules *rules, int id); /* 0: all */
unsigned prb_fault_rules_hits(struct prb_fault_rules *rules, int id);

/* What happened to a call: the numbers of the rule that hit it. */
struct prb_fault_hit {
    enum prb_fault fault; /* PRB_FAULT_NONE: nothing is to happen */
    int id;
    int delay_ms, status, retry_after_s;
};

/* What is about to happen. Bookmarks come whenever the server likes, on newer releases many times a
 * second: no rule but BLACKHOLE means them, so that "the next event" is one that a test has caused.
 */
enum prb_fault_stage { PRB_FAULT_AT_REQUEST, PRB_FAULT_AT_EVENT, PRB_FAULT_AT_BOOKMARK };

/* The first rule for this call counts a hit and decides. */
struct prb_fault_hit prb_fault_rules_take(
        struct prb_fault_rules *rules, const struct prb_api_call *call, enum prb_fault_stage stage);

/* Is the rule still there, used up or not? */
bool prb_fault_rules_has(struct prb_fault_rules *rules, int id);

#endif
