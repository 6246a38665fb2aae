#ifndef SRC_CONTROL_RECORDER_INTERNAL_H
#define SRC_CONTROL_RECORDER_INTERNAL_H

/* The recorder as its two halves share it: notes are taken by any thread, and written by one. */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/control/recorder.h"
#include "probate/model/ref.h"

#include "lru.h"
#include "waker.h"

/* The API server's limit on Event.message. */
#define PRB_RECORDER_NOTE_MAX 1024

/* Of one call, so that one black hole does not hold up an end of the process for long. */
#define PRB_RECORDER_CALL_MS 5000

/* A dot, 16 hexadecimal digits and the NUL at the end of an Event's name. */
#define PRB_RECORDER_SUFFIX_SIZE 18

/* One Event to write. */
struct prb_event_note {
    struct prb_event_note *next; /* owned; behind it in the queue */
    char *api_version;           /* owned, as all texts here; of what it regards */
    char *kind;
    char *namespace;
    char *name;
    char *uid;
    char *reason;
    char *text; /* at most PRB_RECORDER_NOTE_MAX bytes */
    bool warning;
    bool on_hub;
    int64_t at_ms; /* wall */
    char *same_as; /* notes with this in common are one Event */

    struct prb_ref event; /* the Event itself, when it is a new one */
    bool named;           /* `event` has its name: a second try must use it too */
};

struct prb_recorder {
    struct prb_api *api; /* borrowed */
    char *component;     /* owned */

    struct prb_waker waker;       /* for the next ones */
    struct prb_event_note *first; /* owned */
    struct prb_event_note **end;
    size_t queued;
    struct prb_lru *rates; /* owned: what and why -> how many more it may have */
    bool stop;
    int64_t stop_ms; /* monotonic: when even what is queued is given up */
    bool joined;

    struct prb_lru *written; /* owned; the writer's only: same_as -> the Event that is there */
    char said[256];          /* the writer's only: the last trouble logged; "" */
    pthread_t thread;
};

void prb_event_note_free(struct prb_event_note *note);
PRB_DEFINE_CLEANUP(struct prb_event_note *, prb_event_note_free)

/* What becomes of notes: "created", "repeated", or why they were dropped; for the metric. */
void prb_recorder_count(const char *result);

/* One try: create the Event, or raise the count of the one that is there. */
int prb_recorder_write(
        struct prb_recorder *recorder, struct prb_event_note *note, struct prb_error *err);

/* What prb_recorder_write remembers; the value type of `written`. */
struct prb_lru *prb_recorder_written_new(void);

#endif
