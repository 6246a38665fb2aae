/*
 * Who has to be looked at when an object has changed?
 *
 * Each change goes at most once through the CriticalServices, however many objects there are; of
 * most only the provider's name or the groups of the criteria are read. A CriticalService that
 * changed leads to others only as long as nobody has looked at this generation of it: writing its
 * status must not set off all the others. Who waits for an object, as a criterion, is told by
 * map_wanted alone: the runner calls it for collections of the table, too.
 */

#include "probate/base/str.h"

#include "critical_service_internal.h"

/* One changed object, and to whom the CriticalServices are told. */
struct change {
    const struct prb_view *view;
    const struct prb_ref *ref;
    const struct prb_object *object; /* NULL: what is known of its collection has changed */
    bool gone;
    bool guarded; /* some CriticalService has to do with it as its provider or namespace */
    prb_crit_enqueue_fn *enqueue;
    void *ctx;
};

static struct change change_of(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx)
{
    return (struct change){ .view = view,
        .ref = ref,
        .object = object,
        .gone = object && !prb_view_find(view, ref),
        .enqueue = enqueue,
        .ctx = ctx };
}

static void enqueue_object(
        const struct change *change, const struct prb_gvr *gvr, const struct prb_object *object)
{
    struct prb_ref key;

    if (prb_object_ref_in(object, gvr, &key))
        change->enqueue(change->ctx, &key);
}

static void enqueue_namespace(const struct change *change, const char *name)
{
    struct prb_ref key;

    if (prb_ref_init(&key, &prb_namespaces, NULL, name))
        change->enqueue(change->ctx, &key);
}

static bool has_label(const struct prb_object *object)
{
    return prb_object_label(object, PRB_LABEL_PROTECTED) != NULL;
}

bool prb_crit_mentions_group(const struct prb_object *service, const char *group)
{
    const struct json_object *criteria = prb_json_arr(prb_object_spec(service), "criteria");

    for (size_t i = 0; i < prb_json_len(criteria); i++) {
        const struct json_object *item = prb_json_elem(criteria, i);
        const struct json_object *of = prb_json_obj(item, "finalizer");
        const char *said = prb_json_str(of ? of : prb_json_obj(item, "specificResource"), "group");

        if (prb_streq(said ? said : "", group))
            return true;
    }
    return false;
}

static bool criterion_concerns(
        const struct change *change, const struct prb_critical_service *service, size_t index)
{
    const struct prb_criterion *criterion = &service->criteria[index];
    const struct prb_known_resource *known;

    if (criterion->type == PRB_CRITERION_UNKNOWN ||
            !prb_streq(criterion->group, change->ref->gvr.group))
        return false;
    known = prb_view_resource(change->view, criterion->group, criterion->resource);
    if (!known || known->state != PRB_RESOURCE_PRESENT ||
            !prb_gvr_equal(&known->gvr, &change->ref->gvr))
        return false;
    if (criterion->type == PRB_CRITERION_FINALIZER)
        return prb_crit_concerns(service, index, change->object, change->gone);
    return prb_streq(criterion->namespace, change->ref->namespace) &&
           prb_streq(criterion->name, change->ref->name);
}

/* Is the changed object, or its collection, something that this one waits for? */
static bool waits_for(const struct change *change, const struct prb_object *object)
{
    struct prb_critical_service service;

    if (!prb_crit_mentions_group(object, change->ref->gvr.group))
        return false;
    if (!change->object)
        return true;
    prb_critical_service_read(object, &service);
    for (size_t i = 0; i < service.criterion_count; i++) {
        if (criterion_concerns(change, &service, i))
            return true;
    }
    return false;
}

static bool tell_guard(void *ctx, const struct prb_object *service)
{
    struct change *change = ctx;

    change->guarded = true;
    enqueue_object(change, &prb_critical_services, service);
    return true;
}

static bool tell_who_waits(void *ctx, const struct prb_object *service)
{
    struct change *change = ctx;

    if (waits_for(change, service))
        enqueue_object(change, &prb_critical_services, service);
    return true;
}

static bool tell(void *ctx, const struct prb_object *service)
{
    enqueue_object(ctx, &prb_critical_services, service);
    return true;
}

