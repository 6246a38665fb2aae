/* The end of an admission server: nobody who has called goes without an answer. */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "server_world.h"
#include "support/wait.h"

#define CALLERS 8

static struct server_world world;
static struct https https, other;
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
    https_close(&other);
    world_done(&world);
}

static bool open_client(struct https *at)
{
    return https_open(at, world_port(&world), world.client);
}

static bool call_on(struct https *at, const char *name)
{
    prb_autofree char *review = review_of(name, "u", 0);

    answer_done(&answer);
    return https_call(at, review, &answer);
}

static bool post(struct https *at, const char *name)
{
    prb_autofree char *review = review_of(name, "u", 0);

    return https_post(at, NULL, review, strlen(review));
}

/* Stop on a thread of its own, as it waits for clients. */
struct stopping {
    pthread_t thread;
    struct server_world *world;
    int64_t finish_ms;
    int64_t took_ms;
    atomic_bool over;
};

static void *stop(void *arg)
{
    struct stopping *stopping = arg;
    int64_t began_ms = prb_test_now_ms();

    prb_server_stop(prb_take(stopping->world->server), stopping->finish_ms);
    stopping->took_ms = prb_test_now_ms() - began_ms;
    atomic_store(&stopping->over, true);
    return NULL;
}

static void start_stopping(struct stopping *stopping, int64_t finish_ms)
{
    *stopping = (struct stopping){ .world = &world, .finish_ms = finish_ms };
    if (pthread_create(&stopping->thread, NULL, stop, stopping) != 0)
        abort();
}

static void end_stopping(struct stopping *stopping)
{
    if (!prb_test_join("the server has stopped", stopping->thread, NULL, PRB_TEST_LONG_MS))
        abort(); /* it has what the test gives back */
}

static bool refuses_connections(void *ctx)
{
    int fd = https_dial(*(uint16_t *)ctx);

    if (fd >= 0)
        (void)close(fd);
    return fd < 0;
}

static void test_while_draining_every_answer_closes_and_new_clients_are_served(void)
{
    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    TEST_ASSERT_TRUE(open_client(&https));
    TEST_ASSERT_TRUE(call_on(&https, "fine"));
    TEST_ASSERT_FALSE(answer.closes);
    prb_server_drain(world.server);
    TEST_ASSERT_TRUE(call_on(&https, "fine"));
    TEST_ASSERT_TRUE(says_allowed(answer.body));
    TEST_ASSERT_TRUE(answer.closes);
    TEST_ASSERT_TRUE(https_ends(&https));
    TEST_ASSERT_TRUE(open_client(&other));
    TEST_ASSERT_TRUE(call_on(&other, "live"));
    TEST_ASSERT_TRUE(says_allowed(answer.body));
    TEST_ASSERT_TRUE(answer.closes);
}

static void test_idle_connections_stay_while_draining_and_end_with_the_server(void)
{
    struct stopping stopping;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    TEST_ASSERT_TRUE(open_client(&https)); /* never used */
    TEST_ASSERT_TRUE(open_client(&other));
    TEST_ASSERT_TRUE(call_on(&other, "fine"));
    prb_server_drain(world.server);
    TEST_ASSERT_TRUE(call_on(&https, "fine")); /* still there */
    https_close(&https);
    TEST_ASSERT_TRUE(open_client(&https));
    start_stopping(&stopping, HTTPS_PATIENCE_MS);
    TEST_ASSERT_TRUE(https_ends(&https));
    TEST_ASSERT_TRUE(https_ends(&other));
    end_stopping(&stopping);
    TEST_ASSERT_TRUE_MESSAGE(stopping.took_ms < HTTPS_PATIENCE_MS / 2, "nobody was waited for");
}

