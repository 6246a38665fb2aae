/*
 * What do the conditions of a CriticalService say?
 *
 * Their texts name criteria, never the objects that block: those come and go, and a condition
 * should change when something has changed. Conditions of others in the list stay as they are.
 */

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "critical_service_internal.h"

/* 32 criteria with a line each; the API server takes 32 KiB. */
#define MESSAGE_MAX 8192

#define CONDITIONS 4

/* The criteria that are in this state, with why, where there is something to say. */
static size_t add_in_state(
        const struct prb_crit *crit, enum prb_crit_state state, struct prb_str *out)
{
    size_t count = 0;

    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        const struct prb_crit_finding *finding = &crit->findings[i];
        prb_autofree char *text = prb_crit_description(&crit->service.criteria[i]);

        if (finding->state != state)
            continue;
        prb_str_addf(out, "%s%s%s%s%s", count++ > 0 ? "; " : "", text,
                finding->message[0] ? " (" : "", finding->message, finding->message[0] ? ")" : "");
    }
    return count;
}

static void be_deletion_allowed(const struct prb_crit *crit, struct prb_crit_draft *draft)
{
    struct prb_str *message = &draft->message;

    prb_str_add(message, "these do not hold yet: ");
    if (add_in_state(crit, PRB_CRIT_UNMET, message) > 0) {
        prb_crit_set(draft, "False", "CriteriaUnmet");
        return;
    }
    prb_str_clear(message);
    prb_str_add(message, "not known whether these hold: ");
    if (add_in_state(crit, PRB_CRIT_UNKNOWN, message) > 0) {
        prb_crit_set(draft, "Unknown", "CriteriaUnknown");
        return;
    }
    if (crit->service.too_many) {
        prb_crit_set(draft, "Unknown", "CriteriaUnknown");
        prb_str_addf(message, "the criteria after the first %d", PRB_CRITERIA_MAX);
        return;
    }
    prb_str_clear(message);
    prb_crit_set(draft, "True", "CriteriaMet");
    prb_str_add(message, "all criteria are met");
}

static void be_deadlock(const struct prb_crit *crit, struct prb_crit_draft *draft)
{
    if (crit->cycle) {
        prb_crit_set(draft, "True", "Cycle");
        prb_str_addf(&draft->message,
                "%s. None of these can ever go; take one of the criteria out, or set "
                "deletionPolicy: BestEffort where a CriticalService is waited for",
                crit->cycle);
    } else if (crit->cycle_unknown) {
        prb_crit_set(draft, "Unknown", "TooMany");
        prb_str_add(&draft->message, "too many CriticalServices to look for a circle");
    } else {
        prb_crit_set(draft, "False", "NoCycle");
        prb_str_add(&draft->message, "nothing that it waits for waits for it");
    }
}

/* Longest deleting comes first: one look tells whether any is. */
static bool any_is_terminating(const struct prb_crit *crit)
{
    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        const struct prb_holders *blockers = &crit->findings[i].blockers;

        if (crit->service.criteria[i].type == PRB_CRITERION_FINALIZER && blockers->count > 0 &&
                blockers->items[0].deleted_at_ms != 0)
            return true;
    }
    return false;
}

