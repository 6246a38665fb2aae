#ifndef TESTS_CLUSTERS_TRACES_H
#define TESTS_CLUSTERS_TRACES_H

/* What is known of the objects of one collection, from lists and events. Not thread-safe. */

#include "recording.h"

struct traces {
    enum sort sort;
    struct prb_map *by_uid; /* owned; struct trace */
    int64_t version;        /* everything up to here is known */
};

void traces_init(struct traces *traces, enum sort sort);
void traces_done(struct traces *traces);

void traces_tell(struct traces *traces, const struct prb_watch_event *event);

/* The whole collection, as it is after some time in which nothing was told. */
void traces_renew(struct traces *traces, const struct prb_page *page);

#endif
