#ifndef PROBATE_MODEL_MANIFEST_WORK_H
#define PROBATE_MODEL_MANIFEST_WORK_H

/*
 * What a ManifestWork asks for: its manifests in the order in which they are to be applied, and how
 * each is to be kept up to date. Everything is borrowed from the work. Belongs to one thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/model/delete_option.h"
#include "probate/model/object.h"

enum prb_update_strategy {
    PRB_UPDATE,
    PRB_CREATE_ONLY,
    PRB_SERVER_SIDE_APPLY,
    PRB_READ_ONLY,
    PRB_UPDATE_UNKNOWN, /* a type, or a setting of it, that is not supported: not applied */
};

struct prb_manifest {
    size_t ordinal;                /* index in spec.workload.manifests */
    const struct json_object *raw; /* NULL: not even a map */
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];
    const char *kind, *namespace, *name; /* "" when absent */
    int rank;                            /* of its kind, facts/ocm 2.2 step 4 */
    char defect[256];                    /* why it can never be applied, for a person; "" */
};

struct prb_manifest_config {
    const char *group, *resource, *namespace, *name; /* "" when absent; the last two may have "*" */
    enum prb_update_strategy strategy;
    const char *field_manager; /* server-side apply; "" means work-agent */
    bool force;
    const char *trouble; /* static or borrowed: why UNKNOWN, for a person */
};

struct prb_manifest_work {
    struct prb_manifest *manifests; /* owned; sorted by rank, stable */
    size_t count;
    struct prb_manifest_config *configs; /* owned; those that have an updateStrategy, in the order
                                            of the text */
    size_t config_count;
    struct prb_delete_option option;
    bool has_executor;
};

/* Never fails: what is malformed is said where it is. Manifests that are no list are one that is.
 */
void prb_manifest_work_read(const struct prb_object *work, struct prb_manifest_work *ret);
void prb_manifest_work_done(struct prb_manifest_work *work);
static inline void prb_manifest_work_donep(struct prb_manifest_work *work)
{
    prb_manifest_work_done(work);
}

/* How to update one resource: the first that names it; NULL: Update. "*" in name and namespace
 * stands for any text. Cluster-scoped: namespace "". */
const struct prb_manifest_config *prb_manifest_work_config(const struct prb_manifest_work *work,
        const char *group, const char *resource, const char *namespace, const char *name);

/* Is this resource to be owned, that is deleted with the work? An option that nobody understands
 * (an unknown policy, a container or a member of a rule that counts of a wrong type) owns nothing.
 */
bool prb_delete_option_owns(const struct prb_delete_option *option, const char *group,
        const char *resource, const char *namespace, const char *name);

#endif
