#ifndef PROBATE_RECONCILERS_POLICY_H
#define PROBATE_RECONCILERS_POLICY_H

/* What others have to know of ConfigurationPolicies. */

/* On a policy while it prunes. */
#define PRB_POLICY_FINALIZER "policy.open-cluster-management.io/delete-related-objects"

/* On what a policy has created: "<uid of the policy>/<token of the intent>". It proves to who finds
 * the intent in the policy's status that this very CREATE was meant, and nothing to anybody else.
 */
#define PRB_ANNOTATION_CREATED_BY "probate.dev/created-by-policy"

#endif
