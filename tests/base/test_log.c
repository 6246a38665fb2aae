#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/base/json.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"

/* "2026-01-02T03:04:05.678Z " */
#define STAMP_LEN 25

static int ends[2];

void setUp(void)
{
    if (pipe(ends) < 0)
        TEST_FAIL_MESSAGE("no pipe");
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

void tearDown(void)
{
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, STDERR_FILENO);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

/* What was logged since, at most one pipe full. */
static char *logged(void)
{
    struct prb_str s;
    char chunk[4096];
    ssize_t got;

    prb_str_init(&s, SIZE_MAX / 2);
    while ((got = read(ends[0], chunk, sizeof(chunk))) > 0)
        prb_str_addn(&s, chunk, (size_t)got);
    return prb_str_take(&s);
}

static void test_a_text_line_has_time_level_message_and_pairs(void)
{
    prb_autofree char *line = NULL;
    char stamp[STAMP_LEN];
    int64_t ms;

    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, ends[1]);
    prb_info("request denied", KV("rule", "orphan"), KV("uid", NULL), KV_INT("us", -12));
    line = logged();
    TEST_ASSERT_EQUAL_STRING(
            "info  request denied rule=orphan uid=\"\" us=-12\n", line + STAMP_LEN);
    (void)snprintf(stamp, sizeof(stamp), "%s", line);
    TEST_ASSERT_TRUE_MESSAGE(prb_time_parse(stamp, &ms), stamp);
    TEST_ASSERT_EQUAL_CHAR('.', line[19]);
    TEST_ASSERT_EQUAL_CHAR('Z', line[23]);
}

static void test_a_line_may_have_no_pairs(void)
{
    prb_autofree char *text = NULL;
    prb_autofree char *json = NULL;

    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, ends[1]);
    prb_log_error("stopped");
    text = logged();
    TEST_ASSERT_EQUAL_STRING("error stopped\n", text + STAMP_LEN);
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_JSON, ends[1]);
    prb_warn("stopped");
    json = logged();
    TEST_ASSERT_EQUAL_STRING("\",\"level\":\"warn\",\"msg\":\"stopped\"}\n",
            strstr(json, "Z\"") ? strstr(json, "Z\"") + 1 : json);
}

static void test_values_cannot_forge_text_or_lines(void)
{
    static const struct {
        const char *value, *printed;
    } cases[] = {
        { "plain-1/x:y", "plain-1/x:y" },
        { "", "\"\"" },
        { "two words", "\"two words\"" },
        { "a=b", "\"a=b\"" },
        { "say \"hi\"", "\"say \\\"hi\\\"\"" },
        { "back\\slash", "\"back\\\\slash\"" },
        { "x\ny info forged", "\"x\\ny info forged\"" },
        { "\x1B[31m", "\"\\u001b[31m\"" },
        { "\x7F", "\"\\u007f\"" },
        { "\xC2\x9B[31m", "\"\\u009b[31m\"" },
        { "caf\xC3\xA9", "\"caf\xC3\xA9\"" },
        { "bad\xFF", "\"bad\xEF\xBF\xBD\"" },
    };

    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, ends[1]);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *expected = prb_asprintf("info  m v=%s\n", cases[i].printed);
        prb_autofree char *line = NULL;

        prb_info("m", KV("v", cases[i].value));
        line = logged();
        TEST_ASSERT_EQUAL_STRING(expected, line + STAMP_LEN);
    }
}

static void test_a_json_line_is_json_whatever_the_values(void)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    prb_autofree char *line = NULL;
    struct prb_error err = { .msg = "" };
    int64_t number = 0, ms;

    prb_log_configure(PRB_LOG_INFO, PRB_LOG_JSON, ends[1]);
    prb_info("m \"q\"", KV("v", "a\n\"\xFF\x01"), KV_INT("n", 7), KV("none", NULL));
    line = logged();
    TEST_ASSERT_EQUAL_CHAR('\n', line[strlen(line) - 1]);
    TEST_ASSERT_EQUAL_INT_MESSAGE(
            0, prb_json_parse(line, strlen(line), NULL, &tree, &err), err.msg);
    TEST_ASSERT_TRUE(prb_time_parse(prb_json_str(tree, "ts"), &ms));
    TEST_ASSERT_EQUAL_STRING("info", prb_json_str(tree, "level"));
    TEST_ASSERT_EQUAL_STRING("m \"q\"", prb_json_str(tree, "msg"));
    TEST_ASSERT_EQUAL_STRING("a\n\"\xEF\xBF\xBD\x01", prb_json_str(tree, "v"));
    TEST_ASSERT_EQUAL_STRING("", prb_json_str(tree, "none"));
    TEST_ASSERT_TRUE(prb_json_int(tree, "n", &number));
    TEST_ASSERT_EQUAL_INT64(7, number);
}

