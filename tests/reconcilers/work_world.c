/* How does a test run the work controller on two clusters in memory, round by round? */

#include "work_world.h"

#include <stdio.h>
#include <string.h>

#include "probate/api/sides.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/control/apply.h"
#include "probate/model/outcome.h"
#include "probate/reconcilers/registry.h"

#include "support/world.h"

#define PASSES_MAX 10

struct work_world work_world;

static struct prb_api *sides;

void work_world_init(void)
{
    const struct prb_hub_options options = { .clock = &work_world.clock.clock };
    struct prb_sides_options both = { .hub_namespace = "c1" };
    const int grace_ms = PRB_EVICTION_GRACE_MS;

    work_world = (struct work_world){ .settings = { .cluster_name = "c1",
                                              .hub_hash = HASH,
                                              .agent_id = AGENT,
                                              .eviction_grace_ms = grace_ms } };
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, fileno(stderr));
    prb_fake_clock_init(&work_world.clock, 1767225600000);
    work_world.hub = prb_hub_new(&options);
    work_world.spoke = prb_hub_new(&options);
    both.own = prb_hub_api(work_world.spoke);
    both.hub = prb_hub_api(work_world.hub);
    sides = prb_sides_open(&both);
    work_world.api = world_calls_open(sides, &(struct world_notes){ .calls = &work_world.calls,
                                                     .reads = &work_world.reads,
                                                     .writes = &work_world.writes });
    prb_str_init(&work_world.calls, (size_t)1024 * 1024);
    prb_changes_init(&work_world.changes);
    world_objects_open(sides);
    world_caches_open(sides);
    world_caches_add(WORKS, true);
    world_caches_add(APPLIEDS, true);
    spoke_put("apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n");
}

void work_world_done(void)
{
    world_caches_close();
    world_objects_close();
    prb_changes_done(&work_world.changes);
    prb_str_done(&work_world.calls);
    prb_json_free(work_world.memory);
    prb_api_close(work_world.api);
    prb_api_close(sides);
    prb_hub_free(work_world.hub);
    prb_hub_free(work_world.spoke);
}

/* ---- what is there ---- */

void hub_put(const char *yaml)
{
    struct prb_error err;

    must(prb_hub_load_text(work_world.hub, yaml, strlen(yaml), &err), "hub_put", &err);
}

void spoke_put(const char *yaml)
{
    struct prb_error err;

    must(prb_hub_load_text(work_world.spoke, yaml, strlen(yaml), &err), "spoke_put", &err);
}

const char *condition(const char *work, int manifest, const char *type)
{
    prb_autofree char *ref = prb_asprintf("%s/c1/%s", WORKS, work);
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);
    const struct json_object *of = object ? prb_object_status(object) : NULL;
    const struct json_object *list;

    if (manifest >= 0)
        of = prb_json_elem(prb_json_at(of, "resourceStatus", "manifests"), (size_t)manifest);
    list = prb_json_arr(of, "conditions");
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(item, "type"), type))
            return give_out(prb_asprintf("%s %s %s: %s", type, prb_json_str(item, "status"),
                    prb_json_str(item, "reason"), prb_json_str(item, "message")));
    }
    return "";
}

/* ---- one pass ---- */

void see(void)
{
    world_caches_see(SIZE_MAX);
}

static void decide(const struct prb_ref *key, const struct prb_outcomes *outcomes)
{
    struct prb_reconciler reconciler = prb_reconciler_work;
    prb_auto(prb_view_close) struct prb_view *view = world_caches_view(work_world.clock.now_ms);

    reconciler.settings = &work_world.settings;
    prb_view_set_outcomes(view, outcomes);
    prb_view_set_memory(view, work_world.memory);
    prb_changes_done(&work_world.changes);
    prb_changes_init(&work_world.changes);
    reconciler.decide(&reconciler, view, key, &work_world.changes);
}

/* True: another round is wanted. */
static bool play(const struct prb_ref *key, struct prb_outcomes *outcomes)
{
    const struct prb_apply_options options = { .controller = "test", .outcomes = outcomes };
    struct prb_error err;

    decide(key, outcomes);
    work_world.result = prb_apply(work_world.api, NULL, &work_world.changes, &options, &err);
    work_world.rounds++;
    if (work_world.result == 0 && work_world.changes.go_on)
        return true;
    if (work_world.result == 0 && work_world.changes.remembers) {
        prb_json_free(work_world.memory);
        work_world.memory = prb_take(work_world.changes.memory);
    }
    return false;
}

const char *pass(const char *work)
{
    prb_auto(prb_outcomes_free) struct prb_outcomes *outcomes = prb_outcomes_new();
    prb_autofree char *text = prb_asprintf("%s//%s-%s", APPLIEDS, HASH, work);
    struct prb_ref key = prb_world_ref(text);

    prb_str_clear(&work_world.calls);
    work_world.reads = work_world.writes = 0;
    work_world.rounds = 0;
    see();
    while (play(&key, outcomes) && work_world.rounds < PRB_ROUNDS_MAX) {
        if (!work_world.stale)
            see();
    }
    return prb_str_get(&work_world.calls);
}

int settle(const char *work)
{
    for (int i = 1; i <= PASSES_MAX; i++) {
        (void)pass(work);
        if (work_world.writes == 0)
            return i;
    }
    return -1;
}
