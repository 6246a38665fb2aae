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
    static const char *const answers[] = {
        [PRB_UNKNOWN] = "unknown",
        [PRB_ABSENT] = "absent",
        [PRB_PRESENT] = "present",
    };

    prb_metric_add(&questions_total, 1, question->type == PRB_ASK_OBJECT ? "object" : "resource",
            answers[question->state]);
}

/* Everything but "not there" leaves it open. */
static enum prb_answer_state state_of(int r)
{
    if (r == 0)
        return PRB_PRESENT;
    return r == PRB_E_NOTFOUND ? PRB_ABSENT : PRB_UNKNOWN;
}

static int ask_object(struct prb_api *api, struct prb_question *question, int64_t timeout_ms)
{
    const struct prb_get_options options = {
        .metadata_only = true,
        .timeout_ms = timeout_ms < CALL_MS_MAX ? (int)timeout_ms : CALL_MS_MAX,
    };

    return prb_api_get(api, &question->ref, &options, &question->object, &question->error);
}

static int ask_resource(struct prb_api *api, struct prb_question *question)
{
    struct prb_resource resource;
    int r = prb_api_resolve(api, question->group, question->kind, &resource, &question->error);

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

void prb_question_ask(struct prb_api *api, struct prb_question *question, int64_t timeout_ms)
{
    int r = 0;

    question->error = (struct prb_error){ .code = PRB_OK };
    switch (question->type) {
    case PRB_ASK_OBJECT:
        r = ask_object(api, question, timeout_ms);
        break;
    case PRB_ASK_RESOURCE:
        r = ask_resource(api, question);
        break;
    case PRB_ASK_NAMED:
    case PRB_ASK_FINALIZER:
    case PRB_ASK_LIST:
    case PRB_ASK_ACCESS:
        r = prb_fail(&question->error, PRB_E_UNSUPPORTED, "this cannot be asked");
        break;
    }
    question->state = state_of(r);
    count(question);
}

void prb_question_give_up(struct prb_question *question, const char *text)
{
    question->state = PRB_UNKNOWN;
    (void)prb_fail(&question->error, PRB_E_UNAVAILABLE, "%s", text);
    count(question);
}

/* What one of `count` questions may take of the time that is left. */
static int64_t share_of(int64_t left_ms, size_t count)
{
    return count > 1 ? 1 + left_ms / (int64_t)count : left_ms;
}

static void ask_type(struct prb_api *api, const struct prb_clock *clock, int64_t deadline_ms,
        struct prb_questions *questions, enum prb_question_type type)
{
    size_t left = 0;

    for (size_t i = 0; i < questions->count; i++)
        left += questions->items[i].type == type;
    for (size_t i = 0; i < questions->count; i++) {
        int64_t left_ms = deadline_ms - clock->mono_ms(clock);

        if (questions->items[i].type != type)
            continue;
        if (left_ms > 0)
            prb_question_ask(api, &questions->items[i], share_of(left_ms, left));
        else
            prb_question_give_up(&questions->items[i], "the time for this request was over");
        left--;
    }
}

void prb_ask_all(struct prb_api *api, const struct prb_clock *clock, int64_t deadline_ms,
        struct prb_questions *questions)
{
    ask_type(api, clock, deadline_ms, questions, PRB_ASK_OBJECT);
    ask_type(api, clock, deadline_ms, questions, PRB_ASK_RESOURCE);
}
