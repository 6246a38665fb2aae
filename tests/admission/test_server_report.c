/* What people get to know of reviews: lines in the log, and numbers. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"

#include "server_world.h"

#define TEXT_MAX ((size_t)1024 * 1024)

static struct server_world world;
static int log_fd;

void setUp(void)
{
    world_init(&world);
    log_fd = memfd_create("log", MFD_CLOEXEC);
}

void tearDown(void)
{
    world_done(&world);
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, STDERR_FILENO);
    (void)close(log_fd);
}

/* All that was logged so far; the caller frees. */
static char *logged(void)
{
    char *text = prb_calloc(1, TEXT_MAX);

    if (pread(log_fd, text, TEXT_MAX - 1, 0) < 0)
        perror("log");
    return text;
}

static unsigned count(const char *text, const char *part)
{
    unsigned found = 0;

    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found++;
    return found;
}

/* Is there a line with all of these in it? */
static bool has_line(const char *text, const char *const *parts)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        prb_autofree char *copy = prb_strndup(line, strcspn(line, "\n"));
        size_t i = 0;

        while (parts[i] && strstr(copy, parts[i]))
            i++;
        if (!parts[i])
            return true;
        if (!line[strcspn(line, "\n")])
            break;
    }
    return false;
}

static char *metrics(void)
{
    struct prb_str text;

    prb_str_init(&text, TEXT_MAX);
    prb_metrics_print(&text);
    return prb_str_take(&text);
}

/* The value of a series, 0 when it is not there. */
static double value_of(const char *series)
{
    prb_autofree char *text = metrics();
    prb_autofree char *line = prb_asprintf("\n%s ", series);
    const char *at = strstr(text, line);

    return at ? strtod(at + strlen(line), NULL) : 0;
}

static void call(const char *name)
{
    free(world_call(&world, name));
}

static void test_each_denial_is_one_line_that_says_who_wanted_what(void)
{
    static const char *const forbidden[] = { "\"msg\":\"denied\"", "\"rule\":\"test\"",
        "\"code\":403", "\"operation\":\"CREATE\"", "\"resource\":\"things\"",
        "\"namespace\":\"ns\"", "\"name\":\"deny-it\"", "\"user\":\"alice\"", "\"uid\":\"u-1\"",
        "\"us\":", NULL };
    static const char *const invalid[] = { "\"msg\":\"denied\"", "\"code\":422",
        "\"name\":\"invalid\"", NULL };
    prb_autofree char *text = NULL;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_JSON, log_fd);
    call("deny-it");
    call("invalid");
    call("fine");
    call("warned");
    text = logged();
    TEST_ASSERT_TRUE_MESSAGE(has_line(text, forbidden), text);
    TEST_ASSERT_TRUE_MESSAGE(has_line(text, invalid), text);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(2, count(text, "\n"), text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "lorem"), "no payload");
}

static void test_what_is_allowed_is_told_only_to_who_wants_every_detail(void)
{
    static const char *const allowed[] = { "allowed", "name=fine", "user=alice", "uid=u-1", NULL };
    prb_autofree char *text = NULL;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    prb_log_configure(PRB_LOG_DEBUG, PRB_LOG_TEXT, log_fd);
    call("fine");
    text = logged();
    TEST_ASSERT_TRUE_MESSAGE(has_line(text, allowed), text);
}

static void test_names_cannot_forge_a_line(void)
{
    prb_autofree char *review = review_of("deny-it", "u\\n2026 info  denied", 0);
    prb_auto(answer_done) struct answer answer = { 0 };
    prb_autofree char *text = NULL;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, log_fd);
    TEST_ASSERT_TRUE(https_call_once(world_port(&world), world.client, review, &answer));
    text = logged();
    TEST_ASSERT_EQUAL_UINT_MESSAGE(answer.status == 200 ? 1 : 0, count(text, "\n"), text);
}

static void test_reviews_are_counted_by_decision_and_rule(void)
{
#define REVIEWS(decision) \
    "probate_admission_reviews_total{operation=\"CREATE\",decision=\"" decision "\",rule=\"test\"}"
    static const char *const series[] = {
        REVIEWS("allow"),
        REVIEWS("deny"),
        REVIEWS("unavailable"),
        "probate_admission_duration_seconds_count",
        "probate_admission_answers_total{code=\"200\"}",
    };
    static const double wanted[] = { 2, 1, 1, 4, 4 };
    double before[5];

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    for (size_t i = 0; i < 5; i++)
        before[i] = value_of(series[i]);
    call("fine");
    call("warned");
    call("deny-it");
    call("unsure");
    for (size_t i = 0; i < 5; i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                (int)wanted[i], (int)(value_of(series[i]) - before[i]), series[i]);
}

