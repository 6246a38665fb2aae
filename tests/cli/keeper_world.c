/* Two replicas, a webhook configuration, and an API server that answers as it is told. */

#include "keeper_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/rules/registry.h"

/* Whole seconds, as certificates count. */
#define START_MS INT64_C(1800000000000)

#define NAME "probate.probate-system.svc"
#define SECRET "probate-system/probate-ca"

const struct prb_gvr keeper_configurations = { "admissionregistration.k8s.io", "v1",
    "validatingwebhookconfigurations" };
const struct prb_gvr keeper_secrets = { "", "v1", "secrets" };

static int64_t machine_wall_ms(const struct prb_clock *clock)
{
    const struct world *world = (const struct world *)clock;

    return world->server.now_ms + world->ahead_ms;
}

static int64_t machine_mono_ms(const struct prb_clock *clock)
{
    return ((const struct world *)clock)->server.now_ms;
}

static _Noreturn void give_up(const char *what, const struct prb_error *err)
{
    (void)fprintf(stderr, "%s: %s\n", what, err->msg);
    abort();
}

static int admit(void *ctx, const struct prb_hub_write *write, struct prb_error *err)
{
    struct world *world = ctx;

    if (!prb_streq(write->operation, "CREATE") || !write->dry_run ||
            !prb_object_label(write->object, PRB_SELFTEST_LABEL))
        return 0;
    world->tests++;
    if (world->answers)
        return prb_fail(err, PRB_E_FORBIDDEN,
                "admission webhook \"selftest.probate.dev\" denied the request: Probate 1 "
                "answers the self-test %s",
                write->name);
    return world->refusal ? prb_fail(err, PRB_E_UNAVAILABLE, "%s", world->refusal) : 0;
}

static void load(struct world *world, const char *text)
{
    struct prb_error err;

    if (prb_hub_load_text(world->hub, text, strlen(text), &err) < 0)
        give_up("load", &err);
}

void world_open(struct world *world)
{
    const struct prb_hub_options options = { .clock = &world->server.clock };
    struct prb_rule_flags flags = { 0 };
    struct prb_error err;

    *world = (struct world){ .answers = true };
    world->machine = (struct prb_clock){ .wall_ms = machine_wall_ms, .mono_ms = machine_mono_ms };
    prb_fake_clock_init(&world->server, START_MS);
    world->hub = prb_hub_new(&options);
    world->api = prb_hub_api(world->hub);
    prb_hub_set_admission(world->hub, admit, world);
    load(world, "{apiVersion: v1, kind: Namespace, metadata: {name: probate-system}}");
    fault_port_init(&world->port, world->api);
    prb_list_add(&world->names, NAME, strlen(NAME));
    prb_list_add(&flags.rules, "*", 1);
    if (prb_rules_choose(&flags, &world->choice, &err) < 0)
        give_up("rules", &err);
    prb_list_done(&flags.rules);
}

void world_close(struct world *world)
{
    for (size_t i = 0; i < REPLICAS; i++) {
        prb_keeper_free(world->replicas[i].keeper);
        prb_tls_free(world->replicas[i].tls);
    }
    fault_port_done(&world->port);
    prb_hub_free(world->hub);
    prb_rule_choice_done(&world->choice);
    prb_list_done(&world->names);
}

void world_register(struct world *world)
{
    load(world,
            "apiVersion: admissionregistration.k8s.io/v1\n"
            "kind: ValidatingWebhookConfiguration\n"
            "metadata: {name: probate}\n"
            "webhooks:\n"
            "- {name: critical-service.probate.dev, failurePolicy: Ignore, clientConfig: {url: x}}\n"
            "- {name: critical-service-label.probate.dev, failurePolicy: Ignore, clientConfig: {}}\n"
            "- {name: selftest.probate.dev, failurePolicy: Ignore, clientConfig: {url: x}}\n");
}

static bool leads(void *ctx)
{
    return ((struct replica *)ctx)->leads;
}

