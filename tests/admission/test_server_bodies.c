/* Bodies at the admission port: in pieces, in chunks, too long, and one behind the other. */

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "server_world.h"

#define MIB ((size_t)1024 * 1024)

#define IDLE 8

static struct server_world world;
static struct https https;
static struct https idle[IDLE];
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
    for (size_t i = 0; i < IDLE; i++)
        https_close(&idle[i]);
    world_done(&world);
}

static bool start(const struct prb_server_options *options)
{
    return world_start(&world, options, NULL) &&
           https_open(&https, world_port(&world), world.client);
}

static bool reopen(void)
{
    https_close(&https);
    return https_open(&https, world_port(&world), world.client);
}

static bool read_answer(void)
{
    answer_done(&answer);
    return https_read(&https, &answer);
}

static bool call(const char *name)
{
    prb_autofree char *review = review_of(name, "u", 0);

    answer_done(&answer);
    return https_call(&https, review, &answer);
}

#define START(options) TEST_ASSERT_TRUE(start(options))
#define HEAD "POST /validate?timeout=10s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"

/* A whole request for a thing of this name. */
static char *request_of(const char *name)
{
    prb_autofree char *review = review_of(name, name, 0);

    return prb_asprintf(HEAD "Content-Length: %zu\r\n\r\n%s", strlen(review), review);
}

static void test_a_request_may_be_split_at_every_byte(void)
{
    prb_autofree char *request = request_of("live-one");
    size_t len = strlen(request);

    START(NULL);
    for (size_t at = 1; at < len; at++) {
        TEST_ASSERT_TRUE(https_send(&https, request, at));
        TEST_ASSERT_TRUE(https_send(&https, request + at, len - at));
        TEST_ASSERT_TRUE(read_answer());
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
    TEST_ASSERT_EQUAL_UINT(len - 1, atomic_load(&world.decided));
}

static void test_a_request_may_come_byte_by_byte(void)
{
    prb_autofree char *request = request_of("fine");

    START(NULL);
    for (size_t i = 0; request[i]; i++)
        TEST_ASSERT_TRUE(https_send(&https, request + i, 1));
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
}

static void test_pipelined_requests_are_answered_in_order(void)
{
    static const char *const names[] = { "fine-1", "live-2", "deny-3", "absent-4", "fine-5" };
    prb_auto(prb_str_done) struct prb_str all;

    prb_str_init(&all, 65536);
    for (size_t i = 0; i < 5; i++) {
        prb_autofree char *request = request_of(names[i]);

        prb_str_add(&all, request);
    }
    START(NULL);
    TEST_ASSERT_TRUE(https_send(&https, all.data, all.len));
    for (size_t i = 0; i < 5; i++) {
        TEST_ASSERT_TRUE_MESSAGE(read_answer(), names[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer.body, names[i]), answer.body);
    }
}

/* Send `review` in chunks of `size`. */
static bool send_chunked(const char *review, size_t size)
{
    prb_auto(prb_str_done) struct prb_str text;
    size_t len = strlen(review);

    prb_str_init(&text, 2 * len + 65536);
    prb_str_add(&text, HEAD "Transfer-Encoding: chunked\r\n\r\n");
    for (size_t at = 0; at < len; at += size) {
        size_t some = len - at < size ? len - at : size;

        prb_str_addf(&text, "%zx;ext=1\r\n", some);
        prb_str_addn(&text, review + at, some);
        prb_str_add(&text, "\r\n");
    }
    prb_str_add(&text, "0\r\nTrailer: x\r\n\r\n");
    return https_send(&https, text.data, text.len);
}

static void test_chunked_bodies_of_every_chunk_size_are_read(void)
{
    prb_autofree char *review = review_of("fine", "u", 0);
    prb_autofree char *large = review_of("fine", "u", 300000);

    START(NULL);
    for (size_t size = 1; size < 40; size++) {
        TEST_ASSERT_TRUE(send_chunked(review, size));
        TEST_ASSERT_TRUE(read_answer());
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
    TEST_ASSERT_TRUE(send_chunked(large, 10000));
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
}

static void test_malformed_chunks_are_400(void)
{
    START(NULL);
    TEST_ASSERT_TRUE(https_say(&https, HEAD "Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n"));
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_EQUAL_INT(400, answer.status);
    TEST_ASSERT_TRUE(https_ends(&https));
}

static void test_a_length_that_is_no_number_is_refused(void)
{
    static const struct {
        const char *length;
        int status;
    } cases[] = { { "18446744073709551616", 413 }, { "9223372036854775808", 413 },
        { "99999999999999999999999999", 413 }, { "-1", 400 }, { "0x10", 400 }, { "12 12", 400 } };

    START(NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *head =
                prb_asprintf(HEAD "Content-Length: %s\r\n\r\n{}", cases[i].length);

        TEST_ASSERT_TRUE(https_say(&https, head));
        TEST_ASSERT_TRUE_MESSAGE(read_answer(), cases[i].length);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].status, answer.status, cases[i].length);
        TEST_ASSERT_TRUE(reopen());
    }
}

