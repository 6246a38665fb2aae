#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/metrics.h"

#include "caller.h"
#include "has.h"
#include "status.h"
#include "support/wait.h"

/* Well below PRB_API_TIMEOUT_MS, which ends a call that nobody interrupts. */
#define INTERRUPTED_MS 15000

static struct prb_test_caller caller;

void setUp(void)
{
    prb_test_caller_start(&caller, NULL, NULL);
}

void tearDown(void)
{
    prb_test_caller_stop(&caller);
}

static void test_a_throttled_call_is_made_again_after_the_time_asked_for(void)
{
    int64_t start_ms = prb_test_now_ms();
    struct prb_error err;

    prb_test_server_reply(caller.server, "429 Slow Down", "Retry-After: 1\r\n",
            PRB_TEST_STATUS("429", "TooManyRequests"));
    prb_test_server_reply(caller.server, "201 Created", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_create(caller.api, &err), err.msg);
    TEST_ASSERT_EQUAL(2, prb_test_server_count(caller.server));
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(1000, prb_test_now_ms() - start_ms);
}

static void test_a_time_beyond_the_deadline_is_not_waited_for(void)
{
    int64_t start_ms = prb_test_now_ms();
    struct prb_error err;

    prb_test_server_reply(caller.server, "429 Slow Down", "Retry-After: 30\r\n",
            PRB_TEST_STATUS("429", "TooManyRequests"));
    TEST_ASSERT_EQUAL(PRB_E_THROTTLED, prb_test_get(caller.api, 5000, &err));
    TEST_ASSERT_EQUAL(30000, err.retry_after_ms);
    TEST_ASSERT_EQUAL(429, err.status);
    TEST_ASSERT_EQUAL_STRING("TooManyRequests", err.reason);
    TEST_ASSERT_EQUAL(1, prb_test_server_count(caller.server));
    TEST_ASSERT_LESS_THAN_INT64(prb_test_patience_ms(4000), prb_test_now_ms() - start_ms);
}

/* An informer or a key that believed in years would never come back. */
static void test_nobody_is_made_to_wait_for_days(void)
{
    static const struct {
        const char *header;
        long expected_ms;
    } cases[] = {
        { "Retry-After: 86400\r\n", PRB_KUBE_RETRY_AFTER_MAX_MS },
        { "Retry-After: 99999999999999\r\n", PRB_KUBE_RETRY_AFTER_MAX_MS },
        { "Retry-After: Fri, 31 Dec 2999 23:59:59 GMT\r\n", PRB_KUBE_RETRY_AFTER_MAX_MS },
        { "Retry-After: -5\r\n", 0 },
        { "Retry-After: soon\r\n", 0 },
    };
    struct prb_error err;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_test_server_reply(caller.server, "429 Slow Down", cases[i].header,
                PRB_TEST_STATUS("429", "TooManyRequests"));
        TEST_ASSERT_EQUAL(PRB_E_THROTTLED, prb_test_get(caller.api, 5000, &err));
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].expected_ms, err.retry_after_ms, cases[i].header);
    }
}

static void test_a_503_is_repeated_only_when_the_server_says_when(void)
{
    struct prb_error err;

    prb_test_server_reply(caller.server, "503 Busy", "Retry-After: 1\r\n",
            PRB_TEST_STATUS("503", "ServiceUnavailable"));
    prb_test_server_reply(
            caller.server, "503 Busy", "", PRB_TEST_STATUS("503", "ServiceUnavailable"));
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, prb_test_get(caller.api, 0, &err));
    TEST_ASSERT_EQUAL(2, prb_test_server_count(caller.server));
}

