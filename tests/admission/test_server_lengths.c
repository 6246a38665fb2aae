/* How long may a review be, and how much may be built of it? */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "server_world.h"
#include "support/wait.h"

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

/* More than any object that can be stored becomes in JSON, old and new. */
static void test_a_review_of_any_length_is_read(void)
{
    prb_autofree char *review = review_of("fine", "u", 40 * MIB);

    START(NULL);
    answer_done(&answer);
    TEST_ASSERT_TRUE(https_call(&https, review, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    TEST_ASSERT_TRUE(send_chunked(review, MIB));
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
}

/* Send white space in chunks for as long as it is taken, up to `max` MiB. */
static size_t send_space(const char *path, size_t max)
{
    prb_autofree char *megabyte = prb_malloc(MIB + 1);
    prb_autofree char *head = prb_asprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: "
                                           "application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
            path);
    bool sent = https_say(&https, head);
    size_t count = 0;

    memset(megabyte, ' ', MIB);
    for (; sent && count < max; count++)
        sent = https_say(&https, "100000\r\n") && https_send(&https, megabyte, MIB) &&
               https_say(&https, "\r\n");
    return sent ? max + 1 : count;
}

static void test_a_body_without_end_is_read_until_its_deadline(void)
{
    const struct prb_server_options options = { .body_ms = 500 };

    START(&options);
    TEST_ASSERT_TRUE(send_space("/validate", 100000) <= 100000);
}

static void test_one_that_is_refused_anyway_is_read_so_far_and_no_further(void)
{
    size_t count;

    START(NULL);
    count = send_space("/elsewhere", 256);
    TEST_ASSERT_TRUE(count >= 40 && count <= 256); /* for the sake of an answer */
}

/* Like a review of "fine", with so many groups of its user, which are always built. */
static char *review_with_groups(size_t count)
{
    static const char mark[] = "\"system:authenticated\"";
    prb_autofree char *review = review_of("fine", "u", 0);
    char *at = strstr(review, mark);
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, SIZE_MAX / 2);
    prb_str_addn(&text, review, (size_t)(at - review));
    for (size_t i = 0; i < count; i++)
        prb_str_add(&text, "\"a\",");
    prb_str_add(&text, at);
    return prb_str_take(&text);
}

static void test_what_is_built_beyond_the_budget_is_shed_with_503(void)
{
    const struct prb_server_options options = { .built_max = 64 * 1024 };
    prb_autofree char *large = review_with_groups(2000);
    prb_autofree char *long_one = review_of("fine", "u", 2 * MIB);
    char retry[16];

    START(&options);
    for (int chunked = 0; chunked < 2; chunked++) {
        TEST_ASSERT_TRUE(chunked ? send_chunked(large, 1000)
                                 : https_post(&https, NULL, large, strlen(large)));
        TEST_ASSERT_TRUE(read_answer());
        TEST_ASSERT_EQUAL_INT(503, answer.status);
        TEST_ASSERT_TRUE(answer.closes);
        answer_header(&answer, "Retry-After", retry, sizeof(retry));
        TEST_ASSERT_EQUAL_STRING("1", retry);
        TEST_ASSERT_TRUE(reopen());
    }
    /* What was refused took nothing of the budget with it, and length alone takes nothing. */
    for (int i = 0; i < 8; i++) {
        answer_done(&answer);
        TEST_ASSERT_TRUE(https_call(&https, long_one, &answer));
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
}

/* So whoever holds the whole budget sheds no such review. */
static void test_a_usual_review_takes_nothing_of_the_budget(void)
{
    const struct prb_server_options options = { .built_max = 1 };
    prb_autofree char *large = review_with_groups(2000);

    START(&options);
    TEST_ASSERT_TRUE(call("fine"));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    TEST_ASSERT_TRUE(https_post(&https, NULL, large, strlen(large)));
    answer_done(&answer);
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_EQUAL_INT(503, answer.status);
}

/* What was given up, and what was answered, is free again: else the budget would run dry. */
static void test_the_budget_comes_back(void)
{
    const struct prb_server_options options = { .built_max = 512 * 1024 };
    prb_autofree char *too_large = review_with_groups(8000);
    prb_autofree char *large = review_with_groups(1500);

    START(&options);
    for (int i = 0; i < 8; i++) {
        TEST_ASSERT_TRUE(https_post(&https, NULL, too_large, strlen(too_large)));
        TEST_ASSERT_TRUE(read_answer());
        TEST_ASSERT_EQUAL_INT(503, answer.status);
        TEST_ASSERT_TRUE(reopen());
        answer_done(&answer);
        TEST_ASSERT_TRUE(https_call(&https, large, &answer));
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
}

static void test_more_than_one_review_may_have_is_413(void)
{
    prb_autofree char *large = review_with_groups(PRB_REVIEW_BUILT_MAX / 64);

    START(NULL);
    TEST_ASSERT_TRUE(https_post(&https, NULL, large, strlen(large)));
    TEST_ASSERT_TRUE(read_answer());
    TEST_ASSERT_EQUAL_INT(413, answer.status);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer.body, "RequestEntityTooLarge"), answer.body);
    TEST_ASSERT_TRUE(answer.closes);
    TEST_ASSERT_EQUAL_UINT(0, atomic_load(&world.decided));
}

static bool all_in_flight(void *ctx)
{
    (void)ctx;
    return prb_server_in_flight(world.server) == IDLE;
}

/* Anybody can announce; nine such connections were once enough to switch admission off. What is
 * announced here would just fit the budget, and leave no room for the review that comes then. */
static void test_what_is_announced_and_not_sent_takes_nothing(void)
{
    const struct prb_server_options options = { .built_max = IDLE * 8 * MIB };
    prb_autofree char *large = review_with_groups(1500);

    START(&options);
    for (size_t i = 0; i < IDLE; i++) {
        TEST_ASSERT_TRUE(https_open(&idle[i], world_port(&world), world.client));
        TEST_ASSERT_TRUE(https_say(&idle[i], HEAD "Content-Length: 8388608\r\n\r\n{"));
    }
    TEST_ASSERT_AWAIT("requests whose body is awaited", all_in_flight, NULL);
    for (int i = 0; i < 8; i++) {
        TEST_ASSERT_TRUE(call("fine"));
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
        answer_done(&answer);
        TEST_ASSERT_TRUE(https_call(&https, large, &answer));
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_review_of_any_length_is_read);
    RUN_TEST(test_a_body_without_end_is_read_until_its_deadline);
    RUN_TEST(test_one_that_is_refused_anyway_is_read_so_far_and_no_further);
    RUN_TEST(test_what_is_built_beyond_the_budget_is_shed_with_503);
    RUN_TEST(test_a_usual_review_takes_nothing_of_the_budget);
    RUN_TEST(test_the_budget_comes_back);
    RUN_TEST(test_more_than_one_review_may_have_is_413);
    RUN_TEST(test_what_is_announced_and_not_sent_takes_nothing);
    return UNITY_END();
}
