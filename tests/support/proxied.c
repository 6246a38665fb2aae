/* How does a test get an API server that it can make misbehave? */

#include "support/proxied.h"

#include "support/cluster.h"

int prb_test_proxied_open(struct prb_test_proxied *world, const struct prb_kube_config *upstream,
        const struct prb_kube_options *options, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *shared = NULL;
    prb_auto(prb_kube_config_free) struct prb_kube_config *through = NULL;

    *world = (struct prb_test_proxied){ .proxy = NULL };
    if (!upstream) {
        if (prb_test_cluster_config(&shared, err) < 0)
            return err->code;
        upstream = shared;
    }
    if (prb_fault_proxy_start(upstream, &world->proxy, err) < 0)
        return err->code;
    through = prb_fault_proxy_config(world->proxy);
    if (prb_kube_open(through, options, &world->api, err) < 0 ||
            prb_kube_open(upstream, NULL, &world->direct, err) < 0) {
        prb_test_proxied_close(world);
        return err->code;
    }
    return 0;
}

void prb_test_proxied_close(struct prb_test_proxied *world)
{
    prb_api_close(world->api);
    prb_api_close(world->direct);
    prb_fault_proxy_stop(world->proxy);
    *world = (struct prb_test_proxied){ .proxy = NULL };
}
