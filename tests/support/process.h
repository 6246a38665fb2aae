#ifndef TESTS_SUPPORT_PROCESS_H
#define TESTS_SUPPORT_PROCESS_H

/*
 * Child processes of a test. They die with the thread that started them (so start them from one
 * that lives as long as they should): none outlives a crash of the test.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Environment to add: pairs name, value, ended by NULL; NULL: none. */
struct prb_test_command {
    const char *const *argv; /* NULL-terminated; argv[0] is searched in $PATH */
    const char *const *env;
    uid_t uid; /* whose process it is; 0: the same user's. Only root can choose. */
};

/* Start it with stdin from /dev/null; -1 (and a line on stderr) when it cannot be started. */
pid_t prb_test_spawn(const struct prb_test_command *command);

/* Wait for its end: the exit code, or 128 + the signal that ended it. */
int prb_test_wait_exit(pid_t pid);

/* Has it ended? Does not wait, and leaves the exit code for prb_test_wait_exit. */
bool prb_test_has_exited(pid_t pid);

/* Run to the end. `output` (may be NULL) gets the start of its stdout, NUL-terminated, without
 * the last line break. Returns as prb_test_wait_exit does, -1 when it could not start. */
int prb_test_run(const struct prb_test_command *command, char *output, size_t size);

#endif
