/* What is not served is gone only if no CustomResourceDefinition has it. */

#include <string.h>
#include <unity.h>

#include "probate/admission/asker.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "script_port.h"

#define THINGS "{'plural':'things','singular':'thing','kind':'Thing','shortNames':['th','tg']}"
#define OTHERS "{'plural':'others','singular':'other','kind':'Other','shortNames':['ot']}"

static struct prb_fake_clock clock_held;
static struct script_port port;
static struct prb_questions questions;
static const struct prb_question *answer; /* of the one question */

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

static void ask(void)
{
    int64_t now_ms = clock_held.clock.mono_ms(&clock_held.clock);

    prb_ask_all(&port.api, &clock_held.clock, now_ms + 4000, &questions);
    answer = &questions.items[0];
}

static void ask_finalizer(const char *group, const char *name)
{
    prb_questions_done(&questions);
    prb_ask_finalizer(&questions, group, name, "g.io/f");
    ask();
}

static void ask_list(void)
{
    static const struct prb_gvr gvr = { "g.io", "v1", "things" };

    prb_ask_list(&questions, &gvr);
    ask();
}

#define ASSERT_UNKNOWN(wanted, says)                                                      \
    do {                                                                                  \
        TEST_ASSERT_EQUAL_INT(PRB_UNKNOWN, answer->state);                                \
        TEST_ASSERT_EQUAL_INT_MESSAGE(wanted, answer->error.code, answer->error.msg);     \
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer->error.msg, says), answer->error.msg); \
    } while (0)

/* ---- not served ---- */

static void test_a_name_that_a_definition_has_is_unknown(void)
{
    static const struct {
        const char *name;
        enum prb_answer_state state;
    } cases[] = {
        { "things", PRB_UNKNOWN },
        { "THINGS", PRB_UNKNOWN },
        { "thing", PRB_UNKNOWN },
        { "Thing", PRB_UNKNOWN },
        { "th", PRB_UNKNOWN },
        { "Tg", PRB_UNKNOWN },
        { "thingies", PRB_ABSENT },
        { "t", PRB_ABSENT },
    };

    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    DEFINITIONS(&port, { "others.g.io", OTHERS }, { "things.g.io", THINGS },
            { "thingies.sub.g.io", "{'plural':'thingies','kind':'Thingies'}" },
            { "thingies.elsewhere.io", "{'plural':'thingies','kind':'Thingies'}" });
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ask_finalizer("g.io", cases[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].state, answer->state, cases[i].name);
        if (cases[i].state == PRB_ABSENT)
            TEST_ASSERT_EQUAL_STRING("NotServed", answer->error.reason);
        else
            ASSERT_UNKNOWN(PRB_E_UNAVAILABLE,
                    "CustomResourceDefinition things.g.io has it, but the API server does not");
    }
    TEST_ASSERT_FALSE_MESSAGE(port.whole, "definitions are listed without their bodies");
    TEST_ASSERT_EQUAL_MESSAGE(0, port.listed, "and nothing else is");
}

/* Each of the names alone is enough, and so is one that it was given when it asked for others: what
 * is asked for comes into force only when no other definition has it. */
static void test_each_of_the_names_of_a_definition_counts(void)
{
    static const struct {
        const char *what, *accepted;
        struct definition definition;
    } cases[] = {
        { "plural", NULL, { "as.g.io", "{'plural':'word'}" } },
        { "singular", NULL, { "as.g.io", "{'plural':'as','singular':'word','kind':'A'}" } },
        { "kind", NULL, { "as.g.io", "{'plural':'as','singular':'a','kind':'Word'}" } },
        { "first short name", NULL, { "as.g.io", "{'plural':'as','shortNames':['word','b']}" } },
        { "second short name", NULL, { "as.g.io", "{'plural':'as','shortNames':['b','word']}" } },
        { "accepted plural", "{'plural':'word'}", { "as.g.io", "{'plural':'as'}" } },
        { "accepted singular", "{'singular':'word'}", { "as.g.io", "{'singular':'b'}" } },
        { "accepted kind", "{'kind':'Word'}", { "as.g.io", "{'kind':'B'}" } },
        { "accepted short name", "{'shortNames':['word']}", { "as.g.io", "{}" } },
    };

    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        port.definitions = &cases[i].definition;
        port.definition_count = 1;
        port.definitions_accepted = cases[i].accepted;
        ask_finalizer("g.io", "word");
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_UNKNOWN, answer->state, cases[i].what);
        ask_finalizer("g.io", "words");
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_ABSENT, answer->state, cases[i].what);
    }
}

