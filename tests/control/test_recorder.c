/* What is in the Events, which are counted up, and which are dropped? */

#include <stdio.h>
#include <unity.h>

#include "probate/base/metrics.h"
#include "probate/control/recorder.h"

#include "hub_world.h"
#include "log_file.h"

static struct prb_recorder *recorder;
static struct prb_page events; /* as last read */

void setUp(void)
{
    world_init();
    prb_page_init(&events);
    recorder = prb_recorder_new(&world.port.api, "probate", &world.clock.clock);
}

void tearDown(void)
{
    prb_recorder_free(recorder);
    prb_page_done(&events);
    world_done();
}

static struct prb_event about(const char *name, const char *note)
{
    return (struct prb_event){ .api_version = "v1",
        .kind = "ConfigMap",
        .namespace = "ns",
        .name = name,
        .uid = "uid-1",
        .reason = "Tested",
        .note = note };
}

static void record(const char *name, const char *note)
{
    struct prb_event event = about(name, note);

    prb_recorder_event(recorder, &event);
}

/* Write all that is queued, and read the Events there are; false: that failed. */
static bool flush(void)
{
    struct prb_ref ref = ref_of("events", "ns", "any");
    struct prb_error err;

    prb_recorder_stop(recorder, 3600000);
    prb_page_done(&events);
    return prb_api_list_all(prb_hub_api(world.hub), &ref.gvr, NULL, 10000, &events, &err) == 0;
}

/* Notes that met this fate so far, over all tests. */
static int fate(const char *result)
{
    prb_auto(prb_str_done) struct prb_str text;
    char line[64];
    const char *at;

    prb_str_init(&text, 1 << 20);
    prb_metrics_print(&text);
    (void)snprintf(line, sizeof(line), "probate_events_total{result=\"%s\"} ", result);
    at = strstr(prb_str_get(&text), line);
    return at ? (int)strtol(at + strlen(line), NULL, 10) : 0;
}

static void test_an_event_says_what_it_regards_and_who_says_it(void)
{
    static const struct {
        const char *pointer, *value;
    } wanted[] = {
        { "/metadata/namespace", "ns" },
        { "/involvedObject/apiVersion", "v1" },
        { "/involvedObject/kind", "ConfigMap" },
        { "/involvedObject/namespace", "ns" },
        { "/involvedObject/name", "web" },
        { "/involvedObject/uid", "uid-1" },
        { "/type", "Warning" },
        { "/reason", "Tested" },
        { "/message", "something happened" },
        { "/count", "1" },
        { "/source/component", "probate" },
        { "/reportingComponent", "probate" },
        { "/firstTimestamp", "2023-11-14T22:13:20Z" },
        { "/lastTimestamp", "2023-11-14T22:13:20Z" },
    };
    struct prb_event event = about("web", "something happened");

    event.warning = true;
    prb_recorder_event(recorder, &event);
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                wanted[i].value, value_at(events.objects[0], wanted[i].pointer), wanted[i].pointer);
    TEST_ASSERT_TRUE(prb_starts_with(prb_object_name(events.objects[0]), "web."));
}

static void test_an_event_of_a_cluster_scoped_object_goes_to_default(void)
{
    struct prb_event event = about("node-1", "note");

    prb_object_unref(
            put("namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: default}}"));
    event.namespace = "";
    prb_recorder_event(recorder, &event);
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    TEST_ASSERT_EQUAL_STRING("default", prb_object_namespace(events.objects[0]));
    TEST_ASSERT_EQUAL_STRING("", value_at(events.objects[0], "/involvedObject/namespace"));
}

static void test_the_same_event_again_raises_its_count(void)
{
    record("web", "same");
    prb_fake_clock_advance(&world.clock, 60000);
    record("web", "same");
    record("web", "same");
    record("web", "other");
    record("db", "same");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(3, events.count);
    for (size_t i = 0; i < events.count; i++) {
        bool repeated = prb_starts_with(prb_object_name(events.objects[i]), "web.") &&
                        prb_streq(value_at(events.objects[i], "/message"), "same");

        TEST_ASSERT_EQUAL_STRING(repeated ? "3" : "1", value_at(events.objects[i], "/count"));
        TEST_ASSERT_EQUAL_STRING(
                "2023-11-14T22:14:20Z", value_at(events.objects[i], "/lastTimestamp"));
    }
}

