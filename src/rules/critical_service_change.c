/* May a CriticalService be written as it is? */

#include "critical_service_change.h"

#include "probate/base/str.h"

#include "critical_service_delete.h"
#include "critical_service_loosen.h"
#include "critical_service_text.h"
#include "critical_service_valid.h"
#include "setting.h"

/* What is refused, in words. */
struct matter {
    char subject[PRB_SUBJECT_SIZE];
    const char *refused; /* static: "cannot be created" */
};

/* Another spelling of the same Deployment is none. */
static bool is_other_provider(const struct prb_service_change *change)
{
    struct prb_ref now, before;

    if (!change->before.object)
        return true;
    if (prb_critical_service_provider(&change->now, &now) &&
            prb_critical_service_provider(&change->before, &before))
        return !prb_ref_equal(&now, &before);
    return prb_setting_changed(change->request, "provider");
}

static bool had(const struct prb_service_change *change, const struct prb_criterion *criterion)
{
    for (size_t i = 0; i < change->before.criterion_count; i++) {
        if (prb_criterion_equal(&change->before.criteria[i], criterion))
            return true;
    }
    return false;
}

bool prb_service_change_read(const struct prb_request *request, struct prb_service_change *ret)
{
    *ret = (struct prb_service_change){ .request = request };
    if (!request->object)
        return false;
    prb_critical_service_read(request->object, &ret->now);
    if (request->old)
        prb_critical_service_read(request->old, &ret->before);
    ret->provider = is_other_provider(ret);
    ret->criteria = !ret->before.object || prb_setting_changed(request, "criteria");
    ret->tightened = ret->before.best_effort && !ret->now.best_effort;
    for (size_t i = 0; i < ret->now.criterion_count; i++)
        ret->fresh[i] = !had(ret, &ret->now.criteria[i]);

    /* To let it go is always possible, whoever cannot be asked. */
    if (prb_request_is_deleting(request))
        return false;
    ret->loosens =
            ret->before.object && prb_loosening_find(&ret->before, &ret->now, &ret->loosening);
    return ret->provider || ret->criteria || ret->tightened || ret->loosens;
}

static bool is_well_formed(const struct prb_request *request)
{
    prb_auto(prb_verdict_done) struct prb_verdict verdict;

    prb_verdict_init(&verdict);
    prb_critical_service_check(request, &verdict);
    return prb_verdict_allows(&verdict);
}

/* Another policy that is not stricter cannot. */
static bool may_close_circle(const struct prb_service_change *change)
{
    return change->provider || change->criteria || change->tightened;
}

void prb_service_change_ask(
        const struct prb_request *request, const struct prb_view *view, struct prb_questions *out)
{
    struct prb_service_change change;
    struct prb_ref ref;

    if (!prb_service_change_read(request, &change) || !is_well_formed(request))
        return;
    if (may_close_circle(&change))
        prb_ask_list(out, &prb_critical_services);
    if ((change.provider || change.criteria) && prb_critical_service_provider(&change.now, &ref))
        prb_ask_access(out, request, "delete", &ref);
    for (size_t i = 0; i < change.now.criterion_count; i++) {
        if (change.fresh[i])
            prb_criterion_ask(&change.now.criteria[i], out);
    }
    prb_loosen_ask(&change, view, out);
}

static void deny_unsure_access(const struct prb_question *answer, const struct matter *matter,
        const char *provider, struct prb_verdict *out)
{
    if (answer && answer->error.code == PRB_E_UNSUPPORTED)
        prb_caution(out,
                "it was not checked whether you may delete %s, which whoever protects it must: "
                "there is nobody here who could be asked",
                provider);
    else if (answer && answer->error.code == PRB_E_FORBIDDEN)
        prb_forbid(out,
                "%s %s: Probate must check whether you may delete %s and lacks the right to (verb "
                "\"create\" on subjectaccessreviews.authorization.k8s.io; \"probate manifest "
                "rbac\" prints what is needed)",
                matter->subject, matter->refused, provider);
    else if (answer && !prb_errc_is_transient(answer->error.code) && answer->error.code != PRB_OK)
        prb_forbid(out, "%s %s: it could not be checked whether you may delete %s (%s)",
                matter->subject, matter->refused, provider, prb_silence_text(answer));
    else
        prb_unverified(out, PRB_RETRY_S,
                "%s %s now: it could not be checked whether you may delete %s (%s). Try again",
                matter->subject, matter->refused, provider, prb_silence_text(answer));
}

/* Protection must not be a way to make somebody else's namespace immortal. */
static void check_access(const struct prb_service_change *change, const struct matter *matter,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    char provider[PRB_SUBJECT_SIZE], user[PRB_SHOWN_SIZE];
    const struct prb_question *answer;
    struct prb_ref ref;

    if (!prb_critical_service_provider(&change->now, &ref))
        return;
    answer = prb_answer_access(answers, "delete", &ref);
    (void)prb_provider_text(&change->now, provider);
    if (!answer || answer->state == PRB_UNKNOWN)
        deny_unsure_access(answer, matter, provider, out);
    else if (answer->state == PRB_ABSENT)
        prb_forbid(out,
                "%s %s: who protects %s must have the right to delete it, and %s has not (verb "
                "\"delete\" on deployments.apps, namespace %s, name %s). Ask for that right, or "
                "let somebody who has it do this",
                matter->subject, matter->refused, provider,
                prb_shown_name(change->request->subject->user, user), ref.namespace, ref.name);
}

static bool demands_more(const struct prb_service_change *change)
{
    for (size_t i = 0; i < change->now.criterion_count; i++) {
        if (change->fresh[i])
            return true;
    }
    return change->now.too_many && !change->before.too_many;
}

/* It guards until it is gone, which a finalizer may put off for ever. So what is going must not
 * come to guard something by a way on which nobody is asked; to demand less is free. */
static void check_going(const struct prb_service_change *change, struct prb_verdict *out)
{
    char subject[PRB_SUBJECT_SIZE];

    if (change->provider || demands_more(change))
        prb_forbid(out,
                "%s cannot be changed: it is being deleted, and until it is gone spec.provider "
                "stays as it is and spec.criteria get no more. Create another CriticalService for "
                "what is to be protected from now on",
                prb_shown_subject(change->request, subject));
}

static void check_live(const struct prb_service_change *change, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    const struct prb_question *list = prb_answer_list(answers, &prb_critical_services);
    struct matter matter = { .refused = change->before.object ? "cannot be changed"
                                                              : "cannot be created" };

    (void)prb_shown_subject(change->request, matter.subject);
    prb_loosen_judge(change, view, answers, out);
    prb_service_change_check_criteria(change, answers, out);
    if (list && list->state != PRB_UNKNOWN)
        prb_service_change_check_deadlock(change, list, out);
    else if (may_close_circle(change))
        prb_deny_unlisted(list, matter.subject, matter.refused, out);
    if (change->provider || change->criteria)
        check_access(change, &matter, answers, out);
}

void prb_service_change_judge(const struct prb_request *request, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    struct prb_service_change change;
    bool live = prb_service_change_read(request, &change);

    if (!request->object)
        return;
    if (prb_request_is_deleting(request)) {
        check_going(&change, out);
        return;
    }
    prb_critical_service_check(request, out);
    if (live && prb_verdict_allows(out))
        check_live(&change, view, answers, out);
}
