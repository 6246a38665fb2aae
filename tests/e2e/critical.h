#ifndef TESTS_E2E_CRITICAL_H
#define TESTS_E2E_CRITICAL_H

/*
 * CriticalServices end to end: the phases, the rows by what they are about, and the objects they
 * are made of. "@" is the name of the row: of its namespace, of its CriticalService, and of the
 * CoolResource that stands in the way.
 */

#include "manifests.h"
#include "phases.h"
#include "row.h"

enum critical_phase {
    UNGUARDED = 1 << 0,    /* Probate runs, and nobody asks it */
    GUARDED = 1 << 1,      /* as it is meant to be; what is given came without Probate */
    HALF_SERVED = 1 << 2,  /* an API group is registered, and nobody answers for it */
    UNSERVED = 1 << 3,     /* CriticalServices are not served for a while: one row alone */
    CUT = 1 << 4,          /* their schema lacks something for a while: one row alone */
    UNREGISTERED = 1 << 5, /* registered for another rule only */
    LOADED = 1 << 6,       /* 5,000 objects of the guarded resource */
    DEAD = 1 << 7,         /* registered, and gone */
};

#define CRITICAL_PHASE_COUNT 8
extern const struct plan critical_phases[CRITICAL_PHASE_COUNT];

extern const struct rows critical_rows_delete;   /* providers, their namespaces, and what holds */
extern const struct rows critical_rows_resource; /* which resource is meant, and is it there? */
extern const struct rows critical_rows_provider; /* absent, going, replaced, dead */
extern const struct rows critical_rows_deadlock;
extern const struct rows critical_rows_release; /* BestEffort and break-glass */
extern const struct rows critical_rows_label;   /* the label cannot be stripped */
extern const struct rows critical_rows_machine; /* collections, garbage, namespaces that go */
extern const struct rows critical_rows_write;   /* CriticalServices that are in order, or not */
extern const struct rows critical_rows_status;  /* what a person reads */
extern const struct rows critical_rows_trouble; /* unregistered, or dead */

/* The definitions, the kinds and the people of the rows. */
bool critical_define(struct bench *bench);

/* The kinds that criteria name: Probate gets the right to read these, and no others. */
extern const char critical_criteria[];

/* Of phase GUARDED: what two clients do in the same moment, what becomes of deletions while others
 * hold all connections, and what Probate notes in its log and its metrics. */
void run_critical_moment_tests(struct bench *bench);
void run_critical_held_tests(struct bench *bench);
void run_critical_notes_tests(struct bench *bench);

void run_critical_size_tests(struct bench *bench); /* fat and deep objects */

/* Of phase LOADED. */
void run_critical_load_tests(struct bench *bench);

/* ---- objects ---- */

/* Where all CoolResources are. */
#define DATA "team-a"

#define CRD_NAMES(plural, singular, kind, short)                                               \
    "'names':{'plural':'" plural "','singular':'" singular "','kind':'" kind "','shortNames':" \
    "['" short "']}"
#define CRD_VERSION                                                                  \
    "{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':" \
    "'object','x-kubernetes-preserve-unknown-fields':true}}}"
#define CRD_OF(group, plural, names)                                                               \
    OBJECT("apiextensions.k8s.io/v1", "CustomResourceDefinition", "'name':'" plural "." group "'", \
            ",'spec':{'group':'" group "','scope':'Namespaced'," names ",'versions':[" CRD_VERSION \
            "]}")

#define COOL_OF(name, finalizer)                         \
    OBJECT("my.crd.group/v1", "CoolResource",            \
            "'namespace':'" DATA "','name':'" name "','" \
            "finalizers':['" finalizer "']",             \
            "")
#define COOL COOL_OF("@", "example.dev/@")
#define CONFIGMAP(name) OBJECT("v1", "ConfigMap", "'namespace':'" DATA "','name':'" name "'", "")

#define DEPLOYMENT_IN(namespace, metadata, replicas)                                              \
    OBJECT("apps/v1", "Deployment", "'namespace':'" namespace "'," metadata,                      \
            ",'spec':{'replicas':" replicas ",'selector':{'matchLabels':{'app':'@'}},'template':" \
            "{'metadata':{'labels':{'app':'@'}},'spec':{'containers':[{'name':'c',"               \
            "'image':'none'}]}}}")
#define DEPLOYMENT_WITH(metadata) DEPLOYMENT_IN("@", metadata, "0")
#define DEPLOYMENT(name) DEPLOYMENT_WITH("'name':'" name "'")

#define PROVIDER(namespace, name)                                                           \
    "'provider':{'group':'apps','resource':'deployments','namespace':'" namespace "','name" \
                                                                                  "':'" name "'}"
