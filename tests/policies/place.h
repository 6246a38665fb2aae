#ifndef TESTS_POLICIES_PLACE_H
#define TESTS_POLICIES_PLACE_H

/*
 * A cluster that policies are about: a hub in memory, or a real API server behind a proxy; and an
 * uninvolved watch on all that policies make there.
 */

#include "probate/hub/hub.h"

#include "../works/history.h"
#include "support/proxied.h"

struct place {
    struct prb_api *api;          /* borrowed: what Probate calls */
    struct prb_api *direct;       /* borrowed: what the tests call */
    struct prb_hub *hub;          /* owned; NULL: a real API server */
    struct prb_test_proxied real; /* owned, when there is no hub */
    struct history *history;      /* owned */
};

/* `upstream` NULL: a hub. `crds`: folder with the definition of ConfigurationPolicies, which a hub
 * has by itself. */
int place_open(struct place *place, const struct prb_kube_config *upstream, const char *crds,
        struct prb_error *err);
void place_close(struct place *place);

extern const struct prb_gvr place_policies;

#endif