static void test_definitions_on_every_page_are_looked_at(void)
{
    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    DEFINITIONS(&port, { "others.g.io", OTHERS }, { "a.a.io", "{}" }, { "b.a.io", "{}" },
            { "things.g.io", THINGS });
    port.definitions_page = 1;
    ask_finalizer("g.io", "th");
    ASSERT_UNKNOWN(PRB_E_UNAVAILABLE, "things.g.io");
    TEST_ASSERT_EQUAL(4, port.definitions_listed);
    TEST_ASSERT_EQUAL_MESSAGE(2, port.definitions_got, "only those of the group");
}

/* Their groups have a dot. */
static void test_groups_of_kubernetes_have_no_definitions(void)
{
    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    port.definitions_list_r = PRB_E_FORBIDDEN;
    ask_finalizer("apps", "things");
    TEST_ASSERT_EQUAL_INT(PRB_ABSENT, answer->state);
    TEST_ASSERT_EQUAL(0, port.definitions_listed);
}

/* It is the same everywhere: a group was forgotten, or taken out of a schema. */
static void test_what_the_core_group_does_not_have_is_no_proof_of_absence(void)
{
    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    ask_finalizer("", "things");
    ASSERT_UNKNOWN(PRB_E_INVALID, "the core group has no things; say of which API group it is");
    TEST_ASSERT_EQUAL(0, port.definitions_listed);
}

static void test_what_cannot_be_looked_up_leaves_it_open(void)
{
    static const struct {
        int list_r, get_r;
        enum prb_errc code;
        const char *says;
    } cases[] = {
        { PRB_E_FORBIDDEN, 0, PRB_E_FORBIDDEN,
                "verb \"list\" on customresourcedefinitions.apiextensions.k8s.io" },
        { 0, PRB_E_FORBIDDEN, PRB_E_FORBIDDEN,
                "verb \"get\" on customresourcedefinitions.apiextensions.k8s.io" },
        { PRB_E_UNAVAILABLE, 0, PRB_E_UNAVAILABLE, "cannot be read: scripted" },
        { 0, PRB_E_IO, PRB_E_IO, "cannot be read: scripted" },

        /* Every API server has definitions; and none of these is the criterion's mistake. */
        { PRB_E_NOTFOUND, 0, PRB_E_UNAVAILABLE, "cannot be read: scripted" },
        { 0, PRB_E_NOTFOUND, PRB_E_UNAVAILABLE, "cannot be read: scripted" },
        { PRB_E_GONE, 0, PRB_E_UNAVAILABLE, "cannot be read: scripted" },
        { PRB_E_INVALID, 0, PRB_E_UNAVAILABLE, "cannot be read: scripted" },
        { 0, PRB_E_UNSUPPORTED, PRB_E_UNAVAILABLE, "cannot be read: scripted" },
    };

    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    DEFINITIONS(&port, { "others.g.io", OTHERS });
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        port.definitions_list_r = cases[i].list_r;
        port.definitions_get_r = cases[i].get_r;
        ask_finalizer("g.io", "things");
        ASSERT_UNKNOWN(cases[i].code, cases[i].says);
        TEST_ASSERT_EQUAL_STRING(
                cases[i].code == PRB_E_FORBIDDEN ? PRB_REASON_DEFINITIONS_FORBIDDEN : "",
                answer->error.reason);
    }
}

static void test_without_the_time_to_look_at_all_it_is_unknown(void)
{
    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    DEFINITIONS(&port, { "a.g.io", OTHERS }, { "b.g.io", OTHERS }, { "c.g.io", OTHERS },
            { "d.g.io", OTHERS });
    port.definitions_take_ms = 1300; /* and a tenth of a second is kept back */
    ask_finalizer("g.io", "things");
    ASSERT_UNKNOWN(PRB_E_UNAVAILABLE, "no time to read the CustomResourceDefinitions");
}

