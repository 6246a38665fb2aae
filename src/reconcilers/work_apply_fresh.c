/*
 * Which manifests are known to be as they should, at the cost of no call?
 *
 * What the last pass found or left is remembered for each: its uid, version and generation. As long
 * as the cached metadata have the same version, so has the object; that it has the same generation,
 * or where nothing is cached, is believed until the next resync.
 */

#include "probate/base/str.h"

#include "sighting.h"
#include "work_apply.h"

/* A cache shows what we wrote within a fraction of this, or a list is under way. */
#define BEHIND_MS 2000

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
    struct json_object *entry = prb_sighting_note(item->live);

    prb_json_set_str(entry, "want", item->want);
    prb_json_set_int(entry, "at", prb_view_now_ms(pass->pair->view));
    prb_apply_count_writes(pass, item, entry);
    return entry;
}

struct json_object *prb_apply_memory(const struct prb_pass *pass)
{
    const struct json_object *taken =
            prb_json_find(prb_view_memory(pass->pair->view), PRB_MEMORY_TAKEN);
    struct json_object *memory = json_object_new_object();
    struct json_object *items = prb_json_ensure_obj(memory, "items");

    if (taken)
        prb_json_set(memory, PRB_MEMORY_TAKEN, prb_json_copy(taken));
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
    } else if (prb_sighting_is_version(entry, cached) ||
               (prb_sighting_is_generation(entry, cached) &&
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

    return entry && prb_sighting_has_content(entry, item->live) &&
           prb_manifest_contains_metadata(prb_object_tree(item->live), item->body);
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