static void test_a_rule_in_audit_mode_is_counted_and_logged(void)
{
    static const char *const noted[] = { "would be denied", "rule=test", "name=deny-it", NULL };
    static const char audited[] =
            "probate_admission_audited_total{operation=\"CREATE\",rule=\"test\"}";
    struct prb_rule_entry entry = world.judge.entries[0];
    double before = value_of(audited);
    prb_autofree char *text = NULL, *body = NULL;

    entry.mode = PRB_MODE_AUDIT;
    world.judge.entries = &entry;
    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, log_fd);
    body = world_call(&world, "deny-it");
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(body), body);
    text = logged();
    TEST_ASSERT_TRUE_MESSAGE(has_line(text, noted), text);
    TEST_ASSERT_EQUAL_INT(1, (int)(value_of(audited) - before));
    world_stop(&world, 0);
}

static void test_who_goes_past_a_rule_is_counted_and_logged_with_the_reason(void)
{
    static const char *const noted[] = { "warn", "overridden", "rule=test", "name=override-it",
        "user=alice", "reason=\"it burns\"", NULL };
    static const char overrides[] = "probate_overrides_total{rule=\"test\"}";
    double before = value_of(overrides);
    prb_autofree char *text = NULL, *body = NULL;

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, log_fd);
    body = world_call(&world, "override-it");
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(body), body);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(body, "\"override\":\"it burns\""), body);
    text = logged();
    TEST_ASSERT_TRUE_MESSAGE(has_line(text, noted), text);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(1, count(text, "\n"), text);
    TEST_ASSERT_EQUAL_INT(1, (int)(value_of(overrides) - before));
}

/* A dry run is no override, and past a rule that only warns nobody has to go. */
static void test_what_is_no_override_is_not_counted_as_one(void)
{
    static const char overrides[] = "probate_overrides_total{rule=\"test\"}";
    struct prb_rule_entry entry = world.judge.entries[0];
    prb_autofree char *review = review_of("override-it", "u", 0);
    prb_autofree char *text = NULL;
    prb_auto(answer_done) struct answer answer = { 0 };
    double before = value_of(overrides);
    char *dry_run = strstr(review, "\"dryRun\":false");

    TEST_ASSERT_NOT_NULL(dry_run);
    if (dry_run)
        memcpy(dry_run, "\"dryRun\": true", strlen("\"dryRun\": true"));
    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, log_fd);
    TEST_ASSERT_TRUE(https_call_once(world_port(&world), world.client, review, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    world_stop(&world, 0);

    entry.mode = PRB_MODE_WARN;
    world.judge.entries = &entry;
    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    call("override-it");
    world_stop(&world, 0);
    text = logged();
    TEST_ASSERT_EQUAL_STRING("", text);
    TEST_ASSERT_EQUAL_INT(0, (int)(value_of(overrides) - before));
}

static void test_verdicts_after_the_deadline_are_counted(void)
{
    static const char late[] = "probate_admission_deadline_exceeded_total";
    prb_autofree char *review = review_of("hang", "u", 0);
    prb_autofree char *request =
            prb_asprintf("POST /validate?timeout=1ms HTTP/1.1\r\nHost: x\r\n"
                         "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                    strlen(review), review);
    prb_auto(answer_done) struct answer answer = { 0 };
    struct https https;
    double before = value_of(late);

    TEST_ASSERT_TRUE(world_start(&world, NULL, NULL));
    TEST_ASSERT_TRUE(https_open(&https, world_port(&world), world.client));
    TEST_ASSERT_TRUE(https_say(&https, request));
    TEST_ASSERT_TRUE(https_read(&https, &answer));
    https_close(&https);
    TEST_ASSERT_TRUE_MESSAGE(says_denied(answer.body, 503), answer.body);
    TEST_ASSERT_EQUAL_INT(1, (int)(value_of(late) - before));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_each_denial_is_one_line_that_says_who_wanted_what);
    RUN_TEST(test_what_is_allowed_is_told_only_to_who_wants_every_detail);
    RUN_TEST(test_names_cannot_forge_a_line);
    RUN_TEST(test_reviews_are_counted_by_decision_and_rule);
    RUN_TEST(test_a_rule_in_audit_mode_is_counted_and_logged);
    RUN_TEST(test_who_goes_past_a_rule_is_counted_and_logged_with_the_reason);
    RUN_TEST(test_what_is_no_override_is_not_counted_as_one);
    RUN_TEST(test_verdicts_after_the_deadline_are_counted);
    return UNITY_END();
}
