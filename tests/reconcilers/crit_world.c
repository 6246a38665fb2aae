/* What does the reconciler want of a world, and what becomes of it when it gets it? */

#include "crit_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/model/patch.h"
#include "probate/reconcilers/registry.h"

#define KNOWN_MAX 16

/* Decisions until a world that does not come to rest is given up. */
#define ROUNDS_MAX 8

int64_t crit_now_ms;
struct prb_changes crit_changes;
struct prb_critical_settings crit_settings;

static struct prb_world *world;
static struct prb_known_resource known[KNOWN_MAX];
static size_t known_count;
static int next_version;
static struct prb_str text;

static const struct prb_reconciler *const reconciler = &prb_reconciler_critical_service;

__attribute__((noreturn)) static void give_up(const char *what, const char *detail)
{
    (void)fprintf(stderr, "critical service world: %s: %s\n", what, detail);
    abort();
}

void crit_build(const char *yaml)
{
    static const char *const served[] = { SERVICES, DEPLOYMENTS, NAMESPACES, WEBHOOKS, DEFINITIONS,
        COOL };

    crit_done();
    prb_str_init(&text, 1 << 20);
    (void)prb_time_parse(CRIT_NOW, &crit_now_ms);
    prb_changes_init(&crit_changes);
    next_version = 100;
    world = prb_world_new(yaml);
    for (size_t i = 0; i < sizeof(served) / sizeof(served[0]); i++)
        (void)prb_world_serve(world, served[i]);
    (void)crit_know("my.crd.group", "coolresources", COOL, true);
    (void)crit_know("apiextensions.k8s.io", "CustomResourceDefinition", DEFINITIONS, false);
}

void crit_done(void)
{
    prb_changes_done(&crit_changes);
    crit_settings = (struct prb_critical_settings){ 0 };
    prb_world_free(world);
    world = NULL;
    known_count = 0;
    prb_str_done(&text);
}

void crit_add(const char *yaml)
{
    prb_world_add(world, yaml);
}

static struct prb_store *store_of(const struct prb_ref *ref)
{
    char gvr[PRB_GVR_TEXT_SIZE];

    prb_gvr_format(&ref->gvr, gvr);
    return prb_world_store(world, gvr);
}

void crit_remove(const char *key)
{
    struct prb_ref ref = prb_world_ref(key);

    (void)prb_store_remove(store_of(&ref), ref.namespace, ref.name);
}

static struct prb_known_resource *slot_for(const char *group, const char *name)
{
    for (size_t i = 0; i < known_count; i++) {
        if (prb_streq(known[i].group, group) && prb_streq(known[i].name, name))
            return &known[i];
    }
    if (known_count == KNOWN_MAX)
        give_up("too many resources", name);
    return &known[known_count++];
}

struct prb_known_resource *crit_know(
        const char *group, const char *name, const char *gvr, bool namespaced)
{
    struct prb_known_resource *slot = slot_for(group, name);

    *slot = (struct prb_known_resource){ .state = PRB_RESOURCE_ABSENT, .namespaced = namespaced };
    (void)prb_copy(slot->group, sizeof(slot->group), group);
    (void)prb_copy(slot->name, sizeof(slot->name), name);
    if (gvr) {
        slot->state = PRB_RESOURCE_PRESENT;
        if (!prb_gvr_parse(gvr, &slot->gvr))
            give_up("no collection", gvr);
    }
    return slot;
}

void crit_forget_resources(void)
{
    known_count = 0;
}

/* A store cannot be made unread again, so the world is made anew without it. */
static bool copy_object(void *ctx, const struct prb_object *object)
{
    struct prb_store *to = ctx;

    (void)prb_store_put(to, object);
    return true;
}

