#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/metrics.h"

static const double bounds[] = { 0.005, 0.1, 1, 10 };

static struct prb_metric requests = { .name = "b_requests_total",
    .help = "Requests by \"code\",\nwith a \\ in the help.",
    .type = PRB_COUNTER,
    .labels = { "code", "method" } };
static struct prb_metric ready = { .name = "a_ready", .help = "Ready.", .type = PRB_GAUGE };
static struct prb_metric seconds = { .name = "c_seconds",
    .help = "Durations.",
    .type = PRB_HISTOGRAM,
    .labels = { "verb" },
    .buckets = bounds,
    .bucket_count = 4 };
static struct prb_metric untouched = { .name = "untouched", .help = "Never.", .type = PRB_GAUGE };
static struct prb_metric crowded = { .name = "crowded_total",
    .help = "Many values.",
    .type = PRB_COUNTER,
    .labels = { "who", "what" } };
static struct prb_metric shared = {
    .name = "shared_total", .help = "Many threads.", .type = PRB_COUNTER, .labels = { "who" }
};

void setUp(void)
{
}

void tearDown(void)
{
}

static char *exposition(void)
{
    struct prb_str s;

    prb_str_init(&s, SIZE_MAX / 2);
    prb_metrics_print(&s);
    return prb_str_take(&s);
}

static void test_counters_add_and_gauges_are_set(void)
{
    TEST_ASSERT_TRUE(prb_metric_get(&requests, "200", "GET") == 0);
    prb_metric_add(&requests, 1, "200", "GET");
    prb_metric_add(&requests, 2, "200", "GET");
    prb_metric_add(&requests, 1, "500", "GET");
    TEST_ASSERT_TRUE(prb_metric_get(&requests, "200", "GET") == 3);
    TEST_ASSERT_TRUE(prb_metric_get(&requests, "500", "GET") == 1);
    prb_metric_set(&ready, 5);
    prb_metric_set(&ready, 0.5);
    prb_metric_add(&ready, -0.25);
    TEST_ASSERT_TRUE(prb_metric_get(&ready) == 0.25);
}

/* Runs after the one above and shows what both left. */
static void test_the_exposition_is_prometheus_text(void)
{
    prb_autofree char *text = NULL;

    prb_metric_add(&requests, 1, "a\\b\"c\nd\xFF", NULL);
    prb_metric_observe(&seconds, 0.005, "get");
    prb_metric_observe(&seconds, 0.0051, "get");
    prb_metric_observe(&seconds, 0.5, "get");
    prb_metric_observe(&seconds, 60, "get");
    text = exposition();
    TEST_ASSERT_EQUAL_STRING(
            "# HELP a_ready Ready.\n"
            "# TYPE a_ready gauge\n"
            "a_ready 0.25\n"
            "# HELP b_requests_total Requests by \"code\",\\nwith a \\\\ in the help.\n"
            "# TYPE b_requests_total counter\n"
            "b_requests_total{code=\"200\",method=\"GET\"} 3\n"
            "b_requests_total{code=\"500\",method=\"GET\"} 1\n"
            "b_requests_total{code=\"a\\\\b\\\"c\\nd\xEF\xBF\xBD\",method=\"\"} 1\n"
            "# HELP c_seconds Durations.\n"
            "# TYPE c_seconds histogram\n"
            "c_seconds_bucket{verb=\"get\",le=\"0.005\"} 1\n"
            "c_seconds_bucket{verb=\"get\",le=\"0.1\"} 2\n"
            "c_seconds_bucket{verb=\"get\",le=\"1\"} 3\n"
            "c_seconds_bucket{verb=\"get\",le=\"10\"} 3\n"
            "c_seconds_bucket{verb=\"get\",le=\"+Inf\"} 4\n"
            "c_seconds_sum{verb=\"get\"} 60.5101\n"
            "c_seconds_count{verb=\"get\"} 4\n",
            text);
}

static void test_asking_does_not_register(void)
{
    prb_autofree char *text = NULL;

    TEST_ASSERT_TRUE(prb_metric_get(&untouched) == 0);
    text = exposition();
    TEST_ASSERT_NULL(strstr(text, "untouched"));
}

static void test_values_without_end_are_written_as_prometheus_reads_them(void)
{
    prb_autofree char *text = NULL;

    prb_metric_set(&ready, INFINITY);
    text = exposition();
    TEST_ASSERT_NOT_NULL(strstr(text, "\na_ready +Inf\n"));
    free(text);
    prb_metric_set(&ready, NAN);
    text = exposition();
    TEST_ASSERT_NOT_NULL(strstr(text, "\na_ready NaN\n"));
}

static void test_label_values_past_the_bound_are_counted_as_other(void)
{
    prb_autofree char *text = NULL;
    size_t lines = 0;
    char who[16];

    for (int i = 0; i < PRB_METRIC_SERIES_MAX + 100; i++) {
        (void)snprintf(who, sizeof(who), "w%d", i);
        prb_metric_add(&crowded, 1, who, "x");
    }
    prb_metric_add(&crowded, 1, "w0", "x");
    TEST_ASSERT_TRUE(prb_metric_get(&crowded, "w0", "x") == 2);
    TEST_ASSERT_TRUE(prb_metric_get(&crowded, "other", "other") == 100);
    text = exposition();
    for (const char *at = text; (at = strstr(at, "\ncrowded_total{")); at++)
        lines++;
    TEST_ASSERT_EQUAL_size_t(PRB_METRIC_SERIES_MAX + 1, lines);
}

static void *count_many(void *arg)
{
    (void)arg;
    for (int i = 0; i < 5000; i++) {
        prb_metric_add(&shared, 1, i % 2 ? "odd" : "even");
        if (i % 1000 == 0)
            free(exposition());
    }
    return NULL;
}

static void test_no_count_of_several_threads_is_lost(void)
{
    pthread_t threads[4];

    for (size_t i = 0; i < 4; i++)
        TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[i], NULL, count_many, NULL));
    for (size_t i = 0; i < 4; i++)
        (void)pthread_join(threads[i], NULL);
    TEST_ASSERT_TRUE(prb_metric_get(&shared, "odd") == 10000);
    TEST_ASSERT_TRUE(prb_metric_get(&shared, "even") == 10000);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_counters_add_and_gauges_are_set);
    RUN_TEST(test_the_exposition_is_prometheus_text);
    RUN_TEST(test_asking_does_not_register);
    RUN_TEST(test_values_without_end_are_written_as_prometheus_reads_them);
    RUN_TEST(test_label_values_past_the_bound_are_counted_as_other);
    RUN_TEST(test_no_count_of_several_threads_is_lost);
    return UNITY_END();
}
