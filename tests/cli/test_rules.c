/* What --rules, --rule-mode and --claim-resource mean. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/rules.h"

struct options {
    struct prb_rule_flags rules;
};

static const struct prb_flag table[] = { PRB_RULE_FLAGS(struct options, rules) };
static const struct prb_flags flags = { table, sizeof(table) / sizeof(table[0]) };

static struct options options;
static struct prb_args args;
static struct prb_rule_choice choice;
static struct prb_error err;

void setUp(void)
{
    options = (struct options){ 0 };
    args = (struct prb_args){ 0 };
    choice = (struct prb_rule_choice){ 0 };
    err = (struct prb_error){ 0 };
}

void tearDown(void)
{
    prb_rule_choice_done(&choice);
    prb_args_done(&args);
    prb_flags_done(&flags, &options);
}

/* The command line, as a verb takes it. */
static int choose(const char *const *argv)
{
    static const char *const no_env[] = { NULL };
    const struct prb_flag_input input = { .argv = argv, .env = no_env };
    int r = prb_flags_parse(&flags, &input, &options, &args, &err);

    return r < 0 ? r : prb_rules_choose(&options.rules, &choice, &err);
}
#define CHOOSE(...) choose((const char *const[]){ __VA_ARGS__, NULL })

/* "manifestwork-orphan=deny policy-prune=warn"; the caller frees. */
static char *chosen(void)
{
    static const char *const modes[] = { "deny", "warn", "audit" };
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, 1024);
    for (size_t i = 0; i < choice.count; i++)
        prb_str_addf(&text, "%s%s=%s", i > 0 ? " " : "", choice.rules[i]->name,
                modes[choice.entries[i].mode]);
    return prb_str_take(&text);
}

#define ORPHAN "manifestwork-orphan"
#define LIFECYCLE "cluster-lifecycle"
#define CLAIM "claim-delete-policy"
#define PRUNE "policy-prune"
#define CRITICAL "critical-service"

