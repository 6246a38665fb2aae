/* How does a whole file come in or go out, without surprises? */

#include "probate/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probate/base/cleanup.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

/* One read(2); most files here (manifests, certificates, tokens) come in one. */
#define READ_CHUNK ((size_t)64 * 1024)

static void close_fdp(const int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
}

static int fail_errno(struct prb_error *err, const char *path, int number)
{
    char text[128];
    enum prb_errc code = number == ENOENT || number == ENOTDIR ? PRB_E_NOTFOUND : PRB_E_IO;

    return prb_fail(err, code, "%s: %s", path, strerror_r(number, text, sizeof(text)));
}

/* Read to the end into `s`; 0 or an errno. */
static int read_all(int fd, struct prb_str *s)
{
    prb_autofree char *chunk = prb_malloc(READ_CHUNK);

    while (!s->cut) {
        ssize_t got = read(fd, chunk, READ_CHUNK);

        if (got == 0)
            return 0;
        if (got > 0)
            prb_str_addn(s, chunk, (size_t)got);
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

int prb_file_read(const char *path, size_t max, char **ret, size_t *ret_len, struct prb_error *err)
{
    prb_auto(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    prb_auto(prb_str_done) struct prb_str s;
    struct stat st;
    int number;

    prb_str_init(&s, max);
    if (fd < 0 || fstat(fd, &st) < 0)
        return fail_errno(err, path, errno);
    if (S_ISDIR(st.st_mode))
        return prb_fail(err, PRB_E_INVALID, "%s: is a directory", path);

    number = read_all(fd, &s);
    if (number)
        return fail_errno(err, path, number);
    if (s.cut)
        return prb_fail(err, PRB_E_INVALID, "%s: larger than %zu bytes", path, max);

    *ret_len = s.len;
    *ret = prb_str_take(&s);
    return 0;
}

int prb_fd_write(int fd, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t put = write(fd, data, len);

        if (put < 0 && errno != EINTR)
            return errno;
        if (put > 0) {
            data += put;
            len -= (size_t)put;
        }
    }
    return 0;
}

/* Content and mode reach the disk before the name does. */
static int fill_temporary(int fd, const char *data, size_t len, unsigned mode)
{
    int number = prb_fd_write(fd, data, len);

    if (number)
        return number;
    if (fchmod(fd, (mode_t)mode) < 0 || fsync(fd) < 0)
        return errno;
    return 0;
}

int prb_file_write(
        const char *path, const char *data, size_t len, unsigned mode, struct prb_error *err)
{
    prb_autofree char *temporary = prb_asprintf("%s.XXXXXX", path);
    prb_auto(close_fd) int fd = mkostemp(temporary, O_CLOEXEC);
    int number;

    if (fd < 0)
        return fail_errno(err, path, errno);

    number = fill_temporary(fd, data, len, mode);
    if (!number && rename(temporary, path) < 0)
        number = errno;
    if (number) {
        (void)unlink(temporary);
        return fail_errno(err, path, number);
    }
    return 0;
}
