#ifndef PROBATE_KUBE_GROUP_H
#define PROBATE_KUBE_GROUP_H

/* The resources of one API group as discovery tells them. Pure; not thread-safe. */

#include <stdint.h>

#include "probate/api/api.h"

/* Versions looked at per group; the most a real one had is five. */
#define PRB_KUBE_VERSIONS_MAX 16

struct prb_kube_kind {
    struct prb_resource resource;
    struct json_object *short_names; /* owned: an array, or NULL */
    size_t version;                  /* rank of its version: 0 is the preferred one */
};

struct prb_kube_group {
    struct prb_kube_kind *kinds; /* owned */
    size_t count;
    size_t cap;
    int64_t asked_ms; /* monotonic */
};

void prb_kube_group_free(struct prb_kube_group *group);
PRB_DEFINE_CLEANUP(struct prb_kube_group *, prb_kube_group_free)

/*
 * The versions that an APIGroup (or the APIVersions of the core group) lists, the preferred one
 * first: borrowed from `tree`, at most PRB_KUBE_VERSIONS_MAX. Returns their number.
 */
size_t prb_kube_group_versions(
        const struct json_object *tree, const char *versions[PRB_KUBE_VERSIONS_MAX]);

/* Add what the APIResourceList of one version lists. What no name of ours can hold is left out. */
void prb_kube_group_add(struct prb_kube_group *group, const struct json_object *list,
        const char *name, const char *version, size_t rank);

/*
 * By plural, singular, kind or short name, in this order, without regard to case; in the preferred
 * version first. NULL: none.
 */
const struct prb_resource *prb_kube_group_find(
        const struct prb_kube_group *group, const char *name);

#endif
