/* Which notes are written down, and which are too many? */

#include "probate/control/notes.h"

#include <stdlib.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"

#include "notes_internal.h"

/* Guards, and pairs of guard and object, whose last note is remembered. Past this an old one may
 * have its next at once. */
#define PACES_MAX 1024

static struct prb_metric notes_total = {
    .name = "probate_notes_total",
    .help = "Denials for the status of a guard by what became of them: written, replaced by a "
            "newer one, of a guard that is gone, or dropped and why.",
    .type = PRB_COUNTER,
    .labels = { "result" },
};

void prb_notes_count(const char *result)
{
    prb_metric_add(&notes_total, 1, result);
}

int64_t prb_notes_allowed_ms(struct prb_lru *paces, const char *key)
{
    const int64_t *last = prb_lru_find(paces, key);

    return last ? *last + PRB_NOTES_PACE_MS : INT64_MIN;
}

void prb_notes_set_pace(struct prb_lru *paces, const char *key, int64_t now_ms)
{
    int64_t *last = prb_calloc(1, sizeof(*last));

    *last = now_ms;
    prb_lru_set(paces, key, last);
}

/* Is it time for Events about this denial? Then the next will have to wait. */
static bool take_turn(struct prb_notes *notes, const struct prb_note *note)
{
    PRB_HOLD(&notes->waker);
    char guard[PRB_REF_TEXT_SIZE], object[PRB_REF_TEXT_SIZE];
    int64_t now_ms = prb_waker_now(&notes->waker);
    prb_autofree char *key = NULL;

    prb_ref_format(&note->guard, guard);
    prb_ref_format(&note->object, object);
    key = prb_asprintf("%s\n%s\n%s\n%s", guard, note->guard_uid, object, note->object_uid);
    if (now_ms < prb_notes_allowed_ms(notes->told, key))
        return false;
    prb_notes_set_pace(notes->told, key, now_ms);
    return true;
}

/* Put it in the place of what waits for the same guard. Lock held. */
static void put(struct prb_notes *notes, const char *key, struct prb_noted_denial *denial_taken)
{
    const struct prb_noted_denial *older = prb_map_find(notes->denials, key);

    if (older) {
        /* A server that is away is not asked more often for it. */
        denial_taken->due_ms = older->due_ms;
        denial_taken->tries = older->tries;
        prb_notes_count("replaced");
    } else {
        denial_taken->due_ms = prb_notes_allowed_ms(notes->written, key);
    }
    prb_map_set(notes->denials, key, denial_taken);
    prb_waker_wake(&notes->waker);
}

static void enqueue(struct prb_notes *notes, const struct prb_note *note)
{
    PRB_HOLD(&notes->waker);
    const struct prb_clock *clock = notes->waker.clock;
    char key[PRB_REF_TEXT_SIZE];

    prb_ref_format(&note->guard, key);
    if (notes->stop)
        prb_notes_count("dropped_stopped");
    else if (!prb_map_find(notes->denials, key) &&
             prb_map_count(notes->denials) == PRB_NOTES_MAX_GUARDS)
        prb_notes_count("dropped_queue");
    else
        put(notes, key, prb_noted_denial_new(note, clock->wall_ms(clock)));
}

void prb_notes_add(struct prb_notes *notes, const struct prb_note *items, size_t count)
{
    for (size_t i = 0; notes && i < count; i++) {
        const struct prb_note *note = &items[i];

        if (note->type == PRB_NOTE_OVERRIDDEN || take_turn(notes, note))
            prb_note_tell(notes->recorder, note);
        if (note->type == PRB_NOTE_DENIED && !note->guard_unwritable)
            enqueue(notes, note);
    }
}

static void free_denial(void *denial)
{
    prb_noted_denial_free(denial);
}

struct prb_notes *prb_notes_new(
        struct prb_api *api, struct prb_recorder *recorder, const struct prb_clock *clock)
{
    struct prb_notes *notes = prb_calloc(1, sizeof(*notes));

    notes->api = api;
    notes->recorder = recorder;
    prb_waker_init(&notes->waker, clock);
    notes->denials = prb_map_new(free_denial);
    notes->written = prb_lru_new(PACES_MAX, free);
    notes->told = prb_lru_new(PACES_MAX, free);
    if (pthread_create(&notes->thread, NULL, prb_notes_writer, notes) != 0) {
        prb_log_error("no thread for notes: what is denied will not be in any status");
        notes->stop = notes->joined = true;
    }
    return notes;
}

void prb_notes_stop(struct prb_notes *notes, int64_t flush_ms)
{
    if (notes->joined)
        return;
    (void)prb_waker_lock(&notes->waker);
    notes->stop = true;
    notes->stop_ms = prb_waker_after(&notes->waker, flush_ms);
    prb_waker_wake(&notes->waker);
    prb_waker_unlock(&notes->waker);
    (void)pthread_join(notes->thread, NULL);
    notes->joined = true;
}

void prb_notes_poke(struct prb_notes *notes)
{
    PRB_HOLD(&notes->waker);

    prb_waker_wake(&notes->waker);
}

void prb_notes_close(struct prb_notes *notes)
{
    if (!notes)
        return;
    prb_notes_stop(notes, 0);
    for (size_t i = prb_map_count(notes->denials); i > 0; i--)
        prb_notes_count("dropped_stopped");
    prb_map_free(notes->denials);
    prb_lru_free(notes->written);
    prb_lru_free(notes->told);
    prb_waker_done(&notes->waker);
    free(notes);
}
