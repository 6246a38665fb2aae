#ifndef PROBATE_CONTROL_NOTES_H
#define PROBATE_CONTROL_NOTES_H

/*
 * Writes down in the cluster what admission did: status.lastDenied of the CriticalService that
 * refused, and Events on it and on what was to be deleted. On every replica, lease or not: each
 * writes what it decided itself. The queue is bounded and never waited for; of several denials by
 * one guard within PRB_NOTES_PACE_MS the newest is written, and on one object the first becomes
 * Events; who went past a guard is always told. What cannot be written, after some tries, is logged
 * and dropped. Thread-safe.
 */

#include "probate/api/api.h"
#include "probate/base/cleanup.h"
#include "probate/base/clock.h"
#include "probate/control/recorder.h"
#include "probate/core/note.h"

/* Guards whose notes wait to be written. Each has at most one; a hub has tens of guards. */
#define PRB_NOTES_MAX_GUARDS 256

/* A client that retries every second must not become a write every second. */
#define PRB_NOTES_PACE_MS 5000

struct prb_notes;

/* `api` and `recorder` (NULL: no Events) are borrowed. `clock` NULL: the system's. Starts a thread.
 */
struct prb_notes *prb_notes_new(
        struct prb_api *api, struct prb_recorder *recorder, const struct prb_clock *clock);

/* Never blocks; copies what it needs. `notes` NULL: does nothing. */
void prb_notes_add(struct prb_notes *notes, const struct prb_note *items, size_t count);

/* Writes what is queued for at most `flush_ms` and the call in progress, then ends. Idempotent. */
void prb_notes_stop(struct prb_notes *notes, int64_t flush_ms);
void prb_notes_close(struct prb_notes *notes); /* NULL is fine */
PRB_DEFINE_CLEANUP(struct prb_notes *, prb_notes_close)

/* A fake clock was moved: look at it again. */
void prb_notes_poke(struct prb_notes *notes);

#endif
