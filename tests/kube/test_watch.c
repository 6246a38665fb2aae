#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "caller.h"
#include "decode.h"
#include "has.h"
#include "listener.h"
#include "support/wait.h"
#include "watch.h"

#define HEAD \
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
#define END_OF_BODY "0\r\n\r\n"
#define EVENT(type, name, version)                                      \
    "{\"type\":\"" type "\",\"object\":{\"metadata\":{\"name\":\"" name \
    "\",\"resourceVersion\":\"" version "\"}}}\n"

/* Short enough for a test; and the same where a busy machine has to say something in time, again
 * and again. */
#define SILENCE_MS prb_test_patience_ms(1500)
#define LONG_SILENCE_BASE_MS 5000
#define LONG_SILENCE_MS prb_test_patience_ms(LONG_SILENCE_BASE_MS)

static struct prb_test_caller caller;
static struct prb_test_listener listener;
static struct prb_watch *watch;

void setUp(void)
{
    prb_test_caller_start(&caller, NULL, NULL);
    prb_test_listener_init(&listener);
    watch = NULL;
}

void tearDown(void)
{
    prb_api_watch_stop(caller.api, watch);
    prb_test_caller_stop(&caller);
    prb_test_listener_done(&listener);
}

static int start(const struct prb_watch_options *options)
{
    const struct prb_watch_sink sink = prb_test_listener_sink(&listener);
    struct prb_error err;

    return prb_api_watch(caller.api, &prb_test_a.gvr, options, &sink, &watch, &err);
}

/* From now on a client that does not put up with a longer silence. */
static void be_impatient(int silence_ms)
{
    const struct prb_kube_options options = { .watch_silence_ms = silence_ms };

    prb_test_caller_stop(&caller);
    prb_test_caller_start(&caller, NULL, &options);
}

/* `text` as one chunk of the body; heap. */
static char *chunk(const char *text)
{
    return prb_asprintf("%zx\r\n%s\r\n", strlen(text), text);
}

static void push(const char *text)
{
    prb_autofree char *bytes = chunk(text);

    prb_test_server_push(caller.server, bytes, PRB_TEST_HOLD);
}

static void test_events_come_in_order_however_they_are_cut(void)
{
    prb_autofree char *events = NULL;

    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    push(EVENT("ADDED", "a", "1") EVENT("MODIFIED", "a", "2") "{\"type\":\"DELE");
    push("TED\",\"object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"3\"}}}");
    push("\n{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\"}}}\n");
    TEST_ASSERT_CAME(prb_test_listener_wait(&listener, "BOOKMARK  9;"));
    events = prb_test_listener_events(&listener);
    TEST_ASSERT_EQUAL_STRING("ADDED a 1;MODIFIED a 2;DELETED a 3;BOOKMARK  9;", events);
}

static void test_what_a_watch_asks_for(void)
{
    const struct prb_watch_options options = {
        .namespace = "ns",
        .label_selector = "a=b",
        .field_selector = "metadata.name=a",
        .metadata_only = true,
        .resource_version = "42",
    };
    prb_autofree char *request = NULL;
    const char *text;
    long seconds;

    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(&options));
    TEST_ASSERT_CAME(prb_test_server_wait(caller.server, 1));
    request = prb_test_server_request(caller.server, 0);
    ASSERT_HAS(request, "GET /api/v1/namespaces/ns/configmaps?watch=true",
            "&allowWatchBookmarks=true", "&timeoutSeconds=", "&resourceVersion=42",
            "&labelSelector=a%3Db", "&fieldSelector=metadata.name%3Da",
            "Accept: application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
    text = strstr(request, "timeoutSeconds=");
    seconds = text ? strtol(text + strlen("timeoutSeconds="), NULL, 10) : 0;
    TEST_ASSERT_TRUE_MESSAGE(seconds >= 300 && seconds <= 600, request);
}

static void test_a_watch_that_the_server_ends_is_to_be_resumed(void)
{
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    push(EVENT("ADDED", "a", "1"));
    prb_test_server_push(caller.server, END_OF_BODY, PRB_TEST_HOLD);
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_OK, listener.why.code);
    TEST_ASSERT_EQUAL(1, listener.closed);
}

