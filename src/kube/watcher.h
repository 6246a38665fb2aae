#ifndef PROBATE_KUBE_WATCHER_H
#define PROBATE_KUBE_WATCHER_H

/*
 * All watches of one API server on one thread, which starts with the first of them. Each watch has
 * a connection of its own.
 */

#include "probate/api/api.h"

#include "endpoint.h"

/* The server is asked to end a watch after a random time between these, so that after a restart
 * of the server not all of them come back at once for ever. client-go: 5 to 10 minutes. */
#define PRB_KUBE_WATCH_MIN_S 300
#define PRB_KUBE_WATCH_MAX_S 600

struct prb_kube_watcher;

/* `endpoint` is borrowed. */
struct prb_kube_watcher *prb_kube_watcher_new(
        const struct prb_kube_endpoint *endpoint, int silence_ms);

/* Ends the thread and frees what watches are left, without calling their sinks. */
void prb_kube_watcher_free(struct prb_kube_watcher *watcher);
PRB_DEFINE_CLEANUP(struct prb_kube_watcher *, prb_kube_watcher_free)

/* As prb_api_watch and prb_api_watch_stop. */
int prb_kube_watcher_start(struct prb_kube_watcher *watcher, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err);
void prb_kube_watcher_stop(struct prb_kube_watcher *watcher, struct prb_watch *watch);

/* Every watch ends with CANCELLED; no new one starts. */
void prb_kube_watcher_interrupt(struct prb_kube_watcher *watcher);

#endif
