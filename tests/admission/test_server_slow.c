/* Slow clients at the admission port: how long they may take over what. */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/metrics.h"

#include "narrow_client.h"
#include "server_world.h"
#include "support/wait.h"

/* Deadlines of these tests: the one that is meant is short, the others are longer than any test
 * may take. */
#define SHORT_MS prb_test_patience_ms(300)
#define FIRST_MS prb_test_patience_ms(4000) /* a busy machine has to do a handshake in it */
#define LONG_MS 120000

static struct server_world world;
static struct https https;
static struct answer answer;

void setUp(void)
{
    world_init(&world);
    answer = (struct answer){ 0 };
}

void tearDown(void)
{
    answer_done(&answer);
    https_close(&https);
    world_done(&world);
}

static const struct prb_server_options patient = { .first_ms = LONG_MS,
    .header_ms = LONG_MS,
    .body_ms = LONG_MS,
    .answer_ms = LONG_MS,
    .idle_ms = LONG_MS };

static bool start(const struct prb_server_options *options)
{
    return world_start(&world, options, NULL);
}

static bool connect_client(void)
{
    return https_open(&https, world_port(&world), world.client);
}

static bool call(const char *name)
{
    prb_autofree char *review = review_of(name, "u", 0);

    answer_done(&answer);
    return https_call(&https, review, &answer) && says_allowed(answer.body);
}

/* Send a byte now and then until the server has had enough; the time that took since `began_ms`,
 * when its deadline cannot have run yet, or -1. */
static int64_t drip_since(int64_t began_ms, const char *text)
{
    for (size_t i = 0; prb_test_now_ms() - began_ms < HTTPS_PATIENCE_MS; i++) {
        if (!https_send(&https, text + i % strlen(text), 1))
            return prb_test_now_ms() - began_ms;
        prb_test_pause();
    }
    return -1;
}

static int64_t drip(const char *text)
{
    return drip_since(prb_test_now_ms(), text);
}

#define HEAD "POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
#define ASSERT_ENDED(took)    \
    TEST_ASSERT_TRUE_MESSAGE( \
            (took) >= SHORT_MS - 50 && (took) < HTTPS_PATIENCE_MS, "it ended at its deadline")

static bool readable(int fd)
{
    struct pollfd poller = { .fd = fd, .events = POLLIN };

    return poll(&poller, 1, HTTPS_PATIENCE_MS) == 1;
}

static void test_a_handshake_that_does_not_come_ends_the_connection(void)
{
    struct prb_server_options options = patient;
    int64_t began_ms = prb_test_now_ms();
    char byte;
    int fd;

    options.first_ms = SHORT_MS;
    TEST_ASSERT_TRUE(start(&options));
    fd = https_dial(world_port(&world));
    TEST_ASSERT_TRUE_MESSAGE(readable(fd), "the server does not close in time");
    TEST_ASSERT_EQUAL_INT(0, recv(fd, &byte, 1, MSG_DONTWAIT));
    ASSERT_ENDED(prb_test_now_ms() - began_ms);
    (void)close(fd);
}

/* So long, where nobody says otherwise, and three times as long on a machine that is out of breath.
 */
#define PRESET_FIRST_MS 5000
#define PRESET_LATE_MS prb_test_patience_ms(3 * PRESET_FIRST_MS)

static void test_five_seconds_are_the_time_until_the_first_request(void)
{
    int64_t began_ms = prb_test_now_ms(), took_ms;
    int fd;

    TEST_ASSERT_TRUE(start(NULL));
    fd = https_dial(world_port(&world));
    TEST_ASSERT_TRUE_MESSAGE(readable(fd), "the server does not close in time");
    took_ms = prb_test_now_ms() - began_ms;
    (void)close(fd);
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(PRESET_FIRST_MS - 50, took_ms);
    TEST_ASSERT_LESS_THAN_INT64(PRESET_LATE_MS, took_ms);
}