static void test_a_connection_that_is_cut_is_a_failure(void)
{
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    push(EVENT("ADDED", "a", "1"));
    prb_test_server_push(caller.server, "", PRB_TEST_CLOSE);
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_E_IO, listener.why.code);
    TEST_ASSERT_EQUAL(0, listener.why.status);
    TEST_ASSERT_EQUAL_STRING("ADDED a 1;", prb_str_get(&listener.events));
}

static void test_an_event_cut_off_at_a_clean_end_is_a_failure(void)
{
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    push("{\"type\":\"ADD");
    prb_test_server_push(caller.server, END_OF_BODY, PRB_TEST_HOLD);
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_E_IO, listener.why.code);
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&listener.events));
}

static void test_errors_inside_the_stream_end_it_with_their_code(void)
{
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    push(EVENT(
            "ADDED", "a", "1") "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,"
                               "\"reason\":\"Expired\",\"message\":\"too old\"}}\n");
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_E_GONE, listener.why.code);
    TEST_ASSERT_EQUAL_STRING("Expired", listener.why.reason);
    TEST_ASSERT_EQUAL_STRING("ADDED a 1;", prb_str_get(&listener.events));
}

static void test_a_refused_watch_is_told_as_any_refused_call(void)
{
    prb_test_server_reply(caller.server, "429 Slow Down", "Retry-After: 7\r\n",
            PRB_TEST_STATUS("429", "TooManyRequests"));
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_E_THROTTLED, listener.why.code);
    TEST_ASSERT_EQUAL(7000, listener.why.retry_after_ms);
    TEST_ASSERT_EQUAL_STRING("m", listener.why.msg);
}

static void test_a_refusal_without_an_end_is_not_waited_for(void)
{
    prb_autofree char *page = prb_calloc(1, PRB_KUBE_REFUSAL_MAX + 2);

    memset(page, 'x', PRB_KUBE_REFUSAL_MAX + 1);
    prb_test_server_reply_raw(
            caller.server, "HTTP/1.1 403 No\r\nContent-Length: 99999999\r\n\r\n", PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    prb_test_server_push(caller.server, page, PRB_TEST_HOLD);
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, listener.why.code);
}

static void test_nonsense_in_the_stream_ends_it(void)
{
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    push("<html>\n");
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_E_IO, listener.why.code);
    TEST_ASSERT_EQUAL_MESSAGE(200, listener.why.status, "unlike a server that is away");
}

static void test_a_silent_watch_is_noticed_and_to_be_resumed(void)
{
    int64_t start_ms = prb_test_now_ms();

    be_impatient(SILENCE_MS);
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_OK, listener.why.code);
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(SILENCE_MS, prb_test_now_ms() - start_ms);
}

static void test_a_watch_without_any_answer_is_a_failure(void)
{
    be_impatient(SILENCE_MS);
    prb_test_server_reply_raw(caller.server, "", PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_E_IO, listener.why.code);
    ASSERT_HAS(listener.why.msg, "no answer");
}

static void test_bytes_keep_a_watch_alive(void)
{
    int64_t start_ms = prb_test_now_ms();
    int beats = 0;

    be_impatient(LONG_SILENCE_MS);
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    /* Half an event at a time: any byte counts, not only a whole event. */
    while (prb_test_now_ms() - start_ms < (int64_t)2 * LONG_SILENCE_MS) {
        push(beats++ % 2 ? "\n" : "{\"type\":\"X\"}");
        prb_test_pause();
    }
    TEST_ASSERT_FALSE(prb_test_listener_is_closed(&listener));
}

/* Bytes for every held connection, until `other` is closed. */
static void push_until_closed(struct prb_test_listener *other)
{
    struct prb_test_wait wait =
            prb_test_wait_for(12 * LONG_SILENCE_BASE_MS, "the watch is closed that hears nothing");

    do
        push("\n");
    while (!prb_test_listener_is_closed(other) && prb_test_wait_more(&wait));
}

static void test_one_silent_watch_does_not_end_another(void)
{
    struct prb_test_listener other;
    struct prb_watch *second = NULL;
    struct prb_watch_sink sink;
    struct prb_error err;

    be_impatient(LONG_SILENCE_MS);
    prb_test_listener_init(&other);
    sink = prb_test_listener_sink(&other);
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_MUTE);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server)); /* the first reply is its own */
    TEST_ASSERT_EQUAL(0, prb_api_watch(caller.api, &prb_test_a.gvr, NULL, &sink, &second, &err));
    push_until_closed(&other);
    TEST_ASSERT_TRUE(prb_test_listener_is_closed(&other));
    TEST_ASSERT_FALSE(prb_test_listener_is_closed(&listener));
    prb_api_watch_stop(caller.api, second);
    prb_test_listener_done(&other);
}

