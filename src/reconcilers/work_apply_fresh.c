/*
 * Which manifests are known to be as they should, at the cost of no call?
 *
 * What the last pass found or left is remembered for each: its uid, version and generation. As long
 * as the cached metadata have the same version, so has the object; that it has the same generation,
 * or where nothing is cached, is believed until the next resync.
 */

#include <string.h>

#include "probate/base/str.h"

#include "work_apply.h"

/* A cache shows what we wrote within a fraction of this, or a list is under way. */
#define BEHIND_MS 2000

/* ---- what identifies a state ---- */

static void hash_json(const struct json_object *tree, char ret[PRB_SHA256_HEX_SIZE])
{
    prb_autofree char *text = prb_json_text(tree, true);

    prb_sha256_hex(text, strlen(text), ret);
}

static void copy_members(
        struct json_object *to, const struct json_object *from, const char *const *keys)
{
    for (; *keys; keys++) {
        const struct json_object *value = prb_json_find(from, *keys);

        if (value)
            prb_json_set(to, *keys, prb_json_copy(value));
    }
}

/* Metadata that may change while the generation stays. */
static void hash_metadata(const struct prb_object *object, char ret[PRB_SHA256_HEX_SIZE])
{
    static const char *const keys[] = { "labels", "annotations", "ownerReferences", "finalizers",
        "deletionTimestamp", NULL };
    prb_auto(prb_json_free) struct json_object *tree = json_object_new_object();

    copy_members(tree, prb_object_metadata(object), keys);
    hash_json(tree, ret);
}

/* All that a manifest may say but metadata. */
static void hash_content(const struct prb_object *object, char ret[PRB_SHA256_HEX_SIZE])
{
    prb_auto(prb_json_free) struct json_object *tree = prb_object_copy(object);

    prb_json_del(tree, "metadata");
    prb_json_del(tree, "status");
    hash_json(tree, ret);
}

/* ---- what is remembered ---- */

const struct json_object *prb_apply_remembered(
        const struct prb_pass *pass, const struct prb_item *item)
{
    const struct json_object *all = prb_json_obj(prb_view_memory(pass->pair->view), "items");
    const struct json_object *entry;
    char key[PRB_REF_TEXT_SIZE];

    prb_ref_format(&item->ref, key);
    entry = prb_json_obj(all, key);
    return prb_streq(prb_json_str(entry, "want"), item->want) ? entry : NULL;
}

static struct json_object *memory_of(const struct prb_pass *pass, const struct prb_item *item)
{
    struct json_object *entry = json_object_new_object();
    char metadata[PRB_SHA256_HEX_SIZE], content[PRB_SHA256_HEX_SIZE];

    hash_metadata(item->live, metadata);
    hash_content(item->live, content);
    prb_json_set_str(entry, "want", item->want);
    prb_json_set_str(entry, "uid", prb_object_uid(item->live));
    prb_json_set_str(entry, "version", prb_object_resource_version(item->live));
    prb_json_set_int(entry, "generation", prb_object_generation(item->live));
    prb_json_set_str(entry, "metadata", metadata);
    prb_json_set_str(entry, "content", content);
    prb_json_set_int(entry, "at", prb_view_now_ms(pass->pair->view));
    prb_apply_count_repair(pass, item, entry);
    return entry;
}

struct json_object *prb_apply_memory(const struct prb_pass *pass)
{
    static const char *const kept[] = { PRB_MEMORY_TAKEN, NULL };
    struct json_object *memory = json_object_new_object();
    struct json_object *items = prb_json_ensure_obj(memory, "items");

    copy_members(memory, prb_view_memory(pass->pair->view), kept);
    for (size_t i = 0; i < pass->count; i++) {
        const struct prb_item *item = &pass->items[i];
        const struct json_object *before = item->has_ref ? prb_apply_remembered(pass, item) : NULL;
        char key[PRB_REF_TEXT_SIZE];

        prb_ref_format(&item->ref, key);
        if (item->state == PRB_ITEM_DONE && item->live)
            prb_json_set(items, key, memory_of(pass, item));
        else if (before && (item->state == PRB_ITEM_DONE || item->behind_ms > 0))
            prb_json_set(items, key, prb_json_copy(before));
    }
    return memory;
}

