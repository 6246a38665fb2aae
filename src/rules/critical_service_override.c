/* May somebody delete what CriticalServices protect? */

#include "critical_service_override.h"

#include <stdlib.h>

#include "probate/base/mem.h"

#include "shown.h"

static const char verb[] = "override";

/* What is given as the reason; NULL: there is no annotation. White space is no reason. */
static char *read_reason(const struct prb_request *request)
{
    static const char white[] = " \t\r\n";
    const char *text =
            request->old ? prb_object_annotation(request->old, PRB_ANNOTATION_ALLOW_DELETE) : NULL;
    size_t len;

    if (!text)
        return NULL;
    text += strspn(text, white);
    len = strlen(text);
    while (len > 0 && strchr(white, text[len - 1]))
        len--;
    return prb_strndup(text, len);
}

bool prb_override_wanted(const struct prb_request *request)
{
    prb_autofree char *reason = read_reason(request);

    return request->operation == PRB_DELETE && reason && reason[0];
}

void prb_override_ask(const struct prb_request *request, const struct prb_guards *guards,
        struct prb_questions *out)
{
    struct prb_ref ref;

    if (!prb_override_wanted(request))
        return;
    for (size_t i = 0; i < guards->count; i++) {
        if (prb_object_ref_in(guards->items[i].object, &prb_critical_services, &ref))
            prb_ask_access(out, request, verb, &ref);
    }
}

static const struct prb_question *find_answer(
        const struct prb_critical_service *guard, const struct prb_questions *answers)
{
    struct prb_ref ref;

    if (!prb_object_ref_in(guard->object, &prb_critical_services, &ref))
        return NULL;
    return prb_answer_access(answers, verb, &ref);
}

/* Of those that must be overridden the first that may not be; NULL: they all may. */
static const struct prb_critical_service *find_obstacle(
        const struct prb_guards *standing, const struct prb_questions *answers)
{
    for (size_t i = 0; i < standing->count; i++) {
        const struct prb_question *answer = find_answer(&standing->items[i], answers);

        if (!answer || answer->state != PRB_PRESENT)
            return &standing->items[i];
    }
    return NULL;
}

static void names_text(const struct prb_guards *standing, struct prb_str *out)
{
    prb_str_add(out, "criticalservices.probate.dev ");
    for (size_t i = 0; i < standing->count && prb_names_next(out, i, standing->count); i++) {
        char name[PRB_SHOWN_SIZE];

        prb_str_add(out, prb_shown_name(standing->items[i].name, name));
    }
}

static void refusal_text(const struct prb_request *request,
        const struct prb_critical_service *obstacle, const struct prb_question *answer,
        struct prb_str *out)
{
    char user[PRB_SHOWN_SIZE], name[PRB_SHOWN_SIZE];
    bool known = answer && answer->state == PRB_ABSENT;

    prb_str_addf(out, "The annotation %s does not count: %s", PRB_ANNOTATION_ALLOW_DELETE,
            known ? "" : "it could not be checked whether ");
    prb_str_addf(out, "%s %s \"%s\" criticalservices.probate.dev %s",
            prb_shown_name(request->subject->user, user), known ? "may not" : "may", verb,
            prb_shown_name(obstacle->name, name));
    if (!known)
        prb_str_addf(out, " (%s)",
                answer && answer->error.msg[0] ? answer->error.msg : "no answer in time");
}

/* What to do to go past, or why it is of no use as it is. */
static void how_text(const struct prb_request *request, const struct prb_guards *standing,
        const char *reason, struct prb_str *out)
{
    if (reason) {
        prb_str_addf(out, "The annotation %s does not count: it gives no reason",
                PRB_ANNOTATION_ALLOW_DELETE);
        return;
    }
    prb_str_addf(out,
            "To go past it, annotate the %s with %s: REASON; that takes the right to "
            "\"%s\" ",
            request->kind[0] ? request->kind : "object", PRB_ANNOTATION_ALLOW_DELETE, verb);
    names_text(standing, out);
}

bool prb_override_granted(const struct prb_request *request, const struct prb_guards *standing,
        const struct prb_questions *answers, struct prb_str *how)
{
    prb_autofree char *reason = read_reason(request);
    const struct prb_critical_service *obstacle;

    if (request->operation != PRB_DELETE)
        return false;
    if (!prb_override_wanted(request)) {
        how_text(request, standing, reason, how);
        return false;
    }
    obstacle = find_obstacle(standing, answers);
    if (!obstacle)
        return true;
    refusal_text(request, obstacle, find_answer(obstacle, answers), how);
    return false;
}

void prb_guards_note(const struct prb_request *request, const struct prb_guards *standing,
        enum prb_note_type type, const char *text, struct prb_verdict *out)
{
    for (size_t i = 0; i < standing->count; i++) {
        struct prb_guard guard = {
            .uid = prb_object_uid(standing->items[i].object),
            .api_version = PRB_CRITICAL_SERVICE_API_VERSION,
            .kind = PRB_CRITICAL_SERVICE_KIND,
        };
        struct prb_ref ref;

        guard.ref = &ref;
        if (prb_object_ref_in(standing->items[i].object, &prb_critical_services, &ref))
            prb_verdict_note(out, type, request, &guard, "%s", text);
    }
}

void prb_override_let(const struct prb_request *request, const struct prb_guards *standing,
        const char *what, const char *although, struct prb_verdict *out)
{
    prb_autofree char *reason = read_reason(request);
    char user[PRB_SHOWN_SIZE], shown[PRB_SHOWN_SIZE];
    prb_autofree char *text = prb_asprintf("%s is deleted on the word of %s (%s: %s), although %s",
            what, prb_shown_name(request->subject->user, user), PRB_ANNOTATION_ALLOW_DELETE,
            prb_shown_name(reason, shown), although);

    prb_caution(out, "%s%s", text,
            prb_streq(request->gvr.resource, prb_namespaces.resource)
                    ? ". It goes when the provider in it is gone: delete that with the same annotation"
                    : "");
    prb_guards_note(request, standing, PRB_NOTE_OVERRIDDEN, text, out);
    free(out->override_reason);
    out->override_reason = prb_take(reason);
}
