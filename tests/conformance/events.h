#ifndef TESTS_CONFORMANCE_EVENTS_H
#define TESTS_CONFORMANCE_EVENTS_H

/* Watches on a row's own objects; see support/watch_log.h. */

#include "conf.h"
#include "support/watch_log.h"

/* Watch this row's objects of a kind (in c->ns) from options->resource_version. */
int conf_events_start(struct conf *c, const struct conf_kind *kind,
        const struct prb_watch_options *options, struct prb_watch_log **ret);

/* Wait until so many events have come, or one bookmark, or this end: 0 or UNAVAILABLE. */
int conf_events_wait(struct conf *c, struct prb_watch_log *events, size_t count);
int conf_events_wait_bookmark(struct conf *c, struct prb_watch_log *events);
int conf_events_wait_deleted(struct conf *c, struct prb_watch_log *events, const char *name);

/* Wait for the end of the watch: 0, and its reason is in c->err. */
int conf_events_wait_closed(struct conf *c, struct prb_watch_log *events);

/* Index of the first event of this type for what the row calls `name`, or -1. */
int conf_events_find(const struct conf *c, struct prb_watch_log *events,
        enum prb_watch_event_type type, const char *name);

#endif
