/* Which resource does a criterion mean, and is it there? */

#include "critical.h"

/* The kind under another of its names. */
#define SPELLED(name_, in_, word)                                                        \
    ROW(name_, in_, A_PROVIDER COOL CRITICAL_FOR(FINALIZER(word)), IT_IS_PROTECTED,      \
            SHOWS(GET_SERVICE("criteria[0].resource"), "coolresources.v1.my.crd.group"), \
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@", "example.dev/@"),             \
            SEND("create --dry-run=server",                                              \
                    CRITICAL_OF("@-2", PROVIDER("@", "provider"), FINALIZER(word))),     \
            DO(LET_GO("@")), DO(DELETE_PROVIDER))

#define THING                                                      \
    OBJECT("design.example.dev/v1", "Thing",                       \
            "'namespace':'" DATA "','name':'some-instance',"       \
            "'finalizers':['design.example.dev/super-important']", \
            "")
#define DESIGN                                                                         \
    FINALIZER_OF("design.example.dev", "things", "design.example.dev/super-important") \
    "," GONE_WIDE("apiextensions.k8s.io", "CustomResourceDefinition", "things.design.example.dev")

#define GADGET                                                 \
    OBJECT("gone.example.dev/v1", "Gadget",                    \
            "'namespace':'" DATA "','name':'@','finalizers':[" \
            "'example.dev/@']",                                \
            "")
#define GADGETS FINALIZER_OF("gone.example.dev", "Gadget", "example.dev/@")

/* A kind that is installed last. */
#define WIDGETS FINALIZER_OF("late.example.dev", "widgets", "example.dev/@")
#define WIDGET_CRD \
    CRD_OF("late.example.dev", "widgets", CRD_NAMES("widgets", "widget", "Widget", "wid"))
#define WIDGET                                                 \
    OBJECT("late.example.dev/v1", "Widget",                    \
            "'namespace':'" DATA "','name':'@','finalizers':[" \
            "'example.dev/@']",                                \
            "")

#define NOT_SPELLED FINALIZER("colresources")

/* Of the last of 201 versions of its group, in the first of which another kind has this name. */
#define BEAM                                                   \
    OBJECT("many.example.dev/v1", "Beam",                      \
            "'namespace':'" DATA "','name':'@','finalizers':[" \
            "'example.dev/@']",                                \
            "")
#define BEAMS FINALIZER_OF("many.example.dev", "beams", "example.dev/@")

static const struct row rows[] = {
    SPELLED("a_resource_may_be_given_as_its_kind", GUARDED, "CoolResource"),
    SPELLED("a_resource_may_be_given_in_the_singular", GUARDED, "coolresource"),
    SPELLED("a_resource_may_be_given_by_its_short_name", GUARDED, "cool"),
    SPELLED("a_resource_may_be_given_in_any_case", GUARDED, "COOLRESOURCES"),
    ROW("the_example_of_the_design_goes_in_its_order", GUARDED | SANITIZED,
            A_PROVIDER THING CRITICAL_FOR(DESIGN), IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL, "design.example.dev/super-important",
                    DATA "/some-instance",
                    "CustomResourceDefinition.apiextensions.k8s.io things.design.example.dev is "
                    "gone, but it is still there"),
            DO("delete crd things.design.example.dev --wait=false" CLUSTER_WIDE),
            REFUSED(403, DELETE_NAMESPACE, NULL, "being deleted for"),
            DO("patch thing some-instance --namespace=" DATA RELEASE),
            WAIT_FOR("delete", "crd/things.design.example.dev"), DO(DELETE_PROVIDER),
            DO(DELETE_NAMESPACE), DO(DELETE_SERVICE)),
    ROW("a_namespaced_resource_needs_a_namespace", GUARDED, A_PROVIDER,
            INVALID("spec.criteria[0].specificResource.namespace", "create",
                    CRITICAL_FOR(GONE_WIDE("", "configmaps", "@")), "namespace")),
    ROW("a_resource_without_namespaces_has_none", GUARDED, A_PROVIDER,
            INVALID("spec.criteria[0].specificResource.namespace", "create",
                    CRITICAL_FOR(GONE_IN("apiextensions.k8s.io", "crd", DATA, "x.y")),
                    "namespace")),
    /* A GET at the wrong place finds nothing, which is not the same as gone. */
    ROW("a_criterion_of_the_wrong_scope_that_is_stored_holds_its_provider", GUARDED,
            A_PROVIDER CRITICAL_FOR(GONE_WIDE("", "configmaps", "@")),
            UNTIL(GET_SERVICE("criteria[0].state"), "Unknown"),
            REFUSED(403, DELETE_PROVIDER, NULL, "configmaps"),
            UNTIL(GET_CONDITIONS, "DeletionAllowed=Unknown/CriteriaUnknown"),
            { .run = "label criticalservice @ a=b" CLUSTER_WIDE },
            WARNED(LOOSEN_SERVICE("'criteria':[" GONE_IN("", "configmaps", DATA, "@") "]"), NULL,
                    REASON),
            DO(DELETE_PROVIDER)),
    ROW("a_resource_that_is_misspelt_is_told_of", GUARDED, A_PROVIDER COOL,
            WARNED("create", CRITICAL_FOR(NOT_SPELLED), "colresources.my.crd.group"),
            UNTIL(GET_CONDITIONS, "Protected=False/CriterionNeverResolved",
                    "colresources.my.crd.group"),
            DO(DELETE_PROVIDER)),
    ROW("a_definition_may_come_after_its_critical_service", GUARDED, A_PROVIDER,
            WARNED("create", CRITICAL_FOR(WIDGETS), "widgets.late.example.dev"),
            UNTIL(GET_CONDITIONS, "Protected=False/CriterionNeverResolved"), CREATED(WIDGET_CRD),
            WAIT_FOR("condition=Established", "crd/widgets.late.example.dev"),
            { .run = "create", .input = WIDGET, .until = true }, IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@"),
            UNTIL(GET_SERVICE("blockedBy"), "widgets.late.example.dev " DATA "/@"),
            DO("patch widget @ --namespace=" DATA RELEASE), DO(DELETE_PROVIDER)),
    ROW("a_resource_is_found_in_the_last_of_many_versions", GUARDED,
            A_PROVIDER BEAM CRITICAL_FOR(BEAMS), IT_IS_PROTECTED,
            SHOWS(GET_SERVICE("criteria[0].resource"), "beams.v1.many.example.dev"),
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@", "example.dev/@"),
            DO("patch beam @ --namespace=" DATA RELEASE), DO(DELETE_PROVIDER)),
    ROW("what_is_of_a_definition_that_is_gone_is_gone", GUARDED,
            A_PROVIDER GADGET CRITICAL_FOR(GADGETS), IT_IS_PROTECTED,
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@"),
            DO("delete crd gadgets.gone.example.dev --wait=false" CLUSTER_WIDE),
            /* Its objects are deleted by and by. */
            { .run = DELETE_PROVIDER,
                    .code = 403,
                    .says = { DATA "/@ (being deleted for" },
                    .until = true },
            DO("patch gadget @ --namespace=" DATA RELEASE),
            WAIT_FOR("delete", "crd/gadgets.gone.example.dev"),
            { .run = GET_CONDITIONS,
                    .says = { "Protected=True/", "DeletionAllowed=True/CriteriaMet" },
                    .until = true },
            DO(DELETE_PROVIDER)),
};

const struct rows critical_rows_resource = { rows, sizeof(rows) / sizeof(rows[0]) };