/* Wait until the writer has made so many calls: then what was recorded before is written. */
#define AWAIT(prefix, count) TEST_ASSERT_CAME(fault_port_wait(&world.port, (prefix), (count)))

static void test_an_event_that_differs_in_numbers_only_is_the_same_with_the_newest(void)
{
    record("web", "waits for 45s");
    record("web", "waits for 1m5s");
    record("web", "waits for pod-1");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(2, events.count);
    for (size_t i = 0; i < events.count; i++) {
        bool repeated = prb_streq(value_at(events.objects[i], "/message"), "waits for 1m5s");

        TEST_ASSERT_EQUAL_STRING(repeated ? "2" : "1", value_at(events.objects[i], "/count"));
    }
}

static void test_an_event_that_is_gone_is_written_anew(void)
{
    record("web", "same");
    AWAIT("create events", 1);
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "patch", .code = PRB_E_NOTFOUND, .times = 1 });
    record("web", "same");
    record("web", "same");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(2, events.count);
    TEST_ASSERT_EQUAL_INT(2, fault_port_count(&world.port, "create events"));
    TEST_ASSERT_EQUAL_INT(2, fault_port_count(&world.port, "patch events"));
}

static void test_after_an_hour_an_event_is_a_new_one(void)
{
    record("web", "same");
    AWAIT("create events", 1);
    prb_fake_clock_advance(&world.clock, 3600000);
    record("web", "same");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(2, events.count);
}

static void test_a_burst_on_one_object_is_cut(void)
{
    int dropped = fate("dropped_rate");
    char note[16];

    for (int i = 0; i < 40; i++) {
        (void)snprintf(note, sizeof(note), "note-%d", i);
        record("noisy", note);
    }
    record("quiet", "still heard");
    TEST_ASSERT_EQUAL_INT(15, fate("dropped_rate") - dropped);
    prb_fake_clock_advance(&world.clock, 600000);
    for (int i = 0; i < 5; i++)
        record("noisy", "later");
    TEST_ASSERT_EQUAL_INT_MESSAGE(18, fate("dropped_rate") - dropped, "two more in ten minutes");
    prb_fake_clock_advance(&world.clock, 86400000);
    dropped = fate("dropped_rate");
    for (int i = 0; i < 40; i++)
        record("noisy", "a day later");
    TEST_ASSERT_EQUAL_INT_MESSAGE(15, fate("dropped_rate") - dropped, "a burst, not a day's worth");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(25 + 1 + 1 + 1, events.count);
}

static void test_what_is_said_often_does_not_drown_out_what_is_said_once(void)
{
    struct prb_event event = about("noisy", "rare");
    int dropped = fate("dropped_rate");

    for (int i = 0; i < 30; i++)
        record("noisy", "often");
    event.reason = "Other";
    prb_recorder_event(recorder, &event);
    TEST_ASSERT_EQUAL_INT(5, fate("dropped_rate") - dropped);
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(2, events.count);
}

static void test_what_does_not_fit_the_queue_is_counted(void)
{
    int dropped = fate("dropped_queue");
    char name[16];

    /* The writer waits for a clock that does not move, with one note in its hand. */
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "create", .code = PRB_E_UNAVAILABLE, .times = -1 });
    record("first", "note");
    AWAIT("create events", 1);
    for (int i = 0; i < 1010; i++) {
        (void)snprintf(name, sizeof(name), "object-%d", i);
        record(name, "note");
    }
    TEST_ASSERT_EQUAL_INT(10, fate("dropped_queue") - dropped);
}

