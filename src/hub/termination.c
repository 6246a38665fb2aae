/*
 * How does a namespace end? Its content is deleted in the background; while something remains,
 * conditions say what; when nothing does, the finalizer in spec goes and with it the Namespace.
 */

#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "conditions.h"
#include "meta.h"
#include "namespaces.h"
#include "objects.h"
#include "plan.h"
#include "retry.h"

/* A condition text with every kind of a hub in it. */
#define TEXT_MAX 16384

#define CONTENT_FAILURE "NamespaceDeletionContentFailure"

/* What is left in a namespace. */
struct rest {
    size_t objects;
    struct json_object *kinds;      /* owned: how many of each, as the condition says it */
    struct json_object *finalizers; /* owned: finalizer to number of objects */
    struct prb_str refusals;        /* what admission said to deletes */
    size_t refused;
};

static void rest_init(struct rest *rest)
{
    *rest = (struct rest){ .kinds = json_object_new_array(),
        .finalizers = json_object_new_object() };
    prb_str_init(&rest->refusals, TEXT_MAX);
}

static void rest_done(struct rest *rest)
{
    prb_json_free(rest->kinds);
    prb_json_free(rest->finalizers);
    prb_str_done(&rest->refusals);
}

/* The keys of a kind's objects in a namespace, as an array of strings. */
static struct json_object *keys_in(const struct prb_hub_kind *kind, const char *namespace)
{
    struct json_object *keys = json_object_new_array();
    size_t at = 0, len = strlen(namespace);
    const char *key;
    void *value;

    if (!kind->entries || !kind->resource.namespaced)
        return keys;
    while (prb_map_next(kind->entries, &at, &key, &value)) {
        if (strncmp(key, namespace, len) == 0 && key[len] == '/')
            prb_json_push(keys, json_object_new_string(key));
    }
    return keys;
}

/* One turn of the controller. */
struct turn {
    struct prb_hub *hub;
    const struct prb_hub_item *item; /* the Namespace */
    const char *name;                /* of it */
    struct rest rest;
};

/* Admission is asked, so the lock is given up meanwhile. */
static enum prb_hub_carried carry_out(
        const struct turn *turn, struct prb_hub_plan *plan, struct prb_error *err)
{
    plan->user = PRB_HUB_NAMESPACE_CONTROLLER;
    return prb_hub_plan_carry_out(turn->hub, turn->item, plan, err);
}

/* Delete one object of the content. */
static void delete_one(struct turn *turn, const struct prb_hub_kind *kind, const char *key)
{
    prb_auto(prb_hub_plan_done) struct prb_hub_plan plan = { .operation = NULL };
    const struct prb_hub_entry *entry = prb_hub_find_key(kind, key);
    struct prb_error err;

    if (!entry)
        return;
    prb_hub_plan_deletion(turn->hub, entry, PRB_PROPAGATE_BACKGROUND, &plan);
    if (carry_out(turn, &plan, &err) == PRB_HUB_REFUSED)
        prb_str_addf(&turn->rest.refusals, "%s%s", turn->rest.refused++ ? ", " : "", err.msg);
}

static void count_finalizers(const struct prb_object *object, struct json_object *totals)
{
    for (size_t i = 0; i < prb_object_finalizer_count(object); i++) {
        const char *finalizer = prb_object_finalizer_at(object, i);
        int64_t count = 0;

        if (!finalizer)
            continue;
        (void)prb_json_int(totals, finalizer, &count);
        prb_json_set_int(totals, finalizer, count + 1);
    }
}

/* Delete the objects of one kind and count what stays. */
static void delete_kind(struct turn *turn, const struct prb_hub_kind *kind)
{
    prb_auto(prb_json_free) struct json_object *keys = keys_in(kind, turn->name);
    struct rest *rest = &turn->rest;
    prb_autofree char *text = NULL;
    size_t left = 0;

    for (size_t i = 0; i < prb_json_len(keys); i++)
        delete_one(turn, kind, prb_json_string(prb_json_elem(keys, i)));
    for (size_t i = 0; i < prb_json_len(keys); i++) {
        const struct prb_hub_entry *entry =
                prb_hub_find_key(kind, prb_json_string(prb_json_elem(keys, i)));

        if (!entry)
            continue;
        left++;
        count_finalizers(entry->object, rest->finalizers);
    }
    if (left == 0)
        return;
    rest->objects += left;
    text = prb_asprintf("%s.%s has %zu resource instances", kind->resource.gvr.resource,
            kind->resource.gvr.group, left);
    prb_json_push(rest->kinds, json_object_new_string(text));
}

