/* What --controllers and --feature-gates mean. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/controllers.h"
#include "probate/reconcilers/registry.h"

static const struct prb_reconciler claims = { .name = "claims" };
static const struct prb_reconciler policy = { .name = "policy" };
static const struct prb_reconciler work = { .name = "work" };
static const struct prb_reconciler named = { .name = "zeal", .by_name = true };
static const struct prb_reconciler *const table[] = { &claims, &policy, &work, &named };
#define COUNT (sizeof(table) / sizeof(table[0]))

static struct prb_error err;

void setUp(void)
{
    err = (struct prb_error){ 0 };
}

static void drop(void);

void tearDown(void)
{
    drop();
}

/* `names` with commas; the answer as one letter for each chosen controller. */
static int choose(const char *names, char letters[COUNT + 1])
{
    prb_auto(prb_list_done) struct prb_list list = { 0 };
    bool chosen[COUNT] = { false };
    size_t used = 0;
    int r;

    for (const char *at = names; *at; at += strspn(at, ",")) {
        prb_list_add(&list, at, strcspn(at, ","));
        at += strcspn(at, ",");
    }
    r = prb_controllers_choose(&list, table, COUNT, chosen, &err);
    for (size_t i = 0; i < COUNT; i++) {
        if (chosen[i])
            letters[used++] = table[i]->name[0];
    }
    letters[used] = '\0';
    return r;
}

static void test_names_stars_and_exclusions_choose(void)
{
    static const struct {
        const char *names, *chosen;
    } cases[] = {
        { "*", "cpw" },
        { "", "cpw" },
        { "policy", "p" },
        { "work,claims", "cw" },
        { "-work", "cp" },
        { "*,-work", "cp" },
        { "-work,*", "cp" },
        { "claims,work,-claims", "w" },
        { "zeal", "z" },
        { "*,zeal", "cpwz" },
        { "zeal,-work,*", "cpz" },
        { "zeal,policy,-policy", "z" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char letters[COUNT + 1];

        TEST_ASSERT_EQUAL_MESSAGE(0, choose(cases[i].names, letters), cases[i].names);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].chosen, letters, cases[i].names);
    }
}

static void test_what_cannot_be_chosen_is_refused(void)
{
    static const struct {
        const char *names, *message;
    } cases[] = {
        { "polcy", "there is no controller \"polcy\"; did you mean policy?" },
        { "*,-polcy", "there is no controller \"polcy\"; did you mean policy?" },
        { "quite-else",
                "there is no controller \"quite-else\"; there is claims, policy, work, zeal" },
        { "-*", "there is no controller \"*\"; there is claims, policy, work, zeal" },
        { "work,-work", "this leaves no controller" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char letters[COUNT + 1];

        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, choose(cases[i].names, letters), cases[i].names);
        TEST_ASSERT_EQUAL_STRING(cases[i].message, err.msg);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", letters, "nothing is chosen on failure");
    }
}

/* The flags of a verb, and what they mean for the controllers that there are. */
struct options {
    struct prb_controller_flags controllers;
};

static const struct prb_flag verb_table[] = {
    PRB_CONTROLLERS_FLAG(struct options, controllers, "*", "What runs"),
    PRB_GATES_FLAG(struct options, controllers),
    PRB_MONITORED_FLAG(struct options, controllers.clusters, NULL),
    PRB_DELETE_WORKS_FLAG(struct options, controllers.clusters),
    PRB_CLUSTER_FINALIZER_FLAG(struct options, controllers.clusters),
    PRB_POLICY_NAMESPACE_FLAG(struct options, controllers.policies, NULL),
};
static const struct prb_flags flags = { verb_table, sizeof(verb_table) / sizeof(verb_table[0]) };

static struct options options;
static struct prb_controller_choice choice;
static enum prb_controller_place place;

static void drop(void)
{
    prb_controller_choice_done(&choice);
    prb_flags_done(&flags, &options);
    options = (struct options){ 0 };
}

