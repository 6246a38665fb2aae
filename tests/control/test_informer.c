/* Does an informer keep its store equal to the collection, and say what changed? */

#include <stdio.h>
#include <unity.h>

#include "probate/base/str.h"

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

static void test_it_lists_and_then_watches_from_the_version_of_the_list(void)
{
    const char *heard;

    TEST_ASSERT_FALSE(prb_informers_synced(world.set));
    TEST_ASSERT_TRUE(start_with_two());
    TEST_ASSERT_TRUE(prb_informers_wait_synced(world.set, 1000));
    TEST_ASSERT_EQUAL_STRING("5", world.port.watched_from);
    TEST_ASSERT_TRUE(world.port.metadata_only);
    TEST_ASSERT_TRUE(holds("a", "1"));
    TEST_ASSERT_TRUE(holds("b", "2"));
    heard = announced(); /* a list has no order */
    TEST_ASSERT_TRUE(prb_streq(heard, "+a@1 +b@2 ") || prb_streq(heard, "+b@2 +a@1 "));
    TEST_ASSERT_TRUE(state().connected);
    TEST_ASSERT_EQUAL_size_t(2, state().objects);
    TEST_ASSERT_EQUAL_UINT(1, state().lists);
    TEST_ASSERT_EQUAL_UINT(1, state().watches);
}

static void test_events_reach_the_store_before_they_are_announced(void)
{
    TEST_ASSERT_TRUE(start_with_two());
    (void)announced();
    world.truthful = 0;
    script_port_send(&world.port, PRB_WATCH_ADDED, script_object("c", "6"), "6");
    script_port_send(&world.port, PRB_WATCH_MODIFIED, script_object("a", "7"), "7");
    script_port_send(&world.port, PRB_WATCH_DELETED, script_object("b", "8"), "8");
    TEST_ASSERT_EQUAL_STRING("+c@6 +a@7 -b@8 ", announced());
    TEST_ASSERT_EQUAL_INT(3, world.truthful);
    TEST_ASSERT_TRUE(holds("c", "6"));
    TEST_ASSERT_TRUE(holds("a", "7"));
    TEST_ASSERT_FALSE(holds("b", "2"));
}

static void test_an_event_that_comes_twice_is_announced_once(void)
{
    TEST_ASSERT_TRUE(start_with_two());
    (void)announced();
    for (int i = 0; i < 2; i++)
        script_port_send(&world.port, PRB_WATCH_MODIFIED, script_object("a", "6"), "6");
    for (int i = 0; i < 2; i++)
        script_port_send(&world.port, PRB_WATCH_DELETED, script_object("b", "7"), "7");
    TEST_ASSERT_EQUAL_STRING("+a@6 -b@7 ", announced());
}

static void test_a_watch_that_ended_resumes_after_the_last_event_without_a_list(void)
{
    static const enum prb_errc ends[] = { PRB_OK, PRB_E_IO, PRB_E_UNAVAILABLE, PRB_E_THROTTLED,
        PRB_E_FORBIDDEN, PRB_E_UNAUTHORIZED };

    TEST_ASSERT_TRUE(start_with_two());
    for (int i = 0; i < (int)(sizeof(ends) / sizeof(ends[0])); i++) {
        char version[8];

        (void)snprintf(version, sizeof(version), "%d", 10 + i);
        script_port_send(&world.port, PRB_WATCH_MODIFIED, script_object("a", version), version);
        script_port_close(&world.port, ends[i]);
        TEST_ASSERT_FALSE(state().connected);
        TEST_ASSERT_TRUE(state().error[0] != '\0');
        TEST_ASSERT_CAME(pass_time_until(60000, 1, 2 + i));
        TEST_ASSERT_EQUAL_STRING_MESSAGE(version, world.port.watched_from, prb_errc_name(ends[i]));
        TEST_ASSERT_TRUE(state().connected);
        TEST_ASSERT_EQUAL_STRING("", state().error);
    }
    TEST_ASSERT_EQUAL_INT(1, world.port.lists);
    TEST_ASSERT_EQUAL_UINT(1, state().lists);
}

/* It is there, and says what is wrong with it; those around it are read as ever. */
static void test_an_object_with_a_defect_is_kept_and_told_of(void)
{
    FILE *log = log_file_open();
    struct prb_object *odd = script_object("odd", "6");
    prb_auto(prb_object_unref) struct prb_object *kept = NULL;

    TEST_ASSERT_TRUE(start_with_two());
    (void)announced();
    prb_object_set_defect(odd, "spec", "nested too deeply");
    script_port_send(&world.port, PRB_WATCH_ADDED, odd, "6");
    script_port_send(&world.port, PRB_WATCH_MODIFIED, script_object("a", "7"), "7");
    TEST_ASSERT_EQUAL_STRING("+odd@6 +a@7 ", announced());
    kept = prb_store_get(prb_informer_store(world.informer), "ns", "odd");
    TEST_ASSERT_NOT_NULL(kept);
    TEST_ASSERT_EQUAL_STRING("spec: nested too deeply", prb_object_defect(kept));
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "object cannot be read whole"));
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log, "name=odd"));
    log_file_close(log);
}

