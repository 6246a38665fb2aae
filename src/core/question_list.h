#ifndef PROBATE_CORE_QUESTION_LIST_INTERNAL_H
#define PROBATE_CORE_QUESTION_LIST_INTERNAL_H

/* Adding to the questions of a review; shared by the files that do. */

#include "probate/core/question.h"

/* Takes what *question holds, unless the list is full: then it is false, and the caller's still. */
bool prb_questions_add(struct prb_questions *questions, const struct prb_question *question);

#endif
