/* What if nobody asks Probate, or it does not answer? */

#include "critical.h"

#define OF_THE_DEAD LABELS("'phase':'dead'")
#define DEAD_SERVICE               \
    A_PROVIDER COOL CRITICAL_WITH( \
            "'name':'@'," OF_THE_DEAD, PROVIDER("@", "provider"), THE_FINALIZER, "")

/* A group that the API server knows of, and a service behind it that is not there. */
#define NOBODYS_GROUP                                                                         \
    OBJECT("apiregistration.k8s.io/v1", "APIService", "'name':'v1.dead.example.dev'",         \
            ",'spec':{'group':'dead.example.dev','version':'v1','groupPriorityMinimum':1000," \
            "'versionPriority':10,'insecureSkipTLSVerify':true,'service':{'namespace':"       \
            "'default','name':'nobody'}}")
#define GHOSTS FINALIZER_OF("dead.example.dev", "ghosts", "example.dev/@")
#define A_GHOST GONE_IN("dead.example.dev", "ghosts", DATA, "@")

/* kubectl repeats a 503, but for what it sends as it is. */
#define RAW(name) "delete --raw /apis/apps/v1/namespaces/@/deployments/" name
#define RAW_NAMESPACE "delete --raw /api/v1/namespaces/@"

/* A definition serves a version, or none. */
#define SERVE(crd, served)                                                        \
    DO("patch crd " crd CLUSTER_WIDE " --type=json -p [{'op':'replace','path':'/" \
       "spec/versions/0/served','value':" served "}]")
#define LAMP                                                   \
    OBJECT("unserved.example.dev/v1", "Lamp",                  \
            "'namespace':'" DATA "','name':'@','finalizers':[" \
            "'example.dev/@']",                                \
            "")
#define LAMPS FINALIZER_OF("unserved.example.dev", "lamps", "example.dev/@")
#define A_LAMP GONE_IN("unserved.example.dev", "Lmp", DATA, "@")
#define LAMPS_DEFINED                                                                          \
    "CustomResourceDefinition lamps.unserved.example.dev has it, but the API server does not " \
    "serve it now"

/* In the schema of a definition: a member of spec, or its way back. */
#define OF_SPEC "/spec/versions/0/schema/openAPIV3Schema/properties/spec/"
#define CHANGE_SCHEMA(operations) \
    DO("patch crd criticalservices.probate.dev" CLUSTER_WIDE " --type=json -p [" operations "]")
#define HIDE_CRITERIA                                                                          \
    CHANGE_SCHEMA("{'op':'remove','path':'" OF_SPEC "required'},{'op':'move','from':'" OF_SPEC \
                  "properties/criteria','path':'" OF_SPEC "properties/hidden'}")
#define SHOW_CRITERIA                                                                        \
    CHANGE_SCHEMA("{'op':'add','path':'" OF_SPEC                                             \
                  "required','value':['provider','criteria']},{'op':'move','from':'" OF_SPEC \
                  "properties/hidden','path':'" OF_SPEC "properties/criteria'}")
#define GET_CRITERIA \
    "get criticalservice @" CLUSTER_WIDE " -o jsonpath=criteria:{.spec.criteria[*].type}."

