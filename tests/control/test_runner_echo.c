/* Does a key wait until the cache shows what its last pass has written? */

#include <sched.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "rounds_world.h"

#define SECRET                                   \
    "apiVersion: v1\nkind: Secret\n"             \
    "metadata: {namespace: ns, name: subject}\n" \
    "data: {}\n"

static _Atomic int written, read; /* passes */

/* The cache has the secret, and hears of no change to it before the faults are cleared. */
void setUp(void)
{
    world_init();
    atomic_store(&written, 0);
    atomic_store(&read, 0);
    prb_object_unref(put("secrets", SECRET));
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "watch", .resource = "secrets", .times = -1, .hold = true });
}

void tearDown(void)
{
    fault_port_clear(&world.port);
    rounds_done();
    world_done();
}

/* Every pass over "writer" writes to the secret what it has not been before; others only look. */
static void write_each_time(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out)
{
    struct prb_ref secret = ref_of("secrets", "ns", "subject");
    prb_autofree char *text = prb_asprintf("%d", round);
    struct json_object *patch;

    atomic_fetch_add(prb_streq(key->name, "writer") ? &written : &read, 1);
    if (!prb_streq(key->name, "writer"))
        return;
    patch = json_object_new_object();
    prb_json_set_str(
            prb_json_ensure_obj(prb_json_ensure_obj(patch, "metadata"), "labels"), "round", text);
    prb_changes_merge_patch(out, &secret, patch, NULL,
            prb_object_resource_version(prb_view_find(view, &secret)), "test");
}

static void begin(void)
{
    rounds_init(write_each_time, 1, false);
    TEST_ASSERT_TRUE(rounds_start());
    rounds_look("writer");
    TEST_ASSERT_EQUAL_INT(1, atomic_load(&written));
    rounds_look("writer");
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, atomic_load(&written), "the cache is behind");
}

static void test_a_key_waits_for_its_echo(void)
{
    begin();
    rounds_advance(1000);
    TEST_ASSERT_EQUAL_INT(1, atomic_load(&written));
    TEST_ASSERT_FALSE(prb_runner_idle(rounds.runner));

    /* Meson ends a test that waits in vain. */
    fault_port_clear(&world.port);
    while (atomic_load(&written) == 1)
        rounds_advance(1);
    TEST_ASSERT_EQUAL_INT_MESSAGE(
            0, fault_port_count(&world.port, "get secrets"), "nobody had to ask");
}

static void test_it_does_not_wait_for_ever(void)
{
    begin();
    rounds_advance(6000);
    TEST_ASSERT_EQUAL_INT(2, atomic_load(&written));

    /* That one met a conflict, which says the same: the cache is behind. */
    rounds_look("writer");
    TEST_ASSERT_EQUAL_INT(2, atomic_load(&written));
    rounds_advance(1000);
    TEST_ASSERT_EQUAL_INT(3, atomic_load(&written));
    TEST_ASSERT_EQUAL_INT(3, fault_port_count(&world.port, "patch secrets"));
}

static void test_others_do_not_wait(void)
{
    int before;

    begin();
    before = atomic_load(&read);
    rounds_look("reader");
    rounds_look("reader");
    TEST_ASSERT_EQUAL_INT(before + 2, atomic_load(&read));
}

/* Who leads anew looks at everything. */
static void test_a_stop_ends_the_waiting(void)
{
    begin();
    prb_runner_stop(rounds.runner);
    TEST_ASSERT_EQUAL_INT(0, prb_runner_start(rounds.runner, &rounds.err));
    rounds_look("writer");
    TEST_ASSERT_EQUAL_INT(2, atomic_load(&written));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_key_waits_for_its_echo);
    RUN_TEST(test_it_does_not_wait_for_ever);
    RUN_TEST(test_others_do_not_wait);
    RUN_TEST(test_a_stop_ends_the_waiting);
    return UNITY_END();
}
