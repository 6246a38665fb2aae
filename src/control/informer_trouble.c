/* A list failed or a watch ended: what is to be done next, when, and what is said about it? */

#include "probate/base/log.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "informer_internal.h"
#include "text.h"

/* The first delay; a watch that was cut resumes before anyone notices. */
#define BACKOFF_MIN_MS 200

/* The longest delay while the server is away: a tenth of a minute or so late is bearable once it
 * has been away for longer, and costs it one connection in ten seconds for each collection. */
#define BACKOFF_AWAY_MAX_MS 10000

/* The longest delay while the server says no (no right, no such kind yet): only a person or an
 * installation changes that, and either looks again after half a minute. */
#define BACKOFF_REFUSED_MAX_MS 30000

/* Spread of each delay in percent, so that collections and replicas do not come in step. */
#define BACKOFF_JITTER 50

/* After a 410 every watch of every client relists: within this time, not at one instant. */
#define RELIST_SPREAD_MS 1000

/* A watch that lived this long has worked; the server's own end of a watch comes after minutes. */
#define WATCH_LIVED_MS 5000

/* Watches in a row that a server opened and ended for a defect before they brought anything: an
 * event that it cannot send, or that cannot be read, comes again with each resume. A list goes past
 * it. Two are not worth the cost of a list. */
#define RESUMES_MAX 3

/* The reason of a NOTFOUND that means the kind, not an object. */
#define NOT_SERVED "NotServed"

static bool is_refusal(enum prb_errc code)
{
    return code == PRB_E_INVALID || code == PRB_E_NOTFOUND || code == PRB_E_UNAUTHORIZED ||
           code == PRB_E_FORBIDDEN || code == PRB_E_UNSUPPORTED;
}

/* Can a watch go on from the last resourceVersion, or is that no use any more? */
static bool can_resume(enum prb_errc code)
{
    return code == PRB_OK || code == PRB_E_IO || code == PRB_E_UNAVAILABLE ||
           code == PRB_E_THROTTLED || code == PRB_E_UNAUTHORIZED || code == PRB_E_FORBIDDEN ||
           code == PRB_E_CANCELLED;
}

/* Not a server that is away (no status, or a 503): one that answers, and always with the same. */
static bool is_stuck(const struct prb_informer *informer, const struct prb_error *why)
{
    return informer->failures >= RESUMES_MAX && why->code != PRB_OK &&
           (why->status == 200 || why->status == 500);
}

static int64_t backoff_ms(const struct prb_informer *informer, const struct prb_error *why)
{
    int64_t max = is_refusal(why->code) ? BACKOFF_REFUSED_MAX_MS : BACKOFF_AWAY_MAX_MS;
    int64_t ms = BACKOFF_MIN_MS;

    for (int i = 0; i < informer->failures && ms < max; i++)
        ms *= 2;
    ms = prb_jitter_ms(ms < max ? ms : max, BACKOFF_JITTER);
    return ms > why->retry_after_ms ? ms : why->retry_after_ms;
}

/* One line when trouble begins or changes, not one for each try. */
static void say(struct prb_informer *informer, const char *message, const struct prb_error *why)
{
    prb_text_copy(informer->state.error, sizeof(informer->state.error), why->msg);
    informer->state.code = why->code;
    if (why->code == PRB_E_CANCELLED || prb_text_says_same(informer->said, informer->state.error))
        return;
    prb_text_copy(informer->said, sizeof(informer->said), informer->state.error);
    prb_warn(message, KV("resource", informer->gvr.resource), KV("group", informer->group_text),
            KV("namespace", informer->namespace), KV("code", prb_errc_name(why->code)),
            KV("error", why->msg));
}

void prb_informer_all_well(struct prb_informer *informer)
{
    informer->watch_troubled = false;
    informer->state.error[0] = '\0';
    informer->state.code = PRB_OK;
    if (informer->said[0] == '\0')
        return;
    informer->said[0] = '\0';
    prb_info("collection is read again", KV("resource", informer->gvr.resource),
            KV("group", informer->group_text), KV("namespace", informer->namespace));
}

void prb_informer_list_failed(struct prb_informer *informer, const struct prb_error *why)
{
    int64_t delay;

    (void)pthread_mutex_lock(&informer->lock);
    say(informer, "collection cannot be listed", why);
    if (why->code == PRB_E_NOTFOUND && prb_streq(why->reason, NOT_SERVED))
        informer->state.not_served = true;
    delay = backoff_ms(informer, why);
    informer->failures++;
    (void)pthread_mutex_unlock(&informer->lock);
    prb_informer_progressed(informer);
    prb_queue_add_after(informer->set->queue, informer->id, delay);
}

/* How long to wait after a watch ended; counts those that came to nothing. */
static int64_t delay_after_watch(struct prb_informer *informer, const struct prb_error *why)
{
    int64_t now = informer->set->clock->mono_ms(informer->set->clock);
    bool lived = now - informer->opened_ms >= WATCH_LIVED_MS;
    bool for_nothing = !lived && !informer->delivered;
    int64_t delay;

    if (!for_nothing)
        informer->failures = 0;
    if (lived && why->code == PRB_OK)
        delay = 0;
    else if (why->code == PRB_E_GONE && informer->failures == 0)
        delay = (int64_t)prb_random_below(RELIST_SPREAD_MS);
    else
        delay = backoff_ms(informer, why);
    informer->failures += for_nothing ? 1 : 0;
    return delay;
}

static void say_watch_ended(struct prb_informer *informer, const struct prb_error *why)
{
    informer->state.code = PRB_OK;
    if (why->code == PRB_OK) {
        prb_text_copy(informer->state.error, sizeof(informer->state.error), "ended by the server");
        prb_debug("watch ended by the server", KV("resource", informer->gvr.resource));
    } else if (why->code == PRB_E_GONE) {
        prb_text_copy(informer->state.error, sizeof(informer->state.error), why->msg);
        prb_info("watch too old, listing again", KV("resource", informer->gvr.resource),
                KV("group", informer->group_text), KV("namespace", informer->namespace));
    } else {
        informer->watch_troubled = true;
        say(informer, "watch ended", why);
    }
}

void prb_informer_watch_ended(struct prb_informer *informer, const struct prb_error *why)
{
    int64_t delay;

    (void)pthread_mutex_lock(&informer->lock);
    if (!informer->watching) { /* given up before, and the next step is arranged */
        (void)pthread_mutex_unlock(&informer->lock);
        return;
    }
    informer->watching = false;
    informer->state.connected = false;
    say_watch_ended(informer, why);
    delay = delay_after_watch(informer, why);
    informer->must_list = !can_resume(why->code) || is_stuck(informer, why);
    (void)pthread_mutex_unlock(&informer->lock);
    prb_informer_state_changed(informer);
    prb_queue_add_after(informer->set->queue, informer->id, delay);
}