/* ---- is it fresh? ---- */

/* Its collection is read; `ret` is what is cached of it, or NULL. */
static bool is_cached(
        const struct prb_pass *pass, const struct prb_item *item, const struct prb_object **ret)
{
    struct prb_ref ref = item->ref;

    ref.gvr = item->resource->gvr;
    *ret = prb_view_find(pass->pair->view, &ref);
    return prb_view_knows(pass->pair->view, &ref.gvr);
}

static bool is_same_version(const struct prb_object *cached, const struct json_object *entry)
{
    return cached && prb_streq(prb_object_uid(cached), prb_json_str(entry, "uid")) &&
           prb_streq(prb_object_resource_version(cached), prb_json_str(entry, "version"));
}

/* Only something that its generation does not count has changed: its status, most likely. A few
 * kinds (PriorityClass) do not count at all. */
static bool is_same_generation(const struct prb_object *cached, const struct json_object *entry)
{
    char metadata[PRB_SHA256_HEX_SIZE];
    int64_t generation = 0;

    if (!cached || !prb_streq(prb_object_uid(cached), prb_json_str(entry, "uid")))
        return false;
    hash_metadata(cached, metadata);
    (void)prb_json_int(entry, "generation", &generation);
    return generation > 0 && generation == prb_object_generation(cached) &&
           prb_streq(metadata, prb_json_str(entry, "metadata"));
}

/* An age of less than nothing is a clock that was set back, and says nothing. */
static bool is_younger(const struct prb_pass *pass, const struct json_object *entry, int64_t than,
        int64_t *ret_left)
{
    int64_t at = 0, age;

    (void)prb_json_int(entry, "at", &at);
    age = prb_view_now_ms(pass->pair->view) - at;
    *ret_left = than - age;
    return age >= 0 && age < than;
}

void prb_apply_fresh(struct prb_pass *pass, struct prb_item *item)
{
    const struct json_object *entry = prb_apply_remembered(pass, item);
    int64_t left;
    const struct prb_object *cached = NULL;

    if (!entry)
        return;
    if (!is_cached(pass, item, &cached)) {
        if (is_younger(pass, entry, prb_apply_resync_ms(pass), &left))
            item->state = PRB_ITEM_DONE;
    } else if (is_same_version(cached, entry) ||
               (is_same_generation(cached, entry) &&
                       is_younger(pass, entry, prb_apply_resync_ms(pass), &left))) {
        item->state = PRB_ITEM_DONE;
    } else if (is_younger(pass, entry, BEHIND_MS, &left)) {
        /* Most likely the cache has not seen yet what we wrote; its event comes soon. */
        item->state = PRB_ITEM_DONE;
        item->behind_ms = left;
    }
    if (item->state == PRB_ITEM_DONE)
        item->seen = PRB_SEEN_THERE;
}

bool prb_apply_is_absent(const struct prb_pass *pass, const struct prb_item *item)
{
    const struct prb_object *cached = NULL;

    return is_cached(pass, item, &cached) && !cached;
}

bool prb_apply_is_as_left(const struct prb_pass *pass, const struct prb_item *item)
{
    const struct json_object *entry = prb_apply_remembered(pass, item);
    char content[PRB_SHA256_HEX_SIZE];

    if (!entry || !prb_streq(prb_object_uid(item->live), prb_json_str(entry, "uid")) ||
            !prb_manifest_contains_metadata(prb_object_tree(item->live), item->body))
        return false;
    hash_content(item->live, content);
    return prb_streq(content, prb_json_str(entry, "content"));
}

const char *prb_item_uid(const struct prb_pass *pass, const struct prb_item *item)
{
    const char *uid;

    if (item->seen == PRB_SEEN_ABSENT)
        return "";
    if (item->live)
        return prb_object_uid(item->live);
    uid = item->state == PRB_ITEM_DONE ? prb_json_str(prb_apply_remembered(pass, item), "uid")
                                       : NULL;
    return uid;
}
