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
    int killed_after;           /* the process dies after so many writes of a pass; 0: it lives */
};
extern struct policy_world policy_world;

void policy_world_init(void);
void policy_world_done(void);

/* Put objects there; one that cannot be ends the test. */
void put(const char *yaml);

/* What is there; NULL: nothing. The caller's. */
struct prb_object *live(const char *ref);
bool is_there(const char *ref);

/* The value at a pointer of what is there, printed; "": there is no such thing. Static buffer,
 * which holds until the next call but seven. */
const char *at(const char *ref, const char *pointer);

/* Of the policy "p": an entry of status.relatedObjects by the object's name, "Compliant true 1234
 * reason"; "": none. As `at`. */
const char *related(const char *name);

/* The message of a template of "p"; as `at`. */
const char *message(int template);

/* What others do: a merge patch, a deletion. */
void set(const char *ref, const char *subresource, const char *merge_patch);
void erase(const char *ref);

/* Let the controller watch a kind, as the loop does with what policies name. */
void watch(const char *group, const char *kind);

/* Let the caches see what is there by now. */
void see(void);

/* The next `times` calls whose line begins with this fail so. */
void fault(const char *line, enum prb_errc code, int times);

/* The same with a status of INVALID that is not 422. */
void refuse(const char *line, int status, int times);

/* The same, but the call was made before its answer was lost. */
void lose(const char *line, int times);

/* Before the next call whose line begins with this, somebody else does something. */
void meanwhile(const char *line, void (*something)(void));

/* From now on the server changes all that is created or updated like this before it stores it. */
void mutate(void (*something)(struct json_object *body));

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
