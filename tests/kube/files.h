#ifndef TESTS_KUBE_FILES_H
#define TESTS_KUBE_FILES_H

/* Files that change under a reader, and the environment. All abort when they cannot. */

/* Replace the file: another inode. */
void prb_test_put(const char *path, const char *text);

/* Overwrite it in place and give it back its times: with the same length, stat shows no change. */
void prb_test_overwrite_unseen(const char *path, const char *text);

/* Set a variable of the environment, or take it away (NULL). Before any other thread runs. */
void prb_test_setenv(const char *name, const char *value);

#endif
