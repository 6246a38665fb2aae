/* Is what a pass leaves behind there for the next one, and gone when it may not hold any more? */

#include <stdio.h>
#include <unity.h>

#include "rounds_world.h"

/* Enough that workers meet, few enough for a slow machine. */
#define KEYS 60
#define PASSES 4

static _Atomic int64_t seen; /* the count that the last pass remembered; 0: nothing */

void setUp(void)
{
    world_init();
    atomic_store(&seen, 0);
}

void tearDown(void)
{
    rounds_done();
    world_done();
}

static int64_t count_in(const struct prb_view *view)
{
    int64_t count = 0;

    (void)prb_json_int(prb_view_memory(view), "count", &count);
    return count;
}

static struct json_object *memory_of(int64_t count)
{
    struct json_object *memory = json_object_new_object();

    prb_json_set_int(memory, "count", count);
    return memory;
}

static void count_up(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    (void)key;
    (void)round;
    atomic_store(&seen, count_in(view));
    prb_changes_remember(out, memory_of(count_in(view) + 1));
}

static void test_the_next_pass_has_what_the_last_one_left(void)
{
    rounds_init(count_up, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT64(0, atomic_load(&seen));
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT64(1, atomic_load(&seen));
    rounds_look("b");
    TEST_ASSERT_EQUAL_INT64_MESSAGE(0, atomic_load(&seen), "it is the key's own");
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT64(2, atomic_load(&seen));
}

static void test_a_stop_forgets_all(void)
{
    rounds_init(count_up, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT64(1, atomic_load(&seen));
    prb_runner_stop(rounds.runner);
    TEST_ASSERT_EQUAL_INT(0, prb_runner_start(rounds.runner, &rounds.err));
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT64(0, atomic_load(&seen));
}

/* Remembers in the first pass, says nothing in the second, forgets in the third. */
static void keep_then_forget(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    (void)key;
    atomic_store(&seen, count_in(view));
    if (round == 0)
        prb_changes_remember(out, memory_of(7));
    if (round == 2)
        prb_changes_remember(out, NULL);
}

static void test_it_stays_until_the_reconciler_says_otherwise(void)
{
    static const int64_t wanted[] = { 0, 7, 7, 0 };

    rounds_init(keep_then_forget, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        rounds_look("a");
        TEST_ASSERT_EQUAL_INT64(wanted[i], atomic_load(&seen));
    }
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

/* The second pass makes two objects and remembers something else. */
static void write_in_the_second(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    struct prb_ref first = ref_of("configmaps", "ns", "first");
    struct prb_ref second = ref_of("configmaps", "ns", "second");

    (void)key;
    atomic_store(&seen, count_in(view));
    prb_changes_remember(out, memory_of(round == 0 ? 7 : 8));
    if (round != 1)
        return;
    prb_changes_create(out, &first, map_body("first"), "first");
    prb_changes_create(out, &second, map_body("second"), "second");
}

static void test_a_pass_that_failed_before_it_wrote_changes_nothing(void)
{
    rounds_init(write_in_the_second, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "create", .code = PRB_E_CONFLICT, .times = 1 });
    rounds_look("a");
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT64(7, atomic_load(&seen));
}

static void test_a_pass_that_failed_after_it_wrote_leaves_nothing(void)
{
    rounds_init(write_in_the_second, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("a");
    prb_object_unref(put("configmaps",
            "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: ns, name: second}}"));
    rounds_look("a");
    rounds_look("a");
    TEST_ASSERT_EQUAL_INT64(0, atomic_load(&seen));
    TEST_ASSERT_EQUAL_size_t(2, stored_count("configmaps"));
}

static _Atomic int64_t counts[KEYS]; /* by key, as the last pass remembered them */

/* Three rounds with a read each, and a count that must never skip or repeat a pass. */
static void count_in_rounds(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    const struct prb_outcome *first = prb_view_outcome(view, "first");
    const struct prb_outcome *second = prb_view_outcome(view, "second");
    int64_t at = -1;

    (void)round;
    if (!first)
        prb_changes_read(out, key, "first", "look");
    else if (!second)
        prb_changes_read(out, key, "second", "look once more");
    if (!first || !second) {
        prb_changes_go_on(out);
        return;
    }
    if (!prb_parse_int(key->name + 1, 0, KEYS - 1, &at))
        abort();
    atomic_store(&counts[at], count_in(view) + 1);
    prb_changes_remember(out, memory_of(count_in(view) + 1));
}

static void enqueue_all(void)
{
    for (int i = 0; i < KEYS; i++) {
        char name[8];
        struct prb_ref key;

        (void)snprintf(name, sizeof(name), "k%d", i);
        key = ref_of("configmaps", "ns", name);
        prb_runner_enqueue(rounds.runner, &key);
    }
}

static void test_workers_side_by_side_hand_memories_over(void)
{
    for (int i = 0; i < KEYS; i++)
        atomic_store(&counts[i], 0);
    rounds_init(count_in_rounds, 4, false);
    TEST_ASSERT_TRUE(rounds_start());
    for (int i = 0; i < PASSES; i++) {
        enqueue_all();
        rounds_await_rest();
    }
    for (int i = 0; i < KEYS; i++)
        TEST_ASSERT_EQUAL_INT64(PASSES, atomic_load(&counts[i]));
    TEST_ASSERT_EQUAL_INT(3 * KEYS * PASSES, atomic_load(&rounds.decisions));
}

static void test_a_stop_in_the_middle_of_many_passes_leaves_nothing_behind(void)
{
    rounds_init(count_in_rounds, 4, false);
    TEST_ASSERT_TRUE(rounds_start());
    for (int i = 0; i < PASSES; i++) {
        enqueue_all();
        rounds_await_begin();
        prb_runner_stop(rounds.runner);
        atomic_store(&rounds.decisions, 0);
        TEST_ASSERT_EQUAL_INT(0, prb_runner_start(rounds.runner, &rounds.err));
    }
    for (int i = 0; i < KEYS; i++)
        atomic_store(&counts[i], 0);
    enqueue_all();
    rounds_await_rest();
    for (int i = 0; i < KEYS; i++)
        TEST_ASSERT_EQUAL_INT64(1, atomic_load(&counts[i]));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_next_pass_has_what_the_last_one_left);
    RUN_TEST(test_a_stop_forgets_all);
    RUN_TEST(test_it_stays_until_the_reconciler_says_otherwise);
    RUN_TEST(test_a_pass_that_failed_before_it_wrote_changes_nothing);
    RUN_TEST(test_a_pass_that_failed_after_it_wrote_leaves_nothing);
    RUN_TEST(test_workers_side_by_side_hand_memories_over);
    RUN_TEST(test_a_stop_in_the_middle_of_many_passes_leaves_nothing_behind);
    return UNITY_END();
}
