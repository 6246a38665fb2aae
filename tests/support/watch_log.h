#ifndef TESTS_SUPPORT_WATCH_LOG_H
#define TESTS_SUPPORT_WATCH_LOG_H

/* A watch that remembers what it was told, for tests to look at. Thread-safe. */

#include "probate/api/api.h"

struct prb_watch_log_event {
    enum prb_watch_event_type type; /* never a bookmark */
    struct prb_object *object;      /* owned */
    char *resource_version;         /* owned */
};

struct prb_watch_log;

int prb_watch_log_start(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, struct prb_watch_log **ret, struct prb_error *err);

/* End the watch and forget everything. NULL is fine. */
void prb_watch_log_stop(struct prb_watch_log *log);
PRB_DEFINE_CLEANUP(struct prb_watch_log *, prb_watch_log_stop)

/* End the watch only: what came stays. */
void prb_watch_log_halt(struct prb_watch_log *log);

/* Wait until so many events have come; false when the time is over (support/wait.h) or the watch
 * has ended. */
bool prb_watch_log_wait(struct prb_watch_log *log, size_t count, int base_ms);

/* Wait until this has happened to the object of that name. */
bool prb_watch_log_wait_for(
        struct prb_watch_log *log, enum prb_watch_event_type type, const char *name, int base_ms);

bool prb_watch_log_wait_bookmark(struct prb_watch_log *log, int base_ms);

/* Wait for the end of the watch; `why` (may be NULL) is what `closed` was told. */
bool prb_watch_log_wait_closed(struct prb_watch_log *log, int base_ms, struct prb_error *why);

/* Has it ended? Does not wait. */
bool prb_watch_log_is_closed(struct prb_watch_log *log, struct prb_error *why);

/* Does no event come for so long? */
bool prb_watch_log_stays_silent(struct prb_watch_log *log, int ms);

/* How many came so far; the one at `index`, borrowed; NULL: not that many. */
size_t prb_watch_log_count(struct prb_watch_log *log);
const struct prb_watch_log_event *prb_watch_log_at(struct prb_watch_log *log, size_t index);

/* Index of the first event of this type for an object of that name, or -1. */
int prb_watch_log_find(struct prb_watch_log *log, enum prb_watch_event_type type, const char *name);

/* resourceVersion to resume from: that of the last event or bookmark; heap, NULL when none came. */
char *prb_watch_log_version(struct prb_watch_log *log);

/* One line for a failed test: how many events came, and why the watch ended if it has. */
void prb_watch_log_describe(struct prb_watch_log *log, char *text, size_t size);

#endif
