/* Does a process end itself, and with which last words? */

#include "death.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noreturn)) static void play(void (*act)(void *ctx), void *ctx, int words)
{
    /* The abort is what is wanted: nobody needs to look at a core. */
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ .rlim_cur = 0, .rlim_max = 0 });
    (void)dup2(words, STDERR_FILENO);
    act(ctx);
    _exit(EXIT_SUCCESS);
}

static void read_words(int from, char *words, size_t size)
{
    size_t len = 0;
    ssize_t got;

    while (len < size - 1 && (got = read(from, words + len, size - 1 - len)) > 0)
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
        (void)waitpid(child, &status, 0);
    }
    (void)close(ends[0]);
    return child > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}
