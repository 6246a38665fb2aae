/* How does a test start another program, and how does it learn of its end? */

#include "support/process.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probate/base/mem.h"

#include "support/wait.h"

/* The exit code of a shell for a program that is not there. */
#define EXIT_NO_PROGRAM 127

/* What exec needs, made before fork: between the two a child of a threaded program must not
 * allocate. */
struct image {
    char **argv; /* owned, as the texts in it; both end with NULL */
    char **env;
};

static size_t count_texts(const char *const *list)
{
    size_t count = 0;

    while (list && list[count])
        count++;
    return count;
}

/* Is this "NAME=value" of the environment given anew by the command? Shells take the last one of a
 * name, the C library the first: so there must be only one. */
static bool is_replaced(const struct prb_test_command *command, const char *variable)
{
    for (size_t i = 0; i < count_texts(command->env) / 2; i++) {
        size_t len = strlen(command->env[2 * i]);

        if (strncmp(variable, command->env[2 * i], len) == 0 && variable[len] == '=')
            return true;
    }
    return false;
}

static void image_init(struct image *image, const struct prb_test_command *command)
{
    size_t args = count_texts(command->argv), pairs = count_texts(command->env) / 2;
    size_t inherited = count_texts((const char *const *)environ), at = pairs;

    image->argv = prb_calloc(args + 1, sizeof(char *));
    for (size_t i = 0; i < args; i++)
        image->argv[i] = prb_strdup(command->argv[i]);
    image->env = prb_calloc(pairs + inherited + 1, sizeof(char *));
    for (size_t i = 0; i < pairs; i++)
        image->env[i] = prb_asprintf("%s=%s", command->env[2 * i], command->env[2 * i + 1]);
    for (size_t i = 0; i < inherited; i++) {
        if (!is_replaced(command, environ[i]))
            image->env[at++] = prb_strdup(environ[i]);
    }
}

static void free_texts(char **list)
{
    for (size_t i = 0; list[i]; i++)
        free(list[i]);
    free(list);
}

static bool change_user(uid_t uid)
{
    return uid == 0 || (setgroups(0, NULL) == 0 && setresgid(uid, uid, uid) == 0 &&
                               setresuid(uid, uid, uid) == 0);
}

static void become(const struct image *image, uid_t uid, int stdout_fd)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (!change_user(uid))
        _exit(EXIT_NO_PROGRAM);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* not before: another user has none */
    (void)dup2(null, STDIN_FILENO);
    if (stdout_fd >= 0)
        (void)dup2(stdout_fd, STDOUT_FILENO);
    (void)execvpe(image->argv[0], image->argv, image->env);
    _exit(EXIT_NO_PROGRAM);
}

static pid_t spawn(const struct prb_test_command *command, int stdout_fd)
{
    struct image image;
    pid_t pid;

    image_init(&image, command);
    pid = fork();
    if (pid == 0)
        become(&image, command->uid, stdout_fd);
    if (pid < 0)
        perror("fork");
    free_texts(image.argv);
    free_texts(image.env);
    return pid;
}

pid_t prb_test_spawn(const struct prb_test_command *command)
{
    return spawn(command, -1);
}

/* The start of a file of /proc, with spaces for what separates its parts. */
static void read_proc(pid_t pid, const char *file, char *text, size_t size)
{
    char path[64];
    ssize_t got = -1;
    int fd;

    (void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        got = read(fd, text, size - 1);
        (void)close(fd);
    }
    text[got > 0 ? got : 0] = '\0';
    for (ssize_t i = 0; i < got; i++) {
        if (text[i] == '\0' || text[i] == '\n' || text[i] == '\t')
            text[i] = ' ';
    }
}

/* What it is and what it does at this moment, as far as the kernel tells: "sleeping in do_poll".
 * Not at the beginning of the wait: a process that has just been started is not yet its program. */
static void see(pid_t pid, struct prb_test_wait *wait)
{
    char line[160], status[256], where[64];
    const char *state;

    read_proc(pid, "cmdline", line, sizeof(line));
    read_proc(pid, "status", status, sizeof(status));
    read_proc(pid, "wchan", where, sizeof(where));
    state = strstr(status, "State:");
    (void)snprintf(wait->what, sizeof(wait->what), "process %d ends: %s", (int)pid, line);
    (void)prb_test_saw("it runs on (%.*s in %s)", state ? (int)strcspn(state, ")") + 1 : 0,
            state ? state : "", where[0] ? where : "no call that is known");
}

static struct prb_test_wait begin_wait(pid_t pid, int base_ms)
{
    return prb_test_wait_for(base_ms, "process %d ends", (int)pid);
}

/* Until there is something to read, or an end; false: neither came in time. */
static bool wait_readable(int fd, pid_t pid, struct prb_test_wait *wait)
{
    struct pollfd poller = { .fd = fd, .events = POLLIN };

    while (poll(&poller, 1, prb_test_wait_left_ms(wait)) <= 0) {
        see(pid, wait);
        if (!prb_test_wait_in_time(wait))
            return false;
    }
    return true;
}

/* Wait for its end; false: it did not come in time. */
static bool wait_ended(pid_t pid, struct prb_test_wait *wait)
{
    int fd = pidfd_open(pid, 0); /* readable once it has ended */
    bool ended = fd < 0 || wait_readable(fd, pid, wait);

    if (fd >= 0)
        (void)close(fd);
    return ended;
}

/* Take the exit code of one that has ended, or is about to. */
static int reap(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* It had its time: what it leaves is of no use to anybody. */
static int give_up(pid_t pid)
{
    (void)kill(pid, SIGKILL);
    (void)reap(pid);
    return -1;
}

int prb_test_wait_exit_for(pid_t pid, int base_ms)
{
    struct prb_test_wait wait = begin_wait(pid, base_ms);

    return wait_ended(pid, &wait) ? reap(pid) : give_up(pid);
}

int prb_test_wait_exit(pid_t pid)
{
    return prb_test_wait_exit_for(pid, PRB_TEST_SOON_MS);
}

bool prb_test_has_exited(pid_t pid)
{
    siginfo_t info = { .si_pid = 0 };

    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/* Keep what fits and read on to the end, so that the child never waits for a full pipe. */
static bool read_all(int fd, char *output, size_t size, pid_t pid, struct prb_test_wait *wait)
{
    char rest[512];
    size_t len = 0;
    ssize_t got = 1;

    while (got != 0 && wait_readable(fd, pid, wait)) {
        bool fits = output && len + 1 < size;

        got = fits ? read(fd, output + len, size - len - 1) : read(fd, rest, sizeof(rest));
        if (got > 0 && fits)
            len += (size_t)got;
        if (got < 0 && errno != EINTR)
            break;
    }
    while (len > 0 && output[len - 1] == '\n')
        len--;
    if (output && size > 0)
        output[len] = '\0';
    return got == 0;
}

/* One deadline for all it says and its end. */
static int see_through(pid_t pid, int fd, char *output, size_t size, int base_ms)
{
    struct prb_test_wait wait = begin_wait(pid, base_ms);

    if (!read_all(fd, output, size, pid, &wait))
        return give_up(pid);
    return wait_ended(pid, &wait) ? reap(pid) : give_up(pid);
}

int prb_test_run(const struct prb_test_command *command, char *output, size_t size)
{
    int ends[2], code = -1;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid = spawn(command, ends[1]);
    (void)close(ends[1]);
    if (pid > 0)
        code = see_through(pid, ends[0], output, size,
                command->patience_ms > 0 ? command->patience_ms : PRB_TEST_LONG_MS);
    (void)close(ends[0]);
    return code;
}
