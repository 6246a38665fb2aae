/* How does Probate stand before the API server in memory, and end and begin again? */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/admission/certs.h"
#include "probate/api/sides.h"
#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/controllers.h"
#include "probate/cli/rules.h"

#include "../admission/cert_files.h"
#include "embedded.h"
#include "gate.h"
#include "line.h"
#include "support/wait.h"
#include "target.h"
#include "webhook.h"

/* What admission refused to the controllers of the hub is tried again that often. */
#define RETRY_MS 250

/* One life of Probate. */
struct life {
    struct prb_api *line;  /* owned, as all here; NULL: it does not run */
    struct prb_api *sides; /* cluster and hub, which are the same */
    struct prb_wiring *wiring;
    struct prb_webhook *webhook;
};

struct embedded {
    struct target target;
    struct prb_hub *hub; /* owned, as all below */
    struct prb_rule_choice rules;
    struct prb_judge judge; /* over them */
    struct prb_controller_choice controllers;
    struct prb_certs certs;
    struct gate *gate;
    struct life life;
};

static struct embedded *of(struct target *target)
{
    return (struct embedded *)target;
}

/* ---- who may do what ---- */

/* Nobody here has the right to override; whatever else somebody is asked about, they may do. */
static int access_of(void *ctx, const struct prb_access_question *question, enum prb_access *ret,
        struct prb_error *err)
{
    (void)ctx;
    (void)err;
    *ret = prb_streq(question->verb, "override") ? PRB_ACCESS_DENIED : PRB_ACCESS_ALLOWED;
    return 0;
}

/* ---- Probate ---- */

static uint16_t port_of(const struct life *life)
{
    char text[PRB_ADDRESS_TEXT_SIZE];
    const char *colon;
    int64_t port = 0;

    if (!life->webhook)
        return 0;
    prb_webhook_address(life->webhook, text);
    colon = strrchr(text, ':');
    return colon && prb_parse_int(colon + 1, 1, UINT16_MAX, &port) ? (uint16_t)port : 0;
}

static int start_wiring(struct embedded *embedded, struct prb_error *err)
{
    struct life *life = &embedded->life;
    const struct prb_controller_choice *controllers = &embedded->controllers;
    const struct prb_wiring_options options = { .sides = life->sides,
        .reconcilers = controllers->table,
        .chosen = controllers->chosen,
        .count = controllers->count,
        .workers = 2,
        .judge = &embedded->judge };

    return prb_wiring_start(life->wiring, life->line, &options, err);
}

static int start_webhook(struct embedded *embedded, struct prb_error *err)
{
    static const struct prb_list nobody = { .items = NULL };
    struct life *life = &embedded->life;
    const struct prb_webhook_options options = { .listen = { .host = "127.0.0.1" },
        .cert_pem = embedded->certs.cert,
        .key_pem = embedded->certs.key,
        .client_names = &nobody,
        .judge = &embedded->judge,
        .api = life->line,
        .wiring = life->wiring };

    return prb_webhook_start(&options, &life->webhook, err);
}

static void end(struct life *life)
{
    if (!life->line)
        return;
    prb_wiring_drain(life->wiring);
    prb_wiring_stop(life->wiring);
    prb_webhook_stop(life->webhook, PRB_TEST_PROMPT_MS);
    prb_wiring_flush(life->wiring);
    prb_wiring_free(life->wiring);
    prb_api_close(life->sides);
    prb_api_close(life->line);
    *life = (struct life){ .line = NULL };
}

/* In the order of `probate serve`. */
static int start(struct target *target, struct prb_error *err)
{
    struct embedded *embedded = of(target);
    struct life *life = &embedded->life;

    life->line = line_open(prb_hub_api_as(embedded->hub, PRB_EMBEDDED_USER));
    life->sides = prb_sides_open(&(struct prb_sides_options){
            .own = life->line, .hub = life->line, .hub_namespace = TARGET_CLUSTER });
    life->wiring = prb_wiring_new();
    if (start_wiring(embedded, err) < 0 || start_webhook(embedded, err) < 0)
        return err->code;
    if (!prb_wiring_wait_read(life->wiring, prb_test_patience_ms(PRB_TEST_SOON_MS)))
        return prb_fail(err, PRB_E_UNAVAILABLE, "waited %d ms for: the caches are read",
                prb_test_patience_ms(PRB_TEST_SOON_MS));
    gate_set_port(embedded->gate, port_of(life));
    target->is_down = false;
    return prb_wiring_run(life->wiring, err);
}

