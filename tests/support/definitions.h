#ifndef TESTS_SUPPORT_DEFINITIONS_H
#define TESTS_SUPPORT_DEFINITIONS_H

/* Kinds that a server does not have by itself. */

#include "probate/api/api.h"

/* Define a kind from FOLDER/NAME.yaml, unless it is, and wait until it is served. */
int prb_test_define(struct prb_api *api, const char *folder, const char *name,
        const struct prb_gvr *gvr, struct prb_error *err);

/* Is it served by now? */
bool prb_test_is_served(struct prb_api *api, const struct prb_gvr *gvr);

/* Does a CustomResourceDefinition say so itself? It may still not be served for a moment; and one
 * that goes before it is established leaves its instances behind, as Kubernetes has it. */
bool prb_test_is_established(const struct prb_object *definition);

#endif
