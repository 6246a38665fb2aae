/* What the API server is told, by the facts about what it accepts. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "review_text.h"

static struct prb_verdict verdict;
static struct prb_request request;
static char uid[] = "705ab4f5-6393-11e8-b7cc-42010a800002";
static char name[] = "w";
static char kind[] = "ManifestWork";
static struct prb_str text;
static struct json_object *answer;

void setUp(void)
{
    prb_verdict_init(&verdict);
    prb_str_init(&text, PRB_REVIEW_ANSWER_MAX);
    request = (struct prb_request){ .uid = uid, .name = name, .kind = kind };
    answer = NULL;
}

void tearDown(void)
{
    prb_verdict_done(&verdict);
    prb_str_done(&text);
    prb_json_free(answer);
}

/* Write, and read again what was written. */
static const struct json_object *respond(void)
{
    struct prb_error err;

    prb_review_write(&request, &verdict, &text);
    if (prb_json_parse(prb_str_get(&text), text.len, NULL, &answer, &err) < 0)
        return NULL;
    return prb_json_obj(answer, "response");
}

#define ASSERT_TEXT(quoted)                                    \
    do {                                                       \
        prb_autofree char *wanted_ = review_text(quoted);      \
        TEST_ASSERT_EQUAL_STRING(wanted_, prb_str_get(&text)); \
    } while (0)

/* Facts 18 and 20: version, kind, uid, allowed; no echo of the request, no patch. */
static void test_an_allowance_has_only_what_is_needed(void)
{
    verdict.rule = "policy-prune";
    prb_review_write(&request, &verdict, &text);
    ASSERT_TEXT("{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','response':"
                "{'uid':'705ab4f5-6393-11e8-b7cc-42010a800002','allowed':true,"
                "'auditAnnotations':{'rule':'policy-prune','reason':'allowed'}}}");
    TEST_ASSERT_EQUAL(200, prb_review_code(&verdict));
}

static void test_what_no_rule_looked_at_says_so(void)
{
    const struct json_object *notes = prb_json_obj(respond(), "auditAnnotations");

    TEST_ASSERT_EQUAL_STRING("none", prb_json_str(notes, "rule"));
    TEST_ASSERT_EQUAL_STRING("no rule applies", prb_json_str(notes, "reason"));
}

/* Fact 22: a status that is a failure, with code, reason and a message. */
static void test_a_lifecycle_denial_is_403_forbidden(void)
{
    verdict.rule = "cluster-lifecycle";
    prb_forbid(&verdict, "cluster \"c1\" is going");
    prb_review_write(&request, &verdict, &text);
    ASSERT_TEXT("{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','response':"
                "{'uid':'705ab4f5-6393-11e8-b7cc-42010a800002','allowed':false,"
                "'status':{'status':'Failure','message':'cluster \\'c1\\' is going',"
                "'reason':'Forbidden','code':403},"
                "'auditAnnotations':{'rule':'cluster-lifecycle','reason':'cluster \\'c1\\' is "
                "going'}}}");
    TEST_ASSERT_EQUAL(403, prb_review_code(&verdict));
}

static void test_an_invalid_setting_is_422_with_its_fields(void)
{
    const struct json_object *status, *causes;
    int64_t code = 0;

    prb_invalid(&verdict, "spec.a", "is wrong");
    prb_invalid(&verdict, "spec.b[0].c", "is wrong too");
    status = prb_json_obj(respond(), "status");
    causes = prb_json_arr(prb_json_obj(status, "details"), "causes");
    TEST_ASSERT_TRUE(prb_json_int(status, "code", &code));
    TEST_ASSERT_EQUAL(422, code);
    TEST_ASSERT_EQUAL(422, prb_review_code(&verdict));
    TEST_ASSERT_EQUAL_STRING("Invalid", prb_json_str(status, "reason"));
    TEST_ASSERT_EQUAL_STRING(
            "spec.a: is wrong; spec.b[0].c: is wrong too", prb_json_str(status, "message"));
    TEST_ASSERT_EQUAL(2, prb_json_len(causes));
    TEST_ASSERT_EQUAL_STRING("spec.a", prb_json_str(prb_json_elem(causes, 0), "field"));
    TEST_ASSERT_EQUAL_STRING("is wrong", prb_json_str(prb_json_elem(causes, 0), "message"));
    TEST_ASSERT_EQUAL_STRING("spec.b[0].c", prb_json_str(prb_json_elem(causes, 1), "field"));
    TEST_ASSERT_FALSE(prb_json_has(prb_json_obj(status, "details"), "retryAfterSeconds"));
    TEST_ASSERT_EQUAL_STRING("w", prb_json_str(prb_json_obj(status, "details"), "name"));
    TEST_ASSERT_EQUAL_STRING("ManifestWork", prb_json_str(prb_json_obj(status, "details"), "kind"));
}

