/* How does a test start another program, and how does it learn of its end? */

#include "support/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probate/base/mem.h"

extern char **environ;

/* The exit code of a shell for a program that is not there. */
#define EXIT_NO_PROGRAM 127

static size_t count_texts(const char *const *list)
{
    size_t count = 0;

    while (list && list[count])
        count++;
    return count;
}

/* "NAME=value" texts: the added ones first, for the first of a name is the one found. Made before
 * fork: between fork and exec a child of a threaded program must not allocate. */
static char **make_environment(const char *const *added)
{
    size_t pairs = count_texts(added) / 2;
    size_t inherited = count_texts((const char *const *)environ);
    char **all = prb_calloc(pairs + inherited + 1, sizeof(*all));

    for (size_t i = 0; i < pairs; i++)
        all[i] = prb_asprintf("%s=%s", added[2 * i], added[2 * i + 1]);
    memcpy(all + pairs, environ, inherited * sizeof(*all));
    return all;
}

static void free_environment(char **all, const char *const *added)
{
    for (size_t i = 0; i < count_texts(added) / 2; i++)
        free(all[i]);
    free(all);
}

static void become(const struct prb_test_command *command, char **environment, int stdout_fd)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)dup2(null, STDIN_FILENO);
    if (stdout_fd >= 0)
        (void)dup2(stdout_fd, STDOUT_FILENO);
    (void)execvpe(command->argv[0], (char *const *)(uintptr_t)command->argv, environment);
    _exit(EXIT_NO_PROGRAM);
}

static pid_t spawn(const struct prb_test_command *command, int stdout_fd)
{
    char **environment = make_environment(command->env);
    pid_t pid = fork();

    if (pid == 0)
        become(command, environment, stdout_fd);
    if (pid < 0)
        perror("fork");
    free_environment(environment, command->env);
    return pid;
}

pid_t prb_test_spawn(const struct prb_test_command *command)
{
    return spawn(command, -1);
}

int prb_test_wait_exit(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool prb_test_has_exited(pid_t pid)
{
    siginfo_t info = { .si_pid = 0 };

    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/* Keep what fits and read on to the end, so that the child never waits for a full pipe. */
static void read_all(int fd, char *output, size_t size)
{
    char rest[512];
    size_t len = 0;
    ssize_t got;

    do {
        bool fits = output && len + 1 < size;

        got = fits ? read(fd, output + len, size - len - 1) : read(fd, rest, sizeof(rest));
        if (got > 0 && fits)
            len += (size_t)got;
    } while (got > 0 || (got < 0 && errno == EINTR));

    while (len > 0 && output[len - 1] == '\n')
        len--;
    if (output && size > 0)
        output[len] = '\0';
}

int prb_test_run(const struct prb_test_command *command, char *output, size_t size)
{
    int ends[2];
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid = spawn(command, ends[1]);
    (void)close(ends[1]);
    if (pid > 0)
        read_all(ends[0], output, size);
    (void)close(ends[0]);
    return pid > 0 ? prb_test_wait_exit(pid) : -1;
}