static void test_what_is_in_flight_is_answered(void)
{
    uint16_t port;
    struct stopping stopping;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    port = world_port(&world);
    TEST_ASSERT_TRUE(open_client(&https));
    TEST_ASSERT_TRUE(open_client(&other));
    TEST_ASSERT_TRUE(post(&https, "hang")); /* waits for an answer */
    TEST_ASSERT_CAME(question_port_wait(&world.port, 1));
    TEST_ASSERT_TRUE(https_say(&other, "POST /validate HT")); /* has only begun */
    start_stopping(&stopping, HTTPS_PATIENCE_MS);
    TEST_ASSERT_AWAIT("the port is closed", refuses_connections, &port);
    TEST_ASSERT_FALSE(atomic_load(&stopping.over));

    TEST_ASSERT_TRUE(https_say(&other, "TP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"));
    TEST_ASSERT_TRUE(https_read(&other, &answer));
    TEST_ASSERT_EQUAL_INT(415, answer.status);
    TEST_ASSERT_TRUE(answer.closes);
    answer_done(&answer);
    question_port_release(&world.port);
    TEST_ASSERT_TRUE(https_read(&https, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    TEST_ASSERT_TRUE(answer.closes);
    end_stopping(&stopping);
}

static void test_who_had_connected_but_was_not_let_in_yet_is_let_in(void)
{
    const struct prb_server_options options = { .first_ms = 120000 };
    struct stopping stopping;
    uint16_t port;
    int fds[129], waiting; /* so many that the last may not have been let in when the server ends */

    TEST_ASSERT_TRUE(world_start(&world, &options, NULL));
    port = world_port(&world);
    for (size_t i = 0; i < 129; i++)
        fds[i] = https_dial(port);
    waiting = https_dial(port);
    start_stopping(&stopping, HTTPS_PATIENCE_MS);
    TEST_ASSERT_AWAIT("the port is closed", refuses_connections, &port);
    for (size_t i = 0; i < 129; i++)
        (void)close(fds[i]);
    prb_tls_stream_init(&https.stream, -1, HTTPS_PATIENCE_MS);
    TEST_ASSERT_TRUE(prb_tls_stream_connect(&https.stream, waiting, world.client, "localhost"));
    /* It was not reset. Whether it also asks in time before idle ones are ended is up to it. */
    https_close(&https);
    end_stopping(&stopping);
}

static void test_what_waits_longer_than_there_is_time_is_answered_as_unverified(void)
{
    struct stopping stopping;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    TEST_ASSERT_TRUE(open_client(&https));
    TEST_ASSERT_TRUE(post(&https, "hang"));
    TEST_ASSERT_CAME(question_port_wait(&world.port, 1));
    start_stopping(&stopping, 100);
    TEST_ASSERT_TRUE(https_read(&https, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_denied(answer.body, 503), answer.body);
    TEST_ASSERT_TRUE(answer.closes);
    end_stopping(&stopping);
}

static void test_a_second_round_of_questions_ends_with_the_server_too(void)
{
    struct stopping stopping;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    TEST_ASSERT_TRUE(open_client(&https));
    TEST_ASSERT_TRUE(post(&https, "live-then-hang"));
    TEST_ASSERT_CAME(question_port_wait(&world.port, 1));
    start_stopping(&stopping, 100);
    TEST_ASSERT_TRUE(https_read(&https, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_denied(answer.body, 503), answer.body);
    TEST_ASSERT_TRUE(answer.closes);
    end_stopping(&stopping);
}

/* The asker is at its end when the answers of the first round are there. */
static void test_a_second_round_that_nobody_takes_is_unverified(void)
{
    struct stopping stopping;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    TEST_ASSERT_TRUE(open_client(&https));
    TEST_ASSERT_TRUE(post(&https, "hang-then-live"));
    TEST_ASSERT_CAME(question_port_wait(&world.port, 1));
    prb_asker_stop(world.asker);
    TEST_ASSERT_TRUE(https_read(&https, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_denied(answer.body, 503), answer.body);
    answer_done(&answer);
    TEST_ASSERT_TRUE(post(&https, "live-then-live"));
    TEST_ASSERT_TRUE(https_read(&https, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_denied(answer.body, 503), answer.body);
    start_stopping(&stopping, 100);
    end_stopping(&stopping);
}

static void test_who_does_nothing_does_not_keep_the_server_from_ending(void)
{
    struct stopping stopping;
    int fd;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    fd = https_dial(world_port(&world)); /* no handshake */
    TEST_ASSERT_TRUE(open_client(&https));
    TEST_ASSERT_TRUE(https_say(&https, "POST /val"));
    start_stopping(&stopping, 200);
    end_stopping(&stopping);
    TEST_ASSERT_TRUE(stopping.took_ms >= 150);
    (void)close(fd);
}

/* Calls again and again, on a connection as long as it lasts, until the server is gone. */
struct caller {
    pthread_t thread;
    atomic_bool *over;
    unsigned calls, failures;
};

static void *keep_calling(void *arg)
{
    struct caller *caller = arg;
    prb_autofree char *reviews[] = { review_of("fine", "u", 2000), review_of("live", "u", 0) };
    struct https mine = { 0 };

    while (!atomic_load(caller->over)) {
        prb_auto(answer_done) struct answer got = { 0 };

        if (!prb_tls_stream_is_open(&mine.stream) &&
                !https_open(&mine, world_port(&world), world.client)) {
            caller->failures++;
            continue;
        }
        caller->calls++;
        if (!https_call(&mine, reviews[caller->calls % 2], &got) || !says_allowed(got.body))
            caller->failures++;
        if (got.status == 0 || got.closes)
            https_close(&mine);
    }
    https_close(&mine);
    for (size_t i = 0; i < 2; i++)
        free(prb_take(reviews[i]));
    return NULL;
}

static bool has_decided(void *ctx)
{
    unsigned now = atomic_load(&world.decided);

    return now >= *(unsigned *)ctx || prb_test_saw("%u of %u", now, *(unsigned *)ctx);
}

static void test_draining_under_load_loses_no_call(void)
{
    struct caller callers[CALLERS];
    atomic_bool over = false;
    unsigned calls = 0, failures = 0, wanted = 500;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    for (size_t i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){ .over = &over };
        if (pthread_create(&callers[i].thread, NULL, keep_calling, &callers[i]) != 0)
            abort();
    }
    TEST_ASSERT_AWAIT("so many reviews are decided", has_decided, &wanted);
    prb_server_drain(world.server);
    wanted = atomic_load(&world.decided) + 100; /* each of them over a new connection */
    TEST_ASSERT_AWAIT("so many reviews are decided", has_decided, &wanted);
    /* As behind a balancer that has seen that we are not ready: nobody new comes. */
    atomic_store(&over, true);
    for (size_t i = 0; i < CALLERS; i++) {
        if (!prb_test_join("a caller ends", callers[i].thread, NULL, PRB_TEST_STORM_MS))
            abort(); /* as above */
        calls += callers[i].calls;
        failures += callers[i].failures;
    }
    world_stop(&world, HTTPS_PATIENCE_MS);
    TEST_ASSERT_EQUAL_UINT(0, failures);
    TEST_ASSERT_EQUAL_UINT(calls, atomic_load(&world.decided));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_while_draining_every_answer_closes_and_new_clients_are_served);
    RUN_TEST(test_idle_connections_stay_while_draining_and_end_with_the_server);
    RUN_TEST(test_what_is_in_flight_is_answered);
    RUN_TEST(test_who_had_connected_but_was_not_let_in_yet_is_let_in);
    RUN_TEST(test_what_waits_longer_than_there_is_time_is_answered_as_unverified);
    RUN_TEST(test_a_second_round_of_questions_ends_with_the_server_too);
    RUN_TEST(test_a_second_round_that_nobody_takes_is_unverified);
    RUN_TEST(test_who_does_nothing_does_not_keep_the_server_from_ending);
    RUN_TEST(test_draining_under_load_loses_no_call);
    return UNITY_END();
}
