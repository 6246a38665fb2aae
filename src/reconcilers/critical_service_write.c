/*
 * Is what has changed in a status worth a write, and when?
 *
 * The patch says only what differs, so that "lastDenied" is never touched, and has a
 * resourceVersion, so that it overwrites nothing that it has not seen.
 */

#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "critical_service_internal.h"

/*
 * While 5,000 objects go one by one, the five that are named change with each. Such news are
 * written at most this often; news of any other sort at once. When the last write was is in the
 * status itself: a decision has no other memory.
 */
#define PACE_MS 2000

/* The status without what changes with every object that goes. */
static struct json_object *essence(const struct json_object *status)
{
    struct json_object *copy = status ? prb_json_copy(status) : json_object_new_object();
    const struct json_object *criteria = prb_json_arr(copy, "criteria");

    prb_json_del(copy, "blockedBy");
    for (size_t i = 0; i < prb_json_len(criteria); i++) {
        struct json_object *entry = prb_json_elem(criteria, i);

        if (!json_object_is_type(entry, json_type_object))
            continue;
        prb_json_del(entry, "blockers");
        prb_json_del(entry, "more");
    }
    return copy;
}

/* For how long a write that only names other blockers has to wait. */
static int64_t pace_ms(const struct prb_crit *crit, const struct json_object *status)
{
    prb_auto(prb_json_free) struct json_object *before = essence(crit->seen);
    prb_auto(prb_json_free) struct json_object *after = essence(status);
    const char *text = prb_json_str(crit->seen, "updatedAt");
    int64_t written_ms, age_ms;

    if (!prb_json_equal(before, after) || !text || !prb_time_parse(text, &written_ms))
        return 0;

    /* A clock that was ahead must not put it off for long. */
    age_ms = prb_view_now_ms(crit->view) - written_ms;
    return age_ms >= 0 && age_ms < PACE_MS ? PACE_MS - age_ms : 0;
}

static struct json_object *patch_to(const struct prb_crit *crit, struct json_object *status)
{
    prb_auto(prb_json_free) struct json_object *nothing = json_object_new_object();
    struct json_object *patch = json_object_new_object();
    char now[PRB_TIME_SIZE];

    prb_time_format(prb_view_now_ms(crit->view), now);
    prb_json_set_str(status, "updatedAt", now);
    prb_json_set(patch, "status", prb_merge_diff(crit->seen ? crit->seen : nothing, status));
    return patch;
}

void prb_crit_write_status(const struct prb_crit *crit, struct prb_changes *out)
{
    prb_auto(prb_json_free) struct json_object *status = prb_crit_status(crit);
    int64_t wait_ms;

    if (prb_json_equal(crit->seen, status))
        return;
    wait_ms = pace_ms(crit, status);
    if (wait_ms > 0) {
        prb_changes_again(out, wait_ms);
        return;
    }

    /* Events after the write: one that is refused tells nothing, and is decided again. */
    prb_changes_merge_patch(out, crit->key, patch_to(crit, status), "status",
            prb_object_resource_version(crit->object), "status of a CriticalService");
    out->items[out->count - 1].absent_is_done = true;
    prb_crit_add_events(crit, status, out);
}
