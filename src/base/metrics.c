/* How often, how much, how long? One lock for all: an update is a few comparisons and an addition.
 */

#include <pthread.h>
#include <string.h>

#include "probate/base/mem.h"

#include "metrics_internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct prb_metric *registered; /* by name */

static void enroll(struct prb_metric *metric)
{
    struct prb_metric **at = &registered;

    if (metric->registered)
        return;
    while (*at && strcmp((*at)->name, metric->name) < 0)
        at = &(*at)->next;
    metric->next = *at;
    *at = metric;
    metric->registered = true;
}

/* The value given for a label; a label that the metric does not have always reads "". */
static const char *label_of(
        const struct prb_metric *metric, const char *const *labels, size_t index)
{
    return metric->labels[index] && labels[index] ? labels[index] : "";
}

static bool labels_match(const struct prb_metric *metric, const struct prb_metric_series *series,
        const char *const *labels)
{
    for (size_t i = 0; i < PRB_METRIC_LABELS_MAX; i++) {
        if (strcmp(series->labels[i], label_of(metric, labels, i)) != 0)
            return false;
    }
    return true;
}

/* The link at which the series hangs, or the empty one at the end; *ret_count is how many there
 * are. */
static struct prb_metric_series **find_link(
        struct prb_metric *metric, const char *const *labels, size_t *ret_count)
{
    struct prb_metric_series **at = &metric->series;

    *ret_count = 0;
    while (*at && !labels_match(metric, *at, labels)) {
        at = &(*at)->next;
        ++*ret_count;
    }
    return at;
}

static struct prb_metric_series *series_of(struct prb_metric *metric, const char *const *labels)
{
    static const char *const others[PRB_METRIC_LABELS_MAX] = { "other", "other", "other", "other" };
    struct prb_metric_series **at;
    size_t count;

    enroll(metric);
    at = find_link(metric, labels, &count);
    if (!*at && count >= PRB_METRIC_SERIES_MAX) {
        labels = others;
        at = find_link(metric, labels, &count);
    }
    if (!*at) {
        *at = prb_calloc(1, sizeof(**at));
        for (size_t i = 0; i < PRB_METRIC_LABELS_MAX; i++)
            (*at)->labels[i] = prb_strdup(label_of(metric, labels, i));
        (*at)->buckets = prb_calloc(metric->bucket_count, sizeof(*(*at)->buckets));
    }
    return *at;
}

void prb_metric_add_(struct prb_metric *metric, double amount, const char *const *labels)
{
    (void)pthread_mutex_lock(&lock);
    series_of(metric, labels)->value += amount;
    (void)pthread_mutex_unlock(&lock);
}

void prb_metric_set_(struct prb_metric *metric, double value, const char *const *labels)
{
    (void)pthread_mutex_lock(&lock);
    series_of(metric, labels)->value = value;
    (void)pthread_mutex_unlock(&lock);
}

void prb_metric_observe_(struct prb_metric *metric, double value, const char *const *labels)
{
    struct prb_metric_series *series;
    size_t bucket = 0;

    while (bucket < metric->bucket_count && value > metric->buckets[bucket])
        bucket++;

    (void)pthread_mutex_lock(&lock);
    series = series_of(metric, labels);
    series->value += value;
    series->count++;
    if (bucket < metric->bucket_count)
        series->buckets[bucket]++;
    (void)pthread_mutex_unlock(&lock);
}

double prb_metric_get_(struct prb_metric *metric, const char *const *labels)
{
    const struct prb_metric_series *series;
    double value;
    size_t count;

    (void)pthread_mutex_lock(&lock);
    series = *find_link(metric, labels, &count);
    value = series ? series->value : 0;
    (void)pthread_mutex_unlock(&lock);
    return value;
}

void prb_metrics_each(void (*visit)(const struct prb_metric *metric, void *ctx), void *ctx)
{
    (void)pthread_mutex_lock(&lock);
    for (const struct prb_metric *metric = registered; metric; metric = metric->next)
        visit(metric, ctx);
    (void)pthread_mutex_unlock(&lock);
}
