/* What does an informer do when lists fail and watches end, and how often? */

#include <unity.h>

#include "informer_world.h"
#include "log_file.h"

void setUp(void)
{
    world_init();
}

void tearDown(void)
{
    world_done();
}

static void test_what_no_resume_can_mend_relists(void)
{
    static const enum prb_errc ends[] = { PRB_E_INVALID, PRB_E_NOTFOUND, PRB_E_GONE,
        PRB_E_UNSUPPORTED, PRB_E_INTERNAL };

    TEST_ASSERT_TRUE(start_with_two());
    for (int i = 0; i < (int)(sizeof(ends) / sizeof(ends[0])); i++) {
        script_port_close(&world.port, ends[i]);
        TEST_ASSERT_TRUE_MESSAGE(pass_time_until(60000, 2 + i, 2 + i), prb_errc_name(ends[i]));
    }
    TEST_ASSERT_EQUAL_INT(6, world.port.lists);
}

static void test_a_watch_closed_before_it_was_returned_is_resumed(void)
{
    world.port.opens[0] = SCRIPT_CLOSES_BEFORE_RETURN;
    world.port.opens[1] = SCRIPT_CLOSES_BEFORE_RETURN;
    world.port.open_count = 2;
    world.port.open_error = PRB_E_IO;
    script_port_hold(&world.port, "5", script_object("a", "1"), NULL);
    TEST_ASSERT_TRUE(start());
    TEST_ASSERT_CAME(pass_time_until(60000, 1, 3));
    TEST_ASSERT_EQUAL_INT(1, world.port.lists);
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, world.port.stops, "each closed watch is freed");
    script_port_send(&world.port, PRB_WATCH_MODIFIED, script_object("a", "6"), "6");
    TEST_ASSERT_TRUE(holds("a", "6"));
}

static void test_a_watch_that_cannot_be_opened_is_tried_again(void)
{
    world.port.opens[0] = SCRIPT_FAILS;
    world.port.open_count = 1;
    world.port.open_error = PRB_E_UNAVAILABLE;
    TEST_ASSERT_TRUE(start());
    TEST_ASSERT_CAME(pass_time_until(60000, 1, 2));
    TEST_ASSERT_EQUAL_INT(1, world.port.lists);
    TEST_ASSERT_EQUAL_INT(0, world.port.stops);
    TEST_ASSERT_TRUE(state().connected);
}

static void test_a_list_that_fails_is_tried_until_it_works(void)
{
    static const enum prb_errc errors[] = { PRB_E_IO, PRB_E_FORBIDDEN, PRB_E_NOTFOUND, PRB_E_GONE,
        PRB_E_UNAUTHORIZED };

    memcpy(world.port.list_errors, errors, sizeof(errors));
    world.port.list_error_count = 5;
    script_port_hold(&world.port, "5", script_object("a", "1"), NULL);
    TEST_ASSERT_TRUE(start());
    TEST_ASSERT_CAME(script_port_wait(&world.port, 1, 0));
    TEST_ASSERT_FALSE(prb_informers_wait_synced(world.set, 0));
    TEST_ASSERT_CAME(pass_time_until(60000, 6, 1));
    TEST_ASSERT_TRUE(prb_informers_synced(world.set));
    TEST_ASSERT_EQUAL_STRING("+a@1 ", announced());
}

/* How many lists there are after a few watches that ended at once like this. */
static int lists_after(enum prb_errc code, int status, int watches)
{
    int before = world.port.lists;

    for (int i = 0; i < watches; i++) {
        int seen = world.port.watches;

        script_port_close_as(&world.port, code, status);
        if (!pass_time_until(60000, 0, seen + 1))
            return -1;
    }
    return world.port.lists - before;
}

static void test_an_event_that_cannot_be_read_is_gone_past_with_a_list(void)
{
    TEST_ASSERT_TRUE(start_with_two());
    TEST_ASSERT_EQUAL_INT(0, lists_after(PRB_E_IO, 200, 2));
    TEST_ASSERT_EQUAL_INT(1, lists_after(PRB_E_IO, 200, 1));
    script_port_send(&world.port, PRB_WATCH_MODIFIED, script_object("a", "6"), "6");
    TEST_ASSERT_EQUAL_INT(0, lists_after(PRB_E_UNAVAILABLE, 500, 3));
    TEST_ASSERT_EQUAL_INT(1, lists_after(PRB_E_UNAVAILABLE, 500, 1));
}

static void test_a_server_that_is_away_is_no_reason_to_list(void)
{
    TEST_ASSERT_TRUE(start_with_two());
    TEST_ASSERT_EQUAL_INT(0, lists_after(PRB_E_IO, 0, 5));
    TEST_ASSERT_EQUAL_INT(0, lists_after(PRB_E_UNAVAILABLE, 503, 5));
}

/* A watch from nowhere would begin with what is there, and never tell what went in between. */
static void test_a_list_without_a_version_is_not_taken(void)
{
    TEST_ASSERT_TRUE(start_with_two());
    script_port_hold(&world.port, "", NULL);
    script_port_close(&world.port, PRB_E_GONE);
    TEST_ASSERT_CAME(pass_time_until(60000, 3, 1));
    TEST_ASSERT_TRUE(holds("a", "1"));
    TEST_ASSERT_EQUAL_INT(1, world.port.watches);
    TEST_ASSERT_NOT_NULL(strstr(state().error, "no resourceVersion"));
    script_port_hold(&world.port, "8", script_object("a", "7"), NULL);
    TEST_ASSERT_CAME(pass_time_until(60000, 4, 2));
    TEST_ASSERT_TRUE(holds("a", "7"));
}

