/* Who runs leader election, and with which times? */

#include "probate/control/lease.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "lease_internal.h"

/* The API counts whole seconds. */
#define DURATION_MIN_MS 1000

int prb_lease_new(struct prb_api *api, const struct prb_lease_options *options,
        struct prb_lease **ret, struct prb_error *err)
{
    prb_auto(prb_lease_free) struct prb_lease *lease = prb_calloc(1, sizeof(*lease));
    struct prb_gvr gvr;

    prb_waker_init(&lease->waker, options->clock);
    lease->api = api;
    lease->options = *options;
    lease->duration_ms = options->duration_ms ? options->duration_ms : PRB_LEASE_DURATION_MS;
    lease->renew_deadline_ms = lease->duration_ms * 2 / 3;
    lease->retry_ms = lease->duration_ms * 2 / 15;

    (void)prb_gvr_init(&gvr, "coordination.k8s.io", "v1", "leases");
    if (!options->namespace || !options->namespace[0] || !options->name ||
            !prb_ref_init(&lease->ref, &gvr, options->namespace, options->name))
        return prb_fail(err, PRB_E_INVALID, "\"%s/%s\" cannot be the name of a lease",
                options->namespace ? options->namespace : "", options->name ? options->name : "");
    if (!options->identity || !options->identity[0] ||
            !prb_copy(lease->identity, sizeof(lease->identity), options->identity))
        return prb_fail(err, PRB_E_INVALID, "an identity for the lease has 1 to %d bytes",
                PRB_LEASE_IDENTITY_SIZE - 1);
    if (lease->duration_ms < DURATION_MIN_MS)
        return prb_fail(err, PRB_E_INVALID, "a lease lasts at least a second");

    *ret = prb_take(lease);
    return 0;
}

void prb_lease_free(struct prb_lease *lease)
{
    if (!lease)
        return;
    prb_object_unref(lease->seen);
    prb_waker_done(&lease->waker);
    free(lease);
}

static bool is_stopped_by(struct prb_lease *lease, int64_t due_ms)
{
    PRB_HOLD(&lease->waker);

    while (!lease->stop && prb_waker_now(&lease->waker) < due_ms)
        prb_waker_wait(&lease->waker, due_ms);
    return lease->stop;
}

static void *lease_thread(void *arg)
{
    struct prb_lease *lease = arg;
    int64_t next = prb_waker_now(&lease->waker);

    while (!is_stopped_by(lease, next))
        next = prb_lease_step(lease);
    prb_lease_resign(lease);
    return NULL;
}

int prb_lease_start(struct prb_api *api, const struct prb_lease_options *options,
        struct prb_lease **ret, struct prb_error *err)
{
    prb_auto(prb_lease_free) struct prb_lease *lease = NULL;
    int r = prb_lease_new(api, options, &lease, err);

    if (r != 0)
        return r;
    assert(lease);
    if (pthread_create(&lease->thread, NULL, lease_thread, lease) != 0)
        return prb_fail(err, PRB_E_INTERNAL, "cannot start a thread for the lease");
    *ret = prb_take(lease);
    return 0;
}

void prb_lease_stop(struct prb_lease *lease)
{
    if (!lease)
        return;
    (void)prb_waker_lock(&lease->waker);
    lease->stop = true;
    prb_waker_wake(&lease->waker);
    prb_waker_unlock(&lease->waker);
    (void)pthread_join(lease->thread, NULL);
    prb_lease_free(lease);
}

void prb_lease_poke(struct prb_lease *lease)
{
    PRB_HOLD(&lease->waker);

    prb_waker_wake(&lease->waker);
}

bool prb_lease_leads(const struct prb_lease *lease)
{
    return atomic_load(&lease->leads);
}
