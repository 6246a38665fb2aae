#ifndef TESTS_ADVERSARY_GATE_H
#define TESTS_ADVERSARY_GATE_H

/*
 * What an API server does between a write and its storage: for each webhook of the configuration
 * that `probate manifest webhook` prints, it finds out whether the write is for it (rules,
 * namespaceSelector, objectSelector, matchConditions), sends the AdmissionReview to Probate over
 * TLS, and goes by the answer, or where none came in time by the failurePolicy. All of that is made
 * here anew, so that the test does not ask the code that it tests. Thread-safe.
 */

#include <stdint.h>

#include "probate/admission/certs.h"
#include "probate/cli/rules.h"
#include "probate/hub/hub.h"

struct gate;

struct gate_options {
    struct prb_hub *hub;                  /* borrowed, as all here */
    const struct prb_rule_choice *choice; /* the rules that are registered */
    const struct prb_certs *certs;        /* Probate's; their CA is trusted */
    bool keeps_conditions;                /* else matchConditions are dropped */
};

/* From its return on every write to the hub goes through the gate. */
struct gate *gate_open(const struct gate_options *options);

/* The hub asks nobody any more. NULL is fine. */
void gate_close(struct gate *gate);

/* Where Probate listens; 0: nobody does. */
void gate_set_port(struct gate *gate, uint16_t port);

/* The AdmissionReview of a write, as an API server sends it; the caller frees. (gate_review.c) */
char *gate_review(const struct prb_hub_write *write);

#endif
