/* How does an agent run in this process? */

#include "loop.h"

#include <string.h>

#include "probate/api/sides.h"
#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

void loop_init(struct loop *loop, const char *cluster, const char *url, const char *agent_id)
{
    static const int grace_ms = PRB_EVICTION_GRACE_MS;

    *loop = (struct loop){ .settings = { .eviction_grace_ms = grace_ms } };
    (void)prb_copy(loop->settings.cluster_name, sizeof(loop->settings.cluster_name), cluster);
    (void)prb_copy(loop->settings.agent_id, sizeof(loop->settings.agent_id), agent_id);
    prb_sha256_hex(url, strlen(url), loop->settings.hub_hash);
}

int loop_start(struct loop *loop, struct ends *ends, struct prb_error *err)
{
    loop->sides = prb_sides_open(&(struct prb_sides_options){ .own = ends->spoke->api,
            .hub = ends->hub->api,
            .hub_namespace = loop->settings.cluster_name });
    loop->reconciler = prb_reconciler_work;
    loop->reconciler.settings = &loop->settings;
    return prb_test_loop_start(&loop->control, &loop->reconciler, loop->sides, err);
}

void loop_stop(struct loop *loop)
{
    if (!loop->sides)
        return;
    prb_test_loop_stop(&loop->control);
    prb_api_close(prb_take(loop->sides));
}
