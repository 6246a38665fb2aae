#ifndef PROBATE_BASE_METRICS_H
#define PROBATE_BASE_METRICS_H

/*
 * Counters, gauges and histograms and their Prometheus text exposition. A metric is a static
 * struct that registers itself at first use; label values are bounded in number per metric, past
 * PRB_METRIC_SERIES_MAX new ones are counted under the value "other". Thread-safe.
 *
 *     static struct prb_metric requests = { .name = "rest_client_requests_total",
 *         .help = "...", .type = PRB_COUNTER, .labels = { "code", "method" } };
 *     prb_metric_add(&requests, 1, "200", "GET");
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/str.h"

#define PRB_METRIC_LABELS_MAX 4

/* Every label here has a closed set of values (verbs, codes, rules); 512 is far above their
 * product. */
#define PRB_METRIC_SERIES_MAX 512

enum prb_metric_type { PRB_COUNTER, PRB_GAUGE, PRB_HISTOGRAM };

struct prb_metric_series; /* one combination of label values; internal */

struct prb_metric {
    const char *name; /* static, as all texts here */
    const char *help;
    enum prb_metric_type type;
    const char *labels[PRB_METRIC_LABELS_MAX];
    const double *buckets; /* histogram: upper bounds, ascending, without +Inf */
    size_t bucket_count;
    struct prb_metric_series *series; /* internal, like all below */
    struct prb_metric *next;
    bool registered;
};

/* Label values, filled up with a NULL for each label there can be; one in front lets there be none.
 */
#define PRB_METRIC_VALUES_(...) \
    ((const char *const[]){ NULL, ##__VA_ARGS__, NULL, NULL, NULL, NULL } + 1)

/* Label values follow, one const char * for each label. */
#define prb_metric_add(metric, amount, ...) \
    prb_metric_add_((metric), (amount), PRB_METRIC_VALUES_(__VA_ARGS__))
#define prb_metric_set(metric, value, ...) \
    prb_metric_set_((metric), (value), PRB_METRIC_VALUES_(__VA_ARGS__))
#define prb_metric_observe(metric, value, ...) \
    prb_metric_observe_((metric), (value), PRB_METRIC_VALUES_(__VA_ARGS__))

void prb_metric_add_(struct prb_metric *metric, double amount, const char *const *labels);
void prb_metric_set_(struct prb_metric *metric, double value, const char *const *labels);
void prb_metric_observe_(struct prb_metric *metric, double value, const char *const *labels);

/* Current value of a counter or gauge series, 0 when never touched; for tests and /readyz. */
#define prb_metric_get(metric, ...) prb_metric_get_((metric), PRB_METRIC_VALUES_(__VA_ARGS__))
double prb_metric_get_(struct prb_metric *metric, const char *const *labels);

/* Append every registered metric in text format 0.0.4. */
void prb_metrics_print(struct prb_str *out);

#endif
