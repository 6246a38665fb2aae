/*
 * What does the garbage collector do about an object? It follows the algorithm of Kubernetes'
 * own: an object whose owners are all absent is deleted; one with an owner that stays only loses
 * its references to the others; an owner being deleted in the foreground waits for the dependents
 * that block it; one to be orphaned is taken out of its dependents first.
 */

#include "collect.h"

#include "probate/base/str.h"

#include "consequences.h"
#include "meta.h"
#include "objects.h"
#include "plan.h"
#include "retry.h"

enum owner_state {
    OWNER_SOLID,   /* it exists and is not waiting for its dependents */
    OWNER_ABSENT,  /* no object of that kind, name and uid */
    OWNER_WAITING, /* it is being deleted in the foreground */
    OWNER_UNKNOWN, /* of a kind that is not served, or of a scope it cannot have */
};

static enum owner_state state_of(
        const struct prb_hub *hub, const struct prb_object *object, const struct prb_owner *owner)
{
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];
    const char *namespace = prb_object_namespace(object);
    const struct prb_hub_entry *entry;
    const struct prb_hub_kind *kind;

    if (!prb_api_version_parse(owner->api_version, group, version))
        return OWNER_UNKNOWN;
    kind = prb_hub_kind_of(hub->kinds, group, owner->kind);
    if (!kind || !prb_hub_kind_has_version(kind, version) ||
            (kind->resource.namespaced && namespace[0] == '\0'))
        return OWNER_UNKNOWN;
    entry = prb_hub_find(kind, kind->resource.namespaced ? namespace : "", owner->name);
    if (!entry || !prb_streq(prb_object_uid(entry->object), owner->uid))
        return OWNER_ABSENT;
    return prb_hub_awaits_dependents(entry->object) ? OWNER_WAITING : OWNER_SOLID;
}

struct census {
    size_t solid, absent, waiting, unknown;
};

static struct census classify(const struct prb_hub *hub, const struct prb_object *object)
{
    struct census census = { .solid = 0 };
    struct prb_owner owner;

    for (size_t i = 0; i < prb_object_owner_count(object); i++) {
        size_t *counts[] = { [OWNER_SOLID] = &census.solid,
            [OWNER_ABSENT] = &census.absent,
            [OWNER_WAITING] = &census.waiting,
            [OWNER_UNKNOWN] = &census.unknown };

        if (prb_object_owner_at(object, i, &owner))
            ++*counts[state_of(hub, object, &owner)];
    }
    return census;
}

/* Carry out a plan for an item. False: admission refused; it is tried again later. */
static bool carry_out(
        struct prb_hub *hub, const struct prb_hub_item *item, struct prb_hub_plan *plan)
{
    struct prb_error err;

    plan->user = PRB_HUB_COLLECTOR;
    if (prb_hub_plan_carry_out(hub, item, plan, &err) != PRB_HUB_REFUSED)
        return true;
    prb_hub_retry_later(hub, item);
    return false;
}

static void remove_object(struct prb_hub *hub, const struct prb_hub_item *item,
        const struct prb_hub_entry *entry, enum prb_propagation propagation)
{
    prb_auto(prb_hub_plan_done) struct prb_hub_plan plan = { .operation = NULL };

    prb_hub_plan_deletion(hub, entry, propagation, &plan);
    (void)carry_out(hub, item, &plan);
}

/* Write the object with these references; none: without the member. False: refused. */
static bool set_owners(struct prb_hub *hub, const struct prb_hub_item *item,
        const struct prb_hub_entry *entry, struct json_object *owners_taken)
{
    prb_auto(prb_hub_plan_done) struct prb_hub_plan plan = { .operation = NULL };
    struct json_object *tree = prb_object_copy(entry->object);

    if (prb_json_len(owners_taken) > 0) {
        prb_json_set(prb_hub_meta(tree), "ownerReferences", owners_taken);
    } else {
        prb_json_free(owners_taken);
        prb_json_del(prb_hub_meta(tree), "ownerReferences");
    }
    prb_hub_plan_change(entry, tree, &plan);
    return carry_out(hub, item, &plan);
}

static const struct json_object *owners_of(const struct prb_object *object)
{
    return prb_json_at(prb_object_tree(object), "metadata", "ownerReferences");
}

/* Keep the references to owners that stay. */
static void keep_solid(
        struct prb_hub *hub, const struct prb_hub_item *item, const struct prb_hub_entry *entry)
{
    struct json_object *kept = json_object_new_array();
    struct prb_owner owner;

    for (size_t i = 0; i < prb_object_owner_count(entry->object); i++) {
        if (prb_object_owner_at(entry->object, i, &owner) &&
                state_of(hub, entry->object, &owner) == OWNER_SOLID)
            prb_json_push(kept, prb_json_copy(prb_json_elem(owners_of(entry->object), i)));
    }
    (void)set_owners(hub, item, entry, kept);
}

/* Give up the reference to one owner, which is to be orphaned. */
static bool forget_owner(struct prb_hub *hub, const struct prb_hub_item *item,
        const struct prb_hub_entry *entry, const char *uid)
{
    struct json_object *kept = json_object_new_array();
    struct prb_owner owner;

    for (size_t i = 0; i < prb_object_owner_count(entry->object); i++) {
        if (prb_object_owner_at(entry->object, i, &owner) && !prb_streq(owner.uid, uid))
            prb_json_push(kept, prb_json_copy(prb_json_elem(owners_of(entry->object), i)));
    }
    return set_owners(hub, item, entry, kept);
}