static void test_rules_are_chosen_in_the_order_of_the_table(void)
{
    static const struct {
        const char *argv[4];
        const char *chosen;
    } cases[] = {
        { { NULL },
                ORPHAN "=deny " LIFECYCLE "=deny " CLAIM "=deny " PRUNE "=deny " CRITICAL "=deny" },
        { { "--rules=*" },
                ORPHAN "=deny " LIFECYCLE "=deny " CLAIM "=deny " PRUNE "=deny " CRITICAL "=deny" },
        { { "--rules=" PRUNE "," ORPHAN }, ORPHAN "=deny " PRUNE "=deny" },
        { { "--rules=" PRUNE "," PRUNE }, PRUNE "=deny" },
        { { "--rules=-" CLAIM ",-" CRITICAL }, ORPHAN "=deny " LIFECYCLE "=deny " PRUNE "=deny" },
        { { "--rules=-" CLAIM ",*,-" CRITICAL }, ORPHAN "=deny " LIFECYCLE "=deny " PRUNE "=deny" },
        { { "--rules=" ORPHAN "," CLAIM ",-" CLAIM }, ORPHAN "=deny" },
        { { "--rules=" ORPHAN, "--rules", PRUNE }, ORPHAN "=deny " PRUNE "=deny" },
        { { "--rules=" ORPHAN "," LIFECYCLE, "--rule-mode=" LIFECYCLE "=warn" },
                ORPHAN "=deny " LIFECYCLE "=warn" },
        { { "--rules=" ORPHAN "," PRUNE, "--rule-mode=" PRUNE "=audit," ORPHAN "=deny" },
                ORPHAN "=deny " PRUNE "=audit" },
        { { "--rules=" ORPHAN, "--rule-mode=" PRUNE "=audit" }, ORPHAN "=deny" },
        { { "--rules=" PRUNE, "--rule-mode=" PRUNE "=warn", "--rule-mode=" PRUNE "=warn" },
                PRUNE "=warn" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *got = NULL, *wanted = NULL;

        TEST_ASSERT_EQUAL_INT_MESSAGE(0, choose(cases[i].argv), err.msg);
        got = chosen();
        wanted = prb_asprintf("%s selftest=deny", cases[i].chosen); /* it is no matter of choice */
        TEST_ASSERT_EQUAL_STRING(wanted, got);
        tearDown();
        setUp();
    }
}

static void test_what_is_not_known_is_refused_with_the_nearest(void)
{
    static const struct {
        const char *argument, *text;
    } cases[] = {
        { "--rules=policy-prun", "--rules: there is no rule \"policy-prun\"; did you mean " PRUNE },
        { "--rules=-cluster-livecycle", "\"cluster-livecycle\"; did you mean " LIFECYCLE },
        { "--rules=zebra", "--rules: there is no rule \"zebra\"; there is " ORPHAN ", " },
        { "--rules=-" ORPHAN ",-" LIFECYCLE ",-" CLAIM ",-" PRUNE ",-" CRITICAL,
                "--rules: this leaves no rule" },
        { "--rules=" PRUNE ",-" PRUNE, "--rules: this leaves no rule" },
        { "--rule-mode=policy-prune",
                "--rule-mode: \"policy-prune\" is not of the form NAME=MODE" },
        { "--rule-mode=policy-pruen=warn", "--rule-mode: there is no rule \"policy-pruen\"; did" },
        { "--rule-mode=policy-prune=warm", "\"warm\" is no mode; did you mean warn?" },
        { "--rule-mode=policy-prune=", "\"\" is no mode; there are deny, warn and audit" },
        { "--rule-mode=policy-prune=ignore",
                "\"ignore\" is no mode; there are deny, warn and audit" },
        { "--rule-mode=" PRUNE "=warn," PRUNE "=audit",
                "--rule-mode: " PRUNE " is given two modes" },
        { "--claim-resource=buckets", "--claim-resource: \"buckets\" is not of the form" },
        { "--claim-resource=buckets.", "is not of the form PLURAL.GROUP" },
        { "--claim-resource=buckets.v1", "is not of the form PLURAL.GROUP" },
        { "--claim-resource=buckets.v1.", "is not of the form PLURAL.GROUP" },
        { "--claim-resource=.example.org", "is not of the form PLURAL.GROUP" },
        { "--claim-resource=Buckets.example.org", "is not of the form PLURAL.GROUP" },
        { "--claim-resource=buckets.example..org", "is not of the form PLURAL.GROUP" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_INVALID, CHOOSE(cases[i].argument), cases[i].argument);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, cases[i].text), err.msg);
        TEST_ASSERT_EQUAL_size_t(0, choice.count);
        tearDown();
        setUp();
    }
}

static void test_claims_are_named_with_or_without_a_version(void)
{
    static const struct {
        const char *text;
        struct prb_gvr gvr;
    } cases[] = {
        { "buckets.example.org", { "example.org", "", "buckets" } },
        { "buckets.v1.example.org", { "example.org", "v1", "buckets" } },
        { "buckets.v1alpha1.example.org", { "example.org", "v1alpha1", "buckets" } },
        { "buckets.v2beta10.example.org", { "example.org", "v2beta10", "buckets" } },
        { "buckets.v1x.org", { "v1x.org", "", "buckets" } },
        { "buckets.vault.org", { "vault.org", "", "buckets" } },
        { "buckets.v1beta.org", { "v1beta.org", "", "buckets" } },
        { "buckets.org", { "org", "", "buckets" } },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_judge judge;

        TEST_ASSERT_EQUAL_INT_MESSAGE(0, CHOOSE("--claim-resource", cases[i].text), err.msg);
        judge = prb_rule_choice_judge(&choice);
        TEST_ASSERT_EQUAL_size_t(1, judge.settings.claim_count);
        TEST_ASSERT_TRUE_MESSAGE(
                prb_gvr_equal(&cases[i].gvr, &judge.settings.claims[0]), cases[i].text);
        TEST_ASSERT_EQUAL_PTR(choice.entries, judge.entries);
        TEST_ASSERT_EQUAL_size_t(6, judge.count);
        tearDown();
        setUp();
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_rules_are_chosen_in_the_order_of_the_table);
    RUN_TEST(test_what_is_not_known_is_refused_with_the_nearest);
    RUN_TEST(test_claims_are_named_with_or_without_a_version);
    return UNITY_END();
}
