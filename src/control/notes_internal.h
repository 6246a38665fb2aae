#ifndef SRC_CONTROL_NOTES_INTERNAL_H
#define SRC_CONTROL_NOTES_INTERNAL_H

/* What the queue of notes and those who write them have in common. */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "probate/base/map.h"
#include "probate/control/notes.h"

#include "lru.h"
#include "waker.h"

/* Of one call, so that one black hole does not hold up an end of the process for long. */
#define PRB_NOTES_CALL_MS 5000

struct prb_notes {
    struct prb_api *api;           /* borrowed */
    struct prb_recorder *recorder; /* borrowed; NULL: no Events */

    struct prb_waker waker;  /* for the next ones */
    struct prb_map *denials; /* owned: guard -> struct prb_noted_denial, the newest */
    struct prb_lru *written; /* owned: guard -> when the last one was over, monotonic */
    struct prb_lru *told;    /* owned: guard and object -> when there was last an Event */
    bool stop;
    int64_t stop_ms; /* monotonic: when even what is queued is given up */
    bool joined;

    char said[256]; /* the writer's only: the last trouble logged; "" */
    pthread_t thread;
};

/* A denial that is to be in the status of its guard. */
struct prb_noted_denial {
    struct prb_ref guard;
    char *guard_uid; /* owned, as all texts here; "" when not known */
    struct prb_ref object;
    char *user;            /* one line, as an Event or a terminal may have it */
    const char *operation; /* static */
    int64_t at_ms;         /* wall */

    int64_t due_ms; /* monotonic: not before */
    int tries;
};

struct prb_noted_denial *prb_noted_denial_new(const struct prb_note *note, int64_t at_ms);
void prb_noted_denial_free(struct prb_noted_denial *denial);
PRB_DEFINE_CLEANUP(struct prb_noted_denial *, prb_noted_denial_free)

/* What becomes of denials: "written", "replaced", "gone", or why they were dropped. */
void prb_notes_count(const char *result);

/* How long ago was the last one? When the pace allows the next, monotonic; and: the last is now.
 * Lock held. */
int64_t prb_notes_allowed_ms(struct prb_lru *paces, const char *key);
void prb_notes_set_pace(struct prb_lru *paces, const char *key, int64_t now_ms);

/* The thread that writes denials; `arg` is the struct prb_notes. */
void *prb_notes_writer(void *arg);

/* One try. NOTFOUND: the guard is gone, or it is another one by now. */
int prb_noted_denial_write(
        struct prb_api *api, const struct prb_noted_denial *denial, struct prb_error *err);

/* An Event on the guard and one on the object. */
void prb_note_tell(struct prb_recorder *recorder, const struct prb_note *note);

#endif
