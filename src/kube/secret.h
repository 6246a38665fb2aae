#ifndef PROBATE_KUBE_SECRET_H
#define PROBATE_KUBE_SECRET_H

/* Texts that must not stay behind in freed memory: tokens, passwords, keys. */

#include <stdlib.h>
#include <string.h>

#include "probate/base/cleanup.h"

static inline void prb_secret_free(char *text)
{
    if (text)
        explicit_bzero(text, strlen(text));
    free(text);
}
PRB_DEFINE_CLEANUP(char *, prb_secret_free)

#endif