/* A kill lets nothing more through to the API server, wherever Probate is. */
static int stop(struct target *target, bool kill, struct prb_error *err)
{
    struct embedded *embedded = of(target);

    (void)err;
    if (kill && embedded->life.sides)
        prb_api_interrupt(embedded->life.sides);
    target->is_down = true;
    gate_set_port(embedded->gate, 0);
    end(&embedded->life);
    return 0;
}

static uint16_t get_port(struct target *target)
{
    return port_of(&of(target)->life);
}

static void close_target(struct target *target)
{
    struct embedded *embedded = of(target);

    end(&embedded->life);
    gate_close(embedded->gate);
    if (embedded->hub)
        prb_api_interrupt(prb_hub_api(embedded->hub));
    prb_hub_free(embedded->hub);
    prb_controller_choice_done(&embedded->controllers);
    prb_rule_choice_done(&embedded->rules);
    prb_certs_done(&embedded->certs);
    (void)pthread_rwlock_destroy(&target->turn);
    free(embedded);
}

static const struct target_ops ops = {
    .stop = stop, .start = start, .port = get_port, .close = close_target
};

/* ---- the whole ---- */

static int choose(struct embedded *embedded, struct prb_error *err)
{
    static const char *const names[] = { "critical-service", "work", "policy" };
    const struct prb_rule_flags rules = { .rules = { 0 } };
    struct prb_controller_flags flags = { .works = { .cluster_name = TARGET_CLUSTER } };
    int r = prb_rules_choose(&rules, &embedded->rules, err);

    if (r < 0)
        return r;
    embedded->judge = prb_rule_choice_judge(&embedded->rules);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        prb_list_add(&flags.controllers, names[i], strlen(names[i]));
    flags.works.eviction_grace_ms = PRB_EVICTION_GRACE_MS;
    r = prb_controller_choice_make(&flags, PRB_PLACE_SERVER, &embedded->controllers, err);
    prb_list_done(&flags.controllers);
    if (r == 0)
        prb_works_settle(prb_controller_choice_works(&embedded->controllers), "https://embedded");
    return r;
}

/* The cluster, and its namespace; and the definition of CriticalServices, which are served
 * without one, so that the player can have them served no more. */
static const char furniture[] =
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: " TARGET_CLUSTER "}\n---\n"
        "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: " TARGET_CLUSTER
        "}\nspec: {hubAcceptsClient: true}\n---\n"
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: "
        "criticalservices.probate.dev}\nspec: {group: probate.dev, scope: Cluster, names: {plural: "
        "criticalservices, singular: criticalservice, kind: CriticalService, listKind: "
        "CriticalServiceList, shortNames: [crit]}, versions: [{name: v1alpha1, served: true, "
        "storage: true, subresources: {status: {}}}]}\n";

int target_embedded_open(bool keeps_conditions, struct target **ret, struct prb_error *err)
{
    struct embedded *embedded = prb_calloc(1, sizeof(*embedded));
    struct target *target = &embedded->target;

    target_init(target);
    target->ops = &ops;
    target->where = EMBEDDED;
    target->keeps_conditions = keeps_conditions;
    make_pair(&embedded->certs);
    target->ca = embedded->certs.ca_cert;
    embedded->hub = prb_hub_new(&(struct prb_hub_options){ .retry_max_ms = RETRY_MS });
    prb_hub_set_access(embedded->hub, access_of, NULL);
    target->player = prb_hub_api_as(embedded->hub, "mallory");
    target->eye = prb_hub_api(embedded->hub);
    if (choose(embedded, err) == 0 &&
            prb_hub_load_text(embedded->hub, furniture, strlen(furniture), err) == 0) {
        embedded->gate = gate_open(&(struct gate_options){ .hub = embedded->hub,
                .choice = &embedded->rules,
                .certs = &embedded->certs,
                .keeps_conditions = keeps_conditions });
        if (start(target, err) == 0) {
            *ret = target;
            return 0;
        }
    }
    close_target(target);
    return err->code;
}
