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

/* Longer than any test may take: connections are closed to make room, or not at all. */
#define LONG_MS 120000

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

/* Health is asked for on a new connection each time, as a kubelet does. */
static void check_health(void)
{
    prb_autofree char *health = ask("GET", "/healthz", ""), *ready = ask("GET", "/readyz", "");

    ASSERT_STATUS(health, 200);
    ASSERT_STATUS(ready, 200);
}

/* More than are served at once, and than the library takes in. */
#define CROWD 80

static void do_nothing(int fd)
{
    (void)fd;
}

static void begin_a_request(int fd)
{
    say(fd, "GET /");
}

static void ask_for_health(int fd)
{
    char chunk[4096];

    say(fd, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_READABLE(fd);
    TEST_ASSERT_GREATER_THAN(0, read(fd, chunk, sizeof(chunk)));
}

static void ask_for_much(int fd)
{
    int small = 4096;

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    say(fd, "GET /waiting HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_READABLE(fd);
}

static void (*const crowds[])(
        int fd) = { do_nothing, begin_a_request, ask_for_health, ask_for_much };

static void test_health_is_answered_whoever_holds_connections(void)
{
    struct prb_ops_options options = {
        .host = "127.0.0.1", .first_ms = LONG_MS, .request_ms = LONG_MS, .idle_ms = LONG_MS
    };

    world.waits = 20000;
    world.waits_for = "something long enough to fill every buffer between the two of them";
    TEST_ASSERT_EQUAL_INT(0, start_with(&options, &ops));
    for (size_t i = 0; i < sizeof(crowds) / sizeof(crowds[0]); i++) {
        int fds[CROWD];

        for (size_t at = 0; at < CROWD; at++) {
            fds[at] = dial(prb_ops_port(ops));
            crowds[i](fds[at]);
        }
        for (int again = 0; again < 3; again++)
            check_health();
        for (size_t at = 0; at < CROWD; at++)
            (void)close(fds[at]);
    }
}

static bool is_at_its_end(int fd)
{
    char byte;

    return await_readable(fd) && read(fd, &byte, 1) <= 0;
}

/* A wait for its own sake: how long connections are idle is told by the millisecond. */
static bool is_past(void *ctx)
{
    return prb_test_now_ms() > *(int64_t *)ctx;
}

static void test_the_connection_that_is_idle_for_longest_makes_room(void)
{
    int64_t now_ms;
    int held[3];

    START(3, LONG_MS, LONG_MS);
    for (size_t i = 0; i < 2; i++) {
        held[i] = dial(prb_ops_port(ops));
        ask_for_health(held[i]);
    }
    held[2] = dial(prb_ops_port(ops)); /* is not used */
    check_health();
    TEST_ASSERT_TRUE_MESSAGE(is_at_its_end(held[2]), "the one that was not used goes first");
    now_ms = prb_test_now_ms();
    TEST_ASSERT_AWAIT("the clock goes on", is_past, &now_ms);
    ask_for_health(held[0]); /* the other one is idle for longer now */
    (void)close(held[2]);
    held[2] = dial(prb_ops_port(ops));
    ask_for_health(held[2]);
    check_health();
    TEST_ASSERT_TRUE_MESSAGE(is_at_its_end(held[1]), "then the one that is idle for longest");
    ask_for_health(held[0]);
    ask_for_health(held[2]);
    for (size_t i = 0; i < 3; i++)
        (void)close(held[i]);
}

/* So long, where nobody says otherwise, and three times as long on a machine that is out of breath.
 */
#define PRESET_MS 5000
#define PRESET_LATE_MS prb_test_patience_ms(3 * PRESET_MS)

/* One that asks for nothing at all, and one that asks no more. */
static void test_five_seconds_are_the_time_of_a_connection_that_does_nothing(void)
{
    int fds[2];
    int64_t began_ms;

    START(0, 0, 0);
    began_ms = prb_test_now_ms();
    for (size_t i = 0; i < 2; i++)
        fds[i] = dial(prb_ops_port(ops));
    ask_for_health(fds[1]);
    for (size_t i = 0; i < 2; i++) {
        TEST_ASSERT_TRUE(is_at_its_end(fds[i]));
        TEST_ASSERT_GREATER_OR_EQUAL_INT64(PRESET_MS - 50, prb_test_now_ms() - began_ms);
        TEST_ASSERT_LESS_THAN_INT64(PRESET_LATE_MS, prb_test_now_ms() - began_ms);
        (void)close(fds[i]);
    }
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
    RUN_TEST(test_health_is_answered_whoever_holds_connections);
    RUN_TEST(test_the_connection_that_is_idle_for_longest_makes_room);
    RUN_TEST(test_five_seconds_are_the_time_of_a_connection_that_does_nothing);
    RUN_TEST(test_stopping_closes_what_is_open);
    RUN_TEST(test_many_clients_at_once_are_all_served);
    return UNITY_END();
}
