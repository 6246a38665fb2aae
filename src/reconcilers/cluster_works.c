/*
 * Step 3: are there works?
 *
 * Those of an addon that is gone are deleted, those of others and of addons elsewhere that are
 * still there are awaited: who made them may want to move them, or has hooks to run. --delete-works
 * says otherwise. The agent of a cluster that never comes back takes no finalizer off; an
 * annotation on the cluster, with the reason, lets Probate do it.
 */

#include "probate/base/str.h"
#include "probate/model/names.h"

#include "cluster_left.h"

/* On a work: whose it is. The namespace is its own unless it says otherwise (hosted addons). */
#define ADDON_NAME_LABEL "open-cluster-management.io/addon-name"
#define ADDON_NAMESPACE_LABEL "open-cluster-management.io/addon-namespace"

/* An addon elsewhere tells of its end by the name of its host in an annotation. One without it is
 * noticed at this pace, from memory. */
#define HOSTED_AGAIN_MS 60000

/* Whose move each work is. */
struct sorted {
    struct prb_left ours;   /* to be deleted, in one go or by priority */
    struct prb_left addons; /* their addon is still there, in another namespace */
    struct prb_left others; /* customised, or all with --delete-works=none */
};

static void sorted_donep(struct sorted *sorted)
{
    prb_left_done(&sorted->ours);
    prb_left_done(&sorted->addons);
    prb_left_done(&sorted->others);
}

/* Not empty; NULL: it has none. */
static const char *label_of(const struct prb_object *work, const char *key)
{
    const char *value = prb_object_label(work, key);

    return value && value[0] ? value : NULL;
}

static const char *addon_namespace(
        const struct prb_departure *departure, const struct prb_object *work)
{
    const char *elsewhere = label_of(work, ADDON_NAMESPACE_LABEL);

    return elsewhere ? elsewhere : departure->ref.name;
}

/* False: no addon can have such a name. */
static bool addon_ref(
        const struct prb_departure *departure, const struct prb_object *work, struct prb_ref *ret)
{
    return prb_ref_init(ret, &prb_cluster_addons, addon_namespace(departure, work),
            label_of(work, ADDON_NAME_LABEL));
}

static bool has_addon(const struct prb_departure *departure, const struct prb_object *work)
{
    struct prb_ref addon;

    return addon_ref(departure, work, &addon) && prb_view_find(departure->view, &addon);
}

static struct prb_left *heap_for(
        const struct prb_departure *departure, const struct prb_object *work, struct sorted *sorted)
{
    switch (departure->settings->delete_works) {
    case PRB_DELETE_WORKS_ALL:
        return &sorted->ours;
    case PRB_DELETE_WORKS_ADDON:
        if (!label_of(work, ADDON_NAME_LABEL))
            break;
        return has_addon(departure, work) ? &sorted->addons : &sorted->ours;
    case PRB_DELETE_WORKS_NONE:
        break;
    }
    return &sorted->others;
}

/* In a deleting cluster no addon comes to be any more, but elsewhere one may just have been made
 * that the cache has not seen, and its works are not ours. */
static void expect_hosted_gone(const struct prb_departure *departure, const struct prb_left *works,
        struct prb_step_state *state)
{
    struct prb_ref addon, last = { .name = "" };

    for (size_t i = 0; departure->namespace && i < works->count; i++) {
        if (prb_object_is_deleting(works->items[i]) ||
                !addon_ref(departure, works->items[i], &addon) ||
                prb_streq(addon.namespace, departure->ref.name) || prb_ref_equal(&addon, &last))
            continue;
        prb_changes_expect_absent(&state->acts, &addon, "works go after their addon");
        last = addon;
    }
}

static void look_at_ours(const struct prb_departure *departure, const struct prb_left *ours,
        struct prb_step_state *state)
{
    bool by_priority = departure->settings->delete_works == PRB_DELETE_WORKS_ALL;
    prb_auto(prb_left_done) struct prb_left first = { .count = 0 };
    const struct prb_left *now = by_priority ? &first : ours;
    int turn = by_priority ? prb_left_first(departure, ours, prb_turn_of_work, &first) : 0;

    if (ours->count == 0)
        return;
    if (!by_priority)
        expect_hosted_gone(departure, now, state);
    prb_left_delete(departure, &prb_cluster_works, now,
            by_priority ? "its cluster is being deleted" : "its addon is gone", state);
    prb_str_addf(&state->text,
            "%zu work%s%s left in namespace %s, deleted by Probate: ", ours->count,
            ours->count == 1 ? "" : "s", by_priority ? "" : " of addons that are gone",
            departure->ref.name);
    prb_left_text(now, state);
    prb_left_later_text(ours, now, turn, &state->text);
}

