/* When has something been written so often in a row that it has to wait? */

#include "patience.h"

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
static int64_t pause_ms(int64_t writes, int64_t resync_ms)
{
    int64_t doublings = writes - WRITES_AT_ONCE + 1, pause;

    if (doublings <= 0)
        return 0;
    pause = (int64_t)1000 << (doublings < DOUBLINGS_MAX ? doublings : DOUBLINGS_MAX);
    return pause < resync_ms ? pause : resync_ms;
}

/* A write that is still to come is a clock that was set back: that one was long ago. */
static int64_t age_ms(struct prb_patience when, const struct json_object *entry)
{
    int64_t age = when.now_ms - member(entry, "written");

    return age < 0 ? when.resync_ms + 1 : age;
}

int64_t prb_patience_left_ms(struct prb_patience when, const struct json_object *entry)
{
    return pause_ms(member(entry, "writes"), when.resync_ms) - age_ms(when, entry);
}

void prb_patience_count(struct prb_patience when, const struct json_object *before,
        bool was_written, struct json_object *entry)
{
    int64_t writes = member(before, "writes"), written = member(before, "written");

    /* Left alone for long enough, it begins anew. */
    if (age_ms(when, before) > when.resync_ms)
        writes = 0;
    if (was_written) {
        writes++;
        written = when.now_ms;
    }
    if (writes == 0)
        return;
    prb_json_set_int(entry, "writes", writes);
    prb_json_set_int(entry, "written", written);
}
