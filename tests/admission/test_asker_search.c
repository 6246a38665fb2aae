/* What questions about resources as people write them, about lists and about access become. */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/admission/asker.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"

#include "script_port.h"

#define GVR(version) "things." version ".g.io"

static struct prb_fake_clock clock_held;
static struct script_port port;
static struct prb_questions questions;
static struct prb_question *answer; /* of the one question */

void setUp(void)
{
    prb_fake_clock_init(&clock_held, 1000);
    script_port_init(&port, &clock_held);
    prb_questions_init(&questions);
    answer = NULL;
}

void tearDown(void)
{
    prb_questions_done(&questions);
}

static void ask_within(int64_t ms)
{
    int64_t now_ms = clock_held.clock.mono_ms(&clock_held.clock);

    prb_ask_all(&port.api, &clock_held.clock, now_ms + ms, &questions);
    answer = &questions.items[0];
}

static void ask_finalizer(int64_t ms)
{
    prb_ask_finalizer(&questions, "g.io", "Thing", "g.io/f");
    ask_within(ms);
}

static void ask_named(const char *namespace)
{
    prb_ask_named(&questions, "g.io", "Thing", namespace, "x");
    ask_within(4000);
}

static void ask_list(void)
{
    static const struct prb_gvr gvr = { "g.io", "v1", "things" };

    prb_ask_list(&questions, &gvr);
    ask_within(4000);
}

/* The holders that are named, and "..." when there are more. */
static const char *holders(void)
{
    static char all[256];
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, sizeof(all) - 1);
    for (size_t i = 0; i < answer->holders.count; i++)
        prb_str_addf(&text, "%s%s/%s", i ? " " : "", answer->holders.items[i].namespace,
                answer->holders.items[i].name);
    prb_str_add(&text, answer->holders.more ? " ..." : "");
    (void)prb_copy(all, sizeof(all), prb_str_get(&text));
    return all;
}

#define ASSERT_UNKNOWN(wanted, says)                                                      \
    do {                                                                                  \
        TEST_ASSERT_EQUAL_INT(PRB_UNKNOWN, answer->state);                                \
        TEST_ASSERT_EQUAL_INT_MESSAGE(wanted, answer->error.code, answer->error.msg);     \
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer->error.msg, says), answer->error.msg); \
    } while (0)

/* ---- by name ---- */

static void test_an_object_is_found_by_what_people_call_its_kind(void)
{
    SCRIPT(&port, resolve, { .version = "v2" });
    SCRIPT(&port, get, { .r = 0 });
    ask_named("ns");
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
    TEST_ASSERT_TRUE(answer->asked);
    TEST_ASSERT_EQUAL_STRING("x", prb_object_name(answer->object));
    TEST_ASSERT_EQUAL_STRING(GVR("v2"), port.asked);
    TEST_ASSERT_EQUAL_STRING("things", answer->resource);
    TEST_ASSERT_EQUAL_STRING("v2", answer->version);
    TEST_ASSERT_TRUE(answer->namespaced);
    TEST_ASSERT_FALSE(port.whole);
    TEST_ASSERT_EQUAL_PTR_MESSAGE(answer, prb_answer_named(&questions, "g.io", "Thing", "ns", "x"),
            "it is found afterwards");
}

static void test_what_is_not_there_is_absent(void)
{
    SCRIPT(&port, get, { .r = PRB_E_NOTFOUND, .reason = "NotFound" });
    SCRIPT(&port, resolve, { .cluster_scoped = false }, { .cluster_scoped = true });
    ask_named("ns");
    TEST_ASSERT_EQUAL_INT(PRB_ABSENT, answer->state);
    TEST_ASSERT_EQUAL_STRING("NotFound", answer->error.reason);
    TEST_ASSERT_EQUAL_STRING("things", answer->resource);
    prb_questions_done(&questions);
    ask_named("");
    TEST_ASSERT_EQUAL_INT(PRB_ABSENT, answer->state);
    TEST_ASSERT_EQUAL(2, port.got);
}

