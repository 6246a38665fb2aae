#ifndef PROBATE_KUBE_WATCH_H
#define PROBATE_KUBE_WATCH_H

/*
 * One watch: its curl handle, what has arrived, and who listens. Touched by the thread of the
 * watcher alone from the moment it runs until it has ended.
 */

#include <curl/curl.h>

#include "probate/api/api.h"

#include "decode.h"
#include "endpoint.h"
#include "stream.h"

/* Bytes kept of an answer that is a refusal; a Status has a few hundred. */
#define PRB_KUBE_REFUSAL_MAX ((size_t)64 * 1024)

enum prb_kube_watch_state {
    PRB_KUBE_WATCH_NEW,     /* waits for the thread to take it up */
    PRB_KUBE_WATCH_RUNNING, /* the thread has it */
    PRB_KUBE_WATCH_ENDED,   /* the thread will not touch it any more */
};

struct prb_watch {
    /* guarded by the lock of the watcher */
    enum prb_kube_watch_state state;
    bool stopping; /* somebody waits for it to end, and wants to hear no more */
    struct prb_watch *next;

    /* of the watcher's thread */
    CURL *easy; /* owned, as all below */
    struct curl_slist *headers;
    char *path;
    unsigned generation; /* of the token that was sent */
    struct prb_watch_sink sink;
    struct prb_kube_depth depth;
    struct prb_kube_stream stream;
    struct prb_str refusal;
    int status;             /* HTTP; 0 until the answer begins */
    int64_t heard_ms;       /* monotonic: when the last byte came, or it was started */
    struct prb_error error; /* what we found wrong ourselves; code PRB_OK: nothing */
    char text[CURL_ERROR_SIZE];
};

/* Not yet running. INVALID when the selector does not fit a URL. */
int prb_kube_watch_new(const struct prb_kube_endpoint *endpoint, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err);
void prb_kube_watch_free(struct prb_watch *watch);
PRB_DEFINE_CLEANUP(struct prb_watch *, prb_kube_watch_free)

/* Why the transfer ended, from what curl says and what arrived; `why->code` may be PRB_OK. */
void prb_kube_watch_explain(struct prb_watch *watch, const struct prb_kube_endpoint *endpoint,
        CURLcode code, struct prb_error *why);

#endif
