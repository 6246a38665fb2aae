#ifndef PROBATE_CORE_QUESTION_H
#define PROBATE_CORE_QUESTION_H

/*
 * What a rule must know beyond the snapshot: questions it lists before it judges, answered live
 * over the port by admission/asker. An unanswered question is *unknown*, never "no".
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/model/object.h"
#include "probate/model/ref.h"

enum prb_question_type {
    PRB_ASK_OBJECT,   /* does this object exist, and what is its metadata? */
    PRB_ASK_RESOURCE, /* which resource is this kind? (group, kind) */
};

enum prb_answer_state {
    PRB_UNKNOWN, /* not asked, not answered, or answered with an error: see `error` */
    PRB_ABSENT,  /* positively not there, or not served */
    PRB_PRESENT,
};

struct prb_question {
    enum prb_question_type type;
    struct prb_ref ref;         /* OBJECT */
    char group[PRB_GROUP_SIZE]; /* RESOURCE: a kind of this group */
    char kind[PRB_RESOURCE_SIZE];

    /* Filled in by the asker: */
    enum prb_answer_state state;
    struct prb_object *object;        /* owned; OBJECT and PRESENT */
    char resource[PRB_RESOURCE_SIZE]; /* RESOURCE and PRESENT: its plural */
    bool namespaced;                  /* RESOURCE and PRESENT */
    struct prb_error error;           /* UNKNOWN: why */
};

/* A review asks about one cluster and one addon, and about the kinds of a work's manifests; past
 * this the rest stay unknown. */
#define PRB_QUESTIONS_MAX 32

/* Kinds only sharpen a warning. However many a work has, there is room for the objects that its
 * verdict depends on. */
#define PRB_RESOURCE_QUESTIONS_MAX 24

struct prb_questions {
    struct prb_question *items; /* owned */
    size_t count;
};

void prb_questions_init(struct prb_questions *questions);
void prb_questions_done(struct prb_questions *questions);
static inline void prb_questions_donep(struct prb_questions *questions)
{
    prb_questions_done(questions);
}

/* Add a question unless it is there already or the list is full. */
void prb_ask_object(struct prb_questions *questions, const struct prb_ref *ref);
void prb_ask_resource(struct prb_questions *questions, const char *group, const char *kind);

/* The question with its answer; NULL when it was never asked (treat as unknown). */
const struct prb_question *prb_answer_object(
        const struct prb_questions *questions, const struct prb_ref *ref);
const struct prb_question *prb_answer_resource(
        const struct prb_questions *questions, const char *group, const char *kind);

#endif
