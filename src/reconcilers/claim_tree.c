/* What is left below a composite, how deep, and who holds it since when? */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/names.h"

#include "claim_internal.h"

/* Objects of one tree that are kept. What blocks already and composes nothing needs not be: it is
 * counted, and leaves the room to what has to be let block, and to what there is more below. */
#define NODES_MAX 4000
#define LEAVES_MAX (NODES_MAX / 2)

void prb_claim_tree_done(struct prb_claim_tree *tree)
{
    free(tree->nodes);
    prb_map_free(tree->composites);
    *tree = (struct prb_claim_tree){ .count = 0 };
}

/* Was this composite met before? Owners may go in a circle. */
static bool is_known(struct prb_claim_tree *tree, const struct prb_object *composite)
{
    const char *uid = prb_object_uid(composite);

    if (!tree->composites)
        tree->composites = prb_map_new(NULL);
    if (prb_map_find(tree->composites, uid))
        return true;
    prb_map_set(tree->composites, uid, tree);
    return false;
}

static void add(struct prb_claim_tree *tree, const struct prb_claim_node *node)
{
    int64_t deleted_ms = prb_object_deleted_at_ms(node->object);
    bool composes = prb_claim_composed_count(node->object) > 0;

    if (composes && is_known(tree, node->object))
        return;
    tree->total++;
    tree->blocking += node->blocks;
    if (deleted_ms > tree->last_ms)
        tree->last_ms = deleted_ms;
    if (node->blocks && !composes && tree->count >= LEAVES_MAX)
        return;
    if (tree->count == NODES_MAX) {
        tree->more = true;
        return;
    }
    if (tree->count == tree->cap) {
        tree->cap = tree->cap ? tree->cap * 2 : 16;
        tree->nodes = prb_realloc(tree->nodes, tree->cap, sizeof(*tree->nodes));
    }
    tree->nodes[tree->count++] = *node;
}

/* One kind that a composite lists. */
struct search {
    struct prb_claim_tree *tree;
    const struct prb_known_resource *known;
    const struct prb_object *owner;
    unsigned depth;
};

/* To be owned by it is not enough: whom it composed it controls. */
static bool add_controlled(void *ctx, const struct prb_object *object)
{
    const struct search *search = ctx;
    struct prb_owner owner;

    if (prb_streq(prb_object_uid(object), prb_object_uid(search->tree->root)))
        return true; /* a circle, back to where it began */
    for (size_t i = 0; prb_object_owner_at(object, i, &owner); i++) {
        if (!owner.controller || !prb_streq(owner.uid, prb_object_uid(search->owner)))
            continue;
        add(search->tree, &(struct prb_claim_node){ .object = object,
                                  .known = search->known,
                                  .owner = search->owner,
                                  .depth = search->depth,
                                  .blocks = owner.block_owner_deletion });
        break;
    }
    return true;
}

/* Nobody has looked for it yet, or it is being read. */
static bool is_pending(const struct prb_known_resource *known)
{
    return !known || prb_streq(known->trouble, PRB_NOT_LOOKED_FOR) ||
           (known->state == PRB_RESOURCE_PRESENT && known->trouble[0] == '\0');
}

static void note_unread(struct prb_claim_tree *tree, const struct prb_claim_name *composed,
        const struct prb_known_resource *known)
{
    tree->pending += is_pending(known);
    if (known && known->left_out)
        tree->more = true;
    if (tree->unread++ > 0)
        return;
    (void)snprintf(tree->unread_what, sizeof(tree->unread_what), "%.63s%s%.200s%s%.200s",
            composed->kind, composed->group[0] ? "." : "", composed->group,
            known && known->trouble[0] ? ": " : "", known ? known->trouble : "");
}

/* Objects of one kind that a composite lists. */
static void look_at_kind(struct search *search, const struct prb_view *view,
        const struct prb_known_resource *known, const struct prb_claim_name *composed)
{
    search->known = known;
    if (known && known->state == PRB_RESOURCE_ABSENT)
        return; /* and so are its objects */
    if (known && known->state == PRB_RESOURCE_PRESENT && prb_view_knows(view, &known->gvr))
        prb_view_each_owned(
                view, &known->gvr, prb_object_uid(search->owner), add_controlled, search);
    else
        note_unread(search->tree, composed, known);
}