void crit_unread(const char *gvr)
{
    static const char *const all[] = { SERVICES, DEPLOYMENTS, NAMESPACES, WEBHOOKS, DEFINITIONS,
        COOL };
    struct prb_world *copy = prb_world_new("");
    struct prb_view *view = prb_world_view(world, 0);

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct prb_gvr of;

        (void)prb_gvr_parse(all[i], &of);
        if (prb_streq(all[i], gvr)) {
            (void)prb_world_store(copy, all[i]);
            continue;
        }
        if (prb_view_knows(view, &of))
            prb_view_each(view, &of, NULL, copy_object, prb_world_serve(copy, all[i]));
    }
    prb_view_close(view);
    prb_world_free(world);
    world = copy;
}

static struct prb_view *open_view(void)
{
    struct prb_view *view = prb_world_view(world, crit_now_ms);

    prb_view_set_resources(view, known, known_count);
    return view;
}

void crit_decide(const char *key)
{
    prb_auto(prb_view_close) struct prb_view *view = open_view();
    struct prb_ref ref = prb_world_ref(key);
    struct prb_reconciler set = *reconciler;

    prb_changes_done(&crit_changes);
    set.settings = &crit_settings;
    set.decide(&set, view, &ref, &crit_changes);
}

/* Only what the subresource lets through, as the API server does. */
static struct json_object *permitted(const struct prb_change *change)
{
    struct json_object *patch = prb_json_copy(change->body);

    if (prb_streq(change->subresource, "status"))
        prb_json_del(patch, "metadata");
    else
        prb_json_del(patch, "status");
    return patch;
}

static bool apply_patch(const struct prb_change *change)
{
    struct prb_store *store = store_of(&change->ref);
    prb_auto(prb_object_unref) struct prb_object *old =
            prb_store_get(store, change->ref.namespace, change->ref.name);
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_json_free) struct json_object *patch = permitted(change);
    prb_autofree char *version = prb_asprintf("%d", next_version++);
    struct json_object *tree;
    struct prb_error err;

    if (!old || (change->resource_version &&
                        !prb_streq(change->resource_version, prb_object_resource_version(old))))
        return false;
    tree = prb_merge_patch(prb_object_tree(old), patch);
    prb_json_set_str(prb_json_ensure_obj(tree, "metadata"), "resourceVersion", version);
    if (prb_object_new(tree, &made, &err) < 0)
        give_up("patched object", err.msg);
    (void)prb_store_put(store, made);
    return true;
}

bool crit_apply(void)
{
    for (size_t i = 0; i < crit_changes.count; i++) {
        const struct prb_change *change = &crit_changes.items[i];

        if (change->type == PRB_CHANGE_EVENT)
            continue;
        if (change->type != PRB_CHANGE_MERGE_PATCH)
            give_up("a change that it should not want", change->why);
        if (!apply_patch(change))
            return false;
    }
    return true;
}

const char *crit_settle(const char *key)
{
    prb_str_clear(&text);
    for (int round = 0; round < ROUNDS_MAX; round++) {
        crit_decide(key);
        for (size_t i = 0; i < crit_changes.count; i++) {
            if (crit_changes.items[i].type == PRB_CHANGE_EVENT)
                prb_str_addf(&text, "%s ", crit_changes.items[i].reason);
        }
        if (crit_changes.count == 0)
            return prb_str_get(&text);
        if (!crit_apply())
            give_up("precondition", key);
    }
    return "(restless)";
}

static struct prb_object *get(const char *key)
{
    struct prb_ref ref = prb_world_ref(key);

    return prb_store_get(store_of(&ref), ref.namespace, ref.name);
}

const char *crit_condition(const char *type)
{
    prb_auto(prb_object_unref) struct prb_object *object = get(GUARD_KEY);
    const struct json_object *list =
            object ? prb_json_arr(prb_object_status(object), "conditions") : NULL;

    prb_str_clear(&text);
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(item, "type"), type))
            prb_str_addf(
                    &text, "%s %s", prb_json_str(item, "status"), prb_json_str(item, "reason"));
    }
    return prb_str_get(&text);
}

