/* What becomes of a denial that cannot be written: the guard is gone, or the server is away? */

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "log_file.h"
#include "notes_world.h"

void setUp(void)
{
    notes_world_init();
}

void tearDown(void)
{
    notes_world_done();
}

static void test_guards_do_not_wait_for_each_other(void)
{
    prb_autofree char *uid = NULL;

    guard_add("other");
    uid = guard_uid("other");
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "patch", .resource = GUARDS, .code = PRB_E_IO, .times = 1 });
    note_deny("alice", "web");
    AWAIT(PATCH, 1);
    note_add(PRB_NOTE_DENIED, "other", uid, "bob", "web");
    AWAIT(PATCH " /other", 1);
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_STRING("bob", last_denied("other", "user"));
    TEST_ASSERT_EQUAL_STRING("alice", last_denied("guard", "user"));
}

static void test_a_guard_of_the_same_name_is_not_told_of_its_predecessor(void)
{
    prb_autofree char *uid = guard_uid("guard");
    int gone = note_fate("gone");

    guard_remove("guard");
    guard_add("guard");
    note_add(PRB_NOTE_DENIED, "guard", uid, "alice", "web");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_INT(gone + 1, note_fate("gone"));
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, PATCH));
    TEST_ASSERT_EQUAL_STRING("", last_denied("guard", "time"));
}

static void test_a_guard_that_is_gone_is_no_trouble(void)
{
    FILE *log = log_file_open();
    int gone = note_fate("gone");

    note_add(PRB_NOTE_DENIED, "never-there", "uid", "alice", "web");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_INT(gone + 1, note_fate("gone"));
    TEST_ASSERT_EQUAL_INT(0, log_file_count(log, "denial not written"));
    log_file_close(log);
}

static void test_a_write_is_tried_again_while_that_can_help(void)
{
    static const struct {
        const char *name;
        enum prb_errc code;
    } cases[] = {
        { "the server is away", PRB_E_IO },
        { "the server is busy", PRB_E_THROTTLED },
        { "somebody else wrote it", PRB_E_CONFLICT },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int before = fault_port_count(&world.port, PATCH);
        prb_autofree char *user = prb_asprintf("user-%zu", i);
        int written = note_fate("written");

        fault_port_spoil(&world.port,
                (struct fault){
                        .verb = "patch", .resource = GUARDS, .code = cases[i].code, .times = 3 });
        note_deny(user, "web");
        TEST_ASSERT_TRUE_MESSAGE(notes_pass_time_until(PATCH, before + 4), cases[i].name);
        TEST_ASSERT_TRUE_MESSAGE(note_await_fate("written", written + 1), cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(user, last_denied("guard", "user"), cases[i].name);
        notes_pass_time(PRB_NOTES_PACE_MS);
    }
}

/* A newer denial takes the place of one that could not be written, and does not hurry. */
static void test_a_newer_denial_takes_the_turn_of_one_that_failed(void)
{
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "get", .resource = GUARDS, .code = PRB_E_IO, .times = 1 });
    note_deny("older", "web");
    AWAIT(GET, 1);
    note_deny("newer", "web");
    TEST_ASSERT_FALSE(fault_port_reached(&world.port, PATCH, 1));
    TEST_ASSERT_CAME(notes_pass_time_until(PATCH, 1));
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_STRING("newer", last_denied("guard", "user"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, PATCH));
}

static void change_guard(void)
{
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();
    struct prb_ref ref = guard_ref("guard");
    struct prb_error err;

    prb_json_set_str(
            prb_json_ensure_obj(prb_json_ensure_obj(patch, "metadata"), "labels"), "a", "b");
    if (prb_api_patch(prb_hub_api(world.hub), &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err) < 0)
        abort();
}

