#ifndef TESTS_SUPPORT_OUTSIDER_H
#define TESTS_SUPPORT_OUTSIDER_H

/*
 * A user of this machine who can read nothing that is the test's own: neither the administrator's
 * kubeconfig nor the keys of a control plane, which only their owner can read. Probate runs as this
 * user where its rights on a cluster matter. Only root can start processes of another user; where
 * the test is not root's, they are of its own user, which it says once on stderr.
 */

#include <stdbool.h>
#include <sys/types.h>

/* The user's number, as in the chart's pods; 0: the test is not root's. */
uid_t prb_test_outsider(void);

/* Give a file or a folder to that user. */
bool prb_test_outsider_own(const char *path);

/* Can that user open this file to read it? A process of that user tries. */
bool prb_test_outsider_reads(const char *path);

/* Is this process that user's, without a right to anything that is another's? */
bool prb_test_outsider_runs(pid_t pid);

#endif