static void test_a_write_on_a_connection_that_closes_is_not_sent_twice(void)
{
    struct prb_error err;

    prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    prb_test_server_reply_raw(caller.server, "", PRB_TEST_CLOSE);
    prb_test_server_reply(caller.server, "201 Created", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    TEST_ASSERT_EQUAL(PRB_E_IO, prb_test_create(caller.api, &err));
    ASSERT_HAS(err.msg, "unknown");
    TEST_ASSERT_EQUAL(2, prb_test_server_count(caller.server));
}

static void test_a_write_after_the_connection_was_closed_goes_out_on_a_new_one(void)
{
    struct prb_error err;

    prb_test_server_reply_raw(caller.server,
            "HTTP/1.1 200 OK\r\nContent-Length: 53\r\n\r\n"
            "{\"metadata\":{\"name\":\"abcdefg\",\"resourceVersion\":\"1\"}}",
            PRB_TEST_CLOSE);
    prb_test_server_reply(caller.server, "201 Created", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    TEST_ASSERT_CAME(prb_test_server_wait_closed(caller.server));
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_create(caller.api, &err), err.msg);
    TEST_ASSERT_EQUAL(2, prb_test_server_connections(caller.server));
}

static void test_a_read_on_a_connection_that_closes_is_asked_again(void)
{
    struct prb_error err;

    prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    prb_test_server_reply_raw(caller.server, "", PRB_TEST_CLOSE);
    prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    TEST_ASSERT_EQUAL(3, prb_test_server_count(caller.server));
}

/* How often the metric counted calls of this code on this server's host. */
static double counted(const char *url, const char *code)
{
    prb_auto(prb_str_done) struct prb_str text;
    prb_autofree char *series =
            prb_asprintf("rest_client_requests_total{code=\"%s\",method=\"GET\",host=\"%s\"} ",
                    code, url + strlen("http://"));
    const char *at;

    prb_str_init(&text, (size_t)1024 * 1024);
    prb_metrics_print(&text);
    at = strstr(prb_str_get(&text), series);
    return at ? strtod(at + strlen(series), NULL) : 0;
}

static void test_calls_are_counted_by_their_outcome(void)
{
    struct prb_error err;

    prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    prb_test_server_reply(caller.server, "404 No", "", PRB_TEST_STATUS("404", "NotFound"));
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    TEST_ASSERT_EQUAL(PRB_E_NOTFOUND, prb_test_get(caller.api, 0, &err));
    TEST_ASSERT_EQUAL(1, (int)counted(prb_test_server_url(caller.server), "200"));
    TEST_ASSERT_EQUAL(1, (int)counted(prb_test_server_url(caller.server), "404"));
}

static void test_a_server_that_is_away_is_tried_a_few_times_and_not_for_long(void)
{
    const char *url = prb_test_server_url(caller.server);
    int64_t start_ms = prb_test_now_ms();
    struct prb_error err;

    prb_test_server_deafen(caller.server);
    TEST_ASSERT_EQUAL(PRB_E_IO, prb_test_get(caller.api, 0, &err));
    ASSERT_HAS(err.msg, url + strlen("http://"));
    TEST_ASSERT_EQUAL(4, (int)counted(url, "<error>"));
    TEST_ASSERT_LESS_THAN_INT64(prb_test_patience_ms(10000), prb_test_now_ms() - start_ms);
}

static void *get_thread(void *ctx)
{
    struct prb_error *err = ctx;

    (void)prb_test_get(caller.api, 0, err);
    return NULL;
}

static void test_a_call_that_waits_its_time_is_interrupted_at_once(void)
{
    struct prb_error err;
    pthread_t thread;

    prb_test_server_reply(caller.server, "429 Slow Down", "Retry-After: 30\r\n",
            PRB_TEST_STATUS("429", "TooManyRequests"));
    TEST_ASSERT_EQUAL(0, pthread_create(&thread, NULL, get_thread, &err));
    TEST_ASSERT_CAME(prb_test_server_wait(caller.server, 1));
    prb_api_interrupt(caller.api);
    TEST_ASSERT_CAME(prb_test_join("the call is interrupted", thread, NULL, INTERRUPTED_MS));
    TEST_ASSERT_EQUAL(PRB_E_CANCELLED, err.code);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_throttled_call_is_made_again_after_the_time_asked_for);
    RUN_TEST(test_a_time_beyond_the_deadline_is_not_waited_for);
    RUN_TEST(test_nobody_is_made_to_wait_for_days);
    RUN_TEST(test_a_503_is_repeated_only_when_the_server_says_when);
    RUN_TEST(test_a_write_on_a_connection_that_closes_is_not_sent_twice);
    RUN_TEST(test_a_write_after_the_connection_was_closed_goes_out_on_a_new_one);
    RUN_TEST(test_a_read_on_a_connection_that_closes_is_asked_again);
    RUN_TEST(test_calls_are_counted_by_their_outcome);
    RUN_TEST(test_a_server_that_is_away_is_tried_a_few_times_and_not_for_long);
    RUN_TEST(test_a_call_that_waits_its_time_is_interrupted_at_once);
    return UNITY_END();
}
