/*
 * May a Deployment or a Namespace go?
 *
 * The cache only says that nobody guards it, and what had better be asked. Everything else is
 * decided by live answers alone: also that a CriticalService is still there, and still demands what
 * the cache holds, is confirmed by a live list before anything is refused for its sake.
 */

#include "critical_service_delete.h"

#include "critical_service_override.h"
#include "critical_service_text.h"

/* What is to happen, and how it is spoken of. */
struct matter {
    const struct prb_request *request;
    const struct prb_questions *answers;
    struct prb_ward ward;
    bool strips;         /* takes the label off */
    const char *refused; /* static: "cannot be deleted" */
    char subject[PRB_SUBJECT_SIZE];
};

/* Of a Namespace: no UPDATE of anything else that could go is judged. */
static bool strips_label(const struct prb_request *request)
{
    return request->operation == PRB_UPDATE && prb_is_labelled(request->old) &&
           !prb_is_labelled(request->object);
}

/* Is there anything to judge? What is going already cannot be held, and everything else about a
 * protected object is free. */
static bool begin(const struct prb_request *request, struct matter *ret)
{
    if (prb_request_is_deleting(request))
        return false;
    *ret = (struct matter){ .request = request, .strips = strips_label(request) };
    if (request->operation != PRB_DELETE && !ret->strips)
        return false;
    prb_ward_read(request, &ret->ward);
    (void)prb_ward_text(&ret->ward, ret->subject);
    ret->refused = ret->strips ? "must keep its label " PRB_LABEL_PROTECTED : "cannot be deleted";
    return true;
}

/*
 * Is a Deployment in a Namespace that is being deleted, as the API server says now? That is never
 * undone: its pods are going already, and to refuse it would only keep the Namespace from ending.
 * It must be known for sure: what could not be looked up is not going.
 */
static bool is_going_with_home(const struct matter *matter, const struct prb_questions *answers)
{
    const struct prb_question *answer;
    struct prb_ref home;

    if (matter->ward.is_namespace || !prb_ward_home(&matter->ward, &home))
        return false;
    answer = prb_answer_object(answers, &home);
    return answer && answer->state == PRB_PRESENT && answer->object &&
           prb_object_is_deleting(answer->object);
}

/* Those of the guards that have something against it. */
static void select_standing(const struct prb_ward *ward, const struct prb_guards *guards,
        const struct prb_questions *answers, struct prb_guards *ret)
{
    for (size_t i = 0; i < guards->count; i++) {
        struct prb_tally tally;

        prb_guard_tally(ward, &guards->items[i], answers, &tally);
        if (prb_tally_stands(&tally))
            prb_guards_add(ret, &guards->items[i]);
    }
}

void prb_ward_ask(
        const struct prb_request *request, const struct prb_view *view, struct prb_questions *out)
{
    prb_auto(prb_guards_done) struct prb_guards guards;
    struct matter matter;
    struct prb_ref home;

    prb_guards_init(&guards);
    if (!begin(request, &matter) || is_going_with_home(&matter, out))
        return;

    /* Once the list is asked for the cache has no more say. */
    if (!prb_answer_list(out, &prb_critical_services) &&
            !prb_ward_may_be_guarded(&matter.ward, view))
        return;
    prb_ask_list(out, &prb_critical_services);
    if (!matter.ward.is_namespace && prb_ward_home(&matter.ward, &home))
        prb_ask_object(out, &home);
    prb_ward_guards(&matter.ward, view, prb_answer_list(out, &prb_critical_services), &guards);

    /* Who may go past is asked beside what stands in the way, and first: when that takes all the
     * time there is, or all the questions, is when somebody has to. */
    prb_override_ask(request, prb_view_now_ms(view), &guards, out);
    for (size_t i = 0; i < guards.count; i++)
        prb_guard_ask(&matter.ward, &guards.items[i], out);
}

void prb_deny_unlisted(const struct prb_question *list, const char *subject, const char *refused,
        struct prb_verdict *out)
{
    if (prb_is_undefinable(list)) {
        prb_forbid(out, "%s %s: Probate must look up which CriticalServices there are: %s", subject,
                refused, list->error.msg);
        return;
    }
    if (prb_presence_standing(list) == PRB_FORBIDDEN) {
        prb_forbid(out,
                "%s %s: Probate must look up which CriticalServices there are and lacks the right "
                "to (verb \"list\" on criticalservices.probate.dev). Grant it with the RBAC values "
                "of Probate's chart; \"probate manifest rbac\" prints what is needed",
                subject, refused);
        return;
    }
    prb_unverified(out, PRB_RETRY_S,
            "%s %s now: the CriticalServices could not be looked up at the API server (%s). Try "
            "again",
            subject, refused, prb_silence_text(list));
}

static const char *what_to_do(const struct matter *matter, const struct prb_objections *objections)
{
    const struct prb_tally *total = &objections->total;

    if (matter->strips)
        return "Add the label " PRB_LABEL_PROTECTED
               ": \"true\" to the manifest of the Namespace, or change other labels with a patch "
               "that leaves it on: Probate takes it off itself when no CriticalService names a "
               "provider in the Namespace any more";
    if (objections->inside)
        return "Delete these first, one by one what is in the namespace itself (its deletion would "
               "get to that only afterwards), or wait until they are gone, and try again";
    if (total->counts[PRB_UNMET] > 0)
        return "Delete these first, or wait until they are gone, and try again";
    if (total->counts[PRB_FORBIDDEN] + total->counts[PRB_MISTAKEN] > 0)
        return "Mend that, and try again";
    return "Try again";
}

/* There was no room to ask everything: nor will there be the next time. */
static bool is_crowded(const struct matter *matter)
{
    return matter->answers->count == PRB_QUESTIONS_MAX;
}

