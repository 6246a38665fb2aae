#ifndef PROBATE_HUB_PRESENT_INTERNAL_H
#define PROBATE_HUB_PRESENT_INTERNAL_H

/* An object as a caller wants to see it. Needs no lock. */

#include <stdbool.h>

#include "probate/model/object.h"

struct prb_hub_view_as {
    char api_version[PRB_API_VERSION_SIZE]; /* the group and version that was asked for */
    bool metadata_only;
    bool drop_managed_fields;
};

/* A reference to `object` itself where it is as wanted already, else to a changed copy. */
struct prb_object *prb_hub_present(
        const struct prb_object *object, const struct prb_hub_view_as *as);

/* The last state of an object under another resourceVersion, as DELETED events carry it. */
struct prb_object *prb_hub_present_at(const struct prb_object *object, const char *version);

#endif