static void look_at_addons(const struct prb_departure *departure, const struct prb_left *works,
        struct prb_step_state *state)
{
    if (works->count == 0)
        return;
    prb_step_separate(state);
    prb_str_addf(&state->text,
            "waiting for %zu work%s of addons that are still there: not deleted by Probate "
            "before them: ",
            works->count, works->count == 1 ? "" : "s");
    for (size_t i = 0; i < works->count && prb_names_next(&state->text, i, works->count); i++) {
        prb_object_text(works->items[i], state);
        prb_str_addf(&state->text, " of %s/%s", addon_namespace(departure, works->items[i]),
                label_of(works->items[i], ADDON_NAME_LABEL));
    }
    prb_changes_again(&state->acts, HOSTED_AGAIN_MS);
}

static void look_at_others(const struct prb_departure *departure, const struct prb_left *works,
        struct prb_step_state *state)
{
    bool none = departure->settings->delete_works == PRB_DELETE_WORKS_NONE;

    if (works->count == 0)
        return;
    prb_step_separate(state);
    prb_str_addf(&state->text, "waiting for %zu %swork%s: not deleted by Probate%s: ", works->count,
            none ? "" : "customised ", works->count == 1 ? "" : "s",
            none ? " (--delete-works=none)" : "");
    prb_left_text(works, state);
}

/* The reason why the works of a dead cluster may be let go; NULL: there is none. */
static const char *release_reason(const struct prb_departure *departure)
{
    const char *reason = departure->cluster ? prb_object_annotation(departure->cluster,
                                                      PRB_ANNOTATION_RELEASE_WORKS)
                                            : NULL;

    return reason && reason[0] ? reason : NULL;
}

static void release(const struct prb_departure *departure, const struct prb_object *work,
        const char *reason, struct prb_step_state *state)
{
    struct prb_ref ref;

    if (!departure->namespace || !prb_object_ref_in(work, &prb_cluster_works, &ref))
        return;
    prb_changes_remove_finalizer(
            &state->acts, &ref, work, PRB_WORK_FINALIZER, "released: its cluster is given up");
    prb_changes_event(&state->acts, &departure->ref, departure->cluster, true, "WorkReleased",
            "work %s/%s goes without its agent (%s); what it has applied stays on the managed "
            "cluster",
            ref.namespace, ref.name, reason);
}

/* Works that only the agent's finalizer keeps: whose move is it? */
static void look_at_agent(const struct prb_departure *departure, const struct prb_left *all,
        struct prb_step_state *state)
{
    const char *reason = release_reason(departure);
    size_t held = 0;

    for (size_t i = 0; i < all->count; i++) {
        const struct prb_object *work = all->items[i];

        if (!prb_object_is_deleting(work) || !prb_object_has_finalizer(work, PRB_WORK_FINALIZER))
            continue;
        held++;
        if (reason)
            release(departure, work, reason, state);
    }
    if (held > 0 && reason)
        prb_str_addf(&state->text,
                ". Probate takes the finalizer of the work agent off %zu of them, as annotation " PRB_ANNOTATION_RELEASE_WORKS
                " asks for (%s): what they have applied stays on the managed cluster",
                held, reason);
    else if (held > 0 && departure->cluster)
        prb_str_add(&state->text,
                ". The work agent of the cluster takes its finalizer off when it has cleaned up; "
                "if the cluster never comes back, annotate the ManagedCluster with " PRB_ANNOTATION_RELEASE_WORKS
                ": <reason>");
}

static void look(const struct prb_departure *departure, struct prb_step_state *state)
{
    prb_auto(prb_left_done) struct prb_left all = { .count = 0 };
    prb_auto(sorted_done) struct sorted sorted = { .ours = { .count = 0 } };

    if (!prb_step_knows_in_namespace(departure, &prb_cluster_works, state))
        return;
    prb_left_find(departure, &prb_cluster_works, &all);
    for (size_t i = 0; i < all.count; i++)
        prb_left_add(heap_for(departure, all.items[i], &sorted), all.items[i]);
    look_at_ours(departure, &sorted.ours, state);
    look_at_addons(departure, &sorted.addons, state);
    look_at_others(departure, &sorted.others, state);
    look_at_agent(departure, &all, state);
}

const struct prb_step prb_step_works = {
    .reason = "WorksRemaining",
    .event = "DeletingWorks",
    .look = look,
};
