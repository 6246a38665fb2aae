#ifndef TESTS_ADVERSARY_TARGET_ROLES_H
#define TESTS_ADVERSARY_TARGET_ROLES_H

/* Who may do what on the real API server. */

/* What works and policies bring here: a role beside those of the chart. */
#define TARGET_BROUGHT                                                                            \
    "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: brought, "    \
    "labels: {open-cluster-management.io/aggregate-to-work: 'true'}}, rules: [{apiGroups: [''], " \
    "resources: [configmaps], verbs: [get, list, watch, create, update, patch, delete]}]}"

/* The chart's values for Probate, as YAML; the caller frees. */
char *target_values(void);

/*
 * The roles and bindings of the player, as YAML; the caller frees. Every right to what is played
 * with, but for the definition of CriticalServices, which can be changed and not deleted; none to
 * override, and none to registrations, roles or Probate.
 */
char *target_player_roles(void);

#endif
