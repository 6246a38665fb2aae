/* Can CriticalServices wait for each other? */

#include "critical.h"

/* A Deployment "p" in a namespace of its own. */
#define PROVIDER_GONE(name) GONE_IN("apps", "Deployment", "@-" name, "p")
#define RING_PROVIDER(name) NAMESPACE_OF("@-" name) DEPLOYMENT_IN("@-" name, "'name':'p'", "0")
#define GUARD(name, criteria) CRITICAL_OF("@-" name, PROVIDER("@-" name, "p"), criteria)

/* Each waits for the provider of the next. */
#define A_WAITS_FOR_B GUARD("a", PROVIDER_GONE("b"))
#define B_WAITS_FOR_A GUARD("b", PROVIDER_GONE("a"))
#define B_WAITS_FOR_C GUARD("b", PROVIDER_GONE("c"))
#define C_WAITS_FOR_A GUARD("c", PROVIDER_GONE("a"))

#define WAITS(name, other) \
    "@-" name " waits for deployments.apps @-" other "/p to be gone, which @-" other " protects"

#define CONDITIONS_OF(name)                                                            \
    "get criticalservice @-" name CLUSTER_WIDE                                         \
    " -o go-template={{range.status.conditions}}{{.type}}={{.status}}/{{.reason}}:{{." \
    "message}};{{end}}"
#define IN_A_RING(name, ...) UNTIL(CONDITIONS_OF(name), "Deadlock=True/Cycle", __VA_ARGS__)

#define SET(name, spec) \
    "patch criticalservice @-" name " --type=merge -p {'spec':{" spec "}}" CLUSTER_WIDE

static const struct row rows[] = {
    ROW("a_criterion_cannot_name_its_own_provider", GUARDED, A_PROVIDER,
            { .run = "create",
                    .input = CRITICAL_FOR(GONE_IN("apps", "deploy", "@", "provider")),
                    .code = 422,
                    .fields = "spec.criteria",
                    .says = { "@ waits for deployments.apps @/provider to be gone, which @ "
                              "protects" },
                    /* That it is in the namespace of the provider. */
                    .warns = 1 },
            GONE("get criticalservice @" CLUSTER_WIDE)),
    ROW("a_criterion_cannot_name_the_namespace_of_its_provider", GUARDED, A_PROVIDER,
            INVALID("spec.criteria", "create",
                    CRITICAL_FOR(THE_FINALIZER "," GONE_WIDE("", "ns", "@")),
                    "@ waits for namespaces @ to be gone, which @ protects")),
    ROW("a_criterion_cannot_name_its_own_critical_service", GUARDED, A_PROVIDER,
            INVALID("spec.criteria", "create", CRITICAL_FOR(GONE_WIDE("probate.dev", "crit", "@")),
                    "@ waits for criticalservices.probate.dev @ to be gone")),
    ROW("two_cannot_wait_for_each_other", GUARDED, A_WAITS_FOR_B,
            INVALID("spec.criteria", "create", B_WAITS_FOR_A, WAITS("a", "b"), WAITS("b", "a")),
            SEND("create", GUARD("b", THE_FINALIZER)),
            INVALID("spec.criteria",
                    SET("b", "'criteria':[" THE_FINALIZER "," PROVIDER_GONE("a") "]"), NULL,
                    WAITS("a", "b"), WAITS("b", "a")),
            DO(SET("b", "'deletionPolicy':'BestEffort'"))),
    ROW("three_cannot_wait_for_each_other", GUARDED, A_WAITS_FOR_B B_WAITS_FOR_C,
            INVALID("spec.criteria", "create", C_WAITS_FOR_A, WAITS("a", "b"), WAITS("b", "c"),
                    WAITS("c", "a")),
            INVALID("spec.criteria", "create",
                    GUARD("c", GONE_WIDE("probate.dev", "criticalservices", "@-a")),
                    WAITS("a", "b"), WAITS("b", "c"),
                    "@-c waits for criticalservices.probate.dev @-a to be gone"),
            INVALID("spec.criteria", "create --dry-run=server", C_WAITS_FOR_A, WAITS("c", "a")),
            SEND("create", GUARD("c", THE_FINALIZER))),
    ROW("two_that_got_past_probate_are_both_told_of", GUARDED | SANITIZED,
            RING_PROVIDER("a") RING_PROVIDER("b") A_WAITS_FOR_B B_WAITS_FOR_A,
            IN_A_RING("a", WAITS("a", "b"), WAITS("b", "a")),
            IN_A_RING("b", WAITS("a", "b"), WAITS("b", "a")),
            UNTIL(GET_EVENTS_OF("Deadlock", "CriticalService", "default", "@-a"),
                    "Warning:Deadlock:"),
            REFUSED(403, "delete deployment p --wait=false --namespace=@-a", NULL,
                    "Deployment.apps @-b/p is gone, but it is still there"),
            DO("label criticalservice @-a a=b" CLUSTER_WIDE),
            WARNED(SET("a", "'criteria':[" PROVIDER_GONE("b") "," THE_FINALIZER "]"), NULL,
                    WAITS("a", "b")),
            REFUSED(403, SET("a", "'criteria':[" THE_FINALIZER "]"), NULL,
                    "cannot be loosened yet"),
            WARNED(LOOSEN("@-a", "'criteria':[" THE_FINALIZER "]"), NULL, REASON),
            UNTIL(CONDITIONS_OF("a"), "Deadlock=False/NoCycle"),
            UNTIL(CONDITIONS_OF("b"), "Deadlock=False/NoCycle"),
            DO("delete deployment p --namespace=@-a"), DO("delete deployment p --namespace=@-b")),
    ROW("three_that_got_past_probate_are_all_told_of", GUARDED,
            A_WAITS_FOR_B B_WAITS_FOR_C C_WAITS_FOR_A,
            IN_A_RING("a", WAITS("a", "b"), WAITS("b", "c"), WAITS("c", "a")),
            IN_A_RING("b", WAITS("a", "b"), WAITS("b", "c"), WAITS("c", "a")),
            IN_A_RING("c", WAITS("a", "b"), WAITS("b", "c"), WAITS("c", "a")),
            DO("delete criticalservice @-c" CLUSTER_WIDE),
            UNTIL(CONDITIONS_OF("a"), "Deadlock=False/NoCycle")),
    ROW("one_that_waits_for_itself_and_got_past_probate_is_told_of", GUARDED,
            A_PROVIDER CRITICAL_FOR(GONE_IN("apps", "deploy", "@", "provider")),
            UNTIL(GET_CONDITIONS, "Deadlock=True/Cycle", "@ waits for deployments.apps @/provider"),
            REFUSED(403, DELETE_PROVIDER, NULL, "deploy.apps @/provider is gone, but it is still"),
            WARNED(LOOSEN_SERVICE("'deletionPolicy':'BestEffort'"), NULL, REASON),
            DO(DELETE_SERVICE), UNTIL(DELETE_PROVIDER, "deleted")),
    ROW("a_chain_is_no_ring", GUARDED, A_WAITS_FOR_B, SEND("create", B_WAITS_FOR_C),
            SEND("create", GUARD("c", THE_FINALIZER)),
            UNTIL(CONDITIONS_OF("a"), "Deadlock=False/NoCycle")),
};

const struct rows critical_rows_deadlock = { rows, sizeof(rows) / sizeof(rows[0]) };
