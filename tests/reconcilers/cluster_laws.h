#ifndef TESTS_RECONCILERS_CLUSTER_LAWS_H
#define TESTS_RECONCILERS_CLUSTER_LAWS_H

/* What must hold for every change that the controller makes to cluster c1, by what the hub has. */

#include <stdbool.h>

#include "probate/core/changes.h"

#define NS1 NAMESPACES "//c1"

/* Every pass sees what is there: then the order is strict. Otherwise what cannot be undone is. */
extern bool the_cache_is_fresh;

bool is_kept(void);   /* the namespace has the label, and is not going */
bool is_marked(void); /* it has a mark */

/* What is wrong with it, before it is made; NULL: nothing. */
const char *law(const struct prb_change *change);

#endif
