/* How does a secret get a file name without getting onto a disk? */

#include "memfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probate/base/file.h"

#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

/* 0 or an errno. */
static int fill(int fd, const char *data, size_t len)
{
    int number = prb_fd_write(fd, data, len);

    if (number)
        return number;
    return fcntl(fd, F_ADD_SEALS, SEALS) < 0 ? errno : 0;
}

static int fail(struct prb_error *err, int number)
{
    char text[128];

    return prb_fail(err, PRB_E_INTERNAL, "memory file: %s", strerror_r(number, text, sizeof(text)));
}

int prb_memfile_open(const char *data, size_t len, struct prb_memfile *ret, struct prb_error *err)
{
    struct prb_memfile file = { .fd = memfd_create("probate", MFD_CLOEXEC | MFD_ALLOW_SEALING) };
    int number;

    if (file.fd < 0)
        return fail(err, errno);
    number = fill(file.fd, data, len);
    if (number) {
        prb_memfile_close(&file);
        return fail(err, number);
    }

    (void)snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.fd);
    *ret = file;
    return 0;
}

void prb_memfile_close(struct prb_memfile *file)
{
    if (file->fd >= 0)
        (void)close(file->fd);
    *file = PRB_MEMFILE_NONE;
}
