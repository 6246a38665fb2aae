/* Which objects are there, and how are they found? */

#include "objects.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "consequences.h"
#include "watchers.h"

void prb_hub_key(const char *namespace, const char *name, char key[PRB_HUB_KEY_SIZE])
{
    (void)snprintf(key, PRB_HUB_KEY_SIZE, "%s/%s", namespace, name);
}

static void entry_free(void *value)
{
    struct prb_hub_entry *entry = value;

    prb_object_unref(entry->object);
    free(entry);
}

struct prb_hub_entry *prb_hub_find_key(const struct prb_hub_kind *kind, const char *key)
{
    return kind->entries ? prb_map_find(kind->entries, key) : NULL;
}

struct prb_hub_entry *prb_hub_find(
        const struct prb_hub_kind *kind, const char *namespace, const char *name)
{
    char key[PRB_HUB_KEY_SIZE];

    prb_hub_key(namespace, name, key);
    return prb_hub_find_key(kind, key);
}

struct prb_hub_entry *prb_hub_find_uid(const struct prb_hub *hub, const char *uid)
{
    return prb_map_find(hub->by_uid, uid);
}

struct prb_hub_entry *prb_hub_find_namespace(const struct prb_hub *hub, const char *name)
{
    const struct prb_hub_kind *kind = prb_hub_kind_find(hub->kinds, "", "namespaces");

    return kind ? prb_hub_find(kind, "", name) : NULL;
}

const struct prb_hub_dependents *prb_hub_dependents_of(const struct prb_hub *hub, const char *uid)
{
    static const struct prb_hub_dependents none;
    const struct prb_hub_dependents *found = prb_map_find(hub->dependents, uid);

    return found ? found : &none;
}

static void add_dependent(struct prb_hub *hub, const char *uid, struct prb_hub_entry *entry)
{
    struct prb_hub_dependents *of = prb_map_find(hub->dependents, uid);

    if (!of) {
        of = prb_calloc(1, sizeof(*of));
        prb_map_set(hub->dependents, uid, of);
    }
    if (of->count == of->cap) {
        of->cap = of->cap ? of->cap * 2 : 4;
        of->entries = prb_realloc(of->entries, of->cap, sizeof(struct prb_hub_entry *));
    }
    of->entries[of->count++] = entry;
}

static void remove_dependent(
        struct prb_hub *hub, const char *uid, const struct prb_hub_entry *entry)
{
    struct prb_hub_dependents *of = prb_map_find(hub->dependents, uid);

    for (size_t i = 0; of && i < of->count; i++) {
        if (of->entries[i] == entry) {
            of->entries[i] = of->entries[--of->count];
            break;
        }
    }
    if (of && of->count == 0)
        (void)prb_map_remove(hub->dependents, uid);
}

/* Does an earlier reference of the object name the same owner? */
static bool named_before(const struct prb_object *object, size_t index, const char *uid)
{
    struct prb_owner owner;

    for (size_t i = 0; i < index; i++) {
        if (prb_object_owner_at(object, i, &owner) && prb_streq(owner.uid, uid))
            return true;
    }
    return false;
}

/* Bring the index by owner in line with what `object` (or nothing) names instead of `before`. */
static void index_owners(struct prb_hub *hub, struct prb_hub_entry *entry,
        const struct prb_object *before, const struct prb_object *object)
{
    struct prb_owner owner;

    for (size_t i = 0; before && i < prb_object_owner_count(before); i++) {
        if (prb_object_owner_at(before, i, &owner))
            remove_dependent(hub, owner.uid, entry);
    }
    for (size_t i = 0; object && i < prb_object_owner_count(object); i++) {
        if (prb_object_owner_at(object, i, &owner) && !named_before(object, i, owner.uid))
            add_dependent(hub, owner.uid, entry);
    }
}

/* A copy of the tree with the next resourceVersion. */
static int stamp(struct prb_hub *hub, struct json_object *tree_taken, struct prb_object **ret,
        struct prb_error *err)
{
    char version[24];

    (void)snprintf(version, sizeof(version), "%" PRIu64, hub->version + 1);
    prb_json_set_str(prb_json_ensure_obj(tree_taken, "metadata"), "resourceVersion", version);
    return prb_object_new(tree_taken, ret, err);
}

static struct prb_hub_entry *entry_new(
        struct prb_hub *hub, struct prb_hub_kind *kind, const struct prb_object *object)
{
    struct prb_hub_entry *entry = prb_calloc(1, sizeof(*entry));
    char key[PRB_HUB_KEY_SIZE];

    entry->kind = kind;
    if (!kind->entries)
        kind->entries = prb_map_new(entry_free);
    prb_hub_key(prb_object_namespace(object), prb_object_name(object), key);
    prb_map_set(kind->entries, key, entry);
    prb_map_set(hub->by_uid, prb_object_uid(object), entry);
    hub->count++;
    return entry;
}

/* Tell log, watches and controllers. */
static void announce(struct prb_hub *hub, const struct prb_hub_event *event)
{
    hub->version = event->version;
    prb_hub_log_add(&hub->log, event, prb_hub_watches_need(hub));
    (void)pthread_cond_signal(&hub->wake);
    prb_hub_note_change(hub, event->kind, event->before,
            event->type == PRB_WATCH_DELETED ? NULL : event->object);
}

int prb_hub_put(struct prb_hub *hub, struct prb_hub_kind *kind, struct json_object *tree_taken,
        struct prb_hub_entry **ret, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL, *before = NULL;
    struct prb_hub_entry *entry;
    int r = stamp(hub, tree_taken, &object, err);

    if (r < 0)
        return r;
    entry = prb_hub_find(kind, prb_object_namespace(object), prb_object_name(object));
    if (!entry)
        entry = entry_new(hub, kind, object);
    before = prb_take(entry->object);
    entry->object = prb_object_ref(object);
    index_owners(hub, entry, before, object);
    announce(hub, &(struct prb_hub_event){ .version = hub->version + 1,
                          .kind = kind,
                          .type = before ? PRB_WATCH_MODIFIED : PRB_WATCH_ADDED,
                          .object = object,
                          .before = before });
    if (ret)
        *ret = entry;
    return 0;
}

void prb_hub_drop(struct prb_hub *hub, struct prb_hub_entry *entry)
{
    prb_auto(prb_object_unref) struct prb_object *before = prb_object_ref(entry->object);
    prb_auto(prb_object_unref) struct prb_object *last = NULL;
    struct prb_hub_kind *kind = entry->kind;
    char key[PRB_HUB_KEY_SIZE];
    struct prb_error err;

    index_owners(hub, entry, before, NULL);
    (void)prb_map_take(hub->by_uid, prb_object_uid(before));
    prb_hub_key(prb_object_namespace(before), prb_object_name(before), key);
    (void)prb_map_remove(kind->entries, key);
    hub->count--;

    /* The state before was an object, so this one is. */
    if (stamp(hub, prb_object_copy(before), &last, &err) < 0)
        last = prb_object_ref(before);
    announce(hub, &(struct prb_hub_event){ .version = hub->version + 1,
                          .kind = kind,
                          .type = PRB_WATCH_DELETED,
                          .object = last,
                          .before = before });
}
