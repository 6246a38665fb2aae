/* How does an agent run in this process? */

#include "loop.h"

#include <string.h>

#include "probate/api/sides.h"
#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#define SYNC_MS 60000
#define FLUSH_MS 1000

/* Rows run side by side. */
#define WORKERS 8

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
    struct prb_runner_options options = { .workers = WORKERS };

    loop->sides = prb_sides_open(&(struct prb_sides_options){ .own = ends->spoke->api,
            .hub = ends->hub->api,
            .hub_namespace = loop->settings.cluster_name });
    loop->reconciler = prb_reconciler_work;
    loop->reconciler.settings = &loop->settings;
    loop->informers = prb_informers_new(loop->sides, NULL);
    loop->recorder = prb_recorder_new(loop->sides, "probate", NULL);
    options.api = loop->sides;
    options.informers = loop->informers;
    options.recorder = loop->recorder;
    loop->runner = prb_runner_new(&loop->reconciler, &options);
    if (prb_informers_start(loop->informers, err) < 0)
        return err->code;
    if (!prb_informers_wait_synced(loop->informers, SYNC_MS))
        return prb_fail(err, PRB_E_UNAVAILABLE, "the caches are not filled");
    return prb_runner_start(loop->runner, err);
}

void loop_stop(struct loop *loop)
{
    if (!loop->informers)
        return;
    prb_runner_stop(loop->runner);
    prb_informers_stop(loop->informers);
    prb_recorder_stop(loop->recorder, FLUSH_MS);
    prb_runner_free(prb_take(loop->runner));
    prb_informers_free(prb_take(loop->informers));
    prb_recorder_free(prb_take(loop->recorder));
    prb_api_close(prb_take(loop->sides));
}
