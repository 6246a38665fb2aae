/* May a CriticalService come to hold less than before? */

#include "critical_service_loosen.h"

#include "critical_service_override.h"
#include "critical_service_release.h"
#include "critical_service_text.h"

/* What is to be loosened, and how that stands. */
struct matter {
    const struct prb_service_change *change;
    const struct prb_questions *answers;
    int64_t now_ms;
    struct prb_ward provider;   /* of the CriticalService as it is stored */
    enum prb_standing presence; /* of the provider */
    struct prb_guards itself;   /* the CriticalService as it is stored */
    char subject[PRB_SUBJECT_SIZE];
};

static struct prb_ward ward_of(const struct prb_critical_service *service)
{
    return (struct prb_ward){ .namespace = service->provider.namespace,
        .name = service->provider.name };
}

static enum prb_standing presence_of(
        const struct prb_service_change *change, const struct prb_questions *answers)
{
    return prb_presence_standing(prb_provider_answer(&change->before, answers));
}

void prb_loosen_ask(const struct prb_service_change *change, const struct prb_view *view,
        struct prb_questions *out)
{
    const struct prb_ward provider = ward_of(&change->before);
    prb_auto(prb_guards_done) struct prb_guards itself;
    struct prb_ref ref;

    prb_guards_init(&itself);
    if (!change->loosens)
        return;
    if (prb_critical_service_provider(&change->before, &ref))
        prb_ask_object(out, &ref);

    /* Criteria may take long: they are looked at only for the sake of a provider. */
    if (prb_questions_open(out) > 0 || presence_of(change, out) == PRB_HOLDS)
        return;
    prb_guards_add(&itself, &change->before);
    prb_override_ask(change->request, prb_view_now_ms(view), &itself, out);
    if (!change->loosening.provider)
        prb_guard_ask(&provider, &change->before, out);
}

/* "spec.criteria would no longer demand that no x has the finalizer y" */
static void what_text(const struct prb_loosening *loosening, struct prb_str *out)
{
    if (loosening->policy) {
        prb_str_add(out, "spec.deletionPolicy would be BestEffort");
    } else if (loosening->lost && loosening->lost->type != PRB_CRITERION_UNKNOWN) {
        prb_str_add(out, "spec.criteria would no longer demand that ");
        prb_criterion_text(loosening->lost, out);
    } else {
        prb_str_add(out, "spec.criteria would demand less");
    }
}

/* Its provider is in the way, whatever becomes of the criteria: it stays the provider as long as
 * it is there; or nobody knows whether it is. */
static void deny_for_provider(
        const struct matter *matter, const char *why, const char *how, struct prb_verdict *out)
{
    if (prb_critical_service_is_blank(&matter->change->before))
        prb_forbid(out, "%s cannot be changed: %s. %s", matter->subject, why, how);
    else if (matter->presence == PRB_UNMET)
        prb_forbid(out,
                "%s cannot be changed: spec.provider stays as it is while %s. Delete that "
                "first, or create another CriticalService for the other provider. %s",
                matter->subject, why, how);
    else if (matter->presence == PRB_FORBIDDEN)
        prb_forbid(out, "%s cannot be changed: %s. %s", matter->subject, why, how);
    else
        prb_unverified(out, PRB_RETRY_S, "%s cannot be changed now: %s. Try again. %s",
                matter->subject, why, how);
}

static void judge_by_provider(const struct matter *matter, struct prb_verdict *out)
{
    const struct prb_request *request = matter->change->request;
    prb_auto(prb_str_done) struct prb_str why, how;

    prb_str_init(&why, PRB_SENTENCE_MAX);
    prb_str_init(&how, PRB_SENTENCE_MAX);
    prb_release_why_text(&matter->change->before,
            prb_provider_answer(&matter->change->before, matter->answers), matter->now_ms, &why);
    if (prb_override_granted(request, matter->now_ms, &matter->itself, matter->answers, &how)) {
        prb_override_let(
                request, matter->now_ms, &matter->itself, matter->subject, prb_str_get(&why), out);
        return;
    }
    prb_guards_note(request, &matter->itself, PRB_NOTE_DENIED, prb_str_get(&why), out);
    deny_for_provider(matter, prb_str_get(&why), prb_str_get(&how), out);
}

static void deny_for_criteria(const struct matter *matter, struct prb_objections *objections,
        const char *how, struct prb_verdict *out)
{
    const struct prb_tally *total = &objections->total;
    const char *unchecked = prb_objections_get(&objections->unchecked);
    prb_auto(prb_str_done) struct prb_str what;

    prb_str_init(&what, PRB_SENTENCE_MAX);
    what_text(&matter->change->loosening, &what);
    if (total->counts[PRB_UNMET] > 0)
        prb_forbid(out,
                "%s cannot be loosened yet (%s): %s. Delete these first, or wait until they are "
                "gone, and try again. %s",
                matter->subject, prb_str_get(&what), prb_objections_get(&objections->unmet), how);
    else if (total->counts[PRB_FORBIDDEN] + total->counts[PRB_MISTAKEN] > 0)
        prb_forbid(out, "%s cannot be loosened (%s): %s. %s", matter->subject, prb_str_get(&what),
                unchecked, how);
    else
        prb_unverified(out, PRB_RETRY_S, "%s cannot be loosened now (%s): %s. Try again. %s",
                matter->subject, prb_str_get(&what), unchecked, how);
}

static void judge_by_criteria(const struct matter *matter, struct prb_verdict *out)
{
    const struct prb_request *request = matter->change->request;
    prb_auto(prb_objections_done) struct prb_objections objections;
    prb_auto(prb_str_done) struct prb_str how;
    const char *although;

    prb_str_init(&how, PRB_SENTENCE_MAX);
    prb_objections_init(&objections);
    prb_objections_add(&objections, &matter->provider, &matter->change->before, matter->answers,
            matter->now_ms);
    if (!prb_tally_stands(&objections.total))
        return;
    although = prb_objections_get(
            objections.unmet.len > 0 ? &objections.unmet : &objections.unchecked);
    if (prb_override_granted(request, matter->now_ms, &matter->itself, matter->answers, &how)) {
        prb_override_let(request, matter->now_ms, &matter->itself, matter->subject, although, out);
        return;
    }
    prb_guards_note(request, &matter->itself, PRB_NOTE_DENIED, although, out);
    deny_for_criteria(matter, &objections, prb_str_get(&how), out);
}

void prb_loosen_judge(const struct prb_service_change *change, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    struct matter matter = { .change = change,
        .answers = answers,
        .now_ms = prb_view_now_ms(view),
        .provider = ward_of(&change->before) };

    if (!change->loosens)
        return;
    matter.presence = presence_of(change, answers);
    if (matter.presence == PRB_HOLDS)
        return;
    (void)prb_shown_subject(change->request, matter.subject);
    prb_guards_init(&matter.itself);
    prb_guards_add(&matter.itself, &change->before);
    if (change->loosening.provider)
        judge_by_provider(&matter, out);
    else
        judge_by_criteria(&matter, out);
    prb_guards_done(&matter.itself);
}