/* ---- served, but by a name that something else has ---- */

static void test_by_its_plural_a_resource_is_what_is_meant(void)
{
    SCRIPT(&port, resolve, { .r = 0 });
    SCRIPT(&port, list, { .objects = "a/b" });
    port.definitions_list_r = PRB_E_FORBIDDEN;
    ask_finalizer("g.io", "things");
    TEST_ASSERT_EQUAL_INT(PRB_ABSENT, answer->state);
    TEST_ASSERT_EQUAL(0, port.definitions_listed);
}

static void test_by_another_name_it_must_be_the_only_one(void)
{
    SCRIPT(&port, resolve, { .r = 0 });
    SCRIPT(&port, list, { .objects = "a/b" });
    DEFINITIONS(&port, { "things.g.io", THINGS }, { "others.g.io", OTHERS });
    ask_finalizer("g.io", "Thing");
    TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_ABSENT, answer->state, answer->error.msg);
    TEST_ASSERT_EQUAL(1, port.listed);
    ask_finalizer("g.io", "Others");
    ASSERT_UNKNOWN(PRB_E_UNSUPPORTED, "things are served by this name, but "
                                      "CustomResourceDefinition others.g.io has it, too");
    TEST_ASSERT_EQUAL_MESSAGE(1, port.listed, "nobody knows what to list");
}

/* ---- lists ---- */

static void test_a_list_of_what_is_defined_and_not_served_is_unknown(void)
{
    SCRIPT(&port, list, { .r = PRB_E_NOTFOUND });
    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    DEFINITIONS(&port, { "things.g.io", THINGS });
    port.definitions_list_r = PRB_E_INTERNAL; /* its name is known: nothing has to be listed */
    ask_list();
    ASSERT_UNKNOWN(PRB_E_UNAVAILABLE, "CustomResourceDefinition things.g.io has it");
    TEST_ASSERT_EQUAL_STRING(PRB_REASON_DEFINED, answer->error.reason);
}

static void test_a_list_of_what_is_not_defined_is_absent(void)
{
    SCRIPT(&port, list, { .r = PRB_E_NOTFOUND });
    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    DEFINITIONS(&port, { "others.g.io", OTHERS });
    ask_list();
    TEST_ASSERT_EQUAL_INT(PRB_ABSENT, answer->state);
    TEST_ASSERT_EQUAL_STRING("NotServed", answer->error.reason);
}

static void test_a_list_without_the_right_to_look_for_its_definition_says_so(void)
{
    SCRIPT(&port, list, { .r = PRB_E_NOTFOUND });
    SCRIPT(&port, resolve, { .r = PRB_E_NOTFOUND });
    port.definitions_get_r = PRB_E_FORBIDDEN;
    ask_list();
    ASSERT_UNKNOWN(PRB_E_FORBIDDEN, "verb \"get\" on customresourcedefinitions");
    TEST_ASSERT_EQUAL_STRING(PRB_REASON_DEFINITIONS_FORBIDDEN, answer->error.reason);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_name_that_a_definition_has_is_unknown);
    RUN_TEST(test_each_of_the_names_of_a_definition_counts);
    RUN_TEST(test_definitions_on_every_page_are_looked_at);
    RUN_TEST(test_groups_of_kubernetes_have_no_definitions);
    RUN_TEST(test_what_the_core_group_does_not_have_is_no_proof_of_absence);
    RUN_TEST(test_what_cannot_be_looked_up_leaves_it_open);
    RUN_TEST(test_without_the_time_to_look_at_all_it_is_unknown);
    RUN_TEST(test_by_its_plural_a_resource_is_what_is_meant);
    RUN_TEST(test_by_another_name_it_must_be_the_only_one);
    RUN_TEST(test_a_list_of_what_is_defined_and_not_served_is_unknown);
    RUN_TEST(test_a_list_of_what_is_not_defined_is_absent);
    RUN_TEST(test_a_list_without_the_right_to_look_for_its_definition_says_so);
    return UNITY_END();
}
