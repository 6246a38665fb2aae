/* How does a test run the policy controller on a cluster in memory, round by round? */

#include "policy_world.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/control/apply.h"
#include "probate/model/outcome.h"
#include "probate/reconcilers/registry.h"

#include "support/world.h"

#define PASSES_MAX 10

struct policy_world policy_world;

static struct prb_api *hub_api(void)
{
    return prb_hub_api(policy_world.hub);
}

void policy_world_init(void)
{
    const struct prb_hub_options options = { .clock = &policy_world.clock.clock };

    policy_world = (struct policy_world){ .result = 0 };
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, fileno(stderr));
    prb_fake_clock_init(&policy_world.clock, 1767225600000);
    policy_world.hub = prb_hub_new(&options);
    policy_world.api =
            world_calls_open(hub_api(), &(struct world_notes){ .calls = &policy_world.calls,
                                                .reads = &policy_world.reads,
                                                .writes = &policy_world.writes,
                                                .killed_after = &policy_world.killed_after });
    prb_str_init(&policy_world.calls, (size_t)1024 * 1024);
    prb_str_init(&policy_world.events, (size_t)1024 * 1024);
    prb_changes_init(&policy_world.changes);
    world_objects_open(hub_api());
    world_caches_open(hub_api());
    world_caches_add(POLICIES, true);
    world_caches_add("namespaces.v1.", false);
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n");
}

void policy_world_done(void)
{
    world_caches_close();
    world_objects_close();
    prb_changes_done(&policy_world.changes);
    prb_str_done(&policy_world.calls);
    prb_str_done(&policy_world.events);
    prb_json_free(policy_world.memory);
    prb_api_close(policy_world.api);
    prb_hub_free(policy_world.hub);
}

/* ---- what is there ---- */

void put(const char *yaml)
{
    struct prb_error err;

    must(prb_hub_load_text(policy_world.hub, yaml, strlen(yaml), &err), "put", &err);
}

const char *related(const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *policy = live(P);
    const struct json_object *list =
            policy ? prb_json_arr(prb_object_status(policy), "relatedObjects") : NULL;

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *entry = prb_json_elem(list, i);
        const struct json_object *properties = prb_json_obj(entry, "properties");
        const char *uid = prb_json_str(properties, "uid");
        bool created = false;
        bool is_said = prb_json_bool(properties, "createdByPolicy", &created);

        if (prb_streq(prb_json_str(prb_json_at(entry, "object", "metadata"), "name"), name))
            return give_out(prb_asprintf("%s %s%s%s%s", prb_json_str(entry, "compliant"),
                    is_said ? (created ? "true " : "false ") : "", uid ? uid : "", uid ? " " : "",
                    prb_json_str(entry, "reason")));
    }
    return "";
}

const char *message(int template)
{
    prb_autofree char *pointer =
            prb_asprintf("/status/compliancyDetails/%d/conditions/0/message", template);

    return at(P, pointer);
}

/* ---- what the controller sees ---- */

/* The policies and the namespaces, or all. */
void see(void)
{
    world_caches_see(policy_world.lags ? 2 : SIZE_MAX);
}

void later(int64_t ms)
{
    prb_fake_clock_advance(&policy_world.clock, ms);
}

void restart(void)
{
    prb_json_free(prb_take(policy_world.memory));
    policy_world.killed_after = 0;
}

/* ---- one pass ---- */

static void decide(const struct prb_ref *key, const struct prb_outcomes *outcomes)
{
    prb_auto(prb_view_close) struct prb_view *view = world_caches_view(policy_world.clock.now_ms);
    struct prb_reconciler policy = prb_reconciler_policy;

    prb_view_set_outcomes(view, outcomes);
    prb_view_set_memory(view, policy_world.memory);
    prb_changes_done(&policy_world.changes);
    prb_changes_init(&policy_world.changes);
    policy.namespace = policy_world.namespace;
    policy.decide(&policy, view, key, &policy_world.changes);
}

static void note_events(void)
{
    char what[PRB_REF_TEXT_SIZE];

    for (size_t i = 0; i < policy_world.changes.count; i++) {
        const struct prb_change *change = &policy_world.changes.items[i];

        if (change->type != PRB_CHANGE_EVENT)
            continue;
        prb_ref_describe(&change->ref, what);
        prb_str_addf(&policy_world.events, "%s %s %s (%s): %s\n",
                change->warning ? "Warning" : "Normal", change->kind, what, change->reason,
                change->note);
    }
}

/* True: another round is wanted. */
static bool play(const struct prb_ref *key, struct prb_outcomes *outcomes)
{
    const struct prb_apply_options options = { .controller = "test", .outcomes = outcomes };
    struct prb_error err;

    decide(key, outcomes);
    note_events();
    policy_world.result = prb_apply(policy_world.api, NULL, &policy_world.changes, &options, &err);
    policy_world.rounds++;
    if (policy_world.result == 0 && policy_world.changes.go_on)
        return true;
    if (policy_world.result == 0 && policy_world.changes.remembers) {
        prb_json_free(policy_world.memory);
        policy_world.memory = prb_take(policy_world.changes.memory);
    }
    return false;
}

const char *pass_of(const char *policy)
{
    prb_auto(prb_outcomes_free) struct prb_outcomes *outcomes = prb_outcomes_new();
    struct prb_ref key = prb_world_ref(policy);

    prb_str_clear(&policy_world.calls);
    prb_str_clear(&policy_world.events);
    policy_world.reads = policy_world.writes = 0;
    policy_world.rounds = 0;
    if (!policy_world.blind)
        see();
    while (play(&key, outcomes) && policy_world.rounds < PRB_ROUNDS_MAX) {
        if (!policy_world.stale && !policy_world.blind)
            see();
    }
    return prb_str_get(&policy_world.calls);
}

const char *pass(void)
{
    return pass_of(P);
}

int settle(void)
{
    for (int i = 1; i <= PASSES_MAX; i++) {
        (void)pass();
        if (policy_world.writes == 0)
            return i;
    }
    return -1;
}
