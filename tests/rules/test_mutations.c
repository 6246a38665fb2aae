/*
 * usage: test_mutations DATA-DIRECTORY: golden reviews with every value in their objects replaced
 * by values of every type, one at a time. Nothing may crash, every text must be deliverable, and
 * no damage may turn a denial that must stand into an allowance.
 */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "golden.h"
#include "golden_run.h"
#include "review_request.h"
#include "support/json_text.h"

static const char *data_directory;

static const char *const values[] = { "null", "true", "7", "-1.5e300", "''", "'x\\u0000y'",
    "'a\\nb\\u001b\\u0085'", "[]", "[[]]", "[null,{}]", "{}", "{'':{}}" };

static struct {
    const char *file;
    const char *parts[2];      /* what is damaged */
    enum prb_denial must, may; /* denials that are right, whatever is damaged */
    bool may_allow;
    size_t runs;
    char why[4096]; /* the first thing that was wrong */
} cases[] = {
    { .file = "cluster-lifecycle/work-in-deleting-cluster.yaml",
            .parts = { "/request/object" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_INVALID },
    { .file = "cluster-lifecycle/work-without-cluster.yaml",
            .parts = { "/request/object" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_INVALID },
    { .file = "cluster-lifecycle/addon-in-deleting-cluster.yaml",
            .parts = { "/request/object" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_FORBIDDEN },
    { .file = "cluster-lifecycle/work-of-hosted-addon.yaml",
            .parts = { "/request/object" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_INVALID,
            .may_allow = true },
    { .file = "manifestwork-orphan/deleting-policy-and-rules.yaml",
            .parts = { "/request/object", "/request/oldObject/spec" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_FORBIDDEN,
            .may_allow = true },
    { .file = "manifestwork-orphan/create-selective.yaml",
            .parts = { "/request/object" },
            .must = PRB_DENY_INVALID,
            .may = PRB_DENY_INVALID,
            .may_allow = true },
    { .file = "manifestwork-orphan/update-beside-stored-bad-rule.yaml",
            .parts = { "/request/object", "/request/oldObject" },
            .must = PRB_DENY_INVALID,
            .may = PRB_DENY_FORBIDDEN,
            .may_allow = true },
    { .file = "claim-delete-policy/update-of-stored.yaml",
            .parts = { "/request/object", "/request/oldObject" },
            .must = PRB_DENY_INVALID,
            .may = PRB_DENY_INVALID,
            .may_allow = true },
    { .file = "claim-delete-policy/orphan.yaml",
            .parts = { "/case/world/0/spec" },
            .must = PRB_DENY_INVALID,
            .may = PRB_DENY_INVALID,
            .may_allow = true },
    { .file = "critical-service/delete-criteria-unmet.yaml",
            .parts = { "/request/oldObject" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_FORBIDDEN },
    { .file = "critical-service/namespace-two-providers.yaml",
            .parts = { "/request/oldObject", "/case/world/0/spec" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_FORBIDDEN },
    { .file = "critical-service/delete-definition-terminating.yaml",
            .parts = { "/case/world/0/spec", "/case/world/1/metadata/finalizers" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_FORBIDDEN,
            .may_allow = true },
    { .file = "critical-service/label-stripped-namespace.yaml",
            .parts = { "/request/object" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_FORBIDDEN },
    { .file = "critical-service/override-denied.yaml",
            .parts = { "/request/oldObject" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_FORBIDDEN },
    { .file = "critical-service/release-provider-present.yaml",
            .parts = { "/request/oldObject" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_FORBIDDEN,
            .may_allow = true },
    { .file = "critical-service/create-circle-of-three.yaml",
            .parts = { "/request/object/spec", "/case/world/0/spec" },
            .must = PRB_DENY_INVALID,
            .may = PRB_DENY_INVALID,
            .may_allow = true },
    { .file = "critical-service/update-beside-bad-criterion.yaml",
            .parts = { "/request/object", "/request/oldObject" },
            .must = PRB_DENY_INVALID,
            .may = PRB_DENY_FORBIDDEN,
            .may_allow = true },
    { .file = "critical-service/update-criterion-removed.yaml",
            .parts = { "/request/object/spec", "/request/object/metadata" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_INVALID },
    { .file = "critical-service/update-loosened-without-right.yaml",
            .parts = { "/request/object/metadata", "/request/oldObject/metadata" },
            .must = PRB_DENY_FORBIDDEN,
            .may = PRB_DENY_FORBIDDEN },
    { .file = "policy-prune/inform.yaml",
            .parts = { "/request/object" },
            .must = PRB_DENY_INVALID,
            .may = PRB_DENY_INVALID,
            .may_allow = true },
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

void setUp(void)
{
}

void tearDown(void)
{
}

static bool is_deliverable(const char *text)
{
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return false;
    }
    return prb_utf8_valid(text, strlen(text)) && !strstr(text, "\xc2\x85");
}

static const char *check_verdict(size_t row, const struct prb_verdict *verdict)
{
    if (verdict->message && !is_deliverable(verdict->message))
        return "message";
    for (size_t i = 0; i < verdict->warning_count; i++) {
        if (!is_deliverable(verdict->warnings[i]))
            return "warning";
    }
    if (prb_verdict_allows(verdict))
        return cases[row].may_allow ? NULL : "allowed";
    return verdict->denial == cases[row].must || verdict->denial == cases[row].may ? NULL
                                                                                   : "denied";
}

static void run_damaged(
        size_t row, const struct json_object *review, const char *pointer, const char *value)
{
    prb_auto(prb_json_free) struct json_object *patch = prb_json_patch_new();
    prb_auto(prb_json_free) struct json_object *damaged = NULL;
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_auto(prb_outcome_done) struct prb_outcome outcome;
    struct prb_error err;
    const char *wrong;

    prb_questions_init(&outcome.questions);
    prb_verdict_init(&outcome.verdict);
    prb_json_patch_add(patch, "replace", pointer, prb_test_json("%s", value));
    if (prb_json_patch(review, patch, &damaged, &err) < 0)
        return;
    request = prb_test_request(damaged);
    prb_golden_run(prb_json_obj(damaged, "case"), request, NULL, &outcome);
    cases[row].runs++;
    wrong = check_verdict(row, &outcome.verdict);
    if (wrong && !cases[row].why[0])
        (void)snprintf(cases[row].why, sizeof(cases[row].why), "%s with %s at %s: %s: %s",
                cases[row].file, value, pointer, wrong,
                outcome.verdict.message ? outcome.verdict.message : "");
}

/* Every node below `pointer`, and that one. */
static void damage(size_t row, const struct json_object *review, const char *pointer)
{
    struct json_object_iterator at;
    struct json_object *node = NULL, *value;
    const char *key;
    bool started = false;

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        run_damaged(row, review, pointer, values[i]);
    (void)prb_json_pointer_get(review, pointer, &node);
    for (size_t i = 0; i < prb_json_len(node); i++) {
        prb_autofree char *below = prb_asprintf("%s/%zu", pointer, i);

        damage(row, review, below);
    }
    while (prb_json_next(node, &at, &started, &key, &value)) {
        prb_auto(prb_str_done) struct prb_str below;

        prb_str_init(&below, 1024);
        prb_str_add(&below, pointer);
        prb_json_pointer_add(&below, key);
        damage(row, review, prb_str_get(&below));
    }
}

static void damage_case(size_t row)
{
    prb_autofree char *path = prb_asprintf("%s/%s", data_directory, cases[row].file);
    prb_auto(prb_json_free) struct json_object *review = NULL;
    struct prb_error err;

    if (prb_golden_read(path, &review, &err) < 0) {
        (void)snprintf(cases[row].why, sizeof(cases[row].why), "%s", err.msg);
        return;
    }
    for (size_t i = 0; i < 2 && cases[row].parts[i]; i++)
        damage(row, review, cases[row].parts[i]);
}

static void test_no_damage_crashes_a_rule_or_turns_a_denial_round(void)
{
    for (size_t row = 0; row < CASES; row++) {
        damage_case(row);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", cases[row].why, cases[row].file);
        TEST_ASSERT_GREATER_THAN_size_t_MESSAGE(40, cases[row].runs, cases[row].file);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: %s DATA-DIRECTORY\n", argv[0]);
        return 2;
    }
    data_directory = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_no_damage_crashes_a_rule_or_turns_a_denial_round);
    return UNITY_END();
}
