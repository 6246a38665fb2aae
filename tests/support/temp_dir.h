#ifndef TESTS_SUPPORT_TEMP_DIR_H
#define TESTS_SUPPORT_TEMP_DIR_H

/* Folders that tests may fill and that are gone afterwards, and names nobody else has. */

#include <stddef.h>

#include "probate/base/cleanup.h"

/* A new empty folder below $TMPDIR (or /tmp); aborts when there is none to be had. Heap path. */
char *prb_test_temp_dir(void);

/* Remove the folder with all in it, and free the path. NULL is fine. */
void prb_test_temp_dir_remove(char *path);
PRB_DEFINE_CLEANUP(char *, prb_test_temp_dir_remove)

/* "prefix-1f0c9a7e": unique over runs, processes and threads; at most 63 bytes. */
#define PRB_TEST_NAME_SIZE 64
void prb_test_unique_name(const char *prefix, char name[PRB_TEST_NAME_SIZE]);

#endif
