/* Which objects are without a controller, since the provider that they need is going or gone? */

#include "dead_providers.h"

#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"
#include "probate/reconcilers/critical_service.h"
#include "probate/reconcilers/registry.h"

static struct prb_metric dead = {
    .name = "probate_critical_services_without_provider",
    .help = "CriticalServices whose provider is going or gone for good although criteria are unmet; "
            "only of the replica that leads.",
    .type = PRB_GAUGE,
};

/* What is gone through. */
struct walk {
    prb_ops_check_fn each; /* NULL: they are only counted */
    void *sink;
    size_t count;
};

static void look_at(void *ctx, const struct prb_ops_wait *wait)
{
    struct walk *walk = ctx;
    prb_autofree char *name = NULL;

    if (!prb_streq(wait->controller, prb_reconciler_critical_service.name) ||
            !prb_starts_with(wait->waits_for, PRB_CRITICAL_DEAD))
        return;
    walk->count++;
    if (!walk->each)
        return;
    name = prb_asprintf("provider of %s", wait->ref->name);
    walk->each(
            walk->sink, &(struct prb_ops_check){
                                .name = name, .state = PRB_OPS_INFO, .detail = wait->waits_for });
}

void prb_dead_providers_each_check(struct prb_wiring *wiring, prb_ops_check_fn each, void *sink)
{
    struct walk walk = { .each = each, .sink = sink };

    prb_wiring_each_wait(wiring, look_at, &walk);
}

void prb_dead_providers_measure(struct prb_wiring *wiring)
{
    struct walk walk = { .each = NULL };

    prb_wiring_each_wait(wiring, look_at, &walk);
    prb_metric_set(&dead, (double)walk.count);
}
