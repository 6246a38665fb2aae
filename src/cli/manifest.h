#ifndef PROBATE_SRC_CLI_MANIFEST_H
#define PROBATE_SRC_CLI_MANIFEST_H

/* The parts of `probate manifest`: trees made from the tables of rules and controllers. */

#include <stddef.h>

#include "probate/base/error.h"
#include "probate/base/json.h"
#include "probate/cli/controllers.h"
#include "probate/cli/rules.h"

/* Where the chart installs, unless told otherwise. */
#define PRB_MANIFEST_NAMESPACE "probate-system"
#define PRB_MANIFEST_NAME "probate"
#define PRB_MANIFEST_AGENT "probate-agent" /* its roles and its lease */

/* --- manifest_client.c ------------------------------------------------------------------------ */

/* The path on which the server takes reviews; each webhook adds the name of its rule. */
#define PRB_MANIFEST_PATH "/validate"

/*
 * The clientConfig of a webhook. `url` or `service` ("NAMESPACE/NAME[:PORT]") may be NULL, not
 * both; `ca_file` may be NULL. INVALID with the flag in the text.
 */
int prb_manifest_client(const char *url, const char *service, const char *ca_file,
        struct json_object **ret, struct prb_error *err);

/* --- manifest_webhook.c ----------------------------------------------------------------------- */

struct prb_manifest_webhook {
    const char *name;
    const struct json_object *client; /* borrowed, as all here: clientConfig of each webhook */
    const char *namespace;            /* Probate's own, exempted with kube-system; NULL: none is */
    bool conditions;                  /* with matchConditions, which Kubernetes has from 1.28 on */
    const struct prb_rule_choice *choice;
};

/*
 * A ValidatingWebhookConfiguration with one webhook for each registration of each rule. `left_out`
 * is told of a rule that has no kinds to be called for.
 */
struct json_object *prb_manifest_webhook(
        const struct prb_manifest_webhook *options, void (*left_out)(const struct prb_rule *rule));

/* Its namespaceSelector and objectSelector, where it has them, for one registration of a rule. */
void prb_manifest_set_selectors(struct json_object *webhook,
        const struct prb_manifest_webhook *options, const struct prb_rule *rule, size_t index);

/* Kubernetes has it on every Namespace from 1.21 on: its name. */
#define PRB_MANIFEST_NAME_LABEL "kubernetes.io/metadata.name"

/* --- manifest_roles.c ------------------------------------------------------------------------- */

/* "ClusterRole probate" without rules, with its namespace unless that is NULL. */
struct json_object *prb_manifest_role(const char *kind, const char *namespace, const char *name);

struct prb_manifest_binding {
    const char *kind;      /* of the role */
    const char *namespace; /* NULL: of none */
    const char *name;
    const char *role; /* its name */
    const char *account, *account_namespace;
};

struct json_object *prb_manifest_binding(const struct prb_manifest_binding *options);

/* --- manifest_rbac.c -------------------------------------------------------------------------- */

struct prb_manifest_rbac {
    const char *name;
    const char *service_account;
    const char *namespace; /* of the service account */
    const char *lease_namespace, *lease_name;
    const struct prb_rule_choice *choice; /* borrowed, as all here; NULL: no rules */
    const struct prb_controller_choice *controllers;
    const struct prb_gvr *criteria; /* kinds that criteria name, to be read */
    size_t criterion_count;
    const struct prb_claim_kinds *claims; /* of composites, and what they compose; NULL: none */

    /* The ClusterRole that says what works may bring; NULL: one is printed that takes up all roles
     * with the label PRB_MANIFEST_AGGREGATE. */
    const char *apply_role;
};

/* As the reference agent has it, so that roles for it serve Probate too. */
#define PRB_MANIFEST_AGGREGATE "open-cluster-management.io/aggregate-to-work"

typedef void (*prb_manifest_fn)(void *ctx, const struct json_object *manifest);

/* For the cluster: call `each` with ClusterRole and Role, and where works are brought with what
 * they may bring, each followed by its binding; nothing is taken. */
void prb_manifest_rbac(const struct prb_manifest_rbac *options, prb_manifest_fn each, void *ctx);

/* For the hub: the Role in the namespace of the cluster, and its binding. Nothing when no
 * controller looks at the hub. */
void prb_manifest_hub_rbac(
        const struct prb_manifest_rbac *options, prb_manifest_fn each, void *ctx);

/* --- manifest_keep.c -------------------------------------------------------------------------- */

struct prb_manifest_keep {
    const char *name; /* of the roles; borrowed, as all here */
    const char *service_account, *namespace;
    const char *lease_namespace, *lease_name;
    const char *configuration;    /* the ValidatingWebhookConfiguration; NULL: not looked after */
    const char *secret;           /* "NAMESPACE/NAME" of the CAs; NULL: there are none */
    const struct prb_gvr *claims; /* kinds of claims that `remove` takes finalizers off */
    size_t claim_count;
    prb_manifest_fn each;
    void *ctx;
};

/* What `serve` needs for --webhook-configuration and --certs-secret; nothing without them. INVALID
 * when the Secret is not named as it should be. */
int prb_manifest_keeper(const struct prb_manifest_keep *keep, struct prb_error *err);

/* What `remove` and `selftest` need; each runs under an account of its own. */
void prb_manifest_remove(const struct prb_manifest_keep *keep);
void prb_manifest_selftest(const struct prb_manifest_keep *keep);

/* --- manifest_rights.c ------------------------------------------------------------------------ */

/* Rights of many tables, each resource once. */
struct prb_rights {
    struct prb_manifest_right *items; /* owned */
    size_t count;
};

struct prb_manifest_right {
    const char *group, *resource; /* borrowed */
    unsigned verbs;               /* one bit for each verb that is known */
};

void prb_rights_done(struct prb_rights *rights);
static inline void prb_rights_donep(struct prb_rights *rights)
{
    prb_rights_done(rights);
}

/* Unite with what is there; texts are borrowed. A verb that no API has is a defect of the table. */
void prb_rights_add(struct prb_rights *rights, const struct prb_right *table, size_t count);

/* The `rules` of a role: sorted, resources of one group with the same verbs together. */
struct json_object *prb_rights_rules(struct prb_rights *rights);

#endif
