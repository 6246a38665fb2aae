#ifndef PROBATE_HUB_KINDS_INTERNAL_H
#define PROBATE_HUB_KINDS_INTERNAL_H

/*
 * The kinds a hub serves, and in which fine points the API server treats them differently. A
 * registry is a prb_map from "resource.group" to the kind. Kinds live as long as their registry:
 * one that is no longer served is only marked, for the event log and watches still point to it.
 */

#include <stdbool.h>

#include "probate/api/api.h"
#include "probate/base/map.h"

enum prb_hub_kind_flag {
    PRB_HUB_NAMESPACED = 1 << 0,
    PRB_HUB_STATUS = 1 << 1,         /* has the status subresource */
    PRB_HUB_CUSTOM = 1 << 2,         /* of a CRD: bodies must say apiVersion and kind */
    PRB_HUB_GENERATION = 1 << 3,     /* the server counts generations */
    PRB_HUB_UNCONDITIONAL = 1 << 4,  /* PUT without resourceVersion overwrites */
    PRB_HUB_PUT_CREATES = 1 << 5,    /* PUT of an absent object makes it */
    PRB_HUB_PATH_NAMES = 1 << 6,     /* names are any path segment, as RBAC's are */
    PRB_HUB_LABEL_NAMES = 1 << 7,    /* names are DNS labels, as namespaces' are */
    PRB_HUB_STATUS_META = 1 << 8,    /* PUT of status may change metadata too */
    PRB_HUB_KEEP_LABELS = 1 << 9,    /* ... but not labels */
    PRB_HUB_ANNOTATIONS = 1 << 10,   /* a change of annotations counts as a generation */
    PRB_HUB_NOT_COLLECTED = 1 << 11, /* the garbage collector leaves it alone */
    PRB_HUB_ORPHANS = 1 << 12,       /* deletes without a policy orphan the dependents */
};

/* What is to be said to make a kind. All texts are borrowed. */
struct prb_hub_kind_spec {
    const char *group;
    const char *versions; /* served ones, separated by commas, the preferred one first */
    const char *resource;
    const char *kind;
    const char *short_names; /* separated by commas; NULL: none */
    unsigned flags;
    const char *singular; /* NULL: the kind in lower case */
};

struct prb_hub_kind {
    struct prb_resource resource; /* its version is the preferred one */
    char *versions;               /* owned, as in the spec */
    char *short_names;            /* owned, as in the spec; never NULL */
    unsigned flags;
    char *crd;               /* owned; name of the CRD that defines it; NULL: none does */
    bool defined;            /* by a CRD or an XRD */
    bool served;             /* false when its CRD is gone, or serves no version */
    bool terminating;        /* its CRD is being deleted: nothing new is created */
    struct prb_map *entries; /* owned: "namespace/name" to struct prb_hub_entry */
};

/* Room for "resource.group". */
#define PRB_HUB_KIND_KEY_SIZE (PRB_RESOURCE_SIZE + PRB_GROUP_SIZE)

/* The kinds every hub knows: Kubernetes' own, OCM's, Probate's and Crossplane's XRD. */
extern const struct prb_hub_kind_spec prb_hub_known_kinds[];
extern const size_t prb_hub_known_kind_count;

/* A registry with these. */
struct prb_map *prb_hub_kinds_new(void);

/*
 * Add a kind, or give the one of that name a new definition; its objects stay. NULL when a name
 * in the spec is none.
 */
struct prb_hub_kind *prb_hub_kind_add(struct prb_map *kinds, const struct prb_hub_kind_spec *spec);

/* Served or not. */
struct prb_hub_kind *prb_hub_kind_stored(
        const struct prb_map *kinds, const char *group, const char *resource);

/* All of these give a kind that is served, or NULL. */
struct prb_hub_kind *prb_hub_kind_find(
        const struct prb_map *kinds, const char *group, const char *resource);
struct prb_hub_kind *prb_hub_kind_serving(const struct prb_map *kinds, const struct prb_gvr *gvr);
struct prb_hub_kind *prb_hub_kind_of(
        const struct prb_map *kinds, const char *group, const char *kind);
struct prb_hub_kind *prb_hub_kind_resolve(
        const struct prb_map *kinds, const char *group, const char *name);

bool prb_hub_kind_has_version(const struct prb_hub_kind *kind, const char *version);
bool prb_hub_kind_is(const struct prb_hub_kind *kind, const char *group, const char *resource);

/* "configmaps", "widgets.example.io": as the API server names a resource in its messages. */
void prb_hub_kind_key(const char *group, const char *resource, char text[PRB_HUB_KIND_KEY_SIZE]);

/* All kinds, sorted by that name; the array is the caller's, the kinds are borrowed. */
struct prb_hub_kind **prb_hub_kinds_sorted(const struct prb_map *kinds, size_t *ret_count);

/* The resource as `kubectl` guesses it from a kind: "Policy" to "policies". */
void prb_hub_guess_plural(const char *kind, char resource[PRB_RESOURCE_SIZE]);

#endif
