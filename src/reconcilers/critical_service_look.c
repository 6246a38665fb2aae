/* What is there to say about one CriticalService: provider, criteria, circle, webhook? */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/deadlock.h"

#include "critical_service_internal.h"

static void look_at_provider(struct prb_crit *crit)
{
    struct prb_ref namespace;

    crit->valid_provider = prb_critical_service_provider(&crit->service, &crit->provider_ref);
    if (!crit->valid_provider)
        return;
    crit->provider = prb_view_find(crit->view, &crit->provider_ref);
    if (prb_ref_init(&namespace, &prb_namespaces, NULL, crit->provider_ref.namespace))
        crit->namespace = prb_view_find(crit->view, &namespace);
}

static void look_at_criteria(struct prb_crit *crit)
{
    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        const struct prb_criterion *criterion = &crit->service.criteria[i];
        prb_autofree char *description = prb_crit_description(criterion);
        const struct json_object *entry = prb_crit_entry(crit->seen, description);

        prb_crit_find_out(crit->view, criterion, prb_json_str(entry, "resolvedAt") != NULL,
                &crit->findings[i]);
    }
}

static bool any_is_unmet(const struct prb_crit *crit)
{
    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        if (crit->findings[i].state == PRB_CRIT_UNMET)
            return true;
    }
    return false;
}

/* Nobody knows whether they hold, and a moment will not show it. */
static bool any_is_unknown(const struct prb_crit *crit)
{
    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        if (crit->findings[i].state == PRB_CRIT_UNKNOWN && !crit->findings[i].pending)
            return true;
    }
    return false;
}

/*
 * A deletion that has begun is never undone, and nothing holds it any more: it counts also where
 * nobody knows whether the provider is needed. One that was there before, by the status, and is not
 * any more has ended already.
 */
static const char *find_end(const struct prb_crit *crit)
{
    const char *uid = prb_json_str(crit->seen, "providerUID");
    bool is_needed = any_is_unmet(crit), may_be_needed = is_needed || any_is_unknown(crit);

    if (!crit->valid_provider)
        return NULL;
    if (may_be_needed && crit->namespace && prb_object_is_deleting(crit->namespace))
        return "goes with its namespace, which is being deleted";
    if (may_be_needed && crit->provider && prb_object_is_deleting(crit->provider))
        return "is being deleted";
    return is_needed && !crit->provider && uid && uid[0] ? "is gone" : NULL;
}

bool prb_crit_has_edges(const struct prb_critical_service *service)
{
    for (size_t i = 0; i < service->criterion_count; i++) {
        const struct prb_criterion *criterion = &service->criteria[i];

        if (criterion->type == PRB_CRITERION_RESOURCE &&
                (prb_means_deployments(criterion->group, criterion->resource) ||
                        prb_means_namespaces(criterion->group, criterion->resource) ||
                        prb_means_critical_services(criterion->group, criterion->resource)))
            return true;
    }
    return false;
}

/* All CriticalServices: who waits for nothing may be waited for. */
struct members {
    struct prb_critical_service *items; /* owned */
    size_t count, cap;
    const char *name; /* who is looked at */
    size_t start;     /* where that is */
};

static bool add_member(void *ctx, const struct prb_object *object)
{
    struct members *members = ctx;
    struct prb_critical_service *service;

    if (members->count == members->cap) {
        members->cap = members->cap ? members->cap * 2 : 8;
        members->items = prb_realloc(members->items, members->cap, sizeof(*members->items));
    }
    service = &members->items[members->count];
    prb_critical_service_read(object, service);
    if (prb_streq(service->name, members->name))
        members->start = members->count;
    members->count++;
    return members->count <= PRB_DEADLOCK_SERVICES_MAX;
}

/* Whoever neither waits for what is guarded nor is waited for is in no circle. */
static void look_for_circle(struct prb_crit *crit)
{
    struct members members = { .name = crit->service.name };

    if (!prb_crit_has_edges(&crit->service) && !prb_crit_is_waited_for(crit->view, &crit->service))
        return;
    prb_view_each(crit->view, &prb_critical_services, NULL, add_member, &members);
    crit->cycle_unknown = members.count > PRB_DEADLOCK_SERVICES_MAX;
    if (!crit->cycle_unknown)
        crit->cycle = prb_deadlock_find(members.items, members.count, members.start);
    free(members.items);
}

struct prb_crit *prb_crit_look(const struct prb_critical_settings *settings,
        const struct prb_view *view, const struct prb_ref *key, const struct prb_object *object)
{
    struct prb_crit *crit = prb_calloc(1, sizeof(*crit));

    crit->view = view;
    crit->key = key;
    crit->object = object;
    crit->seen = prb_object_status(object);
    prb_critical_service_read(object, &crit->service);
    look_at_provider(crit);
    look_at_criteria(crit);
    crit->over = find_end(crit);
    look_for_circle(crit);
    crit->webhooks_known = prb_view_knows(view, &prb_crit_webhooks);
    crit->exempt = crit->namespace && prb_crit_is_exempt(settings, view, crit->namespace);
    if (crit->provider && crit->webhooks_known && !crit->exempt)
        crit->gap = prb_crit_webhook_gap(view, crit->provider, crit->namespace, &crit->guard_open);
    return crit;
}

void prb_crit_free(struct prb_crit *crit)
{
    if (!crit)
        return;
    for (size_t i = 0; i < PRB_CRITERIA_MAX; i++)
        free(crit->findings[i].message);
    free(crit->cycle);
    free(crit->gap);
    free(crit);
}

bool prb_crit_is_pending(const struct prb_crit *crit)
{
    for (size_t i = 0; i < crit->service.criterion_count; i++) {
        if (crit->findings[i].pending)
            return true;
    }
    return false;
}
