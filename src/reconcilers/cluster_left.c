/* What is left of one kind in a cluster's namespace, whose turn is it, and how is it named? */

#include "cluster_left.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/names.h"

#include "cluster_names.h"

#define PRIORITY_MAX 100

/* As the import controller of OCM names and labels its works: "<cluster>-klusterlet". */
#define KLUSTERLET_END "-klusterlet"
#define KLUSTERLET_CRDS_END "-klusterlet-crds"
#define KLUSTERLET_LABEL "import.open-cluster-management.io/klusterlet-works"

const char *const prb_work_annotations[] = { PRB_PRIORITY_ANNOTATION, NULL };

void prb_left_done(struct prb_left *left)
{
    free(left->items);
    *left = (struct prb_left){ .count = 0 };
}

void prb_left_add(struct prb_left *left, const struct prb_object *object)
{
    if (left->count == left->cap) {
        left->cap = left->cap ? left->cap * 2 : 8;
        left->items = prb_realloc(left->items, left->cap, sizeof(struct prb_object *));
    }
    left->items[left->count++] = object;
}

static bool add_each(void *ctx, const struct prb_object *object)
{
    prb_left_add(ctx, object);
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct prb_object *const *left = a, *const *right = b;

    return strcmp(prb_object_name(*left), prb_object_name(*right));
}

void prb_left_find(
        const struct prb_departure *departure, const struct prb_gvr *gvr, struct prb_left *left)
{
    prb_view_each(departure->view, gvr, departure->ref.name, add_each, left);
    if (left->count > 1)
        qsort(left->items, left->count, sizeof(struct prb_object *), by_name);
}

/* False: there is no annotation, or what it says is no number from 0 on. Who says more than there
 * is wants to be late. */
static bool has_priority(const struct prb_object *object, int64_t *ret)
{
    const char *text = prb_object_annotation(object, PRB_PRIORITY_ANNOTATION);

    if (!text || !text[0] || text[strspn(text, "0123456789")])
        return false;
    if (!prb_parse_int(text, 0, PRIORITY_MAX, ret))
        *ret = PRIORITY_MAX;
    return true;
}

/* "cluster1-klusterlet" with the end "-klusterlet" */
static bool is_named(const struct prb_object *work, const char *cluster, const char *end)
{
    const char *name = prb_object_name(work);

    return prb_starts_with(name, cluster) && prb_streq(name + strlen(cluster), end);
}

/*
 * The works with which an import controller keeps the agent on the cluster, by the names and the
 * label that it gives them. Deleting the CRDs of the klusterlet removes the agent, without which no
 * work ends: they are the very last.
 */
static int klusterlet_turn(const struct prb_object *work, const char *cluster)
{
    if (is_named(work, cluster, KLUSTERLET_CRDS_END))
        return PRB_TURN_KLUSTERLET_CRDS;
    if (is_named(work, cluster, KLUSTERLET_END) || prb_object_label(work, KLUSTERLET_LABEL))
        return PRB_TURN_KLUSTERLET;
    return 0;
}

int prb_turn_by_priority(const struct prb_object *object, const char *cluster)
{
    int64_t priority = 0;

    (void)cluster;
    (void)has_priority(object, &priority);
    return (int)priority;
}

int prb_turn_of_work(const struct prb_object *object, const char *cluster)
{
    int64_t priority;

    return has_priority(object, &priority) ? (int)priority : klusterlet_turn(object, cluster);
}

int prb_left_first(const struct prb_departure *departure, const struct prb_left *all,
        prb_turn *turn_of, struct prb_left *first)
{
    int lowest = PRB_TURN_KLUSTERLET_CRDS;

    for (size_t i = 0; i < all->count; i++) {
        int turn = turn_of(all->items[i], departure->ref.name);

        if (turn < lowest)
            lowest = turn;
    }
    for (size_t i = 0; i < all->count; i++) {
        if (turn_of(all->items[i], departure->ref.name) == lowest)
            prb_left_add(first, all->items[i]);
    }
    return lowest;
}

void prb_left_later_text(
        const struct prb_left *all, const struct prb_left *now, int turn, struct prb_str *text)
{
    if (now->count == all->count)
        return;
    prb_str_addf(text, "; then %zu more", all->count - now->count);
    if (turn < PRIORITY_MAX)
        prb_str_addf(text, ", of a cleanup-priority above %d", turn);
    else
        prb_str_add(text, ", of the klusterlet itself");
}

void prb_left_delete(const struct prb_departure *departure, const struct prb_gvr *gvr,
        const struct prb_left *left, const char *why, struct prb_step_state *state)
{
    struct prb_ref ref;

    /* Without a namespace there is no mark. What the view still has of it is on its way out. */
    if (!departure->namespace)
        return;
    for (size_t i = 0; i < left->count; i++) {
        if (prb_object_is_deleting(left->items[i]) || !prb_object_ref_in(left->items[i], gvr, &ref))
            continue;
        prb_changes_delete_unchanged(
                &state->acts, &ref, left->items[i], PRB_PROPAGATE_BACKGROUND, why);
    }
}

/* Since when as an instant, not an age: what does not change should read the same. */
void prb_object_text(const struct prb_object *object, struct prb_step_state *state)
{
    const char *since = prb_json_str(prb_object_metadata(object), "deletionTimestamp");
    bool is_held = prb_object_finalizer_count(object) > 0;
    int64_t since_ms = prb_object_deleted_at_ms(object);

    prb_str_add(&state->text, prb_object_name(object));
    if (since || is_held)
        prb_str_add(&state->text, " (");
    if (since)
        prb_str_addf(&state->text, "being deleted since %s%s", since, is_held ? ", " : "");
    prb_names_finalizers(&state->text, object);
    if (since || is_held)
        prb_str_addc(&state->text, ')');
    if (since_ms > state->last_ms)
        state->last_ms = since_ms;
}

void prb_left_text(const struct prb_left *left, struct prb_step_state *state)
{
    for (size_t i = 0; i < left->count && prb_names_next(&state->text, i, left->count); i++)
        prb_object_text(left->items[i], state);
}