/* Let time pass, less than an hour, until the writer has tried so often. */
static bool pass_time_until_creates(int count)
{
    for (int i = 0; i < 3000; i++) {
        if (fault_port_reached(&world.port, "create events", count))
            return true;
        prb_fake_clock_advance(&world.clock, 1000);
        prb_recorder_poke(recorder);
    }
    return fault_port_wait(&world.port, "create events", count); /* a slow machine */
}

static void test_a_server_that_is_away_is_tried_again(void)
{
    fault_port_spoil(&world.port, (struct fault){ .verb = "create", .code = PRB_E_IO, .times = 3 });
    record("web", "note");
    TEST_ASSERT_TRUE(pass_time_until_creates(4));
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(1, events.count);
}

static void test_an_event_whose_answer_was_lost_is_not_doubled(void)
{
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "create", .code = PRB_E_IO, .times = 1, .after = true });
    record("web", "note");
    TEST_ASSERT_TRUE(pass_time_until_creates(2));
    record("web", "note");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    TEST_ASSERT_EQUAL_STRING("2", value_at(events.objects[0], "/count"));
}

static void test_a_refused_event_is_dropped_and_told_once(void)
{
    FILE *log = log_file_open();
    int dropped = fate("dropped_error");

    fault_port_spoil(
            &world.port, (struct fault){ .verb = "create", .code = PRB_E_FORBIDDEN, .times = 2 });
    record("a", "note");
    record("b", "note");
    record("c", "note");
    AWAIT("create events", 3); /* at once, as no second try can help */
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    TEST_ASSERT_EQUAL_INT(2, fate("dropped_error") - dropped);
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "event not written"));
    log_file_close(log);
}

static void test_a_long_note_is_cut_between_characters(void)
{
    char note[2048];
    const char *written;

    memset(note, 'x', sizeof(note));
    memcpy(note + 1023, "\xc3\xbc", 2); /* half of it would be byte 1024 */
    note[sizeof(note) - 1] = '\0';
    record("web", note);
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    written = value_at(events.objects[0], "/message");
    TEST_ASSERT_EQUAL_size_t(1023, strlen(written));
}

static void test_a_long_name_still_names_an_event(void)
{
    char name[254];

    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    record(name, "note");
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(1, events.count);
    TEST_ASSERT_EQUAL_size_t(253, strlen(prb_object_name(events.objects[0])));
    TEST_ASSERT_EQUAL_STRING(name, value_at(events.objects[0], "/involvedObject/name"));
}

static void test_after_a_stop_nothing_is_taken_and_no_recorder_is_fine(void)
{
    int dropped = fate("dropped_stopped");
    struct prb_event event = about("web", "note");

    TEST_ASSERT_TRUE(flush());
    record("web", "too late");
    TEST_ASSERT_EQUAL_INT(1, fate("dropped_stopped") - dropped);
    prb_recorder_event(NULL, &event);
    TEST_ASSERT_TRUE(flush());
    TEST_ASSERT_EQUAL_size_t(0, events.count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_event_says_what_it_regards_and_who_says_it);
    RUN_TEST(test_an_event_of_a_cluster_scoped_object_goes_to_default);
    RUN_TEST(test_the_same_event_again_raises_its_count);
    RUN_TEST(test_an_event_that_differs_in_numbers_only_is_the_same_with_the_newest);
    RUN_TEST(test_an_event_that_is_gone_is_written_anew);
    RUN_TEST(test_after_an_hour_an_event_is_a_new_one);
    RUN_TEST(test_a_burst_on_one_object_is_cut);
    RUN_TEST(test_what_is_said_often_does_not_drown_out_what_is_said_once);
    RUN_TEST(test_what_does_not_fit_the_queue_is_counted);
    RUN_TEST(test_a_server_that_is_away_is_tried_again);
    RUN_TEST(test_an_event_whose_answer_was_lost_is_not_doubled);
    RUN_TEST(test_a_refused_event_is_dropped_and_told_once);
    RUN_TEST(test_a_long_note_is_cut_between_characters);
    RUN_TEST(test_a_long_name_still_names_an_event);
    RUN_TEST(test_after_a_stop_nothing_is_taken_and_no_recorder_is_fine);
    return UNITY_END();
}
