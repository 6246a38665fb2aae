/* Which notes become Events, and who writes them? */

#include "probate/control/recorder.h"

#include <stdlib.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"

#include "recorder_internal.h"
#include "text.h"

/* Notes that may wait to be written, as client-go has it: at 1.5 KB each, 1.5 MB. */
#define QUEUE_MAX 1000

/* Events about one object for one reason: a burst, then one in five minutes; client-go's spam
 * filter, which does not look at the reason. Ours does: what is said often must not drown out what
 * is said once. */
#define RATE_BURST 25
#define RATE_REFILL_MS INT64_C(300000)

/* Objects and reasons whose rate is known. Past this an old one gets its burst anew; client-go's
 * size. */
#define RATES_MAX 4096

/* Tries while the server is away: 0.5 s, doubled each time, is about half a minute in all. */
#define TRIES_MAX 7
#define RETRY_MIN_MS 500

/* Bytes that tell one note from others: names and note have limits of their own. */
#define SAME_AS_MAX 4096

static struct prb_metric events_total = {
    .name = "probate_events_total",
    .help = "Events by what became of them: created, repeated, or dropped and why.",
    .type = PRB_COUNTER,
    .labels = { "result" },
};

/* How many more Events an object may have for one reason. */
struct rate {
    int64_t left_ms; /* in units of time: one Event costs RATE_REFILL_MS */
    int64_t at_ms;   /* monotonic: when that was so */
};

void prb_recorder_count(const char *result)
{
    prb_metric_add(&events_total, 1, result);
}

void prb_event_note_free(struct prb_event_note *note)
{
    if (!note)
        return;
    free(note->api_version);
    free(note->kind);
    free(note->namespace);
    free(note->name);
    free(note->uid);
    free(note->reason);
    free(note->text);
    free(note->same_as);
    free(note);
}

static char *copy_or_empty(const char *text)
{
    return prb_strdup(text ? text : "");
}

static struct prb_event_note *note_new(const struct prb_event *event, int64_t wall_ms)
{
    struct prb_event_note *note = prb_calloc(1, sizeof(*note));
    const char *text = event->note ? event->note : "";
    prb_autofree char *pattern = NULL;
    prb_auto(prb_str_done) struct prb_str same_as;

    note->api_version = copy_or_empty(event->api_version);
    note->kind = copy_or_empty(event->kind);
    note->namespace = copy_or_empty(event->namespace);
    note->name = copy_or_empty(event->name);
    note->uid = copy_or_empty(event->uid);
    note->reason = copy_or_empty(event->reason);
    note->text = prb_strndup(text, prb_text_cut(text, PRB_RECORDER_NOTE_MAX));
    note->warning = event->warning;
    note->on_hub = event->on_hub;
    note->at_ms = wall_ms;

    /* "for 45s" and "for 1m5s": else a denial that is repeated were a new Event each time. */
    pattern = prb_text_pattern(note->text);
    prb_str_init(&same_as, SAME_AS_MAX);
    prb_str_addf(&same_as, "%d\n%s\n%s\n%s\n%s\n%s\n%d\n%s\n%s", note->on_hub, note->api_version,
            note->kind, note->namespace, note->name, note->uid, note->warning, note->reason,
            pattern);
    note->same_as = prb_str_take(&same_as);
    return note;
}

/* May the object have one more Event for this reason now? Lock held. */
static bool take_rate(struct prb_recorder *recorder, const struct prb_event_note *note)
{
    prb_autofree char *key = prb_asprintf("%s\n%s\n%s\n%s\n%s\n%s", note->api_version, note->kind,
            note->namespace, note->name, note->uid, note->reason);
    struct rate *rate = prb_lru_find(recorder->rates, key);
    int64_t now = prb_waker_now(&recorder->waker);
    const int64_t full = RATE_BURST * RATE_REFILL_MS;

    if (!rate) {
        rate = prb_calloc(1, sizeof(*rate));
        *rate = (struct rate){ .left_ms = full, .at_ms = now };
        prb_lru_set(recorder->rates, key, rate);
    }
    rate->left_ms += now - rate->at_ms;
    rate->at_ms = now;
    if (rate->left_ms > full)
        rate->left_ms = full;
    if (rate->left_ms < RATE_REFILL_MS)
        return false;
    rate->left_ms -= RATE_REFILL_MS;
    return true;
}

/* NULL: it was queued. Otherwise why it was dropped. */
static const char *enqueue(struct prb_recorder *recorder, struct prb_event_note **note)
{
    PRB_HOLD(&recorder->waker);

    if (recorder->stop)
        return "dropped_stopped";
    if (!take_rate(recorder, *note))
        return "dropped_rate";
    if (recorder->queued == QUEUE_MAX)
        return "dropped_queue";
    *recorder->end = prb_take(*note);
    recorder->end = &(*recorder->end)->next;
    recorder->queued++;
    prb_waker_wake(&recorder->waker);
    return NULL;
}

