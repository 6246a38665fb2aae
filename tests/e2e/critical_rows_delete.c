/* When may a provider go, and its namespace? */

#include "critical.h"

#define OTHER_FINALIZER FINALIZER_OF("my.crd.group", "coolresources", "example.dev/@-2")

#define SIX                         \
    COOL_OF("@-1", "example.dev/@") \
    COOL_OF("@-2", "example.dev/@") \
    COOL_OF("@-3", "example.dev/@") \
    COOL_OF("@-4", "example.dev/@") COOL_OF("@-5", "example.dev/@") COOL_OF("@-6", "example.dev/@")

#define HELD_CONFIGMAP OBJECT("v1", "ConfigMap", "'namespace':'" DATA "','name':'@'," HOLD, "")
#define CONFIGMAP_GONE GONE_IN("", "configmaps", DATA, "@")

/* Two providers in one namespace, each with a CriticalService and a CoolResource of its own. */
#define TWO_PROVIDERS                                                \
    A_SERVICE DEPLOYMENT("second") COOL_OF("@-2", "example.dev/@-2") \
            CRITICAL_OF("@-2", PROVIDER("@", "second"), OTHER_FINALIZER)

/* Two CriticalServices for one provider. */
#define TWO_GUARDS                              \
    A_SERVICE COOL_OF("@-2", "example.dev/@-2") \
            CRITICAL_OF("@-2", PROVIDER("@", "provider"), OTHER_FINALIZER)

#define BOTH_ARE_PROTECTED                                \
    WAIT_FOR("condition=Protected", "criticalservice/@"), \
            WAIT_FOR("condition=Protected", "criticalservice/@-2")

/* kubectl itself warns. */
#define BY_FORCE(command)                                                                          \
    {                                                                                              \
        .run = command " --grace-period=0 --force", .code = 403, .warns = 1, .says = { DATA "/@" } \
    }

