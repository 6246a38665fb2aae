#ifndef TESTS_RECONCILERS_WORK_STAGE_CALLS_H
#define TESTS_RECONCILERS_WORK_STAGE_CALLS_H

/* A port that tells every write, fails what a test says, and lets others act in between. */

#include "probate/api/api.h"

void calls_begin(struct prb_api *api); /* borrowed */
void calls_end(void);
struct prb_api *calls_api(void);

void calls_note(const char *line);
void calls_clear(void);
const char *calls_text(void);

#endif
