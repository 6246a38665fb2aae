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

struct condition {
    const char *type, *status, *reason; /* static */
    struct prb_str message;             /* owned; never empty in the end */
};

#define CONDITIONS 4

static void set(struct condition *condition, const char *status, const char *reason)
{
    condition->status = status;
    condition->reason = reason;
}

/* One more thing to say; the reason is that of the first. */
static struct prb_str *add_fault(struct condition *condition, const char *reason)
{
    if (condition->message.len == 0)
        set(condition, "False", reason);
    else
        prb_str_add(&condition->message, "; ");
    return &condition->message;
}

/* What the admission rule would refuse to have written. */
static void add_invalid(const struct prb_crit *crit, struct condition *condition)
{
    const struct prb_critical_service *service = &crit->service;

    if (!prb_means_deployments(service->provider.group, service->provider.resource))
        prb_str_add(add_fault(condition, "InvalidSpec"),
                "spec.provider: only deployments.apps can be protected");
    else if (!crit->valid_provider)
        prb_str_add(add_fault(condition, "InvalidSpec"),
                "spec.provider: no Deployment can have this namespace and name");
    for (size_t i = 0; i < service->criterion_count; i++) {
        if (service->criteria[i].type == PRB_CRITERION_UNKNOWN)
            prb_str_addf(add_fault(condition, "InvalidSpec"),
                    "spec.criteria[%zu] cannot be understood", i);
    }
    if (service->too_many)
        prb_str_addf(add_fault(condition, "InvalidSpec"),
                "spec.criteria: there are more than %d, and all but these are not looked at",
                PRB_CRITERIA_MAX);
}

static bool lacks_label(const struct prb_object *object)
{
    return object && !prb_object_is_deleting(object) &&
           !prb_object_label(object, PRB_LABEL_PROTECTED);
}

static void add_protection(const struct prb_crit *crit, struct condition *condition)
{
    if (crit->valid_provider && !crit->provider)
        prb_str_addf(add_fault(condition, "ProviderAbsent"), "deployments.apps %s/%s is not there",
                crit->provider_ref.namespace, crit->provider_ref.name);
    if (crit->gap)
        prb_str_addf(add_fault(condition, PRB_CRIT_PROTECTION_MISSING),
                "%s: while Probate does not answer, nothing is protected; apply what \"probate "
                "manifest webhook\" prints",
                crit->gap);
    if (crit->provider && (lacks_label(crit->provider) || lacks_label(crit->namespace)))
        prb_str_add(add_fault(condition, "LabelMissing"),
                "the provider or its namespace has no label " PRB_LABEL_PROTECTED
                " yet: while Probate does not answer, it is not protected");
}

static void add_criteria(const struct prb_crit *crit, struct condition *condition)
{
    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        prb_autofree char *text = prb_crit_description(&crit->service.criteria[i]);

        if (crit->findings[i].forbidden)
            prb_str_addf(add_fault(condition, "CriteriaUnreadable"), "\"%s\": %s", text,
                    crit->findings[i].message);
    }
    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        prb_autofree char *text = prb_crit_description(&crit->service.criteria[i]);

        if (crit->findings[i].misspelt)
            prb_str_addf(add_fault(condition, "CriterionNeverResolved"),
                    "\"%s\": %s; if that is a typo, nothing is protected until it is corrected",
                    text, crit->findings[i].message);
    }
}

static void be_protected(const struct prb_crit *crit, struct condition *condition)
{
    add_invalid(crit, condition);
    add_protection(crit, condition);
    add_criteria(crit, condition);
    if (condition->message.len > 0)
        return;

    /* An installer may have withheld that right: what can be seen is in order, and a condition that
     * is never true would be of no use to who waits for it. */
    set(condition, "True", "Enforced");
    prb_str_add(&condition->message, "the provider goes only when all criteria are met");
    if (!crit->webhooks_known)
        prb_str_add(&condition->message,
                "; whether the webhook is registered is unknown: Probate cannot read "
                "validatingwebhookconfigurations.admissionregistration.k8s.io");
}

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

static void be_deletion_allowed(const struct prb_crit *crit, struct condition *condition)
{
    struct prb_str *message = &condition->message;

    prb_str_add(message, "not yet so: ");
    if (add_in_state(crit, PRB_CRIT_UNMET, message) > 0) {
        set(condition, "False", "CriteriaUnmet");
        return;
    }
    prb_str_clear(message);
    prb_str_add(message, "not known whether it is so: ");
    if (add_in_state(crit, PRB_CRIT_UNKNOWN, message) > 0 || crit->service.too_many) {
        set(condition, "Unknown", "CriteriaUnknown");
        if (crit->service.too_many)
            prb_str_add(message, " and the criteria that are too many");
        return;
    }
    prb_str_clear(message);
    set(condition, "True", "CriteriaMet");
    prb_str_add(message, "all criteria are met");
}

