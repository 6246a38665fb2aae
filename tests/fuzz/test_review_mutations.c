/*
 * usage: test_review_mutations DATA-DIRECTORY: the golden reviews with every byte damaged in turn.
 * None may crash the reader; what is still read is answered, with its uid.
 */

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/json.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "../rules/golden.h"
#include "review_property.h"

/* Golden reviews taken, bytes of each that are damaged, and ways to do it: some 200,000 reviews in
 * all, which take seconds; the fuzzer takes longer. */
enum { REVIEWS_MAX = 64, POSITIONS_MAX = 600, WAYS = 4 };

static const char *data;
static char *reviews[REVIEWS_MAX]; /* owned */
static size_t review_count;
static struct review_property *property;
static char why[REVIEW_PROPERTY_SIZE];

void setUp(void)
{
}

void tearDown(void)
{
}

/* As the API server would send it. */
static char *read_review(const char *path)
{
    prb_auto(prb_json_free) struct json_object *review = NULL;
    struct prb_error err;

    if (prb_golden_read(path, &review, &err) < 0)
        return NULL;
    prb_json_del(review, "case");
    return prb_json_text(review, false);
}

static void find_reviews(const char *rule, size_t most)
{
    prb_autofree char *directory = prb_asprintf("%s/%s", data, rule);
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        prb_autofree char *path = prb_asprintf("%s/%s", directory, entries[i]->d_name);
        bool wanted = most > 0 && review_count < REVIEWS_MAX && strstr(path, ".yaml");
        char *text = wanted ? read_review(path) : NULL;

        if (text) {
            reviews[review_count++] = text;
            most--;
        }
        free(entries[i]);
    }
    free(entries);
}

static void test_there_are_reviews_and_most_are_answered_unharmed(void)
{
    size_t answered = 0;

    TEST_ASSERT_EQUAL_size_t(REVIEWS_MAX, review_count);
    for (size_t i = 0; i < review_count; i++) {
        answered += review_property_check(property, reviews[i], strlen(reviews[i]), why);
        TEST_ASSERT_EQUAL_STRING("", why);
    }
    TEST_ASSERT_GREATER_THAN_size_t(REVIEWS_MAX * 9 / 10, answered);
}

/* Check a copy with `with` in place of the byte at `at`. */
static bool check_replaced(const char *text, size_t len, size_t at, const char *with)
{
    prb_auto(prb_str_done) struct prb_str damaged;

    prb_str_init(&damaged, 2 * len + 16);
    prb_str_addn(&damaged, text, at);
    prb_str_add(&damaged, with);
    prb_str_addn(&damaged, text + at + 1, len - at - 1);
    return review_property_check(property, prb_str_get(&damaged), damaged.len, why);
}

static bool check_flipped(const char *text, size_t len, size_t at, unsigned bit)
{
    prb_autofree char *damaged = prb_malloc(len);

    memcpy(damaged, text, len);
    damaged[at] = (char)((unsigned char)damaged[at] ^ (1U << bit));
    return review_property_check(property, damaged, len, why);
}

static const char *const replacements[] = { "", "\"", "{", "}", "[", "]", ",", ":", "\\", "0",
    "null", "\xff", "\\u0000", "\"\"" };
#define REPLACEMENTS (sizeof(replacements) / sizeof(replacements[0]))

/* In several ways at one place; how many were still answered. */
static size_t damage(const char *text, size_t len, size_t at)
{
    size_t answered = check_flipped(text, len, at, (unsigned)(at % 8));

    for (size_t way = 0; way < WAYS && !why[0]; way++)
        answered += check_replaced(text, len, at, replacements[(at + way * 5) % REPLACEMENTS]);
    return answered;
}

static void test_a_damaged_byte_never_breaks_the_reader(void)
{
    size_t answered = 0;

    for (size_t i = 0; i < review_count; i++) {
        size_t len = strlen(reviews[i]);
        size_t step = len / POSITIONS_MAX + 1;

        for (size_t at = i % step; at < len; at += step) {
            answered += damage(reviews[i], len, at);
            TEST_ASSERT_EQUAL_STRING_MESSAGE("", why, reviews[i]);
        }
    }
    TEST_ASSERT_GREATER_THAN_size_t(10000, answered);
}

static void test_a_review_that_ends_early_is_refused(void)
{
    for (size_t i = 0; i < review_count; i++) {
        size_t len = strlen(reviews[i]);

        for (size_t end = 0; end < len; end += 1 + len / POSITIONS_MAX) {
            prb_autofree char *begin = prb_malloc(end + 1);

            memcpy(begin, reviews[i], end);
            TEST_ASSERT_FALSE(review_property_check(property, begin, end, why));
            TEST_ASSERT_EQUAL_STRING_MESSAGE("", why, reviews[i]);
        }
    }
}

int main(int argc, char **argv)
{
    int failures;

    if (argc != 2)
        return 2;
    data = argv[1];
    find_reviews("cluster-lifecycle", 16);
    find_reviews("claim-delete-policy", 12);
    find_reviews("policy-prune", 12);
    find_reviews("manifestwork-orphan", REVIEWS_MAX);
    property = review_property_new();
    UNITY_BEGIN();
    RUN_TEST(test_there_are_reviews_and_most_are_answered_unharmed);
    RUN_TEST(test_a_damaged_byte_never_breaks_the_reader);
    RUN_TEST(test_a_review_that_ends_early_is_refused);
    failures = UNITY_END();
    review_property_free(property);
    for (size_t i = 0; i < review_count; i++)
        free(reviews[i]);
    return failures;
}
