/* What does the API server say to one question? */

#include "asker_question.h"

#include "probate/base/metrics.h"
#include "probate/base/str.h"

/* One call may not outlast what the port allows for any. */
#define CALL_MS_MAX PRB_API_TIMEOUT_MS

static struct prb_metric questions_total = {
    .name = "probate_questions_total",
    .help = "Questions of reviews that were put to the API server, by type and answer.",
    .type = PRB_COUNTER,
    .labels = { "type", "answer" },
};

static void count(const struct prb_question *question)
{
    static const char *const types[] = {
        [PRB_ASK_OBJECT] = "object",
        [PRB_ASK_RESOURCE] = "resource",
        [PRB_ASK_NAMED] = "named",
        [PRB_ASK_FINALIZER] = "finalizer",
        [PRB_ASK_LIST] = "list",
        [PRB_ASK_ACCESS] = "access",
    };
    static const char *const answers[] = {
        [PRB_UNKNOWN] = "unknown",
        [PRB_ABSENT] = "absent",
        [PRB_PRESENT] = "present",
    };

    prb_metric_add(&questions_total, 1, types[question->type], answers[question->state]);
}

int prb_inquiry_timeout(const struct prb_inquiry *inquiry)
{
    int64_t left_ms = inquiry->deadline_ms - inquiry->clock->mono_ms(inquiry->clock);

    if (left_ms < 1)
        return 1;
    return left_ms < CALL_MS_MAX ? (int)left_ms : CALL_MS_MAX;
}

static int get(
        const struct prb_inquiry *inquiry, const struct prb_ref *ref, struct prb_question *question)
{
    const struct prb_get_options options = {
        .metadata_only = true,
        .timeout_ms = prb_inquiry_timeout(inquiry),
    };

    return prb_api_get(inquiry->api, ref, &options, &question->object, &question->error);
}

static int ask_resource(const struct prb_inquiry *inquiry, struct prb_question *question)
{
    struct prb_resource resource;
    int r = prb_api_resolve(
            inquiry->api, question->group, question->kind, &resource, &question->error);

    if (r < 0)
        return r;

    /* Resources are found by other names too, and this was one. */
    if (!prb_streq(resource.kind, question->kind))
        return prb_fail(&question->error, PRB_E_INVALID, "\"%s\" names %s, but is not its kind",
                question->kind, resource.gvr.resource);
    (void)prb_copy(question->resource, sizeof(question->resource), resource.gvr.resource);
    question->namespaced = resource.namespaced;
    return 0;
}

/* A GET in the wrong scope is a 404, too, and would read as "gone". */
static int get_named(const struct prb_inquiry *inquiry, struct prb_question *question,
        const struct prb_resource *resource)
{
    bool has_namespace = question->ref.namespace[0] != '\0';
    struct prb_ref ref = question->ref;

    if (resource->namespaced && !has_namespace)
        return prb_fail(&question->error, PRB_E_INVALID,
                "%s are namespaced, and no namespace is named", resource->gvr.resource);
    if (!resource->namespaced && has_namespace)
        return prb_fail(&question->error, PRB_E_INVALID,
                "%s are cluster-scoped, but the namespace %s is named", resource->gvr.resource,
                ref.namespace);
    ref.gvr = resource->gvr;
    return get(inquiry, &ref, question);
}

static int ask_access(
        const struct prb_inquiry *inquiry, struct prb_question *question, bool *ret_may)
{
    const struct prb_subject *subject = question->subject;
    const struct prb_access_question access = {
        .user = subject->user,
        .uid = subject->uid,
        .groups = (const char *const *)subject->groups,
        .extra = subject->extra,
        .verb = question->verb,
        .group = question->ref.gvr.group,
        .resource = question->ref.gvr.resource,
        .namespace = question->ref.namespace,
        .name = question->ref.name,
        .timeout_ms = prb_inquiry_timeout(inquiry),
    };
    enum prb_access answer;
    int r;

    if (subject->extra_cut)
        return prb_fail(&question->error, PRB_E_INVALID,
                "whether %s may cannot be asked: userInfo.extra is too large to be passed on, and "
                "without it the answer might be another one",
                subject->user);
    r = prb_api_may(inquiry->api, &access, &answer, &question->error);
    if (r == 0)
        *ret_may = answer == PRB_ACCESS_ALLOWED;
    return r;
}

/* Everything but "not there" leaves it open. `yes`: what a good answer says. */
static enum prb_answer_state state_of(int r, bool yes)
{
    if (r == 0)
        return yes ? PRB_PRESENT : PRB_ABSENT;
    return r == PRB_E_NOTFOUND ? PRB_ABSENT : PRB_UNKNOWN;
}

static enum prb_answer_state ask(const struct prb_inquiry *inquiry, struct prb_question *question)
{
    bool yes = true;
    int r = 0;

    switch (question->type) {
    case PRB_ASK_OBJECT:
        r = get(inquiry, &question->ref, question);
        break;
    case PRB_ASK_RESOURCE:
        r = ask_resource(inquiry, question);
        break;
    case PRB_ASK_NAMED:
        r = prb_question_search(inquiry, question, get_named);
        break;
    case PRB_ASK_FINALIZER:
        r = prb_question_ask_finalizer(inquiry, question);
        yes = question->holders.count > 0 || question->holders.more;
        break;
    case PRB_ASK_LIST:
        r = prb_question_ask_list(inquiry, question);
        break;
    case PRB_ASK_ACCESS:
        r = ask_access(inquiry, question, &yes);
        if (r < 0)
            return PRB_UNKNOWN; /* that nobody could be asked is no "no" */
        break;
    }
    return state_of(r, yes);
}

void prb_question_ask(const struct prb_inquiry *inquiry, struct prb_question *question)
{
    question->error = (struct prb_error){ .code = PRB_OK };
    question->asked = true;
    question->state = ask(inquiry, question);
    count(question);
}

void prb_question_give_up(struct prb_question *question, const char *text)
{
    question->asked = true;
    question->state = PRB_UNKNOWN;
    (void)prb_fail(&question->error, PRB_E_UNAVAILABLE, "%s", text);
    count(question);
}

/* What one of `count` questions may take of the time that is left. */
static int64_t share_of(int64_t left_ms, size_t count)
{
    return count > 1 ? 1 + left_ms / (int64_t)count : left_ms;
}

static bool is_next(const struct prb_question *question, bool kind)
{
    return !question->asked && (question->type == PRB_ASK_RESOURCE) == kind;
}

/* Kinds, or all others. */
static void ask_all(const struct prb_inquiry *inquiry, struct prb_questions *questions, bool kind)
{
    size_t left = 0;

    for (size_t i = 0; i < questions->count; i++)
        left += is_next(&questions->items[i], kind);
    for (size_t i = 0; i < questions->count; i++) {
        int64_t now_ms = inquiry->clock->mono_ms(inquiry->clock);
        int64_t left_ms = inquiry->deadline_ms - now_ms;
        struct prb_inquiry one = *inquiry;

        if (!is_next(&questions->items[i], kind))
            continue;
        one.deadline_ms = now_ms + share_of(left_ms, left);
        if (left_ms > 0)
            prb_question_ask(&one, &questions->items[i]);
        else
            prb_question_give_up(&questions->items[i], "the time for this request was over");
        left--;
    }
}

void prb_ask_all(struct prb_api *api, const struct prb_clock *clock, int64_t deadline_ms,
        struct prb_questions *questions)
{
    const struct prb_inquiry inquiry = { .api = api, .clock = clock, .deadline_ms = deadline_ms };

    ask_all(&inquiry, questions, false);
    ask_all(&inquiry, questions, true);
}
