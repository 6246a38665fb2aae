/* What is written into the status of a guard, what becomes an Event, and what is too much? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "notes_world.h"

void setUp(void)
{
    notes_world_init();
}

void tearDown(void)
{
    notes_world_done();
}

/* Events with this reason on this kind. */
static int count_events(const char *kind, const char *reason)
{
    int found = 0;

    for (size_t i = 0; i < noted.events.count; i++) {
        prb_autofree char *of =
                prb_strdup(value_at(noted.events.objects[i], "/involvedObject/kind"));

        if (prb_streq(of, kind) && prb_streq(value_at(noted.events.objects[i], "/reason"), reason))
            found++;
    }
    return found;
}

static void test_a_denial_is_in_the_status_of_its_guard(void)
{
    prb_auto(prb_object_unref) struct prb_object *guard = NULL;

    note_deny("alice", "web");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_STRING("2023-11-14T22:13:20Z", last_denied("guard", "time"));
    TEST_ASSERT_EQUAL_STRING("alice", last_denied("guard", "user"));
    TEST_ASSERT_EQUAL_STRING("DELETE", last_denied("guard", "operation"));
    TEST_ASSERT_EQUAL_STRING("deployments.apps ns/web", last_denied("guard", "object"));
    guard = guard_find("guard");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("x", value_at(guard, "/status/blockedBy"), "not ours");
    TEST_ASSERT_EQUAL_INT(5000, world.port.last_timeout_ms);
}

static void test_a_denial_becomes_events_on_guard_and_object(void)
{
    prb_autofree char *uid = guard_uid("guard");
    bool seen[2] = { false, false };

    note_deny("alice", "web");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_size_t(2, noted.events.count);
    TEST_ASSERT_EQUAL_INT(1, count_events("CriticalService", "DeletionBlocked"));
    TEST_ASSERT_EQUAL_INT(1, count_events("Deployment", "DeletionBlocked"));
    for (size_t i = 0; i < noted.events.count; i++) {
        const struct prb_object *event = noted.events.objects[i];
        bool on_guard = prb_streq(value_at(event, "/involvedObject/kind"), "CriticalService");

        seen[on_guard] = true;
        TEST_ASSERT_EQUAL_STRING("Warning", value_at(event, "/type"));
        TEST_ASSERT_EQUAL_STRING("DELETE of deployments.apps ns/web by alice was refused: "
                                 "the text of the rule",
                value_at(event, "/message"));
        TEST_ASSERT_EQUAL_STRING(
                on_guard ? uid : "uid-of-object", value_at(event, "/involvedObject/uid"));
        TEST_ASSERT_EQUAL_STRING(
                on_guard ? "guard" : "web", value_at(event, "/involvedObject/name"));
        TEST_ASSERT_EQUAL_STRING(on_guard ? "probate.dev/v1alpha1" : "apps/v1",
                value_at(event, "/involvedObject/apiVersion"));
        TEST_ASSERT_EQUAL_STRING(on_guard ? "default" : "ns", prb_object_namespace(event));
    }
    TEST_ASSERT_TRUE(seen[0] && seen[1]);
}

/* The API server would store it without what it does not show of it. */
static void test_a_denial_leaves_a_guard_alone_that_must_not_be_written(void)
{
    note_deny_by_unwritable("alice", "web");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_INT(1, count_events("CriticalService", "DeletionBlocked"));
    TEST_ASSERT_EQUAL_STRING("", last_denied("guard", "user"));
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, PATCH));
}

static void test_an_override_becomes_events_and_leaves_the_status_alone(void)
{
    prb_autofree char *uid = guard_uid("guard");

    for (int i = 0; i < 3; i++)
        note_add(PRB_NOTE_OVERRIDDEN, "guard", uid, "alice", "web");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_INT(1, count_events("CriticalService", "DeletionOverridden"));
    TEST_ASSERT_EQUAL_INT(1, count_events("Deployment", "DeletionOverridden"));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("3", value_at(noted.events.objects[0], "/count"), "no pace");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("3", value_at(noted.events.objects[1], "/count"), "no pace");
    for (size_t i = 0; i < noted.events.count; i++) /* who did it, and with which reason */
        TEST_ASSERT_EQUAL_STRING(
                "the text of the rule", value_at(noted.events.objects[i], "/message"));
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, PATCH));
    TEST_ASSERT_EQUAL_STRING("", last_denied("guard", "time"));
}

