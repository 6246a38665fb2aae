/* What if the provider is not there, goes, comes again, or does not run? */

#include "critical.h"

#define GET_UID "get deployment provider -o jsonpath={.metadata.uid}"

/* Nobody runs pods here: somebody has to say that one is ready. */
#define READY_POD                                                                                \
    "patch $ --subresource=status --type=merge -p {'status':{'phase':'Running','conditions':[{'" \
    "type':'Ready','status':'True'}]}}"

static const struct row rows[] = {
    ROW("nothing_is_held_for_a_provider_that_is_not_there", GUARDED, NAMESPACE COOL CRITICAL,
            UNTIL(GET_CONDITIONS, "Protected=False/ProviderAbsent",
                    "ProviderAlive=False/ProviderAbsent"),
            DO(DELETE_NAMESPACE), DO(DELETE_SERVICE)),
    ROW("a_provider_may_come_after_its_critical_service", GUARDED, NAMESPACE COOL CRITICAL,
            UNTIL(GET_CONDITIONS, "Protected=False/ProviderAbsent"),
            UNTIL("get namespace @ -o jsonpath={.metadata.labels}" CLUSTER_WIDE,
                    "'probate.dev/protected':'true'"),
            CREATED(DEPLOYMENT("provider")), IT_IS_PROTECTED,
            SHOWS("get namespace @ -o jsonpath={.metadata.labels}" CLUSTER_WIDE,
                    "'probate.dev/protected':'true'"),
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@"),
            REFUSED(403, DELETE_NAMESPACE, NULL, DATA "/@")),
    ROW("a_provider_that_is_being_deleted_may_be_deleted_again", GUARDED,
            NAMESPACE DEPLOYMENT_WITH("'name':'provider'," HOLD) CRITICAL, IT_IS_PROTECTED,
            DO(DELETE_PROVIDER), CREATED(COOL), DO(DELETE_PROVIDER),
            REFUSED(403, DELETE_SERVICE, NULL, "@/provider"),
            DO("patch deployment provider" RELEASE), GONE("get deployment provider"),
            DO(DELETE_SERVICE)),
    /* Its pods are going: to hold it would only keep the namespace from ending. */
    ROW("a_provider_goes_with_a_namespace_that_is_being_deleted", GUARDED, A_SERVICE,
            IT_IS_PROTECTED, DO(BREAK("namespace @") CLUSTER_WIDE),
            WARNED(DELETE_NAMESPACE, NULL, REASON), UNTIL_GONE("namespace/@" CLUSTER_WIDE),
            UNTIL(GET_CONDITIONS, "ProviderAlive=False/ProviderDead"),
            UNTIL(GET_EVENTS("ProviderDead"), "Warning:ProviderDead:", "without a controller",
                    DATA "/@"),
            DO(LET_GO("@")), DO(DELETE_SERVICE)),
    ROW("a_provider_that_is_created_anew_is_protected_like_the_one_before", GUARDED,
            A_PROVIDER CRITICAL, IT_IS_PROTECTED,
            { .run = GET_SERVICE("providerUID"), .with = GET_UID, .says = { "$" }, .until = true },
            DO(DELETE_PROVIDER), UNTIL_GONE("deployment/provider"),
            CREATED(DEPLOYMENT("provider") COOL),
            { .run = GET_SERVICE("providerUID"), .with = GET_UID, .says = { "$" }, .until = true },
            UNTIL(GET_EVENTS("ProviderReplaced"), "Warning:ProviderReplaced:"), IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@")),
    ROW("a_provider_that_does_not_run_is_told_of_while_something_waits_for_it", GUARDED, A_SERVICE,
            IT_IS_PROTECTED, DO("delete coolresource @ --wait=false --namespace=" DATA),
            UNTIL(GET_CONDITIONS, "ProviderAlive=False/ProviderDead"),
            UNTIL(GET_EVENTS("ProviderDead"), "Warning:ProviderDead:")),
    ROW("a_provider_that_runs_is_alive_whatever_waits_for_it", GUARDED,
            NAMESPACE DEPLOYMENT_IN("@", "'name':'provider'", "1") COOL CRITICAL, IT_IS_PROTECTED,
            { .run = READY_POD, .with = "get pods -o name", .until = true },
            DO("delete coolresource @ --wait=false --namespace=" DATA),
            UNTIL(GET_CONDITIONS, "ProviderAlive=True/Ready"),
            REFUSED(403, DELETE_PROVIDER, NULL, "being deleted for ")),
    ROW("a_provider_may_be_named_by_its_kind", GUARDED, A_PROVIDER COOL,
            CREATED(CRITICAL_OF("@",
                    "'provider':{'group':'apps','resource':'Deployment','namespace':'@','name':"
                    "'provider'}",
                    THE_FINALIZER)),
            IT_IS_PROTECTED, REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@"),
            REFUSED(403, DELETE_SERVICE, NULL, "@/provider")),
    ROW("another_provider_cannot_be_named_while_the_first_is_there", GUARDED,
            A_SERVICE DEPLOYMENT("second"), IT_IS_PROTECTED,
            REFUSED(403, SET_SERVICE("'provider':{'name':'second'}"), NULL, "spec.provider",
                    "@/provider"),
            DO(SET_SERVICE(PROVIDER("@", "provider"))), DO(LET_GO("@")), DO(DELETE_PROVIDER),
            DO(SET_SERVICE("'provider':{'name':'second'}")),
            CREATED(COOL_OF("@-2", "example.dev/@")), IT_IS_PROTECTED,
            REFUSED(403, "delete deployment second", NULL, DATA "/@-2")),
};

const struct rows critical_rows_provider = { rows, sizeof(rows) / sizeof(rows[0]) };
