/* Which informer does not get its list? */

#include "support/informers.h"

#include "probate/base/str.h"

#include "support/wait.h"

static void add_waiting(void *ctx, struct prb_informer *informer)
{
    struct prb_informer_state state;

    prb_informer_state(informer, &state);
    if (!state.synced)
        prb_str_addf(ctx, " %s (%s)", prb_informer_gvr(informer)->resource,
                state.error[0] ? state.error : "no error");
}

static bool is_synced(void *ctx)
{
    prb_auto(prb_str_done) struct prb_str waiting;

    prb_str_init(&waiting, 400);
    if (prb_informers_synced(ctx))
        return true;
    prb_informers_each(ctx, add_waiting, &waiting);
    return prb_test_saw("not read:%s", prb_str_get(&waiting));
}

bool prb_test_await_synced(struct prb_informers *set, int base_ms)
{
    return prb_test_await("every informer has read its list", is_synced, set, base_ms);
}