static void test_a_dripped_handshake_ends_the_connection(void)
{
    struct prb_server_options options = patient;
    /* The head of a TLS record of 512 bytes with the beginning of a ClientHello. */
    static const unsigned char hello[] = { 22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3 };
    int64_t began_ms = prb_test_now_ms();
    ssize_t sent = 1;
    int fd;

    options.first_ms = SHORT_MS;
    TEST_ASSERT_TRUE(start(&options));
    fd = https_dial(world_port(&world));
    for (size_t i = 0; sent == 1 && prb_test_now_ms() - began_ms < HTTPS_PATIENCE_MS; i++) {
        sent = send(fd, &hello[i < sizeof(hello) ? i : sizeof(hello) - 1], 1, MSG_NOSIGNAL);
        prb_test_pause();
    }
    ASSERT_ENDED(prb_test_now_ms() - began_ms);
    (void)close(fd);
}

static void test_dripped_headers_end_the_connection(void)
{
    struct prb_server_options options = patient;
    int64_t began_ms;

    options.header_ms = SHORT_MS;
    TEST_ASSERT_TRUE(start(&options));
    TEST_ASSERT_TRUE(connect_client());
    ASSERT_ENDED(drip("x")); /* a request line without end */
    https_cut(&https);
    TEST_ASSERT_TRUE(connect_client());
    began_ms = prb_test_now_ms();
    TEST_ASSERT_TRUE(https_say(&https, HEAD));
    ASSERT_ENDED(drip_since(began_ms, "X-Drop: x\r\n"));
}

static void test_dripped_headers_end_a_connection_that_was_used_before(void)
{
    struct prb_server_options options = patient;

    options.header_ms = SHORT_MS;
    TEST_ASSERT_TRUE(start(&options));
    TEST_ASSERT_TRUE(connect_client());
    TEST_ASSERT_TRUE(call("fine"));
    TEST_ASSERT_TRUE(call("live"));
    ASSERT_ENDED(drip("x"));
}

static void test_a_dripped_body_ends_the_connection(void)
{
    static const char *const framings[] = { "Content-Length: 100000\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n186a0\r\n" };
    struct prb_server_options options = patient;

    options.body_ms = SHORT_MS;
    TEST_ASSERT_TRUE(start(&options));
    for (size_t i = 0; i < 2; i++) {
        int64_t began_ms;

        TEST_ASSERT_TRUE(connect_client());
        TEST_ASSERT_TRUE(https_say(&https, HEAD));
        began_ms = prb_test_now_ms();
        TEST_ASSERT_TRUE(https_say(&https, framings[i]));
        ASSERT_ENDED(drip_since(began_ms, " "));
        https_cut(&https);
    }
}

static void test_an_idle_connection_ends_after_its_time_and_not_before(void)
{
    struct prb_server_options options = patient;
    int64_t began_ms;

    options.idle_ms = SHORT_MS;
    TEST_ASSERT_TRUE(start(&options));
    TEST_ASSERT_TRUE(connect_client());
    began_ms = prb_test_now_ms();
    TEST_ASSERT_TRUE(call("fine"));
    TEST_ASSERT_TRUE(https_ends(&https));
    ASSERT_ENDED(prb_test_now_ms() - began_ms);
}

/* Has this much time gone by? A wait for its own sake: the passing of time is what is tested. */
static bool is_past(void *ctx)
{
    return prb_test_now_ms() >= *(int64_t *)ctx;
}

static void test_a_connection_has_one_time_for_all_until_its_first_request(void)
{
    static const char *const texts[] = { "", "P", HEAD };
    struct prb_server_options options = patient;

    options.first_ms = FIRST_MS;
    TEST_ASSERT_TRUE(start(&options));
    for (size_t i = 0; i < 3; i++) {
        int64_t began_ms = prb_test_now_ms();

        TEST_ASSERT_TRUE(connect_client());
        TEST_ASSERT_TRUE(texts[i][0] == '\0' || https_say(&https, texts[i]));
        TEST_ASSERT_TRUE(https_ends(&https));
        TEST_ASSERT_TRUE(prb_test_now_ms() - began_ms >= FIRST_MS - 50);
        https_cut(&https);
    }
}

