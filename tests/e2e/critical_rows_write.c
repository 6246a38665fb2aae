/* Which CriticalServices may be written, and by whom? */

#include "critical.h"

#define PROVIDER_OF(group, resource) \
    "'provider':{'group':'" group "','resource':'" resource "','namespace':'@','name':'x'}"

#define SERVICE_OF(provider, criteria) CRITICAL_OF("@", provider, criteria)

#define OWN_RIGHT                                                                                 \
    OBJECT("rbac.authorization.k8s.io/v1", "Role", "'namespace':'@','name':'@'",                  \
            ",'rules':[{'apiGroups':['apps'],'resources':['deployments'],'resourceNames':["       \
            "'provider'],'verbs':['delete']}]")                                                   \
    OBJECT("rbac.authorization.k8s.io/v1", "RoleBinding", "'namespace':'@','name':'@'",           \
            ",'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'Role','name':'@'},"       \
            "'subjects':[{'kind':'User','name':'outsider','apiGroup':'rbac.authorization.k8s.io'" \
            "}]")

static const struct row rows[] = {
    ROW("only_deployments_can_be_providers", GUARDED, NAMESPACE,
            INVALID("spec.provider.resource", "create",
                    SERVICE_OF(PROVIDER_OF("apps", "statefulsets"), THE_FINALIZER), "deployments"),
            INVALID("spec.provider.group", "create",
                    SERVICE_OF(PROVIDER_OF("batch", "jobs"), THE_FINALIZER), "deployments")),
    ROW("who_may_not_delete_a_provider_may_not_guard_it", GUARDED | SANITIZED, A_PROVIDER,
            REFUSED(403, "create --as=outsider", CRITICAL, "outsider", "delete",
                    "deployments.apps"),
            GONE("get criticalservice @" CLUSTER_WIDE), SEND("create --as=worker", CRITICAL)),
    ROW("the_right_to_that_one_provider_is_enough", GUARDED, A_PROVIDER OWN_RIGHT,
            { .run = "create --as=outsider --dry-run=server", .input = CRITICAL, .until = true },
            REFUSED(403, "create --as=outsider",
                    CRITICAL_OF("@-2", PROVIDER("@", "x"), THE_FINALIZER), "outsider"),
            SEND("create --as=outsider", CRITICAL)),
    ROW("a_critical_service_cannot_be_turned_on_somebody_else", GUARDED,
            A_PROVIDER CRITICAL_OF("@", PROVIDER("@", "absent"), THE_FINALIZER),
            UNTIL(GET_CONDITIONS, "ProviderAbsent"),
            REFUSED(403, SET_SERVICE("'provider':{'name':'provider'}") " --as=outsider", NULL,
                    "outsider", "delete"),
            DO(SET_SERVICE("'provider':{'name':'provider'}") " --as=worker")),
    ROW("a_criterion_has_the_members_of_its_type", GUARDED, A_PROVIDER,
            INVALID("spec.criteria[0].finalizer", "create", CRITICAL_FOR("{'type':'Finalizer'}"),
                    "finalizer"),
            INVALID("spec.criteria[0].specificResource", "create",
                    CRITICAL_FOR("{'type':'SpecificResource'}"), "specificResource"),
            INVALID("spec.criteria[0].specificResource", "create",
                    CRITICAL_FOR(
                            "{'type':'Finalizer','finalizer':{'group':'my.crd.group',"
                            "'resource':'coolresources','finalizerName':'a/b'},'specificResource':{"
                            "'resource':'configmaps','namespace':'" DATA "','name':'x'}}"),
                    "Finalizer"),
            UNFIT("spec.criteria[0].type", "create", CRITICAL_FOR("{'type':'Label'}"),
                    "Unsupported value")),
    ROW("a_criterion_in_the_namespace_of_its_provider_is_warned_of", GUARDED, A_PROVIDER,
            WARNED("create", CRITICAL_FOR(GONE_IN("", "configmaps", "@", "x")), "namespace")),
    ROW("what_was_stored_before_may_be_labelled_and_changed", GUARDED,
            A_PROVIDER CRITICAL_WITH("'name':'@'",
                    "'provider':{'group':'apps','resource':"
                    "'statefulsets','namespace':'@','name':'provider'}",
                    THE_FINALIZER, ""),
            WARNED("label criticalservice @ a=b" CLUSTER_WIDE, NULL, "stored so before"),
            UNTIL(GET_CONDITIONS, "Protected=False/InvalidSpec"),
            { .run = SET_SERVICE("'deletionPolicy':'BestEffort'"), .warns = 1 },
            DO(DELETE_SERVICE)),
};

const struct rows critical_rows_write = { rows, sizeof(rows) / sizeof(rows[0]) };
