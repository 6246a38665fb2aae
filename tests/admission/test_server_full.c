/* Clients that take all connections of the admission port: which of them make room, and for whom.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/metrics.h"

#include "server_world.h"
#include "support/wait.h"

/* Deadlines are longer than any test may take: connections are closed to make room, or not at all.
 */
#define LONG_MS 120000

/* The two threads of the server take connections in each at its own pace. Half of the crowd, when
 * it comes in after one that was accepted later, must not be enough to displace that one. */
#define LIMIT 32
#define CROWD 48
#define THREADS 2

static struct server_world world;
static struct https crowd[CROWD];
static struct https pooled, fresh;
static struct answer answer;

static const struct prb_server_options patient = { .threads = THREADS,
    .connections_max = LIMIT,
    .first_ms = LONG_MS,
    .header_ms = LONG_MS,
    .body_ms = LONG_MS,
    .answer_ms = LONG_MS,
    .idle_ms = LONG_MS };

/* Also one that has only dialled. */
static void cut(struct https *https)
{
    if (prb_tls_stream_is_open(&https->stream))
        https_cut(https);
    else if (https->stream.fd >= 0)
        (void)close(https->stream.fd);
    prb_tls_stream_init(&https->stream, -1, HTTPS_PATIENCE_MS);
}

static void leave(void)
{
    for (size_t i = 0; i < CROWD; i++)
        cut(&crowd[i]);
}

void setUp(void)
{
    world_init(&world);
    answer = (struct answer){ 0 };
    prb_tls_stream_init(&pooled.stream, -1, HTTPS_PATIENCE_MS);
    prb_tls_stream_init(&fresh.stream, -1, HTTPS_PATIENCE_MS);
    for (size_t i = 0; i < CROWD; i++)
        prb_tls_stream_init(&crowd[i].stream, -1, HTTPS_PATIENCE_MS);
}

void tearDown(void)
{
    answer_done(&answer);
    leave();
    cut(&pooled);
    cut(&fresh);
    world_done(&world);
}

static bool start(const struct prb_server_options *options)
{
    return world_start(&world, options, NULL);
}

static bool open_client(struct https *at)
{
    cut(at);
    return https_open(at, world_port(&world), world.client);
}

static bool call(struct https *at, const char *name)
{
    prb_autofree char *review = review_of(name, "u", 0);

    answer_done(&answer);
    return https_call(at, review, &answer) && says_allowed(answer.body);
}

static bool is_answered(void)
{
    return open_client(&fresh) && call(&fresh, "fine");
}

/* What the crowd does. All of them go on holding their connections. */

static void dial_only(struct https *at)
{
    at->stream.fd = https_dial(world_port(&world));
}

static void begin_a_handshake(struct https *at)
{
    /* The head of a TLS record of 512 bytes with the beginning of a ClientHello. */
    static const unsigned char hello[] = { 22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3 };

    dial_only(at);
    (void)send(at->stream.fd, hello, sizeof(hello), MSG_NOSIGNAL);
}

static void shake_hands_only(struct https *at)
{
    TEST_ASSERT_TRUE(open_client(at));
}

#define HEAD "POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"

static void begin_a_request(struct https *at)
{
    TEST_ASSERT_TRUE(open_client(at));
    TEST_ASSERT_TRUE(https_say(at, HEAD));
}

static void begin_a_body(struct https *at)
{
    begin_a_request(at);
    TEST_ASSERT_TRUE(https_say(at, "Content-Length: 1000\r\n\r\n{"));
}

