#ifndef PROBATE_KUBE_GROUP_H
#define PROBATE_KUBE_GROUP_H

/* The resources of one API group as discovery tells them. Pure; not thread-safe. */

#include <stdint.h>

#include "probate/api/api.h"

/*
 * Versions looked at per group, each with a call of its own. The most a real one had is five; a
 * thousand take some seconds, and many more would not be answered in the time that a review has.
 * Past this the group cannot be told.
 */
#define PRB_KUBE_VERSIONS_MAX 1024

struct prb_kube_kind {
    struct prb_resource resource;
    struct json_object *short_names; /* owned: an array, or NULL */
    size_t version;                  /* rank of its version: 0 is the preferred one */
};

struct prb_kube_group {
    struct prb_kube_kind *kinds; /* owned */
    size_t count;
    size_t cap;
    bool partial;     /* some resource could not be taken: what is not found may be that */
    int64_t asked_ms; /* monotonic */
};

void prb_kube_group_free(struct prb_kube_group *group);
PRB_DEFINE_CLEANUP(struct prb_kube_group *, prb_kube_group_free)

/*
 * The versions that an APIGroup (or the APIVersions of the core group) lists, the preferred one
 * first: *ret is the caller's, the texts are borrowed from `tree`. IO for one without a name, and
 * past PRB_KUBE_VERSIONS_MAX: a part of them must not pass for all.
 */
int prb_kube_group_versions(const struct json_object *tree, const char *group, const char ***ret,
        size_t *ret_count, struct prb_error *err);

/* Add what the APIResourceList of one version lists. What no name of ours can hold is left out, and
 * `partial` says so. */
void prb_kube_group_add(struct prb_kube_group *group, const struct json_object *list,
        const char *name, const char *version, size_t rank);

/*
 * By plural, singular, kind or short name, in this order, without regard to case; of one resource
 * the preferred version. NULL: none. A plural comes first in whatever version: anybody may define
 * a kind of that name in a version that is preferred.
 */
const struct prb_resource *prb_kube_group_find(
        const struct prb_kube_group *group, const char *name);

#endif
