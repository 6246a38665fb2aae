#ifndef TESTS_CLUSTERS_PROVIDER_INTERNAL_H
#define TESTS_CLUSTERS_PROVIDER_INTERNAL_H

#include "provider.h"

struct probate {
    void (*stop)(struct probate *probate); /* frees it, too */
    char *(*waiting)(struct probate *probate);
};

#endif
