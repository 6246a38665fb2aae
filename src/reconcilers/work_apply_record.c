/*
 * What does an AppliedManifestWork list, before something is written and after?
 *
 * Before: every manifest, so that nothing is ever on the cluster that nobody would remove. After:
 * the same with the uids, and what is still to go. An entry is left out only when its resource is
 * known to be gone, or to be nobody's business of ours.
 */

#include <string.h>
#include <strings.h>

#include "probate/base/str.h"

#include "work_apply.h"

/* Letters that a plural may have more than its kind: "policies", "classes". */
#define PLURAL_MAX 2

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static char *key_of(const struct json_object *entry)
{
    return prb_object_key(or_empty(prb_json_str(entry, "group")),
            or_empty(prb_json_str(entry, "resource")), or_empty(prb_json_str(entry, "namespace")),
            or_empty(prb_json_str(entry, "name")));
}

static const struct json_object *list_of(const struct prb_pass *pass)
{
    return prb_json_arr(prb_object_status(pass->applied), "appliedResources");
}

/* ---- the new list ---- */

static struct json_object *entry_json(const struct prb_item *item, const char *uid)
{
    const struct prb_ref *ref = &item->ref;
    struct json_object *entry = json_object_new_object();

    prb_set_text(entry, "group", ref->gvr.group);
    prb_set_text(entry, "version", ref->gvr.version);
    prb_set_text(entry, "resource", ref->gvr.resource);
    prb_set_text(entry, "name", ref->name);
    prb_set_text(entry, "namespace", ref->namespace);
    prb_set_text(entry, "uid", uid);
    return entry;
}

static int compare(const void *a, const void *b)
{
    static const char *const keys[] = { "group", "version", "resource", "namespace", "name" };
    const struct json_object *left = *(struct json_object *const *)a;
    const struct json_object *right = *(struct json_object *const *)b;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        int order = strcmp(
                or_empty(prb_json_str(left, keys[i])), or_empty(prb_json_str(right, keys[i])));

        if (order != 0)
            return order;
    }
    return 0;
}

/* Other agents say what is empty, too. */
static void drop_empty(struct json_object *entry)
{
    static const char *const keys[] = { "group", "namespace", "uid" };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (prb_streq(prb_json_str(entry, keys[i]), ""))
            prb_json_del(entry, keys[i]);
    }
}

static void put_in_order(struct json_object *list)
{
    for (size_t i = 0; i < prb_json_len(list); i++)
        drop_empty(prb_json_elem(list, i));
    json_object_array_sort(list, compare);
}

/* What of the old list stays: the entries that are no manifest's, but for those in `gone`. */
static void copy_others(
        const struct prb_pass *pass, const struct prb_map *gone, struct json_object *to)
{
    const struct json_object *list = list_of(pass);

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *entry = prb_json_elem(list, i);
        prb_autofree char *key = key_of(entry);

        if (!prb_map_find(pass->by_object, key) && !(gone && prb_map_find(gone, key)))
            prb_json_push(to, prb_json_copy(entry));
    }
}

/* The uids in the old list, by key; values are borrowed. */
static struct prb_map *old_uids(const struct prb_pass *pass)
{
    const struct json_object *list = list_of(pass);
    struct prb_map *uids = prb_map_new(NULL);

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *entry = prb_json_elem(list, i);
        prb_autofree char *key = key_of(entry);

        prb_map_set(uids, key, prb_json_find(entry, "uid"));
    }
    return uids;
}

static const char *listed_uid(const struct prb_map *uids, const struct prb_item *item)
{
    prb_autofree char *key = prb_object_key(
            item->ref.gvr.group, item->ref.gvr.resource, item->ref.namespace, item->ref.name);

    return or_empty(prb_json_string(prb_map_find(uids, key)));
}

static const char *uid_after(
        const struct prb_pass *pass, const struct prb_map *uids, const struct prb_item *item)
{
    const char *now = prb_item_uid(pass, item);

    return now ? now : listed_uid(uids, item);
}

/* As listed; but none for what is made anew, nor for another object that has the name by now and is
 * about to be written: what has our reference, and another uid on record, would be left for good.
 */
static const char *uid_before(const struct prb_map *uids, const struct prb_item *item)
{
    const char *listed = listed_uid(uids, item);
    bool is_other = item->state == PRB_ITEM_WRITES && item->live &&
                    !prb_streq(prb_object_uid(item->live), listed);

    return item->creates || is_other ? "" : listed;
}

/* `is_after`: with the uids that are known by now. Before: as listed, but for what is made anew. */
static struct json_object *new_list(
        const struct prb_pass *pass, const struct prb_map *gone, bool is_after)
{
    prb_auto(prb_map_free) struct prb_map *uids = old_uids(pass);
    struct json_object *list = json_object_new_array();

    copy_others(pass, gone, list);
    for (size_t i = 0; i < pass->count; i++) {
        const struct prb_item *item = &pass->items[i];

        if (item->has_ref)
            prb_json_push(list, entry_json(item, is_after ? uid_after(pass, uids, item)
                                                          : uid_before(uids, item)));
    }
    put_in_order(list);
    return list;
}

/* A patch that makes it list this; NULL: it does, in whatever order. */
static struct json_object *patch_to(const struct prb_pass *pass, struct json_object *list_taken)
{
    prb_auto(prb_json_free) struct json_object *list = list_taken;
    prb_auto(prb_json_free) struct json_object *old =
            list_of(pass) ? prb_json_copy(list_of(pass)) : json_object_new_array();
    struct json_object *patch;

