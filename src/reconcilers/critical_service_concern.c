/*
 * Can the change of one object alter what a status says about a Finalizer criterion?
 *
 * The status names the first five that have the finalizer, and whether there are more. So a change
 * behind these five, or of an object that has nothing to do with the finalizer, is no news: without
 * this every heartbeat of 100,000 objects would make somebody go through all 100,000. It may be
 * asked of a status that is about to be overwritten: that write, too, makes somebody look again.
 */

#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/str.h"

#include "critical_service_internal.h"

/* Has somebody looked at the CriticalService as it is now? */
static bool is_observed(const struct prb_object *service)
{
    int64_t observed = -1;

    return prb_json_int(prb_object_status(service), "observedGeneration", &observed) &&
           observed == prb_object_generation(service);
}

static bool is_named(const struct json_object *blocker, const struct prb_object *object)
{
    const char *namespace = prb_json_str(blocker, "namespace");

    return prb_streq(prb_json_str(blocker, "name"), prb_object_name(object)) &&
           prb_streq(namespace ? namespace : "", prb_object_namespace(object));
}

static const struct json_object *find_blocker(
        const struct json_object *blockers, const struct prb_object *object)
{
    for (size_t i = 0; i < prb_json_len(blockers); i++) {
        if (is_named(prb_json_elem(blockers, i), object))
            return prb_json_elem(blockers, i);
    }
    return NULL;
}

static int64_t deleting_since(const struct json_object *blocker)
{
    const char *text = prb_json_str(blocker, "deletingSince");
    int64_t ms = 0;

    (void)(text && prb_time_parse(text, &ms));
    return ms;
}

static int compare_names(const struct json_object *blocker, const struct prb_object *object)
{
    const char *namespace = prb_json_str(blocker, "namespace"),
               *name = prb_json_str(blocker, "name");
    int by_namespace = strcmp(namespace ? namespace : "", prb_object_namespace(object));

    return by_namespace ? by_namespace : strcmp(name ? name : "", prb_object_name(object));
}

/* Does the object come after the last that is named, in the order of prb_holders_add? */
static bool is_behind(const struct json_object *blockers, const struct prb_object *object)
{
    const struct json_object *last = prb_json_elem(blockers, prb_json_len(blockers) - 1);
    int64_t since = prb_object_deleted_at_ms(object), last_since = deleting_since(last);

    if (since != last_since)
        return since == 0 || (last_since != 0 && since > last_since);
    return compare_names(last, object) < 0;
}

bool prb_crit_concerns(const struct prb_critical_service *service, size_t criterion,
        const struct prb_object *object, bool gone)
{
    const struct json_object *status = prb_object_status(service->object);
    const struct json_object *entry = prb_json_elem(prb_json_arr(status, "criteria"), criterion);
    const struct json_object *blockers = prb_json_arr(entry, "blockers");
    const struct json_object *named = find_blocker(blockers, object);
    bool more = false,
         has = !gone && prb_object_has_finalizer(object, service->criteria[criterion].finalizer);

    if (!is_observed(service->object) || prb_streq(prb_json_str(entry, "state"), "Unknown"))
        return true;
    (void)prb_json_bool(entry, "more", &more);
    if (named)
        return !has || deleting_since(named) != prb_object_deleted_at_ms(object);
    if (!has)
        return more;
    return !more || !is_behind(blockers, object);
}
