/* What is to go, and which CriticalServices guard it? */

#include "critical_service_ward.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

bool prb_is_labelled(const struct prb_object *object)
{
    return object &&
           prb_json_has(prb_json_obj(prb_object_metadata(object), "labels"), PRB_LABEL_PROTECTED);
}

void prb_ward_read(const struct prb_request *request, struct prb_ward *ret)
{
    const char *stored = request->old ? prb_object_namespace(request->old) : "";

    *ret = (struct prb_ward){
        .is_namespace = prb_streq(request->gvr.resource, prb_namespaces.resource),
        .namespace = request->namespace[0] ? request->namespace : stored,
        .name = request->name,
        .labelled = prb_streq(request->route, PRB_ROUTE_LABELLED),
    };
    if (!ret->is_namespace)
        return;
    ret->namespace = ret->name;
    ret->labelled = prb_is_labelled(request->old);
}

bool prb_ward_home(const struct prb_ward *ward, struct prb_ref *ret)
{
    return prb_ref_init(ret, &prb_namespaces, NULL, ward->namespace);
}

void prb_guards_init(struct prb_guards *guards)
{
    *guards = (struct prb_guards){ .items = NULL };
}

void prb_guards_done(struct prb_guards *guards)
{
    free(guards->items);
    prb_guards_init(guards);
}

void prb_guards_add(struct prb_guards *guards, const struct prb_critical_service *service)
{
    size_t at = guards->count;

    guards->items = prb_realloc(guards->items, guards->count + 1, sizeof(*guards->items));
    while (at > 0 && strcmp(guards->items[at - 1].name, service->name) > 0)
        at--;
    memmove(&guards->items[at + 1], &guards->items[at],
            (guards->count - at) * sizeof(*guards->items));
    guards->items[at] = *service;
    guards->count++;
}

/* A CriticalService that names no provider may guard anything that is labelled. */
static bool is_guarded_by(const struct prb_ward *ward, const struct prb_critical_service *service)
{
    if (prb_critical_service_is_blank(service))
        return ward->labelled;
    if (ward->is_namespace)
        return prb_critical_service_lives_in(service, ward->namespace);
    return prb_critical_service_provides(service, ward->namespace, ward->name);
}

struct gathering {
    const struct prb_ward *ward;
    struct prb_guards *guards;
};

static bool gather(void *ctx, const struct prb_object *object)
{
    const struct gathering *gathering = ctx;
    struct prb_critical_service service;

    prb_critical_service_read(object, &service);
    if (is_guarded_by(gathering->ward, &service))
        prb_guards_add(gathering->guards, &service);
    return true;
}

static void gather_cached(
        const struct prb_ward *ward, const struct prb_view *view, struct prb_guards *guards)
{
    struct gathering gathering = { ward, guards };

    prb_view_each(view, &prb_critical_services, NULL, gather, &gathering);
}

bool prb_ward_may_be_guarded(const struct prb_ward *ward, const struct prb_view *view)
{
    prb_auto(prb_guards_done) struct prb_guards guards;

    prb_guards_init(&guards);
    if (ward->labelled || !prb_view_knows(view, &prb_critical_services))
        return true;
    gather_cached(ward, view, &guards);
    return guards.count > 0;
}

void prb_ward_guards(const struct prb_ward *ward, const struct prb_view *view,
        const struct prb_question *list, struct prb_guards *guards)
{
    struct gathering gathering = { ward, guards };

    if (!list || !list->asked)
        gather_cached(ward, view, guards);
    for (size_t i = 0; list && i < list->object_count; i++)
        (void)gather(&gathering, list->objects[i]);
}
