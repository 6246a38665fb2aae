/* Which questions has a rule? Each is asked once, and its answer found by asking it again. */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "question_list.h"

/* Do both ask the same? What was answered is not looked at. Of ACCESS the subject is not, either:
 * all questions of a review are about who sent it. */
static bool is_same(const struct prb_question *a, const struct prb_question *b)
{
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case PRB_ASK_OBJECT:
        return prb_ref_equal(&a->ref, &b->ref);
    case PRB_ASK_RESOURCE:
        return prb_streq(a->group, b->group) && prb_streq(a->kind, b->kind);
    case PRB_ASK_NAMED:
        return prb_streq(a->group, b->group) && prb_streq(a->kind, b->kind) &&
               prb_ref_equal(&a->ref, &b->ref);
    case PRB_ASK_FINALIZER:
        return prb_streq(a->group, b->group) && prb_streq(a->kind, b->kind) &&
               prb_streq(a->finalizer, b->finalizer);
    case PRB_ASK_LIST:
        return prb_gvr_equal(&a->ref.gvr, &b->ref.gvr);
    case PRB_ASK_ACCESS:
        return prb_streq(a->verb, b->verb) && prb_ref_equal(&a->ref, &b->ref);
    }
    return false;
}

static const struct prb_question *find(
        const struct prb_questions *questions, const struct prb_question *wanted)
{
    for (size_t i = 0; i < questions->count; i++) {
        if (is_same(&questions->items[i], wanted))
            return &questions->items[i];
    }
    return NULL;
}

static size_t count_of(const struct prb_questions *questions, enum prb_question_type type)
{
    size_t count = 0;

    for (size_t i = 0; i < questions->count; i++)
        count += questions->items[i].type == type;
    return count;
}

/* What a question is about: */

static struct prb_question about_object(const struct prb_ref *ref)
{
    return (struct prb_question){ .type = PRB_ASK_OBJECT, .ref = *ref };
}

/* False: a name that does not fit is no name of a kind. */
static bool about_resource(const char *group, const char *kind, struct prb_question *ret)
{
    *ret = (struct prb_question){ .type = PRB_ASK_RESOURCE };
    return prb_copy(ret->group, sizeof(ret->group), group) &&
           prb_copy(ret->kind, sizeof(ret->kind), kind);
}

static void lower(char *text)
{
    for (; *text; text++) {
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
    }
}

/* Could (group, resource) be found by discovery at all? Kinds are plurals but for their case. */
static bool is_written(const char *group, const char *resource)
{
    char plural[PRB_RESOURCE_SIZE];
    struct prb_gvr gvr;

    if (!prb_copy(plural, sizeof(plural), resource))
        return false;
    lower(plural);
    return prb_gvr_init(&gvr, group, "v1", plural);
}

static bool about_named(const char *group, const char *resource, const char *namespace,
        const char *name, struct prb_question *ret)
{
    static const struct prb_gvr not_known_yet;

    *ret = (struct prb_question){ .type = PRB_ASK_NAMED };
    return is_written(group, resource) && prb_copy(ret->group, sizeof(ret->group), group) &&
           prb_copy(ret->kind, sizeof(ret->kind), resource) &&
           prb_ref_init(&ret->ref, &not_known_yet, namespace, name);
}

/* Takes nothing: the finalizer is that of the caller. */
static bool about_finalizer(
        const char *group, const char *resource, char *const *finalizer, struct prb_question *ret)
{
    *ret = (struct prb_question){ .type = PRB_ASK_FINALIZER, .finalizer = *finalizer };
    return ret->finalizer && ret->finalizer[0] && is_written(group, resource) &&
           prb_copy(ret->group, sizeof(ret->group), group) &&
           prb_copy(ret->kind, sizeof(ret->kind), resource);
}

static struct prb_question about_list(const struct prb_gvr *gvr)
{
    return (struct prb_question){ .type = PRB_ASK_LIST, .ref.gvr = *gvr };
}

static struct prb_question about_access(const char *verb, const struct prb_ref *ref)
{
    return (struct prb_question){ .type = PRB_ASK_ACCESS, .verb = verb, .ref = *ref };
}

static void ask(struct prb_questions *questions, const struct prb_question *question)
{
    if (!find(questions, question))
        (void)prb_questions_add(questions, question);
}

void prb_ask_object(struct prb_questions *questions, const struct prb_ref *ref)
{
    const struct prb_question question = about_object(ref);

    ask(questions, &question);
}

void prb_ask_resource(struct prb_questions *questions, const char *group, const char *kind)
{
    struct prb_question question;

    if (about_resource(group, kind, &question) &&
            count_of(questions, PRB_ASK_RESOURCE) < PRB_RESOURCE_QUESTIONS_MAX)
        ask(questions, &question);
}

void prb_ask_named(struct prb_questions *questions, const char *group, const char *resource,
        const char *namespace, const char *name)
{
    struct prb_question question;

    if (about_named(group, resource, namespace, name, &question))
        ask(questions, &question);
}

void prb_ask_finalizer(struct prb_questions *questions, const char *group, const char *resource,
        const char *finalizer)
{
    prb_autofree char *copy = prb_strdup(finalizer);
    struct prb_question question;

    if (about_finalizer(group, resource, &copy, &question) && !find(questions, &question) &&
            prb_questions_add(questions, &question))
        (void)prb_take(copy);
}

void prb_ask_list(struct prb_questions *questions, const struct prb_gvr *gvr)
{
    const struct prb_question question = about_list(gvr);

    ask(questions, &question);
}

void prb_ask_access(struct prb_questions *questions, const struct prb_request *request,
        const char *verb, const struct prb_ref *ref)
{
    struct prb_question question = about_access(verb, ref);

    if (find(questions, &question))
        return;
    question.subject = prb_subject_ref(request->subject);
    if (!prb_questions_add(questions, &question))
        prb_subject_unref(question.subject);
}

const struct prb_question *prb_answer_object(
        const struct prb_questions *questions, const struct prb_ref *ref)
{
    const struct prb_question question = about_object(ref);

    return find(questions, &question);
}

const struct prb_question *prb_answer_resource(
        const struct prb_questions *questions, const char *group, const char *kind)
{
    struct prb_question question;

    return about_resource(group, kind, &question) ? find(questions, &question) : NULL;
}

const struct prb_question *prb_answer_named(const struct prb_questions *questions,
        const char *group, const char *resource, const char *namespace, const char *name)
{
    struct prb_question question;

    return about_named(group, resource, namespace, name, &question) ? find(questions, &question)
                                                                    : NULL;
}

const struct prb_question *prb_answer_finalizer(const struct prb_questions *questions,
        const char *group, const char *resource, const char *finalizer)
{
    prb_autofree char *copy = prb_strdup(finalizer);
    struct prb_question question;

    return about_finalizer(group, resource, &copy, &question) ? find(questions, &question) : NULL;
}

const struct prb_question *prb_answer_list(
        const struct prb_questions *questions, const struct prb_gvr *gvr)
{
    const struct prb_question question = about_list(gvr);

    return find(questions, &question);
}

const struct prb_question *prb_answer_access(
        const struct prb_questions *questions, const char *verb, const struct prb_ref *ref)
{
    const struct prb_question question = about_access(verb, ref);

    return find(questions, &question);
}