static void test_a_long_value_is_cut_and_says_so(void)
{
    static char value[PRB_LOG_VALUE_MAX * 2 + 1];
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    prb_autofree char *text = NULL;
    prb_autofree char *json = NULL;
    struct prb_error err = { .msg = "" };

    /* Three-byte characters: PRB_LOG_VALUE_MAX is no multiple of three. */
    for (size_t i = 0; i + 3 < sizeof(value); i += 3)
        memcpy(value + i, "\xE2\x82\xAC", 4);
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, ends[1]);
    prb_info("m", KV("v", value));
    text = logged();
    TEST_ASSERT_TRUE(strlen(text) < PRB_LOG_VALUE_MAX + 64);
    TEST_ASSERT_EQUAL_STRING("\xE2\x82\xAC\"...\n", text + strlen(text) - 8);

    prb_log_configure(PRB_LOG_INFO, PRB_LOG_JSON, ends[1]);
    prb_info("m", KV("v", value), KV("after", "x"));
    json = logged();
    TEST_ASSERT_EQUAL_INT_MESSAGE(
            0, prb_json_parse(json, strlen(json), NULL, &tree, &err), err.msg);
    TEST_ASSERT_EQUAL_size_t(PRB_LOG_VALUE_MAX / 3 * 3 + 3, strlen(prb_json_str(tree, "v")));
    TEST_ASSERT_EQUAL_STRING("x", prb_json_str(tree, "after"));
}

static void test_lines_below_the_least_level_are_left_out(void)
{
    prb_autofree char *lines = NULL;

    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, ends[1]);
    prb_debug("no");
    prb_info("no");
    prb_warn("yes");
    prb_log_error("yes");
    lines = logged();
    TEST_ASSERT_NULL(strstr(lines, "no"));
    TEST_ASSERT_NOT_NULL(strstr(lines, "warn  yes"));
    TEST_ASSERT_NOT_NULL(strstr(lines, "error yes"));
}

static void test_names_of_levels_and_formats_are_read(void)
{
    enum prb_log_level level = PRB_LOG_INFO;
    enum prb_log_format format = PRB_LOG_TEXT;

    TEST_ASSERT_TRUE(prb_log_level_parse("debug", &level));
    TEST_ASSERT_EQUAL_INT(PRB_LOG_DEBUG, level);
    TEST_ASSERT_TRUE(prb_log_level_parse("error", &level));
    TEST_ASSERT_EQUAL_INT(PRB_LOG_ERROR, level);
    TEST_ASSERT_FALSE(prb_log_level_parse("loud", &level));
    TEST_ASSERT_FALSE(prb_log_level_parse("Error", &level));
    TEST_ASSERT_TRUE(prb_log_format_parse("json", &format));
    TEST_ASSERT_EQUAL_INT(PRB_LOG_JSON, format);
    TEST_ASSERT_FALSE(prb_log_format_parse("xml", &format));
    TEST_ASSERT_EQUAL_INT(PRB_LOG_JSON, format);
}

static void test_logging_leaves_errno_alone(void)
{
    prb_autofree char *lines = NULL;

    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, -1);
    errno = ENOENT;
    prb_info("nowhere");
    TEST_ASSERT_EQUAL_INT(ENOENT, errno);
    lines = logged();
    TEST_ASSERT_EQUAL_STRING("", lines);
}

/* Long enough to be torn apart, few enough to fit the pipe: 4 * 2 * 6 KiB. */
#define WRITERS 4
#define LINES_EACH 2

static void *write_lines(void *letter)
{
    static char texts[WRITERS][2001];
    char *text = texts[*(const char *)letter - 'a'];

    memset(text, *(const char *)letter, 2000);
    for (int i = 0; i < LINES_EACH; i++)
        prb_info("m", KV("x", text), KV("y", text), KV("z", text));
    return NULL;
}

static void test_lines_of_several_threads_stay_whole(void)
{
    static char letters[WRITERS] = { 'a', 'b', 'c', 'd' };
    pthread_t threads[WRITERS];
    prb_autofree char *lines = NULL;
    size_t count = 0;

    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, ends[1]);
    for (size_t i = 0; i < WRITERS; i++)
        TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[i], NULL, write_lines, &letters[i]));
    for (size_t i = 0; i < WRITERS; i++)
        (void)pthread_join(threads[i], NULL);

    lines = logged();
    for (char *line = lines, *end; (end = strchr(line, '\n')); line = end + 1) {
        const char *x = strstr(line, " x=");

        TEST_ASSERT_NOT_NULL(x);
        TEST_ASSERT_EQUAL_size_t(
                STAMP_LEN + strlen("info  m") + 3 * strlen(" x=") + 6000, (size_t)(end - line));
        TEST_ASSERT_TRUE(x[3] == x[2002] && x[3] == end[-1]);
        count++;
    }
    TEST_ASSERT_EQUAL_size_t((size_t)WRITERS * LINES_EACH, count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_text_line_has_time_level_message_and_pairs);
    RUN_TEST(test_a_line_may_have_no_pairs);
    RUN_TEST(test_values_cannot_forge_text_or_lines);
    RUN_TEST(test_a_json_line_is_json_whatever_the_values);
    RUN_TEST(test_a_long_value_is_cut_and_says_so);
    RUN_TEST(test_lines_below_the_least_level_are_left_out);
    RUN_TEST(test_names_of_levels_and_formats_are_read);
    RUN_TEST(test_logging_leaves_errno_alone);
    RUN_TEST(test_lines_of_several_threads_stay_whole);
    return UNITY_END();
}
