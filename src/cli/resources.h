#ifndef PROBATE_SRC_CLI_RESOURCES_H
#define PROBATE_SRC_CLI_RESOURCES_H

/* What flags mean that name resources: --claim-resource, --criteria-resource; and what those that
 * are written with their version have in common. */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/error.h"
#include "probate/cli/list.h"
#include "probate/model/gvr.h"

/* "v1", "v1alpha1", "v2beta3": what tells a version from the first part of a group. */
bool prb_is_api_version(const char *text, size_t len);

/* A flag of that kind. */
struct prb_resource_flag {
    const char *name;    /* "--claim-resource" */
    const char *example; /* "buckets.example.org" */
    bool core;           /* resources of the core group will do too: "secrets" */
};

/* The resources that `list` names, with the version "" where it was not said; the array is the
 * caller's. INVALID with the flag in the text. */
int prb_resources_parse(const struct prb_resource_flag *flag, const struct prb_list *list,
        struct prb_gvr **ret, size_t *ret_count, struct prb_error *err);

#endif
