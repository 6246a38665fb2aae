/*
 * An object changed: what has to be looked at because of it? This is what the informers of the
 * real controllers would put on their queues.
 */

#include "consequences.h"

#include "probate/base/str.h"

#include "definitions.h"
#include "objects.h"

bool prb_hub_awaits_dependents(const struct prb_object *object)
{
    return prb_object_is_deleting(object) && prb_object_has_finalizer(object, PRB_HUB_FOREGROUND);
}

bool prb_hub_awaits_orphaning(const struct prb_object *object)
{
    return prb_object_is_deleting(object) && prb_object_has_finalizer(object, PRB_HUB_ORPHAN);
}

void prb_hub_push(struct prb_hub *hub, enum prb_hub_item_type type, struct prb_hub_kind *kind,
        const struct prb_object *object)
{
    char key[PRB_HUB_KEY_SIZE];

    prb_hub_key(prb_object_namespace(object), prb_object_name(object), key);
    prb_hub_queue_push(&hub->queue, type, kind, key);
}

static void push_dependents(struct prb_hub *hub, const char *uid)
{
    const struct prb_hub_dependents *of = prb_hub_dependents_of(hub, uid);

    for (size_t i = 0; i < of->count; i++)
        prb_hub_push(hub, PRB_HUB_ITEM_OBJECT, of->entries[i]->kind, of->entries[i]->object);
}

bool prb_hub_blocks(const struct prb_object *object, const char *uid)
{
    struct prb_owner owner;

    for (size_t i = 0; object && i < prb_object_owner_count(object); i++) {
        if (prb_object_owner_at(object, i, &owner) && owner.block_owner_deletion &&
                prb_streq(owner.uid, uid))
            return true;
    }
    return false;
}

/* Owners that `before` held up and `after` does not any more. */
static void push_unblocked(
        struct prb_hub *hub, const struct prb_object *before, const struct prb_object *after)
{
    struct prb_owner owner;

    for (size_t i = 0; i < prb_object_owner_count(before); i++) {
        struct prb_hub_entry *entry;

        if (!prb_object_owner_at(before, i, &owner) || !owner.block_owner_deletion ||
                prb_hub_blocks(after, owner.uid))
            continue;
        entry = prb_hub_find_uid(hub, owner.uid);
        if (entry)
            prb_hub_push(hub, PRB_HUB_ITEM_OBJECT, entry->kind, entry->object);
    }
}

static bool owners_differ(const struct prb_object *before, const struct prb_object *after)
{
    const struct json_object *old =
            before ? prb_json_at(prb_object_tree(before), "metadata", "ownerReferences") : NULL;

    return !prb_json_equal(old, prb_json_at(prb_object_tree(after), "metadata", "ownerReferences"));
}

static void note_for_collector(struct prb_hub *hub, struct prb_hub_kind *kind,
        const struct prb_object *before, const struct prb_object *after)
{
    if (before)
        push_unblocked(hub, before, after);
    if (!after) {
        push_dependents(hub, prb_object_uid(before));
        return;
    }
    if (prb_hub_awaits_dependents(after) && !(before && prb_hub_awaits_dependents(before)))
        push_dependents(hub, prb_object_uid(after));
    if (owners_differ(before, after) || prb_hub_awaits_dependents(after) ||
            prb_hub_awaits_orphaning(after))
        prb_hub_push(hub, PRB_HUB_ITEM_OBJECT, kind, after);
}

static void note_for_namespace(
        struct prb_hub *hub, struct prb_hub_kind *kind, const struct prb_object *object)
{
    struct prb_hub_entry *entry =
            kind->resource.namespaced ? prb_hub_find_namespace(hub, prb_object_namespace(object))
                                      : NULL;

    if (entry && prb_object_is_deleting(entry->object))
        prb_hub_push(hub, PRB_HUB_ITEM_NAMESPACE, entry->kind, entry->object);
    else if (prb_hub_kind_is(kind, "", "namespaces") && prb_object_is_deleting(object))
        prb_hub_push(hub, PRB_HUB_ITEM_NAMESPACE, kind, object);
}

/* The CRD of a kind, when the object that changed was one of its last instances. */
static void note_for_definition(struct prb_hub *hub, const struct prb_hub_kind *kind)
{
    struct prb_hub_kind *crds = prb_hub_kind_find(hub->kinds, PRB_HUB_CRD_GROUP, PRB_HUB_CRDS);
    struct prb_hub_entry *entry = crds && kind->crd ? prb_hub_find(crds, "", kind->crd) : NULL;

    if (entry && kind->terminating)
        prb_hub_push(hub, PRB_HUB_ITEM_DEFINITION, entry->kind, entry->object);
}

void prb_hub_note_change(struct prb_hub *hub, struct prb_hub_kind *kind,
        const struct prb_object *before, const struct prb_object *after)
{
    bool is_crd = prb_hub_kind_is(kind, PRB_HUB_CRD_GROUP, PRB_HUB_CRDS);

    if (is_crd || prb_hub_kind_is(kind, PRB_HUB_XRD_GROUP, PRB_HUB_XRDS))
        prb_hub_define(hub, kind, before, after);
    if (hub->loading)
        return;
    note_for_collector(hub, kind, before, after);
    note_for_namespace(hub, kind, after ? after : before);
    note_for_definition(hub, kind);
    if (is_crd && after)
        prb_hub_push(hub, PRB_HUB_ITEM_DEFINITION, kind, after);
}
