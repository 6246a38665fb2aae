/* How does a test run the program and look at it? */

#include "program.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "../admission/http_client.h"
#include "support/outsider.h"
#include "support/process.h"
#include "support/temp_dir.h"
#include "support/wait.h"

/* Arguments of one command line; tests give fewer than ten. */
#define ARGUMENTS_MAX 32

/* Bytes of a log or an answer in the message of a wait that failed. */
#define TAIL_MAX 400

const char *program_path;

static uid_t program_uid; /* 0: the test's own */
static char *outside;     /* owned: folder of the copy; until the test ends */

static void remove_copy(void)
{
    prb_test_temp_dir_remove(prb_take(outside));
}

bool program_go_outside(void)
{
    static char *copy;
    const char *argv[] = { "cp", program_path, NULL, NULL };
    struct prb_test_command command = { .argv = argv };

    if (outside || prb_test_outsider() == 0)
        return true;
    outside = prb_test_temp_dir();
    copy = prb_asprintf("%s/probate", outside);
    argv[2] = copy;
    (void)atexit(remove_copy);
    if (chmod(outside, 0755) != 0 || prb_test_run(&command, NULL, 0) != 0 || chmod(copy, 0755) != 0)
        return false;
    program_path = copy;
    program_uid = prb_test_outsider();
    return true;
}

/* argv of a shell that runs `script` with the program and its arguments as "$@". */
static void shell_argv(const char *argv[ARGUMENTS_MAX], const char *script, const char *zero,
        const char *const *first, const char *const *second)
{
    const char *const *lists[] = { first, second };
    size_t count = 0;

    argv[count++] = "sh";
    argv[count++] = "-c";
    argv[count++] = script;
    argv[count++] = zero;
    argv[count++] = program_path;
    for (size_t i = 0; i < 2; i++) {
        for (const char *const *at = lists[i]; at && *at && count + 1 < ARGUMENTS_MAX; at++)
            argv[count++] = *at;
    }
    argv[count] = NULL;
}

int program_run(const char *const *arguments, const char *const *env, char **ret_output)
{
    const char *argv[ARGUMENTS_MAX];
    struct prb_test_command command = { .argv = argv, .env = env, .uid = program_uid };

    shell_argv(argv, "exec \"$@\" 2>&1", "sh", arguments, NULL);
    *ret_output = prb_calloc(1, PROGRAM_OUTPUT_MAX);
    return prb_test_run(&command, *ret_output, PROGRAM_OUTPUT_MAX);
}

static void start(struct program *program, const char *const *always, const char *const *arguments)
{
    const char *argv[ARGUMENTS_MAX];
    struct prb_test_command command = { .argv = argv, .uid = program_uid };

    *program = (struct program){ .dir = prb_test_temp_dir() };
    program->log = prb_asprintf("%s/log", program->dir);
    if (program_uid != 0)
        (void)prb_test_outsider_own(program->dir);
    shell_argv(argv, "exec \"$@\" >\"$0\" 2>&1", program->log, always, arguments);
    program->pid = prb_test_spawn(&command);
}

void program_start(struct program *program, const char *const *arguments)
{
    static const char *const always[] = { "serve", "--ops-listen", "127.0.0.1:0", "--listen",
        "127.0.0.1:0", NULL };

    start(program, always, arguments);
}

void program_start_at(struct program *program, const char *address, const char *const *arguments)
{
    const char *const always[] = { "serve", "--ops-listen", "127.0.0.1:0", "--listen", address,
        NULL };

    start(program, always, arguments);
}

void program_start_agent(struct program *program, const char *const *arguments)
{
    static const char *const always[] = { "agent", "--ops-listen", "127.0.0.1:0", NULL };

    start(program, always, arguments);
}

char *program_log(const struct program *program)
{
    struct prb_error err;
    char *text;
    size_t len;

    if (prb_file_read(program->log, PROGRAM_OUTPUT_MAX, &text, &len, &err) < 0)
        return prb_strdup("");
    return text;
}

/* A question that is asked until it is so. */
struct expectation {
    const struct program *program;
    const char *path; /* NULL: the log */
    const char *text;
    bool found;
};

/* The end of it, which fits into a message. */
static const char *tail_of(const char *text)
{
    size_t len = strlen(text);

    return len > TAIL_MAX ? text + len - TAIL_MAX : text;
}

static bool is_met(void *ctx)
{
    struct expectation *expectation = ctx;
    bool ended = prb_test_has_exited(expectation->program->pid); /* before the last look */
    prb_autofree char *text = expectation->path
                                      ? program_get(expectation->program, expectation->path)
                                      : program_log(expectation->program);

    expectation->found = strstr(text, expectation->text) != NULL;
    (void)prb_test_saw("%s%s", ended ? "the process has ended; " : "", tail_of(text));
    return expectation->found || ended;
}

static bool expect(struct expectation expectation)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "\"%s\" in %s",
            expectation.text, expectation.path ? expectation.path : "the log");

    while (!is_met(&expectation)) {
        if (!prb_test_wait_more(&wait))
            return false;
    }
    if (!expectation.found) /* nothing comes of a process that has ended */
        prb_test_wait_give_up(&wait);
    return expectation.found;
}

bool program_says(struct program *program, const char *text)
{
    return expect((struct expectation){ .program = program, .text = text });
}

bool program_shows(const struct program *program, const char *path, const char *text)
{
    return expect((struct expectation){ .program = program, .path = path, .text = text });
}

bool program_is_ready(struct program *program)
{
    static const char before[] = " ops=127.0.0.1:";
    prb_autofree char *log = NULL;
    char *at;
    int64_t port;

    if (!program_says(program, before))
        return false;
    log = program_log(program);
    at = strstr(log, before) + strlen(before);
    at[strspn(at, "0123456789")] = '\0';
    if (!prb_parse_int(at, 1, UINT16_MAX, &port))
        return false;
    program->port = (uint16_t)port;
    return true;
}

char *program_get(const struct program *program, const char *path)
{
    return ask_port(program->port, "GET", path, "");
}

int program_end(struct program *program, int signal, int64_t *ret_ms)
{
    int64_t start = prb_test_now_ms();
    int code;

    (void)kill(program->pid, signal);
    code = prb_test_wait_exit(program->pid);
    program->pid = 0;
    *ret_ms = prb_test_now_ms() - start;
    return code;
}

void program_done(struct program *program)
{
    if (program->pid > 0) {
        (void)kill(program->pid, SIGKILL);
        (void)prb_test_wait_exit(program->pid);
    }
    prb_test_temp_dir_remove(program->dir);
    free(program->log);
    *program = (struct program){ 0 };
}
