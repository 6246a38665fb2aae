/* May a CriticalService itself go? */

#include "critical_service_release.h"

#include "critical_service_override.h"
#include "critical_service_text.h"

/* Does it have to stay for its provider's sake, or for one that it does not show? By what is
 * stored: the policy may have changed a moment ago. */
static bool begin(const struct prb_request *request, struct prb_critical_service *service,
        struct prb_ref *provider)
{
    if (!request->old || prb_request_is_deleting(request))
        return false;
    prb_critical_service_read(request->old, service);
    return !service->best_effort && (prb_critical_service_is_blank(service) ||
                                            prb_critical_service_provider(service, provider));
}

/* The answer about its provider. NULL: nobody asked, or the CriticalService shows none. */
static const struct prb_question *answer_of(const struct prb_critical_service *service,
        const struct prb_ref *provider, const struct prb_questions *answers)
{
    return prb_critical_service_is_blank(service) ? NULL : prb_answer_object(answers, provider);
}

static void only(const struct prb_critical_service *service, struct prb_guards *ret)
{
    prb_guards_init(ret);
    prb_guards_add(ret, service);
}

void prb_release_ask(
        const struct prb_request *request, const struct prb_view *view, struct prb_questions *out)
{
    prb_auto(prb_guards_done) struct prb_guards itself = { .items = NULL };
    struct prb_critical_service service;
    struct prb_ref provider;

    if (!begin(request, &service, &provider))
        return;
    if (!prb_critical_service_is_blank(&service))
        prb_ask_object(out, &provider);
    if (prb_questions_open(out) > 0 ||
            prb_presence_standing(answer_of(&service, &provider, out)) == PRB_HOLDS)
        return;
    only(&service, &itself);
    prb_override_ask(request, prb_view_now_ms(view), &itself, out);
}

void prb_release_why_text(const struct prb_critical_service *service,
        const struct prb_question *answer, int64_t now_ms, struct prb_str *out)
{
    enum prb_standing standing = prb_presence_standing(answer);
    char provider[PRB_SUBJECT_SIZE];

    if (prb_critical_service_is_blank(service)) {
        prb_str_add(out, "it ");
        prb_blank_text(service, out);
        return;
    }
    (void)prb_provider_text(service, provider);
    if (standing == PRB_UNMET) {
        prb_str_addf(out, "its provider, %s, is still there (", provider);
        prb_presence_text(answer->object, now_ms, out);
        prb_str_add(out, ")");
    } else if (standing == PRB_FORBIDDEN) {
        prb_str_addf(out,
                "Probate must look up its provider, %s, and lacks the right to (verb \"get\" on "
                "deployments.apps; \"probate manifest rbac\" prints what is needed)",
                provider);
    } else {
        prb_str_addf(out, "its provider, %s, could not be looked up at the API server (%s)",
                provider, prb_silence_text(answer));
    }
}

/* It stays, for this reason; `how` is about break-glass. */
static void deny(enum prb_standing standing, const char *subject, const char *why, const char *how,
        struct prb_verdict *out)
{
    static const char policy[] = "set spec.deletionPolicy: BestEffort, once all criteria hold, to "
                                 "let the CriticalService go before it";

    if (standing == PRB_UNMET)
        prb_forbid(out, "%s cannot be deleted yet: %s. Delete that first, or %s. %s", subject, why,
                policy, how);
    else if (standing == PRB_FORBIDDEN)
        prb_forbid(
                out, "%s cannot be deleted: %s. Mend that, or %s. %s", subject, why, policy, how);
    else
        prb_unverified(out, PRB_RETRY_S, "%s cannot be deleted now: %s. Try again, or %s. %s",
                subject, why, policy, how);
}

void prb_release_judge(const struct prb_request *request, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    prb_auto(prb_guards_done) struct prb_guards itself = { .items = NULL };
    prb_auto(prb_str_done) struct prb_str why, how;
    const int64_t now_ms = prb_view_now_ms(view);
    struct prb_critical_service service;
    const struct prb_question *answer;
    char subject[PRB_SUBJECT_SIZE];
    struct prb_ref provider;

    prb_str_init(&why, PRB_SENTENCE_MAX);
    prb_str_init(&how, PRB_SENTENCE_MAX);
    if (!begin(request, &service, &provider))
        return;
    answer = answer_of(&service, &provider, answers);
    if (prb_presence_standing(answer) == PRB_HOLDS)
        return;
    only(&service, &itself);
    (void)prb_shown_subject(request, subject);
    prb_release_why_text(&service, answer, now_ms, &why);
    if (prb_override_granted(request, now_ms, &itself, answers, &how)) {
        prb_override_let(request, now_ms, &itself, subject, prb_str_get(&why), out);
        return;
    }
    prb_guards_note(request, &itself, PRB_NOTE_DENIED, prb_str_get(&why), out);
    if (prb_critical_service_is_blank(&service)) {
        prb_forbid(
                out, "%s cannot be deleted: %s. %s", subject, prb_str_get(&why), prb_str_get(&how));
        return;
    }
    deny(prb_presence_standing(answer), subject, prb_str_get(&why), prb_str_get(&how), out);
}
