/*
 * How soon is something repaired that others change again and again?
 *
 * At once, and once more; then after 2 s, 4 s and so on up to the resync, until it has been left
 * alone for that long. Two works that want different things of one object would otherwise write it
 * as fast as the server can answer.
 */

#include "work_apply.h"

/* Of repairs in a row the first ones are made at once: people try things out. */
#define REPAIRS_AT_ONCE 2

/* Beyond this the resync is shorter: 2^16 seconds. */
#define DOUBLINGS_MAX 16

static int64_t member(const struct json_object *entry, const char *key)
{
    int64_t value = 0;

    (void)prb_json_int(entry, key, &value);
    return value;
}

/* For how long at least between the last repair and the next. */
static int64_t pause_ms(const struct prb_pass *pass, int64_t repairs)
{
    int64_t most = prb_apply_resync_ms(pass), pause;

    if (repairs < REPAIRS_AT_ONCE)
        return 0;
    pause = (int64_t)1000 << (repairs < DOUBLINGS_MAX ? repairs : DOUBLINGS_MAX);
    return pause < most ? pause : most;
}

/* A repair that is still to come is a clock that was set back: that one was long ago. */
static int64_t age_ms(const struct prb_pass *pass, const struct json_object *entry)
{
    int64_t age = prb_view_now_ms(pass->pair->view) - member(entry, "repaired");

    return age < 0 ? prb_apply_resync_ms(pass) + 1 : age;
}

void prb_apply_be_patient(const struct prb_pass *pass, struct prb_item *item)
{
    const struct json_object *entry = prb_apply_remembered(pass, item);
    int64_t left = pause_ms(pass, member(entry, "repairs")) - age_ms(pass, entry);

    if (item->state != PRB_ITEM_WRITES || item->wrote || !entry || left <= 0)
        return;
    prb_changes_done(&item->asks);
    prb_item_fail(item, false,
            "somebody else changes it again and again, another work perhaps: it is written again "
            "later");
    item->behind_ms = left;
}

void prb_apply_count_repair(
        const struct prb_pass *pass, const struct prb_item *item, struct json_object *entry)
{
    const struct json_object *before = prb_apply_remembered(pass, item);
    int64_t repairs = member(before, "repairs"), repaired = member(before, "repaired");

    /* Left alone for long enough, it begins anew. */
    if (age_ms(pass, before) > prb_apply_resync_ms(pass))
        repairs = 0;
    if (before && item->wrote) {
        repairs++;
        repaired = prb_view_now_ms(pass->pair->view);
    }
    if (repairs == 0)
        return;
    prb_json_set_int(entry, "repairs", repairs);
    prb_json_set_int(entry, "repaired", repaired);
}
