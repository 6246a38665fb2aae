/* The ops port with long, slow, rude and many clients. */

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unity.h>

#include "probate/admission/ops.h"
#include "probate/base/str.h"

#include "http_client.h"
#include "ops_fixture.h"

static void test_a_request_that_is_too_long_is_refused(void)
{
    prb_auto(prb_str_done) struct prb_str path, header;
    prb_autofree char *long_path = NULL, *long_header = NULL, *after = NULL;

    prb_str_init(&path, 1 << 20);
    prb_str_init(&header, 1 << 20);
    START(0, 0, 0);
    prb_str_addc(&path, '/');
    prb_str_add(&header, "X-Filler: ");
    for (size_t i = 0; i < 100000; i++) {
        prb_str_addc(&path, 'a');
        prb_str_addc(&header, 'b');
    }
    prb_str_add(&header, "\r\n");
    long_path = ask("GET", prb_str_get(&path), "");
    TEST_ASSERT_TRUE_MESSAGE(
            long_path[0] == '\0' || has_status(long_path, 414) || has_status(long_path, 431),
            long_path);
    long_header = ask("GET", "/healthz", prb_str_get(&header));
    TEST_ASSERT_TRUE_MESSAGE(long_header[0] == '\0' || has_status(long_header, 431), long_header);
    after = ask("GET", "/healthz", "");
    ASSERT_STATUS(after, 200);
}

static void test_what_is_no_http_is_refused_and_others_are_served_on(void)
{
    static const char *const texts[] = { "\r\n\r\n\r\n", "nonsense\r\n\r\n", "GET\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n" };

    START(0, 2000, 2000);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        int fd = dial(prb_ops_port(ops));
        prb_autofree char *answer = NULL, *good = NULL;

        say(fd, texts[i]);
        answer = read_all(fd);
        (void)close(fd);
        TEST_ASSERT_FALSE_MESSAGE(has_status(answer, 200), texts[i]);
        good = ask("GET", "/healthz", "");
        ASSERT_STATUS(good, 200);
    }
}

static void test_pipelined_requests_are_answered_in_order(void)
{
    prb_autofree char *answers = NULL;
    const char *first, *second, *third;
    int fd;

    START(0, 0, 0);
    fd = dial(prb_ops_port(ops));
    say(fd, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
            "GET /nope HTTP/1.1\r\nHost: x\r\n\r\n"
            "GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    answers = read_all(fd);
    (void)close(fd);
    first = strstr(answers, "ok\n");
    second = strstr(answers, "HTTP/1.1 404 ");
    third = strstr(answers, "ready\n");
    TEST_ASSERT_TRUE_MESSAGE(first && second && third && first < second && second < third, answers);
}

static void test_a_client_that_closes_its_half_still_gets_the_answer(void)
{
    prb_autofree char *answer = NULL;
    int fd;

    START(0, 0, 300); /* the server takes the rest for an idle connection */
    fd = dial(prb_ops_port(ops));
    say(fd, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    (void)shutdown(fd, SHUT_WR);
    answer = read_all(fd);
    (void)close(fd);
    ASSERT_STATUS(answer, 200);
}

/* Drip one byte at a time, never idle for longer than a fifth of the deadline. */
static bool is_cut_off_while_dripping(int fd, int64_t request_ms)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "the client that drips its request is cut off");

    do {
        if (send(fd, "x", 1, MSG_NOSIGNAL) < 0 || readable(fd, (int)request_ms / 5))
            return true;
    } while (prb_test_wait_in_time(&wait));
    return false;
}

static void test_a_client_that_drips_its_request_is_cut_off(void)
{
    prb_autofree char *good = NULL;
    int fd;

    START(0, 2000, 2000);
    fd = dial(prb_ops_port(ops));
    say(fd, "GET /");
    TEST_ASSERT_CAME(is_cut_off_while_dripping(fd, 2000));
    (void)close(fd);
    good = ask("GET", "/healthz", "");
    ASSERT_STATUS(good, 200);
}

