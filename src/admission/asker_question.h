#ifndef PROBATE_ADMISSION_ASKER_QUESTION_INTERNAL_H
#define PROBATE_ADMISSION_ASKER_QUESTION_INTERNAL_H

/* One question; shared by the files of the asker. */

#include "probate/admission/asker.h"

/*
 * Ask the server. `question` is private to the caller and gets the answer. Discovery has no time
 * limit of its own: `timeout_ms` holds for objects.
 */
void prb_question_ask(struct prb_api *api, struct prb_question *question, int64_t timeout_ms);

/* Say why there is no answer; `text` is one sentence. */
void prb_question_give_up(struct prb_question *question, const char *text);

#endif
