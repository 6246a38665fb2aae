/* How does a write come about, from the request to the settled hub? */

#include "request.h"

#include "probate/base/str.h"

#include "create.h"
#include "fail.h"
#include "namespaces.h"
#include "objects.h"
#include "patch.h"
#include "settle.h"
#include "update.h"

int prb_hub_kind_of_ref(const struct prb_hub *hub, const struct prb_ref *ref,
        struct prb_hub_kind **ret, struct prb_error *err)
{
    struct prb_hub_kind *kind = prb_hub_kind_serving(hub->kinds, &ref->gvr);

    if (!kind || kind->resource.namespaced != (ref->namespace[0] != '\0'))
        return prb_hub_not_served(err);
    *ret = kind;
    return 0;
}

/* The preconditions of a DELETE, in the words of each kind's own check. */
static int check_preconditions(const struct prb_hub_request *request,
        const struct prb_hub_entry *entry, struct prb_error *err)
{
    const char *uid = prb_object_uid(entry->object);
    const char *version = prb_object_resource_version(entry->object);

    if (request->uid && !prb_streq(request->uid, uid))
        return prb_hub_conflict(err, entry->kind, request->ref->name,
                "the UID in the precondition (%s) does not match the UID in record (%s). The "
                "object might have been deleted and then recreated",
                request->uid, uid);
    if (request->resource_version && !prb_streq(request->resource_version, version))
        return prb_hub_conflict(err, entry->kind, request->ref->name,
                "the ResourceVersion in the precondition (%s) does not match the ResourceVersion "
                "in record (%s). The object might have been modified",
                request->resource_version, version);
    return 0;
}

static int plan_delete(struct prb_hub *hub, const struct prb_hub_request *request,
        struct prb_hub_plan *ret, struct prb_error *err)
{
    const struct prb_hub_entry *entry;
    struct prb_hub_kind *kind = NULL;
    int r = prb_hub_kind_of_ref(hub, request->ref, &kind, err);

    if (r == 0 && prb_hub_kind_is(kind, "", "namespaces"))
        r = prb_hub_namespace_mortal(request->ref->name, err);
    if (r < 0)
        return r;
    entry = prb_hub_find(kind, request->ref->namespace, request->ref->name);
    if (!entry)
        return prb_hub_not_found(err, kind, request->ref->name);
    r = check_preconditions(request, entry, err);
    if (r < 0)
        return r;
    prb_hub_plan_deletion(hub, entry, request->propagation, ret);
    return 0;
}

/* Is there such a URL, and does it take this method? */
static int check_url(
        const struct prb_hub *hub, const struct prb_hub_request *request, struct prb_error *err)
{
    struct prb_hub_kind *kind = prb_hub_kind_serving(hub->kinds, &request->ref->gvr);
    int r;

    if (kind && request->verb == PRB_HUB_CREATE && kind->resource.namespaced &&
            request->ref->namespace[0] == '\0' && !(kind->flags & PRB_HUB_CUSTOM))
        return prb_hub_fail(err, PRB_E_UNSUPPORTED, 405, "MethodNotAllowed",
                "the server does not allow this method on the requested resource");
    r = prb_hub_kind_of_ref(hub, request->ref, &kind, err);
    if (r < 0 || !kind || request->subresource[0] == '\0' || kind->resource.has_status)
        return r;
    if (kind->flags & PRB_HUB_CUSTOM)
        return prb_hub_not_found(err, kind, request->ref->name);
    return prb_hub_not_served(err);
}

static int make_plan(struct prb_hub *hub, const struct prb_hub_request *request,
        struct prb_hub_plan *ret, struct prb_error *err)
{
    int r = check_url(hub, request, err);

    if (r < 0)
        return r;
    switch (request->verb) {
    case PRB_HUB_CREATE:
        return prb_hub_plan_create(hub, request, NULL, ret, err);
    case PRB_HUB_UPDATE:
        return prb_hub_plan_update(hub, request, ret, err);
    case PRB_HUB_PATCH:
        return prb_hub_plan_patch(hub, request, ret, err);
    case PRB_HUB_DELETE:
        return plan_delete(hub, request, ret, err);
    }
    return prb_fail(err, PRB_E_INTERNAL, "verb %d", (int)request->verb);
}

/* The name is taken, which is found out after admission as in the API server. */
static int check_taken(const struct prb_hub_request *request, const struct prb_hub_plan *plan,
        struct prb_error *err)
{
    const struct prb_hub_entry *entry = NULL;
    char resource[PRB_HUB_KIND_KEY_SIZE];

    if (request->verb == PRB_HUB_CREATE && plan->kind->served)
        entry = prb_hub_find(plan->kind, request->ref->namespace, request->ref->name);
    if (!entry)
        return 0;
    prb_hub_kind_key(plan->kind->resource.gvr.group, plan->kind->resource.gvr.resource, resource);
    return prb_hub_fail(err, PRB_E_EXISTS, 409, "AlreadyExists", "%s%s \"%s\" already exists",
            prb_object_is_deleting(entry->object) ? "object is being deleted: " : "", resource,
            request->ref->name);
}

/* One try. *ret_again: what was judged is no longer what is stored. */
static int try_once(struct prb_hub *hub, const struct prb_hub_request *request,
        struct prb_object **ret, bool *ret_again, struct prb_error *err)
{
    prb_auto(prb_hub_plan_done) struct prb_hub_plan plan = { .operation = NULL };
    int r = hub->interrupted ? prb_hub_cancelled(err) : make_plan(hub, request, &plan, err);

    plan.user = request->user;
    if (r == 0)
        r = prb_hub_plan_judge(hub, &plan, request->dry_run, err);
    if (r == 0)
        r = check_taken(request, &plan, err);
    if (r < 0)
        return r;
    *ret_again = !prb_hub_plan_holds(hub, &plan);
    if (*ret_again)
        return 0;
    if (request->dry_run)
        return prb_hub_plan_result(&plan, false, ret, err);
    r = prb_hub_plan_commit(hub, &plan, err);
    if (r == 0)
        r = prb_hub_plan_result(&plan, true, ret, err);
    prb_hub_settle(hub);
    return r;
}

int prb_hub_perform(struct prb_hub *hub, const struct prb_hub_request *request,
        struct prb_object **ret, struct prb_error *err)
{
    bool again = true;
    int r = 0;

    (void)pthread_mutex_lock(&hub->lock);
    for (int i = 0; i < PRB_HUB_TRIES_MAX && again && r == 0; i++) {
        again = false;
        r = try_once(hub, request, ret, &again, err);
    }
    (void)pthread_mutex_unlock(&hub->lock);
    if (r == 0 && again)
        return prb_hub_fail(err, PRB_E_CONFLICT, 409, "Conflict",
                "%s \"%s\" changed %d times while admission judged a write to it",
                request->ref->gvr.resource, request->ref->name, PRB_HUB_TRIES_MAX);
    return r;
}