static const struct row rows[] = {
    ROW("a_provider_stays_while_objects_have_its_finalizer", GUARDED | SANITIZED, A_SERVICE,
            IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL,
                    "Deployment @/provider cannot be deleted yet: CriticalService @ demands that "
                    "no coolresources.my.crd.group has the finalizer example.dev/@, but " DATA
                    "/@ (not being deleted) has it"),
            DO(LET_GO("@")), DO(DELETE_PROVIDER), GONE("get deployment provider")),
    ROW("a_namespace_stays_while_its_provider_must", GUARDED | SANITIZED, A_SERVICE,
            IT_IS_PROTECTED,
            REFUSED(403, "delete ns @" CLUSTER_WIDE, NULL, "Namespace @", "CriticalService @",
                    DATA "/@", "example.dev/@"),
            DO("get deployment provider"), DO(LET_GO("@")), DO("delete ns @" CLUSTER_WIDE),
            GONE("get namespace @" CLUSTER_WIDE), DO(DELETE_SERVICE)),
    ROW("objects_that_nobody_has_deleted_yet_count_too", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@ (not being deleted)"),
            DO("delete coolresource @ --wait=false --namespace=" DATA),
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@ (being deleted for ")),
    ROW("another_finalizer_does_not_count", GUARDED,
            A_PROVIDER COOL_OF("@", "example.dev/@-other") CRITICAL, IT_IS_PROTECTED,
            DO(DELETE_PROVIDER), GONE("get deployment provider")),
    ROW("five_are_named_and_more_are_told_of", GUARDED, A_PROVIDER SIX CRITICAL, IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@-1", DATA "/@-5", "and more")),
    ROW("a_specific_object_must_be_gone", GUARDED,
            A_PROVIDER CONFIGMAP("@") CRITICAL_FOR(CONFIGMAP_GONE), IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL, "configmaps " DATA "/@"),
            DO("delete configmap @ --namespace=" DATA), DO(DELETE_PROVIDER),
            GONE("get deployment provider")),
    ROW("a_specific_object_that_is_being_deleted_is_not_gone", GUARDED,
            A_PROVIDER HELD_CONFIGMAP CRITICAL_FOR(CONFIGMAP_GONE), IT_IS_PROTECTED,
            DO("delete configmap @ --wait=false --namespace=" DATA),
            REFUSED(403, DELETE_PROVIDER, NULL, "configmaps " DATA "/@", "being deleted for "),
            DO("patch configmap @ --namespace=" DATA RELEASE), DO(DELETE_PROVIDER)),
    ROW("every_criterion_that_does_not_hold_is_named", GUARDED,
            A_PROVIDER COOL CONFIGMAP("@") CRITICAL_FOR(THE_FINALIZER "," CONFIGMAP_GONE),
            IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL, "coolresources.my.crd.group", "example.dev/@",
                    "configmaps " DATA "/@"),
            DO(LET_GO("@")),
            { .run = DELETE_PROVIDER,
                    .code = 403,
                    .says = { "configmaps " DATA "/@" },
                    .lacks = "coolresources" },
            DO("delete configmap @ --namespace=" DATA), DO(DELETE_PROVIDER)),
    ROW("a_provider_with_two_guards_needs_both", GUARDED, TWO_GUARDS, BOTH_ARE_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL, "CriticalService @ demands",
                    "CriticalService @-2 demands"),
            DO(LET_GO("@")), REFUSED(403, DELETE_PROVIDER, NULL, "CriticalService @-2 demands"),
            DO(LET_GO("@-2")), DO(DELETE_PROVIDER)),
    ROW("a_namespace_with_two_providers_waits_for_both", GUARDED, TWO_PROVIDERS, BOTH_ARE_PROTECTED,
            REFUSED(403, DELETE_NAMESPACE, NULL, "example.dev/@", "example.dev/@-2"),
            DO(LET_GO("@")), DO(DELETE_PROVIDER),
            REFUSED(403, DELETE_NAMESPACE, NULL,
                    "CriticalService @-2, which protects Deployment @/second in it, demands",
                    "example.dev/@-2"),
            DO(LET_GO("@-2")), DO(DELETE_NAMESPACE)),
    ROW("however_it_is_deleted_the_answer_is_the_same", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER " --cascade=foreground", NULL, DATA "/@"),
            REFUSED(403, DELETE_PROVIDER " --cascade=orphan", NULL, DATA "/@"),
            BY_FORCE(DELETE_PROVIDER), BY_FORCE(DELETE_NAMESPACE),
            REFUSED(403, "delete deployments --all --wait=false", NULL, DATA "/@"),
            REFUSED(403, "replace --force", DEPLOYMENT("provider"), DATA "/@"),
            DO("get deployment provider")),
    ROW("what_nobody_guards_is_deleted", GUARDED,
            A_SERVICE DEPLOYMENT("free") NAMESPACE_OF("@-free"), IT_IS_PROTECTED,
            SHOWS("delete deployment free", "'free' deleted"),
            DO("delete namespace @-free --wait=false" CLUSTER_WIDE)),
    ROW("a_critical_service_stays_while_its_provider_is_there", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            REFUSED(403, DELETE_SERVICE, NULL, "CriticalService @", "@/provider", "BestEffort"),
            DO(LET_GO("@")), REFUSED(403, DELETE_SERVICE, NULL, "@/provider"), DO(DELETE_PROVIDER),
            DO(DELETE_SERVICE), GONE("get criticalservice @" CLUSTER_WIDE)),
    /* What the second one leaves behind is written after what the first one would have left. */
    ROW("a_dry_run_is_refused_alike_and_leaves_no_trace", GUARDED | SANITIZED, TWO_PROVIDERS,
            BOTH_ARE_PROTECTED, REFUSED(403, DELETE_PROVIDER " --dry-run=server", NULL, DATA "/@"),
            REFUSED(403, DELETE_SERVICE " --dry-run=server", NULL, "@/provider"),
            REFUSED(403, "delete deployment second --wait=false", NULL, DATA "/@-2"),
            UNTIL("get criticalservice @-2 -o jsonpath={.status.lastDenied}" CLUSTER_WIDE, "admin"),
            UNTIL(GET_EVENTS_OF("DeletionBlocked", "CriticalService", "default", "@-2"), "Warning"),
            { .run = GET_SERVICE("lastDenied"), .lacks = "time" },
            { .run = GET_EVENTS("DeletionBlocked"), .lacks = "DeletionBlocked" }, DO(LET_GO("@")),
            SHOWS(DELETE_PROVIDER " --dry-run=server", "(server dry run)"),
            DO("get deployment provider")),
};

const struct rows critical_rows_delete = { rows, sizeof(rows) / sizeof(rows[0]) };