static void be_deadlock(const struct prb_crit *crit, struct condition *condition)
{
    if (crit->cycle) {
        set(condition, "True", "Cycle");
        prb_str_addf(&condition->message,
                "%s. None of these can ever go; take one of the criteria out, or set "
                "deletionPolicy: BestEffort where a CriticalService is waited for",
                crit->cycle);
    } else if (crit->cycle_unknown) {
        set(condition, "Unknown", "TooMany");
        prb_str_add(&condition->message, "too many CriticalServices to look for a circle");
    } else {
        set(condition, "False", "NoCycle");
        prb_str_add(&condition->message, "nothing that it waits for waits for it");
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

static void be_provider_alive(const struct prb_crit *crit, struct condition *condition)
{
    struct prb_str *message = &condition->message;
    int64_t ready = 0;

    if (!crit->valid_provider) {
        set(condition, "Unknown", "InvalidSpec");
        prb_str_add(message, "spec.provider names no Deployment");
        return;
    }
    if (!crit->provider) {
        set(condition, "False", "ProviderAbsent");
        prb_str_addf(message, "deployments.apps %s/%s is not there", crit->provider_ref.namespace,
                crit->provider_ref.name);
        return;
    }
    (void)prb_json_int(prb_object_status(crit->provider), "readyReplicas", &ready);
    if (ready > 0) {
        set(condition, "True", "Ready");
        prb_str_add(message, "the provider has a ready replica");
    } else if (any_is_terminating(crit)) {
        set(condition, "False", PRB_CRIT_PROVIDER_DEAD);
        prb_str_add(message,
                "the provider has no ready replica, and objects that are being deleted have its "
                "finalizer: nothing will remove it; restore the provider (scale it up), or remove "
                "the finalizers by hand");
    } else {
        set(condition, "Unknown", "NotReady");
        prb_str_add(message, "the provider has no ready replica, and nothing needs it now");
    }
}

/* Since when: changes with the status of the condition, and with nothing else. */
static void set_transition(
        const struct prb_crit *crit, const struct condition *condition, struct json_object *made)
{
    const struct json_object *before = prb_crit_condition(crit->seen, condition->type);
    const char *since = prb_json_str(before, "lastTransitionTime");
    char now[PRB_TIME_SIZE];

    prb_time_format(prb_view_now_ms(crit->view), now);
    if (since && prb_streq(prb_json_str(before, "status"), condition->status))
        prb_json_set_str(made, "lastTransitionTime", since);
    else
        prb_json_set_str(made, "lastTransitionTime", now);
}

static struct json_object *condition_json(
        const struct prb_crit *crit, const struct condition *condition)
{
    struct json_object *made = json_object_new_object();

    prb_json_set_str(made, "type", condition->type);
    prb_json_set_str(made, "status", condition->status);
    prb_json_set_int(made, "observedGeneration", prb_object_generation(crit->object));
    set_transition(crit, condition, made);
    prb_json_set_str(made, "reason", condition->reason);
    prb_json_set_str(made, "message", prb_str_get(&condition->message));
    return made;
}

const struct json_object *prb_crit_condition(const struct json_object *status, const char *type)
{
    const struct json_object *list = prb_json_arr(status, "conditions");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);

        if (prb_streq(prb_json_str(item, "type"), type))
            return item;
    }
    return NULL;
}

static bool is_ours(const struct json_object *item, const struct condition *conditions)
{
    for (size_t i = 0; i < CONDITIONS; i++) {
        if (prb_streq(prb_json_str(item, "type"), conditions[i].type))
            return true;
    }
    return false;
}

struct json_object *prb_crit_conditions(const struct prb_crit *crit)
{
    static const struct {
        const char *type;
        void (*fill)(const struct prb_crit *crit, struct condition *condition);
    } kinds[CONDITIONS] = {
        { PRB_CRIT_PROTECTED, be_protected },
        { PRB_CRIT_DELETION_ALLOWED, be_deletion_allowed },
        { PRB_CRIT_PROVIDER_ALIVE, be_provider_alive },
        { PRB_CRIT_DEADLOCK, be_deadlock },
    };
    const struct json_object *before = prb_json_arr(crit->seen, "conditions");
    struct json_object *list = json_object_new_array();
    struct condition conditions[CONDITIONS];

    for (size_t i = 0; i < CONDITIONS; i++) {
        conditions[i] = (struct condition){ .type = kinds[i].type };
        prb_str_init(&conditions[i].message, MESSAGE_MAX);
        kinds[i].fill(crit, &conditions[i]);
        prb_json_push(list, condition_json(crit, &conditions[i]));
        prb_str_done(&conditions[i].message);
    }
    for (size_t i = 0; i < prb_json_len(before); i++) {
        if (!is_ours(prb_json_elem(before, i), conditions))
            prb_json_push(list, prb_json_copy(prb_json_elem(before, i)));
    }
    return list;
}
