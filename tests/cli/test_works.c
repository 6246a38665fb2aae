/* What --cluster-name, --agent-id and --eviction-grace-period mean, and where works run. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/controllers.h"

struct options {
    struct prb_controller_flags controllers;
};

static const struct prb_flag verb_table[] = {
    PRB_CONTROLLERS_FLAG(struct options, controllers, "*", "What runs"),
    PRB_WORK_FLAGS(struct options, controllers.works, "Works"),
};
static const struct prb_flags flags = { verb_table, sizeof(verb_table) / sizeof(verb_table[0]) };
static const char *const no_env[] = { NULL };

static struct options options;
static struct prb_controller_choice choice;
static struct prb_error err;

static void drop(void)
{
    prb_controller_choice_done(&choice);
    prb_flags_done(&flags, &options);
    options = (struct options){ 0 };
}

void setUp(void)
{
    err = (struct prb_error){ 0 };
}

void tearDown(void)
{
    drop();
}

static int make(enum prb_controller_place place, const char *const *argv)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    const struct prb_flag_input input = { .argv = argv, .env = no_env };
    int r;

    drop();
    r = prb_flags_parse(&flags, &input, &options, &args, &err);
    return r < 0 ? r : prb_controller_choice_make(&options.controllers, place, &choice, &err);
}
/* What was chosen; empty when nothing was. */
static struct prb_work_settings *chosen(void)
{
    static struct prb_work_settings nothing;

    nothing = (struct prb_work_settings){ .eviction_grace_ms = -1 };
    return choice.works ? choice.works : &nothing;
}

#define SERVER(...) make(PRB_PLACE_SERVER, (const char *const[]){ __VA_ARGS__, NULL })
#define AGENT(...) make(PRB_PLACE_AGENT, (const char *const[]){ __VA_ARGS__, NULL })

static void test_a_server_runs_works_only_where_they_are_named(void)
{
    static const char *const without[][3] = {
        { NULL },
        { "--controllers=*" },
        { "--controllers=-deletion-watch" },
        { "--controllers=*", "--cluster-name=c1" },
    };

    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
        TEST_ASSERT_EQUAL_MESSAGE(0, make(PRB_PLACE_SERVER, without[i]), err.msg);
        TEST_ASSERT_NULL(prb_controller_choice_works(&choice));
    }
    TEST_ASSERT_EQUAL_MESSAGE(0, SERVER("--controllers=*,work", "--cluster-name=c1"), err.msg);
    TEST_ASSERT_NOT_NULL(prb_controller_choice_works(&choice));
    TEST_ASSERT_TRUE(prb_controller_choice_has(&choice, "critical-service"));
}

/* The settings that the table has for the controller work. */
static const void *settings_of_work(void)
{
    for (size_t i = 0; i < choice.count; i++) {
        if (strcmp(choice.table[i]->name, "work") == 0)
            return choice.table[i]->settings;
    }
    return NULL;
}

static void test_an_agent_runs_works_and_has_policies(void)
{
    TEST_ASSERT_EQUAL_MESSAGE(0, AGENT("--cluster-name=c1"), err.msg);
    TEST_ASSERT_EQUAL_size_t(2, choice.count);
    TEST_ASSERT_NOT_NULL(prb_controller_choice_works(&choice));
    TEST_ASSERT_FALSE(prb_controller_choice_has(&choice, "policy"));
    TEST_ASSERT_NULL(prb_controller_choice_clusters(&choice));
    TEST_ASSERT_EQUAL_PTR(choice.works, settings_of_work());

    TEST_ASSERT_EQUAL(PRB_E_INVALID, AGENT("--controllers=critical-service", "--cluster-name=c1"));
    TEST_ASSERT_EQUAL_STRING(
            "--controllers: there is no controller \"critical-service\"; there is policy, work",
            err.msg);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, AGENT("--controllers=-work", "--cluster-name=c1"));
    TEST_ASSERT_EQUAL_STRING("--controllers: this leaves no controller", err.msg);
}

static void test_works_need_the_name_of_the_cluster(void)
{
    static const char text[] = "--cluster-name is missing: the controller work needs the name of "
                               "this cluster on the hub";

    TEST_ASSERT_EQUAL(PRB_E_INVALID, SERVER("--controllers=work"));
    TEST_ASSERT_EQUAL_STRING(text, err.msg);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, AGENT("--eviction-grace-period=1m"));
    TEST_ASSERT_EQUAL_STRING(text, err.msg);
}

#define SIXTY_THREE "a23456789012345678901234567890123456789012345678901234567890123"

