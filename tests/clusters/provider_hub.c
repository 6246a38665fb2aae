/* How is Probate joined with a hub in memory? As `probate serve --embedded` does it. */

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/controllers.h"

#include "../cli/program.h"
#include "embedded.h"
#include "provider_internal.h"
#include "support/wait.h"

#define WAITING_MAX ((size_t)64 * 1024)

struct joined {
    struct probate probate; /* first: it is one */
    struct prb_rule_choice rules;
    struct prb_judge judge;
    struct prb_controller_flags flags;
    struct prb_controller_choice controllers;
    struct prb_wiring *wiring;
    struct prb_embedded *embedded;
};

static void stop(struct probate *probate)
{
    struct joined *joined = (struct joined *)probate;

    prb_wiring_stop(joined->wiring);
    prb_wiring_flush(joined->wiring);
    prb_embedded_stop(joined->embedded);
    prb_wiring_free(joined->wiring);
    prb_controller_choice_done(&joined->controllers);
    prb_list_done(&joined->flags.controllers);
    prb_list_done(&joined->flags.gates);
    prb_rule_choice_done(&joined->rules);
    free(joined);
}

static void add_wait(void *sink, const struct prb_ops_wait *wait)
{
    prb_str_addf(sink, "%s waits for: %s\n", wait->ref->name, wait->waits_for);
}

static char *waiting(struct probate *probate)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, WAITING_MAX);
    prb_wiring_each_wait(((struct joined *)probate)->wiring, add_wait, &text);
    return prb_str_take(&text);
}

static int choose(struct joined *joined, struct prb_error *err)
{
    static const struct prb_rule_flags all = { .rules = { 0 } };
    static const char names[] = "critical-service,cluster-deletion",
                      gate[] = "ClusterLifeCycle=true";

    prb_list_add(&joined->flags.controllers, names, sizeof("critical-service") - 1);
    prb_list_add(&joined->flags.controllers, names + sizeof("critical-service"),
            sizeof("cluster-deletion") - 1);
    prb_list_add(&joined->flags.gates, gate, sizeof(gate) - 1);
    if (prb_rules_choose(&all, &joined->rules, err) < 0)
        return err->code;
    joined->judge = prb_rule_choice_judge(&joined->rules);
    return prb_controller_choice_make(&joined->flags, PRB_PLACE_SERVER, &joined->controllers, err);
}

/* The controller says whether somebody registered Probate; rules judge in any case. */
static int enroll(struct target *target, struct prb_error *err)
{
    static const char *const arguments[] = { "manifest", "webhook", "--rules", PROBATE_RULES,
        NULL };
    prb_autofree char *manifest = NULL;

    if (program_run(arguments, NULL, &manifest) != 0)
        return prb_fail(err, PRB_E_INVALID, "manifest webhook: %.500s", manifest);
    return prb_hub_load_text(target->hub, manifest, strlen(manifest), err);
}

static int join(struct joined *joined, struct target *target, struct prb_error *err)
{
    const struct prb_wiring_options options = { .reconcilers = joined->controllers.table,
        .chosen = joined->controllers.chosen,
        .count = joined->controllers.count,
        .judge = &joined->judge };
    struct prb_api *api = prb_hub_api_as(target->hub, PRB_EMBEDDED_USER);

    if (prb_wiring_start(joined->wiring, api, &options, err) < 0 ||
            prb_embedded_start(&(struct prb_embedded_options){ .hub = target->hub,
                                       .choice = &joined->rules,
                                       .wiring = joined->wiring },
                    &joined->embedded, err) < 0)
        return err->code;
    if (!prb_wiring_wait_read(joined->wiring, prb_test_patience_ms(PRB_TEST_SOON_MS)))
        return prb_fail(err, PRB_E_UNAVAILABLE, "the caches are not read");
    return prb_wiring_run(joined->wiring, err);
}

int probate_on_hub(struct target *target, struct probate **ret, struct prb_error *err)
{
    struct joined *joined = prb_calloc(1, sizeof(*joined));

    joined->probate = (struct probate){ .stop = stop, .waiting = waiting };
    joined->wiring = prb_wiring_new();
    if (enroll(target, err) < 0 || choose(joined, err) < 0 || join(joined, target, err) < 0) {
        stop(&joined->probate);
        return err->code;
    }
    *ret = &joined->probate;
    return 0;
}
