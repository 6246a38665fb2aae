#ifndef SRC_CORE_CHANGES_INTERNAL_H
#define SRC_CORE_CHANGES_INTERNAL_H

/* What the changes*.c files share. */

#include "probate/core/changes.h"

/* A new last change, to be filled in; borrowed until the next one. */
struct prb_change *prb_changes_append(struct prb_changes *changes, enum prb_change_type type,
        const struct prb_ref *ref, const char *why);

#endif