/* Every word of the denial, the most important first. */
static void say(const struct matter *matter, struct prb_objections *objections, const char *how,
        struct prb_verdict *out)
{
    const struct prb_tally *total = &objections->total;
    const char *unmet = prb_objections_get(&objections->unmet);
    const char *unchecked = prb_objections_get(&objections->unchecked);
    const char *todo = what_to_do(matter, objections), *dot = how[0] ? ". " : "";

    if (total->counts[PRB_UNMET] > 0)
        prb_forbid(out, "%s %s%s: %s.%s%s%s %s%s%s", matter->subject, matter->refused,
                matter->strips ? "" : " yet", unmet, unchecked[0] ? " Beside that, " : "",
                unchecked, unchecked[0] ? "." : "", todo, dot, how);
    else if (total->counts[PRB_FORBIDDEN] + total->counts[PRB_MISTAKEN] > 0)
        prb_forbid(out, "%s %s: %s. %s%s%s", matter->subject, matter->refused, unchecked, todo, dot,
                how);
    else if (is_crowded(matter))
        prb_forbid(out,
                "%s %s: to check all that its CriticalServices demand takes more than %d look-ups at "
                "the API server. %s%s%s",
                matter->subject, matter->refused, PRB_QUESTIONS_MAX,
                matter->ward.is_namespace
                        ? "Delete the Deployments that they protect first, one by one, or give them "
                          "fewer criteria"
                        : "Give them fewer criteria",
                dot, how);
    else
        prb_unverified(out, PRB_RETRY_S, "%s %s%s: %s. %s%s%s", matter->subject, matter->refused,
                matter->strips ? "" : " now", unchecked, todo, dot, how);
}

static void deny_or_override(const struct matter *matter, const struct prb_guards *standing,
        int64_t now_ms, struct prb_verdict *out)
{
    prb_auto(prb_objections_done) struct prb_objections objections;
    prb_auto(prb_str_done) struct prb_str how;
    const char *although;

    prb_str_init(&how, PRB_SENTENCE_MAX);
    prb_objections_init(&objections);
    for (size_t i = 0; i < standing->count; i++)
        prb_objections_add(
                &objections, &matter->ward, &standing->items[i], matter->answers, now_ms);
    although = prb_objections_get(
            objections.unmet.len > 0 ? &objections.unmet : &objections.unchecked);
    if (prb_override_granted(matter->request, now_ms, standing, matter->answers, &how)) {
        prb_override_let(matter->request, now_ms, standing, matter->subject, although, out);
        return;
    }
    prb_guards_note(matter->request, standing, PRB_NOTE_DENIED, although, out);
    say(matter, &objections, prb_str_get(&how), out);
}

static void judge_listed(const struct matter *matter, const struct prb_question *list,
        const struct prb_view *view, struct prb_verdict *out)
{
    prb_auto(prb_guards_done) struct prb_guards guards, standing;

    prb_guards_init(&guards);
    prb_guards_init(&standing);
    prb_ward_guards(&matter->ward, view, list, &guards);
    select_standing(&matter->ward, &guards, matter->answers, &standing);
    if (standing.count > 0)
        deny_or_override(matter, &standing, prb_view_now_ms(view), out);
}

/* CriticalServices are stored, perhaps, but not served. */
static bool is_defined_only(const struct prb_question *list)
{
    return list && prb_streq(list->error.reason, PRB_REASON_DEFINED);
}

/*
 * Where CriticalServices may not be read, or are not served, and without a label that says one
 * guards this, refusing would stop every deletion of a Deployment or a Namespace there is, which
 * not even a dead Probate does. Protected objects have the label: those are refused.
 */
static bool is_beyond_probate(
        const struct matter *matter, const struct prb_view *view, const struct prb_question *list)
{
    return !matter->ward.labelled && !prb_view_knows(view, &prb_critical_services) &&
           (prb_presence_standing(list) == PRB_FORBIDDEN || is_defined_only(list));
}

static void caution_unlisted(
        const struct matter *matter, const struct prb_question *list, struct prb_verdict *out)
{
    if (is_defined_only(list) || prb_is_undefinable(list)) {
        prb_caution(out, "%s is deleted unchecked: Probate cannot look up CriticalServices (%s)",
                matter->subject, list->error.msg);
        return;
    }
    prb_caution(out,
            "%s is deleted unchecked: Probate lacks the right to look up CriticalServices (verb "
            "\"list\" on criticalservices.probate.dev); \"probate manifest rbac\" prints what it needs",
            matter->subject);
}

static void caution_going(const struct matter *matter, struct prb_verdict *out)
{
    prb_caution(out,
            "%s goes with its Namespace, which is being deleted: what CriticalServices demand is not "
            "checked any more. Objects that need it are left without a controller; the status of the "
            "CriticalServices names them",
            matter->subject);
}

void prb_ward_judge(const struct prb_request *request, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    const struct prb_question *list = prb_answer_list(answers, &prb_critical_services);
    struct matter matter;

    if (!begin(request, &matter))
        return;
    matter.answers = answers;
    if (!list && !prb_ward_may_be_guarded(&matter.ward, view))
        return;
    if (is_going_with_home(&matter, answers))
        caution_going(&matter, out);
    else if (is_beyond_probate(&matter, view, list))
        caution_unlisted(&matter, list, out);
    else if (!list || list->state == PRB_UNKNOWN)
        prb_deny_unlisted(list, matter.subject, matter.refused, out);
    else if (list->state == PRB_PRESENT)
        judge_listed(&matter, list, view, out);

    /* Where CriticalServices are neither served nor defined nothing is protected. */
}
