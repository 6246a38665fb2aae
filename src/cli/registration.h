#ifndef PROBATE_SRC_CLI_REGISTRATION_H
#define PROBATE_SRC_CLI_REGISTRATION_H

/*
 * The ValidatingWebhookConfiguration by which the API server calls Probate, as it is now, and the
 * two fields of each webhook in it that are Probate's to set: caBundle and failurePolicy. A webhook
 * whose name does not end in ".probate.dev" is somebody else's, and nothing is done to it.
 *
 * They are set by server-side apply, so that nothing else is touched whoever changes it meanwhile.
 * Ownership is given back at once: a webhook in which another manager owns a field cannot be taken
 * out of the configuration by server-side apply (what is left of it is invalid), and a chart that
 * switches a rule off could not be upgraded.
 */

#include <stdbool.h>

#include "probate/admission/bundle.h"
#include "probate/api/api.h"
#include "probate/cli/rules.h"

/* Webhooks in one configuration: a rule has up to six, and there are ten rules at most. */
#define PRB_WEBHOOKS_MAX 64

/* The configuration as it was read. */
struct prb_registered {
    struct prb_object *config; /* owned; NULL: there is none */
    struct prb_bundle in_all;  /* certificates that every webhook trusts by which anybody can be
                                  called: one whose caBundle says nothing is left out */
    struct prb_bundle in_any;
    bool blank; /* some webhook has no caBundle at all */
};

void prb_registered_done(struct prb_registered *registered);
static inline void prb_registered_donep(struct prb_registered *registered)
{
    prb_registered_done(registered);
}

/* Read it. That there is none is no error. `ret` is empty. */
int prb_registered_read(struct prb_api *api, const char *name, int timeout_ms,
        struct prb_registered *ret, struct prb_error *err);

/*
 * The names of the webhooks that are to fail closed, by the tables of the rules; and of those that
 * are not because their rule only warns or audits: what refuses nothing must not begin to when
 * nobody answers.
 */
struct prb_closed {
    char *names[PRB_WEBHOOKS_MAX]; /* owned, as each of them */

    /* Static; fails closed only as long as this expression is stored with it; NULL: always. */
    const char *conditions[PRB_WEBHOOKS_MAX];
    size_t count;
    char *mild[PRB_WEBHOOKS_MAX];
    size_t mild_count;
};
void prb_closed_init(struct prb_closed *closed, const struct prb_rule_choice *choice);
void prb_closed_done(struct prb_closed *closed);
static inline void prb_closed_donep(struct prb_closed *closed)
{
    prb_closed_done(closed);
}

/* What they should be. */
struct prb_registration_wish {
    const struct prb_bundle *bundle; /* NULL: caBundle is somebody else's to set */
    const struct prb_closed *closed;
    bool confirmed; /* Probate was seen to answer: what is to fail closed may */
};

/* Webhooks that are to fail closed and do not yet; how many, and the first of them in `name`
 * (borrowed; may be NULL). The self-test counts as any other. */
size_t prb_registered_open(const struct prb_registered *registered, const struct prb_closed *closed,
        const char **ret_name);

/* A webhook that stays open since the API server has not stored its condition; borrowed; NULL:
 * there is none. */
const char *prb_registered_unconditional(
        const struct prb_registered *registered, const struct prb_closed *closed);

/* The body of the apply that makes it so, the caller's; NULL: it is so already. */
struct json_object *prb_registration_apply(
        const struct prb_registered *registered, const struct prb_registration_wish *wish);

/* Send it, if it is still the configuration that was read; CONFLICT when it is not. */
int prb_registration_write(struct prb_api *api, const struct prb_registered *registered,
        const struct json_object *body, int timeout_ms, struct prb_error *err);

/* Give back what Probate owns of it, if it owns anything; true: it did. CONFLICT as above. */
bool prb_registration_owns(const struct prb_registered *registered);
int prb_registration_release(struct prb_api *api, const struct prb_registered *registered,
        int timeout_ms, struct prb_error *err);

#endif
