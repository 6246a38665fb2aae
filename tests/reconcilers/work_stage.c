/* How does a test play the controller of works, and see what it writes? */

#include "work_stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/api/sides.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/control/apply.h"
#include "probate/model/outcome.h"
#include "probate/reconcilers/registry.h"

#include "../../src/reconcilers/work_internal.h"
#include "work_stage_calls.h"

#define CACHES 3

struct work_stage stage;

static const char *const collections[CACHES] = { HUB_WORKS, APPLIED, "configmaps.v1." };
static struct prb_store *caches[CACHES];
static struct prb_api *sides;
static struct prb_changes last;
static struct json_object *memory;
static struct prb_str told;

/* Those on record that a test says no manifest stands for. */
static size_t find_stale(const struct prb_pair *pair, struct prb_applied_entry *entries)
{
    size_t all = 0, count = 0;
    prb_autofree struct prb_applied_entry *recorded =
            pair->applied ? prb_applied_entries(pair->applied, &all) : NULL;

    for (size_t i = 0; i < all; i++) {
        if (prb_starts_with(recorded[i].name, stage.stale) &&
                (!stage.stale_group || prb_streq(recorded[i].group, stage.stale_group)))
            entries[count++] = recorded[i];
    }
    return count;
}

/* The other half of the controller, but for what it removes. */
void prb_work_apply(struct prb_pair *pair)
{
    prb_auto(prb_manifest_work_done) struct prb_manifest_work work;
    prb_auto(prb_removals_done) struct prb_removals removals = { .count = 0 };
    prb_auto(prb_str_done) struct prb_str words;
    struct prb_applied_entry entries[600];
    size_t count = stage.stale ? find_stale(pair, entries) : 0;
    bool asked = false;

    prb_str_init(&words, 8192);
    prb_manifest_work_read(pair->work, &work);
    prb_work_remove(pair, entries, count, &work, &removals);
    for (size_t i = 0; i < removals.count; i++)
        asked = asked || removals.items[i].state == PRB_REMOVAL_ASKED;
    if (asked) {
        prb_changes_go_on(pair->out);
        return;
    }
    prb_removals_describe(&removals, removals.count, &words);
    if (stage.stale)
        prb_changes_wait(pair->out, "%s", prb_str_get(&words));
    else
        calls_note("apply\n");
}

static struct prb_gvr gvr_of(const char *text)
{
    struct prb_gvr gvr;

    if (!prb_gvr_parse(text, &gvr))
        abort();
    return gvr;
}

void stage_begin(void)
{
    const struct prb_hub_options options = { .clock = &stage.clock.clock };
    struct prb_sides_options both = { .hub_namespace = "c1" };

    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, fileno(stderr));
    stage = (struct work_stage){ .calls_max = SIZE_MAX };
    prb_fake_clock_init(&stage.clock, 1767323400000); /* 2026-01-02T03:10:00Z */
    stage.hub = prb_hub_new(&options);
    stage.api = prb_hub_api(stage.hub);
    world_objects_open(stage.api);
    stage.settings = (struct prb_work_settings){ .cluster_name = "c1",
        .hub_hash = "h1",
        .agent_id = "me",

        .eviction_grace_ms = (int64_t)PRB_EVICTION_GRACE_MS };
    both.own = both.hub = stage.api;
    sides = prb_sides_open(&both);
    calls_begin(sides);
    for (size_t i = 0; i < CACHES; i++) {
        struct prb_gvr gvr = gvr_of(collections[i]);

        caches[i] = prb_store_new(&gvr);
    }
    prb_changes_init(&last);
    memory = NULL;
    prb_str_init(&told, 8192);
}

void stage_end(void)
{
    prb_changes_done(&last);
    prb_json_free(prb_take(memory));
    prb_str_done(&told);
    for (size_t i = 0; i < CACHES; i++)
        prb_store_unref(caches[i]);
    calls_end();
    prb_api_close(sides);
    world_objects_close();
    prb_hub_free(stage.hub);
}

