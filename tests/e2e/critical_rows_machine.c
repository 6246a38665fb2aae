/* What if it is no person who deletes, or many at once? */

#include "critical.h"

#define DEPLOYMENTS "/apis/apps/v1/namespaces/@/deployments"
#define SERVICES "/apis/probate.dev/v1alpha1/criticalservices?labelSelector=row=@"

#define OF_ROW LABELS("'row':'@'")

/* An object that the provider belongs to; "$" is its uid. */
#define OWNER OBJECT("v1", "ConfigMap", "'namespace':'@','name':'owner'", "")
#define OWNED                                                                                    \
    DEPLOYMENT_WITH("'name':'provider','ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap'" \
                    ",'name':'owner','uid':'$','blockOwnerDeletion':true}]")
#define THE_OWNER_HAS_IT                                                                           \
    {                                                                                              \
        .run = "create", .input = OWNED, .with = "get configmap owner -o jsonpath={.metadata.uid}" \
    }

#define DENIED_BY(user) \
    UNTIL(GET_SERVICE("lastDenied.user"), "system:serviceaccount:kube-system:" user)

/* A registration of nobody: while it is there, what has the row's label is not deleted. */
#define OBSTACLE                                                                              \
    OBJECT("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "'name':'@'", \
            ",'webhooks':[{'name':'nobody.example.dev','clientConfig':{'url':"                \
            "'https://127.0.0.1:1/'},'rules':[{'apiGroups':['apps'],'apiVersions':['v1'],"    \
            "'operations':['DELETE'],'resources':['deployments']}],'objectSelector':{"        \
            "'matchLabels':{'row':'@'}},'failurePolicy':'Fail','sideEffects':'None',"         \
            "'admissionReviewVersions':['v1']}]")

static const struct row rows[] = {
    ROW("a_collection_with_a_provider_in_it_is_refused", GUARDED | SANITIZED,
            A_SERVICE DEPLOYMENT("alone"), IT_IS_PROTECTED,
            REFUSED(403, "delete --raw " DEPLOYMENTS, NULL, "@/provider", DATA "/@"),
            DO("get deployment provider"), GONE("get deployment alone"), DO(LET_GO("@")),
            DO("delete --raw " DEPLOYMENTS), GONE("get deployment provider")),
    /* There is no such thing, so nothing needs to be guarded against it. */
    ROW("no_collection_spans_all_namespaces", GUARDED, A_SERVICE,
            REFUSED(405, "delete --raw /apis/apps/v1/deployments?labelSelector=row=@", NULL,
                    "does not allow this method")),
    ROW("a_collection_of_critical_services_is_refused", GUARDED,
            A_PROVIDER CRITICAL_WITH(
                    "'name':'@'," OF_ROW, PROVIDER("@", "provider"), THE_FINALIZER, ""),
            IT_IS_PROTECTED, REFUSED(403, "delete --raw " SERVICES, NULL, "@/provider"),
            DO(DELETE_PROVIDER), DO("delete --raw " SERVICES),
            GONE("get criticalservice @" CLUSTER_WIDE)),
    ROW("the_garbage_collector_is_refused", GUARDED, NAMESPACE OWNER COOL CRITICAL,
            THE_OWNER_HAS_IT, IT_IS_PROTECTED, DO("delete configmap owner"),
            DENIED_BY("generic-garbage-collector"), DO("get deployment provider"), DO(LET_GO("@")),
            UNTIL_GONE("deployment/provider")),
    ROW("an_owner_waits_in_the_foreground_for_its_provider", GUARDED, NAMESPACE OWNER COOL CRITICAL,
            THE_OWNER_HAS_IT, IT_IS_PROTECTED,
            DO("delete configmap owner --cascade=foreground --wait=false"),
            DENIED_BY("generic-garbage-collector"), DO("get deployment provider"),
            SHOWS("get configmap owner -o jsonpath={.metadata.finalizers}", "foregroundDeletion"),
            DO(LET_GO("@")), UNTIL_GONE("deployment/provider"), UNTIL_GONE("configmap/owner")),
    ROW("a_namespace_that_goes_already_does_not_wait_for_a_provider_that_is_named_later", GUARDED,
            NAMESPACE OBSTACLE DEPLOYMENT_WITH("'name':'provider'," OF_ROW) COOL,
            { .run = DELETE_PROVIDER,
                    .code = 500,
                    .says = { "nobody.example.dev" },
                    .until = true },
            DO(DELETE_NAMESPACE), CREATED(CRITICAL),
            UNTIL(GET_CONDITIONS, "Protected=False/ProviderDead"),
            DO("delete validatingwebhookconfiguration @" CLUSTER_WIDE),
            UNTIL_GONE("namespace/@" CLUSTER_WIDE), DO(LET_GO("@")), DO(DELETE_SERVICE)),
    ROW("a_plain_delete_of_a_namespace_is_refused", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            REFUSED(403, "delete --raw /api/v1/namespaces/@", NULL, "Namespace @", DATA "/@"),
            DO(LET_GO("@")), DO("delete --raw /api/v1/namespaces/@"),
            WAIT_FOR("delete", "namespace/@")),
};

const struct rows critical_rows_machine = { rows, sizeof(rows) / sizeof(rows[0]) };
