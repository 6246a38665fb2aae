/* How do many reviews get their answers while the API server takes its time? */

#include "probate/admission/asker.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "probate/base/mem.h"

#include "asker_question.h"
#include "asker_rounds.h"

/* Why questions were not even put to the server. */
#define TOO_MANY "too many reviews wait for the API server"
#define SHUTTING_DOWN "Probate is shutting down"

struct prb_asker {
    struct prb_api *api;           /* borrowed */
    const struct prb_clock *clock; /* borrowed */
    pthread_t timekeeper;
    pthread_t *workers; /* owned */
    int worker_count;

    pthread_mutex_t lock; /* all below */
    pthread_cond_t ready; /* a question may be asked */
    pthread_cond_t due;   /* the timekeeper must look again; on CLOCK_MONOTONIC */
    pthread_cond_t quiet; /* a review was handed back */
    struct prb_rounds rounds;
    int handing_back; /* reviews whose `done` is running */
    bool stopping;    /* no more reviews, and those that are there go back */
    bool ending;      /* threads end */
};

static int64_t now_ms(const struct prb_asker *asker)
{
    return asker->clock->mono_ms(asker->clock);
}

/* Lock held, and given up while `done` runs: it may take locks of its own. */
static void hand_back(struct prb_asker *asker, struct prb_round *round, const char *why)
{
    struct prb_asker_job job = prb_rounds_hand_back(&asker->rounds, round, why);

    asker->handing_back++;
    (void)pthread_mutex_unlock(&asker->lock);
    job.done(job.ctx);
    (void)pthread_mutex_lock(&asker->lock);
    asker->handing_back--;
    (void)pthread_cond_broadcast(&asker->quiet);
}

/* Lock held, and given up while the server is asked. */
static void ask(struct prb_asker *asker, struct prb_asking *asking)
{
    const struct prb_inquiry inquiry = {
        .api = asker->api,
        .clock = asker->clock,
        .deadline_ms = asking->round->job.deadline_ms,
    };
    struct prb_round *answered;

    (void)pthread_mutex_unlock(&asker->lock);
    prb_question_ask(&inquiry, &asking->question);
    (void)pthread_mutex_lock(&asker->lock);
    answered = prb_rounds_answered(&asker->rounds, asking);
    if (answered)
        hand_back(asker, answered, "");
}

static void *work(void *arg)
{
    struct prb_asker *asker = arg;
    struct prb_asking asking;

    (void)pthread_mutex_lock(&asker->lock);
    while (!asker->ending) {
        if (!prb_rounds_start(&asker->rounds, &asking)) {
            (void)pthread_cond_wait(&asker->ready, &asker->lock);
            continue;
        }
        /* Who comes with several questions wakes one thread, and each wakes the next. */
        if (prb_rounds_ready(&asker->rounds))
            (void)pthread_cond_signal(&asker->ready);
        ask(asker, &asking);
    }
    (void)pthread_mutex_unlock(&asker->lock);
    return NULL;
}

/* Lock held. A clock that tests hold still does not wake anyone. */
static void wait_until_due(struct prb_asker *asker)
{
    int64_t due_ms = prb_rounds_deadline(&asker->rounds);
    const struct timespec due = { .tv_sec = due_ms / 1000, .tv_nsec = due_ms % 1000 * 1000000 };

    if (due_ms == INT64_MAX || asker->clock != prb_clock_system())
        (void)pthread_cond_wait(&asker->due, &asker->lock);
    else
        (void)pthread_cond_timedwait(&asker->due, &asker->lock, &due);
}

/* Hands back what is over, be it that every thread waits for a server that does not answer. */
static void *keep_time(void *arg)
{
    struct prb_asker *asker = arg;

    (void)pthread_mutex_lock(&asker->lock);
    while (!asker->ending) {
        struct prb_round *round = asker->stopping ? asker->rounds.first
                                                  : prb_rounds_due(&asker->rounds, now_ms(asker));

        if (round)
            hand_back(asker, round, asker->stopping ? SHUTTING_DOWN : TOO_MANY);
        else
            wait_until_due(asker);
    }
    (void)pthread_mutex_unlock(&asker->lock);
    return NULL;
}