void put(const char *yaml)
{
    struct prb_error err;

    must(prb_hub_load_text(stage.hub, yaml, strlen(yaml), &err), "put", &err);
}

void see(void)
{
    for (size_t i = 0; i < CACHES; i++) {
        struct prb_list_options options = { .limit = 0 };
        struct prb_gvr gvr = gvr_of(collections[i]);
        prb_auto(prb_page_done) struct prb_page page;
        struct prb_error err;

        prb_page_init(&page);
        must(prb_api_list_all(sides, &gvr, &options, 10000, &page, &err), collections[i], &err);
        prb_store_replace(caches[i], page.objects, page.count, NULL, NULL);
        prb_store_set_synced(caches[i]);
    }
}

static void decide(const char *key, const struct prb_outcomes *outcomes)
{
    struct prb_reconciler reconciler = prb_reconciler_work;
    prb_auto(prb_view_close) struct prb_view *view =
            prb_view_open(caches, stage.watches_maps ? CACHES : CACHES - 1, stage.clock.now_ms);
    struct prb_ref ref = prb_world_ref(key);

    reconciler.settings = &stage.settings;
    prb_view_set_outcomes(view, outcomes);
    prb_view_set_memory(view, memory);
    prb_changes_done(&last);
    reconciler.decide(&reconciler, view, &ref, &last);
}

static void note_events(void)
{
    for (size_t i = 0; i < last.count; i++) {
        const struct prb_change *change = &last.items[i];

        if (change->type == PRB_CHANGE_EVENT)
            prb_str_addf(&told, "%s %s %s: %s\n", change->warning ? "Warning" : "Normal",
                    change->reason, change->kind, change->note);
    }
}

/* As the runner does it; the caches follow each round at once. */
static void play(const char *key, bool blind)
{
    prb_auto(prb_outcomes_free) struct prb_outcomes *outcomes = prb_outcomes_new();
    const struct prb_apply_options options = { .controller = "test", .outcomes = outcomes };
    struct prb_error err;

    for (int round = 0; round < PRB_ROUNDS_MAX; round++) {
        if (!blind && !stage.is_blind)
            see();
        blind = false;
        decide(key, outcomes);
        note_events();
        stage.result = prb_apply(calls_api(), NULL, &last, &options, &err);
        if (stage.result != 0 || !last.go_on)
            break;
    }
    if (stage.result == 0 && last.go_on)
        calls_note("never ends\n");
    if (stage.result == 0 && last.remembers) {
        prb_json_free(memory);
        memory = prb_take(last.memory);
    }
}

const char *pass_on(const char *key)
{
    calls_clear();
    play(key, false);
    return calls_text();
}

const char *pass(void)
{
    return pass_on(A);
}

const char *pass_blind(void)
{
    calls_clear();
    play(A, true);
    return calls_text();
}

const char *passes_more(const char *key, size_t max)
{
    for (size_t i = 0; i < max; i++) {
        size_t before = strlen(calls_text());

        play(key, false);
        if (strlen(calls_text()) == before)
            break;
    }
    return calls_text();
}

const char *passes_on(const char *key, size_t max)
{
    calls_clear();
    return passes_more(key, max);
}

const char *passes(size_t max)
{
    return passes_on(A, max);
}

const char *events(void)
{
    return prb_str_get(&told);
}

const char *waits(void)
{
    return last.waits_for ? last.waits_for : "";
}

bool retries(void)
{
    return last.retry_max_ms > 0;
}

int64_t again_ms(void)
{
    return last.again_after_ms;
}

const char *message(const char *type)
{
    static char text[8192];
    prb_auto(prb_object_unref) struct prb_object *work = live(W);
    const struct json_object *list =
            work ? prb_json_arr(prb_object_status(work), "conditions") : NULL;

    text[0] = '\0';
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(item, "type"), type))
            (void)snprintf(text, sizeof(text), "%s %s: %s", prb_json_str(item, "status"),
                    prb_json_str(item, "reason"), prb_json_str(item, "message"));
    }
    return text;
}

size_t owners_of(const char *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = live(ref);

    return object ? prb_object_owner_count(object) : 99;
}
