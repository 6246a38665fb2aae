/* What stands in the way, and how is a person told? */

#include "critical_service_text.h"

#include <stdio.h>

#include "probate/base/clock.h"

#define DOTS "..."

const char *prb_ward_text(const struct prb_ward *ward, char buffer[PRB_SUBJECT_SIZE])
{
    char namespace[PRB_SHOWN_SIZE], name[PRB_SHOWN_SIZE];

    (void)prb_shown_name(ward->name, name);
    if (ward->is_namespace)
        (void)snprintf(buffer, PRB_SUBJECT_SIZE, "Namespace %s", name);
    else
        (void)snprintf(buffer, PRB_SUBJECT_SIZE, "Deployment %s/%s",
                prb_shown_name(ward->namespace, namespace), name);
    return buffer;
}

const char *prb_provider_text(
        const struct prb_critical_service *service, char buffer[PRB_SUBJECT_SIZE])
{
    struct prb_ward provider = { .namespace = service->provider.namespace,
        .name = service->provider.name };

    return prb_ward_text(&provider, buffer);
}

static void finalizers_text(const struct prb_object *object, struct prb_str *out)
{
    size_t count = prb_object_finalizer_count(object);

    if (count == 0)
        return;
    prb_str_addf(out, ", held by the finalizer%s ", count > 1 ? "s" : "");
    for (size_t i = 0; i < count && prb_names_next(out, i, count); i++) {
        const char *finalizer = prb_object_finalizer_at(object, i);
        char shown[PRB_SHOWN_SIZE];

        prb_str_add(out, prb_shown_name(finalizer ? finalizer : "?", shown));
    }
}

void prb_presence_text(const struct prb_object *object, int64_t now_ms, struct prb_str *out)
{
    int64_t since = object ? prb_object_deleted_at_ms(object) : 0;
    char age[PRB_TIME_SIZE];

    if (!object || !prb_object_is_deleting(object)) {
        prb_str_add(out, "not being deleted");
        return;
    }
    prb_str_add(out, "being deleted");
    if (since > 0 && since <= now_ms) {
        prb_duration_format(now_ms - since, age);
        prb_str_addf(out, " for %s", age);
    }
    finalizers_text(object, out);
}

const char *prb_silence_text(const struct prb_question *answer)
{
    if (!answer)
        return "there is too much to look up at once";
    return answer->error.msg[0] ? answer->error.msg : "no answer in time";
}

bool prb_is_undefinable(const struct prb_question *answer)
{
    return answer && prb_streq(answer->error.reason, PRB_REASON_DEFINITIONS_FORBIDDEN);
}

/* As discovery found it, else as it is written. */
static void resource_text(const struct prb_criterion *criterion, const struct prb_question *answer,
        struct prb_str *out)
{
    struct prb_criterion found = *criterion;

    if (answer && answer->resource[0])
        found.resource = answer->resource;
    prb_criterion_resource_text(&found, out);
}

static void forbidden_text(const struct prb_criterion *criterion, const struct prb_question *answer,
        struct prb_str *out)
{
    prb_auto(prb_str_done) struct prb_str resource;

    prb_str_init(&resource, PRB_GVR_TEXT_SIZE);
    if (prb_is_undefinable(answer)) {
        prb_str_add(out, answer->error.msg);
        return;
    }
    resource_text(criterion, answer, &resource);
    prb_str_addf(out,
            "Probate lacks the right to: verb \"%s\" on %s. \"probate manifest rbac "
            "--criteria-resource %s\" prints what it needs",
            criterion->type == PRB_CRITERION_FINALIZER ? "list" : "get", prb_str_get(&resource),
            prb_str_get(&resource));
}

void prb_uncertainty_text(const struct prb_criterion *criterion, enum prb_standing standing,
        const struct prb_question *answer, struct prb_str *out)
{
    if (standing == PRB_FORBIDDEN)
        forbidden_text(criterion, answer, out);
    else if (standing == PRB_MISTAKEN && !answer)
        prb_str_add(out, "nothing that exists could be called that");
    else
        prb_str_add(out, prb_silence_text(answer));
}

void prb_objections_init(struct prb_objections *objections)
{
    objections->total = (struct prb_tally){ .provider_gone = false };
    objections->inside = false;
    prb_str_init(&objections->unmet, PRB_UNMET_MAX);
    prb_str_init(&objections->unchecked, PRB_UNCHECKED_MAX);
}

void prb_objections_done(struct prb_objections *objections)
{
    prb_str_done(&objections->unmet);
    prb_str_done(&objections->unchecked);
}

const char *prb_objections_get(struct prb_str *text)
{
    if (text->cut) {
        text->cut = false;
        text->max += strlen(DOTS);
        prb_str_add(text, DOTS);
    }
    return prb_str_get(text);
}

/* "CriticalService g, which protects Deployment ops/op," */
static void guard_text(
        const struct prb_ward *ward, const struct prb_critical_service *guard, struct prb_str *out)
{
    char provider[PRB_SUBJECT_SIZE], name[PRB_SHOWN_SIZE];

    prb_str_addf(out, "%sCriticalService %s", out->len > 0 ? "; " : "",
            prb_shown_name(guard->name, name));
    if (ward->is_namespace)
        prb_str_addf(out, ", which protects %s in it,", prb_provider_text(guard, provider));
}

