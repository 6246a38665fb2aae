/* How do metrics look to a scraper? The Prometheus text format, version 0.0.4. */

#include <math.h>
#include <string.h>

#include "json_internal.h"
#include "metrics_internal.h"
#include "utf8.h"

static void print_number(double value, struct prb_str *out)
{
    if (isnan(value))
        prb_str_add(out, "NaN");
    else if (isinf(value))
        prb_str_add(out, value > 0 ? "+Inf" : "-Inf");
    else
        prb_json_print_double(value, out);
}

/* Backslash and newline end lines and escapes; a quote ends only a label value. */
static void print_escaped(const char *text, bool quotes, struct prb_str *out)
{
    size_t left = strlen(text);

    while (left > 0) {
        size_t step = prb_utf8_step(text, left);

        if (step == 0)
            prb_str_add(out, "\xEF\xBF\xBD"); /* the format is UTF-8 throughout */
        else if (*text == '\n')
            prb_str_add(out, "\\n");
        else if (*text == '\\' || (quotes && *text == '"'))
            prb_str_addf(out, "\\%c", *text);
        else
            prb_str_addn(out, text, step);
        step = step ? step : 1;
        text += step;
        left -= step;
    }
}

/* {a="x",b="y"}, with le="..." last when `bound` is given; nothing for no labels at all. */
static void print_labels(const struct prb_metric *metric, const struct prb_metric_series *series,
        const double *bound, struct prb_str *out)
{
    char before = '{';

    for (size_t i = 0; i < PRB_METRIC_LABELS_MAX && metric->labels[i]; i++) {
        prb_str_addf(out, "%c%s=\"", before, metric->labels[i]);
        print_escaped(series->labels[i], true, out);
        prb_str_addc(out, '"');
        before = ',';
    }
    if (bound) {
        prb_str_addf(out, "%cle=\"", before);
        print_number(*bound, out);
        prb_str_addc(out, '"');
        before = ',';
    }
    if (before == ',')
        prb_str_addc(out, '}');
}

static void print_sample(const struct prb_metric *metric, const char *suffix,
        const struct prb_metric_series *series, const double *bound, double value,
        struct prb_str *out)
{
    prb_str_add(out, metric->name);
    prb_str_add(out, suffix);
    print_labels(metric, series, bound, out);
    prb_str_addc(out, ' ');
    print_number(value, out);
    prb_str_addc(out, '\n');
}

static void print_histogram(const struct prb_metric *metric, const struct prb_metric_series *series,
        struct prb_str *out)
{
    const double infinite = INFINITY;
    uint64_t below = 0;

    for (size_t i = 0; i < metric->bucket_count; i++) {
        below += series->buckets[i];
        print_sample(metric, "_bucket", series, &metric->buckets[i], (double)below, out);
    }
    print_sample(metric, "_bucket", series, &infinite, (double)series->count, out);
    print_sample(metric, "_sum", series, NULL, series->value, out);
    print_sample(metric, "_count", series, NULL, (double)series->count, out);
}

static void print_metric(const struct prb_metric *metric, void *ctx)
{
    static const char *const types[] = { "counter", "gauge", "histogram" };
    struct prb_str *out = ctx;

    prb_str_addf(out, "# HELP %s ", metric->name);
    print_escaped(metric->help, false, out);
    prb_str_addf(out, "\n# TYPE %s %s\n", metric->name, types[metric->type]);
    for (const struct prb_metric_series *s = metric->series; s; s = s->next) {
        if (metric->type == PRB_HISTOGRAM)
            print_histogram(metric, s, out);
        else
            print_sample(metric, "", s, NULL, s->value, out);
    }
}

void prb_metrics_print(struct prb_str *out)
{
    prb_metrics_each(print_metric, out);
}
