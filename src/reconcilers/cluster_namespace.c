/*
 * Step 5: is the namespace still there?
 *
 * It is deleted unless someone wants to keep it, and awaited, so that "gone" means gone. Meanwhile
 * the namespace itself knows best what keeps it.
 */

#include <string.h>

#include "probate/base/str.h"

#include "cluster_left.h"
#include "condition.h"

#define KEEP_LABEL "cluster.open-cluster-management.io/keep-upon-cluster-deletion"

/* OCM puts it on the namespace that it makes for a cluster. */
#define CLUSTER_LABEL "open-cluster-management.io/cluster-name"

/* "openshift" itself, or "openshift-..." */
static bool is_of_family(const char *name, const char *family)
{
    size_t len = strlen(family);

    return prb_starts_with(name, family) && (name[len] == '\0' || name[len] == '-');
}

/* A cluster may be called "openshift-prod" all the same: then the namespace was made for it. */
static bool is_of_platform(const struct prb_departure *departure)
{
    const char *name = departure->ref.name;

    if (!is_of_family(name, "openshift") && !is_of_family(name, "open-cluster-management"))
        return false;
    return !prb_streq(prb_object_label(departure->namespace, CLUSTER_LABEL), name);
}

static bool has_condition(const struct prb_object *cluster, const char *type, const char *status)
{
    return prb_streq(prb_json_str(prb_condition_find(cluster, type), "status"), status);
}

/* OCM says of a cluster that it was accepted, that its agent has joined, or that it was accepted
 * and then denied. What spec.hubAcceptsClient says now is only the last of these. */
static bool says_it_was_accepted(const struct prb_object *cluster)
{
    static const char hub[] = "HubAcceptedManagedCluster";
    bool accepted = false;

    (void)prb_json_bool(prb_object_spec(cluster), "hubAcceptsClient", &accepted);
    return accepted || has_condition(cluster, hub, "True") ||
           prb_streq(prb_json_str(prb_condition_find(cluster, hub), "reason"),
                   "HubClusterAdminDenied") ||
           has_condition(cluster, "ManagedClusterJoined", "True");
}

static bool is_older(const struct prb_object *namespace, const struct prb_object *cluster)
{
    return prb_object_created_at_ms(namespace) > 0 &&
           prb_object_created_at_ms(namespace) < prb_object_created_at_ms(cluster);
}

/*
 * For a cluster that was never accepted nothing was made. A namespace of its name that is older,
 * and that nobody has said is the cluster's, belongs to somebody whose name a registration has hit
 * upon: turning that registration away must not delete it. The bindings of the agents are evidence,
 * too, and go before the namespace: what they showed is kept with the mark.
 */
enum prb_whose prb_namespace_whose(const struct prb_departure *departure)
{
    const struct prb_object *cluster = departure->cluster, *namespace = departure->namespace;
    bool keeps = prb_object_annotation(namespace, PRB_MARK_KEEPS) != NULL;

    if (prb_streq(prb_object_label(namespace, CLUSTER_LABEL), departure->ref.name))
        return PRB_OF_CLUSTER;
    if (!cluster)
        return keeps ? PRB_OF_OTHERS : PRB_OF_CLUSTER;
    if (says_it_was_accepted(cluster) || !is_older(namespace, cluster))
        return PRB_OF_CLUSTER;
    if (prb_mark_is_of(namespace, cluster))
        return keeps ? PRB_OF_OTHERS : PRB_OF_CLUSTER;
    if (prb_bindings_are_there(departure))
        return PRB_OF_CLUSTER;
    return prb_bindings_are_known(departure) ? PRB_OF_OTHERS : PRB_OF_UNKNOWN;
}

const char *prb_namespace_stays(const struct prb_departure *departure)
{
    const char *name = departure->ref.name;

    if (!departure->namespace || prb_object_is_deleting(departure->namespace))
        return NULL;
    if (prb_object_label(departure->namespace, KEEP_LABEL))
        return "its namespace stays, as label " KEEP_LABEL " asks for";
    if (prb_streq(name, "default") || prb_starts_with(name, "kube-"))
        return "its namespace stays, as it is one of Kubernetes' own";
    if (is_of_platform(departure))
        return "its namespace stays, as by its name it is one of the platform's own, and label " CLUSTER_LABEL
               " does not say that it was made for the cluster";
    if (prb_namespace_whose(departure) != PRB_OF_CLUSTER)
        return "its namespace stays, as it is older than the cluster, and nothing shows that it "
               "was made for it: label " CLUSTER_LABEL
               " is missing, and neither spec.hubAcceptsClient, the conditions nor bindings of "
               "agents say that the cluster was ever accepted";
    return NULL;
}

/* What the namespace controller says while it is at work, in the order in which it matters. */
static void quote_conditions(const struct prb_object *namespace, struct prb_step_state *state)
{
    static const char *const types[] = { "NamespaceDeletionDiscoveryFailure",
        "NamespaceDeletionGroupVersionParsingFailure", "NamespaceDeletionContentFailure",
        "NamespaceContentRemaining", "NamespaceFinalizersRemaining" };

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        const struct json_object *condition = prb_condition_find(namespace, types[i]);
        const char *message = prb_json_str(condition, "message");

        if (prb_streq(prb_json_str(condition, "status"), "True") && message && message[0])
            prb_str_addf(&state->text, "; %s", message);
    }
}

/* Only as it was seen: a label that says "keep" may be put on it this very moment. */
static void act(const struct prb_departure *departure, struct prb_step_state *state)
{
    prb_changes_delete_unchanged(&state->acts, &departure->namespace_ref, departure->namespace,
            PRB_PROPAGATE_BACKGROUND, "its cluster is being deleted");
}

static void look(const struct prb_departure *departure, struct prb_step_state *state)
{
    const struct prb_object *namespace = departure->namespace;

    if (!namespace || prb_namespace_stays(departure))
        return;

    if (!prb_object_is_deleting(namespace))
        act(departure, state);
    prb_str_add(&state->text, "namespace left, deleted by Probate: ");
    prb_object_text(namespace, state);
    quote_conditions(namespace, state);
}

const struct prb_step prb_step_namespace = {
    .reason = "NamespaceRemaining",
    .event = "DeletingNamespace",
    .look = look,
};
