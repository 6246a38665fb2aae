#ifndef PROBATE_SRC_CLI_KEEPER_H
#define PROBATE_SRC_CLI_KEEPER_H

/*
 * Keeps the API server able to call Probate: this replica's leaf, the CAs that sign it (mode
 * `self`: --certs-secret), and the registration (--webhook-configuration). Every replica looks at
 * both objects now and then, signs its own leaf, and knows whether the API server would trust it.
 * Only the one that leads writes: it rotates and repairs the CAs, puts them into every caBundle,
 * makes a self-test through the API server, and when that is answered lets those webhooks fail
 * closed that are meant to; one that has a condition only when the stored registration was read
 * back and has it. They never go back to failing open by themselves, but for one that has lost its
 * condition.
 *
 * What is not known changes nothing: a Secret that cannot be read leaves the CAs as they are.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/admission/authority.h"
#include "probate/admission/ops.h"
#include "probate/admission/tls.h"
#include "probate/api/api.h"
#include "probate/cli/list.h"
#include "probate/cli/rules.h"

/* A look costs two small reads; what it looks for happens a few times a year. */
#define PRB_KEEPER_LOOK_MS 10000

/* While something is under way, or does not work. */
#define PRB_KEEPER_SOON_MS 1000

/* A leaf that the API server does not trust makes its replica unready after so long: three looks,
 * so that a bundle which is being written, or an old answer, does not. */
#define PRB_KEEPER_MISTRUST_MS 30000

/* Whether all is well is tried out again that often, and the clocks are compared. */
#define PRB_KEEPER_TEST_MS 300000

/* A self-test that fails is repeated after so long: each holds the API server up for its timeout.
 */
#define PRB_KEEPER_RETEST_MS 2000

/* Of one call, so that no write outlasts the third of a lease (15 s) that is left to its loser. */
#define PRB_KEEPER_CALL_MS 5000

struct prb_keeper_options {
    struct prb_api *api;          /* borrowed, as all here */
    const char *secret;           /* "NAMESPACE/NAME"; NULL: certificates come from files */
    const struct prb_list *names; /* that the leaf is for; needed with a secret */
    const char *configuration;    /* NULL: the registration is somebody else's */
    const char *ca_bundle;        /* file for caBundle; NULL: without a secret, not ours */
    const char *namespace;        /* in which self-tests may create Leases, as dry runs */
    const struct prb_rule_choice *choice;
    const struct prb_ca_policy *policy; /* NULL: prb_ca_policy */
    const struct prb_clock *clock;      /* NULL: the system's */
    int64_t look_ms, soon_ms;           /* 0: the constants above; tests are in a hurry */

    /* Is this the replica that acts? Asked before each write, from the keeper's thread. */
    bool (*leads)(void *ctx);
    void *ctx;
};

struct prb_keeper;

/* Do the flags go together? INVALID with the flag in the text. Looks at no more than them. */
int prb_keeper_check(const struct prb_keeper_options *options, struct prb_error *err);

/* INVALID as above. */
int prb_keeper_new(
        const struct prb_keeper_options *options, struct prb_keeper **ret, struct prb_error *err);
void prb_keeper_free(struct prb_keeper *keeper); /* after it was stopped; NULL is fine */
PRB_DEFINE_CLEANUP(struct prb_keeper *, prb_keeper_free)

/* The time that certificates go by; borrowed. */
const struct prb_clock *prb_keeper_clock(const struct prb_keeper *keeper);

/*
 * With a secret, before anything is served: a first leaf, signed by a CA of the Secret (which is
 * made when there is none), or else by one that nobody trusts, until there is a better one. The
 * texts stay the keeper's until it is started.
 */
int prb_keeper_first(struct prb_keeper *keeper, const char **ret_cert, const char **ret_key,
        struct prb_error *err);

/* Look from now on, on a thread of its own, and keep `tls` (borrowed) up to date. */
int prb_keeper_start(struct prb_keeper *keeper, struct prb_tls *tls, struct prb_error *err);

/* One look, as the thread does it: for tests, instead of the thread. How long to wait until the
 * next. */
void prb_keeper_serve(struct prb_keeper *keeper, struct prb_tls *tls);
int64_t prb_keeper_look(struct prb_keeper *keeper);

/* End the thread; idempotent, NULL is fine. A call that it is in is waited for. */
void prb_keeper_stop(struct prb_keeper *keeper);

/* What /readyz shows: "trust" (of which alone readiness depends), "registration", "clock". */
void prb_keeper_each_check(struct prb_keeper *keeper, prb_ops_check_fn each, void *sink);

#endif
