/* Which kinds of claims does nobody ask Probate about? */

#include "coverage.h"

#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"
#include "probate/reconcilers/claims.h"
#include "probate/reconcilers/registry.h"

static struct prb_metric uncovered = {
    .name = "probate_claim_kinds_uncovered",
    .help = "Kinds of claims that no registration of the webhook claim-delete-policy covers.",
    .type = PRB_GAUGE,
};

/* What is gone through. */
struct walk {
    prb_ops_check_fn each; /* NULL: they are only counted */
    void *sink;
    size_t count;
};

/* A definition waits for nothing else. */
static void look_at(void *ctx, const struct prb_ops_wait *wait)
{
    struct walk *walk = ctx;
    prb_autofree char *name = NULL;

    if (!prb_streq(wait->controller, prb_reconciler_claims.name) ||
            !prb_streq(wait->ref->gvr.resource, PRB_DEFINITION_RESOURCE))
        return;
    walk->count++;
    if (!walk->each)
        return;
    name = prb_asprintf("claims of %s", wait->ref->name);
    walk->each(
            walk->sink, &(struct prb_ops_check){
                                .name = name, .state = PRB_OPS_INFO, .detail = wait->waits_for });
}

void prb_coverage_each_check(struct prb_wiring *wiring, prb_ops_check_fn each, void *sink)
{
    struct walk walk = { .each = each, .sink = sink };

    prb_wiring_each_wait(wiring, look_at, &walk);
}

void prb_coverage_measure(struct prb_wiring *wiring)
{
    struct walk walk = { .each = NULL };

    prb_wiring_each_wait(wiring, look_at, &walk);
    prb_metric_set(&uncovered, (double)walk.count);
}
