/* Is a key decided again with what became of its tries, until it is done, stopped or hopeless? */

#include <stdio.h>
#include <unity.h>

#include "log_file.h"
#include "rounds_world.h"
#include "runner_internal.h"

void setUp(void)
{
    world_init();
}

void tearDown(void)
{
    rounds_done();
    world_done();
}

static struct json_object *map_body(const char *name)
{
    struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");

    prb_json_set_str(body, "apiVersion", "v1");
    prb_json_set_str(body, "kind", "ConfigMap");
    prb_json_set_str(metadata, "namespace", "ns");
    prb_json_set_str(metadata, "name", name);
    return body;
}

static bool exists(const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = stored("configmaps", "ns", name);

    return object != NULL;
}

static void add_wait(void *ctx, const char *controller, const struct prb_ref *key,
        const char *waits_for, int64_t since_ms)
{
    (void)controller;
    (void)since_ms;
    prb_str_addf(ctx, "%s: %s\n", key->name, waits_for);
}

#define ASSERT_WAITS(want)                                      \
    do {                                                        \
        prb_auto(prb_str_done) struct prb_str lines_;           \
        prb_str_init(&lines_, 4096);                            \
        prb_runner_each_wait(rounds.runner, add_wait, &lines_); \
        TEST_ASSERT_EQUAL_STRING((want), prb_str_get(&lines_)); \
    } while (0)

/* Look; make it where it is not; tell its uid in a copy. */
static void look_then_make(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    const struct prb_outcome *seen = prb_view_outcome(view, "seen");
    const struct prb_outcome *made = prb_view_outcome(view, "made");
    struct prb_ref copy = ref_of("configmaps", "ns", "copy");
    struct json_object *body;

    (void)round;
    if (!seen) {
        prb_changes_read(out, key, "seen", "is it there?");
        prb_changes_go_on(out);
    } else if (seen->code == PRB_E_NOTFOUND && !made) {
        prb_changes_create(out, key, map_body(key->name), "it is not");
        prb_changes_set_slot(out, "made");
        prb_changes_go_on(out);
    } else if (made && made->code == PRB_OK) {
        body = map_body("copy");
        prb_json_set_str(prb_json_ensure_obj(body, "data"), "uid", prb_object_uid(made->object));
        prb_changes_create(out, &copy, body, "tell it");
    }
}

static void test_outcomes_reach_the_rounds_that_follow(void)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL, *copy = NULL;
    prb_autofree char *calls = NULL;

    rounds_init(look_then_make, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    free(fault_port_take(&world.port));
    rounds_look("a");
    calls = fault_port_take(&world.port);
    TEST_ASSERT_EQUAL_STRING("get configmaps ns/a\ncreate configmaps ns/a\n"
                             "create configmaps ns/copy\n",
            calls);
    TEST_ASSERT_EQUAL_INT(3, atomic_load(&rounds.decisions));
    made = stored("configmaps", "ns", "a");
    copy = stored("configmaps", "ns", "copy");
    TEST_ASSERT_NOT_NULL(made);
    TEST_ASSERT_EQUAL_STRING(prb_object_uid(made), value_at(copy, "/data/uid"));
}

