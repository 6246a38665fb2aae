/* What does the event log remember, and from where on? */

#include <stdint.h>
#include <unity.h>

#include "log.h"

static struct prb_hub_log events;
static struct prb_object *object;

void setUp(void)
{
    struct json_object *tree = json_object_new_object();
    struct prb_error err;

    prb_json_set_str(prb_json_ensure_obj(tree, "metadata"), "name", "a");
    (void)prb_object_new(tree, &object, &err);
}

void tearDown(void)
{
    prb_hub_log_done(&events);
    prb_object_unref(object);
}

static void add(uint64_t version, uint64_t needed)
{
    prb_hub_log_add(&events,
            &(struct prb_hub_event){
                    .version = version, .type = PRB_WATCH_ADDED, .object = object },
            needed);
}

static void test_events_are_found_by_version(void)
{
    prb_hub_log_init(&events, 1000);
    for (uint64_t v = 10; v <= 200; v += 10)
        add(v, UINT64_MAX);
    TEST_ASSERT_EQUAL_UINT64(0, prb_hub_log_after(&events, 0));
    TEST_ASSERT_EQUAL_UINT64(0, prb_hub_log_after(&events, 9));
    TEST_ASSERT_EQUAL_UINT64(1, prb_hub_log_after(&events, 10));
    TEST_ASSERT_EQUAL_UINT64(1, prb_hub_log_after(&events, 19));
    TEST_ASSERT_EQUAL_UINT64(20, prb_hub_log_after(&events, 200));
    TEST_ASSERT_EQUAL_UINT64(20, prb_hub_log_after(&events, 999));
    TEST_ASSERT_EQUAL_UINT64(30, prb_hub_log_at(&events, 2)->version);
}

static void test_the_floor_is_the_last_version_that_was_forgotten(void)
{
    prb_hub_log_init(&events, 3);
    for (uint64_t v = 1; v <= 3; v++)
        add(v, UINT64_MAX);
    TEST_ASSERT_EQUAL_UINT64(0, events.floor);
    add(4, UINT64_MAX);
    TEST_ASSERT_EQUAL_UINT64(1, events.floor);
    for (uint64_t v = 5; v <= 100; v++)
        add(v, UINT64_MAX);
    TEST_ASSERT_EQUAL_UINT64(97, events.floor);
    TEST_ASSERT_EQUAL_size_t(3, events.count);
    TEST_ASSERT_EQUAL_UINT64(98, prb_hub_log_at(&events, prb_hub_log_after(&events, 97))->version);
}

static void test_what_a_watch_still_needs_is_kept_but_cannot_be_resumed_from(void)
{
    prb_hub_log_init(&events, 2);
    for (uint64_t v = 1; v <= 10; v++)
        add(v, 1);
    TEST_ASSERT_EQUAL_UINT64(1, events.first);
    TEST_ASSERT_EQUAL_UINT64(8, events.floor);
    add(11, UINT64_MAX);
    TEST_ASSERT_EQUAL_size_t(2, events.count);
}

static void test_a_watch_that_never_reads_does_not_fill_the_memory(void)
{
    prb_hub_log_init(&events, 2);
    for (uint64_t v = 1; v <= PRB_HUB_LOG_BACKLOG_MAX + 100; v++)
        add(v, 0);
    TEST_ASSERT_EQUAL_size_t(PRB_HUB_LOG_BACKLOG_MAX + 2, events.count);
    TEST_ASSERT_EQUAL_UINT64(98, events.first);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_events_are_found_by_version);
    RUN_TEST(test_the_floor_is_the_last_version_that_was_forgotten);
    RUN_TEST(test_what_a_watch_still_needs_is_kept_but_cannot_be_resumed_from);
    RUN_TEST(test_a_watch_that_never_reads_does_not_fill_the_memory);
    return UNITY_END();
}
