#ifndef TESTS_RECONCILERS_CLUSTER_WORLD_H
#define TESTS_RECONCILERS_CLUSTER_WORLD_H

/* A hub in a few lines of YAML, and what the cluster deletion controller wants done in it. */

#include "probate/reconcilers/cluster_deletion.h"
#include "probate/reconcilers/registry.h"

#include "support/world.h"

#define CLUSTERS "managedclusters.v1.cluster.open-cluster-management.io"
#define NAMESPACES "namespaces.v1."
#define ADDONS "managedclusteraddons.v1alpha1.addon.open-cluster-management.io"
#define WORKS "manifestworks.v1.work.open-cluster-management.io"
#define ROLEBINDINGS "rolebindings.v1.rbac.authorization.k8s.io"
#define ROLES "clusterroles.v1.rbac.authorization.k8s.io"
#define BINDINGS "clusterrolebindings.v1.rbac.authorization.k8s.io"
#define HIVE "clusterdeployments.v1.hive.openshift.io"

#define C1 CLUSTERS "//c1"

/* Twelve minutes after the deletions in the worlds below began. */
#define NOW "2026-01-02T03:12:00Z"
#define AT "2026-01-02T03:00:00Z"
#define DELETED "deletionTimestamp: '" AT "'"

#define FINALIZER PRB_CLUSTER_FINALIZER
#define WORK_FINALIZER "cluster.open-cluster-management.io/manifest-work-cleanup"
#define PRIORITY(n) "annotations: {open-cluster-management.io/cleanup-priority: '" n "'}"
#define OF_ADDON(name) "open-cluster-management.io/addon-name: " name
#define IN_NAMESPACE(name) "open-cluster-management.io/addon-namespace: " name
#define MARK(cluster, namespace)                                                   \
    "annotations: {" PRB_MARK_CLUSTER_UID ": " cluster ", " PRB_MARK_NAMESPACE_UID \
    ": " namespace "}"

#define CLUSTER_KIND \
    "---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\n"
#define ACCEPTED "spec: {hubAcceptsClient: true}\n"
#define NAMESPACE_KIND "---\napiVersion: v1\nkind: Namespace\n"
#define ADDON_KIND \
    "---\napiVersion: addon.open-cluster-management.io/v1alpha1\nkind: ManagedClusterAddOn\n"
#define WORK_KIND "---\napiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\n"
#define RBAC(kind) "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: " kind "\n"
#define HIVE_KIND "---\napiVersion: hive.openshift.io/v1\nkind: ClusterDeployment\n"

/* Each with a uid of its own ("u-NAME"); `more` begins with a comma. */
#define ADDON_IN(ns, name, more)                                            \
    ADDON_KIND "metadata: {name: " name ", namespace: " ns ", uid: u-" name \
               ", resourceVersion: '3'" more "}\n"
#define ADDON(name, more) ADDON_IN("c1", name, more)
#define WORK_IN(ns, name, more)                                            \
    WORK_KIND "metadata: {name: " name ", namespace: " ns ", uid: u-" name \
              ", resourceVersion: '3'" more "}\n"
#define WORK(name, more) WORK_IN("c1", name, more)
#define HIVE_IN(ns, name, more) \
    HIVE_KIND "metadata: {name: " name ", namespace: " ns ", uid: u-" name more "}\n"

#define RBAC_NAME(end) "open-cluster-management:managedcluster:c1" end
#define ROLEBINDING(end, uid, more) \
    RBAC("RoleBinding")             \
    "metadata: {name: '" RBAC_NAME(end) "', namespace: c1, uid: " uid more "}\n"
#define REGISTRATION_BINDING ROLEBINDING(":registration", "u-rb1", "")
#define WORK_BINDING ROLEBINDING(":work", "u-rb2", ", finalizers: [" WORK_FINALIZER "]")
#define CLUSTER_ROLE RBAC("ClusterRole") "metadata: {name: '" RBAC_NAME("") "', uid: u-role}\n"
#define CLUSTER_BINDING \
    RBAC("ClusterRoleBinding") "metadata: {name: '" RBAC_NAME("") "', uid: u-binding}\n"
