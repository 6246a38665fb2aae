#ifndef PROBATE_MODEL_GVR_H
#define PROBATE_MODEL_GVR_H

/*
 * Group, version and resource: which collection of the API is meant. Plain values, copied freely.
 */

#include <stdbool.h>
#include <stddef.h>

/* A group is a DNS subdomain (253), version and plural are DNS labels (63); NUL included. */
#define PRB_GROUP_SIZE 254
#define PRB_VERSION_SIZE 64
#define PRB_RESOURCE_SIZE 64

/* "resource.version.group" with its two dots and the NUL. */
#define PRB_GVR_TEXT_SIZE (PRB_GROUP_SIZE + PRB_VERSION_SIZE + PRB_RESOURCE_SIZE)

struct prb_gvr {
    char group[PRB_GROUP_SIZE]; /* "" is the core group */
    char version[PRB_VERSION_SIZE];
    char resource[PRB_RESOURCE_SIZE]; /* plural, lower case */
};

/* False when a part is too long or not made of [a-z0-9.-] (resource and version without dots). */
bool prb_gvr_init(
        struct prb_gvr *gvr, const char *group, const char *version, const char *resource);

bool prb_gvr_equal(const struct prb_gvr *a, const struct prb_gvr *b);

/* Order for sorting: by group, version, resource. */
int prb_gvr_compare(const struct prb_gvr *a, const struct prb_gvr *b);

/* "managedclusters.v1.cluster.open-cluster-management.io"; core group: "pods.v1." */
void prb_gvr_format(const struct prb_gvr *gvr, char text[PRB_GVR_TEXT_SIZE]);

/* The reverse; "pods.v1" without the last dot is the core group too. False: not of that form. */
bool prb_gvr_parse(const char *text, struct prb_gvr *ret);

/* Split "group/version" or "version"; false when malformed or too long. */
bool prb_api_version_parse(
        const char *text, char group[PRB_GROUP_SIZE], char version[PRB_VERSION_SIZE]);

/* "apps/v1", core group: "v1". */
#define PRB_API_VERSION_SIZE (PRB_GROUP_SIZE + PRB_VERSION_SIZE)
void prb_api_version_format(
        const char *group, const char *version, char text[PRB_API_VERSION_SIZE]);

#endif
