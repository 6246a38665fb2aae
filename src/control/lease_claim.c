/*
 * Whose is the Lease, and can we have it? The algorithm of client-go's leaderelection: every write
 * carries the resourceVersion that was seen, so of two candidates one gets CONFLICT; and a Lease
 * counts as abandoned when it has not changed for its duration on our own clock.
 */

#include <stdatomic.h>

#include "probate/base/log.h"
#include "probate/base/str.h"

#include "lease_internal.h"
#include "text.h"

/* Shortest timeout of a call: a deadline that is a millisecond away still gets a real try. */
#define CALL_TIMEOUT_MIN_MS 50

static int64_t mono(const struct prb_lease *lease)
{
    return prb_waker_now(&lease->waker);
}

/* A call by which we want to keep leading is of no use after the renew deadline. */
static int call_timeout_ms(const struct prb_lease *lease)
{
    int64_t left = lease->renew_deadline_ms;

    if (lease->leads)
        left = lease->renewed_ms + lease->renew_deadline_ms - mono(lease);
    return (int)(left > CALL_TIMEOUT_MIN_MS ? left : CALL_TIMEOUT_MIN_MS);
}

static bool is_ours(const struct prb_lease *lease)
{
    return prb_streq(lease->record.holder, lease->identity);
}

/* Take in the Lease as it is now. Its time starts anew only when what it says has changed. */
static void see(struct prb_lease *lease, struct prb_object *object_taken)
{
    struct prb_lease_record record;

    prb_lease_record_read(object_taken, &record);
    if (!lease->seen || !prb_lease_record_equal(&record, &lease->record)) {
        if (record.holder[0] != '\0' && !prb_streq(record.holder, lease->record.holder) &&
                !prb_streq(record.holder, lease->identity))
            prb_info("another leads", KV("lease", lease->ref.name), KV("holder", record.holder));
        lease->changed_ms = mono(lease);
        lease->record = record;
    }
    prb_object_unref(lease->seen);
    lease->seen = object_taken;
}

/* Write `record`; `create` when there is no Lease. */
static int write_record(struct prb_lease *lease, const struct prb_lease_record *record, bool create,
        struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body =
            prb_lease_record_body(record, create ? NULL : lease->seen, &lease->ref);
    struct prb_write_options options = { .timeout_ms = call_timeout_ms(lease) };
    struct prb_object *written = NULL;
    int64_t sent_ms = mono(lease);
    int r;

    lease->verb = create ? "create" : "update";
    if (create)
        r = prb_api_create(lease->api, &lease->ref, body, &options, &written, err);
    else
        r = prb_api_update(lease->api, &lease->ref, body, &options, &written, err);
    if (r != 0)
        return r;

    /* Counted from before it was sent: others cannot have seen it earlier than that. */
    lease->renewed_ms = sent_ms;
    see(lease, written);
    return 0;
}

static int write_claim(struct prb_lease *lease, bool create, struct prb_error *err)
{
    struct prb_lease_record record = { .transitions = 0 };
    bool ours = !create && is_ours(lease);

    (void)prb_copy(record.holder, sizeof(record.holder), lease->identity);
    record.duration_s = (lease->duration_ms + 999) / 1000; /* others wait for no less than this */
    prb_time_format_micro(lease->waker.clock->wall_ms(lease->waker.clock), record.renewed);
    prb_text_copy(record.acquired, sizeof(record.acquired),
            ours ? lease->record.acquired : record.renewed);
    if (!create)
        record.transitions = lease->record.transitions + (ours ? 0 : 1);
    if (write_record(lease, &record, create, err) != 0)
        return err->code;
    if (lease->options.safe_until_ms)
        atomic_store(lease->options.safe_until_ms, lease->renewed_ms + lease->duration_ms);
    return 0;
}

static int read_lease(struct prb_lease *lease, struct prb_error *err)
{
    struct prb_get_options options = { .timeout_ms = call_timeout_ms(lease) };
    struct prb_object *object = NULL;
    int r;

    lease->verb = "get";
    r = prb_api_get(lease->api, &lease->ref, &options, &object, err);
    if (r == 0)
        see(lease, object);
    return r;
}

static bool is_abandoned(const struct prb_lease *lease)
{
    int64_t duration_ms = lease->record.duration_s * 1000;

    if (duration_ms <= 0)
        duration_ms = lease->duration_ms;
    return lease->record.holder[0] == '\0' || mono(lease) >= lease->changed_ms + duration_ms;
}

enum prb_lease_claim prb_lease_claim(struct prb_lease *lease, struct prb_error *err)
{
    int r;

    /* Who leads knows what it wrote: one call instead of two. */
    if (lease->leads && lease->seen) {
        r = write_claim(lease, false, err);
        if (r == 0)
            return PRB_LEASE_OURS;
        if (r != PRB_E_CONFLICT && r != PRB_E_NOTFOUND)
            return PRB_LEASE_UNKNOWN;
    }

    r = read_lease(lease, err);
    if (r == PRB_E_NOTFOUND)
        return write_claim(lease, true, err) == 0 ? PRB_LEASE_OURS : PRB_LEASE_UNKNOWN;
    if (r != 0)
        return PRB_LEASE_UNKNOWN;
    if (!is_ours(lease) && !is_abandoned(lease))
        return PRB_LEASE_THEIRS;
    return write_claim(lease, false, err) == 0 ? PRB_LEASE_OURS : PRB_LEASE_UNKNOWN;
}

int prb_lease_release(struct prb_lease *lease, struct prb_error *err)
{
    struct prb_lease_record record;
    int r = read_lease(lease, err);

    if (r != 0)
        return r == PRB_E_NOTFOUND ? 0 : r;
    if (!is_ours(lease))
        return 0;

    record = lease->record;
    record.holder[0] = '\0';
    record.duration_s = 1; /* the API wants a positive one */
    prb_time_format_micro(lease->waker.clock->wall_ms(lease->waker.clock), record.renewed);
    prb_text_copy(record.acquired, sizeof(record.acquired), record.renewed);
    return write_record(lease, &record, false, err);
}