static void test_outcomes_do_not_outlive_their_pass(void)
{
    rounds_init(look_then_make, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT(2, fault_port_count(&world.port, "get configmaps ns/a"));
}

static void fail_some(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    struct prb_ref other = ref_of("configmaps", "ns", "other");
    const struct prb_outcome *made = prb_view_outcome(view, "made");

    if (round == 0) {
        prb_changes_create(out, key, map_body(key->name), "first");
        prb_changes_set_slot(out, "made");
        prb_changes_create(out, &other, map_body("other"), "second");
        prb_changes_go_on(out);
    } else if (made && made->err) {
        prb_changes_wait(out, "%s", made->err->msg);
    }
}

static void test_a_failure_in_a_slot_reaches_the_next_round_and_nothing_else(void)
{
    rounds_init(fail_some, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    fault_port_spoil(&world.port,
            (struct fault){
                    .verb = "create", .code = PRB_E_FORBIDDEN, .times = 1, .message = "no right" });
    rounds_look("a");
    TEST_ASSERT_TRUE(exists("other"));
    TEST_ASSERT_EQUAL_INT(2, atomic_load(&rounds.decisions));
    ASSERT_WAITS("a: no right\n");
    rounds_await_rest(); /* the pass was no failure */
}

static _Atomic int64_t seen_ms[2];

static void note_time(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    (void)key;
    if (round > 1)
        return;
    atomic_store(&seen_ms[round], prb_view_now_ms(view));
    prb_fake_clock_advance(&world.clock, 7);
    if (round == 0)
        prb_changes_go_on(out);
}

static void test_each_round_has_a_view_of_its_own(void)
{
    rounds_init(note_time, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT64(atomic_load(&seen_ms[0]) + 7, atomic_load(&seen_ms[1]));
}

static void say_much_first(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    (void)view;
    (void)key;
    if (round > 0)
        return;
    prb_changes_wait(out, "nothing");
    prb_changes_again(out, 10);
    prb_changes_retry(out, 10, 10);
    prb_changes_go_on(out);
}

static void test_what_the_last_round_says_counts(void)
{
    rounds_init(say_much_first, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    ASSERT_WAITS("");
    rounds_advance(1000);
    TEST_ASSERT_EQUAL_INT(2, atomic_load(&rounds.decisions));
}

static void never_end(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    (void)view;
    (void)round;
    prb_changes_read(out, key, "again", "is it there?");
    prb_changes_go_on(out);
}

static void test_a_pass_that_does_not_end_is_ended_and_tried_more_and_more_slowly(void)
{
    FILE *log;

    rounds_init(never_end, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    log = log_file_open();
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT(PRB_ROUNDS_MAX, atomic_load(&rounds.decisions));
    ASSERT_WAITS("a: a decision was not reached in 24 rounds\n");
    rounds_advance(5);
    TEST_ASSERT_EQUAL_INT(2 * PRB_ROUNDS_MAX, atomic_load(&rounds.decisions));
    rounds_advance(9);
    TEST_ASSERT_EQUAL_INT(2 * PRB_ROUNDS_MAX, atomic_load(&rounds.decisions));
    rounds_advance(1);
    TEST_ASSERT_EQUAL_INT(3 * PRB_ROUNDS_MAX, atomic_load(&rounds.decisions));
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, log_file_count(log, "will try again"), "said, and once");
    log_file_close(log);
}

static void await_own_write(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    struct prb_ref secret = ref_of("secrets", "ns", key->name);
    struct json_object *body = map_body(key->name);

    (void)round;
    prb_json_set_str(body, "kind", "Secret");
    if (prb_view_find(view, &secret)) {
        prb_json_free(body);
        return;
    }
    prb_changes_create(out, &secret, body, "make it");
    prb_changes_set_slot(out, "made");
    prb_changes_go_on(out);
}

static void test_a_dry_run_comes_to_an_end_without_a_warning(void)
{
    FILE *log;

    rounds_init(await_own_write, 1, true);
    TEST_ASSERT_TRUE(rounds_start());
    log = log_file_open();
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT(PRB_ROUNDS_MAX, atomic_load(&rounds.decisions));
    rounds_await_rest();
    ASSERT_WAITS("");
    TEST_ASSERT_EQUAL_INT(0, log_file_count(log, "level=warn"));
    TEST_ASSERT_EQUAL_INT(0, log_file_count(log, "will try again"));
    TEST_ASSERT_EQUAL_size_t(0, stored_count("secrets"));
    log_file_close(log);
}

/* Retries as long as the ConfigMap "ready" is not there. */
static void retry_until_ready(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    struct prb_ref ready = ref_of("configmaps", "ns", "ready");
    const struct prb_outcome *seen = prb_view_outcome(view, "seen");

    (void)key;
    (void)round;
    if (!seen) {
        prb_changes_read(out, &ready, "seen", "is it there?");
        prb_changes_go_on(out);
    } else if (seen->code != PRB_OK) {
        prb_changes_wait(out, "for \"ready\"");
        prb_changes_retry(out, 1000, 4000);
    }
}

/* How often the script has looked. */
static int looks(void)
{
    return fault_port_count(&world.port, "get configmaps ns/ready");
}

/* One more look after `ms`, and none a millisecond before. */
#define ASSERT_LOOKS_AFTER(ms)                                           \
    do {                                                                 \
        int before_ = looks();                                           \
        rounds_advance((ms)-1);                                          \
        TEST_ASSERT_EQUAL_INT_MESSAGE(before_, looks(), "too soon");     \
        rounds_advance(1);                                               \
        TEST_ASSERT_EQUAL_INT_MESSAGE(before_ + 1, looks(), "too late"); \
    } while (0)

static void test_a_retry_slows_down_and_starts_anew_once_all_went_well(void)
{
    struct prb_object *ready;
    struct prb_ref ref = ref_of("configmaps", "ns", "ready");
    struct prb_delete_options options = { .uid = NULL };

    rounds_init(retry_until_ready, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    ASSERT_WAITS("a: for \"ready\"\n");
    ASSERT_LOOKS_AFTER(1000);
    ASSERT_LOOKS_AFTER(2000);
    ASSERT_LOOKS_AFTER(4000);
    ASSERT_LOOKS_AFTER(4000);

    ready = put("configmaps",
            "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: ns, name: ready}}");
    ASSERT_LOOKS_AFTER(4000);
    ASSERT_WAITS("");
    rounds_await_rest();

    options.uid = prb_object_uid(ready);
    TEST_ASSERT_EQUAL_INT(0, prb_api_delete(prb_hub_api(world.hub), &ref, &options, &rounds.err));
    prb_object_unref(ready);
    rounds_look("a");
    ASSERT_LOOKS_AFTER(1000);
    ASSERT_LOOKS_AFTER(2000);
}

static void retry_and_again(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    (void)view;
    (void)key;
    (void)round;
    prb_changes_retry(out, 1000, 8000);
    prb_changes_again(out, 1500);
}

static void test_of_a_retry_and_another_time_the_shorter_holds(void)
{
    rounds_init(retry_and_again, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    rounds_advance(1000);
    TEST_ASSERT_EQUAL_INT(2, atomic_load(&rounds.decisions));
    rounds_advance(1499);
    TEST_ASSERT_EQUAL_INT(2, atomic_load(&rounds.decisions));
    rounds_advance(1);
    TEST_ASSERT_EQUAL_INT(3, atomic_load(&rounds.decisions));
}

static void lose_the_lead(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    (void)view;
    (void)key;
    if (round > 0)
        return;
    atomic_store(&rounds.until_ms, 0);
    prb_changes_go_on(out);
}

static void test_who_may_not_lead_any_more_begins_no_further_round(void)
{
    rounds_init(lose_the_lead, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT(1, atomic_load(&rounds.decisions));
    ASSERT_WAITS("");
    atomic_store(&rounds.until_ms, INT64_MAX);
    rounds_advance(5);
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, atomic_load(&rounds.decisions), "the key comes again");
}

static void stop_it(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    (void)view;
    (void)key;
    if (round > 0)
        return;
    atomic_store(&rounds.runner->stop, true); /* as a stop from another thread would now */
    prb_changes_go_on(out);
}

static void test_a_stop_ends_a_pass_between_two_rounds(void)
{
    rounds_init(stop_it, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    prb_runner_stop(rounds.runner);
    TEST_ASSERT_EQUAL_INT(1, atomic_load(&rounds.decisions));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_outcomes_reach_the_rounds_that_follow);
    RUN_TEST(test_outcomes_do_not_outlive_their_pass);
    RUN_TEST(test_a_failure_in_a_slot_reaches_the_next_round_and_nothing_else);
    RUN_TEST(test_each_round_has_a_view_of_its_own);
    RUN_TEST(test_what_the_last_round_says_counts);
    RUN_TEST(test_a_pass_that_does_not_end_is_ended_and_tried_more_and_more_slowly);
    RUN_TEST(test_a_dry_run_comes_to_an_end_without_a_warning);
    RUN_TEST(test_a_retry_slows_down_and_starts_anew_once_all_went_well);
    RUN_TEST(test_of_a_retry_and_another_time_the_shorter_holds);
    RUN_TEST(test_who_may_not_lead_any_more_begins_no_further_round);
    RUN_TEST(test_a_stop_ends_a_pass_between_two_rounds);
    return UNITY_END();
}