static void test_who_waits_for_100_continue_gets_it_or_the_refusal(void)
{
    prb_autofree char *review = review_of("fine", "u", 0);
    prb_autofree char *head = prb_asprintf(
            HEAD "Expect: 100-continue\r\nContent-Length: %zu\r\n\r\n", strlen(review));

    START(NULL);
    TEST_ASSERT_TRUE(https_say(&https, head));
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_EQUAL_INT(100, answer.status);
    TEST_ASSERT_TRUE(https_say(&https, review));
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    TEST_ASSERT_TRUE(https_say(&https, "POST /x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                                       "Content-Length: 100\r\n\r\n"));
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_EQUAL_INT(404, answer.status);
}

static void test_a_half_closed_connection_gets_its_answer(void)
{
    static const char *const names[] = { "fine", "deny", "live" };
    prb_autofree char *request = NULL;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    for (size_t i = 0; i < 6; i++) {
        free(prb_take(request));
        request = request_of(names[i % 3]);
        TEST_ASSERT_TRUE(https_open(&https, world_port(&world), world.client));
        TEST_ASSERT_TRUE(https_say(&https, request));
        /* Once with a goodbye of TLS, once with the end of the stream alone. */
        if (i < 3)
            TEST_ASSERT_EQUAL_INT(0, gnutls_bye(https.stream.session, GNUTLS_SHUT_WR));
        TEST_ASSERT_EQUAL_INT(0, shutdown(https.stream.fd, SHUT_WR));
        TEST_ASSERT_TRUE_MESSAGE(read_answer(), names[i % 3]);
        TEST_ASSERT_EQUAL_INT(200, answer.status);
        TEST_ASSERT_TRUE(https_ends(&https));
        https_close(&https);
    }
}

/* A review waits on a half-closed connection, with another behind it or not. Every thread has
 * others to look after: the library treats the only connection of a thread differently. */
static bool wait_half_closed(bool with_another)
{
    prb_autofree char *waits = request_of("hang");
    prb_autofree char *another = request_of("fine");

    if (!world_start(&world, NULL, NULL))
        return false;
    for (size_t i = 0; i < IDLE; i++) {
        if (!https_open(&idle[i], world_port(&world), world.client))
            return false;
    }
    return reopen() && https_say(&https, waits) && question_port_wait(&world.port, 1) &&
           (!with_another || https_say(&https, another)) &&
           gnutls_bye(https.stream.session, GNUTLS_SHUT_WR) == 0 &&
           shutdown(https.stream.fd, SHUT_WR) == 0;
}

static void test_so_does_one_that_waits(void)
{
    TEST_ASSERT_TRUE(wait_half_closed(false));
    question_port_release(&world.port);
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    TEST_ASSERT_TRUE(https_ends(&https));
}

static void test_and_what_was_sent_behind_it(void)
{
    TEST_ASSERT_TRUE(wait_half_closed(true));
    question_port_release(&world.port);
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer.body, "\"uid\":\"hang\""), answer.body);
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer.body, "\"uid\":\"fine\""), answer.body);
    TEST_ASSERT_TRUE(https_ends(&https));
}

static void test_who_goes_away_in_the_middle_leaves_nothing_behind(void)
{
    prb_autofree char *request = request_of("fine");

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    for (size_t at = 1; at < strlen(request); at += 97) {
        TEST_ASSERT_TRUE(https_open(&https, world_port(&world), world.client));
        TEST_ASSERT_TRUE(https_send(&https, request, at));
        https_cut(&https);
    }
    TEST_ASSERT_TRUE(reopen());
    TEST_ASSERT_TRUE(call("fine"));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_request_may_be_split_at_every_byte);
    RUN_TEST(test_a_request_may_come_byte_by_byte);
    RUN_TEST(test_pipelined_requests_are_answered_in_order);
    RUN_TEST(test_chunked_bodies_of_every_chunk_size_are_read);
    RUN_TEST(test_malformed_chunks_are_400);
    RUN_TEST(test_a_length_that_is_no_number_is_refused);
    RUN_TEST(test_who_waits_for_100_continue_gets_it_or_the_refusal);
    RUN_TEST(test_a_half_closed_connection_gets_its_answer);
    RUN_TEST(test_so_does_one_that_waits);
    RUN_TEST(test_and_what_was_sent_behind_it);
    RUN_TEST(test_who_goes_away_in_the_middle_leaves_nothing_behind);
    return UNITY_END();
}
