/* The flag parser: forms, types, environment, refusals, help. */

#include <stddef.h>
#include <string.h>
#include <unity.h>

#include "probate/cli/flags.h"

struct options {
    const char *file;
    int64_t count;
    int64_t pause_ms;
    int loud;
    int color;
    struct prb_address listen;
    struct prb_list names;
};

static const char *const colors[] = { "red", "green", NULL };

static const struct prb_flag table[] = {
    { .name = "file",
            .section = "Input",
            .type = PRB_FLAG_TEXT,
            .at = offsetof(struct options, file),
            .value = "FILE",
            .help = "The file to read." },
    { .name = "count",
            .type = PRB_FLAG_INT,
            .at = offsetof(struct options, count),
            .value = "N",
            .preset = "3",
            .min = 1,
            .max = 64,
            .help = "How many." },
    { .name = "pause",
            .section = "Behaviour",
            .type = PRB_FLAG_DURATION,
            .at = offsetof(struct options, pause_ms),
            .value = "TIME",
            .preset = "10s",
            .min = 0,
            .max = 60000,
            .help = "How long." },
    { .name = "loud",
            .type = PRB_FLAG_SWITCH,
            .at = offsetof(struct options, loud),
            .preset_text = "true on Sundays",
            .help = "Shout." },
    { .name = "color",
            .type = PRB_FLAG_ENUM,
            .at = offsetof(struct options, color),
            .choices = colors,
            .preset = "green",
            .help = "Which color." },
    { .name = "ops-listen",
            .type = PRB_FLAG_ADDRESS,
            .at = offsetof(struct options, listen),
            .value = "ADDR:PORT",
            .preset = "127.0.0.1:8081",
            .help = "A long text that says so much about this one flag that it cannot be shown on "
                    "a single line of the help and has to go on in the same column below." },
    { .name = "names",
            .type = PRB_FLAG_LIST,
            .at = offsetof(struct options, names),
            .value = "NAME,...",
            .help = "Which ones." },
};

static const struct prb_flags flags = { table, sizeof(table) / sizeof(table[0]) };

static struct options options;
static struct prb_args args;
static struct prb_error err;

void setUp(void)
{
    options = (struct options){ .loud = -1 };
    args = (struct prb_args){ 0 };
    err = (struct prb_error){ 0 };
}

void tearDown(void)
{
    prb_flags_done(&flags, &options);
    prb_args_done(&args);
}

static int parse_with(const char *const *env, const char *const *argv)
{
    struct prb_flag_input input = { .argv = argv, .env = env };

    return prb_flags_parse(&flags, &input, &options, &args, &err);
}

static const char *const no_env[] = { NULL };
#define PARSE(...) parse_with(no_env, (const char *const[]){ __VA_ARGS__, NULL })
#define ENV(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void test_without_flags_the_defaults_hold(void)
{
    TEST_ASSERT_EQUAL(0, parse_with(no_env, no_env));
    TEST_ASSERT_NULL(options.file);
    TEST_ASSERT_EQUAL_INT64(3, options.count);
    TEST_ASSERT_EQUAL_INT64(10000, options.pause_ms);
    TEST_ASSERT_EQUAL(1, options.color);
    TEST_ASSERT_EQUAL_STRING("127.0.0.1", options.listen.host);
    TEST_ASSERT_EQUAL(8081, options.listen.port);
    TEST_ASSERT_EQUAL(0, options.names.count);
}

static void test_a_flag_without_default_leaves_the_callers_value(void)
{
    TEST_ASSERT_EQUAL(0, parse_with(no_env, no_env));
    TEST_ASSERT_EQUAL(-1, options.loud);
}

static void test_a_value_comes_after_an_equals_sign_or_as_the_next_argument(void)
{
    TEST_ASSERT_EQUAL(0, PARSE("--file=a=b", "--count", "7", "--pause=1m", "--color", "red"));
    TEST_ASSERT_EQUAL_STRING("a=b", options.file);
    TEST_ASSERT_EQUAL_INT64(7, options.count);
    TEST_ASSERT_EQUAL_INT64(60000, options.pause_ms);
    TEST_ASSERT_EQUAL(0, options.color);
}

static void test_a_switch_stands_alone_or_says_true_or_false(void)
{
    TEST_ASSERT_EQUAL(0, PARSE("--loud", "rest"));
    TEST_ASSERT_EQUAL(1, options.loud);
    TEST_ASSERT_EQUAL(1, args.count);
    prb_args_done(&args);

    TEST_ASSERT_EQUAL(0, PARSE("--loud=false"));
    TEST_ASSERT_EQUAL(0, options.loud);
}

static void test_lists_take_commas_and_repetition(void)
{
    TEST_ASSERT_EQUAL(0, PARSE("--names", "a,b", "--names=-c"));
    TEST_ASSERT_EQUAL(3, options.names.count);
    TEST_ASSERT_EQUAL_STRING("a", options.names.items[0]);
    TEST_ASSERT_EQUAL_STRING("b", options.names.items[1]);
    TEST_ASSERT_EQUAL_STRING("-c", options.names.items[2]);
}