static void test_a_list_with_such_an_object_is_read_too(void)
{
    struct prb_object *odd = script_object("odd", "6");
    prb_auto(prb_object_unref) struct prb_object *kept = NULL;

    prb_object_set_defect(odd, "spec", "nested too deeply");
    script_port_hold(&world.port, "6", script_object("a", "1"), odd, NULL);
    TEST_ASSERT_TRUE(start());
    TEST_ASSERT_CAME(script_port_wait(&world.port, 1, 1));
    TEST_ASSERT_TRUE(holds("a", "1"));
    kept = prb_store_get(prb_informer_store(world.informer), "ns", "odd");
    TEST_ASSERT_TRUE(kept && prb_object_defect(kept));
}

static void test_a_bookmark_moves_the_place_to_resume(void)
{
    TEST_ASSERT_TRUE(start_with_two());
    (void)announced();
    script_port_send(&world.port, PRB_WATCH_BOOKMARK, NULL, "90");
    script_port_close(&world.port, PRB_E_IO);
    TEST_ASSERT_CAME(pass_time_until(60000, 1, 2));
    TEST_ASSERT_EQUAL_STRING("90", world.port.watched_from);
    TEST_ASSERT_EQUAL_STRING("", announced());
}

/* More than a large hub has of anything. They are the same ones again and again: their number is
 * what a list must not end at. */
static void test_a_list_of_any_length_is_read(void)
{
    world.port.times = 150000;
    TEST_ASSERT_TRUE(start_with_two());
    TEST_ASSERT_TRUE(prb_informers_synced(world.set));
    TEST_ASSERT_EQUAL_INT_MESSAGE(600, world.port.lists, "pages of 500");
    TEST_ASSERT_EQUAL_STRING("", state().error);
    TEST_ASSERT_EQUAL_UINT(1, state().lists);
    TEST_ASSERT_TRUE(holds("a", "1") && holds("b", "2"));
}

static void test_gone_relists_once_and_announces_what_differs(void)
{
    const char *heard;

    TEST_ASSERT_TRUE(start_with_two());
    (void)announced();
    world.truthful = 0;
    script_port_hold(&world.port, "50", script_object("a", "1"), script_object("c", "40"), NULL);
    script_port_close(&world.port, PRB_E_GONE);
    TEST_ASSERT_TRUE_MESSAGE(holds("b", "2"), "the last state is served meanwhile");
    TEST_ASSERT_TRUE(prb_informers_synced(world.set));
    TEST_ASSERT_CAME(pass_time_until(1000, 2, 2));
    TEST_ASSERT_EQUAL_INT(2, world.port.lists);
    TEST_ASSERT_EQUAL_STRING("50", world.port.watched_from);
    TEST_ASSERT_FALSE(holds("b", "2"));
    heard = announced();
    TEST_ASSERT_TRUE(prb_streq(heard, "+c@40 -b@2 ") || prb_streq(heard, "-b@2 +c@40 "));
    TEST_ASSERT_EQUAL_INT(2, world.truthful);
}

static void test_a_collection_asked_for_twice_is_read_once(void)
{
    static const char *const ready[] = { "status.ready", "spec", NULL };
    static const char *const ready_too[] = { "spec", "status.ready", NULL };
    static const char *const more[] = { "spec", "status.ready", "status.more", NULL };
    static const char *const none[] = { NULL };
    struct prb_watch_spec spec = things;
    const struct prb_informer *whole, *kept;

    spec.label_selector = "";
    TEST_ASSERT_EQUAL_PTR(world.informer, prb_informers_add(world.set, &spec, ""));
    spec.keeps = ready; /* of metadata there is nothing to keep */
    TEST_ASSERT_EQUAL_PTR(world.informer, prb_informers_add(world.set, &spec, NULL));
    spec.label_selector = "a=b";
    TEST_ASSERT_TRUE(world.informer != prb_informers_add(world.set, &spec, NULL));
    TEST_ASSERT_TRUE(world.informer != prb_informers_add(world.set, &things, "ns"));
    spec = things;
    spec.resource = "others";
    TEST_ASSERT_TRUE(world.informer != prb_informers_add(world.set, &spec, NULL));
    spec = things;
    spec.whole = true;
    whole = prb_informers_add(world.set, &spec, NULL);
    TEST_ASSERT_TRUE(world.informer != whole);
    spec.keeps = ready;
    kept = prb_informers_add(world.set, &spec, NULL);
    TEST_ASSERT_TRUE(whole != kept);
    spec.keeps = ready_too;
    TEST_ASSERT_EQUAL_PTR(kept, prb_informers_add(world.set, &spec, NULL));
    spec.keeps = more;
    TEST_ASSERT_TRUE(kept != prb_informers_add(world.set, &spec, NULL));
    spec.keeps = none;
    TEST_ASSERT_TRUE(whole != prb_informers_add(world.set, &spec, NULL));
    TEST_ASSERT_TRUE(kept != prb_informers_add(world.set, &spec, NULL));
}