static void test_an_override_is_told_among_many_denials(void)
{
    prb_autofree char *uid = guard_uid("guard");

    for (int i = 0; i < 60; i++) {
        note_deny("alice", "web");
        notes_pass_time(PRB_NOTES_PACE_MS);
    }
    note_add(PRB_NOTE_OVERRIDDEN, "guard", uid, "alice", "web");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_INT(1, count_events("CriticalService", "DeletionOverridden"));
    TEST_ASSERT_EQUAL_INT(1, count_events("Deployment", "DeletionOverridden"));
}

/* What was to happen to the guard itself. */
static void note_of_guard(enum prb_note_type type, const char *operation)
{
    prb_autofree char *uid = guard_uid("guard");
    char version[] = "probate.dev/v1alpha1", kind[] = "CriticalService", text[] = "text";
    char user[] = "alice";
    struct prb_note note = { .type = type,
        .guard = guard_ref("guard"),
        .guard_uid = uid,
        .guard_api_version = version,
        .guard_kind = kind,
        .object = guard_ref("guard"),
        .object_uid = uid,
        .object_api_version = version,
        .object_kind = kind,
        .user = user,
        .operation = operation,
        .text = text };

    prb_notes_add(noted.notes, &note, 1);
}

static void test_a_guard_that_was_to_be_loosened_has_events_of_its_own(void)
{
    note_of_guard(PRB_NOTE_DENIED, "UPDATE");
    note_of_guard(PRB_NOTE_OVERRIDDEN, "UPDATE");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_size_t(2, noted.events.count);
    TEST_ASSERT_EQUAL_INT(1, count_events("CriticalService", "LooseningBlocked"));
    TEST_ASSERT_EQUAL_INT(1, count_events("CriticalService", "LooseningOverridden"));
    TEST_ASSERT_EQUAL_STRING("UPDATE", last_denied("guard", "operation"));
    TEST_ASSERT_EQUAL_STRING("criticalservices.probate.dev guard", last_denied("guard", "object"));
}

static void test_a_guard_that_was_to_go_itself_has_one_event(void)
{
    note_of_guard(PRB_NOTE_DENIED, "DELETE");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_size_t(1, noted.events.count);
    TEST_ASSERT_EQUAL_INT(1, count_events("CriticalService", "DeletionBlocked"));
    TEST_ASSERT_EQUAL_STRING("1", value_at(noted.events.objects[0], "/count"));
    TEST_ASSERT_EQUAL_STRING("criticalservices.probate.dev guard", last_denied("guard", "object"));
}

static void test_of_many_denials_the_newest_is_written_once_the_pace_allows_it(void)
{
    int written = note_fate("written");

    note_deny("first", "web");
    TEST_ASSERT_CAME(note_await_fate("written", written + 1));
    for (int i = 0; i < 10; i++)
        note_deny(i == 9 ? "newest" : "between", "web");
    notes_pass_time(PRB_NOTES_PACE_MS - 1);
    TEST_ASSERT_FALSE(fault_port_reached(&world.port, PATCH, 2));
    TEST_ASSERT_EQUAL_STRING("first", last_denied("guard", "user"));
    notes_pass_time(1);
    TEST_ASSERT_CAME(note_await_fate("written", written + 2));
    TEST_ASSERT_EQUAL_STRING("newest", last_denied("guard", "user"));
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_INT(2, fault_port_count(&world.port, PATCH));
}