static void test_a_double_dash_ends_the_flags(void)
{
    TEST_ASSERT_EQUAL(0, PARSE("--count=2", "one", "--", "--file", "-"));
    TEST_ASSERT_NULL(options.file);
    TEST_ASSERT_EQUAL(3, args.count);
    TEST_ASSERT_EQUAL_STRING("one", args.items[0]);
    TEST_ASSERT_EQUAL_STRING("--file", args.items[1]);
    TEST_ASSERT_EQUAL_STRING("-", args.items[2]);
}

static void test_help_wins_over_everything_before_the_double_dash(void)
{
    TEST_ASSERT_EQUAL(0, PARSE("--nonsense", "--help"));
    TEST_ASSERT_TRUE(args.help);
    TEST_ASSERT_EQUAL(0, PARSE("-h"));
    TEST_ASSERT_TRUE(args.help);
    TEST_ASSERT_EQUAL(0, PARSE("--", "--help"));
    TEST_ASSERT_FALSE(args.help);
}

static void test_addresses_come_in_four_forms(void)
{
    static const struct {
        const char *text, *host;
        int port;
    } cases[] = {
        { "127.0.0.1:80", "127.0.0.1", 80 },
        { "[::1]:8081", "::1", 8081 },
        { ":9", "", 9 },
        { "localhost:65535", "127.0.0.1", 65535 },
        { "0.0.0.0:0", "0.0.0.0", 0 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_address address;
        char text[PRB_ADDRESS_TEXT_SIZE];

        TEST_ASSERT_TRUE_MESSAGE(prb_address_parse(cases[i].text, &address), cases[i].text);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].host, address.host, cases[i].text);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].port, address.port, cases[i].text);
        if (cases[i].text[0] != 'l') {
            prb_address_format(&address, text);
            TEST_ASSERT_EQUAL_STRING(cases[i].text, text);
        }
    }
}

static void test_what_is_no_address_is_refused(void)
{
    static const char *const cases[] = { "8081", "", ":", "127.0.0.1", "127.0.0.1:", "::1:8081",
        "[127.0.0.1]:80", "[]:80", "[::1]", "1.2.3.4:65536", "1.2.3.4:-1", "1.2.3.4:+1",
        "host.example:80", "[::1:80", "1.2.3.4:80x", " 1.2.3.4:80",
        "[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]:80" };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_address address;

        TEST_ASSERT_FALSE_MESSAGE(prb_address_parse(cases[i], &address), cases[i]);
    }
}

