/* How does a hub in memory come to ask Probate? */

#include "hub_guard.h"

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/rules.h"
#include "probate/reconcilers/registry.h"

#include "embedded.h"
#include "support/wait.h"

struct hub_guard {
    struct prb_rule_choice rules; /* owned, as all below */
    struct prb_judge judge;
    struct prb_wiring *wiring;
    struct prb_embedded *embedded;
    bool *chosen;
};

/* All rules, and the controller of CriticalServices. */
static int choose(struct hub_guard *guard, struct prb_wiring_options *ret, struct prb_error *err)
{
    static const struct prb_rule_flags flags = { .rules = { 0 } };

    if (prb_rules_choose(&flags, &guard->rules, err) < 0)
        return err->code;
    guard->judge = prb_rule_choice_judge(&guard->rules);
    *ret = (struct prb_wiring_options){ .judge = &guard->judge };
    ret->reconcilers = prb_reconcilers(&ret->count);
    guard->chosen = prb_calloc(ret->count, sizeof(*guard->chosen));
    for (size_t i = 0; i < ret->count; i++)
        guard->chosen[i] = prb_streq(ret->reconcilers[i]->name, "critical-service");
    ret->chosen = guard->chosen;
    return 0;
}

int hub_guard_start(struct prb_hub *hub, struct hub_guard **ret, struct prb_error *err)
{
    prb_auto(hub_guard_stop) struct hub_guard *guard = prb_calloc(1, sizeof(*guard));
    struct prb_api *api = prb_hub_api_as(hub, PRB_EMBEDDED_USER);
    struct prb_wiring_options options;

    guard->wiring = prb_wiring_new();
    if (choose(guard, &options, err) < 0 ||
            prb_wiring_start(guard->wiring, api, &options, err) < 0 ||
            prb_embedded_start(
                    &(struct prb_embedded_options){
                            .hub = hub, .choice = &guard->rules, .wiring = guard->wiring },
                    &guard->embedded, err) < 0)
        return err->code;
    if (!prb_wiring_wait_read(guard->wiring, prb_test_patience_ms(PRB_TEST_SOON_MS)))
        return prb_fail(err, PRB_E_UNAVAILABLE, "waited %d ms for: the caches are read",
                prb_test_patience_ms(PRB_TEST_SOON_MS));
    if (prb_wiring_run(guard->wiring, err) < 0)
        return err->code;
    *ret = prb_take(guard);
    return 0;
}

void hub_guard_stop(struct hub_guard *guard)
{
    if (!guard)
        return;
    prb_wiring_stop(guard->wiring);
    prb_embedded_stop(guard->embedded);
    prb_wiring_free(guard->wiring);
    prb_rule_choice_done(&guard->rules);
    free(guard->chosen);
    free(guard);
}
