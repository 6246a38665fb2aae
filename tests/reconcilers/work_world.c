/* How does a test run the work controller on two clusters in memory, round by round? */

#include "work_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/api/sides.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/control/apply.h"
#include "probate/model/outcome.h"
#include "probate/reconcilers/registry.h"

#include "support/world.h"
#include "work_world_calls.h"

#define STORES_MAX 16
#define OBJECTS_MAX 10000
#define PASSES_MAX 10

/* Texts that `at` and `condition` have given out and that still hold. */
#define TEXTS 4

struct work_world work_world;

static struct prb_store *stores[STORES_MAX];
static struct prb_known_resource known[STORES_MAX];
static size_t store_count, known_count;
static struct prb_api *sides;
static char *texts[TEXTS];
static size_t next_text;

static void must(int r, const char *what, const struct prb_error *err)
{
    if (r == 0)
        return;
    (void)fprintf(stderr, "work_world: %s: %s\n", what, err->msg);
    abort();
}

static void add_store(const struct prb_gvr *gvr)
{
    if (store_count == STORES_MAX)
        abort();
    stores[store_count++] = prb_store_new(gvr);
}

static void add_store_named(const char *text)
{
    struct prb_gvr gvr;

    if (!prb_gvr_parse(text, &gvr))
        abort();
    add_store(&gvr);
}

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
    work_world.api = work_world_calls_open(sides);
    prb_str_init(&work_world.calls, (size_t)1024 * 1024);
    prb_changes_init(&work_world.changes);
    store_count = known_count = 0;
    add_store_named(WORKS);
    add_store_named(APPLIEDS);
    spoke_put("apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n");
}

void work_world_done(void)
{
    for (size_t i = 0; i < store_count; i++)
        prb_store_unref(stores[i]);
    for (size_t i = 0; i < TEXTS; i++) {
        free(texts[i]);
        texts[i] = NULL;
    }
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

struct prb_object *live(const char *ref)
{
    struct prb_ref parsed = prb_world_ref(ref);
    struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(sides, &parsed, NULL, &object, &err) == 0 ? object : NULL;
}

bool is_there(const char *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);

    return object != NULL;
}

static const char *give_out(char *text_taken)
{
    char **place = &texts[next_text++ % TEXTS];

    free(*place);
    *place = text_taken;
    return *place;
}

const char *at(const char *ref, const char *pointer)
{
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);
    struct json_object *value;

    if (!object || !prb_json_pointer_get(prb_object_tree(object), pointer, &value))
        return "";
    return give_out(prb_json_string(value) ? prb_strdup(prb_json_string(value))
                                           : prb_json_text(value, true));
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

/* ---- what others do ---- */

void set(const char *ref, const char *subresource, const char *merge_patch)
{
    struct prb_ref parsed = prb_world_ref(ref);
    struct prb_write_options options = { .subresource = subresource };
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    struct prb_error err;

    must(prb_json_parse(merge_patch, strlen(merge_patch), NULL, &patch, &err), merge_patch, &err);
    must(prb_api_patch(sides, &parsed, PRB_PATCH_MERGE, patch, &options, NULL, &err), "set", &err);
}

void erase(const char *ref)
{
    struct prb_ref parsed = prb_world_ref(ref);
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);
    struct prb_delete_options options = { .propagation = PRB_PROPAGATE_BACKGROUND };
    struct prb_error err;

    if (!object)
        return;
    options.uid = prb_object_uid(object);
    must(prb_api_delete(sides, &parsed, &options, &err), "erase", &err);
}

/* ---- what the controller sees ---- */

void watch(const char *group, const char *kind)
{
    struct prb_known_resource *entry = &known[known_count++];
    struct prb_resource found;
    struct prb_error err;

    *entry = (struct prb_known_resource){ .state = PRB_RESOURCE_PRESENT };
    must(prb_api_resolve(sides, group, kind, &found, &err), kind, &err);
    (void)prb_copy(entry->group, sizeof(entry->group), group);
    (void)prb_copy(entry->name, sizeof(entry->name), kind);
    (void)prb_copy(entry->kind, sizeof(entry->kind), found.kind);
    entry->gvr = found.gvr;
    entry->namespaced = found.namespaced;
    add_store(&found.gvr);
}

void see(void)
{
    for (size_t i = 0; i < store_count; i++) {
        struct prb_list_options options = { .metadata_only = i >= 2 };
        prb_auto(prb_page_done) struct prb_page page;
        struct prb_error err;

        prb_page_init(&page);
        must(prb_api_list_all(sides, prb_store_gvr(stores[i]), &options, OBJECTS_MAX, &page, &err),
                "see", &err);
        prb_store_replace(stores[i], page.objects, page.count, NULL, NULL);
        prb_store_set_synced(stores[i]);
    }
}

/* ---- one pass ---- */

static void decide(const struct prb_ref *key, const struct prb_outcomes *outcomes)
{
    struct prb_reconciler reconciler = prb_reconciler_work;
    prb_auto(prb_view_close) struct prb_view *view =
            prb_view_open(stores, store_count, work_world.clock.now_ms);

    reconciler.settings = &work_world.settings;
    prb_view_set_resources(view, known, known_count);
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
