#ifndef PROBATE_SRC_RECONCILERS_PATIENCE_H
#define PROBATE_SRC_RECONCILERS_PATIENCE_H

/*
 * How soon is something written again that others change again and again?
 *
 * Three times at once; then after 2 s, 4 s and so on up to the resync, until it has been left alone
 * for that long. Two works, or two policies, that want different things of one object would
 * otherwise write it as fast as the server can answer, and each would say that all is well.
 */

#include "probate/base/json.h"

struct prb_patience {
    int64_t now_ms;
    int64_t resync_ms; /* the longest pause */
};

/* For how long it is not to be written; 0 or less: it may be. `entry` is what is remembered of it
 * (NULL: nothing). */
int64_t prb_patience_left_ms(struct prb_patience when, const struct json_object *entry);

/* Put into `entry`, which is to be remembered of it, how often it was written in a row. `before` is
 * what was remembered (NULL: nothing). */
void prb_patience_count(struct prb_patience when, const struct json_object *before,
        bool was_written, struct json_object *entry);

#endif