void world_start(struct world *world, size_t index)
{
    struct replica *replica = &world->replicas[index];
    const struct prb_keeper_options options = { .api = &world->port.api,
        .secret = SECRET,
        .names = &world->names,
        .configuration = "probate",
        .namespace = "probate-system",
        .choice = &world->choice,
        .clock = &world->machine,
        .leads = leads,
        .ctx = replica };
    struct prb_tls_options tls = { 0 };
    struct prb_error err;

    replica->world = world;
    replica->leads = index == 0;
    if (prb_keeper_new(&options, &replica->keeper, &err) < 0 ||
            prb_keeper_first(replica->keeper, &tls.cert_pem, &tls.key_pem, &err) < 0)
        give_up("keeper", &err);
    tls.clock = prb_keeper_clock(replica->keeper);
    if (prb_tls_open(&tls, &replica->tls, &err) < 0)
        give_up("tls", &err);
    prb_keeper_serve(replica->keeper, replica->tls);
}

void world_look(struct world *world, size_t index)
{
    (void)prb_keeper_look(world->replicas[index].keeper);
}

void world_settle(struct world *world, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        for (size_t r = 0; r < REPLICAS; r++) {
            if (world->replicas[r].keeper)
                world_look(world, r);
        }
        world_pass(world, 1000);
    }
}

void world_install(struct world *world)
{
    world_register(world);
    for (size_t r = 0; r < REPLICAS; r++)
        world_start(world, r);
    world_settle(world, 4);
}

void world_pass(struct world *world, int64_t ms)
{
    prb_fake_clock_advance(&world->server, ms);
}

static struct prb_ref ref_of(bool secret)
{
    struct prb_ref ref;

    (void)prb_ref_init(&ref, secret ? &keeper_secrets : &keeper_configurations,
            secret ? "probate-system" : NULL, secret ? "probate-ca" : "probate");
    return ref;
}

bool world_trusts(struct world *world, size_t index)
{
    prb_auto(prb_registered_done) struct prb_registered registered = { 0 };
    prb_autofree char *chain = prb_tls_chain(world->replicas[index].tls);
    struct prb_error err;

    return prb_registered_read(world->api, "probate", 0, &registered, &err) == 0 &&
           prb_bundle_trusts_until(&registered.in_all, chain) > world->server.now_ms;
}

void world_patch(struct world *world, bool secret, const char *merge_patch)
{
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    const struct prb_ref ref = ref_of(secret);
    struct prb_error err;

    if (prb_json_parse(merge_patch, strlen(merge_patch), NULL, &patch, &err) < 0 ||
            prb_api_patch(world->api, &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err) < 0)
        give_up("patch", &err);
}

size_t world_count(struct world *world, const char *failure_policy)
{
    prb_auto(prb_registered_done) struct prb_registered registered = { 0 };
    const struct json_object *webhooks;
    struct prb_error err;
    size_t count = 0;

    if (prb_registered_read(world->api, "probate", 0, &registered, &err) < 0 || !registered.config)
        return 0;
    webhooks = prb_json_arr(prb_object_tree(registered.config), "webhooks");
    for (size_t i = 0; i < prb_json_len(webhooks); i++)
        count += prb_streq(
                prb_json_str(prb_json_elem(webhooks, i), "failurePolicy"), failure_policy);
    return count;
}

size_t world_authorities(struct world *world)
{
    prb_auto(prb_ca_secret_done) struct prb_ca_secret secret = { 0 };
    const struct prb_ref ref = ref_of(true);
    struct prb_error err;

    return prb_ca_secret_read(world->api, &ref, 0, &secret, &err) < 0 || secret.authorities.damaged
                   ? 0
                   : secret.authorities.count;
}

size_t world_trusted(struct world *world)
{
    prb_auto(prb_registered_done) struct prb_registered registered = { 0 };
    struct prb_error err;

    return prb_registered_read(world->api, "probate", 0, &registered, &err) < 0
                   ? 0
                   : registered.in_all.count;
}

struct wanted {
    const char *name;
    enum prb_ops_state state;
    char *detail;
};

static void keep(void *sink, const struct prb_ops_check *check)
{
    struct wanted *wanted = sink;

    if (!prb_streq(check->name, wanted->name))
        return;
    wanted->state = check->state;
    wanted->detail = prb_strdup(check->detail);
}

char *world_check(struct world *world, size_t index, const char *name, enum prb_ops_state *state)
{
    struct wanted wanted = { .name = name };

    prb_keeper_each_check(world->replicas[index].keeper, keep, &wanted);
    if (state)
        *state = wanted.state;
    return wanted.detail;
}
