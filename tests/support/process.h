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
    uid_t uid;       /* whose process it is; 0: the same user's. Only root can choose. */
    int patience_ms; /* for prb_test_run: within this it ends; 0: PRB_TEST_LONG_MS */
};

/* Start it with stdin from /dev/null; -1 (and a line on stderr) when it cannot be started. */
pid_t prb_test_spawn(const struct prb_test_command *command);

/* Wait for its end: the exit code, or 128 + the signal that ended it; -1 when it does not end in
 * time: it is killed then, and prb_test_awaited tells of it. */
int prb_test_wait_exit(pid_t pid);
int prb_test_wait_exit_for(pid_t pid, int base_ms);

/* Has it ended? Does not wait, and leaves the exit code for prb_test_wait_exit. */
bool prb_test_has_exited(pid_t pid);

/* Run to the end. `output` (may be NULL) gets the start of its stdout, NUL-terminated, without
 * the last line break. Returns as prb_test_wait_exit does, -1 when it could not start as well. */
int prb_test_run(const struct prb_test_command *command, char *output, size_t size);

#endif
