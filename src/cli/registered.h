#ifndef PROBATE_SRC_CLI_REGISTERED_H
#define PROBATE_SRC_CLI_REGISTERED_H

/*
 * Which registrations of the rules is a request for? What an API server finds out from the
 * ValidatingWebhookConfiguration that `probate manifest webhook` prints: rules, namespaceSelector
 * and objectSelector, as Kubernetes evaluates them. matchConditions are left out: they only spare
 * calls, and a rule judges what it would not have been asked about as harmless.
 */

#include "probate/api/api.h"
#include "probate/base/cleanup.h"
#include "probate/cli/rules.h"
#include "probate/core/judge.h"

struct prb_registered; /* immutable, shared by threads */

/* `choice` is borrowed. `namespace` is Probate's own, which is exempt as in the manifest. */
int prb_registered_new(const struct prb_rule_choice *choice, const char *namespace,
        struct prb_registered **ret, struct prb_error *err);
void prb_registered_free(struct prb_registered *registered);
PRB_DEFINE_CLEANUP(struct prb_registered *, prb_registered_free)

/* One registration. */
struct prb_registered_call {
    const struct prb_rule *rule; /* static */
    size_t index;                /* of its registrations */
};

struct prb_registered_source {
    struct prb_api *api; /* where Namespaces are */
    struct prb_view *(*open_view)(void *ctx);
    void *ctx;
};

/*
 * Fill `ret`, which has room for prb_registered_count, with those the request is for; the objects
 * of the request are whole. No view is open when Namespaces are looked up. The number of them, or
 * an error: a Namespace could not be looked up. One that is not there has no labels.
 */
int prb_registered_find(const struct prb_registered *registered,
        const struct prb_registered_source *source, const struct prb_request *request,
        struct prb_registered_call *ret, struct prb_error *err);

size_t prb_registered_count(const struct prb_registered *registered);

#endif
