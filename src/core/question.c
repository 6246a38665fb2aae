/* Which questions has a rule, and what was answered? */

#include "probate/core/question.h"

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

void prb_questions_init(struct prb_questions *questions)
{
    *questions = (struct prb_questions){ .items = NULL };
}

void prb_questions_done(struct prb_questions *questions)
{
    for (size_t i = 0; i < questions->count; i++)
        prb_object_unref(questions->items[i].object);
    free(questions->items);
    prb_questions_init(questions);
}

static void add(struct prb_questions *questions, const struct prb_question *question)
{
    if (questions->count == PRB_QUESTIONS_MAX)
        return;
    questions->items =
            prb_realloc(questions->items, questions->count + 1, sizeof(*questions->items));
    questions->items[questions->count++] = *question;
}

const struct prb_question *prb_answer_object(
        const struct prb_questions *questions, const struct prb_ref *ref)
{
    for (size_t i = 0; i < questions->count; i++) {
        const struct prb_question *q = &questions->items[i];

        if (q->type == PRB_ASK_OBJECT && prb_ref_equal(&q->ref, ref))
            return q;
    }
    return NULL;
}

const struct prb_question *prb_answer_resource(
        const struct prb_questions *questions, const char *group, const char *kind)
{
    for (size_t i = 0; i < questions->count; i++) {
        const struct prb_question *q = &questions->items[i];

        if (q->type == PRB_ASK_RESOURCE && prb_streq(q->group, group) && prb_streq(q->kind, kind))
            return q;
    }
    return NULL;
}

void prb_ask_object(struct prb_questions *questions, const struct prb_ref *ref)
{
    struct prb_question question = { .type = PRB_ASK_OBJECT, .ref = *ref };

    if (!prb_answer_object(questions, ref))
        add(questions, &question);
}

static size_t resource_count(const struct prb_questions *questions)
{
    size_t count = 0;

    for (size_t i = 0; i < questions->count; i++)
        count += questions->items[i].type == PRB_ASK_RESOURCE;
    return count;
}

void prb_ask_resource(struct prb_questions *questions, const char *group, const char *kind)
{
    struct prb_question question = { .type = PRB_ASK_RESOURCE };

    /* A name that does not fit is no name of a kind: it is never asked and stays unknown. */
    if (!prb_copy(question.group, sizeof(question.group), group) ||
            !prb_copy(question.kind, sizeof(question.kind), kind))
        return;
    if (resource_count(questions) < PRB_RESOURCE_QUESTIONS_MAX &&
            !prb_answer_resource(questions, group, kind))
        add(questions, &question);
}
