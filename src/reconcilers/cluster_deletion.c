/*
 * When a ManagedCluster goes, what belongs to it goes in order, and nothing else does.
 *
 * Looks at:  ManagedClusters, their namespaces, and in those monitored resources, addons, works and
 *            role bindings
 * Writes:    a finalizer on each live cluster; for a deleting one the mark on its namespace, then
 *            the steps below, each only when the one before is done, and the condition
 *            ContentDeleteSuccess, which says at every moment what is waited for
 * Why:       left alone, works hang without their agent's rights, addons without their hooks, and
 *            the namespace stays behind
 *
 * Nothing is decided on the strength of a write: a step is done when the view shows that it is. A
 * cluster that was being deleted before Probate was switched on, or that has lost the finalizer, is
 * cleaned like any other: should it go in the middle, the mark says what to do.
 */

#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#include "cluster_departure.h"
#include "cluster_map.h"
#include "cluster_names.h"

const struct prb_gvr prb_cluster_gvr = { "cluster.open-cluster-management.io", "v1",
    "managedclusters" };
const struct prb_gvr prb_cluster_namespaces = { "", "v1", "namespaces" };
const struct prb_gvr prb_cluster_addons = { "addon.open-cluster-management.io", "v1alpha1",
    "managedclusteraddons" };
const struct prb_gvr prb_cluster_works = { "work.open-cluster-management.io", "v1",
    "manifestworks" };
const struct prb_gvr prb_cluster_rolebindings = { "rbac.authorization.k8s.io", "v1",
    "rolebindings" };
const struct prb_gvr prb_cluster_roles = { "rbac.authorization.k8s.io", "v1", "clusterroles" };
const struct prb_gvr prb_cluster_bindings = { "rbac.authorization.k8s.io", "v1",
    "clusterrolebindings" };

/* What a deletion goes through, from the first to the last. */
static const struct prb_step *const steps[] = {
    &prb_step_monitored,
    &prb_step_addons,
    &prb_step_works,
    &prb_step_bindings,
    &prb_step_namespace,
};

static const struct prb_cluster_settings presets = { .finalizer = PRB_CLUSTER_FINALIZER,
    .delete_works = PRB_DELETE_WORKS_ADDON };

const struct prb_step *prb_step_find(
        const struct prb_departure *departure, struct prb_step_state *state)
{
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        steps[i]->look(departure, state);
        if (state->text.len > 0)
            return steps[i];
    }
    return NULL;
}

/* Nothing is left: say so first; when that is seen, the cluster may go. */
static void end(const struct prb_departure *departure, struct prb_changes *out)
{
    const char *stays = prb_namespace_stays(departure);

    if (!prb_departure_has_ended(departure)) {
        prb_departure_tell_end(departure, out);
        return;
    }

    /* A namespace that stays must not keep a mark: whoever comes next is no part of this. */
    if (prb_mark_of(departure->namespace) != PRB_MARK_NONE)
        prb_mark_take_off(departure, out);
    prb_changes_remove_finalizer(out, &departure->ref, departure->cluster,
            departure->settings->finalizer, stays ? stays : "nothing is left of a deleted cluster");
}

/* The mark says for good whether the namespace is the cluster's own. */
static void mark(const struct prb_departure *departure, struct prb_changes *out)
{
    static const struct prb_step undecided = { .reason = "AcceptanceUnknown",
        .event = "AcceptanceUnknown" };
    enum prb_whose whose = prb_namespace_whose(departure);
    prb_auto(prb_step_state_done) struct prb_step_state state;

    prb_step_state_init(&state);
    if (whose == PRB_OF_UNKNOWN) {
        prb_str_add(&state.text, "the namespace is older than the cluster, and whether the cluster "
                                 "was ever accepted is not known");
        prb_bindings_say_unknown(departure, &state);
        prb_departure_hold(departure, &undecided, &state, out);
        return;
    }
    prb_departure_tell_trouble(departure, out);
    if (whose == PRB_OF_OTHERS)
        prb_bindings_expect_none(departure, out);
    prb_mark_put(departure, out);
}

static void leave(const struct prb_departure *departure, struct prb_changes *out)
{
    prb_auto(prb_step_state_done) struct prb_step_state state;
    const struct prb_step *step;

    prb_step_state_init(&state);

    /* Others hold it now; all that was ours to do is done. A namespace that stays must not be taken
     * for remains when they let it go. */
    if (prb_departure_has_ended(departure) &&
            !prb_object_has_finalizer(departure->cluster, departure->settings->finalizer)) {
        if (prb_mark_of(departure->namespace) != PRB_MARK_NONE && prb_namespace_stays(departure))
            prb_mark_take_off(departure, out);
        return;
    }
    step = prb_step_find(departure, &state);

    /* Once it is told that nothing is left, a namespace that stays has lost its mark already, and
     * must not get it back because the cluster is still in the cache. */
    if (departure->namespace && !prb_mark_is_of(departure->namespace, departure->cluster) &&
            (step || !prb_departure_has_ended(departure))) {
        mark(departure, out);
        return;
    }
    if (step)
        prb_departure_hold(departure, step, &state, out);
    else
        end(departure, out);
}