static void ask_for_a_page(struct https *at)
{
    TEST_ASSERT_TRUE(open_client(at));
    TEST_ASSERT_TRUE(https_say(at, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    answer_done(&answer);
    TEST_ASSERT_TRUE(https_read(at, &answer));
    TEST_ASSERT_EQUAL_INT(404, answer.status);
    TEST_ASSERT_FALSE(answer.closes);
}

static void send_no_review(struct https *at)
{
    TEST_ASSERT_TRUE(open_client(at));
    answer_done(&answer);
    TEST_ASSERT_TRUE(https_call(at, "{\"kind\":\"AdmissionReview\"}", &answer));
    TEST_ASSERT_EQUAL_INT(400, answer.status);
    TEST_ASSERT_FALSE(answer.closes);
}

static void check_crowd(void (*act)(struct https *at))
{
    TEST_ASSERT_TRUE(start(&patient));
    TEST_ASSERT_TRUE(open_client(&pooled));
    TEST_ASSERT_TRUE(call(&pooled, "fine"));
    for (size_t i = 0; i < CROWD; i++)
        act(&crowd[i]);
    TEST_ASSERT_TRUE_MESSAGE(is_answered(), "a new connection is let in, and answered");
    TEST_ASSERT_TRUE_MESSAGE(call(&pooled, "fine"), "the one that was there is still there");
    TEST_ASSERT_TRUE_MESSAGE(call(&fresh, "live"), "the new one is, too");
}

static void test_connections_without_a_byte_make_room(void)
{
    check_crowd(dial_only);
}

static void test_half_handshakes_make_room(void)
{
    check_crowd(begin_a_handshake);
}

static void test_connections_without_a_request_make_room(void)
{
    check_crowd(shake_hands_only);
}

static void test_half_headers_make_room(void)
{
    check_crowd(begin_a_request);
}

static void test_half_bodies_make_room(void)
{
    check_crowd(begin_a_body);
}

static void test_clients_that_ask_for_something_else_make_room(void)
{
    check_crowd(ask_for_a_page);
}

static void test_clients_that_send_no_review_make_room(void)
{
    check_crowd(send_no_review);
}

static void test_bodies_that_do_not_come_make_room_for_reviews(void)
{
    struct prb_server_options options = patient;

    options.connections_max = 10 * LIMIT; /* there is room for connections */
    options.in_flight_max = 2;
    TEST_ASSERT_TRUE(start(&options));
    for (size_t i = 0; i < CROWD; i++)
        begin_a_body(&crowd[i]);
    for (size_t i = 0; i < 3; i++) {
        struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "a review is answered");
        bool good;

        do {
            good = is_answered();
        } while (!good && prb_test_wait_in_time(&wait));
        TEST_ASSERT_TRUE_MESSAGE(good, answer.body);
    }
}

/* The unused one first, then the one that was refused something, then the one that is idle. */
static void test_connections_make_room_in_order(void)
{
    struct prb_server_options options = patient;
    struct https *stale = &crowd[0], *refused = &crowd[1], *unused = &crowd[2];

    options.connections_max = 3;
    options.pooled_ms = 1;
    TEST_ASSERT_TRUE(start(&options));
    TEST_ASSERT_TRUE(open_client(stale));
    TEST_ASSERT_TRUE(call(stale, "fine"));
    ask_for_a_page(refused);
    TEST_ASSERT_TRUE(open_client(unused));

    TEST_ASSERT_TRUE(open_client(&crowd[3]));
    TEST_ASSERT_TRUE_MESSAGE(https_ends(unused), "the unused one goes first");
    TEST_ASSERT_TRUE(call(&crowd[3], "fine"));
    TEST_ASSERT_TRUE(open_client(&crowd[4]));
    TEST_ASSERT_TRUE_MESSAGE(https_ends(refused), "then the one without a review");
    TEST_ASSERT_TRUE(call(&crowd[4], "fine"));
    TEST_ASSERT_TRUE(open_client(&crowd[5]));
    TEST_ASSERT_TRUE_MESSAGE(https_ends(stale), "then the one that is idle for the longest time");
    TEST_ASSERT_TRUE(call(&crowd[5], "fine"));
    TEST_ASSERT_TRUE(call(&crowd[3], "fine"));
    TEST_ASSERT_TRUE(call(&crowd[4], "fine"));
}

static void test_the_one_that_is_unused_for_longest_goes_first(void)
{
    struct prb_server_options options = patient;

    options.connections_max = 3;
    TEST_ASSERT_TRUE(start(&options));
    for (size_t i = 0; i < 3; i++)
        TEST_ASSERT_TRUE(open_client(&crowd[i]));
    TEST_ASSERT_TRUE(open_client(&crowd[3]));
    TEST_ASSERT_TRUE(https_ends(&crowd[0]));
    TEST_ASSERT_TRUE(call(&crowd[1], "fine"));
    TEST_ASSERT_TRUE(call(&crowd[2], "fine"));
    TEST_ASSERT_TRUE(call(&crowd[3], "fine"));
}

static void test_pooled_connections_stay_and_the_new_one_is_told_to_come_back(void)
{
    struct prb_server_options options = patient;
    char retry[16];

    options.connections_max = 2;
    TEST_ASSERT_TRUE(start(&options));
    for (size_t i = 0; i < 2; i++) {
        TEST_ASSERT_TRUE(open_client(&crowd[i]));
        TEST_ASSERT_TRUE(call(&crowd[i], "fine"));
    }
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_FALSE(is_answered());
        TEST_ASSERT_EQUAL_INT(503, answer.status);
        answer_header(&answer, "Retry-After", retry, sizeof(retry));
        TEST_ASSERT_EQUAL_STRING("1", retry);
        TEST_ASSERT_TRUE(https_ends(&fresh));
        TEST_ASSERT_TRUE(call(&crowd[0], "fine"));
        TEST_ASSERT_TRUE(call(&crowd[1], "fine"));
    }
}

