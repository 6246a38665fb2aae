#ifndef TESTS_CLAIMS_PROVIDER_H
#define TESTS_CLAIMS_PROVIDER_H

/*
 * Crossplane and a provider, as far as they matter to a deletion: composites lose Crossplane's
 * finalizer as soon as they are being deleted, whatever is below them; leaves lose the provider's
 * when what they stand for is gone, which takes a moment. Nothing is done to an object with the
 * label "held".
 */

#include <pthread.h>
#include <stdbool.h>

#include "probate/api/api.h"

#define COMPOSITE_FINALIZER "composite.apiextensions.crossplane.io"
#define LEAF_FINALIZER "finalizer.managedresource.crossplane.io"
#define HELD_LABEL "held"

struct provider {
    struct prb_api *api; /* borrowed */
    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* over: */
    bool over;
};

int provider_start(struct provider *provider, struct prb_api *api, struct prb_error *err);
void provider_stop(struct provider *provider);

#endif