static void test_events_of_one_object_are_paced_and_those_of_another_are_not(void)
{
    for (int i = 0; i < 10; i++) {
        note_deny("alice", "web");
        note_deny("alice", "db");
    }
    notes_pass_time(PRB_NOTES_PACE_MS);
    note_deny("alice", "web");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_INT(2, count_events("CriticalService", "DeletionBlocked"));
    TEST_ASSERT_EQUAL_INT(2, count_events("Deployment", "DeletionBlocked"));
    for (size_t i = 0; i < noted.events.count; i++) {
        bool web = strstr(value_at(noted.events.objects[i], "/message"), "ns/web") != NULL;

        TEST_ASSERT_EQUAL_STRING(web ? "2" : "1", value_at(noted.events.objects[i], "/count"));
    }
}

static void test_a_guard_of_unknown_uid_is_written_by_name(void)
{
    note_add(PRB_NOTE_DENIED, "guard", "", "alice", "web");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_STRING("alice", last_denied("guard", "user"));
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, GET));
}

static void test_what_a_user_calls_himself_stays_on_one_line(void)
{
    char user[1024];

    memset(user, 'u', sizeof(user) - 1);
    user[sizeof(user) - 1] = '\0';
    memcpy(user, "a\nb\x1b[31m\xc2\x9b\xc3\xa9", 12);
    note_deny(user, "web");
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_INT(0, strncmp(last_denied("guard", "user"), "a b [31m  \xc3\xa9uuu", 15));
    TEST_ASSERT_EQUAL_size_t(384, strlen(last_denied("guard", "user")));
}

static void test_a_stop_writes_what_waits_and_takes_nothing_more(void)
{
    int written = note_fate("written"), dropped = note_fate("dropped_stopped");

    note_deny("first", "web");
    TEST_ASSERT_CAME(note_await_fate("written", written + 1));
    note_deny("within the pace", "web");
    prb_notes_stop(noted.notes, FLUSH_MS);
    TEST_ASSERT_EQUAL_STRING("within the pace", last_denied("guard", "user"));
    note_deny("too late", "web");
    prb_notes_stop(noted.notes, FLUSH_MS);
    TEST_ASSERT_EQUAL_STRING("within the pace", last_denied("guard", "user"));
    TEST_ASSERT_EQUAL_INT(dropped + 1, note_fate("dropped_stopped"));
}

static void test_no_notes_and_no_recorder_are_fine(void)
{
    prb_auto(prb_notes_close) struct prb_notes *silent =
            prb_notes_new(&world.port.api, NULL, &world.clock.clock);
    struct prb_notes *kept = noted.notes;

    prb_notes_add(NULL, NULL, 0);
    prb_notes_close(NULL);
    noted.notes = silent;
    note_deny("alice", "web");
    noted.notes = kept;
    prb_notes_stop(silent, FLUSH_MS);
    TEST_ASSERT_EQUAL_STRING("alice", last_denied("guard", "user"));
    TEST_ASSERT_TRUE(notes_flush());
    TEST_ASSERT_EQUAL_size_t(0, noted.events.count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_denial_is_in_the_status_of_its_guard);
    RUN_TEST(test_a_denial_becomes_events_on_guard_and_object);
    RUN_TEST(test_a_denial_leaves_a_guard_alone_that_must_not_be_written);
    RUN_TEST(test_an_override_becomes_events_and_leaves_the_status_alone);
    RUN_TEST(test_an_override_is_told_among_many_denials);
    RUN_TEST(test_a_guard_that_was_to_be_loosened_has_events_of_its_own);
    RUN_TEST(test_a_guard_that_was_to_go_itself_has_one_event);
    RUN_TEST(test_of_many_denials_the_newest_is_written_once_the_pace_allows_it);
    RUN_TEST(test_events_of_one_object_are_paced_and_those_of_another_are_not);
    RUN_TEST(test_a_guard_of_unknown_uid_is_written_by_name);
    RUN_TEST(test_what_a_user_calls_himself_stays_on_one_line);
    RUN_TEST(test_a_stop_writes_what_waits_and_takes_nothing_more);
    RUN_TEST(test_no_notes_and_no_recorder_are_fine);
    return UNITY_END();
}
