#ifndef TESTS_E2E_MANIFESTS_H
#define TESTS_E2E_MANIFESTS_H

/*
 * The objects of the rows, as texts: "@" is the name of the row, ' stands for ".
 */

#define OBJECT(api, kind, metadata, rest) \
    "{'apiVersion':'" api "','kind':'" kind "','metadata':{" metadata "}" rest "}\n"

#define NAMESPACE_OF(name) OBJECT("v1", "Namespace", "'name':'" name "'", "")
#define NAMESPACE NAMESPACE_OF("@")

/* What keeps an object that is being deleted, until the row takes it off. */
#define HOLD "'finalizers':['example.dev/hold']"
#define RELEASE " --type=merge -p {'metadata':{'finalizers':null}}"

#define CLUSTER_OF(name)                                                                         \
    OBJECT("cluster.open-cluster-management.io/v1", "ManagedCluster", "'name':'" name "'," HOLD, \
            ",'spec':{'hubAcceptsClient':true}")
#define CLUSTER CLUSTER_OF("@")

/* A cluster with its namespace. */
#define A_CLUSTER NAMESPACE CLUSTER

#define NOTHING ""

#define ADDON_IN(namespace, metadata)                                          \
    OBJECT("addon.open-cluster-management.io/v1alpha1", "ManagedClusterAddOn", \
            "'namespace':'" namespace "'," metadata, ",'spec':{}")
#define ADDON_WITH(metadata) ADDON_IN("@", metadata)
#define ADDON(name) ADDON_WITH("'name':'" name "'")

/* ---- works ---- */

/* A ConfigMap, a Namespace and something of a kind that the hub does not know. */
#define MANIFESTS                                                                             \
    "'workload':{'manifests':["                                                               \
    "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'cm1','namespace':'default'}}," \
    "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'shop'}},"                      \
    "{'apiVersion':'example.com/v1','kind':'Gadget','metadata':{'name':'g1'}}]}"

#define WORK_IN(namespace, metadata, spec)                       \
    OBJECT("work.open-cluster-management.io/v1", "ManifestWork", \
            "'namespace':'" namespace "'," metadata, ",'spec':{" spec "}")
/* An agent will act by the settings of a work that has this. */
#define AGENT_FINALIZER "cluster.open-cluster-management.io/manifest-work-cleanup"
#define WORK_WITH(metadata, spec) WORK_IN("@", metadata, spec)
#define WORK(name) WORK_WITH("'name':'" name "'", MANIFESTS)
#define WORK_OPTION(name, option) \
    WORK_WITH("'name':'" name "'", MANIFESTS ",'deleteOption':{" option "}")
#define AGENT_HOLD "'finalizers':['" AGENT_FINALIZER "']"
#define HELD_WORK(name, option) \
    WORK_WITH("'name':'" name "'," AGENT_HOLD, MANIFESTS ",'deleteOption':{" option "}")

#define POLICY(word) "'propagationPolicy':'" word "'"
#define RULES(rules) "'selectivelyOrphans':{'orphaningRules':[" rules "]}"
#define SELECT(rules) POLICY("SelectivelyOrphan") "," RULES(rules)

#define RULE(resource, namespace, name) \
    "{'resource':'" resource "','namespace':'" namespace "','name':'" name "'}"
#define RULE_CM1 RULE("configmaps", "default", "cm1")
#define RULE_SHOP "{'resource':'namespaces','name':'shop'}"

#define LABELS(labels) "'labels':{" labels "}"
#define OF_ADDON(name) "'open-cluster-management.io/addon-name':'" name "'"
#define OF_ADDON_IN(name, namespace) \
    OF_ADDON(name) ",'open-cluster-management.io/addon-namespace':'" namespace "'"

/* ---- policies and claims ---- */

#define PRUNING_WITH(metadata, spec)                                                        \
    OBJECT("policy.open-cluster-management.io/v1", "ConfigurationPolicy",                   \
            "'namespace':'@'," metadata,                                                    \
            ",'spec':{'object-templates':[{'complianceType':'musthave','objectDefinition':" \
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'cm1'}}}]" spec "}")
#define PRUNING(name, spec) PRUNING_WITH("'name':'" name "'", spec)

#define CLAIM_WITH(metadata, spec) \
    OBJECT("claims.example.org/v1", "Database", "'namespace':'@'," metadata, ",'spec':{" spec "}")
#define CLAIM(name, spec) CLAIM_WITH("'name':'" name "'", spec)

/* For commands on what is in no namespace: kubectl remarks on one that is named all the same. */
#define CLUSTER_WIDE " --namespace="

/* ---- steps that many rows begin with ---- */

#define CREATED(manifests) SEND("create", manifests)

/* Probate's cache follows the API server by a moment, which has to pass before the row goes on. */
#define THE_CLUSTER_IS_DELETED                                                               \
    DO("delete managedcluster @ --wait=false" CLUSTER_WIDE),                                 \
    {                                                                                        \
        .run = "create --dry-run=server", .input = WORK("probe"), .code = 403, .until = true \
    }

/* A command that gives the work "w" another option. */
#define SET_OPTION(option) \
    "patch manifestwork w --type=merge -p {'spec':{'deleteOption':" option "}}"

#define THE_WORK_IS_DELETED(name) DO("delete manifestwork " name " --wait=false")

#endif