const char *crit_at(const char *key, const char *pointer)
{
    prb_auto(prb_object_unref) struct prb_object *object = get(key);
    struct json_object *node = NULL;

    prb_str_clear(&text);
    if (!object || !prb_json_pointer_get(prb_object_tree(object), pointer, &node))
        return "";
    if (prb_json_string(node))
        prb_str_add(&text, prb_json_string(node));
    else
        prb_json_print(node, &text);
    return prb_str_get(&text);
}

static void note_key(void *ctx, const struct prb_ref *key)
{
    char line[PRB_REF_TEXT_SIZE];

    prb_ref_format(key, line);
    prb_str_addf(ctx, "%s\n", line);
}

static int read_object(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    (void)line;
    return prb_object_new(taken, ctx, err);
}

static bool is_known(const struct prb_gvr *gvr)
{
    for (size_t i = 0; i < known_count; i++) {
        if (known[i].state == PRB_RESOURCE_PRESENT && prb_gvr_equal(&known[i].gvr, gvr))
            return true;
    }
    return false;
}

/* As the runner does: the map of the table, and the other for what criteria were found to name. */
const char *crit_map(const char *key, const char *gone_yaml)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_ref ref = prb_world_ref(key);
    struct prb_view *view;
    struct prb_error err;

    if (!gone_yaml)
        object = get(key);
    else if (prb_yaml_read(gone_yaml, strlen(gone_yaml), read_object, &object, &err) < 0)
        give_up("yaml", err.msg);
    prb_str_clear(&text);
    view = open_view();
    for (size_t i = 0; i < reconciler->watch_count; i++) {
        const struct prb_watch_spec *spec = &reconciler->watches[i];

        if (prb_streq(spec->resource, ref.gvr.resource) && prb_streq(spec->group, ref.gvr.group))
            spec->map(view, &ref, object, note_key, &text);
    }
    if (is_known(&ref.gvr))
        reconciler->map_wanted(view, &ref, object, note_key, &text);
    prb_view_close(view);
    return prb_str_get(&text);
}

/* What is needed to map each object of a walk. */
struct walk {
    const struct prb_view *view;
    const struct prb_gvr *gvr;
    const struct prb_watch_spec *spec;
};

static bool map_each(void *ctx, const struct prb_object *object)
{
    const struct walk *walk = ctx;
    struct prb_ref ref;

    if (prb_object_ref_in(object, walk->gvr, &ref))
        walk->spec->map(walk->view, &ref, object, note_key, &text);
    return true;
}

const char *crit_map_all(const char *gvr)
{
    prb_auto(prb_view_close) struct prb_view *view = open_view();
    struct prb_gvr parsed;

    prb_str_clear(&text);
    if (!prb_gvr_parse(gvr, &parsed))
        give_up("no collection", gvr);
    for (size_t i = 0; i < reconciler->watch_count; i++) {
        struct walk walk = { .view = view, .gvr = &parsed, .spec = &reconciler->watches[i] };

        if (prb_streq(walk.spec->resource, parsed.resource))
            prb_view_each(view, &parsed, NULL, map_each, &walk);
    }
    return prb_str_get(&text);
}

const char *crit_map_collection(const char *gvr)
{
    prb_auto(prb_view_close) struct prb_view *view = open_view();
    struct prb_ref ref = { .name = "" };

    if (gvr && !prb_gvr_parse(gvr, &ref.gvr))
        give_up("no collection", gvr);
    prb_str_clear(&text);
    reconciler->map_wanted(view, &ref, NULL, note_key, &text);
    return prb_str_get(&text);
}

static void note_resource(void *ctx, const char *group, const char *resource)
{
    prb_str_addf(ctx, "%s%s%s\n", resource, group[0] ? "." : "", group);
}

const char *crit_wanted(void)
{
    prb_auto(prb_view_close) struct prb_view *view = open_view();

    prb_str_clear(&text);
    reconciler->wants(reconciler, view, note_resource, &text);
    return prb_str_get(&text);
}
