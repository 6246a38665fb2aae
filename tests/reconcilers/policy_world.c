/* How does a test run the policy controller on a cluster in memory, round by round? */

#include "policy_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/control/apply.h"
#include "probate/model/outcome.h"
#include "probate/reconcilers/registry.h"

#include "policy_world_calls.h"
#include "support/world.h"

#define STORES_MAX 16
#define OBJECTS_MAX 10000
#define PASSES_MAX 10

/* Texts that `at` and others have given out and that still hold. */
#define TEXTS 8

struct policy_world policy_world;

static struct prb_store *stores[STORES_MAX];
static struct prb_known_resource known[STORES_MAX];
static size_t store_count, known_count;
static char *texts[TEXTS];
static size_t next_text;

static struct prb_api *hub_api(void)
{
    return prb_hub_api(policy_world.hub);
}

static void must(int r, const char *what, const struct prb_error *err)
{
    if (r == 0)
        return;
    (void)fprintf(stderr, "policy_world: %s: %s\n", what, err->msg);
    abort();
}

static void add_store(const struct prb_gvr *gvr)
{
    for (size_t i = 0; i < store_count; i++) {
        if (prb_gvr_equal(prb_store_gvr(stores[i]), gvr))
            return;
    }
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

void policy_world_init(void)
{
    const struct prb_hub_options options = { .clock = &policy_world.clock.clock };

    policy_world = (struct policy_world){ .result = 0 };
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, fileno(stderr));
    prb_fake_clock_init(&policy_world.clock, 1767225600000);
    policy_world.hub = prb_hub_new(&options);
    policy_world.api = policy_world_calls_open(hub_api());
    prb_str_init(&policy_world.calls, (size_t)1024 * 1024);
    prb_str_init(&policy_world.events, (size_t)1024 * 1024);
    prb_changes_init(&policy_world.changes);
    store_count = known_count = 0;
    add_store_named(POLICIES);
    add_store_named("namespaces.v1.");
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n");
}

void policy_world_done(void)
{
    for (size_t i = 0; i < store_count; i++)
        prb_store_unref(stores[i]);
    for (size_t i = 0; i < TEXTS; i++) {
        free(texts[i]);
        texts[i] = NULL;
    }
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

struct prb_object *live(const char *ref)
{
    struct prb_ref parsed = prb_world_ref(ref);
    struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(hub_api(), &parsed, NULL, &object, &err) == 0 ? object : NULL;
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

/* ---- what others do ---- */

void set(const char *ref, const char *subresource, const char *merge_patch)
{
    struct prb_ref parsed = prb_world_ref(ref);
    struct prb_write_options options = { .subresource = subresource };
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    struct prb_error err;

    must(prb_json_parse(merge_patch, strlen(merge_patch), NULL, &patch, &err), merge_patch, &err);
    must(prb_api_patch(hub_api(), &parsed, PRB_PATCH_MERGE, patch, &options, NULL, &err), "set",
            &err);
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
    must(prb_api_delete(hub_api(), &parsed, &options, &err), "erase", &err);
}

/* ---- what the controller sees ---- */

void watch(const char *group, const char *kind)
{
    struct prb_known_resource *entry = &known[known_count++];
    struct prb_resource found;
    struct prb_error err;

    *entry = (struct prb_known_resource){ .state = PRB_RESOURCE_PRESENT };
    must(prb_api_resolve(hub_api(), group, kind, &found, &err), kind, &err);
    (void)prb_copy(entry->group, sizeof(entry->group), group);
    (void)prb_copy(entry->name, sizeof(entry->name), kind);
    (void)prb_copy(entry->kind, sizeof(entry->kind), found.kind);
    entry->gvr = found.gvr;
    entry->namespaced = found.namespaced;
    add_store(&found.gvr);
}

void see(void)
{
    size_t count = policy_world.lags ? 2 : store_count;

    for (size_t i = 0; i < count; i++) {
        struct prb_list_options options = { .metadata_only = i > 0 };
        prb_auto(prb_page_done) struct prb_page page;
        struct prb_error err;

        prb_page_init(&page);
        must(prb_api_list_all(
                     hub_api(), prb_store_gvr(stores[i]), &options, OBJECTS_MAX, &page, &err),
                "see", &err);
        prb_store_replace(stores[i], page.objects, page.count, NULL, NULL);
        prb_store_set_synced(stores[i]);
    }
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
    prb_auto(prb_view_close) struct prb_view *view =
            prb_view_open(stores, store_count, policy_world.clock.now_ms);

    prb_view_set_resources(view, known, known_count);
    prb_view_set_outcomes(view, outcomes);
    prb_view_set_memory(view, policy_world.memory);
    prb_changes_done(&policy_world.changes);
    prb_changes_init(&policy_world.changes);
    prb_reconciler_policy.decide(&prb_reconciler_policy, view, key, &policy_world.changes);
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
