#ifndef TESTS_SUPPORT_PROXIED_H
#define TESTS_SUPPORT_PROXIED_H

/* A real API server seen twice: through a fault proxy of one's own, and directly. */

#include "probate/api/api.h"
#include "probate/kube/kube.h"

#include "support/fault_proxy.h"

struct prb_test_proxied {
    struct prb_fault_proxy *proxy; /* owned, as all here */
    struct prb_api *api;           /* through the proxy */
    struct prb_api *direct;
};

/* `upstream` NULL: the shared cluster. `options` (may be NULL) are for the client through the
 * proxy. */
int prb_test_proxied_open(struct prb_test_proxied *world, const struct prb_kube_config *upstream,
        const struct prb_kube_options *options, struct prb_error *err);
void prb_test_proxied_close(struct prb_test_proxied *world);
static inline void prb_test_proxied_closep(struct prb_test_proxied *world)
{
    prb_test_proxied_close(world);
}

#endif
