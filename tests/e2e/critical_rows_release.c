/* How does somebody get past a CriticalService who must? */

#include "critical.h"

#define BEST_EFFORT SET_SERVICE("'deletionPolicy':'BestEffort'")

#define BREAK(object) "annotate " object " probate.dev/allow-delete=incident-17"
#define BY(user) " --as=" user

/* A user with the name of the row, who may override one of the two CriticalServices. */
#define MAY_OVERRIDE_ONE                                                                         \
    OBJECT("rbac.authorization.k8s.io/v1", "ClusterRole", "'name':'@'",                          \
            ",'rules':[{'apiGroups':['probate.dev'],'resources':['criticalservices'],"           \
            "'resourceNames':['@'],'verbs':['override']},{'apiGroups':['apps'],'resources':["    \
            "'deployments'],'verbs':['get','list','watch','delete']}]")                          \
    OBJECT("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "'name':'@'",                   \
            ",'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'@'" \
            "},'subjects':[{'kind':'User','name':'@','apiGroup':'rbac.authorization.k8s.io'}]")

/* A group with the name of the row, whose members may override that CriticalService. */
#define GROUP_MAY_OVERRIDE                                                                       \
    OBJECT("rbac.authorization.k8s.io/v1", "ClusterRole", "'name':'@'",                          \
            ",'rules':[{'apiGroups':['probate.dev'],'resources':['criticalservices'],"           \
            "'resourceNames':['@'],'verbs':['override']}]")                                      \
    OBJECT("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "'name':'@'",                   \
            ",'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'@'" \
            "},'subjects':[{'kind':'Group','name':'@','apiGroup':'rbac.authorization.k8s.io'}]")

#define TWO_GUARDS A_SERVICE CRITICAL_OF("@-2", PROVIDER("@", "provider"), THE_FINALIZER)

#define OVERRIDDEN(kind, namespace, name) \
    UNTIL(GET_EVENTS_OF("DeletionOverridden", kind, namespace, name), "Warning", "incident-17")

static const struct row rows[] = {
    ROW("best_effort_lets_a_critical_service_go_whose_delete_is_repeated", GUARDED | SANITIZED,
            A_SERVICE, IT_IS_PROTECTED, REFUSED(403, DELETE_SERVICE, NULL, "@/provider"),
            REFUSED(403, DELETE_SERVICE, NULL, "@/provider"), DO(BEST_EFFORT),
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@"), DO(DELETE_SERVICE),
            GONE("get criticalservice @" CLUSTER_WIDE),
            { .run = "get deployment provider -o jsonpath={.metadata.labels}",
                    .lacks = "probate.dev",
                    .until = true },
            DO(DELETE_PROVIDER)),
    ROW("who_has_the_right_breaks_the_glass_of_a_provider", GUARDED | SANITIZED, A_SERVICE,
            IT_IS_PROTECTED, DO(BREAK("deployment provider")),
            WARNED(DELETE_PROVIDER BY("keeper"), NULL, "incident-17", "CriticalService @"),
            GONE("get deployment provider"), OVERRIDDEN("CriticalService", "default", "@"),
            OVERRIDDEN("Deployment", "@", "provider")),
    ROW("who_lacks_the_right_breaks_no_glass", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            DO(BREAK("deployment provider") BY("worker")),
            REFUSED(403, DELETE_PROVIDER BY("worker"), NULL,
                    "worker may not 'override' criticalservices.probate.dev @", DATA "/@"),
            DO("get deployment provider"),
            { .run = GET_EVENTS("DeletionOverridden"), .lacks = "DeletionOverridden" }),
    ROW("the_right_may_come_by_a_group", GUARDED, A_SERVICE GROUP_MAY_OVERRIDE, IT_IS_PROTECTED,
            DO(BREAK("deployment provider")),
            REFUSED(403, DELETE_PROVIDER BY("worker") " --as-group=@-none", NULL, "may not"),
            WARNED(DELETE_PROVIDER BY("worker") " --as-group=@", NULL, "on the word of worker")),
    ROW("the_right_alone_breaks_no_glass", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER BY("keeper"), NULL, DATA "/@", "probate.dev/allow-delete"),
            DO("annotate deployment provider probate.dev/allow-delete="),
            REFUSED(403, DELETE_PROVIDER BY("keeper"), NULL, DATA "/@", "it gives no reason")),
    ROW("who_has_the_right_to_one_of_two_breaks_no_glass", GUARDED, TWO_GUARDS MAY_OVERRIDE_ONE,
            IT_IS_PROTECTED, WAIT_FOR("condition=Protected", "criticalservice/@-2"),
            DO(BREAK("deployment provider")),
            REFUSED(403, DELETE_PROVIDER BY("@"), NULL,
                    "@ may not 'override' criticalservices.probate.dev @-2"),
            WARNED(DELETE_PROVIDER BY("keeper"), NULL, "@-2")),
    ROW("the_glass_of_a_critical_service_is_its_own", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            DO(BREAK("criticalservice @") CLUSTER_WIDE),
            REFUSED(403, DELETE_SERVICE BY("worker"), NULL, "override"),
            REFUSED(403, DELETE_PROVIDER BY("keeper"), NULL, DATA "/@"),
            WARNED(DELETE_SERVICE BY("keeper"), NULL, "incident-17"),
            GONE("get criticalservice @" CLUSTER_WIDE)),
    ROW("a_dry_run_breaks_no_glass", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            DO(BREAK("deployment provider")),
            WARNED(DELETE_PROVIDER BY("keeper") " --dry-run=server", NULL, "incident-17"),
            REFUSED(403, DELETE_PROVIDER BY("worker") " --dry-run=server", NULL, "override"),
            DO("get deployment provider"),
            REFUSED(403, DELETE_PROVIDER BY("worker"), NULL, "override"),
            UNTIL(GET_SERVICE("lastDenied"), "'user':'worker'"),
            { .run = GET_EVENTS("DeletionOverridden"), .lacks = "DeletionOverridden" }),
};

const struct rows critical_rows_release = { rows, sizeof(rows) / sizeof(rows[0]) };
