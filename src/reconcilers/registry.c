/* Which reconcilers are there? */

#include "probate/reconcilers/registry.h"

static const struct prb_reconciler *const table[] = {
    &prb_reconciler_claims,
    &prb_reconciler_cluster_deletion,
    &prb_reconciler_critical_service,
    &prb_reconciler_deletion_watch,
    &prb_reconciler_policy,
    &prb_reconciler_work,
};

const struct prb_reconciler *const *prb_reconcilers(size_t *ret_count)
{
    *ret_count = sizeof(table) / sizeof(table[0]);
    return table;
}
