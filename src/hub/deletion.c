/* What does a DELETE make of an object: is it removed, or marked and held by its finalizers? */

#include "deletion.h"

#include "consequences.h"
#include "definitions.h"
#include "meta.h"
#include "namespaces.h"

/*
 * The finalizers of the garbage collector follow the propagation policy. Without one an object
 * that carries such a finalizer keeps it, and else its kind decides.
 */
static enum prb_propagation policy_of(
        const struct prb_hub_entry *entry, enum prb_propagation propagation)
{
    if (entry->kind->flags & PRB_HUB_NOT_COLLECTED)
        return PRB_PROPAGATE_BACKGROUND;
    if (propagation != PRB_PROPAGATE_DEFAULT)
        return propagation;
    if (prb_object_has_finalizer(entry->object, PRB_HUB_ORPHAN))
        return PRB_PROPAGATE_ORPHAN;
    if (prb_object_has_finalizer(entry->object, PRB_HUB_FOREGROUND))
        return PRB_PROPAGATE_FOREGROUND;
    return entry->kind->flags & PRB_HUB_ORPHANS ? PRB_PROPAGATE_ORPHAN : PRB_PROPAGATE_BACKGROUND;
}

static void set_finalizers(struct json_object *tree, enum prb_propagation policy)
{
    if (policy != PRB_PROPAGATE_ORPHAN)
        prb_hub_finalizer_remove(tree, PRB_HUB_ORPHAN);
    if (policy != PRB_PROPAGATE_FOREGROUND)
        prb_hub_finalizer_remove(tree, PRB_HUB_FOREGROUND);
    if (policy == PRB_PROPAGATE_ORPHAN)
        prb_hub_finalizer_add(tree, PRB_HUB_ORPHAN);
    if (policy == PRB_PROPAGATE_FOREGROUND)
        prb_hub_finalizer_add(tree, PRB_HUB_FOREGROUND);
}

/* The first mark counts as a generation, where generations are counted. */
static void mark(struct prb_hub *hub, const struct prb_object *object, struct json_object *tree)
{
    int64_t generation = prb_object_generation(object);

    if (!prb_object_is_deleting(object)) {
        if (generation > 0)
            prb_json_set_int(prb_hub_meta(tree), "generation", generation + 1);
        prb_hub_meta_set_now(hub, tree, "deletionTimestamp");
    }
    prb_json_set_int(prb_hub_meta(tree), "deletionGracePeriodSeconds", 0);
}

/* Namespaces and CRDs get more than a mark when their deletion begins. */
static bool begin_special(struct prb_hub *hub, const struct prb_hub_entry *entry,
        enum prb_propagation policy, struct json_object *tree)
{
    if (prb_object_is_deleting(entry->object))
        return false;
    if (prb_hub_kind_is(entry->kind, "", "namespaces")) {
        set_finalizers(tree, policy);
        prb_hub_namespace_terminate(hub, tree);
        return true;
    }
    if (prb_hub_kind_is(entry->kind, PRB_HUB_CRD_GROUP, PRB_HUB_CRDS)) {
        prb_hub_definition_terminate(hub, tree);
        return true;
    }
    return false;
}

/* A Namespace that still has its finalizers in spec is not touched by a second DELETE. */
static bool is_untouchable(const struct prb_hub_entry *entry)
{
    return prb_hub_kind_is(entry->kind, "", "namespaces") &&
           prb_object_is_deleting(entry->object) &&
           prb_json_len(prb_json_arr(prb_object_spec(entry->object), "finalizers")) > 0;
}

enum prb_hub_outcome prb_hub_deletion(struct prb_hub *hub, const struct prb_hub_entry *entry,
        enum prb_propagation propagation, struct json_object **ret_after)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    enum prb_propagation policy = policy_of(entry, propagation);

    if (is_untouchable(entry))
        return PRB_HUB_UNCHANGED;
    tree = prb_object_copy(entry->object);
    if (!begin_special(hub, entry, policy, tree)) {
        set_finalizers(tree, policy);
        if (prb_hub_finalizer_count(entry->kind, tree) == 0)
            return PRB_HUB_REMOVED;
        mark(hub, entry->object, tree);
    }
    if (prb_json_equal(tree, prb_object_tree(entry->object)))
        return PRB_HUB_UNCHANGED;
    *ret_after = prb_take(tree);
    return PRB_HUB_CHANGED;
}