static void test_the_name_is_one_that_a_namespace_can_have(void)
{
    static const char *const good[] = { "c", "cluster-1", "0", SIXTY_THREE };
    static const char *const bad[] = { "", "-a", "a-", "A", "a.b", "a_b", "a b", "a/b",
        SIXTY_THREE "4" };

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        TEST_ASSERT_EQUAL_MESSAGE(0, AGENT("--cluster-name", good[i]), good[i]);
        TEST_ASSERT_EQUAL_STRING(good[i], chosen()->cluster_name);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, AGENT("--cluster-name", bad[i]), bad[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, "--cluster-name"), err.msg);
    }
}

static void test_the_grace_of_an_eviction_may_be_endless(void)
{
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        { "0", 0 },
        { "90s", 90000 },
        { "876000h", 0 },
        { "2000000h", 0 },
        { "875999h", INT64_C(875999) * 3600 * 1000 },
    };

    TEST_ASSERT_EQUAL(0, AGENT("--cluster-name=c1"));
    TEST_ASSERT_EQUAL_INT64(PRB_EVICTION_GRACE_MS, chosen()->eviction_grace_ms);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_MESSAGE(
                0, AGENT("--cluster-name=c1", "--eviction-grace-period", cases[i].text), err.msg);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(cases[i].ms, chosen()->eviction_grace_ms, cases[i].text);
    }
    TEST_ASSERT_EQUAL(PRB_E_INVALID, AGENT("--cluster-name=c1", "--eviction-grace-period=1d"));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, "--eviction-grace-period"), err.msg);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, AGENT("--cluster-name=c1", "--eviction-grace-period=-1s"));
}

/* printf '%s' https://hub.example.com:6443 | sha256sum */
#define HUB "https://hub.example.com:6443"
#define HUB_HASH "badbd4de19b639898c31f168ba913abc5d9e2bbcf25d70e3ee016190492578ae"

static void test_the_hub_gives_its_hash_and_the_agent_its_name(void)
{
    TEST_ASSERT_EQUAL(0, AGENT("--cluster-name=c1"));
    prb_works_settle(chosen(), HUB);
    TEST_ASSERT_EQUAL_STRING(HUB_HASH, chosen()->hub_hash);
    TEST_ASSERT_EQUAL_STRING(HUB_HASH, chosen()->agent_id);

    TEST_ASSERT_EQUAL(0, AGENT("--cluster-name=c1", "--agent-id=mine"));
    prb_works_settle(chosen(), HUB);
    TEST_ASSERT_EQUAL_STRING(HUB_HASH, chosen()->hub_hash);
    TEST_ASSERT_EQUAL_STRING("mine", chosen()->agent_id);
}

static void test_an_agent_has_a_name_that_can_be_read(void)
{
    char longest[PRB_NAME_SIZE + 1];

    memset(longest, 'a', sizeof(longest) - 1);
    longest[PRB_NAME_SIZE] = '\0';
    TEST_ASSERT_EQUAL(PRB_E_INVALID, AGENT("--cluster-name=c1", "--agent-id", longest));
    TEST_ASSERT_EQUAL_STRING("--agent-id: longer than 253 bytes", err.msg);
    longest[PRB_NAME_SIZE - 1] = '\0';
    TEST_ASSERT_EQUAL(0, AGENT("--cluster-name=c1", "--agent-id", longest));
    TEST_ASSERT_EQUAL(PRB_E_INVALID, AGENT("--cluster-name=c1", "--agent-id=a b"));
    TEST_ASSERT_EQUAL(PRB_E_INVALID, AGENT("--cluster-name=c1", "--agent-id=\xC3\xA4"));
}

static void test_the_help_says_that_it_has_to_be_named(void)
{
    prb_auto(prb_str_done) struct prb_str server, agent;

    prb_str_init(&server, 8192);
    prb_str_init(&agent, 8192);
    prb_controllers_help(PRB_PLACE_SERVER, &server);
    prb_controllers_help(PRB_PLACE_AGENT, &agent);
    TEST_ASSERT_NOT_NULL(strstr(prb_str_get(&server), "only when named"));
    TEST_ASSERT_NOT_NULL(strstr(prb_str_get(&agent), "  work  "));
    TEST_ASSERT_NULL(strstr(prb_str_get(&agent), "critical-service"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_server_runs_works_only_where_they_are_named);
    RUN_TEST(test_an_agent_runs_works_and_has_policies);
    RUN_TEST(test_works_need_the_name_of_the_cluster);
    RUN_TEST(test_the_name_is_one_that_a_namespace_can_have);
    RUN_TEST(test_the_grace_of_an_eviction_may_be_endless);
    RUN_TEST(test_the_hub_gives_its_hash_and_the_agent_its_name);
    RUN_TEST(test_an_agent_has_a_name_that_can_be_read);
    RUN_TEST(test_the_help_says_that_it_has_to_be_named);
    return UNITY_END();
}
