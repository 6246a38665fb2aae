#ifndef TESTS_RECONCILERS_CLAIM_WORLD_H
#define TESTS_RECONCILERS_CLAIM_WORLD_H

/* A cluster with claims in a few lines of YAML, and what the claims controller wants done in it. */

#include "probate/reconcilers/claims.h"
#include "probate/reconcilers/registry.h"

#include "support/world.h"

#define DEFINITIONS "compositeresourcedefinitions.v1.apiextensions.crossplane.io"
#define WEBHOOKS "validatingwebhookconfigurations.v1.admissionregistration.k8s.io"
#define NETWORKS "networks.v1.example.org"
#define XNETWORKS "xnetworks.v1.example.org"
#define XSUBNETS "xsubnets.v1.example.org"
#define BUCKETS "buckets.v1.example.org"

#define N1 NETWORKS "/team/n1"
#define X1 XNETWORKS "//x1"

#define NOW "2026-01-02T03:12:00Z"
#define AT "2026-01-02T03:00:00Z"
#define DELETED "deletionTimestamp: '" AT "'"
#define FINALIZER PRB_CLAIM_FINALIZER
#define HELD "finalizers: [" FINALIZER "]"
#define LEAF_FINALIZER "finalizer.managedresource.crossplane.io"

#define DEFINITION(more)                                                                         \
    "---\napiVersion: apiextensions.crossplane.io/v1\nkind: CompositeResourceDefinition\n"       \
    "metadata: {name: xnetworks.example.org, uid: u-xrd}\n"                                      \
    "spec: {group: example.org, names: {kind: XNetwork, plural: xnetworks}, claimNames: {kind: " \
    "Network, plural: networks}" more "}\n"
#define OTHER_DEFINITION                                                                   \
    "---\napiVersion: apiextensions.crossplane.io/v1\nkind: CompositeResourceDefinition\n" \
    "metadata: {name: xsubnets.example.org, uid: u-xrd2}\n"                                \
    "spec: {group: example.org, names: {kind: XSubnet, plural: xsubnets}}\n"

/* A kind that Crossplane has made for a definition. */
#define CRD(name, api_version, kind, owner, flags)                                   \
    "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"     \
    "metadata: {name: " name ".example.org, uid: u-crd-" name                        \
    ", ownerReferences: [{apiVersion: " api_version ", kind: " kind ", name: " owner \
    ", uid: u-xrd" flags "}]}\n"
#define CRD_OF(name)                                                           \
    CRD(name, "apiextensions.crossplane.io/v1", "CompositeResourceDefinition", \
            "xnetworks.example.org", CONTROLS)

#define OF_KIND(kind) "---\napiVersion: example.org/v1\nkind: " kind "\n"

/* `meta` begins with a comma; `spec` and `status` are lines of their own, or empty. */
#define CLAIM(meta, spec)                                                                          \
    OF_KIND("Network")                                                                             \
    "metadata: {name: n1, namespace: team, uid: u-n1, resourceVersion: '7'" meta "}\nspec: {" spec \
    "}\n"
#define REF_TO(kind, name) \
    "resourceRef: {apiVersion: example.org/v1, kind: " kind ", name: " name "}"
#define REF REF_TO("XNetwork", "x1")
#define FOREGROUND ", compositeDeletePolicy: Foreground"
#define SAYING(reason, message)                                                       \
    "status: {conditions: [{type: Synced, status: 'True', reason: ReconcileSuccess}," \
    "{type: Ready, status: 'False', reason: " reason ", message: '" message           \
    "', lastTransitionTime: '" AT "'}]}\n"

#define BOUND_TO(namespace, name)                                                                 \
    "claimRef: {apiVersion: example.org/v1, kind: Network, namespace: " namespace ", name: " name \
                                                                                  "}"
#define BOUND BOUND_TO("team", "n1")
#define COMPOSES(list) ", resourceRefs: [" list "]"
#define REF_OF(kind, name) "{apiVersion: example.org/v1, kind: " kind ", name: " name "}"
#define COMPOSITE(meta, spec) \
    OF_KIND("XNetwork")       \
    "metadata: {name: x1, uid: u-x1, resourceVersion: '5'" meta "}\nspec: {" spec "}\n"
#define SUBNET(name, meta, spec) \
    OF_KIND("XSubnet")           \
    "metadata: {name: " name ", uid: u-" name ", resourceVersion: '4'" meta "}\nspec: {" spec "}\n"
#define BUCKET(name, meta) \
    OF_KIND("Bucket") "metadata: {name: " name ", uid: u-" name ", resourceVersion: '3'" meta "}\n"
#define OWNED(kind, uid, flags) \
    ", ownerReferences: [{apiVersion: example.org/v1, kind: " kind ", name: x, uid: " uid flags "}]"
#define CONTROLS ", controller: true"
#define BLOCKS ", controller: true, blockOwnerDeletion: true"
#define IN_FOREGROUND ", " DELETED ", finalizers: [foregroundDeletion]"

/* A claim that is being deleted in the foreground. */
#define LEAVING CLAIM(", " DELETED ", " HELD, REF FOREGROUND)

/* What is wanted then, in the words of play(). */
#define RELEASE "finalizers networks team/n1 remove \n"
#define RELEASED RELEASE "event ClaimReleased on networks team/n1\n"
#define CONDITION(reason) "condition Ready False " reason " @7\n"
#define DELETE(how) "delete xnetworks x1 u-x1 " how

/* What a test may set before it plays; as new after each. */
extern struct prb_world *world;  /* what the cache has */
extern struct prb_world *server; /* what the server has; NULL: the same */
extern struct prb_claim_settings settings;
extern struct prb_changes changes; /* of the last round */
extern const char *now;
extern size_t rounds; /* of the last play */

void claim_world_init(void);
void claim_world_done(void);

/* The cache is what `yaml` says, with the two definitions; the kinds above are served and read. */
void build(const char *yaml);

/* The same, with nothing defined; `more` may be definitions. */
void build_bare(const char *yaml);

/* The server has something else. */
void serve(const char *yaml);

/* Kinds: not there any more, or not to be read. */
void set_kind(const char *kind, int state, const char *trouble);

/* From now on discovery finds the kind of composites by this name, too. */
void give_short_name(const char *name);

/* Too many kinds are named, and nobody looks at this one. */
void leave_out(const char *kind, const char *trouble);

/* Definitions are found in this collection. */
void know_definitions(const char *gvr);

/* A view on the cache, with what is known of the kinds; to be closed. */
struct prb_view *claim_view(void);

/* The lines of a text in order. Static buffer. */
const char *sorted(const char *lines);

/* The calls on what this names ("read xnetworks x1", "delete xnetworks x1") fail, from now on. With
 * this text the reason is the same: the version is not served. */
#define NOT_SERVED "NotServed"
void fail_on(const char *call, enum prb_errc code, const char *text);

/* Decide in rounds until it is over; what is wanted but for reads, one line each. Static buffer. */
const char *play(const char *key);

/* Every call that was wanted, reads too. */
const char *calls(void);

/* A world, and what is wanted in it. */
struct row {
    const char *name, *world, *wanted;
};
void check(const struct row *rows, size_t count);
#define CHECK(rows) check(rows, sizeof(rows) / sizeof((rows)[0]))

/* What the condition that was written says; "": none was. */
const char *message(void);

/* What it waits for; "": nothing. */
const char *waits(void);

/* The last JSON patch that was wanted; "": none. */
const char *last_patch(void);

/* What is remembered for the next pass. */
void keep_memory(void);

#endif
