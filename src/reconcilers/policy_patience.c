/*
 * How soon is something written again that others change again and again?
 *
 * Three times at once; then after 2 s, 4 s and so on up to the resync, until it has been left alone
 * for that long. Two policies that want different things of one object would otherwise write it as
 * fast as the server can answer, and each would call it compliant.
 */

#include "probate/base/str.h"

#include "policy_internal.h"

/* Of writes in a row the first ones are made at once: people try things out. */
#define WRITES_AT_ONCE 3

/* Beyond this the resync is shorter: 2^16 seconds. */
#define DOUBLINGS_MAX 16

static int64_t member(const struct json_object *entry, const char *key)
{
    int64_t value = 0;

    (void)prb_json_int(entry, key, &value);
    return value;
}

/* For how long at least between the last write and the next. */
static int64_t pause_ms(int64_t writes)
{
    int64_t doublings = writes - WRITES_AT_ONCE + 1, pause;

    if (doublings <= 0)
        return 0;
    pause = (int64_t)1000 << (doublings < DOUBLINGS_MAX ? doublings : DOUBLINGS_MAX);
    return pause < PRB_POLICY_RESYNC_MS ? pause : PRB_POLICY_RESYNC_MS;
}

/* A write that is still to come is a clock that was set back: that one was long ago. */
static int64_t age_ms(const struct prb_policy_run *run, const struct json_object *entry)
{
    int64_t age = prb_view_now_ms(run->view) - member(entry, "written");

    return age < 0 ? PRB_POLICY_RESYNC_MS + 1 : age;
}

bool prb_policy_may_write(const struct prb_policy_run *run, struct prb_policy_item *item)
{
    const struct json_object *entry = prb_policy_remembered(run, item);
    int64_t left = entry ? pause_ms(member(entry, "writes")) - age_ms(run, entry) : 0;

    if (left <= 0)
        return true;
    prb_policy_item_fail(item, false,
            "somebody else changes it again and again, another policy or template perhaps: it is set "
            "again later");
    item->behind_ms = left;
    return false;
}

/* What is deleted only to be made again is one write with that. */
static bool was_written(const struct prb_policy_item *item)
{
    return item->did && !(item->template->type == PRB_MUST_HAVE && prb_streq(item->did, "deleted"));
}

void prb_policy_count_writes(const struct prb_policy_run *run, const struct prb_policy_item *item,
        struct json_object *entry)
{
    const struct json_object *before = prb_policy_remembered(run, item);
    int64_t writes = member(before, "writes"), written = member(before, "written");

    /* Left alone for long enough, it begins anew. */
    if (age_ms(run, before) > PRB_POLICY_RESYNC_MS)
        writes = 0;
    if (was_written(item)) {
        writes++;
        written = prb_view_now_ms(run->view);
    }
    if (writes == 0)
        return;
    prb_json_set_int(entry, "writes", writes);
    prb_json_set_int(entry, "written", written);
}