/* The command line and the environment, as a verb takes them. */
static int make(const char *const *argv, const char *const *env)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    const struct prb_flag_input input = { .argv = argv, .env = env };
    int r;

    drop();
    r = prb_flags_parse(&flags, &input, &options, &args, &err);
    return r < 0 ? r : prb_controller_choice_make(&options.controllers, place, &choice, &err);
}
static const char *const no_env[] = { NULL };
#define MAKE(...) make((const char *const[]){ __VA_ARGS__, NULL }, no_env)

/* "critical-service deletion-watch"; the caller frees. */
static char *running(void)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, 1024);
    for (size_t i = 0; i < choice.count; i++) {
        if (choice.chosen[i])
            prb_str_addf(&text, "%s%s", text.len > 0 ? " " : "", choice.table[i]->name);
    }
    return prb_str_take(&text);
}

#define DELETION "cluster-deletion"
#define CRITICAL "critical-service"
#define WATCH "deletion-watch"
#define ON "--feature-gates=ClusterLifeCycle=true"
#define OFF "--feature-gates=ClusterLifeCycle=false"

static void test_a_gate_that_is_off_leaves_its_controller_out(void)
{
    static const struct {
        const char *argv[4];
        const char *running;
        bool meant;
    } cases[] = {
        { { NULL }, CRITICAL " " WATCH, true },
        { { OFF }, CRITICAL " " WATCH, true },
        { { "--controllers=*" }, CRITICAL " " WATCH, true },
        { { "--controllers=-" DELETION }, CRITICAL " " WATCH, false },
        { { "--controllers=" WATCH }, WATCH, false },
        { { ON }, DELETION " " CRITICAL " " WATCH, true },
        { { ON, "--feature-gates", "ClusterLifeCycle=true" }, DELETION " " CRITICAL " " WATCH,
                true },
        { { ON, "--controllers=-" DELETION }, CRITICAL " " WATCH, false },
        { { ON, "--controllers=" DELETION }, DELETION, true },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *names = NULL;

        TEST_ASSERT_EQUAL_MESSAGE(0, make(cases[i].argv, no_env), err.msg);
        names = running();
        TEST_ASSERT_EQUAL_STRING(cases[i].running, names);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].meant, choice.clusters_meant, cases[i].argv[0]);
    }
}

static void test_a_gate_may_come_from_the_environment(void)
{
    static const char *const argv[] = { NULL };
    static const char *const env[] = { "PROBATE_FEATURE_GATES=ClusterLifeCycle=true", NULL };

    TEST_ASSERT_EQUAL(0, make(argv, env));
    TEST_ASSERT_TRUE(prb_controller_choice_has(&choice, DELETION));
}

static void test_wrong_gates_are_refused(void)
{
    static const struct {
        const char *argv[4];
        const char *message;
    } cases[] = {
        { { "--feature-gates=ClusterLifecycle=true" },
                "--feature-gates: there is no feature gate \"ClusterLifecycle\"; did you mean "
                "ClusterLifeCycle?" },
        { { "--feature-gates=Nonsense=true" },
                "--feature-gates: there is no feature gate \"Nonsense\"; there is "
                "ClusterLifeCycle" },
        { { "--feature-gates=ClusterLifeCycle=True" },
                "--feature-gates: \"True\" is neither true nor false; did you mean true?" },
        { { "--feature-gates=ClusterLifeCycle=1" },
                "--feature-gates: \"1\" is neither true nor false" },
        { { "--feature-gates=ClusterLifeCycle" },
                "--feature-gates: \"ClusterLifeCycle\" is not of the form NAME=true|false" },
        { { ON, OFF }, "--feature-gates: ClusterLifeCycle is given both true and false" },
        { { "--controllers=" DELETION }, "--controllers: " DELETION " is off; it needs " ON },
        { { "--controllers=" DELETION "," WATCH, OFF },
                "--controllers: " DELETION " is off; it needs " ON },
        { { "--controllers=-" CRITICAL ",-" WATCH },
                "--controllers: this leaves no controller but what needs " ON },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, make(cases[i].argv, no_env), cases[i].message);
        TEST_ASSERT_EQUAL_STRING(cases[i].message, err.msg);
        TEST_ASSERT_NULL_MESSAGE(choice.table, "nothing is chosen on failure");
    }
}

