/* What is known of a collection that cannot be found, read or watched, and does trouble end? */

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "wanted_world.h"

#define WIDGETS "widgets.v1.example.com"

void setUp(void)
{
    wanted_init();
    define_widgets("example.com", "v1");
    put_widget("example.com", "w1");
    name_collections("a", "example.com/widgets");
}

void tearDown(void)
{
    wanted_done();
}

static void spoil(const char *verb, enum prb_errc code, int times, const char *message)
{
    fault_port_spoil(&world.port, (struct fault){ .verb = verb,
                                          .resource = "widgets",
                                          .code = code,
                                          .times = times,
                                          .message = message });
}

static void test_what_discovery_cannot_say_is_unknown(void)
{
    spoil("resolve", PRB_E_UNAVAILABLE, -1, "no backend");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "unknown (no backend)"));
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, "list widgets"));
    fault_port_clear(&world.port);
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
}

static void test_what_was_absent_is_unknown_when_discovery_cannot_say(void)
{
    undefine_widgets("example.com");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "absent"));
    spoil("resolve", PRB_E_IO, -1, "connection refused");
    TEST_ASSERT_CAME(comes_to("a", "unknown (connection refused)"));
    fault_port_clear(&world.port);
    TEST_ASSERT_CAME(comes_to("a", "absent"));
}

#define DEFINED                                                                                  \
    "CustomResourceDefinition widgets.example.com has it, but the API server does not serve it " \
    "now: set \"served: true\" in one of its versions"

static void test_what_is_not_served_is_not_absent_while_a_definition_has_it(void)
{
    wanted_confirms_absence();
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    unserve_widgets("example.com");
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1 (" DEFINED ")"));
    define_widgets("example.com", "v1");
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    undefine_widgets("example.com");
    TEST_ASSERT_CAME(comes_to("a", "absent"));
}

static void test_what_was_never_served_is_not_absent_either(void)
{
    unserve_widgets("example.com");
    name_collections("a", "example.com/WD");
    wanted_confirms_absence();
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "unknown (" DEFINED ")"));
    undefine_widgets("example.com");
    TEST_ASSERT_CAME(comes_to("a", "absent"));
}

static void test_without_the_right_to_read_definitions_it_is_unknown(void)
{
    undefine_widgets("example.com");
    wanted_confirms_absence();
    fault_port_spoil(&world.port, (struct fault){ .verb = "list",
                                          .resource = "customresourcedefinitions",
                                          .code = PRB_E_FORBIDDEN,
                                          .times = -1,
                                          .message = "no" });
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a",
            "unknown forbidden (it is not served, and to find out whether it is defined "
            "Probate lacks the right: verb \"list\" on "
            "customresourcedefinitions.apiextensions.k8s.io. \"probate manifest\" "
            "prints what it needs, rbac.create of its chart grants it)"));
}

static void test_what_was_found_stays_found_while_discovery_cannot_say(void)
{
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    spoil("resolve", PRB_E_UNAVAILABLE, -1, "no backend");
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1 (no backend)"));
    put_widget("example.com", "w2");
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1 w2 (no backend)"));
    fault_port_clear(&world.port);
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1 w2"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "list widgets"));
}

static void test_a_list_that_is_refused_is_forbidden(void)
{
    spoil("list", PRB_E_FORBIDDEN, -1, "may not list");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS " unread forbidden (may not list)"));
    fault_port_clear(&world.port);
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
}

static void test_a_list_that_fails_is_trouble_and_no_missing_right(void)
{
    spoil("list", PRB_E_UNAVAILABLE, -1, "etcd is away");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS " unread (etcd is away)"));
    fault_port_clear(&world.port);
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
}

/* Every try opens a watch for a moment; that must not look like a recovery. */
static void test_a_watch_that_is_refused_is_told_once(void)
{
    int before;

    spoil("watch", PRB_E_FORBIDDEN, -1, "may not watch");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1 forbidden (may not watch)"));
    await_calm();
    before = atomic_load(&looks);
    TEST_ASSERT_CAME(calls_come_to("watch widgets", 12));
    TEST_ASSERT_EQUAL_INT(before, atomic_load(&looks));
    fault_port_clear(&world.port);
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    put_widget("example.com", "w2");
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1 w2"));
}