    put_in_order(old);
    if (prb_json_equal(old, list))
        return NULL;
    patch = json_object_new_object();
    prb_json_set(prb_json_ensure_obj(patch, "status"), "appliedResources", prb_take(list));
    return patch;
}

/* ---- before ---- */

static enum prb_ahead fail(struct prb_pass *pass, const struct prb_outcome *outcome)
{
    if (outcome->code == PRB_E_CONFLICT)
        return PRB_AHEAD_CONFLICT;
    for (size_t i = 0; i < pass->count; i++) {
        struct prb_item *item = &pass->items[i];

        if (item->state == PRB_ITEM_WRITES || item->state == PRB_ITEM_READS)
            prb_item_fail(item, true, "not applied, because it could not be recorded before: %s",
                    outcome->err ? outcome->err->msg : "no answer");
    }
    return PRB_AHEAD_FAILED;
}

enum prb_ahead prb_apply_record_ahead(struct prb_pass *pass)
{
    const struct prb_view *view = pass->pair->view;
    struct json_object *patch = patch_to(pass, new_list(pass, NULL, false));
    const char *slot = prb_view_outcome(view, PRB_SLOT_AHEAD) ? PRB_SLOT_AHEAD_NEW : PRB_SLOT_AHEAD;
    const struct prb_outcome *outcome = prb_view_outcome(view, PRB_SLOT_AHEAD_NEW);

    if (!outcome)
        outcome = prb_view_outcome(view, PRB_SLOT_AHEAD);
    if (outcome && outcome->code != PRB_OK) {
        prb_json_free(patch);
        return fail(pass, outcome);
    }
    if (!patch)
        return PRB_AHEAD_DONE;
    prb_changes_merge_patch(pass->pair->out, &pass->pair->applied_ref, patch, "status",
            prb_object_resource_version(pass->applied), "recorded before it is applied");
    prb_changes_set_slot(pass->pair->out, slot);
    return PRB_AHEAD_ASKED;
}

/* ---- after ---- */

/* Nothing of what is made with a name of the server's choice was ever recorded. */
static bool is_nameless_for_good(const struct prb_manifest *manifest)
{
    const struct json_object *metadata = prb_json_obj(manifest->raw, "metadata");

    return manifest->name[0] == '\0' && prb_json_str(metadata, "generateName");
}

/* Is this what a resource of that kind is called, as far as English goes? */
static bool is_plural(const char *resource, const char *kind)
{
    size_t len = strlen(kind), plural_len = strlen(resource);

    return len > 1 && plural_len >= len && plural_len <= len + PLURAL_MAX &&
           strncasecmp(resource, kind, len - 1) == 0;
}

/* A group that is mistyped ("core/v1") is as much of a slip as a kind that is. */
static bool may_be_of_kind(
        const struct prb_applied_entry *entry, const struct prb_manifest *manifest)
{
    return manifest->version[0] == '\0' || prb_streq(entry->group, manifest->group) ||
           is_plural(entry->resource, manifest->kind);
}

/* Could this entry be what a manifest means that is broken, or whose kind is not known now? A slip
 * of the pen is no reason to delete anything: what the manifest does not say counts as the same. */
static bool may_be_of(const struct prb_applied_entry *entry, const struct prb_item *item)
{
    const struct prb_manifest *manifest = item->manifest;

    if (item->has_ref || is_nameless_for_good(manifest))
        return false;
    return (manifest->name[0] == '\0' || prb_streq(entry->name, manifest->name)) &&
           may_be_of_kind(entry, manifest) &&
           (manifest->namespace[0] == '\0' || entry->namespace[0] == '\0' ||
                   prb_streq(entry->namespace, manifest->namespace));
}

static bool is_stale(const struct prb_pass *pass, const struct prb_applied_entry *entry)
{
    prb_autofree char *key =
            prb_object_key(entry->group, entry->resource, entry->namespace, entry->name);

    if (prb_map_find(pass->by_object, key))
        return false;
    for (size_t i = 0; i < pass->count; i++) {
        if (may_be_of(entry, &pass->items[i]))
            return false;
    }
    return true;
}

struct prb_applied_entry *prb_apply_stale(const struct prb_pass *pass, size_t *ret_count)
{
    size_t count, kept = 0;
    struct prb_applied_entry *entries = prb_applied_entries(pass->applied, &count);

    for (size_t i = 0; i < count; i++) {
        if (is_stale(pass, &entries[i]))
            entries[kept++] = entries[i];
    }
    *ret_count = kept;
    return entries;
}

/* What may be left out of the list: an object that is there twice only if both are done with. */
static struct prb_map *find_gone(const struct prb_removals *removals)
{
    struct prb_map *gone = prb_map_new(NULL);

    for (int is_done = 1; is_done >= 0; is_done--) {
        for (size_t i = 0; i < removals->count; i++) {
            const struct prb_removal *removal = &removals->items[i];
            prb_autofree char *key = prb_object_key(removal->entry.group, removal->entry.resource,
                    removal->entry.namespace, removal->entry.name);

            if ((removal->state == PRB_REMOVAL_DONE) != is_done)
                continue;
            if (is_done)
                prb_map_set(gone, key, gone);
            else
                (void)prb_map_remove(gone, key);
        }
    }
    return gone;
}

struct json_object *prb_apply_new_record(
        const struct prb_pass *pass, const struct prb_removals *removals)
{
    prb_auto(prb_map_free) struct prb_map *gone = find_gone(removals);

    return patch_to(pass, new_list(pass, gone, true));
}
