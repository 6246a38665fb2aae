#ifndef PROBATE_BASE_FILE_H
#define PROBATE_BASE_FILE_H

/* Whole files, with a ceiling. */

#include <stddef.h>

#include "probate/base/error.h"

/*
 * Read a regular file (or a pipe) of at most `max` bytes into a NUL-terminated heap buffer.
 * NOTFOUND when it does not exist, INVALID when it is too large or a directory, else IO.
 */
int prb_file_read(const char *path, size_t max, char **ret, size_t *ret_len, struct prb_error *err);

/* Write all of it to a descriptor; 0 or an errno. */
int prb_fd_write(int fd, const char *data, size_t len);

/* Write through a temporary file in the same directory and rename: never half a file. */
int prb_file_write(
        const char *path, const char *data, size_t len, unsigned mode, struct prb_error *err);

#endif
