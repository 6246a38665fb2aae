/* May somebody delete what CriticalServices protect? */

#include "critical_service_override.h"

#include <ctype.h>
#include <stdlib.h>

#include "probate/base/mem.h"

#include "critical_service_glass.h"
#include "shown.h"

static const char verb[] = "override";

void prb_override_ask(const struct prb_request *request, int64_t now_ms,
        const struct prb_guards *guards, struct prb_questions *out)
{
    prb_auto(prb_glass_done) struct prb_glass glass;
    struct prb_ref ref;

    prb_glass_read(request, now_ms, &glass);
    if (glass.state != PRB_GLASS_COUNTS)
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

/* Of a Deployment "deployment op -n ops", as kubectl takes it. */
static void target_text(const struct prb_request *request, struct prb_str *out)
{
    const char *kind = request->kind[0] ? request->kind : request->gvr.resource;
    const char *namespace =
            request->namespace[0] ? request->namespace : prb_object_namespace(request->old);

    for (; *kind; kind++)
        prb_str_addc(out, (char)tolower((unsigned char)*kind));
    prb_str_addf(out, " %s", request->name);
    if (namespace[0] && !prb_streq(request->gvr.resource, prb_namespaces.resource))
        prb_str_addf(out, " -n %s", namespace);
}

/* What to do to go past. The command first: names without end are cut. */
static void how_text(const struct prb_request *request, int64_t now_ms,
        const struct prb_guards *standing, struct prb_str *out)
{
    prb_auto(prb_str_done) struct prb_str value;

    prb_str_init(&value, PRB_SHOWN_SIZE);
    prb_glass_value_text(now_ms, &value);
    if (request->operation == PRB_DELETE) {
        prb_str_add(out, "To go past it, run: kubectl annotate --overwrite ");
        target_text(request, out);
        prb_str_addf(out, " %s=\"%s\" and delete it again", PRB_ANNOTATION_ALLOW_DELETE,
                prb_str_get(&value));
    } else {
        prb_str_addf(out,
                "To go past it, add metadata.annotations {\"%s\": \"%s\"} to the same request",
                PRB_ANNOTATION_ALLOW_DELETE, prb_str_get(&value));
    }
    prb_str_addf(out, "; that takes the right to \"%s\" ", verb);
    names_text(standing, out);
}

bool prb_override_granted(const struct prb_request *request, int64_t now_ms,
        const struct prb_guards *standing, const struct prb_questions *answers, struct prb_str *how)
{
    prb_auto(prb_glass_done) struct prb_glass glass;
    const struct prb_critical_service *obstacle = find_obstacle(standing, answers);

    prb_glass_read(request, now_ms, &glass);
    if (!prb_glass_applies(request))
        return false;
    if (glass.state == PRB_GLASS_COUNTS && !obstacle)
        return true;
    if (glass.state == PRB_GLASS_COUNTS) {
        refusal_text(request, obstacle, find_answer(obstacle, answers), how);
        return false;
    }
    if (glass.state != PRB_GLASS_NONE) {
        prb_str_addf(how, "The annotation %s does not count: ", PRB_ANNOTATION_ALLOW_DELETE);
        prb_glass_flaw_text(&glass, how);
        prb_str_add(how, ". ");
    }
    how_text(request, now_ms, standing, how);
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
            .unwritable = standing->items[i].is_cut,
        };
        struct prb_ref ref;

        guard.ref = &ref;
        if (prb_object_ref_in(standing->items[i].object, &prb_critical_services, &ref))
            prb_verdict_note(out, type, request, &guard, "%s", text);
    }
}

void prb_override_let(const struct prb_request *request, int64_t now_ms,
        const struct prb_guards *standing, const char *what, const char *although,
        struct prb_verdict *out)
{
    prb_auto(prb_glass_done) struct prb_glass glass;
    char user[PRB_SHOWN_SIZE], shown[PRB_SHOWN_SIZE];
    prb_autofree char *text = NULL;

    prb_glass_read(request, now_ms, &glass);
    text = prb_asprintf("%s is %s on the word of %s (%s: %s), although %s", what,
            request->operation == PRB_DELETE ? "deleted" : "loosened",
            prb_shown_name(request->subject->user, user), PRB_ANNOTATION_ALLOW_DELETE,
            prb_shown_name(glass.reason ? glass.reason : "", shown), although);
    prb_caution(out, "%s%s", text,
            prb_streq(request->gvr.resource, prb_namespaces.resource)
                    ? ". The provider in it goes with it"
                    : "");
    prb_guards_note(request, standing, PRB_NOTE_OVERRIDDEN, text, out);
    free(out->override_reason);
    out->override_reason = prb_take(glass.reason);
}
