#include <malloc.h>
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

static const struct prb_kube_depth metadata = { .metadata_only = true };

static int note(void *ctx, struct prb_kube_decoder *decoder, struct prb_error *err)
{
    prb_auto(prb_kube_event_done) struct prb_kube_event event = { .object = NULL };
    bool known;
    int r = prb_kube_decoder_event(decoder, &event, &known, err);

    (void)ctx;
    if (r < 0)
        return r;
    if (++count == refuse_at)
        return prb_fail(err, PRB_E_GONE, "refused");
    prb_str_add(&seen, prb_object_name(event.object));
    prb_str_addc(&seen, '|');
    return 0;
}

#define EVENT(name)                                                  \
    "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"" name \
    "\",\"resourceVersion\":\"1\"},"                                 \
    "\"x\":\"\\n\"}}"
static const char body[] = EVENT("a") "\n" EVENT("b") "\r\n\n" EVENT("c") "\n";
static const char expected[] = "a|b|c|";

static void test_events_are_found_at_every_split_of_the_body(void)
{
    size_t len = sizeof(body) - 1;
    struct prb_error err;

    for (size_t first = 0; first <= len; first++) {
        for (size_t second = first; second <= len; second += 7) {
            struct prb_kube_stream stream;

            prb_str_clear(&seen);
            prb_kube_stream_init(&stream, &metadata);
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

    prb_kube_stream_init(&stream, &metadata);
    for (size_t i = 0; i < sizeof(body) - 1; i++)
        TEST_ASSERT_EQUAL(0, prb_kube_stream_feed(&stream, body + i, 1, note, NULL, &err));
    TEST_ASSERT_EQUAL_STRING(expected, prb_str_get(&seen));
    prb_kube_stream_done(&stream);
}

static void test_a_line_without_an_end_is_not_delivered_but_noticed(void)
{
    struct prb_kube_stream stream;
    struct prb_error err;

    prb_kube_stream_init(&stream, &metadata);
    TEST_ASSERT_EQUAL(
            0, prb_kube_stream_feed(&stream, body, sizeof(EVENT("a")) + 5, note, NULL, &err));
    TEST_ASSERT_EQUAL_STRING("a|", prb_str_get(&seen));
    TEST_ASSERT_TRUE(prb_kube_stream_is_cut(&stream));
    prb_kube_stream_done(&stream);
}

static void test_a_line_may_be_of_any_length(void)
{
    static const char begin[] = "{\"type\":\"ADDED\",\"object\":{\"spec\":\"";
    static const char end[] = "\",\"metadata\":{\"name\":\"fat\",\"resourceVersion\":\"1\"}}}\n";
    static char piece[6 * 1024 + 1];
    struct prb_kube_stream stream;
    struct prb_error err = { .msg = "" };
    size_t before;
    int r;

    for (size_t i = 0; i < sizeof(piece) - 1; i += 6)
        memcpy(piece + i, "\\u003c", 6);
    prb_kube_stream_init(&stream, &metadata);
    r = prb_kube_stream_feed(&stream, begin, strlen(begin), note, NULL, &err);
    before = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (size_t i = 0; r == 0 && i < 5000; i++) /* 30 MB */
        r = prb_kube_stream_feed(&stream, piece, sizeof(piece) - 1, note, NULL, &err);
    TEST_ASSERT_TRUE(mallinfo2().uordblks + mallinfo2().hblkhd <= before + 1024);
    if (r == 0)
        r = prb_kube_stream_feed(&stream, end, strlen(end), note, NULL, &err);
    TEST_ASSERT_EQUAL_MESSAGE(0, r, err.msg);
    TEST_ASSERT_EQUAL_STRING("fat|", prb_str_get(&seen));
    prb_kube_stream_done(&stream);
}

static void test_what_is_no_event_is_refused(void)
{
    static const char *const cases[] = { "x\n", "{\"type\":\"ADDED\"}\n", "{\n}\n", "\"\n",
        "{}{}\n" };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_kube_stream stream;
        struct prb_error err;

        prb_kube_stream_init(&stream, &metadata);
        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_IO,
                prb_kube_stream_feed(&stream, cases[i], strlen(cases[i]), note, NULL, &err),
                cases[i]);
        prb_kube_stream_done(&stream);
    }
}

static void test_a_refused_event_stops_the_stream(void)
{
    struct prb_kube_stream stream;
    struct prb_error err;

    refuse_at = 2;
    prb_kube_stream_init(&stream, &metadata);
    TEST_ASSERT_EQUAL(
            PRB_E_GONE, prb_kube_stream_feed(&stream, body, strlen(body), note, NULL, &err));
    TEST_ASSERT_EQUAL_STRING("a|", prb_str_get(&seen));
    TEST_ASSERT_EQUAL(2, count);
    prb_kube_stream_done(&stream);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_events_are_found_at_every_split_of_the_body);
    RUN_TEST(test_events_are_found_byte_by_byte);
    RUN_TEST(test_a_line_without_an_end_is_not_delivered_but_noticed);
    RUN_TEST(test_a_line_may_be_of_any_length);
    RUN_TEST(test_what_is_no_event_is_refused);
    RUN_TEST(test_a_refused_event_stops_the_stream);
    return UNITY_END();
}