/* Nobody else waits for a right that somebody has to grant. */
static void test_a_list_that_is_refused_is_not_waited_for(void)
{
    world.port.list_error = PRB_E_FORBIDDEN;
    TEST_ASSERT_TRUE(start());
    TEST_ASSERT_CAME(pass_time_until(60000, 1, 0));
    TEST_ASSERT_TRUE(prb_informers_wait_synced(world.set, 3600000));
    TEST_ASSERT_FALSE(state().synced);
    world.port.list_error = PRB_OK;
    script_port_hold(&world.port, "8", script_object("a", "7"), NULL);
    TEST_ASSERT_CAME(pass_time_until(60000, 2, 1));
    TEST_ASSERT_TRUE(holds("a", "7"));
}

static void test_a_failing_list_says_why_and_keeps_the_last_state(void)
{
    TEST_ASSERT_TRUE(start_with_two());
    world.port.list_error = PRB_E_FORBIDDEN;
    script_port_close(&world.port, PRB_E_GONE);
    TEST_ASSERT_CAME(pass_time_until(60000, 4, 1));
    TEST_ASSERT_TRUE(holds("a", "1"));
    TEST_ASSERT_TRUE(prb_informers_synced(world.set));
    TEST_ASSERT_FALSE(state().connected);
    TEST_ASSERT_EQUAL_STRING("scripted: forbidden", state().error);
}

/* The clock is moved in small steps, so what has passed is never less than the delay was. */
static void test_a_watch_that_ends_at_once_again_and_again_does_not_spin(void)
{
    int64_t least = 200;

    TEST_ASSERT_TRUE(start_with_two());
    for (int i = 0; i < 5; i++, least *= 2) {
        int64_t before = world.clock.now_ms;

        script_port_close(&world.port, PRB_OK);
        TEST_ASSERT_CAME(pass_time_until(50, 1, 2 + i));
        TEST_ASSERT_GREATER_OR_EQUAL_INT64(least, world.clock.now_ms - before);
    }
}

static void test_a_server_that_says_gone_at_once_again_and_again_is_not_flooded(void)
{
    int64_t before;

    TEST_ASSERT_TRUE(start_with_two());
    for (int i = 0; i < 6; i++) {
        script_port_close(&world.port, PRB_E_GONE);
        TEST_ASSERT_CAME(pass_time_until(50, 2 + i, 2 + i));
    }
    before = world.clock.now_ms;
    script_port_close(&world.port, PRB_E_GONE);
    TEST_ASSERT_CAME(pass_time_until(50, 8, 8));
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(5000, world.clock.now_ms - before);
}

static void test_a_watch_that_worked_is_resumed_at_once(void)
{
    TEST_ASSERT_TRUE(start_with_two());
    for (int i = 0; i < 6; i++) { /* the backoff grows */
        script_port_close(&world.port, PRB_E_IO);
        TEST_ASSERT_CAME(pass_time_until(60000, 1, 2 + i));
    }
    advance(600000); /* the watch lives for ten minutes */
    script_port_close(&world.port, PRB_OK);
    TEST_ASSERT_TRUE_MESSAGE(script_port_wait(&world.port, 1, 8), "without any delay");
}

static void test_a_server_that_refuses_is_asked_every_half_a_minute(void)
{
    TEST_ASSERT_TRUE(start_with_two());
    for (int i = 0; i < 12; i++) {
        script_port_close(&world.port, PRB_E_FORBIDDEN);
        TEST_ASSERT_CAME(pass_time_until(60000, 1, 2 + i));
    }
    /* Refused for good: asked again about every half a minute, not more often. */
    int64_t before = world.clock.now_ms;

    script_port_close(&world.port, PRB_E_FORBIDDEN);
    TEST_ASSERT_CAME(pass_time_until(100, 1, 14));
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(30000, world.clock.now_ms - before);
}

static void test_trouble_is_logged_once_and_so_is_its_end(void)
{
    FILE *log = log_file_open();

    TEST_ASSERT_TRUE(start_with_two());
    for (int i = 0; i < 5; i++) {
        script_port_close(&world.port, PRB_E_IO);
        TEST_ASSERT_CAME(pass_time_until(60000, 1, 2 + i));
    }
    script_port_close(&world.port, PRB_E_UNAVAILABLE);
    TEST_ASSERT_CAME(pass_time_until(60000, 1, 7));
    script_port_send(&world.port, PRB_WATCH_BOOKMARK, NULL, "90");
    script_port_send(&world.port, PRB_WATCH_BOOKMARK, NULL, "91");
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "scripted: io"));
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "scripted: unavailable"));
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "read again"));
    log_file_close(log);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_no_resume_can_mend_relists);
    RUN_TEST(test_a_watch_closed_before_it_was_returned_is_resumed);
    RUN_TEST(test_a_watch_that_cannot_be_opened_is_tried_again);
    RUN_TEST(test_a_list_that_fails_is_tried_until_it_works);
    RUN_TEST(test_an_event_that_cannot_be_read_is_gone_past_with_a_list);
    RUN_TEST(test_a_server_that_is_away_is_no_reason_to_list);
    RUN_TEST(test_a_list_without_a_version_is_not_taken);
    RUN_TEST(test_a_list_that_is_refused_is_not_waited_for);
    RUN_TEST(test_a_failing_list_says_why_and_keeps_the_last_state);
    RUN_TEST(test_a_watch_that_ends_at_once_again_and_again_does_not_spin);
    RUN_TEST(test_a_server_that_says_gone_at_once_again_and_again_is_not_flooded);
    RUN_TEST(test_a_watch_that_worked_is_resumed_at_once);
    RUN_TEST(test_a_server_that_refuses_is_asked_every_half_a_minute);
    RUN_TEST(test_trouble_is_logged_once_and_so_is_its_end);
    return UNITY_END();
}
