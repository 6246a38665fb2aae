#ifndef TESTS_CLUSTERS_OCM_H
#define TESTS_CLUSTERS_OCM_H

/* What OCM's registration controllers do to a deleting cluster, in the same calls. */

#include "estate.h"

/* As estate_found, with rights that others delete. */
int ocm_found(struct estate *estate);

/* The managedcluster controller: all rights are deleted at once; a finalizer keeps the binding of
 * the work agent. */
int ocm_remove_rights(struct estate *estate);

/* The collector: deletes all addons until none is left, then all works until none is, by name
 * alone, again and again; as it does every 5 s, only faster. */
int ocm_collect(struct estate *estate);

#endif
