#ifndef PROBATE_TESTS_PROGRAM_H
#define PROBATE_TESTS_PROGRAM_H

/* The program as its users have it: a process, its exit code, its output, its ops port. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "support/wait.h"

/* How long anything may take before it counts as hanging. */
#define PROGRAM_PATIENCE_MS prb_test_patience_ms(PRB_TEST_SOON_MS)

#define PROGRAM_OUTPUT_MAX ((size_t)256 * 1024)

/* The path of the program under test, from the first argument of the test. */
extern const char *program_path;

/*
 * From now on the program runs as a user who can read nothing that is the test's own
 * (support/outsider.h), from a copy, since even the folder of the program may be closed to others.
 * What it is to read and write must be given to that user. False: that is not possible.
 */
bool program_go_outside(void);

/* Run to the end. stdout and stderr together, in the order they were written; the caller frees. */
int program_run(const char *const *arguments, const char *const *env, char **ret_output);

/* A process that goes on. */
struct program {
    pid_t pid;
    char *dir;     /* owned; holds the log */
    char *log;     /* owned; path: stdout and stderr */
    uint16_t port; /* of the ops server, once it has said so */
};

/* `arguments` go after "serve --ops-listen 127.0.0.1:0 --listen 127.0.0.1:0". */
void program_start(struct program *program, const char *const *arguments);

/* The same with another address than "127.0.0.1:0" to listen on, for who starts it again there. */
void program_start_at(struct program *program, const char *address, const char *const *arguments);

/* `arguments` go after "agent --ops-listen 127.0.0.1:0". */
void program_start_agent(struct program *program, const char *const *arguments);

/* Wait until the log has this text; false when it does not come, or the process ends without. */
bool program_says(struct program *program, const char *text);

/* Wait for "ready", and note the port it listens on. */
bool program_is_ready(struct program *program);

/* The same in a test, which ends when it does not come. */
#define ASSERT_READY(program)             \
    do {                                  \
        prb_autofree char *said_ = NULL;  \
                                          \
        if (!program_is_ready(program)) { \
            said_ = program_log(program); \
            TEST_FAIL_MESSAGE(said_);     \
            return;                       \
        }                                 \
    } while (0)

/* The whole log so far; the caller frees. */
char *program_log(const struct program *program);

/* The answer of the ops server, with its head; the caller frees. */
char *program_get(const struct program *program, const char *path);

/* Wait until the answer to `path` has this text. */
bool program_shows(const struct program *program, const char *path, const char *text);

/* Send a signal and wait for the end: the exit code, and how long that took. */
int program_end(struct program *program, int signal, int64_t *ret_ms);

/* For tearDown: no process and no folder is left. */
void program_done(struct program *program);

#endif
