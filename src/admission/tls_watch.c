/* When may a certificate on disk have changed? */

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"

#include "tls_internal.h"

/* The folder is watched, not the file: kubelet swaps a symlink beside it, others rename over it. */
#define EVENTS (IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_ATTRIB | IN_MOVE_SELF)

/* Who writes one file after the other is done when nothing has happened for so long: an fsync on a
 * busy disk lies between. */
#define SETTLE_MS 200

/* In a folder that never comes to rest we look all the same. */
#define SETTLE_ROUNDS_MAX 10

/* Space for some events; what they say does not matter. */
#define EVENT_BUFFER 4096

/* The caller frees. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return prb_strdup(".");
    return prb_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* Watching what is watched already changes nothing, and a folder that was replaced needs it. */
static void watch_folder_of(int fd, const char *path)
{
    prb_autofree char *folder = path ? folder_of(path) : NULL;

    if (folder)
        (void)inotify_add_watch(fd, folder, EVENTS);
}

static void watch_folders(const struct prb_tls *tls, int fd)
{
    if (fd < 0)
        return;
    watch_folder_of(fd, tls->files.cert);
    watch_folder_of(fd, tls->files.key);
    watch_folder_of(fd, tls->files.client_ca);
}

static void swallow(int fd)
{
    char buffer[EVENT_BUFFER];

    while (read(fd, buffer, sizeof(buffer)) > 0)
        continue;
}

/* Wait for a change, at most so long; false when it is time to end. */
static bool wait_for_change(const struct prb_tls *tls, int notify, int64_t wait_ms)
{
    struct pollfd fds[] = { { .fd = tls->stop, .events = POLLIN },
        { .fd = notify, .events = POLLIN } };

    for (int round = 0; round < SETTLE_ROUNDS_MAX; round++) {
        int ready = poll(fds, 2, (int)wait_ms);

        if (fds[0].revents)
            return false;
        if (ready == 0 || (ready < 0 && errno != EINTR))
            return true;
        if (ready < 0)
            continue;
        swallow(notify);
        wait_ms = SETTLE_MS;
    }
    return true;
}

static void *watch(void *arg)
{
    struct prb_tls *tls = arg;
    int notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    bool again;

    if (notify < 0)
        prb_warn("no inotify, changed certificates are seen by comparing only");
    /* Looked at before the first wait as well: the files may have changed since they were read. */
    do {
        watch_folders(tls, notify);
        again = prb_tls_look(tls);
    } while (wait_for_change(tls, notify, again ? SETTLE_MS : tls->poll_ms));
    if (notify >= 0)
        (void)close(notify);
    return NULL;
}

int prb_tls_watch(struct prb_tls *tls, struct prb_error *err)
{
    if (pthread_create(&tls->watcher, NULL, watch, tls) != 0)
        return prb_fail(err, PRB_E_INTERNAL, "could not start a thread");
    tls->watching = true;
    return 0;
}

void prb_tls_unwatch(struct prb_tls *tls)
{
    const uint64_t one = 1;

    if (!tls->watching)
        return;
    /* An eventfd takes this at once. */
    while (write(tls->stop, &one, sizeof(one)) < 0 && errno == EINTR)
        continue;
    (void)pthread_join(tls->watcher, NULL);
    tls->watching = false;
}