/* Whether its namespace is exempt may have changed. */
static bool tell_with_namespace(void *ctx, const struct prb_object *object)
{
    struct prb_critical_service service;
    struct prb_ref provider;

    prb_critical_service_read(object, &service);
    if (prb_critical_service_provider(&service, &provider))
        enqueue_namespace(ctx, provider.namespace);
    return tell(ctx, object);
}

static void each_service(struct change *change, prb_view_each_fn each)
{
    prb_view_each(change->view, &prb_critical_services, NULL, each, change);
}

void prb_crit_map_deployment(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx)
{
    struct change change = change_of(view, ref, object, enqueue, ctx);

    prb_crit_each_guard(view, ref->namespace, ref->name, tell_guard, &change);
}

void prb_crit_map_namespace(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx)
{
    struct change change = change_of(view, ref, object, enqueue, ctx);

    prb_crit_each_guard(view, ref->name, "", tell_guard, &change);
    if (change.guarded || has_label(object))
        enqueue(ctx, ref);
}

void prb_crit_map_webhook(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx)
{
    struct change change = change_of(view, ref, object, enqueue, ctx);

    each_service(&change, tell_with_namespace);
}

void prb_crit_map_nothing(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx)
{
    (void)view;
    (void)ref;
    (void)object;
    (void)enqueue;
    (void)ctx;
}

void prb_crit_map_wanted(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx)
{
    struct change change = change_of(view, ref, object, enqueue, ctx);
    bool nameless = ref->gvr.resource[0] == '\0';

    each_service(&change, !object && nameless ? tell : tell_who_waits);
}

static bool tell_labelled_namespace(void *ctx, const struct prb_object *object)
{
    if (has_label(object))
        enqueue_object(ctx, &prb_namespaces, object);
    return true;
}

/* Whoever is waited for may be in a circle without waiting for anything. */
static void tell_waited_for(const struct change *change, const struct prb_critical_service *service)
{
    for (size_t i = 0; i < service->criterion_count; i++) {
        const struct prb_criterion *criterion = &service->criteria[i];
        struct prb_ref key;

        if (criterion->type == PRB_CRITERION_RESOURCE &&
                prb_means_critical_services(criterion->group, criterion->resource) &&
                prb_ref_init(&key, &prb_critical_services, NULL, criterion->name))
            change->enqueue(change->ctx, &key);
    }
}

/* Who is, or may now be, in a circle with the one that changed. */
static bool tell_if_in_circle(void *ctx, const struct prb_object *object)
{
    const struct json_object *deadlock =
            prb_condition_in(prb_object_status(object), PRB_CRIT_DEADLOCK);
    struct prb_critical_service service;

    prb_critical_service_read(object, &service);
    if (prb_crit_has_edges(&service) || prb_streq(prb_json_str(deadlock, "status"), "True"))
        enqueue_object(ctx, &prb_critical_services, object);
    tell_waited_for(ctx, &service);
    return true;
}

/* Is there anything about it that nobody has looked at yet? */
static bool is_news(const struct change *change)
{
    int64_t observed = -1;

    return change->gone ||
           !prb_json_int(prb_object_status(change->object), "observedGeneration", &observed) ||
           observed != prb_object_generation(change->object);
}

/* It was just created: there is no former provider, and no circle that it was in. */
static bool is_new(const struct change *change)
{
    return !change->gone && prb_object_generation(change->object) == 1 &&
           !prb_object_status(change->object);
}

static void tell_everybody(struct change *change)
{
    struct prb_critical_service service;
    bool is_new_one = is_new(change);

    prb_critical_service_read(change->object, &service);
    if (!is_new_one)
        prb_view_each(change->view, &prb_namespaces, NULL, tell_labelled_namespace, change);
    if (!is_new_one || prb_crit_has_edges(&service) ||
            prb_crit_is_waited_for(change->view, &service))
        each_service(change, tell_if_in_circle);
}

void prb_crit_map_service(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_crit_enqueue_fn *enqueue, void *ctx)
{
    struct change change = change_of(view, ref, object, enqueue, ctx);
    struct prb_critical_service service;
    struct prb_ref provider;

    prb_critical_service_read(object, &service);
    if (prb_critical_service_provider(&service, &provider))
        enqueue_namespace(&change, provider.namespace);
    enqueue(ctx, ref);
    if (is_news(&change))
        tell_everybody(&change);
}
