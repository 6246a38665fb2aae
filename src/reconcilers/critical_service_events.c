/*
 * What has come about since the status was last written that somebody should hear of?
 *
 * Each Event stands for a difference between the status that was seen and the one that is written
 * just before it, so it is told once, whichever replica tells it.
 */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "critical_service_internal.h"

/* The texts of objects that are named here; an Event has 1024 bytes. */
#define TEXT_MAX 512

/* One condition before and after. */
struct turn {
    const char *status_before, *reason_before; /* "" when there was none */
    const char *status, *reason, *message;
};

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static struct turn turn_of(
        const struct prb_crit *crit, const struct json_object *status, const char *type)
{
    const struct json_object *before = prb_condition_in(crit->seen, type);
    const struct json_object *after = prb_condition_in(status, type);

    return (struct turn){
        .status_before = or_empty(prb_json_str(before, "status")),
        .reason_before = or_empty(prb_json_str(before, "reason")),
        .status = or_empty(prb_json_str(after, "status")),
        .reason = or_empty(prb_json_str(after, "reason")),
        .message = or_empty(prb_json_str(after, "message")),
    };
}

static bool comes_to(const struct turn *turn, const char *reason)
{
    return prb_streq(turn->reason, reason) && !prb_streq(turn->reason_before, reason);
}

/* Whoever was refused wants to hear of it, also when meanwhile nobody could tell. */
static void tell_allowed(
        const struct prb_crit *crit, const struct json_object *status, struct prb_changes *out)
{
    struct turn turn = turn_of(crit, status, PRB_CRIT_DELETION_ALLOWED);
    bool was_refused = prb_json_obj(crit->seen, "lastDenied") != NULL;

    if (!prb_streq(turn.status, "True"))
        return;
    if (prb_streq(turn.status_before, "False") ||
            (prb_streq(turn.status_before, "Unknown") && was_refused))
        prb_changes_event(out, crit->key, crit->object, false, "DeletionAllowed",
                "All criteria are met: deployments.apps %s/%s and its namespace may be deleted",
                crit->service.provider.namespace, crit->service.provider.name);
}

static void tell_replaced(const struct prb_crit *crit, struct prb_changes *out)
{
    const char *before = or_empty(prb_json_str(crit->seen, "providerUID"));

    if (!crit->provider || !before[0] || prb_streq(before, prb_object_uid(crit->provider)))
        return;
    prb_changes_event(out, crit->key, crit->object, true, "ProviderReplaced",
            "deployments.apps %s/%s is another one than before: its uid was %s and is %s; it is "
            "protected like the one before",
            crit->provider_ref.namespace, crit->provider_ref.name, before,
            prb_object_uid(crit->provider));
}

/* The objects that nobody will finish: those of the first criterion that has any. */
static void add_stuck(const struct prb_crit *crit, struct prb_str *out)
{
    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        const struct prb_holders *blockers = &crit->findings[i].blockers;
        const struct prb_criterion *criterion = &crit->service.criteria[i];

        if (criterion->type != PRB_CRITERION_FINALIZER || blockers->count == 0 ||
                blockers->items[0].deleted_at_ms == 0)
            continue;
        prb_str_addf(out, "finalizer %s of ", criterion->finalizer);
        prb_criterion_resource_text(criterion, out);
        prb_str_addc(out, ' ');
        prb_holders_text(blockers, prb_view_now_ms(crit->view), out);
        return;
    }
}

void prb_crit_needy_text(const struct prb_crit *crit, struct prb_str *out)
{
    size_t told = 0;

    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        const struct prb_criterion *criterion = &crit->service.criteria[i];

        if (crit->findings[i].state != PRB_CRIT_UNMET)
            continue;
        prb_str_add(out, told++ > 0 ? "; " : "");
        if (criterion->type == PRB_CRITERION_FINALIZER)
            prb_str_addf(out, "finalizer %s of ", criterion->finalizer);
        prb_criterion_resource_text(criterion, out);
        prb_str_addc(out, ' ');
        prb_holders_text(&crit->findings[i].blockers, prb_view_now_ms(crit->view), out);
    }
}

/* It is going or gone for good: the loudest of all. */
static void tell_over(const struct prb_crit *crit, struct prb_changes *out)
{
    prb_auto(prb_str_done) struct prb_str needy;

    prb_str_init(&needy, TEXT_MAX);
    prb_crit_needy_text(crit, &needy);
    prb_changes_event(out, crit->key, crit->object, true, PRB_CRIT_PROVIDER_DEAD,
            "deployments.apps %s/%s %s, and these are without a controller: %s. Create the provider "
            "anew, or remove the finalizers by hand",
            crit->provider_ref.namespace, crit->provider_ref.name, crit->over, prb_str_get(&needy));
}

static void tell_dead(
        const struct prb_crit *crit, const struct json_object *status, struct prb_changes *out)
{
    struct turn turn = turn_of(crit, status, PRB_CRIT_PROVIDER_ALIVE);
    struct turn protected = turn_of(crit, status, PRB_CRIT_PROTECTED);
    prb_auto(prb_str_done) struct prb_str stuck;

    prb_str_init(&stuck, TEXT_MAX);
    if (crit->over && (comes_to(&turn, PRB_CRIT_PROVIDER_DEAD) ||
                              comes_to(&protected, PRB_CRIT_PROVIDER_DEAD)))
        tell_over(crit, out);
    if (crit->over || !comes_to(&turn, PRB_CRIT_PROVIDER_DEAD))
        return;
    add_stuck(crit, &stuck);
    prb_changes_event(out, crit->key, crit->object, true, PRB_CRIT_PROVIDER_DEAD,
            "deployments.apps %s/%s has no ready replica: nothing will remove %s. Restore the "
            "provider (scale it up), or remove the finalizers by hand",
            crit->provider_ref.namespace, crit->provider_ref.name, prb_str_get(&stuck));
}

void prb_crit_add_events(
        const struct prb_crit *crit, const struct json_object *status, struct prb_changes *out)
{
    struct turn protected = turn_of(crit, status, PRB_CRIT_PROTECTED);
    struct turn deadlock = turn_of(crit, status, PRB_CRIT_DEADLOCK);

    tell_allowed(crit, status, out);
    tell_replaced(crit, out);
    tell_dead(crit, status, out);
    if (comes_to(&protected, PRB_CRIT_PROTECTION_MISSING))
        prb_changes_event(out, crit->key, crit->object, true, PRB_CRIT_PROTECTION_MISSING, "%s",
                protected.message);
    if (prb_streq(deadlock.status, "True") && !prb_streq(deadlock.status_before, "True"))
        prb_changes_event(
                out, crit->key, crit->object, true, PRB_CRIT_DEADLOCK, "%s", deadlock.message);
}
