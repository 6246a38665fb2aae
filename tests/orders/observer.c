/* When was each of the five deleted, and when did it go? */

#include "observer.h"

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

static int watch(struct observer *observer, enum thing thing, struct prb_error *err)
{
    const struct prb_ref *ref = &observer->world->refs[thing];
    prb_autofree char *selector = prb_asprintf("metadata.name=%s", ref->name);
    const struct prb_watch_options options = {
        .namespace = ref->namespace, .field_selector = selector, .metadata_only = true
    };

    return prb_watch_log_start(
            observer->world->api, &ref->gvr, &options, &observer->logs[thing], err);
}

int observer_start(struct observer *observer, const struct world *world, int patience_ms,
        struct prb_error *err)
{
    *observer = (struct observer){ .world = world };
    for (enum thing i = CR; i < THINGS; i++) {
        if (watch(observer, i, err) < 0)
            return prb_wrap(err, "watch the %s", thing_name(i));
    }
    for (enum thing i = CR; i < THINGS; i++) {
        char text[128];

        if (prb_watch_log_wait(observer->logs[i], 1, patience_ms))
            continue;
        prb_watch_log_describe(observer->logs[i], text, sizeof(text));
        return prb_fail(err, PRB_E_UNAVAILABLE, "the watch does not tell of the %s: %s",
                thing_name(i), text);
    }
    return 0;
}

void observer_stop(struct observer *observer)
{
    for (size_t i = 0; i < THINGS; i++)
        prb_watch_log_stop(prb_take(observer->logs[i]));
}

bool observer_saw_removed(const struct observer *observer, enum thing thing)
{
    return prb_watch_log_find(observer->logs[thing], PRB_WATCH_DELETED,
                   observer->world->refs[thing].name) >= 0;
}

bool observer_lost_one(const struct observer *observer, char *why, size_t size)
{
    for (enum thing i = CR; i < THINGS; i++) {
        struct prb_error ended;

        /* Looked at in this order: the last event may come just before the end. */
        if (!prb_watch_log_wait_closed(observer->logs[i], 0, &ended) ||
                observer_saw_removed(observer, i))
            continue;
        (void)snprintf(why, size, "the watch of the %s ended before it was removed: %.200s",
                thing_name(i), ended.msg);
        return true;
    }
    return false;
}

/* The first event that shows the object deleted, or with `removed` gone; 0: there is none. */
static int64_t find(const struct observer *observer, enum thing thing, bool removed)
{
    const struct prb_watch_log_event *event;
    int64_t version;

    for (size_t i = 0; (event = prb_watch_log_at(observer->logs[thing], i)) != NULL; i++) {
        if (event->type != PRB_WATCH_DELETED && (removed || !prb_object_is_deleting(event->object)))
            continue;
        return prb_parse_int(event->resource_version, 1, INT64_MAX, &version) ? version : 0;
    }
    return 0;
}

struct steps observer_steps(const struct observer *observer)
{
    return (struct steps){ .at = {
                                   [CRD_ACCEPTED] = find(observer, CRD, false),
                                   [CR_ACCEPTED] = find(observer, CR, false),
                                   [CR_REMOVED] = find(observer, CR, true),
                                   [CRD_REMOVED] = find(observer, CRD, true),
                                   [DEPLOYMENT_ACCEPTED] = find(observer, DEPLOYMENT, false),
                                   [NAMESPACE_ACCEPTED] = find(observer, NAMESPACE, false),
                                   [DEPLOYMENT_REMOVED] = find(observer, DEPLOYMENT, true),
                                   [NAMESPACE_REMOVED] = find(observer, NAMESPACE, true),
                                   [SERVICE_REMOVED] = find(observer, SERVICE, true),
                           } };
}