#define RIGHTS REGISTRATION_BINDING WORK_BINDING CLUSTER_ROLE CLUSTER_BINDING

/* A cluster that is being deleted, with our finalizer, and its namespace with the mark. */
#define DELETING(more)                                                            \
    CLUSTER_KIND "metadata: {name: c1, uid: u-c1, resourceVersion: '7', " DELETED \
                 ", finalizers: [" FINALIZER "]" more "}\n"
#define SAYING(status, reason, message)                                                        \
    "status: {conditions: [{type: ContentDeleteSuccess, status: '" status "', reason: " reason \
    ", message: '" message "', lastTransitionTime: '" AT "'}]}\n"
#define NAMESPACE(more) \
    NAMESPACE_KIND "metadata: {name: c1, uid: u-ns, resourceVersion: '5'" more "}\n"
#define MARKED_WITH(more) NAMESPACE(", " MARK("u-c1", "u-ns") more)
#define MARKED MARKED_WITH("")
#define KEEP ", labels: {cluster.open-cluster-management.io/keep-upon-cluster-deletion: ''}"

/* What is wanted then, in the words of decide(). */
#define CONDITION(reason) "condition False " reason " @7\n"
#define EVENT(reason) "event " reason " on managedclusters c1\n"
#define REGISTRATION "rolebindings c1/" RBAC_NAME(":registration")
#define WORKING "rolebindings c1/" RBAC_NAME(":work")
#define NO_ADDONS "none managedclusteraddons c1/\n"
#define NO_WORKS NO_ADDONS "none manifestworks c1/\n"
#define DELETE_ROLE "delete clusterroles " RBAC_NAME("") " u-role\n"
#define DELETE_BINDING "delete clusterrolebindings " RBAC_NAME("") " u-binding\n"
#define DELETE_RIGHTS                                        \
    NO_WORKS "delete " REGISTRATION " u-rb1\n"               \
             "delete " WORKING " u-rb2\nfinalizers " WORKING \
             " remove \n" DELETE_ROLE DELETE_BINDING
#define DELETE_NAMESPACE NO_WORKS "delete namespaces c1 u-ns @5\n"
#define BEGIN_ADDONS CONDITION("AddOnsRemaining") EVENT("DeletingAddOns")
#define BEGIN_WORKS CONDITION("WorksRemaining") EVENT("DeletingWorks")
#define BEGIN_RIGHTS CONDITION("RoleBindingsRemaining") EVENT("DeletingRoleBindings")
#define BEGIN_NAMESPACE CONDITION("NamespaceRemaining") EVENT("DeletingNamespace")
#define PUT_MARK "same managedclusters c1 \"u-c1\"\nmark namespaces c1 u-c1 u-ns @5\n"
#define DELETE(kind, name) "delete " kind " c1/" name " u-" name " @3\n"
#define DELETE_ADDON(name) DELETE("managedclusteraddons", name)
#define DELETE_WORK(name) DELETE("manifestworks", name)

/* What a test may set before it decides; as new after each. */
extern struct prb_world *world;
extern struct prb_cluster_settings settings;
extern struct prb_changes changes;
extern const char *trouble; /* of the last try */
extern const char *now;

void cluster_world_init(void);
void cluster_world_done(void);

/* All kinds are served; the world is what `yaml` says. */
void build(const char *yaml);

/* Monitor "clusterdeployments" of Hive; `state` as in prb_known_resource. */
void monitor_hive(int state, const char *trouble_text);

/* What is known of it. */
struct prb_known_resource *known_hive(void);

/* Decide, and say what is wanted, one line for each change: see the tests. Static buffer. */
const char *decide_on(const char *key);
const char *decide(void); /* on C1 */

/* A world, and what is wanted in it. */
struct row {
    const char *name, *world, *wanted;
};
void check(const struct row *rows, size_t count);
#define CHECK(rows) check(rows, sizeof(rows) / sizeof((rows)[0]))

/* What the last decision says in the condition that it writes; "": it writes none. */
const char *message(void);

/* What it waits for; "": nothing. */
const char *waits(void);

/* Make the view of the last decision say what it wrote in the condition. */
void see_condition(void);

#endif
