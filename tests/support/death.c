/* Does a process end itself, and with which last words? */

#include "death.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/process.h"
#include "support/wait.h"

__attribute__((noreturn)) static void play(void (*act)(void *ctx), void *ctx, int words)
{
    /* The abort is what is wanted: nobody needs to look at a core. */
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ .rlim_cur = 0, .rlim_max = 0 });
    (void)dup2(words, STDERR_FILENO);
    act(ctx);
    _exit(EXIT_SUCCESS);
}

/* Something to read, or the end? */
static bool is_readable(int fd, struct prb_test_wait *wait)
{
    struct pollfd poller = { .fd = fd, .events = POLLIN };

    while (poll(&poller, 1, prb_test_wait_left_ms(wait)) <= 0) {
        if (!prb_test_wait_in_time(wait))
            return false;
    }
    return true;
}

static void read_words(int from, char *words, size_t size)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_PROMPT_MS, "the process aborts");
    size_t len = 0;
    ssize_t got;

    while (len < size - 1 && is_readable(from, &wait) &&
            (got = read(from, words + len, size - 1 - len)) > 0)
        len += (size_t)got;
    words[len] = '\0';
}

bool prb_test_aborts(void (*act)(void *ctx), void *ctx, char *ret_words, size_t size)
{
    int ends[2], status = 0;
    pid_t child;

    ret_words[0] = '\0';
    if (pipe(ends) < 0)
        return false;
    child = fork();
    if (child == 0)
        play(act, ctx, ends[1]);
    (void)close(ends[1]);
    if (child > 0) {
        read_words(ends[0], ret_words, size);
        status = prb_test_wait_exit_for(child, PRB_TEST_PROMPT_MS);
    }
    (void)close(ends[0]);
    return child > 0 && status == 128 + SIGABRT;
}
