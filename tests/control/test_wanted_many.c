/* Do many collections come and go without getting lost, mixed up or left behind? */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "wanted_world.h"

enum { MANY = 200, ROUNDS = 2, FEW = 20, LIMIT = 256, TOO_MANY = 300, EACH = 64, MAPS = 16 };

/* The thread sanitizer's search for lock orders ends the process at 64 locks; a view on all of
 * these holds more. */
const char *__tsan_default_options(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__tsan_default_options(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    return "detect_deadlocks=0";
}

void setUp(void)
{
    wanted_init();
}

void tearDown(void)
{
    wanted_done();
}

static const char *group_of(int i)
{
    static char group[32];

    (void)snprintf(group, sizeof(group), "g%d.example.com", i);
    return group;
}

static void name_one(int i)
{
    char map[32], names[64];

    (void)snprintf(map, sizeof(map), "m%d", i);
    (void)snprintf(names, sizeof(names), "%s/widgets", group_of(i));
    name_collections(map, names);
}

static void unname_one(int i)
{
    char map[32];

    (void)snprintf(map, sizeof(map), "m%d", i);
    remove_object("", "configmaps", "ns", map);
}

static bool one_comes_to(int i, const char *objects)
{
    char map[32], text[128];

    (void)snprintf(map, sizeof(map), "m%d", i);
    (void)snprintf(text, sizeof(text), "present widgets.v1.%s:%s", group_of(i), objects);
    return comes_to(map, text);
}

static void test_two_hundred_come_and_go(void)
{
    for (int i = 0; i < MANY; i++)
        define_widgets(group_of(i), "v1");
    TEST_ASSERT_TRUE(wanted_start());
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < MANY; i++) {
            name_one(i);
            if (i % 3 == 0) /* while it is being looked for, or read */
                unname_one(i);
            if (i % 20 == 0)
                put_widget(group_of(i + 1), round % 2 ? "odd" : "even");
        }
        TEST_ASSERT_TRUE(one_comes_to(MANY - 1, ""));
        TEST_ASSERT_TRUE(one_comes_to(1, round == 0 ? " even" : " even odd"));
        TEST_ASSERT_CAME(watches_come_to("widgets", MANY - (MANY + 2) / 3));
        for (int i = 0; i < MANY; i++) {
            if (i % 3 != 0)
                unname_one(i);
        }
        TEST_ASSERT_CAME(watches_come_to("widgets", 0));
        forget_notes();
    }
}

/* Leadership that comes and goes in the midst of it all. */
static void test_stops_and_starts_lose_nothing_and_leave_nothing_behind(void)
{
    struct prb_error err;

    for (int i = 0; i < FEW; i++) {
        define_widgets(group_of(i), "v1");
        name_one(i);
    }
    TEST_ASSERT_TRUE(wanted_start());
    for (int i = 0; i < FEW; i++) {
        pass(i % 3 * 100);
        prb_runner_stop(runner);
        put_widget(group_of(i), "w");
        TEST_ASSERT_EQUAL_INT(0, prb_runner_start(runner, &err));
    }
    for (int i = 0; i < FEW; i++)
        TEST_ASSERT_TRUE(one_comes_to(i, " w"));
    TEST_ASSERT_CAME(watches_come_to("widgets", FEW));
    prb_runner_stop(runner);
    TEST_ASSERT_CAME(watches_come_to("widgets", 0));
}

static void count_state(void *ctx, const char *controller, const struct prb_known_resource *known,
        bool read, size_t objects)
{
    int *counts = ctx;

    (void)controller;
    (void)objects;
    if (known->left_out && strstr(known->trouble, "one more") &&
            known->state == PRB_RESOURCE_UNKNOWN)
        counts[0]++;
    if (read)
        counts[1]++;
}

/* Until so many are too many, and so many were read. */
static bool counts_come_to(int too_many, int read)
{
    for (int i = 0; i < 5000; i++) {
        int counts[2] = { 0, 0 };

        prb_runner_each_wanted(runner, count_state, counts);
        if (counts[0] == too_many && counts[1] == read)
            return true;
        pass(100);
    }
    return false;
}

static void test_past_the_limit_the_rest_is_unknown_and_follows_as_there_is_room(void)
{
    for (int i = 0; i < TOO_MANY; i++) {
        define_widgets(group_of(i), "v1");
        name_one(i);
    }
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_TRUE(counts_come_to(TOO_MANY - LIMIT, LIMIT));
    for (int i = 0; i < TOO_MANY - LIMIT; i++)
        unname_one(i);
    TEST_ASSERT_TRUE(counts_come_to(0, LIMIT));
    TEST_ASSERT_CAME(watches_come_to("widgets", LIMIT));
}

/* Those with bodies are remembered first: it is one more than there is room for. */
static void test_of_what_is_not_even_remembered_it_is_told_that_it_is_too_many(void)
{
    define_widgets("last.example.com", "v1");
    for (int map = 0; map < MAPS; map++) {
        prb_auto(prb_str_done) struct prb_str names;
        char name[32];

        prb_str_init(&names, 65536);
        for (int i = 0; i < EACH; i++)
            prb_str_addf(&names, "%s%s/widgets", i > 0 ? "," : "", group_of(map * EACH + i));
        (void)snprintf(name, sizeof(name), "m%d", map);
        name_whole_collections(name, prb_str_get(&names));
    }
    name_collections("last", "last.example.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_TRUE(comes_to("last", "unknown (" PRB_TOO_MANY_NAMED ")"));
    for (int map = 0; map < MAPS; map++)
        unname_one(map);
    TEST_ASSERT_TRUE(comes_to("last", "present widgets.v1.last.example.com:"));
}

/* Claims must be seen, however many kinds others are made of. */
static void test_what_is_wanted_whole_gets_in_when_it_is_full(void)
{
    for (int i = 0; i < LIMIT + FEW; i++) {
        define_widgets(group_of(i), "v1");
        if (i < LIMIT)
            name_one(i);
    }
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_TRUE(counts_come_to(0, LIMIT));
    for (int i = LIMIT; i < LIMIT + FEW; i++) {
        char map[32], names[64];

        (void)snprintf(map, sizeof(map), "m%d", i);
        (void)snprintf(names, sizeof(names), "%s/widgets", group_of(i));
        name_whole_collections(map, names);
    }
    for (int i = LIMIT; i < LIMIT + FEW; i++)
        TEST_ASSERT_TRUE(one_comes_to(i, ""));
    TEST_ASSERT_TRUE(counts_come_to(FEW, LIMIT));
    TEST_ASSERT_CAME(watches_come_to("widgets", LIMIT));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_two_hundred_come_and_go);
    RUN_TEST(test_stops_and_starts_lose_nothing_and_leave_nothing_behind);
    RUN_TEST(test_past_the_limit_the_rest_is_unknown_and_follows_as_there_is_room);
    RUN_TEST(test_of_what_is_not_even_remembered_it_is_told_that_it_is_too_many);
    RUN_TEST(test_what_is_wanted_whole_gets_in_when_it_is_full);
    return UNITY_END();
}