/* A mark on the namespace of a live cluster is of another one, and a danger to this. */
static void stay(const struct prb_departure *departure, struct prb_changes *out)
{
    if (prb_mark_of(departure->namespace) != PRB_MARK_NONE) {
        prb_mark_take_off(departure, out);
        prb_changes_event(out, &departure->ref, departure->cluster, false, "MarkTakenOff",
                "namespace %s was marked for the deletion of another cluster of this name; the "
                "mark is taken off, and nothing of this one is deleted",
                departure->ref.name);
    }
    prb_changes_add_finalizer(out, &departure->ref, departure->cluster,
            departure->settings->finalizer, "what belongs to a cluster goes before it");
}

static void decide(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *key, struct prb_changes *out)
{
    struct prb_departure departure = { .settings = self->settings ? self->settings : &presets,
        .view = view,
        .ref = *key,
        .cluster = prb_view_find(view, key) };

    if (!prb_ref_init(&departure.namespace_ref, &prb_cluster_namespaces, NULL, key->name))
        return; /* cannot be: it is a name already */
    departure.namespace = prb_view_find(view, &departure.namespace_ref);
    if (departure.cluster && prb_object_is_deleting(departure.cluster))
        leave(&departure, out);
    else if (departure.cluster)
        stay(&departure, out);
    else if (prb_mark_of(departure.namespace) == PRB_MARK_VALID)
        prb_remains_clean_up(&departure, out);
    else if (departure.namespace)
        prb_remains_report(&departure, out);
}

static void want_monitored(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx)
{
    const struct prb_cluster_settings *settings = self->settings ? self->settings : &presets;

    (void)view;
    for (size_t i = 0; i < settings->monitored_count; i++)
        want(ctx, settings->monitored[i].group, settings->monitored[i].resource);
}

static const char *const cluster_keeps[] = { "spec.hubAcceptsClient", "status.conditions", NULL };
static const char *const namespace_keeps[] = { "status.conditions", NULL };

/*
 * Without clusters and namespaces nothing can be said; of the others a step says that it does not
 * know, and holds. Role bindings are all watched, not only those with OCM's label: one without it,
 * and with the work agent's finalizer, would hold the namespace for ever, and nobody would know.
 */
static const struct prb_watch_spec watches[] = {
    { .group = prb_cluster_gvr.group,
            .version = prb_cluster_gvr.version,
            .resource = prb_cluster_gvr.resource,
            .whole = true,
            .keeps = cluster_keeps },
    { .group = prb_cluster_namespaces.group,
            .version = prb_cluster_namespaces.version,
            .resource = prb_cluster_namespaces.resource,
            .whole = true,
            .keeps = namespace_keeps,
            .map = prb_cluster_map_namespace },
    { .group = prb_cluster_addons.group,
            .version = prb_cluster_addons.version,
            .resource = prb_cluster_addons.resource,
            .optional = true,
            .map = prb_cluster_map_addon },
    { .group = prb_cluster_works.group,
            .version = prb_cluster_works.version,
            .resource = prb_cluster_works.resource,
            .annotations = prb_work_annotations,
            .by_namespace = true,
            .map = prb_cluster_map_content },
    { .group = prb_cluster_rolebindings.group,
            .version = prb_cluster_rolebindings.version,
            .resource = prb_cluster_rolebindings.resource,
            .optional = true,
            .map = prb_cluster_map_binding },
    { .group = prb_cluster_roles.group,
            .version = prb_cluster_roles.version,
            .resource = prb_cluster_roles.resource,
            .optional = true,
            .map = prb_cluster_map_role },
    { .group = prb_cluster_bindings.group,
            .version = prb_cluster_bindings.version,
            .resource = prb_cluster_bindings.resource,
            .optional = true,
            .map = prb_cluster_map_role },
};

/* To get one is to ask whether it is really gone. */
static const struct prb_right rights[] = {
    { prb_cluster_gvr.group, prb_cluster_gvr.resource, "get,list,watch,patch" },
    { prb_cluster_gvr.group, "managedclusters/status", "patch" },
    { prb_cluster_namespaces.group, prb_cluster_namespaces.resource,
            "get,list,watch,patch,delete" },
    { prb_cluster_addons.group, prb_cluster_addons.resource, "get,list,watch,delete" },
    { prb_cluster_works.group, prb_cluster_works.resource, "get,list,watch,patch,delete" },
    { prb_cluster_rolebindings.group, prb_cluster_rolebindings.resource,
            "get,list,watch,patch,delete" },
    { prb_cluster_roles.group, prb_cluster_roles.resource, "get,list,watch,delete" },
    { prb_cluster_bindings.group, prb_cluster_bindings.resource, "get,list,watch,delete" },
};

const struct prb_reconciler prb_reconciler_cluster_deletion = {
    .name = "cluster-deletion",
    .summary = "when a ManagedCluster is deleted, deletes what belongs to it, in order, and says "
               "what it waits for",
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .rights = rights,
    .right_count = sizeof(rights) / sizeof(rights[0]),
    .decide = decide,
    .namespaces = prb_cluster_name_departing,
    .wants = want_monitored,
    .map_wanted = prb_cluster_map_monitored,
};
