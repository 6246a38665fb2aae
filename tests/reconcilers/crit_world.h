#ifndef TESTS_RECONCILERS_CRIT_WORLD_H
#define TESTS_RECONCILERS_CRIT_WORLD_H

/*
 * A cluster in memory around one CriticalService, what is known of the resources that criteria
 * name, and the changes that the reconciler wants. One world at a time.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/core/changes.h"
#include "probate/model/critical_service.h"
#include "probate/model/view.h"
#include "probate/reconcilers/critical_service.h"

#include "support/world.h"

#define SERVICES "criticalservices.v1alpha1.probate.dev"
#define DEPLOYMENTS "deployments.v1.apps"
#define NAMESPACES "namespaces.v1."
#define WEBHOOKS "validatingwebhookconfigurations.v1.admissionregistration.k8s.io"
#define DEFINITIONS "customresourcedefinitions.v1.apiextensions.k8s.io"
#define COOL "coolresources.v1.my.crd.group"

#define GUARD_KEY SERVICES "//guard"
#define PROVIDER_KEY DEPLOYMENTS "/home/op"
#define HOME_KEY NAMESPACES "//home"

/* Documents: a whole one, and the beginnings of others, to be followed by "metadata: ...". */
#define LABELS "labels: {probate.dev/protected: 'true'}"
#define A_DEPLOYMENT "---\napiVersion: apps/v1\nkind: Deployment\n"
#define A_NAMESPACE "---\napiVersion: v1\nkind: Namespace\n"
#define A_SERVICE "---\napiVersion: probate.dev/v1alpha1\nkind: CriticalService\n"
#define A_COOL "---\napiVersion: my.crd.group/v1\nkind: CoolResource\n"
#define A_DEFINITION "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
#define A_WEBHOOK \
    "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n"

#define PROVIDER                                                                            \
    A_DEPLOYMENT "metadata: {name: op, namespace: home, uid: op-1, resourceVersion: '1'}\n" \
                 "status: {readyReplicas: 1}\n"
#define DEAD_PROVIDER                                                                       \
    A_DEPLOYMENT "metadata: {name: op, namespace: home, uid: op-1, resourceVersion: '1'}\n" \
                 "spec: {replicas: 0}\n"
/* As 0.1 left it. */
#define OLD_PROVIDER                                                                              \
    A_DEPLOYMENT "metadata: {name: op, namespace: home, uid: op-1, resourceVersion: '1', " LABELS \
                 "}\nstatus: {readyReplicas: 1}\n"
#define HOME A_NAMESPACE "metadata: {name: home, uid: home-1, resourceVersion: '1', " LABELS "}\n"

/* The webhooks of the rule that the protection needs, each with room for more. */
#define DELETE_RULES                                                                           \
    "{operations: [DELETE], apiGroups: [apps], apiVersions: ['*'], resources: [deployments], " \
    "scope: Namespaced}"
#define NAMESPACE_RULES                                                                     \
    "{operations: [DELETE], apiGroups: [''], apiVersions: ['*'], resources: [namespaces], " \
    "scope: Cluster}"
#define LABEL_RULES                                                                        \
    "{operations: [UPDATE], apiGroups: [''], apiVersions: ['*'], resources: [namespaces, " \
    "namespaces/status, namespaces/finalize], scope: Cluster}"
#define IF_LABELLED "{matchExpressions: [{key: probate.dev/protected, operator: Exists}]}"
#define TAKEN_OFF "matchConditions: [{name: a, expression: '" PRB_LABEL_TAKEN_OFF "'}]"
#define DELETE_HOOK                                                                                    \
    "{name: critical-service-delete.probate.dev, failurePolicy: Fail, namespaceSelector: " IF_LABELLED \
    ", rules: [" DELETE_RULES "]}"
#define NAMESPACE_HOOK                                                                                 \
    "{name: critical-service-namespace.probate.dev, failurePolicy: Fail, objectSelector: " IF_LABELLED \
    ", rules: [" NAMESPACE_RULES "]}"
#define LABEL_HOOK_OF(policy, more)                                     \
    "{name: critical-service-label.probate.dev, failurePolicy: " policy \
    ", objectSelector: " IF_LABELLED ", rules: [" LABEL_RULES "]" more "}"