static void test_a_guard_that_changed_meanwhile_is_read_again(void)
{
    int written = note_fate("written");

    atomic_store(&noted.between, change_guard);
    note_deny("alice", "web");
    TEST_ASSERT_CAME(notes_pass_time_until(PATCH, 2));
    TEST_ASSERT_CAME(note_await_fate("written", written + 1));
    TEST_ASSERT_EQUAL_INT(2, fault_port_count(&world.port, GET));
    TEST_ASSERT_EQUAL_STRING("alice", last_denied("guard", "user"));
}

static void deny_again(void)
{
    note_deny("newer", "web");
}

static void test_a_denial_during_a_write_waits_for_the_pace(void)
{
    int written = note_fate("written");

    atomic_store(&noted.between, deny_again);
    note_deny("older", "web");
    TEST_ASSERT_CAME(note_await_fate("written", written + 1));
    notes_pass_time(PRB_NOTES_PACE_MS - 1);
    TEST_ASSERT_FALSE(fault_port_reached(&world.port, PATCH, 2));
    TEST_ASSERT_EQUAL_STRING("older", last_denied("guard", "user"));
    notes_pass_time(1);
    TEST_ASSERT_CAME(note_await_fate("written", written + 2));
    TEST_ASSERT_EQUAL_STRING("newer", last_denied("guard", "user"));
}

static void test_a_server_that_names_a_time_is_left_alone_until_then(void)
{
    fault_port_spoil(&world.port, (struct fault){ .verb = "get",
                                          .resource = GUARDS,
                                          .code = PRB_E_THROTTLED,
                                          .times = 1,
                                          .retry_after_ms = 60000 });
    note_deny("alice", "web");
    AWAIT(GET, 1);
    for (int i = 0; i < 10; i++) {
        notes_pass_time(1000);
        TEST_ASSERT_FALSE(fault_port_reached(&world.port, GET, 2));
    }
    TEST_ASSERT_CAME(notes_pass_time_until(PATCH, 1));
}

static void test_what_cannot_be_written_is_dropped_and_told_once(void)
{
    FILE *log = log_file_open();
    int dropped = note_fate("dropped_error");

    fault_port_spoil(&world.port, (struct fault){ .verb = "patch",
                                          .resource = GUARDS,
                                          .code = PRB_E_FORBIDDEN,
                                          .times = -1,
                                          .message = "no right to patch it" });
    for (int i = 0; i < 3; i++) {
        note_deny("alice", "web");
        TEST_ASSERT_CAME(note_await_fate("dropped_error", dropped + i + 1));
        note_deny("alice", "web");
        TEST_ASSERT_FALSE_MESSAGE(
                fault_port_reached(&world.port, PATCH, i + 2), "refusals are paced, too");
        notes_pass_time(PRB_NOTES_PACE_MS);
    }
    TEST_ASSERT_CAME(note_await_fate("dropped_error", dropped + 4));
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "no right to patch it"));
    TEST_ASSERT_EQUAL_INT(4, fault_port_count(&world.port, PATCH));
    log_file_close(log);
}

static void test_trouble_that_comes_back_is_told_again(void)
{
    const struct fault refusal = { .verb = "patch",
        .resource = GUARDS,
        .code = PRB_E_FORBIDDEN,
        .times = 1,
        .message = "no right to patch it" };
    FILE *log = log_file_open();

    for (int i = 0; i < 2; i++) {
        int dropped = note_fate("dropped_error"), written = note_fate("written");

        fault_port_spoil(&world.port, refusal);
        note_deny("alice", "web");
        TEST_ASSERT_CAME(note_await_fate("dropped_error", dropped + 1));
        note_deny("alice", "web");
        notes_pass_time(PRB_NOTES_PACE_MS);
        TEST_ASSERT_CAME(note_await_fate("written", written + 1));
        notes_pass_time(PRB_NOTES_PACE_MS);
    }
    TEST_ASSERT_EQUAL_INT(2, log_file_count(log, "no right to patch it"));
    log_file_close(log);
}

static void deny_during_the_next_read(void)
{
    atomic_store(&noted.between, deny_again);
}

