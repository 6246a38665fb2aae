#ifndef PROBATE_KUBE_ENV_H
#define PROBATE_KUBE_ENV_H

#include <stdlib.h>

/* A variable of the environment, NULL when it is not set or "". Probate never sets one, so that
 * reading is safe from any thread. */
static inline const char *prb_kube_env(const char *name)
{
    const char *value = getenv(name); /* NOLINT(concurrency-mt-unsafe) */

    return value && *value ? value : NULL;
}

#endif