static const struct row rows[] = {
    ROW("a_protection_that_is_not_registered_says_so", UNGUARDED | SANITIZED, A_SERVICE,
            UNTIL(GET_CONDITIONS, "Protected=False/ProtectionMissing", "DeletionAllowed=False"),
            DO(DELETE_PROVIDER)),
    ROW("a_registration_that_no_longer_has_the_rule_is_missed", UNREGISTERED | SANITIZED, A_SERVICE,
            UNTIL(GET_CONDITIONS, "Protected=False/ProtectionMissing"),
            UNTIL(GET_EVENTS("ProtectionMissing"), "Warning:ProtectionMissing:")),
    ROW("a_group_that_nobody_answers_for_is_not_gone", HALF_SERVED,
            NOBODYS_GROUP A_PROVIDER DEPLOYMENT("second") CRITICAL_FOR(GHOSTS)
                    CRITICAL_OF("@-2", PROVIDER("@", "second"), A_GHOST),
            UNTIL(GET_SERVICE("criteria[0].state"), "Unknown"),
            UNTIL(GET_CONDITIONS, "DeletionAllowed=Unknown/CriteriaUnknown"),
            REFUSED(503, RAW("provider"), NULL, "ghosts.dead.example.dev"),
            REFUSED(503, RAW("second"), NULL, "ghosts.dead.example.dev"),
            REFUSED(503, RAW_NAMESPACE, NULL, "ghosts.dead.example.dev"),
            DO("get deployment provider second"),
            DO("delete apiservice v1.dead.example.dev" CLUSTER_WIDE),
            /* Now it is. */
            UNTIL(RAW("provider"), "Success"), UNTIL(RAW("second"), "Success")),
    ROW("what_is_not_served_is_not_gone_while_a_definition_has_it", HALF_SERVED,
            A_PROVIDER DEPLOYMENT("second") LAMP CRITICAL_FOR(LAMPS)
                    CRITICAL_OF("@-2", PROVIDER("@", "second"), A_LAMP),
            IT_IS_PROTECTED, REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@"),
            SERVE("lamps.unserved.example.dev", "false"),
            UNTIL_REFUSED(503, RAW("provider"), LAMPS_DEFINED),
            UNTIL_REFUSED(503, RAW("second"), LAMPS_DEFINED),
            UNTIL_REFUSED(503, RAW_NAMESPACE, LAMPS_DEFINED),
            UNTIL(GET_SERVICE("criteria[0].state"), "Unknown"),
            UNTIL(GET_SERVICE("criteria[0].message"), LAMPS_DEFINED),
            SERVE("lamps.unserved.example.dev", "true"),
            UNTIL_REFUSED(403, DELETE_PROVIDER, DATA "/@"),
            DO("patch lamp @ --namespace=" DATA RELEASE), DO(DELETE_PROVIDER)),
    ROW("critical_services_that_are_not_served_are_not_gone", UNSERVED,
            A_SERVICE NAMESPACE_OF("@-free"), IT_IS_PROTECTED,
            SERVE("criticalservices.probate.dev", "false"),
            UNTIL_REFUSED(503, RAW("provider"),
                    "CustomResourceDefinition criticalservices.probate.dev "
                    "has it, but the API server does not serve it now"),
            UNTIL_REFUSED(503, RAW_NAMESPACE, "criticalservices.probate.dev"),
            DO("delete namespace @-free --wait=false" CLUSTER_WIDE),
            SERVE("criticalservices.probate.dev", "true"),
            UNTIL("get criticalservice @ -o name" CLUSTER_WIDE, "@"),
            UNTIL_REFUSED(403, DELETE_PROVIDER, DATA "/@")),
    /* A write of any kind would store it without its criteria. */
    ROW("a_critical_service_whose_criteria_are_not_shown_is_not_written", CUT, A_SERVICE,
            IT_IS_PROTECTED, HIDE_CRITERIA, UNTIL(GET_CRITERIA, "criteria:."),
            UNTIL(GET_EVENTS("SpecIncomplete"), "Warning:SpecIncomplete:spec lacks members"),
            UNTIL_REFUSED(403, DELETE_PROVIDER, "@"),
            UNTIL(GET_EVENTS("DeletionBlocked"), "Warning:DeletionBlocked:"), SHOW_CRITERIA,
            UNTIL(GET_CRITERIA, "criteria:Finalizer."),
            UNTIL_REFUSED(403, DELETE_PROVIDER, DATA "/@"),
            DO("patch coolresource @ --namespace=" DATA RELEASE),
            UNTIL(DELETE_PROVIDER, "deleted")),
    ROW("what_is_protected_stays_while_probate_is_dead", DEAD | SANITIZED, DEAD_SERVICE,
            REFUSED(500, DELETE_PROVIDER, NULL,
                    "failed calling webhook 'critical-service-delete.probate.dev'"),
            REFUSED(500, DELETE_NAMESPACE, NULL, "critical-service-namespace.probate.dev"),
            REFUSED(500, DELETE_SERVICE, NULL, "critical-service.probate.dev"),
            DO("get deployment provider")),
    ROW("a_provider_is_repaired_while_probate_is_dead", DEAD, DEAD_SERVICE,
            DO("scale deployment provider --replicas=1"),
            DO("set image deployment/provider c=mended"), DO("label namespace @ a=b" CLUSTER_WIDE)),
    ROW("what_nobody_guards_is_deleted_while_probate_is_dead", DEAD | SANITIZED,
            DEAD_SERVICE DEPLOYMENT("free") NAMESPACE_OF("@-free")
                    DEPLOYMENT_IN("@-free", "'name':'free'", "0"),
            DO("delete deployment free --namespace=@-free"),
            DO("delete namespace @-free --wait=false" CLUSTER_WIDE),
            /* What is beside a provider is held up with it. */
            REFUSED(500, "delete deployment free", NULL, "critical-service-delete.probate.dev")),
    ROW("no_critical_service_is_written_while_probate_is_dead", DEAD, A_PROVIDER,
            REFUSED(500, "create", CRITICAL,
                    "failed calling webhook 'critical-service.probate.dev'")),
};

const struct rows critical_rows_trouble = { rows, sizeof(rows) / sizeof(rows[0]) };
