#ifndef TESTS_RECONCILERS_POLICY_WORLD_H
#define TESTS_RECONCILERS_POLICY_WORLD_H

/*
 * A cluster in memory, caches of it that are as fresh as a test wants, and the policy controller,
 * pass by pass and round by round, as the runner does it. Every call is written down, and may be
 * made to fail. Objects are named by the text of their refs. The policy is "p" in "default".
 */

#include "probate/api/api.h"
#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/core/changes.h"
#include "probate/hub/hub.h"
#include "probate/reconcilers/policy.h"

#include "world_caches.h"
#include "world_calls.h"
#include "world_objects.h"

#define POLICIES "configurationpolicies.v1.policy.open-cluster-management.io"
#define POLICY_REF(name) POLICIES "/default/" name
#define P POLICY_REF("p")
#define CM(name) "configmaps.v1./default/" name

/* A policy: `spec` and `templates` are YAML in flow style. */
#define POLICY_YAML(name, spec, templates)                                               \
    "---\napiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\n" \
    "metadata: {name: " name ", namespace: default}\n"                                   \
    "spec: {" spec " object-templates: [" templates "]}\n"
#define ENFORCE "remediationAction: enforce,"
#define INFORM "remediationAction: inform,"
#define IF_CREATED "pruneObjectBehavior: DeleteIfCreated,"
#define ALL "pruneObjectBehavior: DeleteAll,"
#define NONE "pruneObjectBehavior: None,"

#define TEMPLATE(type, definition) "{complianceType: " type ", objectDefinition: " definition "}"
#define CM_YAML(name, data)                                                              \
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: " name ", namespace: default}, " \
    "data: {" data "}}"
#define HAS(name, data) TEMPLATE("musthave", CM_YAML(name, data))
#define HAS_NOT(name) TEMPLATE("mustnothave", CM_YAML(name, ""))

/* A merge patch of the templates alone. */
#define CM_JSON(name)                                                                        \
    "{\"complianceType\":\"musthave\",\"objectDefinition\":{\"apiVersion\":\"v1\",\"kind\":" \
    "\"ConfigMap\",\"metadata\":{\"name\":\"" name "\",\"namespace\":\"default\"}}}"
#define TEMPLATES_JSON(list) "{\"spec\":{\"object-templates\":[" list "]}}"

struct policy_world {
    struct prb_hub *hub;
    struct prb_api *api; /* the hub, and what is written down */
    struct prb_fake_clock clock;
    struct json_object *memory; /* what the last pass left behind */
    struct prb_changes changes; /* of the last round */
    struct prb_str calls;       /* of the last pass, one line for each */
    struct prb_str events;      /* of the last pass, one line for each */
    size_t reads, writes;       /* of the last pass */
    int rounds;                 /* of the last pass */
    int result;                 /* of the last pass: 0, or the code that ended it */
    bool stale;                 /* caches are not refreshed between the rounds */
    bool blind;                 /* nor before a pass */
    bool lags;                  /* those of the kinds that policies name are not */
    const char *namespace;      /* whose policies are carried out; NULL: all */
    int killed_after;           /* the process dies after so many writes of a pass; 0: it lives */
};
extern struct policy_world policy_world;

void policy_world_init(void);
void policy_world_done(void);

/* Put objects there; one that cannot be ends the test. */
void put(const char *yaml);

/* Of the policy "p": an entry of status.relatedObjects by the object's name, "Compliant true 1234
 * reason"; "": none. As `at`. */
const char *related(const char *name);

/* The message of a template of "p"; as `at`. */
const char *message(int template);

/* Let the caches see what is there by now. */
void see(void);

/* The caches see, then one pass over the policy "p" (or another); what was called, as `calls`. */
const char *pass(void);
const char *pass_of(const char *policy);

/* Passes until one writes nothing; how many that took, or -1 after 10. */
int settle(void);

/* The process is another one: nothing is remembered. */
void restart(void);

/* Time passes. */
void later(int64_t ms);

#endif