#define FINALIZER_OF(group, resource, finalizer)                                 \
    "{'type':'Finalizer','finalizer':{'group':'" group "','resource':'" resource \
    "','finalizerName':'" finalizer "'}}"
#define FINALIZER(resource) FINALIZER_OF("my.crd.group", resource, "example.dev/@")
#define THE_FINALIZER FINALIZER("coolresources")
#define GONE_IN(group, resource, namespace, name)                                              \
    "{'type':'SpecificResource','specificResource':{'group':'" group "','resource':'" resource \
    "','namespace':'" namespace "','name':'" name "'}}"
#define GONE_WIDE(group, resource, name)                                                       \
    "{'type':'SpecificResource','specificResource':{'group':'" group "','resource':'" resource \
    "','name':'" name "'}}"

#define CRITICAL_WITH(metadata, provider, criteria, rest)       \
    OBJECT("probate.dev/v1alpha1", "CriticalService", metadata, \
            ",'spec':{" provider ",'criteria':[" criteria "]" rest "}")
#define CRITICAL_OF(name, provider, criteria) \
    CRITICAL_WITH("'name':'" name "'", provider, criteria, "")
#define CRITICAL_FOR(criteria) CRITICAL_OF("@", PROVIDER("@", "provider"), criteria)
#define CRITICAL CRITICAL_FOR(THE_FINALIZER)

/* A provider in its namespace; and the same with a CriticalService that something holds. */
#define A_PROVIDER NAMESPACE DEPLOYMENT("provider")
#define A_SERVICE A_PROVIDER COOL CRITICAL

/* ---- commands ---- */

#define DELETE_PROVIDER "delete deployment provider --wait=false"
#define DELETE_NAMESPACE "delete namespace @ --wait=false" CLUSTER_WIDE
#define DELETE_SERVICE "delete criticalservice @ --wait=false" CLUSTER_WIDE
#define GET_SERVICE(path) "get criticalservice @" CLUSTER_WIDE " -o jsonpath={.status." path "}"

/* "Protected=True/Enforced: why;" for each. */
#define GET_CONDITIONS                                                     \
    "get criticalservice @" CLUSTER_WIDE                                   \
    " -o go-template={{range.status.conditions}}{{.type}}={{.status}}/{{." \
    "reason}}:{{.message}};{{end}}"

/* Those on the CriticalService are where those on all objects without a namespace are. */
#define EVENTS_TEMPLATE "{{range.items}}{{.type}}:{{.reason}}:{{.message}};{{end}}"
#define GET_EVENTS_OF(reason, kind, namespace, name)                                              \
    "get events --namespace=" namespace " --field-selector=reason=" reason                        \
                                        ",involvedObject.kind=" kind ",involvedObject.name=" name \
                                        " -o go-template=" EVENTS_TEMPLATE
#define GET_EVENTS(reason) GET_EVENTS_OF(reason, "CriticalService", "default", "@")

#define LET_GO(name)                                \
    "patch coolresource " name " --namespace=" DATA \
    " --type=merge -p {'metadata':{'finalizers':null}}"
#define SET_SERVICE(spec) \
    "patch criticalservice @" CLUSTER_WIDE " --type=merge -p {'spec':{" spec "}}"

/* The same with break-glass: it is not refused for demanding less. */
#define LOOSEN(name, spec)                                                                      \
    "patch criticalservice " name CLUSTER_WIDE " --type=merge -p {'metadata':{'annotations':{'" \
    "probate.dev/allow-delete':'until=" KUBECTL_SOON "\\u0020" REASON "'}},'spec':{" spec "}}"
#define LOOSEN_SERVICE(spec) LOOSEN("@", spec)
/* Break-glass. A command is split at blanks, so that a tab stands before the reason. */
#define GLASS_OF(value) " --overwrite probate.dev/allow-delete=" value
#define REASON "incident-17"
#define BREAK(object) "annotate " object GLASS_OF("until=" KUBECTL_SOON "\t" REASON)
#define WAIT_FOR(condition, object) \
    DO("wait --for=" condition " --timeout=60s " object CLUSTER_WIDE)

/* ---- steps that many rows have ---- */

/* Who reads this may rely on the protection. */
#define IT_IS_PROTECTED WAIT_FOR("condition=Protected", "criticalservice/@")

#define UNTIL(run_, ...)                                    \
    {                                                       \
        .run = run_, .says = { __VA_ARGS__ }, .until = true \
    }
#define UNTIL_REFUSED(code_, run_, ...)                                    \
    {                                                                      \
        .run = run_, .code = code_, .says = { __VA_ARGS__ }, .until = true \
    }
#define UNTIL_GONE(object) DO("wait --for=delete --timeout=60s " object)

#endif
