/*
 * Step 4: do the agents of the cluster still have rights?
 *
 * Four objects, by the names that OCM gives them. The work agent's binding carries the finalizer of
 * works, so that the agent keeps its rights until the last of them is gone; now it is. Roles that
 * all clusters share are not touched.
 */

#include <stdio.h>

#include "probate/base/str.h"

#include "cluster_left.h"
#include "cluster_names.h"

struct entry {
    const struct prb_gvr *gvr;
    const char *kind;
    const char *end; /* of its name */
    bool namespaced;
};

/* Entries of one kind are neighbours. */
static const struct entry entries[] = {
    { &prb_cluster_rolebindings, "RoleBinding", PRB_REGISTRATION_END, true },
    { &prb_cluster_rolebindings, "RoleBinding", PRB_WORK_END, true },
    { &prb_cluster_roles, "ClusterRole", "", false },
    { &prb_cluster_bindings, "ClusterRoleBinding", "", false },
};
#define ENTRIES (sizeof(entries) / sizeof(entries[0]))

/* The name of a shared role is that of the role of a cluster called "work" or "registration". */
static bool is_shared(const struct prb_departure *departure, const struct entry *entry)
{
    return entry->gvr == &prb_cluster_roles &&
           (prb_streq(departure->ref.name, &PRB_WORK_END[1]) ||
                   prb_streq(departure->ref.name, &PRB_REGISTRATION_END[1]));
}

/* False: there is none that could be called this. */
static bool refer_to(
        const struct prb_departure *departure, const struct entry *entry, struct prb_ref *ref)
{
    char name[PRB_NAME_SIZE];

    return !is_shared(departure, entry) &&
           snprintf(name, sizeof(name), PRB_RBAC_PREFIX "%s%s", departure->ref.name, entry->end) <
                   (int)sizeof(name) &&
           prb_ref_init(ref, entry->gvr, entry->namespaced ? departure->ref.name : NULL, name);
}

static const struct prb_object *find(
        const struct prb_departure *departure, const struct entry *entry, struct prb_ref *ref)
{
    return refer_to(departure, entry, ref) ? prb_view_find(departure->view, ref) : NULL;
}

bool prb_bindings_are_there(const struct prb_departure *departure)
{
    struct prb_ref ref;

    for (size_t i = 0; i < ENTRIES; i++) {
        if (find(departure, &entries[i], &ref))
            return true;
    }
    return false;
}

bool prb_bindings_are_known(const struct prb_departure *departure)
{
    for (size_t i = 0; i < ENTRIES; i++) {
        if (!prb_view_knows(departure->view, entries[i].gvr))
            return false;
    }
    return true;
}

void prb_bindings_expect_none(const struct prb_departure *departure, struct prb_changes *out)
{
    struct prb_ref ref;

    for (size_t i = 0; i < ENTRIES; i++) {
        if (refer_to(departure, &entries[i], &ref))
            prb_changes_expect_absent(out, &ref, "its cluster was accepted if this is there");
    }
}

void prb_bindings_say_unknown(const struct prb_departure *departure, struct prb_step_state *state)
{
    for (size_t i = 0; i < ENTRIES; i++) {
        if (i == 0 || entries[i].gvr != entries[i - 1].gvr)
            (void)prb_step_knows(departure, entries[i].gvr, state);
    }
}

/* No work is left here: nobody needs the finalizer of works on the binding any more. */
static void act(const struct prb_departure *departure, const struct entry *entry,
        const struct prb_ref *ref, const struct prb_object *object, struct prb_step_state *state)
{
    bool is_held = entry->namespaced && prb_object_has_finalizer(object, PRB_WORK_FINALIZER);

    if (entry->namespaced && !departure->namespace)
        return; /* it has no mark, and is on its way out */
    if (prb_object_is_deleting(object) && !is_held)
        return;

    if (!prb_object_is_deleting(object))
        prb_changes_delete(&state->acts, ref, object, PRB_PROPAGATE_BACKGROUND,
                "the agents of a deleted cluster have nothing left to do");
    if (is_held)
        prb_changes_remove_finalizer(
                &state->acts, ref, object, PRB_WORK_FINALIZER, "no work is left to be cleaned up");
}

static void look(const struct prb_departure *departure, struct prb_step_state *state)
{
    size_t count = 0;
    bool known = true;

    for (size_t i = 0; i < ENTRIES; i++) {
        const struct prb_object *object;
        struct prb_ref ref;

        if (i > 0 && entries[i].gvr == entries[i - 1].gvr && !known)
            continue; /* it is said already */
        known = prb_step_knows(departure, entries[i].gvr, state);
        object = known ? find(departure, &entries[i], &ref) : NULL;
        if (!object)
            continue;
        if (count++ == 0) {
            prb_step_separate(state);
            prb_str_add(&state->text, "rights of the cluster's agents left, deleted by Probate: ");
        } else {
            prb_str_add(&state->text, ", ");
        }
        prb_str_addf(&state->text, "%s ", entries[i].kind);
        prb_object_text(object, state);
        act(departure, &entries[i], &ref, object, state);
    }
}

const struct prb_step prb_step_bindings = {
    .reason = "RoleBindingsRemaining",
    .event = "DeletingRoleBindings",
    .look = look,
};
