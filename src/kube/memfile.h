#ifndef PROBATE_KUBE_MEMFILE_H
#define PROBATE_KUBE_MEMFILE_H

/*
 * A file that exists in memory only, with a name that libraries can open. libcurl's GnuTLS back end
 * reads certificates and keys from files alone (its *_BLOB options are refused or, for the client
 * certificate, silently ignored); this keeps a key from a kubeconfig off the disk all the same.
 */

#include <stddef.h>

#include "probate/base/error.h"

/* "/proc/self/fd/" and the ten digits of INT_MAX. */
#define PRB_MEMFILE_PATH_SIZE 32

struct prb_memfile {
    int fd; /* owned; -1: none */
    char path[PRB_MEMFILE_PATH_SIZE];
};

#define PRB_MEMFILE_NONE ((struct prb_memfile){ .fd = -1 })

/* The content can never change afterwards (sealed) and is not inherited by child processes. */
int prb_memfile_open(const char *data, size_t len, struct prb_memfile *ret, struct prb_error *err);
void prb_memfile_close(struct prb_memfile *file);

#endif
