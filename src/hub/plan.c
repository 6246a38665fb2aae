/* How does a write that was worked out get past admission into the store? */

#include "plan.h"

#include <string.h>

#include "deletion.h"
#include "meta.h"
#include "namespaces.h"
#include "objects.h"

void prb_hub_plan_done(struct prb_hub_plan *plan)
{
    prb_object_unref(plan->before);
    prb_json_free(plan->after);
    *plan = (struct prb_hub_plan){ .operation = NULL };
}

static const struct json_object *tree_of(const struct prb_hub_plan *plan)
{
    return plan->before ? prb_object_tree(plan->before) : plan->after;
}

static const char *namespace_of(const struct prb_hub_plan *plan)
{
    const char *namespace = prb_json_str(prb_json_obj(tree_of(plan), "metadata"), "namespace");

    return namespace ? namespace : "";
}

static const char *name_of(const struct prb_hub_plan *plan)
{
    return prb_json_str(prb_json_obj(tree_of(plan), "metadata"), "name");
}

int prb_hub_plan_judge(
        struct prb_hub *hub, const struct prb_hub_plan *plan, bool dry_run, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_resource resource = plan->kind->resource; /* a CRD may change it meanwhile */
    struct prb_hub_items follows;
    prb_hub_admit_fn admit = hub->admit;
    void *ctx = hub->admit_ctx;
    int r = 0;

    if (!admit)
        return 0;
    if (plan->after && strcmp(plan->operation, "DELETE") != 0)
        r = prb_object_new(prb_json_copy(plan->after), &object, err);
    if (r < 0)
        return r;

    hub->judging++;
    follows = prb_hub_queue_set_aside(&hub->queue);
    (void)pthread_mutex_unlock(&hub->lock);
    r = admit(ctx,
            &(struct prb_hub_write){ .operation = plan->operation,
                    .resource = &resource,
                    .subresource = plan->subresource,
                    .user = plan->user,
                    .namespace = namespace_of(plan),
                    .name = name_of(plan),
                    .object = object,
                    .old = plan->before,
                    .dry_run = dry_run },
            err);
    (void)pthread_mutex_lock(&hub->lock);
    prb_hub_queue_take_up(&hub->queue, follows);
    if (--hub->judging == 0)
        (void)pthread_cond_broadcast(&hub->calm);
    return r;
}

static struct prb_hub_entry *entry_of(const struct prb_hub_plan *plan)
{
    return prb_hub_find(plan->kind, namespace_of(plan), name_of(plan));
}

bool prb_hub_plan_holds(const struct prb_hub *hub, const struct prb_hub_plan *plan)
{
    const struct prb_hub_entry *entry = entry_of(plan);

    if (!plan->kind->served || (entry ? entry->object : NULL) != plan->before)
        return false;
    /* A place for something new may have been closed. */
    return plan->before || (!plan->kind->terminating &&
                                   (!plan->kind->resource.namespaced ||
                                           prb_hub_namespace_is_open(hub, namespace_of(plan))));
}

int prb_hub_plan_commit(struct prb_hub *hub, const struct prb_hub_plan *plan, struct prb_error *err)
{
    if (plan->unchanged)
        return 0;
    if (!plan->before && plan->kind->resource.namespaced)
        prb_hub_namespace_ensure(hub, namespace_of(plan));
    if (plan->after && !plan->gone)
        return prb_hub_put(hub, plan->kind, prb_json_copy(plan->after), NULL, err);
    prb_hub_drop(hub, entry_of(plan));
    return 0;
}

int prb_hub_plan_result(const struct prb_hub_plan *plan, bool committed, struct prb_object **ret,
        struct prb_error *err)
{
    const struct prb_hub_entry *entry = committed && !plan->gone ? entry_of(plan) : NULL;

    if (entry) {
        *ret = prb_object_ref(entry->object);
        return 0;
    }
    return plan->after ? prb_object_new(prb_json_copy(plan->after), ret, err) : 0;
}

void prb_hub_plan_deletion(struct prb_hub *hub, const struct prb_hub_entry *entry,
        enum prb_propagation propagation, struct prb_hub_plan *ret)
{
    enum prb_hub_outcome outcome;

    *ret = (struct prb_hub_plan){ .operation = "DELETE",
        .subresource = "",
        .kind = entry->kind,
        .before = prb_object_ref(entry->object) };
    outcome = prb_hub_deletion(hub, entry, propagation, &ret->after);
    ret->unchanged = outcome == PRB_HUB_UNCHANGED;
}

void prb_hub_plan_change(
        const struct prb_hub_entry *entry, struct json_object *tree_taken, struct prb_hub_plan *ret)
{
    *ret = (struct prb_hub_plan){ .operation = "UPDATE",
        .subresource = "",
        .kind = entry->kind,
        .before = prb_object_ref(entry->object),
        .after = tree_taken,
        .gone = prb_object_is_deleting(entry->object) &&
                prb_hub_finalizer_count(entry->kind, tree_taken) == 0 };
}

enum prb_hub_carried prb_hub_plan_carry_out(struct prb_hub *hub, const struct prb_hub_item *item,
        struct prb_hub_plan *plan, struct prb_error *err)
{
    if (plan->unchanged)
        return PRB_HUB_CARRIED_OUT;
    if (prb_hub_plan_judge(hub, plan, false, err) < 0)
        return PRB_HUB_REFUSED;
    if (!prb_hub_plan_holds(hub, plan)) {
        prb_hub_queue_push(&hub->queue, item->type, item->kind, item->key);
        return PRB_HUB_OVERTAKEN;
    }
    (void)prb_hub_plan_commit(hub, plan, err);
    return PRB_HUB_CARRIED_OUT;
}