static void test_a_watch_that_is_away_for_long_is_trouble_and_the_last_state_stays(void)
{
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    spoil("watch", PRB_E_IO, -1, "connection refused");
    define_widgets("example.com", "v2,v1"); /* which makes it open a watch */
    TEST_ASSERT_CAME(comes_to("a", "present widgets.v2.example.com: w1 (connection refused)"));
    put_widget("example.com", "w2");
    fault_port_clear(&world.port);
    TEST_ASSERT_CAME(comes_to("a", "present widgets.v2.example.com: w1 w2"));
}

static void test_a_watch_that_fails_for_a_moment_is_no_news(void)
{
    spoil("watch", PRB_E_IO, 1, "cut");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    for (int i = 0; i < 100; i++) {
        prb_autofree char *text = noted("a");

        TEST_ASSERT_NULL_MESSAGE(strstr(text, "cut"), text);
        pass(100);
    }
    TEST_ASSERT_EQUAL_INT(1, fault_port_watches(&world.port, "widgets"));
}

/* A server whose discovery is ahead of, or behind, what it serves. */
static void test_a_collection_that_discovery_names_and_the_server_does_not_have_is_looked_for(void)
{
    fault_port_spoil(&world.port, (struct fault){ .verb = "list",
                                          .resource = "widgets",
                                          .code = PRB_E_NOTFOUND,
                                          .times = -1,
                                          .message = "no such page",
                                          .reason = "NotServed" });
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS " unread (no such page)"));
    TEST_ASSERT_CAME(calls_come_to("resolve widgets", 4));
    fault_port_clear(&world.port);
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
}

static void test_an_answer_that_comes_when_nobody_asks_any_more_is_ignored(void)
{
    fault_port_spoil(&world.port,
            (struct fault){ .verb = "resolve", .resource = "widgets", .times = -1, .hold = true });
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(calls_come_to("resolve widgets", 1));
    name_collections("a", "/secrets");
    TEST_ASSERT_CAME(comes_to("a", "present secrets.v1.:"));
    fault_port_clear(&world.port);
    TEST_ASSERT_CAME(watches_come_to("secrets", 1));
    pass(1000);
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, "list widgets"));
}

static void test_a_stop_waits_for_no_call(void)
{
    struct prb_error err;

    fault_port_spoil(&world.port,
            (struct fault){ .verb = "resolve", .resource = "widgets", .times = -1, .hold = true });
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(calls_come_to("resolve widgets", 1));
    prb_runner_stop(runner);
    fault_port_clear(&world.port);

    fault_port_spoil(&world.port,
            (struct fault){ .verb = "list", .resource = "widgets", .times = -1, .hold = true });
    TEST_ASSERT_EQUAL_INT(0, prb_runner_start(runner, &err));
    TEST_ASSERT_CAME(calls_come_to("list widgets", 1));
    prb_runner_stop(runner);
    TEST_ASSERT_EQUAL_INT(0, prb_runner_start(runner, &err));
    fault_port_clear(&world.port);
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    TEST_ASSERT_CAME(watches_come_to("widgets", 1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_discovery_cannot_say_is_unknown);
    RUN_TEST(test_what_was_absent_is_unknown_when_discovery_cannot_say);
    RUN_TEST(test_what_is_not_served_is_not_absent_while_a_definition_has_it);
    RUN_TEST(test_what_was_never_served_is_not_absent_either);
    RUN_TEST(test_without_the_right_to_read_definitions_it_is_unknown);
    RUN_TEST(test_what_was_found_stays_found_while_discovery_cannot_say);
    RUN_TEST(test_a_list_that_is_refused_is_forbidden);
    RUN_TEST(test_a_list_that_fails_is_trouble_and_no_missing_right);
    RUN_TEST(test_a_watch_that_is_refused_is_told_once);
    RUN_TEST(test_a_watch_that_is_away_for_long_is_trouble_and_the_last_state_stays);
    RUN_TEST(test_a_watch_that_fails_for_a_moment_is_no_news);
    RUN_TEST(test_a_collection_that_discovery_names_and_the_server_does_not_have_is_looked_for);
    RUN_TEST(test_an_answer_that_comes_when_nobody_asks_any_more_is_ignored);
    RUN_TEST(test_a_stop_waits_for_no_call);
    return UNITY_END();
}
