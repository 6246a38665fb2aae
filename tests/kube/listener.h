#ifndef TESTS_KUBE_LISTENER_H
#define TESTS_KUBE_LISTENER_H

/* Somebody who listens to a watch and remembers what came. */

#include <pthread.h>
#include <stdbool.h>

#include "probate/api/api.h"
#include "probate/base/str.h"

struct prb_test_listener {
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t heard;
    struct prb_str events; /* "ADDED a 7;MODIFIED a 8;BOOKMARK  9;" */
    char version[64];      /* resourceVersion of the last event */
    int closed;            /* times that `closed` was called */
    struct prb_error why;
};

void prb_test_listener_init(struct prb_test_listener *listener);
void prb_test_listener_done(struct prb_test_listener *listener);
struct prb_watch_sink prb_test_listener_sink(struct prb_test_listener *listener);

/* Wait until the events have this in them, or until the watch is closed; false after a minute. */
bool prb_test_listener_wait(struct prb_test_listener *listener, const char *events);
bool prb_test_listener_wait_closed(struct prb_test_listener *listener);
bool prb_test_listener_is_closed(struct prb_test_listener *listener);

/* A copy of what came so far (heap). */
char *prb_test_listener_events(struct prb_test_listener *listener);

#endif