static void init_conditions(struct prb_asker *asker)
{
    pthread_condattr_t attr;

    (void)pthread_mutex_init(&asker->lock, NULL);
    (void)pthread_cond_init(&asker->ready, NULL);
    (void)pthread_cond_init(&asker->quiet, NULL);
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&asker->due, &attr);
    (void)pthread_condattr_destroy(&attr);
}

static void asker_done(struct prb_asker *asker)
{
    (void)pthread_cond_destroy(&asker->due);
    (void)pthread_cond_destroy(&asker->quiet);
    (void)pthread_cond_destroy(&asker->ready);
    (void)pthread_mutex_destroy(&asker->lock);
    free(asker->workers);
    free(asker);
}

static int start_workers(struct prb_asker *asker, int wanted, struct prb_error *err)
{
    for (; asker->worker_count < wanted; asker->worker_count++) {
        if (pthread_create(&asker->workers[asker->worker_count], NULL, work, asker) != 0)
            return prb_fail(err, PRB_E_INTERNAL, "only %d of %d threads to be had for questions",
                    asker->worker_count, wanted);
    }
    return 0;
}

int prb_asker_new(struct prb_api *api, const struct prb_clock *clock, int threads,
        struct prb_asker **ret, struct prb_error *err)
{
    struct prb_asker *asker = prb_calloc(1, sizeof(*asker));
    int wanted = threads > 0 ? threads : PRB_ASKER_THREADS;

    asker->api = api;
    asker->clock = clock;
    asker->rounds.threads = wanted;
    asker->workers = prb_calloc((size_t)wanted, sizeof(*asker->workers));
    init_conditions(asker);
    if (pthread_create(&asker->timekeeper, NULL, keep_time, asker) != 0) {
        asker_done(asker);
        return prb_fail(err, PRB_E_INTERNAL, "no thread to be had for questions");
    }
    if (start_workers(asker, wanted, err) < 0) {
        prb_asker_free(asker);
        return err->code;
    }
    *ret = asker;
    return 0;
}

void prb_asker_stop(struct prb_asker *asker)
{
    (void)pthread_mutex_lock(&asker->lock);
    asker->stopping = true;
    (void)pthread_cond_signal(&asker->due);
    while (asker->rounds.count > 0 || asker->handing_back > 0)
        (void)pthread_cond_wait(&asker->quiet, &asker->lock);
    (void)pthread_mutex_unlock(&asker->lock);
}

void prb_asker_free(struct prb_asker *asker)
{
    if (!asker)
        return;
    prb_asker_stop(asker);
    (void)pthread_mutex_lock(&asker->lock);
    asker->ending = true;
    (void)pthread_cond_broadcast(&asker->ready);
    (void)pthread_cond_broadcast(&asker->due);
    (void)pthread_mutex_unlock(&asker->lock);
    (void)pthread_join(asker->timekeeper, NULL);
    for (int i = 0; i < asker->worker_count; i++)
        (void)pthread_join(asker->workers[i], NULL);
    asker_done(asker);
}

static void refuse(const struct prb_asker_job *job, const char *why)
{
    for (size_t i = 0; i < job->questions->count; i++) {
        if (!job->questions->items[i].asked)
            prb_question_give_up(&job->questions->items[i], why);
    }
}

bool prb_asker_submit(struct prb_asker *asker, const struct prb_asker_job *job)
{
    bool stopping, taken;

    (void)pthread_mutex_lock(&asker->lock);
    stopping = asker->stopping;
    taken = !stopping && asker->rounds.count < PRB_ASKER_QUEUE_MAX;
    if (taken) {
        prb_rounds_add(&asker->rounds, job);
        (void)pthread_cond_signal(&asker->ready);
        (void)pthread_cond_signal(&asker->due);
    }
    (void)pthread_mutex_unlock(&asker->lock);
    if (!taken)
        refuse(job, stopping ? SHUTTING_DOWN : TOO_MANY);
    return taken;
}