/* One that was kept aside is let in when a place is free at its first request. */
static void test_a_place_that_is_free_again_is_given_away(void)
{
    struct prb_server_options options = patient;
    struct prb_test_wait wait;
    bool good;

    options.connections_max = 1;
    TEST_ASSERT_TRUE(start(&options));
    TEST_ASSERT_TRUE(open_client(&pooled));
    TEST_ASSERT_TRUE(call(&pooled, "fine"));
    TEST_ASSERT_FALSE(is_answered());
    TEST_ASSERT_EQUAL_INT(503, answer.status);
    cut(&pooled);
    wait = prb_test_wait_for(PRB_TEST_SOON_MS, "the place is free");
    do {
        good = is_answered();
    } while (!good && prb_test_wait_in_time(&wait));
    TEST_ASSERT_TRUE_MESSAGE(good, answer.body);
    TEST_ASSERT_TRUE(call(&fresh, "fine"));
}

static void test_a_review_that_waits_is_not_cut(void)
{
    struct prb_server_options options = patient;
    prb_autofree char *review = review_of("hang", "u", 0);

    options.connections_max = 1;
    TEST_ASSERT_TRUE(start(&options));
    TEST_ASSERT_TRUE(open_client(&pooled));
    TEST_ASSERT_TRUE(https_post(&pooled, NULL, review, strlen(review)));
    TEST_ASSERT_CAME(question_port_wait(&world.port, 1));
    for (size_t i = 0; i < CROWD; i++)
        dial_only(&crowd[i]);
    TEST_ASSERT_FALSE(is_answered());
    question_port_release(&world.port);
    answer_done(&answer);
    TEST_ASSERT_TRUE(https_read(&pooled, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
}

/* Crowds that come and go while the API server's connection is used on and on. */

#define STORM_CALLS 150

static atomic_bool storm_over;

static void *storm(void *arg)
{
    unsigned count = 0;

    while (!atomic_load(&storm_over)) {
        struct https https = { 0 };

        prb_tls_stream_init(&https.stream, -1, HTTPS_PATIENCE_MS);
        if (++count % 4 == 0)
            (void)https_open(&https, world_port(&world), world.client);
        else
            https.stream.fd = https_dial(world_port(&world));
        cut(&https);
    }
    *(unsigned *)arg = count;
    return NULL;
}

static void test_a_connection_in_use_survives_a_storm(void)
{
    struct prb_server_options options = patient;
    pthread_t threads[3];
    unsigned counts[3] = { 0 };

    options.connections_max = 3;
    options.threads = 4;
    atomic_store(&storm_over, false);
    TEST_ASSERT_TRUE(start(&options));
    TEST_ASSERT_TRUE(open_client(&pooled));
    TEST_ASSERT_TRUE(call(&pooled, "fine"));
    for (size_t i = 0; i < 3; i++)
        TEST_ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, storm, &counts[i]));
    for (int i = 0; i < STORM_CALLS; i++) {
        if (!call(&pooled, i % 10 ? "fine" : "live")) {
            TEST_FAIL_MESSAGE("the connection was cut");
            break;
        }
    }
    atomic_store(&storm_over, true);
    for (size_t i = 0; i < 3; i++)
        (void)pthread_join(threads[i], NULL);
    printf("%d reviews on one connection beside %u others\n", STORM_CALLS,
            counts[0] + counts[1] + counts[2]);
}

static void test_what_made_room_is_counted(void)
{
    static const char *const wanted[] = { "unused", "unproven", "stale" };
    prb_auto(prb_str_done) struct prb_str text;

    /* By the tests before this one, in this process. */
    prb_str_init(&text, (size_t)1024 * 1024);
    prb_metrics_print(&text);
    for (size_t i = 0; i < 3; i++) {
        prb_autofree char *line = prb_asprintf(
                "probate_admission_connections_displaced_total{standing=\"%s\"}", wanted[i]);

        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(prb_str_get(&text), line), line);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_connections_without_a_byte_make_room);
    RUN_TEST(test_half_handshakes_make_room);
    RUN_TEST(test_connections_without_a_request_make_room);
    RUN_TEST(test_half_headers_make_room);
    RUN_TEST(test_half_bodies_make_room);
    RUN_TEST(test_clients_that_ask_for_something_else_make_room);
    RUN_TEST(test_clients_that_send_no_review_make_room);
    RUN_TEST(test_bodies_that_do_not_come_make_room_for_reviews);
    RUN_TEST(test_connections_make_room_in_order);
    RUN_TEST(test_the_one_that_is_unused_for_longest_goes_first);
    RUN_TEST(test_pooled_connections_stay_and_the_new_one_is_told_to_come_back);
    RUN_TEST(test_a_place_that_is_free_again_is_given_away);
    RUN_TEST(test_a_review_that_waits_is_not_cut);
    RUN_TEST(test_a_connection_in_use_survives_a_storm);
    RUN_TEST(test_what_made_room_is_counted);
    return UNITY_END();
}
