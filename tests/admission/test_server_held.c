/* For how long the admission server keeps the objects of a review in memory: to its verdict. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/metrics.h"

#include "narrow_client.h"
#include "server_world.h"
#include "support/wait.h"

#define LONG_MS 120000
#define CLIENTS 6

static const struct prb_server_options patient = { .first_ms = LONG_MS,
    .header_ms = LONG_MS,
    .body_ms = LONG_MS,
    .answer_ms = LONG_MS,
    .idle_ms = LONG_MS };

static struct server_world world;
static struct https clients[CLIENTS];

void setUp(void)
{
    world_init(&world);
}

void tearDown(void)
{
    for (size_t i = 0; i < CLIENTS; i++)
        https_cut(&clients[i]);
    world_done(&world);
}

/* Reviews whose objects are in memory, as /metrics shows it. */
static int held(void)
{
    static const char line[] = "\nprobate_admission_held ";
    prb_auto(prb_str_done) struct prb_str text;
    const char *at;

    prb_str_init(&text, (size_t)1024 * 1024);
    prb_metrics_print(&text);
    at = strstr(prb_str_get(&text), line);
    return at ? (int)strtol(at + strlen(line), NULL, 10) : -1;
}

/* Does every client have an answer on its way, and does nothing go on? */
static bool all_are_stuck(void *ctx)
{
    unsigned *decided = ctx, before = *decided;

    *decided = atomic_load(&world.decided);
    return prb_server_in_flight(world.server) == CLIENTS && *decided >= CLIENTS &&
           *decided == before;
}

static bool nothing_is_held(void *ctx)
{
    (void)ctx;
    return (held() == 0 && prb_server_in_flight(world.server) == CLIENTS) ||
           prb_test_saw(
                   "%d reviews held, %u in flight", held(), prb_server_in_flight(world.server));
}

static void test_nothing_is_held_while_answers_are_on_their_way(void)
{
    unsigned decided = 0;

    TEST_ASSERT_TRUE(world_start(&world, &patient, NULL));
    for (size_t i = 0; i < CLIENTS; i++) {
        TEST_ASSERT_TRUE(narrow_open(&clients[i], world_port(&world), world.client));
        narrow_stuff(&clients[i]);
    }
    TEST_ASSERT_AWAIT("no client takes its answer", all_are_stuck, &decided);
    TEST_ASSERT_AWAIT("no review is in memory", nothing_is_held, NULL);
    printf("%u verdicts; %u answers wait for their clients, %d reviews are in memory\n", decided,
            prb_server_in_flight(world.server), held());
}

static bool holds(void *ctx)
{
    return held() == *(int *)ctx || prb_test_saw("%d", held());
}

static void test_a_review_is_held_while_it_waits_and_not_afterwards(void)
{
    prb_autofree char *review = review_of("hang", "u", 0);
    int all = CLIENTS, none = 0;

    TEST_ASSERT_TRUE(world_start(&world, &patient, NULL));
    for (size_t i = 0; i < CLIENTS; i++) {
        TEST_ASSERT_TRUE(https_open(&clients[i], world_port(&world), world.client));
        TEST_ASSERT_TRUE(https_post(&clients[i], NULL, review, strlen(review)));
    }
    TEST_ASSERT_CAME(question_port_wait(&world.port, CLIENTS));
    TEST_ASSERT_AWAIT("all are held", holds, &all);
    question_port_release(&world.port);
    for (size_t i = 0; i < CLIENTS; i++) {
        prb_auto(answer_done) struct answer answer = { 0 };

        TEST_ASSERT_TRUE(https_read(&clients[i], &answer));
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
    TEST_ASSERT_AWAIT("none is held", holds, &none);
}

/* As if there were a second rule, which is not asked here, and reads the data. */
static void read_data_too(void)
{
    static const char *const metadata[] = { "metadata", NULL }, *const data[] = { "data", NULL };
    static const struct prb_rule one = { .reads = metadata }, other = { .reads = data };
    static const struct prb_rule *const rules[] = { &one, &other };

    prb_review_reader_free(world.reader);
    world.reader = prb_review_reader_new(rules, sizeof(rules) / sizeof(rules[0]));
}

static void test_a_review_that_waits_keeps_only_what_its_rules_read(void)
{
    prb_autofree char *at_once = NULL, *later = NULL;

    read_data_too();
    TEST_ASSERT_TRUE(world_start(&world, &patient, NULL));
    at_once = world_call(&world, "thing-with-data");
    later = world_call(&world, "live-with-data");
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(at_once), at_once);
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(later), later);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(at_once, "its data is in memory"), at_once);
    TEST_ASSERT_NULL_MESSAGE(strstr(later, "its data is in memory"), later);
}

#define DATA ((size_t)1024 * 1024)

/* For one review with so much data, and not for a second one beside it: a text takes twice its
 * length while it is read. */
#define ROOM (5 * DATA / 2)

/* What a review that waits has freed others may have: else a few of them, which wait for half a
 * minute, would use up the memory of all, and not take any. */
static void test_a_review_that_waits_takes_no_room_that_it_does_not_keep(void)
{
    struct prb_server_options options = patient;
    prb_autofree char *waits = review_of("hang", "u", DATA), *fine = review_of("fine", "u", DATA);
    prb_auto(answer_done) struct answer answer = { 0 };

    options.built_max = ROOM;
    read_data_too();
    TEST_ASSERT_TRUE(world_start(&world, &options, NULL));
    for (size_t i = 0; i < 2; i++)
        TEST_ASSERT_TRUE(https_open(&clients[i], world_port(&world), world.client));
    TEST_ASSERT_TRUE(https_call(&clients[1], fine, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), "there is room for one");
    TEST_ASSERT_TRUE(https_post(&clients[0], NULL, waits, strlen(waits)));
    TEST_ASSERT_CAME(question_port_wait(&world.port, 1));
    answer_done(&answer);
    TEST_ASSERT_TRUE(https_call(&clients[1], fine, &answer));
    question_port_release(&world.port);
    TEST_ASSERT_EQUAL_INT_MESSAGE(200, answer.status, answer.body);
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_nothing_is_held_while_answers_are_on_their_way);
    RUN_TEST(test_a_review_is_held_while_it_waits_and_not_afterwards);
    RUN_TEST(test_a_review_that_waits_keeps_only_what_its_rules_read);
    RUN_TEST(test_a_review_that_waits_takes_no_room_that_it_does_not_keep);
    return UNITY_END();
}
