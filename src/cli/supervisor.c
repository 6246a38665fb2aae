/* When does a long-running verb end? */

#include "supervisor.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "probate/base/clock.h"
#include "probate/base/log.h"

#define SIGNAL_EXIT 128 /* as shells count: 128 + the number of the signal */

struct prb_supervisor {
    prb_work_fn work;
    void *ctx;
    enum prb_exit result; /* written by the work's thread, read after it was joined */
    pthread_t thread;
    int signals; /* a signalfd */
    int wake;    /* an eventfd: a deadline was set, or the work is done */

    pthread_mutex_t lock; /* all below */
    pthread_cond_t changed;
    bool stopping;
    bool done;
    struct prb_api *api; /* borrowed; NULL: there is nothing to interrupt */
    int64_t deadline_ms; /* monotonic */
    bool on_signal;
};

static int64_t now_ms(void)
{
    const struct prb_clock *clock = prb_clock_system();

    return clock->mono_ms(clock);
}

static void wake_main(const struct prb_supervisor *supervisor)
{
    (void)eventfd_write(supervisor->wake, 1);
}

/* Lock held. */
static void interrupt_api(struct prb_supervisor *supervisor)
{
    if (supervisor->api)
        prb_api_interrupt(supervisor->api);
    supervisor->api = NULL;
}

static void *run_work(void *arg)
{
    struct prb_supervisor *supervisor = arg;

    supervisor->result = supervisor->work(supervisor, supervisor->ctx);
    (void)pthread_mutex_lock(&supervisor->lock);
    supervisor->done = true;
    (void)pthread_mutex_unlock(&supervisor->lock);
    wake_main(supervisor);
    return NULL;
}

/* What is due by now? Returns milliseconds to the next deadline, -1 when there is none, or sets
 * *ret_done. */
static int settle(struct prb_supervisor *supervisor, bool *ret_done)
{
    int64_t left = -1;

    (void)pthread_mutex_lock(&supervisor->lock);
    *ret_done = supervisor->done;
    if (supervisor->api) {
        left = supervisor->deadline_ms - now_ms();
        if (left <= 0) {
            interrupt_api(supervisor);
            left = -1;
        }
    }
    (void)pthread_mutex_unlock(&supervisor->lock);
    return left > INT32_MAX ? INT32_MAX : (int)left;
}

static void take_signal(struct prb_supervisor *supervisor)
{
    struct signalfd_siginfo info;

    if (read(supervisor->signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
        return;
    (void)pthread_mutex_lock(&supervisor->lock);
    if (supervisor->stopping)
        _exit(SIGNAL_EXIT + (int)info.ssi_signo);
    supervisor->stopping = true;
    if (supervisor->on_signal)
        interrupt_api(supervisor);
    (void)pthread_cond_broadcast(&supervisor->changed);
    (void)pthread_mutex_unlock(&supervisor->lock);
    prb_info("stopping; a second signal ends it at once",
            KV("signal", info.ssi_signo == SIGINT ? "SIGINT" : "SIGTERM"));
}

static void watch_over(struct prb_supervisor *supervisor)
{
    struct pollfd fds[] = { { .fd = supervisor->signals, .events = POLLIN },
        { .fd = supervisor->wake, .events = POLLIN } };
    bool done = false;
    eventfd_t count;

    for (;;) {
        int timeout = settle(supervisor, &done);

        if (done)
            return;
        if (poll(fds, sizeof(fds) / sizeof(fds[0]), timeout) <= 0)
            continue;
        if (fds[1].revents)
            (void)eventfd_read(supervisor->wake, &count);
        if (fds[0].revents)
            take_signal(supervisor);
    }
}

static bool open_fds(struct prb_supervisor *supervisor)
{
    sigset_t set;

    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGINT);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
    /* A client that goes away is an error of one write, not a reason to die. */
    (void)signal(SIGPIPE, SIG_IGN);
    supervisor->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    supervisor->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return supervisor->signals >= 0 && supervisor->wake >= 0;
}

enum prb_exit prb_supervise(prb_work_fn work, void *ctx)
{
    struct prb_supervisor supervisor = { .work = work,
        .ctx = ctx,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .changed = PTHREAD_COND_INITIALIZER };

    if (!open_fds(&supervisor) ||
            pthread_create(&supervisor.thread, NULL, run_work, &supervisor) != 0) {
        prb_log_error("cannot start: no more file descriptors or threads");
        return PRB_EXIT_INTERNAL;
    }
    watch_over(&supervisor);
    (void)pthread_join(supervisor.thread, NULL);
    (void)close(supervisor.signals);
    (void)close(supervisor.wake);
    return supervisor.result;
}

bool prb_supervisor_stopping(struct prb_supervisor *supervisor)
{
    return prb_supervisor_wait(supervisor, 0);
}

bool prb_supervisor_wait(struct prb_supervisor *supervisor, int64_t ms)
{
    int64_t until_ms = now_ms() + ms;
    struct timespec until = { .tv_sec = (time_t)(until_ms / 1000),
        .tv_nsec = (long)(until_ms % 1000) * 1000000L };
    bool stopping;

    (void)pthread_mutex_lock(&supervisor->lock);
    while (!supervisor->stopping && ms > 0) {
        if (pthread_cond_clockwait(
                    &supervisor->changed, &supervisor->lock, CLOCK_MONOTONIC, &until) == ETIMEDOUT)
            break;
    }
    stopping = supervisor->stopping;
    (void)pthread_mutex_unlock(&supervisor->lock);
    return stopping;
}

void prb_supervisor_limit(
        struct prb_supervisor *supervisor, struct prb_api *api, int64_t ms, bool on_signal)
{
    (void)pthread_mutex_lock(&supervisor->lock);
    supervisor->api = api;
    supervisor->deadline_ms = now_ms() + ms;
    supervisor->on_signal = on_signal;
    if (on_signal && supervisor->stopping)
        interrupt_api(supervisor);
    (void)pthread_mutex_unlock(&supervisor->lock);
    wake_main(supervisor);
}
