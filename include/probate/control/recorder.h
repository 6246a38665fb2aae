#ifndef PROBATE_CONTROL_RECORDER_H
#define PROBATE_CONTROL_RECORDER_H

/*
 * Writes Events (core v1, as every Kubernetes serves them). The same Event again, numbers in its
 * note aside, raises its count instead of making a new one; a burst on one object for one reason is
 * rate-limited; the queue is bounded and what does not fit is counted, not waited for. Best effort
 * by nature: an Event that cannot be written, after some tries while the server is away, is logged
 * and dropped, never a reason to fail. Thread-safe.
 */

#include <stdbool.h>

#include "probate/api/api.h"
#include "probate/base/cleanup.h"
#include "probate/base/clock.h"

struct prb_recorder;

struct prb_event {
    const char *api_version; /* of what it regards */
    const char *kind;
    const char *namespace; /* "": cluster-scoped; the Event then goes to namespace "default" */
    bool on_hub;           /* what it regards is there, and so is the Event; see api/sides.h */
    const char *name;
    const char *uid;
    bool warning;
    const char *reason; /* CamelCase */
    const char *note;   /* cut at 1024 bytes, the API server's limit */
};

/* `component` is e.g. "probate". Starts its writer thread. */
struct prb_recorder *prb_recorder_new(
        struct prb_api *api, const char *component, const struct prb_clock *clock);

/* Writes what is queued for at most `flush_ms` and the call in progress, then ends. Idempotent. */
void prb_recorder_stop(struct prb_recorder *recorder, int64_t flush_ms);
void prb_recorder_free(struct prb_recorder *recorder);
PRB_DEFINE_CLEANUP(struct prb_recorder *, prb_recorder_free)

/* Never blocks. `recorder` NULL: does nothing. */
void prb_recorder_event(struct prb_recorder *recorder, const struct prb_event *event);

/* A fake clock was moved: look at it again. */
void prb_recorder_poke(struct prb_recorder *recorder);

#endif