static void test_a_stopped_watch_tells_nothing_any_more(void)
{
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    push(EVENT("ADDED", "a", "1"));
    TEST_ASSERT_CAME(prb_test_listener_wait(&listener, "ADDED a 1;"));
    prb_api_watch_stop(caller.api, prb_take(watch));
    push(EVENT("ADDED", "b", "2"));
    prb_api_close(prb_take(caller.api)); /* after this no thread is left that could tell */
    TEST_ASSERT_EQUAL(0, listener.closed);
    TEST_ASSERT_EQUAL_STRING("ADDED a 1;", prb_str_get(&listener.events));
}

/* Most of them: on a busy machine one may have asked by then, and must not be refused. */
static void test_a_watch_is_stopped_before_it_ran(void)
{
    for (int i = 0; i < 20; i++) {
        prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
        TEST_ASSERT_EQUAL(0, start(NULL));
        prb_api_watch_stop(caller.api, prb_take(watch));
    }
    TEST_ASSERT_EQUAL(0, listener.closed);
}

static void test_a_closed_watch_is_stopped_as_well(void)
{
    prb_test_server_reply(caller.server, "403 No", "", PRB_TEST_STATUS("403", "Forbidden"));
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, listener.why.code);
    prb_api_watch_stop(caller.api, prb_take(watch));
    TEST_ASSERT_EQUAL(1, listener.closed);
}

static void test_interrupting_ends_watches_and_lets_none_start(void)
{
    const struct prb_watch_sink sink = prb_test_listener_sink(&listener);
    struct prb_watch *late = NULL;
    struct prb_error err;

    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    prb_api_interrupt(caller.api);
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL(PRB_E_CANCELLED, listener.why.code);
    TEST_ASSERT_EQUAL(
            PRB_E_CANCELLED, prb_api_watch(caller.api, &prb_test_a.gvr, NULL, &sink, &late, &err));
    TEST_ASSERT_NULL(late);
}

static void test_a_selector_that_fits_no_url_is_refused_at_once(void)
{
    static char selector[70 * 1024];
    const struct prb_watch_options options = { .label_selector = selector };

    memset(selector, 'a', sizeof(selector) - 1);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, start(&options));
}

static void test_closing_frees_watches_that_still_run(void)
{
    prb_test_server_reply_raw(caller.server, HEAD, PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(0, start(NULL));
    TEST_ASSERT_CAME(prb_test_server_wait_held(caller.server));
    watch = NULL; /* freed by closing; the leak sanitizer would tell if not */
    prb_api_close(prb_take(caller.api));
    TEST_ASSERT_EQUAL(0, listener.closed);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_events_come_in_order_however_they_are_cut);
    RUN_TEST(test_what_a_watch_asks_for);
    RUN_TEST(test_a_watch_that_the_server_ends_is_to_be_resumed);
    RUN_TEST(test_a_connection_that_is_cut_is_a_failure);
    RUN_TEST(test_an_event_cut_off_at_a_clean_end_is_a_failure);
    RUN_TEST(test_errors_inside_the_stream_end_it_with_their_code);
    RUN_TEST(test_a_refused_watch_is_told_as_any_refused_call);
    RUN_TEST(test_a_refusal_without_an_end_is_not_waited_for);
    RUN_TEST(test_nonsense_in_the_stream_ends_it);
    RUN_TEST(test_a_silent_watch_is_noticed_and_to_be_resumed);
    RUN_TEST(test_a_watch_without_any_answer_is_a_failure);
    RUN_TEST(test_bytes_keep_a_watch_alive);
    RUN_TEST(test_one_silent_watch_does_not_end_another);
    RUN_TEST(test_a_stopped_watch_tells_nothing_any_more);
    RUN_TEST(test_a_watch_is_stopped_before_it_ran);
    RUN_TEST(test_a_closed_watch_is_stopped_as_well);
    RUN_TEST(test_interrupting_ends_watches_and_lets_none_start);
    RUN_TEST(test_a_selector_that_fits_no_url_is_refused_at_once);
    RUN_TEST(test_closing_frees_watches_that_still_run);
    return UNITY_END();
}
