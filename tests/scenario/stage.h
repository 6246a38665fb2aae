#ifndef TESTS_SCENARIO_STAGE_H
#define TESTS_SCENARIO_STAGE_H

/*
 * A world for the scratch reconciler, and what must be true of it in the end. The stage has a
 * client of its own, beside the one that the reconciler uses, and watches everything that happens
 * to the world from before its first object on.
 *
 *   pairs         an original and its twin, both to go
 *   keeper        an original that nobody deletes, with a foreign finalizer; and its twin
 *   lonely-twin   a twin whose original does not exist
 *   other         in another world and being deleted
 *   plain         in no world
 */

#include "probate/api/api.h"

#include "support/table.h"
#include "support/temp_dir.h"
#include "support/watch_log.h"

struct stage {
    struct prb_api *api;            /* borrowed */
    char ns[PRB_TEST_NAME_SIZE];    /* shared with other stages */
    char world[PRB_TEST_NAME_SIZE]; /* prefix of all names, value of TWIN_WORLD */
    int pairs;
    struct prb_watch_log *log; /* owned: what happened to the world */
    char *other_version;       /* owned: of the bystanders as they were made */
    char *plain_version;       /* owned */
    char *why;                 /* borrowed: PRB_TEST_WHY_SIZE */
};

/* Say why the scenario fails; returns -1. */
__attribute__((format(printf, 2, 3))) int stage_fail(struct stage *stage, const char *fmt, ...);

/* Make the objects. `ns` must exist. */
int stage_open(struct stage *stage, struct prb_api *api, const char *ns, int pairs);
void stage_close(struct stage *stage);
static inline void stage_closep(struct stage *stage)
{
    stage_close(stage);
}

/* The name of pair i's original or twin. */
void stage_name(const struct stage *stage, int pair, bool twin, char name[PRB_NAME_SIZE]);

/* Each phase returns 0, or -1 with the reason in stage->why. */

int stage_wait_finalizers(struct stage *stage); /* every original carries ours, the keeper too */
int stage_delete_originals(struct stage *stage);
int stage_delete_half(struct stage *stage, bool second); /* of the originals */
int stage_wait_gone(struct stage *stage);                /* every pair has gone */

/* How many twins have gone so far, as the watch tells. */
int stage_twins_gone(struct stage *stage);

/* Wait until so many have. */
int stage_wait_twins_gone(struct stage *stage, int count);

/* What is there now is what should be: pairs gone, all others as they were. */
int stage_check_end(struct stage *stage);

/* What the watch told is exactly what should have happened: each write once, twins first. */
int stage_check_events(struct stage *stage);

#endif