void prb_recorder_event(struct prb_recorder *recorder, const struct prb_event *event)
{
    prb_auto(prb_event_note_free) struct prb_event_note *note = NULL;
    const char *dropped;

    if (!recorder)
        return;
    note = note_new(event, recorder->waker.clock->wall_ms(recorder->waker.clock));
    dropped = enqueue(recorder, &note);
    if (dropped)
        prb_recorder_count(dropped);
}

/* Wait for the next note; NULL: the end. */
static struct prb_event_note *next_note(struct prb_recorder *recorder)
{
    PRB_HOLD(&recorder->waker);
    struct prb_event_note *note;

    while (!recorder->first && !recorder->stop)
        prb_waker_wait(&recorder->waker, PRB_WAKER_NEVER);
    if (!recorder->first ||
            (recorder->stop && prb_waker_now(&recorder->waker) >= recorder->stop_ms))
        return NULL;

    note = recorder->first;
    recorder->first = note->next;
    note->next = NULL;
    if (!recorder->first)
        recorder->end = &recorder->first;
    recorder->queued--;
    return note;
}

/* False: there is no time to try again, as we stop. */
static bool wait_to_retry(struct prb_recorder *recorder, int64_t ms)
{
    PRB_HOLD(&recorder->waker);
    int64_t due = prb_waker_after(&recorder->waker, ms);

    while (!recorder->stop && prb_waker_now(&recorder->waker) < due)
        prb_waker_wait(&recorder->waker, due);
    return !recorder->stop;
}

static void drop_for(struct prb_recorder *recorder, const struct prb_event_note *note,
        const struct prb_error *why)
{
    char text[sizeof(recorder->said)];

    prb_recorder_count("dropped_error");
    prb_text_copy(text, sizeof(text), why->msg);
    if (prb_text_says_same(recorder->said, text))
        return;
    prb_text_copy(recorder->said, sizeof(recorder->said), text);
    prb_warn("event not written", KV("kind", note->kind), KV("namespace", note->namespace),
            KV("name", note->name), KV("reason", note->reason), KV("error", why->msg));
}

static void write_note(struct prb_recorder *recorder, struct prb_event_note *note)
{
    int64_t delay = RETRY_MIN_MS;
    struct prb_error err;

    for (int tries = 1;; tries++, delay *= 2) {
        int r = prb_recorder_write(recorder, note, &err);

        if (r == 0) {
            recorder->said[0] = '\0';
            return;
        }
        if (!prb_errc_is_transient(r) || tries == TRIES_MAX ||
                !wait_to_retry(recorder, delay > err.retry_after_ms ? delay : err.retry_after_ms))
            break;
    }
    drop_for(recorder, note, &err);
}

static void *writer_thread(void *arg)
{
    struct prb_recorder *recorder = arg;

    for (;;) {
        prb_auto(prb_event_note_free) struct prb_event_note *note = next_note(recorder);

        if (!note)
            return NULL;
        write_note(recorder, note);
    }
}

struct prb_recorder *prb_recorder_new(
        struct prb_api *api, const char *component, const struct prb_clock *clock)
{
    struct prb_recorder *recorder = prb_calloc(1, sizeof(*recorder));

    recorder->api = api;
    recorder->component = prb_strdup(component);
    prb_waker_init(&recorder->waker, clock);
    recorder->end = &recorder->first;
    recorder->rates = prb_lru_new(RATES_MAX, free);
    recorder->written = prb_recorder_written_new();
    if (pthread_create(&recorder->thread, NULL, writer_thread, recorder) != 0) {
        /* Best effort by nature: without a writer notes are dropped, and counted. */
        prb_log_error("no thread for Events: none will be written");
        recorder->stop = recorder->joined = true;
    }
    return recorder;
}

void prb_recorder_stop(struct prb_recorder *recorder, int64_t flush_ms)
{
    if (recorder->joined)
        return;
    (void)prb_waker_lock(&recorder->waker);
    recorder->stop = true;
    recorder->stop_ms = prb_waker_after(&recorder->waker, flush_ms);
    prb_waker_wake(&recorder->waker);
    prb_waker_unlock(&recorder->waker);
    (void)pthread_join(recorder->thread, NULL);
    recorder->joined = true;
}

void prb_recorder_poke(struct prb_recorder *recorder)
{
    PRB_HOLD(&recorder->waker);

    prb_waker_wake(&recorder->waker);
}

void prb_recorder_free(struct prb_recorder *recorder)
{
    if (!recorder)
        return;
    prb_recorder_stop(recorder, 0);
    while (recorder->first) {
        struct prb_event_note *next = recorder->first->next;

        prb_recorder_count("dropped_stopped");
        prb_event_note_free(recorder->first);
        recorder->first = next;
    }
    prb_lru_free(recorder->rates);
    prb_lru_free(recorder->written);
    prb_waker_done(&recorder->waker);
    free(recorder->component);
    free(recorder);
}
