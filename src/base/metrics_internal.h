#ifndef PROBATE_BASE_METRICS_INTERNAL_H
#define PROBATE_BASE_METRICS_INTERNAL_H

/* What counting and printing share: how a series is stored. */

#include <stdint.h>

#include "probate/base/metrics.h"

struct prb_metric_series {
    char *labels[PRB_METRIC_LABELS_MAX]; /* owned; "" for a label that the metric does not have */
    double value;                        /* counter, gauge; histogram: sum */
    uint64_t count;                      /* histogram: observations */
    uint64_t *buckets;                   /* owned; histogram: observations of each, not summed up */
    struct prb_metric_series *next;
};

/* Call `visit` for every registered metric, by name, while nothing can change. */
void prb_metrics_each(void (*visit)(const struct prb_metric *metric, void *ctx), void *ctx);

#endif
