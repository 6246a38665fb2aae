/* How does a replica run in a test? */

#include "replica.h"

#include <string.h>

#include "probate/admission/asker.h"
#include "probate/base/clock.h"
#include "probate/rules/registry.h"

/* A connection is left after so long: each shakes hands anew, with whatever is served then. */
#define AGE_MS 100

/* As quick as the CAs of the test live. */
#define LOOK_MS 100

static const struct prb_rule_entry entry = { .rule = &prb_rule_selftest };

static struct prb_view *open_view(void *ctx)
{
    struct prb_store *stores[] = { ctx };

    return prb_view_open(stores, 1, 1000);
}

static bool leads(void *ctx)
{
    const struct replica *replica = ctx;

    return atomic_load(&replica->leads);
}

static int make_keeper(struct replica *replica, struct prb_error *err)
{
    struct stage *stage = replica->stage;
    const struct prb_keeper_options options = { .api = replica->api,
        .secret = stage->secret,
        .names = &stage->names,
        .configuration = stage->configuration,
        .namespace = stage->namespace,
        .choice = &stage->choice,
        .policy = stage->policy,
        .look_ms = LOOK_MS,
        .soon_ms = LOOK_MS,
        .leads = leads,
        .ctx = replica };

    return prb_keeper_new(&options, &replica->keeper, err);
}

static int open_tls(struct replica *replica, struct prb_error *err)
{
    struct prb_tls_options options = { .clock = prb_keeper_clock(replica->keeper) };
    int r = prb_keeper_first(replica->keeper, &options.cert_pem, &options.key_pem, err);

    return r < 0 ? r : prb_tls_open(&options, &replica->tls, err);
}

static int start_server(struct replica *replica, struct prb_error *err)
{
    static const struct prb_gvr leases = { "coordination.k8s.io", "v1", "leases" };
    const struct prb_rule *rules[] = { &prb_rule_selftest };
    struct prb_server_options options = {
        .host = "127.0.0.1", .tls = replica->tls, .engine = &replica->engine, .age_ms = AGE_MS
    };
    int r = prb_asker_new(replica->api, prb_clock_system(), 0, &replica->asker, err);

    if (r < 0)
        return r;
    replica->store = prb_store_new(&leases);
    prb_store_set_synced(replica->store);
    replica->reader = prb_review_reader_new(rules, 1);
    replica->judge = (struct prb_judge){ .entries = &entry, .count = 1 };
    replica->engine = (struct prb_engine){ .judge = &replica->judge,
        .api = replica->api,
        .clock = prb_clock_system(),
        .open_view = open_view,
        .ctx = replica->store };
    options.reader = replica->reader;
    options.asker = replica->asker;
    return prb_server_start(&options, &replica->server, err);
}

bool replica_start(struct replica *replica, struct stage *stage, struct prb_error *err)
{
    int r;

    replica->stage = stage;
    r = prb_kube_open(stage->config, NULL, &replica->api, err);
    if (r == 0)
        r = make_keeper(replica, err);
    if (r == 0)
        r = open_tls(replica, err);
    if (r == 0)
        r = start_server(replica, err);
    if (r == 0)
        r = prb_keeper_start(replica->keeper, replica->tls, err);
    return r == 0;
}

void replica_stop(struct replica *replica)
{
    prb_keeper_stop(replica->keeper);
    prb_server_stop(replica->server, 1000);
    prb_asker_free(replica->asker);
    prb_review_reader_free(replica->reader);
    if (replica->store)
        prb_store_unref(replica->store);
    prb_tls_free(replica->tls);
    prb_keeper_free(replica->keeper);
    prb_api_close(replica->api);
    memset(replica, 0, sizeof(*replica));
}
