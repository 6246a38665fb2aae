/* More than can be done at once: who waits, who is delayed by that, and who is told to come back.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/metrics.h"

#include "server_world.h"
#include "support/wait.h"

#define STALLED 16
#define LONG_MS 120000

static struct server_world world;
static struct https many[STALLED];
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
    for (size_t i = 0; i < STALLED; i++)
        https_close(&many[i]);
    world_done(&world);
}

static bool call_on(struct https *at, const char *name)
{
    prb_autofree char *review = review_of(name, "u", 0);

    answer_done(&answer);
    return https_call(at, review, &answer);
}

static bool open_client(struct https *at)
{
    return https_open(at, world_port(&world), world.client);
}

/* Leave a review waiting on a connection. */
static bool ask(struct https *at, const char *name, const char *timeout)
{
    prb_autofree char *review = review_of(name, name, 0);
    prb_autofree char *request =
            prb_asprintf("POST /validate?timeout=%s HTTP/1.1\r\nHost: x\r\n"
                         "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                    timeout, strlen(review), review);

    return https_say(at, request);
}

static bool post(struct https *at, const char *name, const char *timeout)
{
    return open_client(at) && ask(at, name, timeout);
}

static bool is_quiet(void *ctx)
{
    (void)ctx;
    return prb_server_in_flight(world.server) == 0;
}

#define ASSERT_SHED()                                                                   \
    do {                                                                                \
        char retry_[16];                                                                \
        answer_header(&answer, "Retry-After", retry_, sizeof(retry_));                  \
        TEST_ASSERT_EQUAL_INT(503, answer.status);                                      \
        TEST_ASSERT_EQUAL_STRING("1", retry_);                                          \
        TEST_ASSERT_TRUE(answer.closes);                                                \
        TEST_ASSERT_NOT_NULL_MESSAGE(                                                   \
                strstr(answer.body, "\"reason\":\"ServiceUnavailable\""), answer.body); \
    } while (0)

/* No review may wait for longer than 30 s, on whichever machine. A slow one begins no other beside
 * them when half of that is over. */
#define BESIDE 20
#define BESIDE_MS 15000

static void test_stalled_reviews_do_not_delay_another(void)
{
    /* As few threads as there can be: each of them has several that wait. */
    const struct prb_server_options options = { .threads = 1 };
    int64_t began_ms;
    int done = 0;

    TEST_ASSERT_TRUE(world_start(&world, &options, NULL));
    for (size_t i = 0; i < STALLED; i++)
        TEST_ASSERT_TRUE(open_client(&many[i]));
    began_ms = prb_test_now_ms();
    for (size_t i = 0; i < STALLED; i++)
        TEST_ASSERT_TRUE(ask(&many[i], "hang", "30s"));
    TEST_ASSERT_CAME(question_port_wait(&world.port, STALLED));
    TEST_ASSERT_EQUAL_UINT(STALLED, prb_server_in_flight(world.server));

    while (done < 2 || (done < BESIDE && prb_test_now_ms() - began_ms < BESIDE_MS)) {
        https_close(&https);
        TEST_ASSERT_TRUE(open_client(&https));
        TEST_ASSERT_TRUE(call_on(&https, done++ % 2 ? "fine" : "live"));
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
    printf("%d reviews with handshakes beside %d stalled ones: %lld ms\n", done, STALLED,
            (long long)(prb_test_now_ms() - began_ms));
    TEST_ASSERT_CAME(question_port_wait(&world.port, STALLED)); /* they still wait */

    question_port_release(&world.port);
    for (size_t i = 0; i < STALLED; i++) {
        answer_done(&answer);
        TEST_ASSERT_TRUE(https_read(&many[i], &answer));
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
}

static void test_a_stalled_review_is_answered_503_before_its_caller_gives_up(void)
{
    int64_t began_ms;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    began_ms = prb_test_now_ms();
    TEST_ASSERT_TRUE(post(&https, "hang", "1s"));
    TEST_ASSERT_TRUE(https_read(&https, &answer));
    TEST_ASSERT_EQUAL_INT(200, answer.status);
    TEST_ASSERT_TRUE_MESSAGE(says_denied(answer.body, 503), answer.body);
    TEST_ASSERT_TRUE(prb_test_now_ms() - began_ms >= 450);
    TEST_ASSERT_TRUE(question_port_timeout(&world.port) <= 500);
}

static void test_who_goes_away_while_waiting_leaves_nothing_behind(void)
{
    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    for (size_t i = 0; i < STALLED; i++)
        TEST_ASSERT_TRUE(post(&many[i], "hang", "30s"));
    TEST_ASSERT_CAME(question_port_wait(&world.port, STALLED));
    for (size_t i = 0; i < STALLED; i++)
        https_cut(&many[i]);
    question_port_release(&world.port);
    TEST_ASSERT_AWAIT("the server has nothing to do", is_quiet, NULL);
}

/* An answer is read a moment before its exchange is over. */
static bool only_one_in_flight(void *ctx)
{
    (void)ctx;
    return prb_server_in_flight(world.server) == 1 ||
           prb_test_saw("%u", (unsigned)prb_server_in_flight(world.server));
}

static void test_reviews_beyond_the_limit_are_told_to_come_back(void)
{
    const struct prb_server_options options = { .in_flight_max = 1 };

    TEST_ASSERT_TRUE(world_start(&world, &options, NULL));
    TEST_ASSERT_TRUE(post(&many[0], "hang", "30s")); /* waits, and does not count */
    TEST_ASSERT_CAME(question_port_wait(&world.port, 1));
    TEST_ASSERT_TRUE(open_client(&https));
    TEST_ASSERT_TRUE(call_on(&https, "fine"));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    TEST_ASSERT_AWAIT("only one review is in flight", only_one_in_flight, NULL);

    TEST_ASSERT_TRUE(open_client(&many[1])); /* is being read, and counts */
    TEST_ASSERT_TRUE(https_say(&many[1],
            "POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n"));
    answer_done(&answer);
    TEST_ASSERT_TRUE(https_read(&many[1], &answer));
    TEST_ASSERT_EQUAL_INT_MESSAGE(100, answer.status, "its headers were read");
    TEST_ASSERT_TRUE(call_on(&https, "fine"));
    ASSERT_SHED();
}

/* The sum of a gauge without labels, as /metrics shows it. */
static int gauge(const char *name)
{
    prb_auto(prb_str_done) struct prb_str text;
    prb_autofree char *line = prb_asprintf("\n%s ", name);
    const char *at;

    prb_str_init(&text, (size_t)1024 * 1024);
    prb_metrics_print(&text);
    at = strstr(prb_str_get(&text), line);
    return at ? (int)strtol(at + strlen(line), NULL, 10) : -1;
}

static bool has_connections(void *ctx)
{
    int now = gauge("probate_admission_connections");

    return now == *(int *)ctx || prb_test_saw("%d instead of %d", now, *(int *)ctx);
}

/* All that are let in have to stay, but for those that are kept aside: of these the oldest goes. */
static void test_past_the_hard_limit_the_oldest_without_a_request_makes_room(void)
{
    const struct prb_server_options options = { .connections_max = 2, .first_ms = LONG_MS };
    int fds[140], open_most = 130; /* 2, and 128 to be told to come back */

    TEST_ASSERT_TRUE(world_start(&world, &options, NULL));
    for (size_t i = 0; i < 2; i++) {
        TEST_ASSERT_TRUE(open_client(&many[i]));
        TEST_ASSERT_TRUE(call_on(&many[i], "fine"));
    }
    for (size_t i = 0; i < 140; i++)
        fds[i] = https_dial(world_port(&world));
    TEST_ASSERT_AWAIT("as many connections are open as can be", has_connections, &open_most);
    TEST_ASSERT_TRUE(open_client(&https));
    TEST_ASSERT_TRUE(call_on(&https, "fine"));
    ASSERT_SHED();
    for (size_t i = 0; i < 2; i++) {
        TEST_ASSERT_TRUE(call_on(&many[i], "fine"));
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
    for (size_t i = 0; i < 140; i++)
        (void)close(fds[i]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_stalled_reviews_do_not_delay_another);
    RUN_TEST(test_a_stalled_review_is_answered_503_before_its_caller_gives_up);
    RUN_TEST(test_who_goes_away_while_waiting_leaves_nothing_behind);
    RUN_TEST(test_reviews_beyond_the_limit_are_told_to_come_back);
    RUN_TEST(test_past_the_hard_limit_the_oldest_without_a_request_makes_room);
    return UNITY_END();
}