/* A GET there would be a 404, too. */
static void test_in_the_wrong_scope_nobody_is_asked(void)
{
    SCRIPT(&port, resolve, { .cluster_scoped = false }, { .cluster_scoped = true });
    ask_named("");
    ASSERT_UNKNOWN(PRB_E_INVALID, "things are namespaced");
    TEST_ASSERT_EQUAL_STRING("things", answer->resource);
    prb_questions_done(&questions);
    ask_named("ns");
    ASSERT_UNKNOWN(PRB_E_INVALID, "things are cluster-scoped");
    TEST_ASSERT_EQUAL(0, port.got);
}

static void test_not_served_is_news_or_nothing(void)
{
    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    ask_named("ns");
    TEST_ASSERT_EQUAL_INT(PRB_ABSENT, answer->state);
    TEST_ASSERT_EQUAL_STRING("NotServed", answer->error.reason);
    TEST_ASSERT_EQUAL_STRING("", answer->resource);
    TEST_ASSERT_EQUAL_MESSAGE(1, port.forgot, "what is known may be old");
    TEST_ASSERT_EQUAL(2, port.resolved);
    TEST_ASSERT_EQUAL(0, port.got);
}

static void test_a_kind_that_has_come_since_is_asked_about(void)
{
    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND }, { .r = 0 });
    SCRIPT(&port, get, { .r = 0 });
    ask_named("ns");
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
}

static void test_what_discovery_knew_is_checked_when_the_server_does_not(void)
{
    static const struct {
        const char *name;
        struct line resolves[3];
        struct line gets[2];
        enum prb_answer_state state;
        const char *resource;
    } cases[] = {
        { "it went", { { .r = 0 }, { .r = PRB_E_NOTFOUND } }, { { .r = PRB_E_NOTFOUND } },
                PRB_ABSENT, "" },
        { "it is named still", { { .r = 0 } }, { { .r = PRB_E_NOTFOUND } }, PRB_UNKNOWN, "things" },
        { "its version went", { { .version = "v1" }, { .version = "v2" } },
                { { .r = PRB_E_NOTFOUND }, { .r = 0 } }, PRB_PRESENT, "things" },
        { "all versions seem to go", { { .version = "v1" }, { .version = "v2" } },
                { { .r = PRB_E_NOTFOUND } }, PRB_UNKNOWN, "things" },
        { "it cannot be asked any more", { { .r = 0 }, { .r = PRB_E_UNAVAILABLE } },
                { { .r = PRB_E_NOTFOUND } }, PRB_UNKNOWN, "" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_questions_done(&questions);
        script_port_init(&port, &clock_held);
        port.resolves = cases[i].resolves;
        port.resolve_count = cases[i].resolves[1].r || cases[i].resolves[1].version ? 2 : 1;
        port.gets = cases[i].gets;
        port.get_count = cases[i].state == PRB_PRESENT ? 2 : 1;
        ask_named("ns");
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].state, answer->state, cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].resource, answer->resource, cases[i].name);
        TEST_ASSERT_GREATER_THAN_MESSAGE(0, port.forgot, cases[i].name);
        if (answer->state == PRB_UNKNOWN)
            TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_UNAVAILABLE, answer->error.code, cases[i].name);
        if (answer->state == PRB_ABSENT)
            TEST_ASSERT_EQUAL_STRING("NotServed", answer->error.reason);
    }
}

static void test_an_error_of_discovery_leaves_it_open(void)
{
    SCRIPT(&port, resolve, { .r = PRB_E_UNAVAILABLE });
    ask_named("ns");
    ASSERT_UNKNOWN(PRB_E_UNAVAILABLE, "scripted");
    TEST_ASSERT_EQUAL(0, port.got);
}

static void test_a_right_that_lacks_can_be_named(void)
{
    SCRIPT(&port, resolve, { .r = 0 });
    SCRIPT(&port, get, { .r = PRB_E_FORBIDDEN });
    ask_named("ns");
    ASSERT_UNKNOWN(PRB_E_FORBIDDEN, "scripted");
    TEST_ASSERT_EQUAL_STRING("things", answer->resource);
}