static void test_selector_and_depth_reach_the_list(void)
{
    struct prb_watch_spec spec = things;

    spec.label_selector = "a=b";
    spec.whole = true;
    prb_informers_free(world.set);
    world.set = prb_informers_new(&world.port.api, &world.clock.clock);
    world.informer = prb_informers_add(world.set, &spec, NULL);
    TEST_ASSERT_TRUE(start());
    TEST_ASSERT_CAME(script_port_wait(&world.port, 1, 1));
    TEST_ASSERT_EQUAL_STRING("a=b", world.port.last_selector);
    TEST_ASSERT_FALSE(world.port.metadata_only);
}

/* Does what the store holds of the object have something there? */
static bool holds_member(const char *name, const char *pointer)
{
    prb_auto(prb_object_unref) struct prb_object *object =
            prb_store_get(prb_informer_store(world.informer), "ns", name);
    struct json_object *node;

    return object && prb_json_pointer_get(prb_object_tree(object), pointer, &node);
}

static void test_only_the_members_that_are_kept_reach_the_store(void)
{
    static const char *const keeps[] = { "status.ready", NULL };
    struct prb_watch_spec spec = things;

    spec.whole = true;
    spec.keeps = keeps;
    prb_informers_free(world.set);
    world.set = prb_informers_new(&world.port.api, &world.clock.clock);
    world.informer = prb_informers_add(world.set, &spec, NULL);
    script_port_hold(&world.port, "5", script_object("a", "1"), NULL);
    TEST_ASSERT_TRUE(start() && script_port_wait(&world.port, 1, 1));
    script_port_send(&world.port, PRB_WATCH_ADDED, script_object("b", "6"), "6");

    TEST_ASSERT_FALSE(world.port.metadata_only);
    for (size_t i = 0; i < 2; i++) {
        const char *name = i == 0 ? "a" : "b";

        TEST_ASSERT_TRUE_MESSAGE(holds_member(name, "/status/ready"), name);
        TEST_ASSERT_TRUE_MESSAGE(holds_member(name, "/metadata/name"), name);
        TEST_ASSERT_FALSE_MESSAGE(holds_member(name, "/status/more"), name);
        TEST_ASSERT_FALSE_MESSAGE(holds_member(name, "/spec"), name);
    }
}

static void test_after_a_stop_the_store_is_readable_and_nothing_comes_any_more(void)
{
    struct prb_error err;

    TEST_ASSERT_TRUE(start_with_two());
    prb_informers_stop(world.set);
    prb_informers_stop(world.set);
    TEST_ASSERT_EQUAL_INT(1, world.port.stops);
    TEST_ASSERT_FALSE(state().connected);
    TEST_ASSERT_TRUE(holds("a", "1"));
    TEST_ASSERT_NOT_EQUAL_INT(0, prb_informers_start(world.set, &err));
}

static void test_a_stop_ends_the_wait_for_the_first_list(void)
{
    world.port.list_error = PRB_E_IO;
    TEST_ASSERT_TRUE(start());
    TEST_ASSERT_CAME(script_port_wait(&world.port, 1, 0));
    prb_informers_stop(world.set);
    TEST_ASSERT_FALSE(prb_informers_wait_synced(world.set, 3600000));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_it_lists_and_then_watches_from_the_version_of_the_list);
    RUN_TEST(test_events_reach_the_store_before_they_are_announced);
    RUN_TEST(test_an_object_with_a_defect_is_kept_and_told_of);
    RUN_TEST(test_a_list_with_such_an_object_is_read_too);
    RUN_TEST(test_an_event_that_comes_twice_is_announced_once);
    RUN_TEST(test_a_watch_that_ended_resumes_after_the_last_event_without_a_list);
    RUN_TEST(test_a_bookmark_moves_the_place_to_resume);
    RUN_TEST(test_a_list_of_any_length_is_read);
    RUN_TEST(test_gone_relists_once_and_announces_what_differs);
    RUN_TEST(test_a_collection_asked_for_twice_is_read_once);
    RUN_TEST(test_selector_and_depth_reach_the_list);
    RUN_TEST(test_only_the_members_that_are_kept_reach_the_store);
    RUN_TEST(test_after_a_stop_the_store_is_readable_and_nothing_comes_any_more);
    RUN_TEST(test_a_stop_ends_the_wait_for_the_first_list);
    return UNITY_END();
}
