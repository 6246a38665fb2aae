#ifndef TESTS_SCENARIO_STAGE_OBJECTS_H
#define TESTS_SCENARIO_STAGE_OBJECTS_H

/* Single objects of a stage, through its own client. */

#include "stage.h"

#define STAGE_FOREIGN "scratch.probate.test/foreign"

/* Make all objects of the stage, twins before their originals. */
int stage_make_objects(struct stage *stage);

/* Take away whatever is left of them, best effort. */
void stage_remove_objects(struct stage *stage);

/* "WORLD-short": the objects beside the pairs. */
void stage_bystander(const struct stage *stage, const char *name, char whole[PRB_NAME_SIZE]);

/* The object now; NULL when it is not there or cannot be asked for. */
struct prb_object *stage_get(struct stage *stage, const char *name);

/* Is it positively not there? */
bool stage_is_gone(struct stage *stage, const char *name);

/* Delete it by its uid; -1 and a reason when that is refused. */
int stage_delete(struct stage *stage, const char *name);

#endif
