#ifndef TESTS_RECONCILERS_WORLD_CALLS_H
#define TESTS_RECONCILERS_WORLD_CALLS_H

/*
 * A port in front of another that writes down what a controller calls, one line for each call
 * ("create configmaps default/a"), lets calls fail, and lets others come in between.
 */

#include "probate/api/api.h"
#include "probate/base/str.h"

/* Where it is noted; all borrowed. */
struct world_notes {
    struct prb_str *calls;
    size_t *reads, *writes;
    const int *killed_after; /* writes after which the process is dead; NULL, or 0: never */
};

/* `inner` is borrowed. There is one at a time, and nothing fails at first. */
struct prb_api *world_calls_open(struct prb_api *inner, const struct world_notes *notes);

/* The next `times` calls whose line begins with this fail so. */
void fault(const char *line, enum prb_errc code, int times);

/* The same with a status of INVALID that is not 422. */
void refuse(const char *line, int status, int times);

/* The same, but the call was made before its answer was lost. */
void lose(const char *line, int times);

/* Before the next call whose line begins with this, somebody else does something. */
void meanwhile(const char *line, void (*something)(void));

/* From now on the server changes all that is created or updated like this before it stores it. */
void mutate(void (*something)(struct json_object *body));

#endif
