/* Does a CriticalService ask for what there is, and could that ever be? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/model/deadlock.h"

#include "critical_service_change.h"
#include "critical_service_text.h"

/* A provider or a policy that is new may close a circle that no new criterion is part of. */
static bool is_other(const struct prb_service_change *change)
{
    return change->provider || change->tightened;
}

/* With only those criteria that are new: what they close is this request's doing. A provider or a
 * policy that is new makes them all count. */
static struct prb_critical_service only_fresh(const struct prb_service_change *change)
{
    struct prb_critical_service reduced = change->now;

    if (is_other(change))
        return reduced;
    reduced.criterion_count = 0;
    for (size_t i = 0; i < change->now.criterion_count; i++) {
        if (change->fresh[i])
            reduced.criteria[reduced.criterion_count++] = change->now.criteria[i];
    }
    return reduced;
}

/* All there are, the one that is written first and in its new form. */
static struct prb_critical_service *gather(
        const struct prb_service_change *change, const struct prb_question *list, size_t *ret_count)
{
    struct prb_critical_service *services = prb_calloc(list->object_count + 1, sizeof(*services));
    size_t count = 1;

    for (size_t i = 0; i < list->object_count; i++) {
        if (!prb_streq(prb_object_name(list->objects[i]), change->request->name))
            prb_critical_service_read(list->objects[i], &services[count++]);
    }
    *ret_count = count;
    return services;
}

static void put_first(struct prb_critical_service *services,
        const struct prb_service_change *change, const struct prb_critical_service *candidate)
{
    services[0] = *candidate;
    services[0].name = change->request->name[0] ? change->request->name : "this CriticalService";
}

_Static_assert(PRB_DEADLOCK_SERVICES_MAX > PRB_ASK_LIST_MAX,
        "a list, and what is to be made, are looked at together");

void prb_service_change_check_deadlock(const struct prb_service_change *change,
        const struct prb_question *list, struct prb_verdict *out)
{
    const struct prb_critical_service fresh = only_fresh(change);
    size_t count;
    prb_autofree struct prb_critical_service *services = gather(change, list, &count);
    prb_autofree char *cycle = NULL, *older = NULL;

    put_first(services, change, &fresh);
    cycle = is_other(change) ? prb_deadlock_find(services, count, 0)
                             : prb_deadlock_find_by_criteria(services, count, 0);
    if (cycle) {
        prb_invalid(out, "spec.criteria",
                "would be a deadlock, in which nothing could ever be deleted: %s. Leave out the "
                "criterion that closes the circle",
                cycle);
        return;
    }
    put_first(services, change, &change->now);
    older = prb_deadlock_find(services, count, 0);
    if (older)
        prb_caution(out,
                "spec.criteria: there is a deadlock, in which nothing can ever be deleted: %s "
                "(accepted because it was stored so before)",
                older);
}

/* It can only be looked at where it is. */
static void refuse_scope(const struct prb_criterion *criterion, const struct prb_question *answer,
        size_t index, struct prb_verdict *out)
{
    prb_auto(prb_str_done) struct prb_str resource;
    char field[PRB_SHOWN_SIZE];

    prb_str_init(&resource, PRB_GVR_TEXT_SIZE);
    prb_criterion_resource_text(criterion, &resource);
    (void)snprintf(field, sizeof(field), "spec.criteria[%zu].specificResource.namespace", index);
    if (answer->namespaced)
        prb_invalid(out, field, "is required: %s are in namespaces", prb_str_get(&resource));
    else
        prb_invalid(out, field, "must be left out: %s are in no namespace", prb_str_get(&resource));
}

static void warn_unsure(const struct prb_criterion *criterion, enum prb_standing standing,
        const struct prb_question *answer, size_t index, struct prb_verdict *out)
{
    prb_auto(prb_str_done) struct prb_str why;

    prb_str_init(&why, PRB_SENTENCE_MAX);
    prb_uncertainty_text(criterion, standing, answer, &why);
    prb_caution(out,
            "spec.criteria[%zu] could not be checked (%s). As long as that is so, the provider "
            "cannot be deleted",
            index, prb_str_get(&why));
}

static void warn_not_served(
        const struct prb_criterion *criterion, size_t index, struct prb_verdict *out)
{
    prb_auto(prb_str_done) struct prb_str resource;

    prb_str_init(&resource, PRB_GVR_TEXT_SIZE);
    prb_criterion_resource_text(criterion, &resource);
    prb_caution(out,
            "spec.criteria[%zu]: nothing serves %s now, so the criterion holds. If that is not "
            "meant, check the spelling of group and resource (kubectl api-resources)",
            index, prb_str_get(&resource));
}

/* Whoever deletes the namespace to be rid of both gets neither. */
static void warn_same_namespace(const struct prb_service_change *change, size_t index,
        const struct prb_question *answer, struct prb_verdict *out)
{
    const char *namespace = change->now.provider.namespace;

    if (prb_criterion_is_inside(&change->now.criteria[index], answer, namespace))
        prb_caution(out,
                "spec.criteria[%zu] is about what is in namespace %s, like the provider: deleting "
                "that namespace will not get rid of it, since it is refused as long as it is "
                "there. Delete it by itself first, or keep it in another namespace",
                index, namespace);
}

static void warn_duplicate(
        const struct prb_service_change *change, size_t index, struct prb_verdict *out)
{
    for (size_t i = 0; i < index; i++) {
        if (!prb_criterion_equal(&change->now.criteria[i], &change->now.criteria[index]))
            continue;
        prb_caution(out, "spec.criteria[%zu] is the same as spec.criteria[%zu]", index, i);
        return;
    }
}

static void check_criterion(const struct prb_service_change *change, size_t index,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    const struct prb_criterion *criterion = &change->now.criteria[index];
    const struct prb_question *answer;
    enum prb_standing standing = prb_criterion_standing(criterion, answers, &answer);

    warn_duplicate(change, index, out);
    warn_same_namespace(change, index, answer, out);
    if (standing == PRB_MISTAKEN && answer && answer->error.code == PRB_E_INVALID)
        refuse_scope(criterion, answer, index, out);
    else if (standing == PRB_HOLDS && !answer->resource[0])
        warn_not_served(criterion, index, out);
    else if (standing != PRB_HOLDS && standing != PRB_UNMET)
        warn_unsure(criterion, standing, answer, index, out);
}

void prb_service_change_check_criteria(const struct prb_service_change *change,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    for (size_t i = 0; i < change->now.criterion_count; i++) {
        if (change->fresh[i])
            check_criterion(change, i, answers, out);
    }
}
