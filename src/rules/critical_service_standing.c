/* Does a criterion hold, and does a guard let its ward go? */

#include "critical_service_standing.h"

void prb_criterion_ask(const struct prb_criterion *criterion, struct prb_questions *out)
{
    switch (criterion->type) {
    case PRB_CRITERION_UNKNOWN:
        break;
    case PRB_CRITERION_FINALIZER:
        prb_ask_finalizer(out, criterion->group, criterion->resource, criterion->finalizer);
        break;
    case PRB_CRITERION_RESOURCE:
        prb_ask_named(
                out, criterion->group, criterion->resource, criterion->namespace, criterion->name);
        break;
    }
}

static const struct prb_question *find_answer(
        const struct prb_criterion *criterion, const struct prb_questions *answers)
{
    switch (criterion->type) {
    case PRB_CRITERION_UNKNOWN:
        break;
    case PRB_CRITERION_FINALIZER:
        return prb_answer_finalizer(
                answers, criterion->group, criterion->resource, criterion->finalizer);
    case PRB_CRITERION_RESOURCE:
        return prb_answer_named(answers, criterion->group, criterion->resource,
                criterion->namespace, criterion->name);
    }
    return NULL;
}

/* What is no name of anything is never asked about, by whichever review. */
static bool can_be_asked(const struct prb_criterion *criterion)
{
    prb_auto(prb_questions_done) struct prb_questions trial;

    prb_questions_init(&trial);
    prb_criterion_ask(criterion, &trial);
    return trial.count > 0;
}

enum prb_standing prb_presence_standing(const struct prb_question *answer)
{
    if (!answer)
        return PRB_UNCHECKED;
    if (answer->state == PRB_PRESENT)
        return PRB_UNMET;

    /* Every API server has Deployments: who knows none at all says nothing about a provider. */
    if (answer->state == PRB_ABSENT && answer->type == PRB_ASK_OBJECT &&
            prb_streq(answer->error.reason, "NotServed"))
        return PRB_UNCHECKED;
    if (answer->state == PRB_ABSENT)
        return PRB_HOLDS;
    if (answer->error.code == PRB_E_FORBIDDEN)
        return PRB_FORBIDDEN;

    /* Wrong scope, or a resource that can be neither listed nor read: tomorrow too. */
    if (answer->error.code == PRB_E_INVALID || answer->error.code == PRB_E_UNSUPPORTED)
        return PRB_MISTAKEN;
    return PRB_UNCHECKED;
}

enum prb_standing prb_criterion_standing(const struct prb_criterion *criterion,
        const struct prb_questions *answers, const struct prb_question **ret_answer)
{
    *ret_answer = find_answer(criterion, answers);
    if (!*ret_answer && !can_be_asked(criterion))
        return PRB_MISTAKEN;
    return prb_presence_standing(*ret_answer);
}

bool prb_criterion_is_inside(const struct prb_criterion *criterion,
        const struct prb_question *answer, const char *namespace)
{
    if (criterion->type == PRB_CRITERION_RESOURCE)
        return prb_streq(criterion->namespace, namespace);
    for (size_t i = 0; answer && i < answer->holders.count; i++) {
        if (prb_streq(answer->holders.items[i].namespace, namespace))
            return true;
    }
    return false;
}

const struct prb_question *prb_provider_answer(
        const struct prb_critical_service *service, const struct prb_questions *answers)
{
    struct prb_ref provider;

    if (!prb_critical_service_provider(service, &provider))
        return NULL;
    return prb_answer_object(answers, &provider);
}

/* The provider of a Namespace and its criteria at once: a second round would take as long again. */
void prb_guard_ask(const struct prb_ward *ward, const struct prb_critical_service *guard,
        struct prb_questions *out)
{
    struct prb_ref provider;

    if (ward->is_namespace && prb_critical_service_provider(guard, &provider))
        prb_ask_object(out, &provider);
    for (size_t i = 0; i < guard->criterion_count; i++)
        prb_criterion_ask(&guard->criteria[i], out);
}

/* A Namespace is guarded for the sake of a provider that is there. */
static bool settle_provider(const struct prb_critical_service *guard,
        const struct prb_questions *answers, struct prb_tally *tally)
{
    enum prb_standing standing = PRB_HOLDS;
    struct prb_ref ref;

    if (prb_critical_service_provider(guard, &ref))
        standing = prb_presence_standing(prb_answer_object(answers, &ref));
    if (standing == PRB_UNMET)
        return false;
    tally->provider_gone = standing == PRB_HOLDS;
    tally->provider_unclear = !tally->provider_gone;
    tally->counts[standing]++;
    return true;
}

void prb_guard_tally(const struct prb_ward *ward, const struct prb_critical_service *guard,
        const struct prb_questions *answers, struct prb_tally *ret)
{
    *ret = (struct prb_tally){ .provider_gone = false };
    if (prb_critical_service_is_blank(guard)) {
        ret->counts[PRB_MISTAKEN]++;
        return;
    }
    if (ward->is_namespace && settle_provider(guard, answers, ret))
        return;
    for (size_t i = 0; i < guard->criterion_count; i++) {
        const struct prb_question *answer;

        ret->counts[prb_criterion_standing(&guard->criteria[i], answers, &answer)]++;
    }
    if (guard->too_many)
        ret->counts[PRB_MISTAKEN]++;
}

bool prb_tally_stands(const struct prb_tally *tally)
{
    return tally->counts[PRB_UNMET] + tally->counts[PRB_FORBIDDEN] + tally->counts[PRB_MISTAKEN] +
                   tally->counts[PRB_UNCHECKED] >
           0;
}
