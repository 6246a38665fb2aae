#ifndef PROBATE_MODEL_READ_ONLY_H
#define PROBATE_MODEL_READ_ONLY_H

/*
 * Which resources spec.manifestConfigs of a ManifestWork makes ReadOnly: never owned, so that they
 * stay when the work goes. The first config that names a resource counts, so a config with another
 * strategy that comes before takes a part out again. Brought into one order, so that two works can
 * be compared by what they mean. Everything is borrowed from the work. Belongs to one thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/model/object.h"

struct prb_read_only_rule {
    const char *group, *resource, *namespace, *name; /* the last two may have "*" */
    bool read_only;                                  /* else it takes out what follows */
    size_t index;                                    /* in the order of the text */
    size_t run;  /* of one group and resource: how often ReadOnly and other strategies took turns */
    bool shared; /* set by prb_read_only_same: the other work has it too */
};

struct prb_read_only {
    struct prb_read_only_rule *rules; /* owned; sorted, without those that have no effect */
    size_t count;
};

/* Never fails. NULL is a work that says nothing. */
void prb_read_only_read(const struct prb_object *work, struct prb_read_only *ret);
void prb_read_only_done(struct prb_read_only *list);
static inline void prb_read_only_donep(struct prb_read_only *list)
{
    prb_read_only_done(list);
}

/* Do both make the same resources ReadOnly? Order and repetitions count only where they have an
 * effect. Marks the rules that are in both. */
bool prb_read_only_same(struct prb_read_only *a, struct prb_read_only *b);

#endif