static void test_a_client_that_drips_its_second_request_is_cut_off(void)
{
    char chunk[4096];
    int fd;

    START(0, 0, 300);
    fd = dial(prb_ops_port(ops));
    say(fd, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_READABLE(fd);
    TEST_ASSERT_GREATER_THAN(0, read(fd, chunk, sizeof(chunk)));
    say(fd, "GET /");
    TEST_ASSERT_CAME(is_cut_off_while_dripping(fd, 300));
    (void)close(fd);
}

static void test_an_idle_connection_is_closed(void)
{
    prb_autofree char *answer = NULL;
    int fd;

    START(0, 0, 200);
    fd = dial(prb_ops_port(ops));
    say(fd, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    answer = read_all(fd); /* returns because the server closes */
    TEST_ASSERT_FALSE(readable(fd, 0) && read(fd, (char[1]){ 0 }, 1) > 0);
    (void)close(fd);
    ASSERT_STATUS(answer, 200);
}

static bool is_cut_off(void *ctx)
{
    struct pollfd poller = { .fd = *(int *)ctx, .events = 0 };

    return (poll(&poller, 1, 0) == 1 && (poller.revents & (POLLHUP | POLLERR))) ||
           send(poller.fd, "G", 1, MSG_NOSIGNAL) < 0;
}

static void test_a_client_that_does_not_read_is_cut_off(void)
{
    prb_autofree char *answer = NULL;
    int fd, small = 4096;

    world.waits = 80000;
    world.waits_for = "something long enough to fill every buffer between the two of them";
    START(0, 2000, 2000);
    fd = dial(prb_ops_port(ops));
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    say(fd, "GET /waiting HTTP/1.1\r\nHost: x\r\n\r\n");
    /* The server must give up by itself: the connection goes although nothing was read. */
    TEST_ASSERT_AWAIT("the client that does not read is cut off", is_cut_off, &fd);
    TEST_ASSERT_EQUAL(-1, send(fd, "G", 1, MSG_NOSIGNAL));
    (void)close(fd);
    answer = ask("GET", "/healthz", "");
    ASSERT_STATUS(answer, 200);
}

static bool is_answered(void *ctx)
{
    char **answer = ctx;

    free(*answer);
    *answer = ask("GET", "/healthz", "");
    return has_status(*answer, 200) || prb_test_saw("%s", *answer);
}

static void test_past_the_limit_of_connections_the_answer_is_503(void)
{
    prb_autofree char *refused = NULL, *good = NULL;
    int held[2];

    START(2, 0, 0);
    for (size_t i = 0; i < 2; i++) {
        char chunk[4096];

        held[i] = dial(prb_ops_port(ops));
        say(held[i], "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
        ASSERT_READABLE(held[i]);
        TEST_ASSERT_GREATER_THAN(0, read(held[i], chunk, sizeof(chunk)));
    }
    refused = ask("GET", "/healthz", "");
    ASSERT_STATUS(refused, 503);
    ASSERT_HAS(refused, "Retry-After: 1\r\n");
    ASSERT_HAS(refused, "Connection: close\r\n");
    (void)close(held[0]);
    (void)close(held[1]);
    TEST_ASSERT_AWAIT("the server has seen that they are gone", is_answered, &good);
    ASSERT_STATUS(good, 200);
}

static void test_stopping_closes_what_is_open(void)
{
    char chunk[4096];
    int idle, half;

    START(0, 0, 0);
    idle = dial(prb_ops_port(ops));
    half = dial(prb_ops_port(ops));
    say(half, "GET /heal");
    say(idle, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_READABLE(idle);
    TEST_ASSERT_GREATER_THAN(0, read(idle, chunk, sizeof(chunk)));
    prb_ops_stop(ops);
    ops = NULL;
    ASSERT_READABLE(idle);
    TEST_ASSERT_LESS_OR_EQUAL(0, read(idle, chunk, sizeof(chunk)));
    ASSERT_READABLE(half);
    TEST_ASSERT_LESS_OR_EQUAL(0, read(half, chunk, sizeof(chunk)));
    (void)close(idle);
    (void)close(half);
}

static void *ask_often(void *arg)
{
    size_t *good = arg;

    for (size_t i = 0; i < 50; i++) {
        prb_autofree char *answer = ask("GET", i % 2 ? "/waiting?output=json" : "/metrics", "");

        *good += has_status(answer, 200);
    }
    return NULL;
}

static void test_many_clients_at_once_are_all_served(void)
{
    pthread_t threads[8];
    size_t good[8] = { 0 };

    world.waits = 100;
    START(0, 0, 0);
    for (size_t i = 0; i < 8; i++)
        TEST_ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, ask_often, &good[i]));
    for (size_t i = 0; i < 8; i++) {
        (void)pthread_join(threads[i], NULL);
        TEST_ASSERT_EQUAL_size_t(50, good[i]);
    }
}

int main(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
    UNITY_BEGIN();
    RUN_TEST(test_a_request_that_is_too_long_is_refused);
    RUN_TEST(test_what_is_no_http_is_refused_and_others_are_served_on);
    RUN_TEST(test_pipelined_requests_are_answered_in_order);
    RUN_TEST(test_a_client_that_closes_its_half_still_gets_the_answer);
    RUN_TEST(test_a_client_that_drips_its_request_is_cut_off);
    RUN_TEST(test_a_client_that_drips_its_second_request_is_cut_off);
    RUN_TEST(test_an_idle_connection_is_closed);
    RUN_TEST(test_a_client_that_does_not_read_is_cut_off);
    RUN_TEST(test_past_the_limit_of_connections_the_answer_is_503);
    RUN_TEST(test_stopping_closes_what_is_open);
    RUN_TEST(test_many_clients_at_once_are_all_served);
    return UNITY_END();
}
