/* How does somebody get past a CriticalService who must? */

#include "critical.h"

#define BEST_EFFORT "'deletionPolicy':'BestEffort'"
#define OTHER_CRITERION "'criteria':[" GONE_IN("", "configmaps", DATA, "none") "]"

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

#define OFFERS_GLASS                                                     \
    "kubectl annotate --overwrite deployment provider -n @ probate.dev/" \
    "allow-delete='until="

#define OVERRIDDEN(kind, namespace, name) \
    UNTIL(GET_EVENTS_OF("DeletionOverridden", kind, namespace, name), "Warning", "incident-17")

static const struct row rows[] = {
    ROW("best_effort_lets_a_critical_service_go_whose_delete_is_repeated", GUARDED | SANITIZED,
            A_SERVICE, IT_IS_PROTECTED, REFUSED(403, DELETE_SERVICE, NULL, "@/provider"),
            REFUSED(403, DELETE_SERVICE, NULL, "@/provider"),
            WARNED(LOOSEN_SERVICE(BEST_EFFORT), NULL, REASON),
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
            REFUSED(403, DELETE_PROVIDER BY("keeper"), NULL, DATA "/@", OFFERS_GLASS),
            DO("annotate deployment provider" GLASS_OF("")),
            REFUSED(403, DELETE_PROVIDER BY("keeper"), NULL, "it gives no reason", OFFERS_GLASS),
            DO("annotate deployment provider" GLASS_OF("until=" KUBECTL_SOON)),
            REFUSED(403, DELETE_PROVIDER BY("keeper"), NULL, "it gives no reason", OFFERS_GLASS)),
    /* Also what was planted for somebody who has the right, and what lies in Git. */
    ROW("glass_without_an_expiry_or_with_another_does_not_break", GUARDED | SANITIZED, A_SERVICE,
            IT_IS_PROTECTED, DO("annotate deployment provider" GLASS_OF(REASON) BY("worker")),
            REFUSED(403, DELETE_PROVIDER BY("keeper"), NULL, "it has no expiry", OFFERS_GLASS),
            DO("annotate deployment provider" GLASS_OF("until=2026-01-01T00:00:00Z\t" REASON)
                            BY("worker")),
            REFUSED(403, DELETE_PROVIDER BY("keeper"), NULL,
                    "it expired at 2026-01-01T00:00:00Z. To go past it, run", OFFERS_GLASS),
            DO("annotate deployment provider" GLASS_OF("until=2999-01-01T00:00:00Z\t" REASON)
                            BY("worker")),
            REFUSED(403, DELETE_PROVIDER BY("keeper"), NULL,
                    "it expires at 2999-01-01T00:00:00Z, which is more than an hour ahead",
                    OFFERS_GLASS),
            { .run = GET_EVENTS("DeletionOverridden"), .lacks = "DeletionOverridden" },
            DO(BREAK("deployment provider")), WARNED(DELETE_PROVIDER BY("keeper"), NULL, REASON),
            GONE("get deployment provider")),
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
    ROW("who_lacks_the_right_does_not_loosen_a_critical_service", GUARDED | SANITIZED, A_SERVICE,
            IT_IS_PROTECTED,
            REFUSED(403, SET_SERVICE(BEST_EFFORT) BY("worker"), NULL, "cannot be loosened yet",
                    DATA "/@", "to the same request"),
            REFUSED(403, SET_SERVICE(OTHER_CRITERION) BY("worker"), NULL,
                    "would no longer demand that no coolresources"),
            REFUSED(403, LOOSEN_SERVICE(OTHER_CRITERION) BY("worker"), NULL,
                    "worker may not 'override' criticalservices.probate.dev @"),
            REFUSED(403, LOOSEN_SERVICE("'provider':{'name':'other'}") BY("worker"), NULL,
                    "spec.provider stays as it is", "worker may not 'override'"),
            UNTIL(GET_SERVICE("lastDenied"), "'user':'worker'", "'operation':'UPDATE'",
                    "criticalservices.probate.dev @"),
            UNTIL(GET_EVENTS("LooseningBlocked"), "Warning:LooseningBlocked:", "by worker was"),
            REFUSED(403, DELETE_PROVIDER BY("worker"), NULL, DATA "/@")),
    ROW("who_has_the_right_loosens_a_critical_service_and_says_why", GUARDED | SANITIZED, A_SERVICE,
            IT_IS_PROTECTED,
            REFUSED(403, SET_SERVICE(OTHER_CRITERION) BY("keeper"), NULL, "to the same request"),
            WARNED(LOOSEN_SERVICE(OTHER_CRITERION) BY("keeper") " --dry-run=server", NULL, REASON),
            DO(BREAK("criticalservice @") CLUSTER_WIDE BY("worker")),
            REFUSED(403, SET_SERVICE(OTHER_CRITERION) BY("keeper"), NULL,
                    "it was there before, and must be written with the change itself"),
            { .run = GET_EVENTS("LooseningOverridden"), .lacks = "LooseningOverridden" },
            DO("annotate criticalservice @ probate.dev/allow-delete-" CLUSTER_WIDE),
            WARNED(LOOSEN_SERVICE(OTHER_CRITERION) BY("keeper"), NULL,
                    "CriticalService @ is loosened on the word of keeper (probate.dev/allow-delete: "
                    "incident-17), although CriticalService @ demands that no coolresources"),
            UNTIL(GET_EVENTS("LooseningOverridden"),
                    "Warning:LooseningOverridden:", "on the word of keeper", REASON),
            DO(DELETE_PROVIDER BY("worker"))),
    ROW("who_tightens_a_critical_service_needs_no_right_to_override", GUARDED, A_SERVICE,
            IT_IS_PROTECTED,
            DO(SET_SERVICE("'criteria':[" GONE_IN("", "configmaps", DATA,
                    "none") "," THE_FINALIZER "," THE_FINALIZER "]") BY("worker")),
            DO("label criticalservice @ a=b" CLUSTER_WIDE BY("worker")),
            DO(SET_SERVICE("'deletionPolicy':'Strict'") BY("worker")),
            REFUSED(403, SET_SERVICE("'criteria':[" THE_FINALIZER "]") BY("worker"), NULL,
                    "configmaps " DATA "/none is gone)"),
            DO(LET_GO("@")), DO(SET_SERVICE(OTHER_CRITERION) BY("worker")),
            DO(SET_SERVICE(BEST_EFFORT) BY("worker"))),
    /* Whoever may take its finalizer off could as well let it go. */
    ROW("a_critical_service_that_goes_may_hold_less", GUARDED,
            A_PROVIDER COOL CRITICAL_WITH("'name':'@','finalizers':['example.dev/x']",
                    PROVIDER("@", "provider"),
                    THE_FINALIZER "," GONE_IN("", "configmaps", DATA, "none"),
                    ",'deletionPolicy':'BestEffort'"),
            IT_IS_PROTECTED, DO(DELETE_SERVICE BY("worker")),
            DO(SET_SERVICE("'criteria':[" THE_FINALIZER "]") BY("worker")),
            REFUSED(403, DELETE_PROVIDER BY("worker"), NULL, DATA "/@"),
            DO("patch criticalservice @" CLUSTER_WIDE
               " --type=merge -p {'metadata':{'finalizers':null}}" BY("worker")),
            GONE("get criticalservice @" CLUSTER_WIDE)),
};

const struct rows critical_rows_release = { rows, sizeof(rows) / sizeof(rows[0]) };