/* The entry of the table, as the runner gets it. */
static const struct prb_reconciler *entry(const char *name)
{
    for (size_t i = 0; i < choice.count; i++) {
        if (prb_streq(choice.table[i]->name, name))
            return choice.table[i];
    }
    return NULL;
}

static void test_what_is_set_reaches_the_controller(void)
{
    const struct prb_cluster_settings *settings;

    TEST_ASSERT_EQUAL(0, MAKE(ON, "--cluster-finalizer=example.com/mine", "--delete-works=all",
                                 "--resources-to-monitor-for-deletion=pods.v1,"
                                 "machines.v1beta1.cluster.x-k8s.io"));
    settings = entry(DELETION) ? entry(DELETION)->settings : NULL;
    TEST_ASSERT_EQUAL_PTR(&choice.clusters->settings, settings);
    TEST_ASSERT_EQUAL_PTR(settings, prb_controller_choice_clusters(&choice));
    if (!settings)
        return;
    TEST_ASSERT_EQUAL_STRING("example.com/mine", settings->finalizer);
    TEST_ASSERT_EQUAL(PRB_DELETE_WORKS_ALL, settings->delete_works);
    TEST_ASSERT_EQUAL_size_t(2, settings->monitored_count);
    TEST_ASSERT_EQUAL_STRING("cluster.x-k8s.io", settings->monitored[1].group);
    TEST_ASSERT_EQUAL_PTR_MESSAGE(prb_reconciler_cluster_deletion.decide, entry(DELETION)->decide,
            "all else is the same");
    TEST_ASSERT_EQUAL_PTR(choice.critical_settings, entry(CRITICAL)->settings);
    TEST_ASSERT_EQUAL_PTR(prb_reconciler_critical_service.decide, entry(CRITICAL)->decide);
}

static void test_the_namespace_of_policies_reaches_their_controller(void)
{
    const struct prb_reconciler *made;

    TEST_ASSERT_EQUAL(0, MAKE("--controllers=policy", "--policy-namespace=managed"));
    made = entry("policy");
    TEST_ASSERT_NOT_NULL(made);
    TEST_ASSERT_EQUAL_STRING("managed", made ? made->namespace : "");
    TEST_ASSERT_EQUAL_STRING("managed", prb_controller_choice_policies(&choice));
    TEST_ASSERT_EQUAL(0, MAKE("--policy-namespace=managed"));
    TEST_ASSERT_NULL(prb_controller_choice_policies(&choice));
}

static void test_what_does_not_run_has_no_settings(void)
{
    TEST_ASSERT_EQUAL(0, MAKE("--delete-works=all"));
    TEST_ASSERT_NULL(prb_controller_choice_clusters(&choice));
}

static void test_the_help_says_which_gate_it_needs(void)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, 4096);
    prb_controllers_help(PRB_PLACE_SERVER, &text);
    TEST_ASSERT_NOT_NULL(strstr(prb_str_get(&text), "(needs " ON ")"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_names_stars_and_exclusions_choose);
    RUN_TEST(test_what_cannot_be_chosen_is_refused);
    RUN_TEST(test_a_gate_that_is_off_leaves_its_controller_out);
    RUN_TEST(test_a_gate_may_come_from_the_environment);
    RUN_TEST(test_wrong_gates_are_refused);
    RUN_TEST(test_what_is_set_reaches_the_controller);
    RUN_TEST(test_the_namespace_of_policies_reaches_their_controller);
    RUN_TEST(test_what_does_not_run_has_no_settings);
    RUN_TEST(test_the_help_says_which_gate_it_needs);
    return UNITY_END();
}
