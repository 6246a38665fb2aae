/*
 * When is what admission refused to a controller tried again? When a thread of its own finds it
 * due: never because somebody else writes, and nobody's write waits for it.
 */

#include "retry.h"

#include <time.h>

#include "settle.h"

static int64_t now_ms(void)
{
    return prb_clock_system()->mono_ms(prb_clock_system());
}

/* One look. The lock is given up while admission is asked. What follows from the look is settled as
 * after any other write. */
static void look(struct prb_hub *hub, struct prb_hub_refusal *refusal)
{
    prb_hub_queue_look(refusal);
    prb_hub_step(hub, refusal->item);
    prb_hub_queue_looked(&hub->queue, refusal);
    prb_hub_settle(hub);
}

/* Sleep until `refusal` is due, or until there is another one. */
static void doze(struct prb_hub *hub, const struct prb_hub_refusal *refusal)
{
    struct timespec until;

    if (!refusal || hub->interrupted) {
        (void)pthread_cond_wait(&hub->due, &hub->lock);
        return;
    }
    until.tv_sec = (time_t)(refusal->due_ms / 1000);
    until.tv_nsec = (long)(refusal->due_ms % 1000) * 1000000L;
    (void)pthread_cond_timedwait(&hub->due, &hub->lock, &until);
}

static void *run(void *ctx)
{
    struct prb_hub *hub = ctx;

    (void)pthread_mutex_lock(&hub->lock);
    while (!hub->stopping) {
        struct prb_hub_refusal *refusal = prb_hub_queue_first(&hub->queue);

        if (refusal && refusal->due_ms <= now_ms() && !hub->interrupted)
            look(hub, refusal);
        else
            doze(hub, refusal);
    }
    (void)pthread_mutex_unlock(&hub->lock);
    return NULL;
}

/* Where no thread can be had now, the next refusal tries again to have one. */
void prb_hub_retry_later(struct prb_hub *hub, const struct prb_hub_item *item)
{
    prb_hub_queue_refuse(&hub->queue, item, now_ms());
    if (!hub->retrying && !hub->stopping)
        hub->retrying = pthread_create(&hub->retrier, NULL, run, hub) == 0;
    (void)pthread_cond_signal(&hub->due);
}

void prb_hub_retry_stop(struct prb_hub *hub)
{
    bool retrying;

    (void)pthread_mutex_lock(&hub->lock);
    hub->stopping = true;
    retrying = hub->retrying;
    (void)pthread_cond_signal(&hub->due);
    (void)pthread_mutex_unlock(&hub->lock);
    if (retrying)
        (void)pthread_join(hub->retrier, NULL);
}