/* A newer denial has no more tries than the one whose place it takes. */
static void test_a_server_that_stays_away_is_given_up(void)
{
    static const struct {
        const char *name;
        void (*step)(void);
    } cases[] = {
        { "newer ones while it waits", deny_again },
        { "newer ones while it is tried", deny_during_the_next_read },
    };

    fault_port_spoil(&world.port,
            (struct fault){ .verb = "get", .resource = GUARDS, .code = PRB_E_IO, .times = -1 });
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        int dropped = note_fate("dropped_error"), tries = fault_port_count(&world.port, GET);

        note_deny("older", "web");
        for (int i = 0; note_fate("dropped_error") == dropped; i++) { /* or Meson ends it */
            if (i < 10)
                cases[c].step();
            notes_pass_time(1000);
            (void)fault_port_reached(&world.port, "never made", 1);
        }
        atomic_store(&noted.between, NULL);
        TEST_ASSERT_EQUAL_INT_MESSAGE(dropped + 1, note_fate("dropped_error"), cases[c].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(7, fault_port_count(&world.port, GET) - tries, cases[c].name);
    }
}

static void test_past_the_bound_further_guards_are_dropped_and_counted(void)
{
    int dropped = note_fate("dropped_queue");
    char name[32];

    /* The writer waits for a clock that does not move. */
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "get", .resource = GUARDS, .code = PRB_E_IO, .times = -1 });
    for (int i = 0; i < PRB_NOTES_MAX_GUARDS; i++) {
        (void)snprintf(name, sizeof(name), "guard-%d", i);
        note_add(PRB_NOTE_DENIED, name, "uid", "alice", "web");
    }
    AWAIT(GET, PRB_NOTES_MAX_GUARDS);
    TEST_ASSERT_EQUAL_INT(dropped, note_fate("dropped_queue"));

    /* The last may still be in the writer's hand; the guards before it wait for their next try. */
    note_add(PRB_NOTE_DENIED, "guard-0", "uid", "alice", "web");
    TEST_ASSERT_EQUAL_INT_MESSAGE(dropped, note_fate("dropped_queue"), "it has a place already");
    note_add(PRB_NOTE_DENIED, "one-more", "uid", "alice", "web");
    note_add(PRB_NOTE_DENIED, "two-more", "uid", "alice", "web");
    TEST_ASSERT_GREATER_THAN_INT(dropped, note_fate("dropped_queue"));
}

static void test_a_stop_does_not_wait_for_a_server_that_is_away(void)
{
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "get", .resource = GUARDS, .code = PRB_E_IO, .times = -1 });
    note_deny("alice", "web");
    prb_notes_stop(noted.notes, FLUSH_MS); /* returns, although the clock stands still */
    TEST_ASSERT_LESS_OR_EQUAL_INT_MESSAGE(
            2, fault_port_count(&world.port, GET), "before the stop, and after it");
    TEST_ASSERT_EQUAL_STRING("", last_denied("guard", "user"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_guards_do_not_wait_for_each_other);
    RUN_TEST(test_a_guard_of_the_same_name_is_not_told_of_its_predecessor);
    RUN_TEST(test_a_guard_that_is_gone_is_no_trouble);
    RUN_TEST(test_a_write_is_tried_again_while_that_can_help);
    RUN_TEST(test_a_newer_denial_takes_the_turn_of_one_that_failed);
    RUN_TEST(test_a_guard_that_changed_meanwhile_is_read_again);
    RUN_TEST(test_a_denial_during_a_write_waits_for_the_pace);
    RUN_TEST(test_a_server_that_names_a_time_is_left_alone_until_then);
    RUN_TEST(test_what_cannot_be_written_is_dropped_and_told_once);
    RUN_TEST(test_trouble_that_comes_back_is_told_again);
    RUN_TEST(test_a_server_that_stays_away_is_given_up);
    RUN_TEST(test_past_the_bound_further_guards_are_dropped_and_counted);
    RUN_TEST(test_a_stop_does_not_wait_for_a_server_that_is_away);
    return UNITY_END();
}