#define LABEL_HOOK LABEL_HOOK_OF("Fail", ", " TAKEN_OFF)
#define WEBHOOK_OF(hooks) \
    A_WEBHOOK "metadata: {name: probate, resourceVersion: '1'}\nwebhooks: [" hooks "]\n"
#define WEBHOOK WEBHOOK_OF(DELETE_HOOK ", " NAMESPACE_HOOK ", " LABEL_HOOK)

/* The example of the design: one of each type of criterion. */
#define COOL_CRITERION                                              \
    "{type: Finalizer, finalizer: {group: my.crd.group, resource: " \
    "coolresources, finalizerName: my.crd.group/super-important}}"
#define COOL_TEXT "no coolresources.my.crd.group has the finalizer my.crd.group/super-important"
#define DEFINITION_CRITERION                                                              \
    "{type: SpecificResource, specificResource: {group: apiextensions.k8s.io, resource: " \
    "CustomResourceDefinition, name: coolresources.my.crd.group}}"
#define DEFINITION_TEXT \
    "CustomResourceDefinition.apiextensions.k8s.io coolresources.my.crd.group is gone"

#define GUARD_META "metadata: {name: guard, uid: guard-1, generation: 1, resourceVersion: '1'}\n"
#define GUARD_PROVIDER "provider: {group: apps, resource: deployments, namespace: home, name: op}"
#define GUARD_OF(criteria) \
    A_SERVICE GUARD_META "spec: {" GUARD_PROVIDER ", criteria: [" criteria "]}\n"
#define GUARD GUARD_OF(COOL_CRITERION ", " DEFINITION_CRITERION)
#define COOL_GUARD GUARD_OF(COOL_CRITERION)

/* Objects that have the finalizer. */
#define FINALIZER "finalizers: [my.crd.group/super-important]"
#define SINCE "deletionTimestamp: '2026-01-02T03:00:00Z'"
#define DEFINITION A_DEFINITION "metadata: {name: coolresources.my.crd.group, uid: crd-1}\n"

/* All that there is of a protected provider, but for what its criteria are about. */
#define CALM PROVIDER HOME WEBHOOK

/* The instant of the next decision; CRIT_NOW at the beginning. */
#define CRIT_NOW "2026-01-02T03:12:00Z"
extern int64_t crit_now_ms;

extern struct prb_changes crit_changes; /* of the last decision */

extern struct prb_critical_settings crit_settings; /* of every decision; empty at the beginning */

/* The kinds above are served; coolresources and definitions are known and read. */
void crit_build(const char *yaml);
void crit_done(void);

void crit_add(const char *yaml);
void crit_remove(const char *key);

/* What is known of a resource; what was known of it before is forgotten. `gvr` NULL: ABSENT. */
struct prb_known_resource *crit_know(
        const char *group, const char *name, const char *gvr, bool namespaced);
void crit_forget_resources(void);

/* Nothing of this collection is known (any more). */
void crit_unread(const char *gvr);

void crit_decide(const char *key);

/* Do what was wanted to the world, as the API server would. False: a precondition did not hold. */
bool crit_apply(void);

/*
 * Decide and apply until there is nothing to do; the reasons of the Events on the way, each
 * followed by a blank. Borrowed until the next call. "(restless)" when there is no end.
 */
const char *crit_settle(const char *key);

/* The status of the CriticalService "guard" in the world: "False ProviderAbsent", and what is at a
 * pointer, "" when nothing is. Borrowed until the next call. */
const char *crit_condition(const char *type);
const char *crit_at(const char *key, const char *pointer);

/* Keys that a changed object leads to, one in a line, in the order they were told. */
const char *crit_map(const char *key, const char *gone_yaml);

/* The same for all objects of a collection of the table, in one view, as at a start. */
const char *crit_map_all(const char *gvr);

/* The same for what is known of a collection itself; NULL: of one that was not found. */
const char *crit_map_collection(const char *gvr);

/* Resources that are to be read for the criteria, one in a line. */
const char *crit_wanted(void);

#endif