/* ---- by finalizer ---- */

static void test_who_has_a_finalizer_is_found_on_every_page(void)
{
    SCRIPT(&port, resolve, { .r = 0 });
    SCRIPT(&port, list, { .objects = "a/1 !b/2", .more = true }, { .objects = "c/3", .more = true },
            { .objects = "!a/4 d/5" });
    ask_finalizer(4000);
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
    TEST_ASSERT_EQUAL_STRING("a/4 b/2", holders());
    TEST_ASSERT_EQUAL(3, port.listed);
    TEST_ASSERT_EQUAL_STRING("page-2", port.next);
    TEST_ASSERT_EQUAL_STRING(GVR("v1"), port.asked);
    TEST_ASSERT_FALSE(port.whole);
    TEST_ASSERT_EQUAL_STRING("things", answer->resource);
}

static void test_nobody_is_said_only_when_all_were_looked_at(void)
{
    static const struct {
        const char *name;
        struct line lists[3];
        size_t count;
        enum prb_answer_state state;
        int code;
    } cases[] = {
        { "none at all", { { .objects = "" } }, 1, PRB_ABSENT, PRB_OK },
        { "two pages of others", { { .objects = "a/1", .more = true }, { .objects = "a/2" } }, 2,
                PRB_ABSENT, PRB_OK },
        { "the second page fails",
                { { .objects = "a/1", .more = true }, { .r = PRB_E_UNAVAILABLE } }, 2, PRB_UNKNOWN,
                PRB_E_UNAVAILABLE },
        { "a page is not found", { { .r = PRB_E_NOTFOUND, .reason = "NotFound" } }, 1, PRB_UNKNOWN,
                PRB_E_UNAVAILABLE },
        { "the second page is forbidden",
                { { .objects = "a/1", .more = true }, { .r = PRB_E_FORBIDDEN } }, 2, PRB_UNKNOWN,
                PRB_E_FORBIDDEN },
        { "the second page takes too long",
                { { .objects = "a/1", .more = true }, { .takes_ms = 5000 } }, 2, PRB_UNKNOWN,
                PRB_E_IO },
        { "time is over in between",
                { { .objects = "a/1", .more = true, .takes_ms = 2000 },
                        { .objects = "a/2", .more = true, .takes_ms = 1900 }, { .objects = "" } },
                3, PRB_UNKNOWN, PRB_E_UNAVAILABLE },
        { "no end to it", { { .objects = "a/1", .more = true } }, 1, PRB_UNKNOWN,
                PRB_E_UNAVAILABLE },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_questions_done(&questions);
        script_port_init(&port, &clock_held);
        SCRIPT(&port, resolve, { .r = 0 });
        port.lists = cases[i].lists;
        port.list_count = cases[i].count;
        ask_finalizer(4000);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].state, answer->state, cases[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].code, answer->error.code, cases[i].name);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(0, answer->holders.count, cases[i].name);
    }
    TEST_ASSERT_LESS_THAN_size_t(10000, port.listed);
}

