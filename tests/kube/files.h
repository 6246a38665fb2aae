#ifndef TESTS_KUBE_FILES_H
#define TESTS_KUBE_FILES_H

/* Files that change under a reader. Both abort when they cannot. */

/* Replace the file: another inode. */
void prb_test_put(const char *path, const char *text);

/* Overwrite it in place and give it back its times: with the same length, stat shows no change. */
void prb_test_overwrite_unseen(const char *path, const char *text);

#endif