static void delete_content(struct turn *turn)
{
    size_t count;
    prb_autofree struct prb_hub_kind **kinds = prb_hub_kinds_sorted(turn->hub->kinds, &count);

    /* By discovery: what is not served stays behind. */
    for (size_t i = 0; i < count; i++) {
        if (kinds[i]->served)
            delete_kind(turn, kinds[i]);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(prb_json_string(*(struct json_object *const *)a),
            prb_json_string(*(struct json_object *const *)b));
}

/* `prefix` and the texts of an array, sorted, with commas between. */
static char *sentence(const char *prefix, struct json_object *texts)
{
    prb_auto(prb_str_done) struct prb_str out;

    json_object_array_sort(texts, by_text);
    prb_str_init(&out, TEXT_MAX);
    prb_str_add(&out, prefix);
    for (size_t i = 0; i < prb_json_len(texts); i++)
        prb_str_addf(&out, "%s%s", i ? ", " : "", prb_json_string(prb_json_elem(texts, i)));
    return prb_str_take(&out);
}

static struct json_object *finalizer_texts(const struct json_object *totals)
{
    struct json_object *texts = json_object_new_array();
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *finalizer;

    while (prb_json_next(totals, &at, &started, &finalizer, &value)) {
        prb_autofree char *text = prb_asprintf("%s in %lld resource instances", finalizer,
                (long long)json_object_get_int64(value));

        prb_json_push(texts, json_object_new_string(text));
    }
    return texts;
}

/* The five conditions of the namespace controller; true when one of them changed. */
static bool set_conditions(struct json_object *tree, const struct rest *rest, int64_t now_ms)
{
    prb_auto(prb_json_free) struct json_object *finalizers = finalizer_texts(rest->finalizers);
    prb_autofree char *kinds_text = sentence("Some resources are remaining: ", rest->kinds);
    prb_autofree char *finalizers_text =
            sentence("Some content in the namespace has finalizers remaining: ", finalizers);
    prb_autofree char *refusals_text = prb_asprintf("Failed to delete all resource types, %zu "
                                                    "remaining: %s",
            rest->refused, prb_str_get(&rest->refusals));
    /* A refusal may name the time, and is not written down again for that. */
    const char *refusal = prb_hub_condition_keep(tree, CONTENT_FAILURE, refusals_text);
    bool refused = rest->refused > 0, left = rest->objects > 0;
    bool held = prb_json_len(finalizers) > 0, changed = false;
    const struct prb_hub_condition conditions[] = {
        { "NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered",
                "All resources successfully discovered" },
        { "NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions",
                "All legacy kube types successfully parsed" },
        { CONTENT_FAILURE, refused ? "True" : "False",
                refused ? "ContentDeletionFailed" : "ContentDeleted",
                refused ? refusal
                        : "All content successfully deleted, may be waiting on finalization" },
        { "NamespaceContentRemaining", left ? "True" : "False",
                left ? "SomeResourcesRemain" : "ContentRemoved",
                left ? kinds_text : "All content successfully removed" },
        { "NamespaceFinalizersRemaining", held ? "True" : "False",
                held ? "SomeFinalizersRemain" : "ContentHasNoFinalizers",
                held ? finalizers_text : "All content-preserving finalizers finished" },
    };

    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
        changed = prb_hub_set_condition(tree, &conditions[i], now_ms) || changed;
    return changed;
}

/* Change the Namespace itself, through one of its subresources. False: it is not so, not yet. */
static bool change(const struct turn *turn, const struct prb_hub_entry *entry,
        const char *subresource, struct json_object *tree_taken)
{
    prb_auto(prb_hub_plan_done) struct prb_hub_plan plan = { .operation = NULL };
    enum prb_hub_carried carried;
    struct prb_error err;

    prb_hub_plan_change(entry, tree_taken, &plan);
    plan.subresource = subresource;
    carried = carry_out(turn, &plan, &err);
    if (carried == PRB_HUB_REFUSED)
        prb_hub_retry_later(turn->hub, turn->item);
    return carried == PRB_HUB_CARRIED_OUT;
}

/* Write what remains into the status of the Namespace. */
static bool report(const struct turn *turn)
{
    const struct prb_clock *clock = turn->hub->clock;
    const struct prb_hub_entry *entry = prb_hub_find_key(turn->item->kind, turn->item->key);
    prb_auto(prb_json_free) struct json_object *tree =
            entry ? prb_object_copy(entry->object) : NULL;

    if (!tree || !set_conditions(tree, &turn->rest, clock->wall_ms(clock)))
        return true;
    return change(turn, entry, "status", prb_take(tree));
}

/* Take the finalizer of this controller out of spec. */
static void release(const struct turn *turn, const struct prb_hub_entry *entry)
{
    const struct json_object *held = prb_json_arr(prb_object_spec(entry->object), "finalizers");
    struct json_object *tree = prb_object_copy(entry->object), *left = json_object_new_array();

    for (size_t i = 0; i < prb_json_len(held); i++) {
        if (!prb_streq(prb_json_string(prb_json_elem(held, i)), PRB_HUB_KUBERNETES))
            prb_json_push(left, prb_json_copy(prb_json_elem(held, i)));
    }
    prb_json_set(prb_json_ensure_obj(tree, "spec"), "finalizers", left);
    (void)change(turn, entry, "finalize", tree);
}

/* Is it being deleted, and held by this controller? */
static bool is_ours(const struct prb_hub_entry *entry)
{
    return entry && prb_object_is_deleting(entry->object) &&
           prb_hub_namespace_is_held(prb_object_tree(entry->object));
}

static void take_turn(struct turn *turn)
{
    const struct prb_hub_entry *entry;

    delete_content(turn);
    if (turn->rest.refused > 0)
        prb_hub_retry_later(turn->hub, turn->item);
    if (!report(turn))
        return;
    entry = prb_hub_find_key(turn->item->kind, turn->item->key);
    if (turn->rest.objects == 0 && is_ours(entry))
        release(turn, entry);
}

void prb_hub_namespace_step(struct prb_hub *hub, const struct prb_hub_item *item)
{
    struct turn turn = { .hub = hub, .item = item, .name = item->key + 1 }; /* "/name" */

    if (!is_ours(prb_hub_find_key(item->kind, item->key)))
        return;
    rest_init(&turn.rest);
    take_turn(&turn);
    rest_done(&turn.rest);
}