static void test_who_was_found_is_told_whatever_happens_next(void)
{
    static const struct {
        const char *name;
        struct line second;
    } cases[] = {
        { "it fails", { .r = PRB_E_UNAVAILABLE } },
        { "it is too late", { .takes_ms = 60000 } },
        { "the token expired", { .r = PRB_E_GONE } },
        { "the kind goes", { .r = PRB_E_NOTFOUND } },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct line lists[] = { { .objects = "!a/1 a/2", .more = true }, cases[i].second };
        int64_t began_ms = clock_held.clock.mono_ms(&clock_held.clock);

        prb_questions_done(&questions);
        script_port_init(&port, &clock_held);
        SCRIPT(&port, resolve, { .r = 0 });
        port.lists = lists;
        port.list_count = 2;
        ask_finalizer(4000);
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_PRESENT, answer->state, cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("a/1 ...", holders(), cases[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_OK, answer->error.code, cases[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(2, port.listed, cases[i].name);
        TEST_ASSERT_LESS_THAN_INT64_MESSAGE(began_ms + 4000,
                clock_held.clock.mono_ms(&clock_held.clock), "before the review is handed back");
    }
}

static void test_enough_is_enough(void)
{
    SCRIPT(&port, resolve, { .r = 0 });
    SCRIPT(&port, list, { .objects = "!a/1 !a/2 !a/3", .more = true },
            { .objects = "!a/4 !a/5 !a/6", .more = true }, { .objects = "!a/0" });
    ask_finalizer(4000);
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
    TEST_ASSERT_EQUAL_STRING("a/1 a/2 a/3 a/4 a/5 ...", holders());
    TEST_ASSERT_EQUAL(2, port.listed);
}

static void test_an_expired_token_begins_anew_once(void)
{
    SCRIPT(&port, resolve, { .r = 0 });
    SCRIPT(&port, list, { .objects = "a/1", .more = true }, { .r = PRB_E_GONE },
            { .objects = "a/1", .more = true }, { .objects = "!a/2" });
    ask_finalizer(4000);
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
    TEST_ASSERT_EQUAL_STRING("a/2", holders());
    TEST_ASSERT_EQUAL(4, port.listed);

    prb_questions_done(&questions);
    port.listed = 0;
    SCRIPT(&port, list, { .objects = "a/1", .more = true }, { .r = PRB_E_GONE });
    ask_finalizer(4000);
    ASSERT_UNKNOWN(PRB_E_GONE, "scripted");
    TEST_ASSERT_EQUAL(3, port.listed);
    TEST_ASSERT_EQUAL_STRING("", port.next);
}

static void test_nobody_has_it_when_the_kind_went(void)
{
    SCRIPT(&port, resolve, { .r = 0 }, { .r = PRB_E_NOTFOUND });
    SCRIPT(&port, list, { .objects = "a/1", .more = true }, { .r = PRB_E_NOTFOUND });
    ask_finalizer(4000);
    TEST_ASSERT_EQUAL_INT(PRB_ABSENT, answer->state);
    TEST_ASSERT_EQUAL_STRING("NotServed", answer->error.reason);
    TEST_ASSERT_EQUAL_STRING("", answer->resource);
}

/* ---- lists ---- */

static void test_a_list_is_read_whole_with_its_bodies(void)
{
    SCRIPT(&port, list, { .objects = "1 2", .more = true }, { .objects = "", .more = true },
            { .objects = "3" });
    ask_list();
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
    TEST_ASSERT_EQUAL_size_t(3, answer->object_count);
    TEST_ASSERT_EQUAL_STRING("3", prb_object_name(answer->objects[2]));
    TEST_ASSERT_TRUE(port.whole);
    TEST_ASSERT_EQUAL(0, port.resolved);
}

static void test_a_list_with_nothing_on_it_was_read(void)
{
    SCRIPT(&port, list, { .objects = "" });
    ask_list();
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
    TEST_ASSERT_EQUAL_size_t(0, answer->object_count);
}

/* What cannot be read of one CriticalService hides no other. */
static void test_what_cannot_be_read_of_one_object_fails_no_list(void)
{
    SCRIPT(&port, list, { .objects = "1 ?2 3" });
    ask_list();
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
    TEST_ASSERT_EQUAL_size_t(3, answer->object_count);
    TEST_ASSERT_TRUE(answer->object_count == 3 && prb_object_defect(answer->objects[1]));
}

static void test_a_list_that_is_not_whole_is_unknown(void)
{
    SCRIPT(&port, list, { .objects = "1 2", .more = true }, { .r = PRB_E_FORBIDDEN });
    ask_list();
    ASSERT_UNKNOWN(PRB_E_FORBIDDEN, "scripted");
    TEST_ASSERT_EQUAL_size_t(0, answer->object_count);
}

static void test_a_list_begins_anew_without_what_it_had(void)
{
    SCRIPT(&port, list, { .objects = "1 2", .more = true }, { .r = PRB_E_GONE },
            { .objects = "2", .more = true }, { .objects = "3" });
    ask_list();
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
    TEST_ASSERT_EQUAL_size_t(2, answer->object_count);
    TEST_ASSERT_EQUAL_STRING("2", prb_object_name(answer->objects[0]));
}

static void test_a_list_is_bounded(void)
{
    prb_auto(prb_str_done) struct prb_str names;
    struct line lists[2] = { { .more = true } };

    prb_str_init(&names, (size_t)1024 * 1024);
    for (int i = 0; i < PRB_ASK_LIST_MAX; i++)
        prb_str_addf(&names, "%s%d", i ? " " : "", i);
    lists[0].objects = prb_str_get(&names);
    lists[1].objects = "";
    port.lists = lists;
    port.list_count = 2;
    ask_list();
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
    TEST_ASSERT_EQUAL_size_t(PRB_ASK_LIST_MAX, answer->object_count);

    prb_questions_done(&questions);
    port.listed = 0;
    lists[1].objects = "one-too-many";
    ask_list();
    ASSERT_UNKNOWN(PRB_E_INVALID, "more than 5000 things");
    TEST_ASSERT_EQUAL_size_t(0, answer->object_count);
}

static void test_a_list_that_is_not_served_is_absent_when_discovery_says_so(void)
{
    static const struct line resolves[] = { { .r = PRB_E_NOTFOUND }, { .r = 0 },
        { .r = PRB_E_UNAVAILABLE } };
    static const enum prb_answer_state states[] = { PRB_ABSENT, PRB_UNKNOWN, PRB_UNKNOWN };

    for (size_t i = 0; i < 3; i++) {
        prb_questions_done(&questions);
        script_port_init(&port, &clock_held);
        SCRIPT(&port, list, { .r = PRB_E_NOTFOUND });
        port.resolves = &resolves[i];
        port.resolve_count = 1;
        ask_list();
        TEST_ASSERT_EQUAL_INT(states[i], answer->state);
        TEST_ASSERT_EQUAL(1, port.forgot);
        if (states[i] == PRB_ABSENT)
            TEST_ASSERT_EQUAL_STRING("NotServed", answer->error.reason);
        else
            TEST_ASSERT_EQUAL_INT(PRB_E_UNAVAILABLE, answer->error.code);
    }
}

/* ---- access ---- */

static void ask_access(bool extra_cut)
{
    struct prb_ref ref = { { "probate.dev", "v1alpha1", "criticalservices" }, "", "x" };
    char **groups = prb_calloc(2, sizeof(char *));
    prb_auto(prb_subject_unref) struct prb_subject *subject = NULL;
    struct prb_request request = { .operation = PRB_DELETE };

    groups[0] = prb_strdup("dev");
    subject = prb_subject_new(
            prb_strdup("alice"), prb_strdup("u-1"), groups, prb_strdup("{\"scopes\":[\"a\"]}"));
    subject->extra_cut = extra_cut;
    request.subject = subject;
    prb_questions_done(&questions);
    prb_ask_access(&questions, &request, "override", &ref);
    ask_within(4000);
}

static void test_access_is_yes_no_or_unknown(void)
{
    port.may = PRB_ACCESS_ALLOWED;
    ask_access(false);
    TEST_ASSERT_EQUAL_INT(PRB_PRESENT, answer->state);
    TEST_ASSERT_EQUAL_STRING("alice", port.access.user);
    TEST_ASSERT_EQUAL_STRING("u-1", port.access.uid);
    TEST_ASSERT_EQUAL_STRING("dev", port.access.groups[0]);
    TEST_ASSERT_NULL(port.access.groups[1]);
    TEST_ASSERT_EQUAL_STRING("{\"scopes\":[\"a\"]}", port.access.extra);
    TEST_ASSERT_EQUAL_STRING("override", port.access.verb);
    TEST_ASSERT_EQUAL_STRING("probate.dev", port.access.group);
    TEST_ASSERT_EQUAL_STRING("criticalservices", port.access.resource);
    TEST_ASSERT_EQUAL_STRING("x", port.access.name);
    TEST_ASSERT_EQUAL_INT(4000, port.access.timeout_ms);

    port.may = PRB_ACCESS_DENIED;
    ask_access(false);
    TEST_ASSERT_EQUAL_INT(PRB_ABSENT, answer->state);

    for (int code = PRB_E_INVALID; code >= PRB_E_INTERNAL; code--) {
        port.may = code;
        ask_access(false);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                PRB_UNKNOWN, answer->state, prb_errc_name((enum prb_errc)code));
        TEST_ASSERT_EQUAL_INT(code, answer->error.code);
    }
}

/* Without it the authorizer might see somebody who may do more. Not UNSUPPORTED: that would say
 * that there are no users. */
static void test_a_subject_that_is_not_whole_is_not_asked_about(void)
{
    port.may = PRB_ACCESS_ALLOWED;
    ask_access(true);
    ASSERT_UNKNOWN(PRB_E_INVALID, "userInfo.extra is too large");
    TEST_ASSERT_NULL(port.access.user);
}

static void test_every_type_is_counted_by_its_name(void)
{
    static const char *const types[] = { "object", "resource", "named", "finalizer", "list",
        "access" };
    static const struct prb_ref ref = { { "g.io", "v1", "things" }, "ns", "x" };
    prb_auto(prb_str_done) struct prb_str text;

    port.may = PRB_E_UNSUPPORTED;
    ask_access(false);
    prb_ask_object(&questions, &ref);
    prb_ask_resource(&questions, "g.io", "Thing");
    prb_ask_named(&questions, "g.io", "Thing", "ns", "x");
    prb_ask_finalizer(&questions, "g.io", "Thing", "g.io/f");
    prb_ask_list(&questions, &ref.gvr);
    ask_within(4000);
    TEST_ASSERT_EQUAL_size_t(0, prb_questions_open(&questions));
    prb_str_init(&text, (size_t)64 * 1024);
    prb_metrics_print(&text);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        prb_autofree char *series =
                prb_asprintf("probate_questions_total{type=\"%s\",answer=\"unknown\"}", types[i]);

        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(prb_str_get(&text), series), series);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_object_is_found_by_what_people_call_its_kind);
    RUN_TEST(test_what_is_not_there_is_absent);
    RUN_TEST(test_in_the_wrong_scope_nobody_is_asked);
    RUN_TEST(test_not_served_is_news_or_nothing);
    RUN_TEST(test_a_kind_that_has_come_since_is_asked_about);
    RUN_TEST(test_what_discovery_knew_is_checked_when_the_server_does_not);
    RUN_TEST(test_an_error_of_discovery_leaves_it_open);
    RUN_TEST(test_a_right_that_lacks_can_be_named);
    RUN_TEST(test_who_has_a_finalizer_is_found_on_every_page);
    RUN_TEST(test_nobody_is_said_only_when_all_were_looked_at);
    RUN_TEST(test_who_was_found_is_told_whatever_happens_next);
    RUN_TEST(test_enough_is_enough);
    RUN_TEST(test_an_expired_token_begins_anew_once);
    RUN_TEST(test_nobody_has_it_when_the_kind_went);
    RUN_TEST(test_a_list_is_read_whole_with_its_bodies);
    RUN_TEST(test_a_list_with_nothing_on_it_was_read);
    RUN_TEST(test_what_cannot_be_read_of_one_object_fails_no_list);
    RUN_TEST(test_a_list_that_is_not_whole_is_unknown);
    RUN_TEST(test_a_list_begins_anew_without_what_it_had);
    RUN_TEST(test_a_list_is_bounded);
    RUN_TEST(test_a_list_that_is_not_served_is_absent_when_discovery_says_so);
    RUN_TEST(test_access_is_yes_no_or_unknown);
    RUN_TEST(test_a_subject_that_is_not_whole_is_not_asked_about);
    RUN_TEST(test_every_type_is_counted_by_its_name);
    return UNITY_END();
}
