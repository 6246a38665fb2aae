#ifndef PROBATE_MODEL_OBJECT_INTERNAL_H
#define PROBATE_MODEL_OBJECT_INTERNAL_H

/* What the files of an object share. */

#include "probate/model/object.h"

/* `to` is what is left of `from` when only `keeps` stay: does its defect? */
void prb_object_pass_defect(
        const struct prb_object *from, const char *const *keeps, struct prb_object *to);

#endif
