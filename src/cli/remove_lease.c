/*
 * How is it made sure that no controller puts back what is taken away?
 *
 * By leading, without doing anything: the Lease is taken from whoever holds it, who notices when it
 * renews it and stops. It is not given back. For HOLD_S from when that one has stopped nobody else
 * leads: time to delete the Deployment.
 */

#include <stdio.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"
#include "probate/control/lease.h"

#include "remove.h"

/* Above what `helm uninstall` waits for by default (5 minutes). */
#define HOLD_S 600

/* Between two lines about the one that led. */
#define SLICE_MS 15000

/* A Lease that says nothing of its duration, or nonsense, is waited for as long. */
#define DURATION_UNKNOWN_MS 60000

#define IDENTITY "probate-remove"

/* The name of a pod and a uuid, with room to spare; what is longer is cut. */
#define HOLDER_SIZE 512

/* On the Lease: until when the one that led before may act. Who takes over from a `remove` that was
 * killed while it waited for that waits for the rest. */
#define LED_UNTIL "probate.dev/led-until"

static const struct prb_gvr leases = { "coordination.k8s.io", "v1", "leases" };

static struct json_object *make_record(
        const struct prb_object *lease, int64_t now_ms, int64_t rest_ms)
{
    struct json_object *body = prb_object_copy(lease);
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");
    struct json_object *spec = prb_json_ensure_obj(body, "spec");
    char now[PRB_TIME_SIZE], until[PRB_TIME_SIZE], uuid[PRB_UUID_SIZE];
    prb_autofree char *identity = NULL;
    int64_t transitions = 0;

    prb_random_uuid(uuid);
    identity = prb_asprintf(IDENTITY "_%s", uuid);
    prb_time_format_micro(now_ms, now);
    prb_time_format(now_ms + rest_ms, until);
    prb_json_set_str(prb_json_ensure_obj(metadata, "annotations"), LED_UNTIL, until);
    (void)prb_json_int(spec, "leaseTransitions", &transitions);
    prb_json_set_str(spec, "holderIdentity", identity);
    prb_json_set_int(spec, "leaseDurationSeconds", HOLD_S + (rest_ms + 999) / 1000);
    prb_json_set_str(spec, "acquireTime", now);
    prb_json_set_str(spec, "renewTime", now);
    prb_json_set_int(spec, "leaseTransitions", transitions + 1);
    return body;
}

static int64_t at_most(int64_t ms, int64_t max_ms)
{
    return ms < max_ms ? ms : max_ms;
}

/* What a `remove` before this one did not wait for. */
static int64_t left_ms(const struct prb_object *lease, int64_t now_ms)
{
    const char *text = prb_object_annotation(lease, LED_UNTIL);
    int64_t until_ms;

    if (!text || !prb_time_parse(text, &until_ms) || until_ms <= now_ms)
        return 0;
    return at_most(until_ms - now_ms, PRB_LEASE_DURATION_MAX_MS);
}

int64_t prb_remove_rest_ms(const struct prb_object *lease, int64_t now_ms)
{
    const struct json_object *spec = prb_object_spec(lease);
    const char *holder = prb_json_str(spec, "holderIdentity");
    int64_t seconds = 0;

    if (!holder || !holder[0])
        return 0;
    if (prb_starts_with(holder, IDENTITY))
        return left_ms(lease, now_ms);
    if (!prb_json_int(spec, "leaseDurationSeconds", &seconds) || seconds < 1)
        return DURATION_UNKNOWN_MS;
    return at_most(seconds, PRB_LEASE_DURATION_MAX_MS / 1000) * 1000;
}

/* The one that led before. */
struct former {
    char holder[HOLDER_SIZE];
    int64_t rest_ms; /* it may act for so long; 0: it does not */
};

static void former_set(struct former *former, const struct prb_object *lease, int64_t now_ms)
{
    const char *holder = prb_json_str(prb_object_spec(lease), "holderIdentity");

    (void)prb_copy(former->holder, sizeof(former->holder), holder && holder[0] ? holder : "nobody");
    former->rest_ms = prb_remove_rest_ms(lease, now_ms);
}

/* Who holds it renews it several times a minute: a conflict is to be expected. */
static int take(struct prb_removal *removal, const struct prb_ref *ref, struct former *ret,
        struct prb_error *err)
{
    const struct prb_get_options get = { .timeout_ms = PRB_REMOVE_CALL_MS };
    const struct prb_write_options put = { .timeout_ms = PRB_REMOVE_CALL_MS };
    const struct prb_clock *clock = prb_clock_system();
    int r;

    do {
        prb_auto(prb_object_unref) struct prb_object *lease = NULL;
        prb_auto(prb_json_free) struct json_object *body = NULL;

        r = prb_api_get(removal->api, ref, &get, &lease, err);
        if (r < 0)
            return r;
        former_set(ret, lease, clock->wall_ms(clock));
        body = make_record(lease, clock->wall_ms(clock), ret->rest_ms);
        r = prb_api_update(removal->api, ref, body, &put, NULL, err);
        if (r == PRB_E_CONFLICT)
            prb_remove_wait_for(removal, "the Lease", "%s renews it meanwhile", ret->holder);
    } while (r == PRB_E_CONFLICT && prb_remove_goes_on(removal));
    if (r == 0)
        prb_remove_wait_over(removal, "the Lease");
    return r;
}

/* Until the one that led has noticed, or the time is up. */
static void wait_for_former(struct prb_removal *removal, const struct former *former)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t end_ms = clock->mono_ms(clock) + former->rest_ms;
    int64_t left_ms;

    while ((left_ms = end_ms - clock->mono_ms(clock)) > 0 && prb_remove_goes_on(removal)) {
        int64_t slice_ms = removal->end_ms - clock->mono_ms(clock);

        prb_remove_wait_for(removal, "the controllers",
                "%s led, and may act until it has noticed, for another %d s at most",
                former->holder, (int)((left_ms + 999) / 1000));
        slice_ms = slice_ms < left_ms ? slice_ms : left_ms;
        (void)prb_supervisor_wait(removal->supervisor, slice_ms < SLICE_MS ? slice_ms : SLICE_MS);
    }
    if (left_ms <= 0)
        prb_remove_wait_over(removal, "the controllers");
}

bool prb_remove_lead(struct prb_removal *removal)
{
    struct former former = { .rest_ms = 0 };
    struct prb_error err;
    struct prb_ref ref;
    int r;

    prb_remove_say(removal,
            "stop the controllers: take over the Lease %s/%s for at least %d minutes",
            removal->lease_namespace, removal->lease_name, HOLD_S / 60);
    if (removal->dry_run)
        return true;
    if (!prb_ref_init(&ref, &leases, removal->lease_namespace, removal->lease_name))
        r = prb_fail(&err, PRB_E_INVALID, "no name of a Lease");
    else
        r = take(removal, &ref, &former, &err);
    if (r == PRB_E_NOTFOUND)
        prb_remove_say(removal,
                "  there is none: a Probate that runs without --leader-elect has to "
                "be stopped by hand");
    else if (r < 0)
        prb_remove_fail(removal, "the Lease", &err);
    if (r < 0 || former.rest_ms == 0)
        return r == 0 || r == PRB_E_NOTFOUND;
    wait_for_former(removal, &former);
    return true;
}
