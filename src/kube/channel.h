#ifndef PROBATE_KUBE_CHANNEL_H
#define PROBATE_KUBE_CHANNEL_H

/*
 * Channels: what a blocking call needs to talk to the server, kept for the next call with its open
 * connection. A channel is a curl handle inside a multi handle of its own, because only a multi
 * can be woken from another thread: that is how a call is interrupted at once.
 */

#include <stdbool.h>
#include <stdint.h>

#include <curl/curl.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"

/* Calls that run at once; more wait for their turn. Workers, askers and listers together are well
 * below; the API server itself lets 400 reads and 200 writes of all its clients in. */
#define PRB_KUBE_CALLS_MAX 64

/* Channels kept with an open connection while nobody calls. As many as usually run at once. */
#define PRB_KUBE_IDLE_MAX 8

struct prb_kube_channel {
    CURLM *multi;
    CURL *easy;
    struct prb_kube_channel *next; /* in the list it is in: idle or used */
};

struct prb_kube_channels;

struct prb_kube_channels *prb_kube_channels_new(void);

/* No channel may be in use. */
void prb_kube_channels_free(struct prb_kube_channels *channels);
PRB_DEFINE_CLEANUP(struct prb_kube_channels *, prb_kube_channels_free)

/* A channel for one call, its handle as new; waits for one until `deadline_ms` (monotonic). */
int prb_kube_channels_take(struct prb_kube_channels *channels, int64_t deadline_ms,
        struct prb_kube_channel **ret, struct prb_error *err);
void prb_kube_channels_give(struct prb_kube_channels *channels, struct prb_kube_channel *channel);

/*
 * Perform what the handle was set up for. 0: *ret is how it ended; IO: past the deadline;
 * CANCELLED: interrupted. In both of the latter the connection is closed.
 */
int prb_kube_channels_run(struct prb_kube_channels *channels, struct prb_kube_channel *channel,
        int64_t deadline_ms, CURLcode *ret, struct prb_error *err);

/* Wait without a call; CANCELLED when interrupted. */
int prb_kube_channels_sleep(
        struct prb_kube_channels *channels, int64_t until_ms, struct prb_error *err);

/* All that runs or will run here ends with CANCELLED. */
void prb_kube_channels_interrupt(struct prb_kube_channels *channels);
bool prb_kube_channels_interrupted(struct prb_kube_channels *channels);

/* Monotonic now, the clock of all deadlines here. */
int64_t prb_kube_now_ms(void);

#endif
