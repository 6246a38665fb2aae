/*
 * What do the controllers of CRDs do? They accept the names of a new one, and when one is deleted
 * they remove its instances first. No admission is asked here: they write to the store directly.
 */

#include "probate/base/str.h"

#include "conditions.h"
#include "definitions.h"
#include "deletion.h"
#include "meta.h"
#include "objects.h"

static int64_t now_ms(const struct prb_hub *hub)
{
    return hub->clock->wall_ms(hub->clock);
}

/* The version objects are stored in: it is the first one that says so. */
static const char *stored_version(const struct json_object *spec)
{
    const struct json_object *versions = prb_json_arr(spec, "versions");

    for (size_t i = 0; i < prb_json_len(versions); i++) {
        bool storage = false;

        (void)prb_json_bool(prb_json_elem(versions, i), "storage", &storage);
        if (storage)
            return prb_json_str(prb_json_elem(versions, i), "name");
    }
    return prb_json_str(spec, "version");
}

bool prb_hub_definition_establish(struct prb_hub *hub, struct json_object *tree)
{
    static const struct prb_hub_condition accepted = { "NamesAccepted", "True", "NoConflicts",
        "no conflicts found" };
    static const struct prb_hub_condition established = { "Established", "True",
        "InitialNamesAccepted", "the initial names have been accepted" };
    const struct json_object *spec = prb_json_obj(tree, "spec");
    const char *stored = stored_version(spec);
    struct json_object *status = prb_json_ensure_obj(tree, "status");
    struct json_object *stored_versions;

    if (prb_hub_condition_is_true(tree, "Established"))
        return false;
    (void)prb_hub_set_condition(tree, &accepted, now_ms(hub));
    (void)prb_hub_set_condition(tree, &established, now_ms(hub));
    prb_json_set(status, "acceptedNames", prb_json_copy(prb_json_obj(spec, "names")));
    stored_versions = json_object_new_array();
    if (stored)
        prb_json_push(stored_versions, json_object_new_string(stored));
    prb_json_set(status, "storedVersions", stored_versions);
    return true;
}

void prb_hub_definition_terminate(struct prb_hub *hub, struct json_object *tree)
{
    static const struct prb_hub_condition pending = { "Terminating", "True",
        "InstanceDeletionPending",
        "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon" };

    prb_hub_meta_set_now(hub, tree, "deletionTimestamp");
    prb_hub_finalizer_add(tree, PRB_HUB_CRD_FINALIZER);
    (void)prb_hub_set_condition(tree, &pending, now_ms(hub));
}

/* Write a condition into a CRD, when it is not there yet. */
static void report(struct prb_hub *hub, const struct prb_hub_entry *entry,
        const struct prb_hub_condition *condition)
{
    prb_auto(prb_json_free) struct json_object *tree = prb_object_copy(entry->object);
    struct prb_error err;

    if (prb_hub_set_condition(tree, condition, now_ms(hub)))
        (void)prb_hub_put(hub, entry->kind, prb_take(tree), NULL, &err);
}

static void delete_instance(struct prb_hub *hub, struct prb_hub_entry *entry)
{
    struct json_object *marked = NULL;
    struct prb_error err;

    switch (prb_hub_deletion(hub, entry, PRB_PROPAGATE_DEFAULT, &marked)) {
    case PRB_HUB_UNCHANGED:
        return;
    case PRB_HUB_CHANGED:
        (void)prb_hub_put(hub, entry->kind, marked, NULL, &err);
        return;
    case PRB_HUB_REMOVED:
        prb_hub_drop(hub, entry);
        return;
    }
}

/* Delete the instances of a kind; true when none is left. */
static bool delete_instances(struct prb_hub *hub, const struct prb_hub_kind *kind)
{
    prb_auto(prb_json_free) struct json_object *keys = json_object_new_array();
    size_t at = 0;
    const char *key;
    void *value;

    if (!kind || !kind->entries)
        return true;
    while (prb_map_next(kind->entries, &at, &key, &value))
        prb_json_push(keys, json_object_new_string(key));
    for (size_t i = 0; i < prb_json_len(keys); i++) {
        struct prb_hub_entry *entry =
                prb_hub_find_key(kind, prb_json_string(prb_json_elem(keys, i)));

        if (entry)
            delete_instance(hub, entry);
    }
    return prb_map_count(kind->entries) == 0;
}

/* Nothing is left of what it defined: the CRD may go. */
static void release(struct prb_hub *hub, struct prb_hub_entry *entry)
{
    static const struct prb_hub_condition completed = { "Terminating", "False",
        "InstanceDeletionCompleted", "removed all instances" };
    prb_auto(prb_json_free) struct json_object *tree = prb_object_copy(entry->object);
    struct prb_error err;

    (void)prb_hub_set_condition(tree, &completed, now_ms(hub));
    prb_hub_finalizer_remove(tree, PRB_HUB_CRD_FINALIZER);
    if (prb_hub_finalizer_count(entry->kind, tree) > 0)
        (void)prb_hub_put(hub, entry->kind, prb_take(tree), NULL, &err);
    else
        prb_hub_drop(hub, entry);
}

static void terminate(struct prb_hub *hub, const struct prb_hub_item *item)
{
    static const struct prb_hub_condition in_progress = { "Terminating", "True",
        "InstanceDeletionInProgress", "CustomResource deletion is in progress" };
    struct prb_hub_entry *entry = prb_hub_find_key(item->kind, item->key);
    const struct json_object *spec = prb_object_spec(entry->object);
    const char *group = prb_json_str(spec, "group");
    const char *plural = prb_json_str(prb_json_obj(spec, "names"), "plural");
    const struct prb_hub_kind *kind =
            group && plural ? prb_hub_kind_stored(hub->kinds, group, plural) : NULL;

    report(hub, entry, &in_progress);
    if (!delete_instances(hub, kind))
        return;
    entry = prb_hub_find_key(item->kind, item->key);
    if (entry)
        release(hub, entry);
}

void prb_hub_definition_step(struct prb_hub *hub, const struct prb_hub_item *item)
{
    const struct prb_hub_entry *entry = prb_hub_find_key(item->kind, item->key);
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    if (!entry)
        return;
    if (prb_object_is_deleting(entry->object)) {
        if (prb_object_has_finalizer(entry->object, PRB_HUB_CRD_FINALIZER))
            terminate(hub, item);
        return;
    }
    tree = prb_object_copy(entry->object);
    if (prb_hub_definition_establish(hub, tree))
        (void)prb_hub_put(hub, entry->kind, prb_take(tree), NULL, &err);
}
