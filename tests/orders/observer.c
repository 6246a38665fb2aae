/* When was each of the five deleted, and when did it go? */

#include "observer.h"

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/critical_service.h"

#include "support/wait.h"

static int watch(struct observer *observer, enum thing thing, struct prb_error *err)
{
    const struct prb_ref *ref = &observer->world->refs[thing];
    prb_autofree char *selector = prb_asprintf("metadata.name=%s", ref->name);
    const struct prb_watch_options options = {
        .namespace = ref->namespace, .field_selector = selector, .metadata_only = thing != SERVICE
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
        if (!prb_watch_log_wait(observer->logs[i], 1, patience_ms))
            return prb_fail(err, PRB_E_UNAVAILABLE, "the watch does not tell of the %s: %s",
                    thing_name(i), prb_test_awaited());
    }
    return 0;
}

void observer_stop(struct observer *observer)
{
    for (size_t i = 0; i < THINGS; i++)
        prb_watch_log_stop(prb_take(observer->logs[i]));
}

/* As it was last seen. */
static const struct prb_object *newest(const struct observer *observer, enum thing thing)
{
    size_t count = prb_watch_log_count(observer->logs[thing]);

    return prb_watch_log_at(observer->logs[thing], count - 1)->object;
}

/* The condition Protected of a CriticalService; NULL: it has none. */
static const struct json_object *find_protected(const struct prb_object *service)
{
    const struct json_object *conditions = prb_json_arr(prb_object_status(service), "conditions");

    for (size_t i = 0; i < prb_json_len(conditions); i++) {
        const struct json_object *condition = prb_json_elem(conditions, i);

        if (prb_streq(prb_json_str(condition, "type"), "Protected"))
            return condition;
    }
    return NULL;
}

/* What is missing for the protection to be in force; NULL: nothing. */
static char *find_gap(const struct observer *observer)
{
    const struct json_object *condition = find_protected(newest(observer, SERVICE));

    if (!prb_object_label(newest(observer, NAMESPACE), PRB_LABEL_PROTECTED))
        return prb_strdup("the Namespace has no label");
    if (!condition)
        return prb_strdup("the CriticalService has no condition Protected");
    if (!prb_streq(prb_json_str(condition, "status"), "True"))
        return prb_asprintf("Protected is not True: %s", prb_json_str(condition, "message"));
    return NULL;
}

static bool has_no_gap(void *ctx)
{
    prb_autofree char *gap = find_gap(ctx);

    return !gap || prb_test_saw("%s", gap);
}

int observer_wait_protected(struct observer *observer, int patience_ms, struct prb_error *err)
{
    if (prb_test_await("the protection is in force", has_no_gap, observer, patience_ms))
        return 0;
    return prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

bool observer_saw_removed(const struct observer *observer, enum thing thing)
{
    return prb_watch_log_find(observer->logs[thing], PRB_WATCH_DELETED,
                   observer->world->refs[thing].name) >= 0;
}

void observer_history(const struct observer *observer, enum thing thing, struct prb_str *out)
{
    static const char *const types[] = { [PRB_WATCH_ADDED] = "ADDED",
        [PRB_WATCH_MODIFIED] = "MODIFIED",
        [PRB_WATCH_DELETED] = "DELETED",
        [PRB_WATCH_BOOKMARK] = "BOOKMARK" };
    const struct prb_watch_log_event *event;

    for (size_t i = 0; (event = prb_watch_log_at(observer->logs[thing], i)) != NULL; i++)
        prb_str_addf(out, "%s%s at %s%s%s", i ? ", " : "", types[event->type],
                event->resource_version,
                prb_object_label(event->object, PRB_LABEL_PROTECTED) ? " marked" : "",
                prb_object_is_deleting(event->object) ? " deleting" : "");
}

bool observer_lost_one(const struct observer *observer, char *why, size_t size)
{
    for (enum thing i = CR; i < THINGS; i++) {
        struct prb_error ended;

        /* Looked at in this order: the last event may come just before the end. */
        if (!prb_watch_log_is_closed(observer->logs[i], &ended) ||
                observer_saw_removed(observer, i))
            continue;
        (void)snprintf(why, size, "the watch of the %s ended before it was removed: %.200s",
                thing_name(i), ended.msg);
        return true;
    }
    return false;
}

static int64_t version_of(const struct prb_watch_log_event *event)
{
    int64_t version;

    return prb_parse_int(event->resource_version, 1, INT64_MAX, &version) ? version : 0;
}

/* The first event that shows the object deleted, or with `removed` gone; 0: there is none. */
static int64_t find(const struct observer *observer, enum thing thing, bool removed)
{
    const struct prb_watch_log_event *event;

    for (size_t i = 0; (event = prb_watch_log_at(observer->logs[thing], i)) != NULL; i++) {
        if (event->type == PRB_WATCH_DELETED || (!removed && prb_object_is_deleting(event->object)))
            return version_of(event);
    }
    return 0;
}

bool observer_saw_unmarked(const struct observer *observer, enum thing thing)
{
    int64_t deleted = find(observer, thing, false), unguarded = find(observer, DEPLOYMENT, true);
    const struct prb_watch_log_event *event;
    bool marked = false;

    for (size_t i = 0; (event = prb_watch_log_at(observer->logs[thing], i)) != NULL; i++) {
        bool is_marked = prb_object_label(event->object, PRB_LABEL_PROTECTED) != NULL;

        if ((deleted > 0 && version_of(event) >= deleted) ||
                (unguarded > 0 && version_of(event) > unguarded))
            return false;
        if (marked && !is_marked)
            return true;
        marked = is_marked;
    }
    return false;
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
