#ifndef PROBATE_CORE_QUESTION_H
#define PROBATE_CORE_QUESTION_H

/*
 * What a rule must know beyond the snapshot: questions it lists before it judges, answered live
 * over the port by admission/asker. An unanswered question is *unknown*, never "no".
 *
 * Rules are asked for questions again when those they had are answered: what an answer brings up
 * (the criteria of a CriticalService that only a live list showed) is asked in the next round.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/core/request.h"
#include "probate/model/holder.h"
#include "probate/model/object.h"
#include "probate/model/ref.h"

enum prb_question_type {
    PRB_ASK_OBJECT,    /* does this object exist, and what is its metadata? */
    PRB_ASK_RESOURCE,  /* which resource is this kind? (group, and the kind exactly) */
    PRB_ASK_NAMED,     /* as OBJECT, for a resource as people write it */
    PRB_ASK_FINALIZER, /* which objects of a resource, as people write it, have this finalizer? */
    PRB_ASK_LIST,      /* which objects does this collection have? With their bodies */
    PRB_ASK_ACCESS,    /* may this user do that? (SubjectAccessReview) */
};

enum prb_answer_state {
    PRB_UNKNOWN, /* not asked, not answered, or answered with an error: see `error` */
    PRB_ABSENT,  /* positively not there, or not served (then `error.reason` is NotServed);
                    FINALIZER: no object has it; ACCESS: no */
    PRB_PRESENT, /* there; FINALIZER: some object has it; LIST: read whole; ACCESS: yes */
};

struct prb_question {
    enum prb_question_type type;
    struct prb_ref ref; /* OBJECT, ACCESS; of LIST the gvr; of NAMED namespace and name */

    /* RESOURCE: a kind of this group. NAMED and FINALIZER: plural, singular, kind or short name, in
     * any case, of this group. */
    char group[PRB_GROUP_SIZE];
    char kind[PRB_RESOURCE_SIZE];
    char *finalizer;             /* owned; FINALIZER */
    const char *verb;            /* static; ACCESS */
    struct prb_subject *subject; /* owned reference; ACCESS: who */

    /* Filled in by the asker: */
    bool asked; /* was put to the server, or given up: a further round leaves it alone */
    enum prb_answer_state state;
    struct prb_object *object; /* owned; OBJECT or NAMED, and PRESENT */

    /* RESOURCE, and PRESENT: its plural. NAMED and FINALIZER, when it was found: likewise; "" when
     * the server positively does not serve it. */
    char resource[PRB_RESOURCE_SIZE];
    char version[PRB_VERSION_SIZE]; /* NAMED and FINALIZER: the version asked */
    bool namespaced;                /* with `resource` */

    struct prb_holders holders; /* FINALIZER and PRESENT */

    struct prb_object **objects; /* owned, as each reference in it; LIST and PRESENT */
    size_t object_count;

    /* UNKNOWN: why. INVALID: NAMED was asked with a namespace of a cluster-scoped resource, or
     * without one of a namespaced one: a GET there would read as "gone". */
    struct prb_error error;
};

/*
 * A review asks about one cluster and one addon, or the criteria of the CriticalServices of one
 * provider, or all those of a namespace: eight with as many criteria as one may have. Past this the
 * rest stay unknown.
 */
#define PRB_QUESTIONS_MAX 256

/* Kinds only sharpen a warning. However many a work has, there is room for the objects that its
 * verdict depends on. */
#define PRB_RESOURCE_QUESTIONS_MAX 24

/* Rounds of questions for one review: a list, what is in it, what that brings up. */
#define PRB_ASK_ROUNDS_MAX 4

/* Objects of a LIST; it is for kinds of which a cluster has a few. Past this it is UNKNOWN. */
#define PRB_ASK_LIST_MAX 5000

struct prb_questions {
    struct prb_question *items; /* owned; they stay where they are while others are added */
    size_t count;
    int rounds; /* how often the rules were asked for some */
};

void prb_questions_init(struct prb_questions *questions);
void prb_questions_done(struct prb_questions *questions);
static inline void prb_questions_donep(struct prb_questions *questions)
{
    prb_questions_done(questions);
}

/* What `from` asks, without an answer: a question of its own, which owns all it holds. */
struct prb_question prb_question_copy(const struct prb_question *from);
void prb_question_done(struct prb_question *question);

/* Questions that no round has put to the server yet. */
size_t prb_questions_open(const struct prb_questions *questions);

/* Add a question unless it is there already or the list is full. Names that do not fit, or could
 * not be in a URL, are never asked about: they stay unknown. */
void prb_ask_object(struct prb_questions *questions, const struct prb_ref *ref);
void prb_ask_resource(struct prb_questions *questions, const char *group, const char *kind);
void prb_ask_named(struct prb_questions *questions, const char *group, const char *resource,
        const char *namespace, const char *name);
void prb_ask_finalizer(struct prb_questions *questions, const char *group, const char *resource,
        const char *finalizer);
void prb_ask_list(struct prb_questions *questions, const struct prb_gvr *gvr);

/* May whoever sent the request do `verb` (static) on `ref`? */
void prb_ask_access(struct prb_questions *questions, const struct prb_request *request,
        const char *verb, const struct prb_ref *ref);

/* The question with its answer; NULL when it was never asked (treat as unknown). */
const struct prb_question *prb_answer_object(
        const struct prb_questions *questions, const struct prb_ref *ref);
const struct prb_question *prb_answer_resource(
        const struct prb_questions *questions, const char *group, const char *kind);
const struct prb_question *prb_answer_named(const struct prb_questions *questions,
        const char *group, const char *resource, const char *namespace, const char *name);
const struct prb_question *prb_answer_finalizer(const struct prb_questions *questions,
        const char *group, const char *resource, const char *finalizer);
const struct prb_question *prb_answer_list(
        const struct prb_questions *questions, const struct prb_gvr *gvr);
const struct prb_question *prb_answer_access(
        const struct prb_questions *questions, const char *verb, const struct prb_ref *ref);

#endif
