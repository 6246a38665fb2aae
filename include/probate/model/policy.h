#ifndef PROBATE_MODEL_POLICY_H
#define PROBATE_MODEL_POLICY_H

/*
 * What a ConfigurationPolicy asks for: its templates, whether it only informs or enforces, what it
 * prunes, and how often it is to be looked at. Everything is borrowed from the policy. Belongs to
 * one thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/model/object.h"

#define PRB_POLICY_GROUP "policy.open-cluster-management.io"
#define PRB_POLICY_KIND "ConfigurationPolicy"

enum prb_prune {
    PRB_PRUNE_NONE, /* also what nobody understands */
    PRB_PRUNE_ALL,
    PRB_PRUNE_IF_CREATED,
};

enum prb_compliance_type { PRB_MUST_HAVE, PRB_MUST_NOT_HAVE };

/* When an object is deleted and made again, instead of being updated. */
enum prb_recreate { PRB_RECREATE_NEVER, PRB_RECREATE_IF_REQUIRED, PRB_RECREATE_ALWAYS };

/* Instead of a time between two evaluations. */
#define PRB_EVALUATE_ON_WATCH INT64_C(0)
#define PRB_EVALUATE_NEVER INT64_C(-1)

/* Shorter intervals count as this: as often as a kind that is not there is looked for again. */
#define PRB_EVALUATE_MIN_MS INT64_C(10000)

struct prb_policy_template {
    size_t index;                         /* in spec.object-templates */
    const struct json_object *definition; /* NULL: not even a map */
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];
    const char *kind, *namespace, *name; /* "" when absent */
    enum prb_compliance_type type;
    enum prb_recreate recreate;
    char defect[256]; /* why nothing is done because of it, for a person; "" */
};

struct prb_policy {
    struct prb_policy_template *templates; /* owned; in the order of the text */
    size_t count;
    bool enforces;
    enum prb_prune prune;
    const struct json_object *namespace_selector; /* NULL: none */
    const struct json_object *messages;           /* spec.customMessage; NULL: none */
    int64_t compliant_ms, noncompliant_ms; /* between evaluations, or one of the words above */
    const char *defect; /* static: why nothing of it is evaluated, for a person; NULL */
};

/* Never fails: what is malformed or not supported is said where it is. */
void prb_policy_read(const struct prb_object *policy, struct prb_policy *ret);
void prb_policy_done(struct prb_policy *policy);
static inline void prb_policy_donep(struct prb_policy *policy)
{
    prb_policy_done(policy);
}

/* Does it prune anything now? Who only informs does not. */
bool prb_policy_prunes(const struct prb_policy *policy);

/*
 * Does one template without a name match, though others are not supported? Policies themselves are
 * known as a whole, so that they can be looked through.
 */
bool prb_policy_template_is_search(const struct prb_policy_template *template);

#endif