/* Fact 22: retryAfterSeconds becomes a Retry-After header. */
static void test_what_could_not_be_verified_is_503_with_a_time_to_retry(void)
{
    const struct json_object *status;
    int64_t code = 0, after = 0;

    prb_unverified(&verdict, 2, "no answer");
    status = prb_json_obj(respond(), "status");
    TEST_ASSERT_TRUE(prb_json_int(status, "code", &code));
    TEST_ASSERT_TRUE(prb_json_int(prb_json_obj(status, "details"), "retryAfterSeconds", &after));
    TEST_ASSERT_EQUAL(503, code);
    TEST_ASSERT_EQUAL(503, prb_review_code(&verdict));
    TEST_ASSERT_EQUAL(2, after);
    TEST_ASSERT_EQUAL_STRING("ServiceUnavailable", prb_json_str(status, "reason"));
    TEST_ASSERT_FALSE(prb_json_has(prb_json_obj(status, "details"), "causes"));
}

/* Fact 18: the uid must come back as it was, whatever is in it. */
static void test_the_uid_comes_back_equal(void)
{
    static char odd[] = "a\"b\\c\n\x7f\xc2\x85\xe2\x82\xac";

    request.uid = odd;
    TEST_ASSERT_EQUAL_STRING(odd, prb_json_str(respond(), "uid"));
}

/* Would the API server pass it on? */
static bool is_deliverable(const char *warning)
{
    for (const char *c = warning; c && *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return false;
    }
    return warning && warning[0] && prb_utf8_valid(warning, strlen(warning));
}

/* Fact 23: a warning with a control character or invalid UTF-8 would vanish. */
static void test_warnings_are_deliverable_and_come_with_denials_too(void)
{
    const struct json_object *warnings;

    prb_caution(&verdict, "two\nlines\tand \x1b[31m and \x7f");
    prb_caution(&verdict, "broken \xff UTF-8");
    prb_forbid(&verdict, "no");
    warnings = prb_json_arr(respond(), "warnings");
    TEST_ASSERT_EQUAL(2, prb_json_len(warnings));
    TEST_ASSERT_TRUE(is_deliverable(prb_json_string(prb_json_elem(warnings, 0))));
    TEST_ASSERT_TRUE(is_deliverable(prb_json_string(prb_json_elem(warnings, 1))));
    TEST_ASSERT_NULL(strchr(prb_str_get(&text), '\n'));
}

/* Facts 22 and 24: one line each, keys that are qualified names without a prefix. */
static void test_annotations_are_there_for_every_decision(void)
{
    const struct json_object *notes;

    verdict.rule = "cluster-lifecycle";
    prb_unverified(&verdict, 1, "the server is away");
    notes = prb_json_obj(respond(), "auditAnnotations");
    TEST_ASSERT_EQUAL(2, json_object_object_length(notes));
    TEST_ASSERT_EQUAL_STRING("cluster-lifecycle", prb_json_str(notes, "rule"));
    TEST_ASSERT_EQUAL_STRING("the server is away", prb_json_str(notes, "reason"));
}