static void test_a_used_connection_may_be_idle_for_longer(void)
{
    struct prb_server_options options = patient;
    int64_t until_ms;

    options.first_ms = options.header_ms = options.body_ms = options.answer_ms = FIRST_MS;
    TEST_ASSERT_TRUE(start(&options));
    TEST_ASSERT_TRUE(connect_client());
    TEST_ASSERT_TRUE(call("fine"));
    until_ms = prb_test_now_ms() + FIRST_MS * INT64_C(5) / 4;
    TEST_ASSERT_AWAIT("the time goes by", is_past, &until_ms);
    TEST_ASSERT_TRUE(call("fine"));
}

static void test_a_review_that_waits_has_no_deadline_but_its_own(void)
{
    struct prb_server_options options = patient;
    prb_autofree char *review = review_of("hang", "u", 0);
    /* The longest deadline that a review can have: more than is let pass here on any machine. */
    prb_autofree char *request =
            prb_asprintf("POST /validate?timeout=30s HTTP/1.1\r\nHost: x\r\n"
                         "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                    strlen(review), review);
    int64_t until_ms;

    options.header_ms = options.body_ms = options.answer_ms = SHORT_MS;
    TEST_ASSERT_TRUE(start(&options));
    TEST_ASSERT_TRUE(connect_client());
    TEST_ASSERT_TRUE(https_say(&https, request));
    TEST_ASSERT_CAME(question_port_wait(&world.port, 1));
    until_ms = prb_test_now_ms() + INT64_C(3) * SHORT_MS;
    TEST_ASSERT_AWAIT("the time goes by", is_past, &until_ms);
    question_port_release(&world.port);
    TEST_ASSERT_TRUE(https_read(&https, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
}

static bool shows(void *ctx)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, (size_t)1024 * 1024);
    prb_metrics_print(&text);
    return strstr(prb_str_get(&text), ctx) != NULL;
}

static void test_who_does_not_take_the_answers_is_cut_off(void)
{
    static char cut_off[] = "probate_admission_connections_overdue_total{phase=\"answer\"}";
    struct prb_server_options options = patient;

    options.answer_ms = SHORT_MS;
    TEST_ASSERT_FALSE(shows(cut_off));
    TEST_ASSERT_TRUE(start(&options));
    TEST_ASSERT_TRUE(narrow_open(&https, world_port(&world), world.client));
    narrow_stuff(&https);
    TEST_ASSERT_AWAIT("the metrics count a connection that was cut off", shows, cut_off);
}

static void test_what_was_cut_off_is_counted_by_phase(void)
{
    static char wanted[] = "probate_admission_connections_overdue_total{phase=\"headers\"}";
    static char failed[] = "probate_tls_handshakes_total{result=\"failed\"}";
    static char good[] = "probate_tls_handshakes_total{result=\"good\"}";

    /* By the tests before this one, in this process. */
    TEST_ASSERT_TRUE(shows(wanted));
    TEST_ASSERT_TRUE(shows(failed));
    TEST_ASSERT_TRUE(shows(good));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_handshake_that_does_not_come_ends_the_connection);
    RUN_TEST(test_five_seconds_are_the_time_until_the_first_request);
    RUN_TEST(test_a_dripped_handshake_ends_the_connection);
    RUN_TEST(test_dripped_headers_end_the_connection);
    RUN_TEST(test_dripped_headers_end_a_connection_that_was_used_before);
    RUN_TEST(test_a_dripped_body_ends_the_connection);
    RUN_TEST(test_an_idle_connection_ends_after_its_time_and_not_before);
    RUN_TEST(test_a_connection_has_one_time_for_all_until_its_first_request);
    RUN_TEST(test_a_used_connection_may_be_idle_for_longer);
    RUN_TEST(test_a_review_that_waits_has_no_deadline_but_its_own);
    RUN_TEST(test_who_does_not_take_the_answers_is_cut_off);
    RUN_TEST(test_what_was_cut_off_is_counted_by_phase);
    return UNITY_END();
}