static void be_provider_alive(const struct prb_crit *crit, struct prb_crit_draft *draft)
{
    struct prb_str *message = &draft->message;
    int64_t ready = 0;

    if (!crit->valid_provider) {
        prb_crit_set(draft, "Unknown", "InvalidSpec");
        prb_str_add(message, "spec.provider names no Deployment");
        return;
    }
    if (crit->over) {
        prb_crit_set(draft, "False", PRB_CRIT_PROVIDER_DEAD);
        prb_str_addf(message, "deployments.apps %s/%s %s, although these do not hold: ",
                crit->provider_ref.namespace, crit->provider_ref.name, crit->over);
        (void)add_in_state(crit, PRB_CRIT_UNMET, message);
        prb_str_add(message,
                "; the objects in status.criteria are without a controller: create the "
                "provider anew, or remove their finalizers by hand");
        return;
    }
    if (!crit->provider) {
        prb_crit_set(draft, "False", "ProviderAbsent");
        prb_str_addf(message, "deployments.apps %s/%s is not there", crit->provider_ref.namespace,
                crit->provider_ref.name);
        return;
    }
    (void)prb_json_int(prb_object_status(crit->provider), "readyReplicas", &ready);
    if (ready > 0) {
        prb_crit_set(draft, "True", "Ready");
        prb_str_add(message, "the provider has a ready replica");
    } else if (any_is_terminating(crit)) {
        prb_crit_set(draft, "False", PRB_CRIT_PROVIDER_DEAD);
        prb_str_add(message,
                "the provider has no ready replica, and objects that are being deleted have its "
                "finalizer: nothing will remove it; restore the provider (scale it up), or remove "
                "the finalizers by hand");
    } else {
        prb_crit_set(draft, "Unknown", "NotReady");
        prb_str_add(message, "the provider has no ready replica, and nothing needs it now");
    }
}

/* Since when: changes with the status of the condition, and with nothing else. */
static void set_transition(
        const struct prb_crit *crit, const struct prb_crit_draft *draft, struct json_object *made)
{
    const struct json_object *before = prb_condition_in(crit->seen, draft->type);
    const char *since = prb_json_str(before, "lastTransitionTime");
    char now[PRB_TIME_SIZE];

    prb_time_format(prb_view_now_ms(crit->view), now);
    if (since && prb_streq(prb_json_str(before, "status"), draft->status))
        prb_json_set_str(made, "lastTransitionTime", since);
    else
        prb_json_set_str(made, "lastTransitionTime", now);
}

static struct json_object *condition_json(
        const struct prb_crit *crit, const struct prb_crit_draft *draft)
{
    struct json_object *made = json_object_new_object();

    prb_json_set_str(made, "type", draft->type);
    prb_json_set_str(made, "status", draft->status);
    prb_json_set_int(made, "observedGeneration", prb_object_generation(crit->object));
    set_transition(crit, draft, made);
    prb_json_set_str(made, "reason", draft->reason);
    prb_json_set_str(made, "message", prb_str_get(&draft->message));
    return made;
}

static bool is_ours(const struct json_object *item, const struct prb_crit_draft *drafts)
{
    for (size_t i = 0; i < CONDITIONS; i++) {
        if (prb_streq(prb_json_str(item, "type"), drafts[i].type))
            return true;
    }
    return false;
}

struct json_object *prb_crit_conditions(const struct prb_crit *crit)
{
    static const struct {
        const char *type;
        void (*fill)(const struct prb_crit *crit, struct prb_crit_draft *draft);
    } kinds[CONDITIONS] = {
        { PRB_CRIT_PROTECTED, prb_crit_be_protected },
        { PRB_CRIT_DELETION_ALLOWED, be_deletion_allowed },
        { PRB_CRIT_PROVIDER_ALIVE, be_provider_alive },
        { PRB_CRIT_DEADLOCK, be_deadlock },
    };
    const struct json_object *before = prb_json_arr(crit->seen, "conditions");
    struct json_object *list = json_object_new_array();
    struct prb_crit_draft drafts[CONDITIONS];

    for (size_t i = 0; i < CONDITIONS; i++) {
        drafts[i] = (struct prb_crit_draft){ .type = kinds[i].type };
        prb_str_init(&drafts[i].message, MESSAGE_MAX);
        kinds[i].fill(crit, &drafts[i]);
        prb_json_push(list, condition_json(crit, &drafts[i]));
        prb_str_done(&drafts[i].message);
    }
    for (size_t i = 0; i < prb_json_len(before); i++) {
        if (!is_ours(prb_json_elem(before, i), drafts))
            prb_json_push(list, prb_json_copy(prb_json_elem(before, i)));
    }
    return list;
}