static void test_a_denial_that_was_only_noted_is_in_the_annotations(void)
{
    const struct json_object *notes;

    verdict.rule = "manifestwork-orphan";
    verdict.audited = prb_strdup("cluster-lifecycle: the cluster is going");
    verdict.audited_rule = "cluster-lifecycle";
    notes = prb_json_obj(respond(), "auditAnnotations");
    TEST_ASSERT_EQUAL_STRING("cluster-lifecycle", prb_json_str(notes, "rule"));
    TEST_ASSERT_EQUAL_STRING("would be refused: cluster-lifecycle: the cluster is going",
            prb_json_str(notes, "reason"));
    TEST_ASSERT_NOT_NULL(strstr(prb_str_get(&text), "\"allowed\":true"));
}

static void test_a_denial_of_another_rule_stands_above_one_that_was_only_noted(void)
{
    const struct json_object *notes;

    prb_forbid(&verdict, "no");
    verdict.rule = "manifestwork-orphan";
    verdict.audited = prb_strdup("cluster-lifecycle: the cluster is going");
    verdict.audited_rule = "cluster-lifecycle";
    notes = prb_json_obj(respond(), "auditAnnotations");
    TEST_ASSERT_EQUAL_STRING("manifestwork-orphan", prb_json_str(notes, "rule"));
    TEST_ASSERT_EQUAL_STRING("no", prb_json_str(notes, "reason"));
}

/* A rule was there, and somebody with the right to went past it. */
static void test_an_override_is_in_the_annotations_of_what_is_allowed(void)
{
    const struct json_object *notes;

    verdict.rule = "cluster-lifecycle";
    verdict.override_reason = prb_strdup("the \"cluster\" burns");
    verdict.override_rule = "critical-service";
    notes = prb_json_obj(respond(), "auditAnnotations");
    TEST_ASSERT_EQUAL_STRING("the \"cluster\" burns", prb_json_str(notes, "override"));
    TEST_ASSERT_EQUAL_STRING("allowed", prb_json_str(notes, "reason"));
    TEST_ASSERT_EQUAL_STRING("cluster-lifecycle", prb_json_str(notes, "rule"));
    TEST_ASSERT_NOT_NULL(strstr(prb_str_get(&text), "\"allowed\":true"));
}

static char *long_text(char c, size_t len)
{
    char *filled = prb_calloc(len + 1, 1);

    memset(filled, c, len);
    return filled;
}

static void test_the_longest_answer_has_room(void)
{
    prb_autofree char *quotes = long_text('"', 5000);

    for (int i = 0; i < PRB_CAUSES_MAX + 1; i++)
        prb_invalid(&verdict, "spec.template.spec.containers[0].image", "%s", quotes);
    for (int i = 0; i < PRB_WARNINGS_MAX + 1; i++)
        prb_caution(&verdict, "%d %s", i, quotes);
    TEST_ASSERT_NOT_NULL(respond());
    TEST_ASSERT_FALSE(text.cut);
}

static void test_a_status_is_one_that_clients_understand(void)
{
    prb_status_write(413, "RequestEntityTooLarge", "body of more than 8 MiB", &text);
    ASSERT_TEXT("{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Failure',"
                "'message':'body of more than 8 MiB','reason':'RequestEntityTooLarge','code':413}");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_allowance_has_only_what_is_needed);
    RUN_TEST(test_what_no_rule_looked_at_says_so);
    RUN_TEST(test_a_lifecycle_denial_is_403_forbidden);
    RUN_TEST(test_an_invalid_setting_is_422_with_its_fields);
    RUN_TEST(test_what_could_not_be_verified_is_503_with_a_time_to_retry);
    RUN_TEST(test_the_uid_comes_back_equal);
    RUN_TEST(test_warnings_are_deliverable_and_come_with_denials_too);
    RUN_TEST(test_annotations_are_there_for_every_decision);
    RUN_TEST(test_a_denial_that_was_only_noted_is_in_the_annotations);
    RUN_TEST(test_a_denial_of_another_rule_stands_above_one_that_was_only_noted);
    RUN_TEST(test_an_override_is_in_the_annotations_of_what_is_allowed);
    RUN_TEST(test_the_longest_answer_has_room);
    RUN_TEST(test_a_status_is_one_that_clients_understand);
    return UNITY_END();
}