static void unmet_text(const struct prb_criterion *criterion, const struct prb_question *answer,
        int64_t now_ms, struct prb_str *out)
{
    const struct prb_holders *holders = &answer->holders;

    prb_str_add(out, "that ");
    prb_criterion_text(criterion, out);
    prb_str_add(out, ", but ");
    if (criterion->type == PRB_CRITERION_FINALIZER) {
        prb_holders_text(holders, now_ms, out);
        prb_str_add(out, holders->count == 1 && !holders->more ? " has it" : " have it");
        return;
    }
    prb_str_add(out, "it is still there (");
    prb_presence_text(answer->object, now_ms, out);
    prb_str_add(out, ")");
}

/* All that it demands and that is not so, in one sentence. */
static void add_unmet(struct prb_objections *objections, const struct prb_ward *ward,
        const struct prb_critical_service *guard, const struct prb_questions *answers,
        int64_t now_ms)
{
    size_t told = 0;

    for (size_t i = 0; i < guard->criterion_count; i++) {
        const struct prb_criterion *criterion = &guard->criteria[i];
        const struct prb_question *answer;

        if (prb_criterion_standing(criterion, answers, &answer) != PRB_UNMET)
            continue;
        if (told == 0)
            guard_text(ward, guard, &objections->unmet);
        prb_str_add(&objections->unmet, told++ == 0 ? " demands " : ", and ");
        unmet_text(criterion, answer, now_ms, &objections->unmet);
        if (ward->is_namespace && prb_criterion_is_inside(criterion, answer, ward->name))
            objections->inside = true;
    }
}

static void add_unchecked(struct prb_objections *objections, const struct prb_ward *ward,
        const struct prb_critical_service *guard, size_t index, const struct prb_questions *answers)
{
    const struct prb_criterion *criterion = &guard->criteria[index];
    const struct prb_question *answer;
    enum prb_standing standing = prb_criterion_standing(criterion, answers, &answer);
    struct prb_str *out = &objections->unchecked;

    if (standing == PRB_HOLDS || standing == PRB_UNMET)
        return;
    guard_text(ward, guard, out);
    if (criterion->type == PRB_CRITERION_UNKNOWN) {
        prb_str_addf(
                out, " has a criterion that is not understood: correct spec.criteria[%zu]", index);
        return;
    }
    prb_str_add(out, " demands that ");
    prb_criterion_text(criterion, out);
    prb_str_add(out, ", which could not be checked (");
    prb_uncertainty_text(criterion, standing, answer, out);
    prb_str_add(out, ")");
    if (standing == PRB_MISTAKEN)
        prb_str_addf(out, ": correct spec.criteria[%zu]", index);
}

/* Whether it guards anything here could not be found out. */
static void add_unclear(struct prb_objections *objections, const struct prb_critical_service *guard,
        const struct prb_questions *answers)
{
    const struct prb_question *answer = prb_provider_answer(guard, answers);
    struct prb_str *out = &objections->unchecked;
    char provider[PRB_SUBJECT_SIZE], name[PRB_SHOWN_SIZE];

    prb_str_addf(out,
            "%sCriticalService %s protects it as long as %s exists, which could not be checked (",
            out->len > 0 ? "; " : "", prb_shown_name(guard->name, name),
            prb_provider_text(guard, provider));
    if (prb_presence_standing(answer) == PRB_FORBIDDEN)
        prb_str_add(out, "Probate lacks the right to: verb \"get\" on deployments.apps. \"probate "
                         "manifest rbac\" prints what it needs");
    else
        prb_str_add(out, prb_silence_text(answer));
    prb_str_add(out, ")");
}

void prb_blank_text(const struct prb_critical_service *guard, struct prb_str *out)
{
    if (prb_object_defect(guard->object)) {
        prb_str_addf(out, "cannot be read (%s): correct it", prb_object_defect(guard->object));
        return;
    }
    prb_str_add(out,
            "shows no whole spec.provider: somebody has taken it out of the schema of "
            "CustomResourceDefinition criticalservices.probate.dev. Install that of Probate again; "
            "if it is missing then, too, write spec.provider anew");
}

static void add_blank(struct prb_objections *objections, const struct prb_critical_service *guard)
{
    struct prb_str *out = &objections->unchecked;
    char name[PRB_SHOWN_SIZE];

    prb_str_addf(out, "%sCriticalService %s ", out->len > 0 ? "; " : "",
            prb_shown_name(guard->name, name));
    prb_blank_text(guard, out);
}

void prb_objections_add(struct prb_objections *objections, const struct prb_ward *ward,
        const struct prb_critical_service *guard, const struct prb_questions *answers,
        int64_t now_ms)
{
    struct prb_tally tally;

    prb_guard_tally(ward, guard, answers, &tally);
    for (size_t i = 0; i <= PRB_UNCHECKED; i++)
        objections->total.counts[i] += tally.counts[i];
    if (prb_critical_service_is_blank(guard)) {
        add_blank(objections, guard);
        return;
    }
    if (tally.provider_unclear)
        add_unclear(objections, guard, answers);
    if (tally.provider_unclear || tally.provider_gone)
        return;
    add_unmet(objections, ward, guard, answers, now_ms);
    for (size_t i = 0; i < guard->criterion_count; i++)
        add_unchecked(objections, ward, guard, i, answers);
    if (!guard->too_many)
        return;
    guard_text(ward, guard, &objections->unchecked);
    prb_str_addf(&objections->unchecked,
            " has more than %d criteria, and the rest is not looked at: split it",
            PRB_CRITERIA_MAX);
}
