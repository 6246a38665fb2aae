#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "stream.h"

/* What arrived, one line per event. */
static struct prb_str seen;
static int refuse_at; /* the event that `note` refuses, from 1; 0: none */
static int count;

void setUp(void)
{
    prb_str_init(&seen, 1000);
    refuse_at = 0;
    count = 0;
}

void tearDown(void)
{
    prb_str_done(&seen);
}

static int note(void *ctx, const char *line, size_t len, struct prb_error *err)
{
    (void)ctx;
    if (++count == refuse_at)
        return prb_fail(err, PRB_E_GONE, "refused");
    prb_str_addn(&seen, line, len);
    prb_str_addc(&seen, '|');
    return 0;
}

static const char body[] = "{\"a\":1}\n{\"b\":\"\\n\"}\r\n\n{\"c\":3}\n";
static const char expected[] = "{\"a\":1}|{\"b\":\"\\n\"}|{\"c\":3}|";

static void test_events_are_found_at_every_split_of_the_body(void)
{
    size_t len = sizeof(body) - 1;
    struct prb_error err;

    for (size_t first = 0; first <= len; first++) {
        for (size_t second = first; second <= len; second++) {
            struct prb_kube_stream stream;

            prb_str_clear(&seen);
            prb_kube_stream_init(&stream, 100);
            (void)prb_kube_stream_feed(&stream, body, first, note, NULL, &err);
            (void)prb_kube_stream_feed(&stream, body + first, second - first, note, NULL, &err);
            (void)prb_kube_stream_feed(&stream, body + second, len - second, note, NULL, &err);
            TEST_ASSERT_EQUAL_STRING(expected, prb_str_get(&seen));
            TEST_ASSERT_FALSE(prb_kube_stream_is_cut(&stream));
            prb_kube_stream_done(&stream);
        }
    }
}

static void test_events_are_found_byte_by_byte(void)
{
    struct prb_kube_stream stream;
    struct prb_error err;

    prb_kube_stream_init(&stream, 100);
    for (size_t i = 0; i < sizeof(body) - 1; i++)
        TEST_ASSERT_EQUAL(0, prb_kube_stream_feed(&stream, body + i, 1, note, NULL, &err));
    TEST_ASSERT_EQUAL_STRING(expected, prb_str_get(&seen));
    prb_kube_stream_done(&stream);
}

static void test_a_line_without_an_end_is_not_delivered_but_noticed(void)
{
    struct prb_kube_stream stream;
    struct prb_error err;

    prb_kube_stream_init(&stream, 100);
    TEST_ASSERT_EQUAL(0, prb_kube_stream_feed(&stream, "{}\n{\"a\"", 7, note, NULL, &err));
    TEST_ASSERT_EQUAL_STRING("{}|", prb_str_get(&seen));
    TEST_ASSERT_TRUE(prb_kube_stream_is_cut(&stream));
    prb_kube_stream_done(&stream);
}

/* A line of `len` bytes in two pieces, the first of `split` bytes. */
static int feed_long(size_t len, size_t split)
{
    struct prb_kube_stream stream;
    struct prb_error err = { .code = PRB_OK };
    prb_autofree char *line = prb_malloc(len + 1);

    memset(line, 'x', len);
    line[len] = '\n';
    prb_kube_stream_init(&stream, 10);
    if (prb_kube_stream_feed(&stream, line, split, note, NULL, &err) == 0)
        (void)prb_kube_stream_feed(&stream, line + split, len + 1 - split, note, NULL, &err);
    prb_kube_stream_done(&stream);
    return err.code;
}

static void test_a_line_may_be_as_long_as_allowed_and_no_longer(void)
{
    for (size_t split = 0; split <= 10; split++)
        TEST_ASSERT_EQUAL(PRB_OK, feed_long(10, split));
    for (size_t split = 0; split <= 11; split++)
        TEST_ASSERT_EQUAL(PRB_E_IO, feed_long(11, split));
}

static void test_a_line_that_never_ends_is_refused(void)
{
    struct prb_kube_stream stream;
    struct prb_error err;
    int r = 0;

    prb_kube_stream_init(&stream, 1000);
    for (int i = 0; i < 200 && r == 0; i++)
        r = prb_kube_stream_feed(&stream, "0123456789", 10, note, NULL, &err);
    TEST_ASSERT_EQUAL(PRB_E_IO, r);
    TEST_ASSERT_EQUAL_STRING("an event of the watch is longer than 1000 bytes", err.msg);
    prb_kube_stream_done(&stream);
}

static void test_a_refused_event_stops_the_stream(void)
{
    struct prb_kube_stream stream;
    struct prb_error err;

    refuse_at = 2;
    prb_kube_stream_init(&stream, 100);
    TEST_ASSERT_EQUAL(PRB_E_GONE, prb_kube_stream_feed(&stream, "a\nb\nc\n", 6, note, NULL, &err));
    TEST_ASSERT_EQUAL_STRING("a|", prb_str_get(&seen));
    TEST_ASSERT_EQUAL(2, count);
    prb_kube_stream_done(&stream);
}

static void test_memory_of_a_large_event_is_given_back(void)
{
    static char large[300 * 1024];
    struct prb_kube_stream stream;
    struct prb_error err;

    memset(large, 'x', sizeof(large));
    large[sizeof(large) - 1] = '\n';
    prb_kube_stream_init(&stream, sizeof(large));
    for (size_t at = 0; at < sizeof(large); at += 1024)
        TEST_ASSERT_EQUAL(0, prb_kube_stream_feed(&stream, large + at, 1024, note, NULL, &err));
    TEST_ASSERT_EQUAL(1, count);
    TEST_ASSERT_LESS_OR_EQUAL(64 * 1024, stream.rest.cap);
    prb_kube_stream_done(&stream);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_events_are_found_at_every_split_of_the_body);
    RUN_TEST(test_events_are_found_byte_by_byte);
    RUN_TEST(test_a_line_without_an_end_is_not_delivered_but_noticed);
    RUN_TEST(test_a_line_may_be_as_long_as_allowed_and_no_longer);
    RUN_TEST(test_a_line_that_never_ends_is_refused);
    RUN_TEST(test_a_refused_event_stops_the_stream);
    RUN_TEST(test_memory_of_a_large_event_is_given_back);
    return UNITY_END();
}
