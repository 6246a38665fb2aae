/* What is on the hub of a golden case, and what does a live question find out? */

#include "golden_hub.h"

#include <stdio.h>

#include "probate/admission/asker.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/rules/registry.h"

#include "golden_port.h"
#include "support/wait.h"
#include "support/world.h"

/* Cases are written by hand. */
#define TEXT_MAX ((size_t)1024 * 1024)

/* Nobody keeps a question waiting here. */
#define PATIENCE_MS prb_test_patience_ms(PRB_TEST_SOON_MS)

struct prb_golden_hub {
    const struct json_object *failures; /* borrowed */
    struct prb_world *truth;            /* owned */
    struct prb_golden_port port;        /* to it */
    struct prb_world *cache;            /* owned */
};

static const char *const served[] = {
    "managedclusters.v1.cluster.open-cluster-management.io",
    "managedclusteraddons.v1alpha1.addon.open-cluster-management.io",
    "managedclusteraddons.v1beta1.addon.open-cluster-management.io",
    "criticalservices.v1alpha1.probate.dev",
};

__attribute__((noreturn)) static void give_up(const char *what)
{
    (void)fprintf(stderr, "golden hub: %s\n", what);
    abort();
}

static struct prb_world *world_of(const struct json_object *objects)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, TEXT_MAX);
    for (size_t i = 0; i < prb_json_len(objects); i++) {
        prb_str_add(&text, "---\n");
        prb_yaml_print(prb_json_elem(objects, i), &text);
    }
    return prb_world_new(prb_str_get(&text));
}

/* Collections that are there although the case has no object of them. */
static void serve(struct prb_world *world, const struct json_object *list)
{
    for (size_t i = 0; list && i < prb_json_len(list); i++)
        (void)prb_world_serve(world, prb_json_string(prb_json_elem(list, i)));
    for (size_t i = 0; !list && i < sizeof(served) / sizeof(served[0]); i++)
        (void)prb_world_serve(world, served[i]);
}

static bool is_listed(const struct json_object *list, const char *text)
{
    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (prb_streq(prb_json_string(prb_json_elem(list, i)), text))
            return true;
    }
    return false;
}

/* The cache has read what the rules watch, but for what the case says is not read yet. */
static void sync_cache(struct prb_world *cache, const struct json_object *unsynced)
{
    size_t count;
    const struct prb_rule *const *rules = prb_rules(&count);

    for (size_t r = 0; r < count; r++) {
        for (size_t w = 0; w < rules[r]->watch_count; w++) {
            const struct prb_watch_spec *watch = &rules[r]->watches[w];
            char text[PRB_GVR_TEXT_SIZE];
            struct prb_gvr gvr;

            if (!prb_gvr_init(&gvr, watch->group, watch->version, watch->resource))
                give_up(watch->resource);
            prb_gvr_format(&gvr, text);
            if (!is_listed(unsynced, text))
                (void)prb_world_serve(cache, text);
        }
    }
}

struct prb_golden_hub *prb_golden_hub_new(const struct json_object *source)
{
    const struct json_object *world = prb_json_arr(source, "world");
    struct prb_golden_hub *hub = prb_calloc(1, sizeof(*hub));

    hub->failures = prb_json_arr(source, "failures");
    hub->truth = world_of(world);
    serve(hub->truth, prb_json_arr(source, "serves"));
    prb_golden_port_init(&hub->port, hub->truth, prb_json_str(source, "access"));
    hub->cache = world_of(prb_json_has(source, "cache") ? prb_json_arr(source, "cache") : world);
    sync_cache(hub->cache, prb_json_arr(source, "unsynced"));
    return hub;
}

void prb_golden_hub_free(struct prb_golden_hub *hub)
{
    if (!hub)
        return;
    prb_world_free(hub->truth);
    prb_world_free(hub->cache);
    free(hub);
}

struct prb_view *prb_golden_hub_view(struct prb_golden_hub *hub)
{
    return prb_world_view(hub->cache, PRB_GOLDEN_NOW_MS);
}

/* The core group has no name, but a place in a line. */
static const char *group_of(const struct prb_question *question)
{
    return question->group[0] ? question->group : "core";
}

char *prb_golden_question(const struct prb_question *question)
{
    const struct prb_ref *ref = &question->ref;
    char text[PRB_REF_TEXT_SIZE];

    switch (question->type) {
    case PRB_ASK_OBJECT:
        prb_ref_format(ref, text);
        return prb_strdup(text);
    case PRB_ASK_RESOURCE:
        return prb_asprintf("%s %s", question->group, question->kind);
    case PRB_ASK_NAMED:
        return prb_asprintf("named %s %s %s%s%s", group_of(question), question->kind,
                ref->namespace, ref->namespace[0] ? "/" : "", ref->name);
    case PRB_ASK_FINALIZER:
        return prb_asprintf(
                "finalizer %s %s %s", group_of(question), question->kind, question->finalizer);
    case PRB_ASK_LIST:
        prb_gvr_format(&ref->gvr, text);
        return prb_asprintf("list %s", text);
    case PRB_ASK_ACCESS:
        prb_ref_format(ref, text);
        return prb_asprintf("access %s %s", question->verb, text);
    }
    return prb_strdup("");
}

static const struct {
    const char *name;
    enum prb_errc code;
} errors[] = {
    { "forbidden", PRB_E_FORBIDDEN },
    { "unavailable", PRB_E_UNAVAILABLE },
    { "io", PRB_E_IO },
};

/* Does this question fail? "unanswered" leaves it as it is: nobody came to ask it. */
static bool fail(const struct prb_golden_hub *hub, struct prb_question *question)
{
    prb_autofree char *text = prb_golden_question(question);

    for (size_t i = 0; i < prb_json_len(hub->failures); i++) {
        const struct json_object *failure = prb_json_elem(hub->failures, i);
        const char *message = prb_json_str(failure, "message");

        if (!prb_streq(prb_json_str(failure, "question"), text))
            continue;
        for (size_t e = 0; e < sizeof(errors) / sizeof(errors[0]); e++) {
            if (prb_streq(prb_json_str(failure, "error"), errors[e].name))
                (void)prb_fail(&question->error, errors[e].code, "%s", message ? message : "");
        }
        (void)prb_copy(question->error.reason, sizeof(question->error.reason),
                prb_json_has(failure, "reason") ? prb_json_str(failure, "reason") : "");
        if (question->error.code == PRB_OK &&
                !prb_streq(prb_json_str(failure, "error"), "unanswered"))
            give_up("no such error");
        return true;
    }
    return false;
}

void prb_golden_hub_answer(struct prb_golden_hub *hub, struct prb_questions *questions)
{
    const struct prb_clock *clock = prb_clock_system();

    for (size_t i = 0; i < questions->count; i++) {
        struct prb_question *question = &questions->items[i];

        if (!question->asked)
            question->asked = fail(hub, question);
    }
    prb_ask_all(&hub->port.api, clock, clock->mono_ms(clock) + PATIENCE_MS, questions);
}