/* A finalizer of ours has done its work. */
static void finish(struct prb_hub *hub, const struct prb_hub_item *item,
        const struct prb_hub_entry *entry, const char *finalizer)
{
    prb_auto(prb_hub_plan_done) struct prb_hub_plan plan = { .operation = NULL };
    struct json_object *tree = prb_object_copy(entry->object);

    prb_hub_finalizer_remove(tree, finalizer);
    prb_hub_plan_change(entry, tree, &plan);
    (void)carry_out(hub, item, &plan);
}

/* The last one that the collector can see: what is not served it cannot. */
static const struct prb_hub_entry *last_served(const struct prb_hub_dependents *of)
{
    for (size_t i = of->count; i > 0; i--) {
        if (of->entries[i - 1]->kind->served)
            return of->entries[i - 1];
    }
    return NULL;
}

static void orphan_dependents(
        struct prb_hub *hub, const struct prb_hub_item *item, const struct prb_hub_entry *entry)
{
    const struct prb_hub_dependents *of = prb_hub_dependents_of(hub, prb_object_uid(entry->object));
    const struct prb_hub_entry *last = last_served(of);

    if (!last) {
        finish(hub, item, entry, PRB_HUB_ORPHAN);
        return;
    }
    if (forget_owner(hub, item, last, prb_object_uid(entry->object)))
        prb_hub_queue_push(&hub->queue, item->type, item->kind, item->key);
}

static void await_dependents(
        struct prb_hub *hub, const struct prb_hub_item *item, const struct prb_hub_entry *entry)
{
    const char *uid = prb_object_uid(entry->object);
    const struct prb_hub_dependents *of = prb_hub_dependents_of(hub, uid);
    size_t blocking = 0;

    for (size_t i = 0; i < of->count; i++) {
        if (!prb_hub_blocks(of->entries[i]->object, uid) || !of->entries[i]->kind->served)
            continue;
        blocking++;
        if (!prb_object_is_deleting(of->entries[i]->object))
            prb_hub_push(hub, PRB_HUB_ITEM_OBJECT, of->entries[i]->kind, of->entries[i]->object);
    }
    if (blocking == 0)
        finish(hub, item, entry, PRB_HUB_FOREGROUND);
}

/* Some dependent is waiting for its own dependents: this may be a circle. */
static bool may_be_circle(const struct prb_hub *hub, const struct prb_object *object)
{
    const struct prb_hub_dependents *of = prb_hub_dependents_of(hub, prb_object_uid(object));

    for (size_t i = 0; i < of->count; i++) {
        if (prb_hub_awaits_dependents(of->entries[i]->object))
            return true;
    }
    return false;
}

static bool blocks_any(const struct prb_object *object)
{
    struct prb_owner owner;

    for (size_t i = 0; i < prb_object_owner_count(object); i++) {
        if (prb_object_owner_at(object, i, &owner) && owner.block_owner_deletion)
            return true;
    }
    return false;
}

/* Break a possible circle: let the references block nobody. */
static bool unblock(
        struct prb_hub *hub, const struct prb_hub_item *item, const struct prb_hub_entry *entry)
{
    struct json_object *owners = prb_json_copy(owners_of(entry->object));

    for (size_t i = 0; i < prb_json_len(owners); i++)
        prb_json_set_bool(prb_json_elem(owners, i), "blockOwnerDeletion", false);
    return set_owners(hub, item, entry, owners);
}

/* An object that has owners, and is not being deleted itself. */
static void judge_owned(
        struct prb_hub *hub, const struct prb_hub_item *item, const struct prb_hub_entry *entry)
{
    struct census census = classify(hub, entry->object);

    if (census.unknown > 0)
        return;
    if (census.solid > 0) {
        if (census.absent + census.waiting > 0)
            keep_solid(hub, item, entry);
        return;
    }
    if (census.waiting > 0 &&
            prb_hub_dependents_of(hub, prb_object_uid(entry->object))->count > 0) {
        if (!may_be_circle(hub, entry->object) || !blocks_any(entry->object))
            remove_object(hub, item, entry, PRB_PROPAGATE_FOREGROUND);
        else if (unblock(hub, item, entry))
            prb_hub_queue_push(&hub->queue, item->type, item->kind, item->key);
        return;
    }
    /* Finalizers of the collector that are there already decide. */
    if (prb_object_has_finalizer(entry->object, PRB_HUB_ORPHAN))
        remove_object(hub, item, entry, PRB_PROPAGATE_ORPHAN);
    else if (prb_object_has_finalizer(entry->object, PRB_HUB_FOREGROUND))
        remove_object(hub, item, entry, PRB_PROPAGATE_FOREGROUND);
    else
        remove_object(hub, item, entry, PRB_PROPAGATE_BACKGROUND);
}

void prb_hub_collect_step(struct prb_hub *hub, const struct prb_hub_item *item)
{
    const struct prb_hub_entry *entry = prb_hub_find_key(item->kind, item->key);

    if (!entry || item->kind->flags & PRB_HUB_NOT_COLLECTED)
        return;
    if (prb_hub_awaits_orphaning(entry->object))
        orphan_dependents(hub, item, entry);
    else if (prb_hub_awaits_dependents(entry->object))
        await_dependents(hub, item, entry);
    else if (!prb_object_is_deleting(entry->object) && prb_object_owner_count(entry->object) > 0)
        judge_owned(hub, item, entry);
}
