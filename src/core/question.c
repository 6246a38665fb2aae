/* What does a question hold, and which of a review's are still open? */

#include "probate/core/question.h"

#include <stdlib.h>

#include "probate/base/mem.h"

#include "question_list.h"

void prb_questions_init(struct prb_questions *questions)
{
    *questions = (struct prb_questions){ .items = NULL };
}

void prb_questions_done(struct prb_questions *questions)
{
    for (size_t i = 0; i < questions->count; i++)
        prb_question_done(&questions->items[i]);
    free(questions->items);
    prb_questions_init(questions);
}

struct prb_question prb_question_copy(const struct prb_question *from)
{
    struct prb_question copy = {
        .type = from->type,
        .ref = from->ref,
        .finalizer = prb_strdup(from->finalizer),
        .verb = from->verb,
        .subject = from->subject ? prb_subject_ref(from->subject) : NULL,
    };

    memcpy(copy.group, from->group, sizeof(copy.group));
    memcpy(copy.kind, from->kind, sizeof(copy.kind));
    return copy;
}

void prb_question_done(struct prb_question *question)
{
    free(question->finalizer);
    prb_subject_unref(question->subject);
    prb_object_unref(question->object);
    for (size_t i = 0; i < question->object_count; i++)
        prb_object_unref(question->objects[i]);
    free(question->objects);
    *question = (struct prb_question){ .finalizer = NULL };
}

size_t prb_questions_open(const struct prb_questions *questions)
{
    size_t count = 0;

    for (size_t i = 0; i < questions->count; i++)
        count += !questions->items[i].asked;
    return count;
}

/*
 * Room for all at once: a rule holds on to an answer while it asks what that brings up. Memory that
 * is never written to costs address space only.
 */
bool prb_questions_add(struct prb_questions *questions, const struct prb_question *question)
{
    if (questions->count == PRB_QUESTIONS_MAX)
        return false;
    if (!questions->items)
        questions->items = prb_malloc(PRB_QUESTIONS_MAX * sizeof(*questions->items));
    questions->items[questions->count++] = *question;
    return true;
}