/* What it is, whatever it is called: a kind has several names, in any case of letters. */
static char *key_of(const struct prb_known_resource *known, const struct prb_claim_name *composed)
{
    if (known && known->state == PRB_RESOURCE_PRESENT)
        return prb_asprintf("%s/%s/", known->gvr.group, known->gvr.resource);
    return prb_asprintf("%s/%s", composed->group, composed->kind);
}

/* Each kind once: a composite may list thousands of one, and of many. */
static void look_below(struct prb_claim_tree *tree, const struct prb_view *view,
        const struct prb_object *composite, unsigned depth)
{
    struct search search = { .tree = tree, .owner = composite, .depth = depth };
    prb_auto(prb_map_free) struct prb_map *seen = NULL;
    size_t count = prb_claim_composed_count(composite);
    struct prb_claim_name composed;

    if (count == 0)
        return;
    seen = prb_map_new(NULL);
    for (size_t i = 0; i < count; i++) {
        const struct prb_known_resource *known;
        prb_autofree char *key = NULL;

        if (!prb_claim_composed_at(composite, i, &composed))
            continue;
        known = prb_view_resource(view, composed.group, composed.kind);
        key = key_of(known, &composed);
        if (prb_map_find(seen, key))
            continue;
        prb_map_set(seen, key, tree);
        look_at_kind(&search, view, known, &composed);
    }
}

/* Deepest first: these hold all above them. Then who has been at it longest. */
static int compare(const void *a, const void *b)
{
    const struct prb_claim_node *one = a, *other = b;
    int64_t one_ms = prb_object_deleted_at_ms(one->object);
    int64_t other_ms = prb_object_deleted_at_ms(other->object);
    int order;

    if (one->depth != other->depth)
        return one->depth > other->depth ? -1 : 1;
    if ((one_ms > 0) != (other_ms > 0))
        return one_ms > 0 ? -1 : 1;
    if (one_ms != other_ms)
        return one_ms < other_ms ? -1 : 1;
    order = strcmp(one->known->kind, other->known->kind);
    if (order == 0)
        order = strcmp(prb_object_namespace(one->object), prb_object_namespace(other->object));
    if (order == 0)
        order = strcmp(prb_object_name(one->object), prb_object_name(other->object));
    return order ? order : strcmp(prb_object_uid(one->object), prb_object_uid(other->object));
}

void prb_claim_tree_fill(struct prb_claim_tree *tree, const struct prb_view *view,
        const struct prb_object *composite, bool below)
{
    tree->root = composite;
    look_below(tree, view, composite, 1);

    /* The list grows while it is gone through. */
    for (size_t i = 0; below && i < tree->count; i++)
        look_below(tree, view, tree->nodes[i].object, tree->nodes[i].depth + 1);
    if (tree->count > 1)
        qsort(tree->nodes, tree->count, sizeof(*tree->nodes), compare);
}

static void add_node(const struct prb_claim_node *node, struct prb_str *out)
{
    const char *namespace = prb_object_namespace(node->object);
    const char *since = prb_json_str(prb_object_metadata(node->object), "deletionTimestamp");

    prb_str_addf(out, "%s %s%s%s (depth %u, ", node->known->kind, namespace,
            namespace[0] ? "/" : "", prb_object_name(node->object), node->depth);
    if (since)
        prb_str_addf(out, "being deleted since %s", since);
    else
        prb_str_add(out, "not being deleted");
    if (prb_object_finalizer_count(node->object) > 0)
        prb_str_add(out, ", ");
    prb_names_finalizers(out, node->object);
    prb_str_addc(out, ')');
}

void prb_claim_tree_text(const struct prb_claim_tree *tree, struct prb_str *out)
{
    if (tree->total > 0)
        prb_str_addf(out, "%zu%s composed resource%s left: ", tree->total,
                tree->more ? " and more" : "", tree->total == 1 ? " is" : "s are");
    for (size_t i = 0; i < tree->count && prb_names_next(out, i, tree->total); i++)
        add_node(&tree->nodes[i], out);
    if (tree->unread > 0)
        prb_str_addf(out, "%s%zu kind%s of composed resources cannot be seen: %s%s",
                tree->count > 0 ? "; " : "", tree->unread, tree->unread == 1 ? "" : "s",
                tree->unread_what, tree->unread > 1 ? ", ..." : "");
}
