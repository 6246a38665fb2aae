/*
 * usage: test_review_golden DATA-DIRECTORY RULE: the golden cases of one rule once more, on the
 * whole way that `probate review` takes: bytes, reader, the hub in memory, engine.
 */

#include <dirent.h>
#include <stdio.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"

#include "../rules/golden.h"
#include "../rules/golden_expect.h"
#include "review.h"
#include "support/table.h"
#include "support/temp_dir.h"

/* Far more than one rule ever needs; reaching it fails the run. */
#define CASES_MAX 256

#define TEXT_MAX ((size_t)1024 * 1024)

static struct {
    const char *rule;
    char *directory;
    char *names[CASES_MAX]; /* owned */
    size_t count;
} cases;

void setUp(void)
{
}

void tearDown(void)
{
}

/* A cache that is behind, kinds that are missing, calls that fail and the rights of users are not
 * to be had offline. */
static bool is_for_every_hub(const struct json_object *source)
{
    return !prb_json_has(source, "cache") && !prb_json_has(source, "unsynced") &&
           !prb_json_has(source, "failures") && !prb_json_has(source, "serves") &&
           !prb_json_has(source, "access");
}

static bool is_case(const char *path)
{
    prb_auto(prb_json_free) struct json_object *review = NULL;
    struct prb_error err;

    return prb_starts_with(strrchr(path, '.'), ".yaml") &&
           prb_golden_read(path, &review, &err) == 0 &&
           is_for_every_hub(prb_json_obj(review, "case"));
}

static void find_cases(void)
{
    struct dirent **entries = NULL;
    int count = scandir(cases.directory, &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        prb_autofree char *path = prb_asprintf("%s/%s", cases.directory, entries[i]->d_name);

        if (cases.count < CASES_MAX && is_case(path))
            cases.names[cases.count++] = prb_strdup(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

static int write_world(const char *dir, const struct json_object *world, struct prb_error *err)
{
    prb_autofree char *path = prb_asprintf("%s/world.yaml", dir);
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, TEXT_MAX);
    for (size_t i = 0; i < prb_json_len(world); i++) {
        prb_str_add(&text, "---\n");
        prb_yaml_print(prb_json_elem(world, i), &text);
    }
    return prb_file_write(path, prb_str_get(&text), text.len, 0600, err);
}

/* What the command line would hold. */
static void fill_flags(const struct json_object *source, struct prb_rule_flags *flags)
{
    const struct json_object *claims = prb_json_arr(source, "claims");

    prb_list_add(&flags->rules, "*", 1);
    for (size_t i = 0; i < prb_json_len(claims); i++) {
        const char *claim = prb_json_string(prb_json_elem(claims, i));

        prb_list_add(&flags->claims, claim, strlen(claim));
    }
}

static void judge(const struct prb_engine *engine, const struct prb_request *request,
        struct prb_outcome *outcome)
{
    int64_t now_ms = engine->clock->mono_ms(engine->clock);

    while (prb_engine_ask(engine, request, &outcome->questions))
        prb_ask_all(engine->api, engine->clock, now_ms + 10000, &outcome->questions);
    prb_engine_decide(engine, request, &outcome->questions, &outcome->verdict);
}

static int run(const struct json_object *review, const char *dir, struct prb_outcome *outcome,
        struct prb_error *err)
{
    const struct json_object *source = prb_json_obj(review, "case");
    prb_auto(prb_rule_choice_done) struct prb_rule_choice choice = { 0 };
    prb_auto(prb_review_world_done) struct prb_review_world world = { 0 };
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    struct prb_rule_flags flags = { 0 };
    int r;

    fill_flags(source, &flags);
    r = prb_rules_choose(&flags, &choice, err);
    prb_list_done(&flags.rules);
    prb_list_done(&flags.claims);
    if (r == 0)
        r = write_world(dir, prb_json_arr(source, "world"), err);
    if (r == 0)
        r = prb_review_world_open(&world, dir, &choice, err);
    if (r == 0)
        r = prb_review_read_tree(world.reader, review, &request, err);
    if (r < 0)
        return r;
    request->route = prb_json_str(source, "route");
    judge(&world.engine, request, outcome);
    return 0;
}

static void check_run(
        const struct prb_complaint *complaint, const struct json_object *review, const char *dir)
{
    prb_auto(prb_outcome_done) struct prb_outcome outcome;
    struct prb_error err;

    prb_questions_init(&outcome.questions);
    prb_verdict_init(&outcome.verdict);
    if (run(review, dir, &outcome, &err) < 0)
        prb_complain(complaint, "%s", err.msg);
    else
        prb_golden_expect(complaint, prb_json_obj(review, "case"), cases.rule, &outcome);
}

static void check(
        void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE]) /* NOLINT: as a row wants it */
{
    prb_autofree char *path = prb_asprintf("%s/%s", cases.directory, cases.names[row]);
    prb_auto(prb_test_temp_dir_remove) char *dir = prb_test_temp_dir();
    const struct prb_complaint complaint = { .why = why, .size = PRB_TEST_WHY_SIZE };
    prb_auto(prb_json_free) struct json_object *review = NULL;
    struct prb_error err;

    (void)ctx;
    if (prb_golden_read(path, &review, &err) < 0)
        prb_complain(&complaint, "%s", err.msg);
    else
        check_run(&complaint, review, dir);
}

static const char *name_of(size_t row)
{
    return cases.names[row];
}

static void test_there_are_cases(void)
{
    TEST_ASSERT_GREATER_THAN_size_t(10, cases.count);
    TEST_ASSERT_LESS_THAN_size_t(CASES_MAX, cases.count);
}

int main(int argc, char **argv)
{
    struct prb_test_table table = {
        .file = __FILE__, .threads = 1, .name = name_of, .check = check
    };
    int failures;

    if (argc != 3) {
        (void)fprintf(stderr, "usage: %s DATA-DIRECTORY RULE\n", argv[0]);
        return 2;
    }
    cases.rule = argv[2];
    cases.directory = prb_asprintf("%s/%s", argv[1], argv[2]);
    find_cases();
    UNITY_BEGIN();
    RUN_TEST(test_there_are_cases);
    table.count = cases.count;
    prb_test_table_run(&table);
    failures = UNITY_END();
    for (size_t i = 0; i < cases.count; i++)
        free(cases.names[i]);
    free(cases.directory);
    return failures;
}
