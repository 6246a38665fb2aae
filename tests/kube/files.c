/* How does what a program finds around it change, seen and unseen? */

#include "files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "probate/base/file.h"

void prb_test_put(const char *path, const char *text)
{
    struct prb_error err;

    if (prb_file_write(path, text, strlen(text), 0600, &err) < 0)
        abort();
}

void prb_test_overwrite_unseen(const char *path, const char *text)
{
    struct stat st;
    struct timespec times[2];
    FILE *file;

    if (stat(path, &st) < 0 || !(file = fopen(path, "we")))
        abort();
    (void)fputs(text, file);
    (void)fclose(file);
    times[0] = st.st_atim;
    times[1] = st.st_mtim;
    if (utimensat(AT_FDCWD, path, times, 0) < 0)
        abort();
}

void prb_test_setenv(const char *name, const char *value)
{
    if (value)
        (void)setenv(name, value, 1); /* NOLINT(concurrency-mt-unsafe): see the header */
    else
        (void)unsetenv(name); /* NOLINT(concurrency-mt-unsafe) */
}