static void test_wrong_command_lines_get_a_text_that_helps(void)
{
    static const struct {
        const char *argv[4];
        const char *message;
    } cases[] = {
        { { "--fil", "x" }, "unknown flag --fil; did you mean --file?" },
        { { "--opslisten=s3cret" }, "unknown flag --opslisten; did you mean --ops-listen?" },
        { { "--quite-else" }, "unknown flag --quite-else" },
        { { "-x" }, "unknown flag -x" },
        { { "-count", "3" }, "unknown flag -count; did you mean --count?" },
        { { "--=x" }, "unknown flag --" },
        { { "--halp" }, "unknown flag --halp; did you mean --help?" },
        { { "--file" }, "--file needs a value: FILE" },
        { { "--file", "--count", "3" }, "--file needs a value before --count (a value that begins "
                                        "with dashes: --file=...)" },
        { { "--file=" }, "--file: the value is empty" },
        { { "--count=0" }, "--count: \"0\" is not a whole number from 1 to 64" },
        { { "--count=65" }, "--count: \"65\" is not a whole number from 1 to 64" },
        { { "--count=3x" }, "--count: \"3x\" is not a whole number from 1 to 64" },
        { { "--count=1", "--count=2" }, "--count is given twice" },
        { { "--pause=1h" },
                "--pause: \"1h\" is not a length of time from 0s to 1m, such as 15s or 1m30s" },
        { { "--pause=10" },
                "--pause: \"10\" is not a length of time from 0s to 1m, such as 15s or 1m30s" },
        { { "--loud=yes" }, "--loud: \"yes\" is neither true nor false" },
        { { "--color=blue" }, "--color: \"blue\" is none of red, green" },
        { { "--names=a,,b" }, "--names: \"a,,b\" has an empty entry" },
        { { "--names=a," }, "--names: \"a,\" has an empty entry" },
        { { "--ops-listen=8081" }, "--ops-listen: \"8081\" is no address to listen on, such as "
                                   "127.0.0.1:8081, [::1]:8081 or :8081" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        setUp();
        TEST_ASSERT_EQUAL_MESSAGE(
                PRB_E_INVALID, parse_with(no_env, cases[i].argv), cases[i].message);
        TEST_ASSERT_EQUAL_STRING(cases[i].message, err.msg);
        tearDown();
    }
}

static void test_the_environment_fills_what_the_command_line_leaves_open(void)
{
    const char *const *env = ENV("PROBATE_COUNT=9", "PROBATE_OPS_LISTEN=:1", "PROBATE_NAMES=a,b",
            "PROBATE_LOUD=true", "PROBATE_FILE=", "PROBATE_COUNTER=x", "OTHER=1");

    TEST_ASSERT_EQUAL(0, parse_with(env, ENV("--names=c", "--count=5")));
    TEST_ASSERT_EQUAL_INT64(5, options.count);
    TEST_ASSERT_EQUAL(1, options.listen.port);
    TEST_ASSERT_EQUAL(1, options.loud);
    TEST_ASSERT_NULL_MESSAGE(options.file, "an empty variable counts as absent");
    TEST_ASSERT_EQUAL_MESSAGE(1, options.names.count, "lists are replaced, not joined");
    TEST_ASSERT_EQUAL_STRING("c", options.names.items[0]);
}

static void test_what_is_said_is_known_also_when_it_is_the_default(void)
{
    TEST_ASSERT_EQUAL(0, parse_with(ENV("PROBATE_PAUSE=10s", "PROBATE_COLOR=", "PROBATE_LOUDER=1"),
                                 ENV("--count=3", "--", "--file=x")));
    TEST_ASSERT_TRUE(prb_args_say(&args, &flags, "count"));
    TEST_ASSERT_TRUE(prb_args_say(&args, &flags, "pause"));
    TEST_ASSERT_FALSE(prb_args_say(&args, &flags, "color"));
    TEST_ASSERT_FALSE(prb_args_say(&args, &flags, "loud"));
    TEST_ASSERT_FALSE(prb_args_say(&args, &flags, "file"));
    TEST_ASSERT_FALSE(prb_args_say(&args, &flags, "nobodys"));
}

static void test_a_bad_value_in_the_environment_names_the_variable(void)
{
    TEST_ASSERT_EQUAL(PRB_E_INVALID, parse_with(ENV("PROBATE_COUNT=many"), no_env));
    TEST_ASSERT_EQUAL_STRING("PROBATE_COUNT in the environment: \"many\" is not a whole number "
                             "from 1 to 64",
            err.msg);
}

static void test_a_bad_value_in_the_environment_does_not_matter_when_the_flag_is_given(void)
{
    TEST_ASSERT_EQUAL(0, parse_with(ENV("PROBATE_COUNT=many"), ENV("--count=4")));
    TEST_ASSERT_EQUAL_INT64(4, options.count);
}

static void test_the_help_is_aligned_and_wrapped(void)
{
    prb_auto(prb_str_done) struct prb_str help;

    prb_str_init(&help, 65536);
    prb_flags_help(&flags, &help);
    TEST_ASSERT_EQUAL_STRING(
            "Input:\n"
            "  --file FILE             The file to read. [PROBATE_FILE]\n"
            "  --count N               How many. Default: 3. [PROBATE_COUNT]\n"
            "\n"
            "Behaviour:\n"
            "  --pause TIME            How long. Default: 10s. [PROBATE_PAUSE]\n"
            "  --loud[=true|false]     Shout. Default: true on Sundays. [PROBATE_LOUD]\n"
            "  --color red|green       Which color. Default: green. [PROBATE_COLOR]\n"
            "  --ops-listen ADDR:PORT  A long text that says so much about this one flag that it "
            "cannot be shown\n"
            "                          on a single line of the help and has to go on in the same "
            "column below.\n"
            "                          Default: 127.0.0.1:8081. [PROBATE_OPS_LISTEN]\n"
            "  --names NAME,...        Which ones. [PROBATE_NAMES]\n",
            prb_str_get(&help));
}

static void test_no_line_of_the_help_is_wider_than_allowed(void)
{
    prb_auto(prb_str_done) struct prb_str help;
    size_t width = 0;

    prb_str_init(&help, 65536);
    prb_flags_help(&flags, &help);
    for (const char *c = prb_str_get(&help); *c; c++) {
        width = *c == '\n' ? 0 : width + 1;
        TEST_ASSERT_LESS_OR_EQUAL_size_t(PRB_HELP_WIDTH, width);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_without_flags_the_defaults_hold);
    RUN_TEST(test_a_flag_without_default_leaves_the_callers_value);
    RUN_TEST(test_a_value_comes_after_an_equals_sign_or_as_the_next_argument);
    RUN_TEST(test_a_switch_stands_alone_or_says_true_or_false);
    RUN_TEST(test_lists_take_commas_and_repetition);
    RUN_TEST(test_a_double_dash_ends_the_flags);
    RUN_TEST(test_help_wins_over_everything_before_the_double_dash);
    RUN_TEST(test_addresses_come_in_four_forms);
    RUN_TEST(test_what_is_no_address_is_refused);
    RUN_TEST(test_wrong_command_lines_get_a_text_that_helps);
    RUN_TEST(test_the_environment_fills_what_the_command_line_leaves_open);
    RUN_TEST(test_what_is_said_is_known_also_when_it_is_the_default);
    RUN_TEST(test_a_bad_value_in_the_environment_names_the_variable);
    RUN_TEST(test_a_bad_value_in_the_environment_does_not_matter_when_the_flag_is_given);
    RUN_TEST(test_the_help_is_aligned_and_wrapped);
    RUN_TEST(test_no_line_of_the_help_is_wider_than_allowed);
    return UNITY_END();
}
