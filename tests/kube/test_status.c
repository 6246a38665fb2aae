#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "retry.h"
#include "status.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* As the API server writes it; the answers of 1.20.2, shortened. */
#define STATUS(reason, details, code)                                                    \
    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\"," \
    "\"message\":\"said so\",\"reason\":\"" reason "\",\"details\":" details ",\"code\":" code "}"

static void test_every_refusal_has_its_code_and_reason(void)
{
    static const struct {
        long status; /* HTTP */
        const char *body;
        long code; /* enum prb_errc */
        const char *reason;
    } cases[] = {
        { 400, STATUS("BadRequest", "{}", "400"), PRB_E_INVALID, "BadRequest" },
        { 401, STATUS("Unauthorized", "{}", "401"), PRB_E_UNAUTHORIZED, "Unauthorized" },
        { 403, STATUS("Forbidden", "{\"name\":\"a\"}", "403"), PRB_E_FORBIDDEN, "Forbidden" },
        { 404, STATUS("NotFound", "{\"name\":\"zz\",\"kind\":\"configmaps\"}", "404"),
                PRB_E_NOTFOUND, "NotFound" },
        { 404, STATUS("NotFound", "{}", "404"), PRB_E_NOTFOUND, "NotServed" },
        { 404, STATUS("NotFound", "null", "404"), PRB_E_NOTFOUND, "NotServed" },
        { 404, "404 page not found\n", PRB_E_NOTFOUND, "NotServed" },
        { 404, "<html>no such page</html>", PRB_E_UNAVAILABLE, "" },
        { 404, "404 page not foun", PRB_E_UNAVAILABLE, "" },
        { 404, "", PRB_E_UNAVAILABLE, "" },
        { 404, "{\"kind\":\"ConfigMap\"}", PRB_E_UNAVAILABLE, "" },
        { 405, STATUS("MethodNotAllowed", "{}", "405"), PRB_E_UNSUPPORTED, "MethodNotAllowed" },
        { 406, STATUS("NotAcceptable", "{}", "406"), PRB_E_UNSUPPORTED, "NotAcceptable" },
        { 409, STATUS("AlreadyExists", "{\"name\":\"a\"}", "409"), PRB_E_EXISTS, "AlreadyExists" },
        { 409, STATUS("Conflict", "{\"name\":\"a\"}", "409"), PRB_E_CONFLICT, "Conflict" },
        { 409, "conflict", PRB_E_CONFLICT, "" },
        { 410, STATUS("Expired", "{}", "410"), PRB_E_GONE, "Expired" },
        { 413, STATUS("RequestEntityTooLarge", "{}", "413"), PRB_E_INVALID,
                "RequestEntityTooLarge" },
        { 415, STATUS("UnsupportedMediaType", "{}", "415"), PRB_E_UNSUPPORTED,
                "UnsupportedMediaType" },
        { 422, STATUS("Invalid", "{\"name\":\"a\"}", "422"), PRB_E_INVALID, "Invalid" },
        { 429, STATUS("TooManyRequests", "{}", "429"), PRB_E_THROTTLED, "TooManyRequests" },
        { 500, STATUS("InternalError", "{}", "500"), PRB_E_UNAVAILABLE, "InternalError" },
        { 502, "bad gateway", PRB_E_UNAVAILABLE, "" },
        { 503, STATUS("ServiceUnavailable", "{}", "503"), PRB_E_UNAVAILABLE, "ServiceUnavailable" },
        { 504, STATUS("Timeout", "{}", "504"), PRB_E_UNAVAILABLE, "Timeout" },
        { 302, "", PRB_E_UNSUPPORTED, "" },
        { 418, "", PRB_E_INVALID, "" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *name = prb_asprintf("%ld %s", cases[i].status, cases[i].body);
        struct prb_error err;
        int r = prb_kube_fail_answer(
                (int)cases[i].status, 0, cases[i].body, strlen(cases[i].body), &err);

        TEST_ASSERT_EQUAL_MESSAGE(cases[i].code, r, name);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].code, err.code, name);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].status, err.status, name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].reason, err.reason, name);
        if (strstr(cases[i].body, "Status"))
            TEST_ASSERT_EQUAL_STRING_MESSAGE("said so", err.msg, name);
    }
}

/* What a PUT with a uid is answered with on 1.20.2, shortened: first with another uid, then with
 * none, when nothing has the name any more. */
static void test_a_conflict_with_nothing_is_not_found(void)
{
    static const struct {
        const char *message;
        enum prb_errc code;
        const char *reason;
    } cases[] = {
        { "Precondition failed: UID in precondition: a, UID in object meta: b", PRB_E_CONFLICT,
                "Conflict" },
        { "Precondition failed: UID in precondition: a, UID in object meta: ", PRB_E_NOTFOUND,
                "NotFound" },
        { "the object has been modified", PRB_E_CONFLICT, "Conflict" },
        { "", PRB_E_CONFLICT, "Conflict" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *body = prb_asprintf("{\"kind\":\"Status\",\"reason\":\"Conflict\","
                                               "\"details\":{\"name\":\"a\"},\"message\":\"%s\"}",
                cases[i].message);
        struct prb_error err;

        TEST_ASSERT_EQUAL_MESSAGE(
                cases[i].code, prb_kube_fail_answer(409, 0, body, strlen(body), &err), body);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].code, err.code, body);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].reason, err.reason, body);
    }
}

static void test_the_time_to_wait_is_the_headers_or_else_the_status_own(void)
{
    static const struct {
        long header_ms;
        const char *details;
        long expected_ms;
    } cases[] = {
        { 3000, "{}", 3000 },
        { 3000, "{\"retryAfterSeconds\":7}", 3000 },
        { 0, "{\"retryAfterSeconds\":7}", 7000 },
        { 0, "{\"retryAfterSeconds\":-7}", 0 },
        { 0, "{\"retryAfterSeconds\":86400}", PRB_KUBE_RETRY_AFTER_MAX_MS },
        { 0, "{\"retryAfterSeconds\":99999999999}", PRB_KUBE_RETRY_AFTER_MAX_MS },
        { 0, "{\"retryAfterSeconds\":\"7\"}", 0 },
        { 0, "{}", 0 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *body =
                prb_asprintf("{\"kind\":\"Status\",\"details\":%s}", cases[i].details);
        struct prb_error err;

        (void)prb_kube_fail_answer(429, (int)cases[i].header_ms, body, strlen(body), &err);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].expected_ms, err.retry_after_ms, body);
    }
}

static void test_a_message_is_one_line(void)
{
    static const char body[] = "{\"kind\":\"Status\",\"message\":\"a\\nb\\u0007c\"}";
    struct prb_error err;

    (void)prb_kube_fail_answer(403, 0, body, strlen(body), &err);
    TEST_ASSERT_EQUAL_STRING("a b c", err.msg);
    (void)prb_kube_fail_answer(502, 0, "x\ny", 3, &err);
    TEST_ASSERT_NULL(strchr(err.msg, '\n'));
}

static void test_a_strange_answer_is_shown_only_in_part(void)
{
    static char body[100000];
    struct prb_error err;

    memset(body, 'x', sizeof(body));
    (void)prb_kube_fail_answer(502, 0, body, sizeof(body), &err);
    TEST_ASSERT_LESS_THAN(400, strlen(err.msg));
}

static void test_a_status_inside_a_watch_is_read_by_its_code(void)
{
    static const struct {
        const char *text;
        enum prb_errc code;
    } cases[] = {
        { "{\"code\":410,\"reason\":\"Expired\",\"message\":\"too old\"}", PRB_E_GONE },
        { "{\"code\":500}", PRB_E_UNAVAILABLE },
        { "{\"code\":\"410\"}", PRB_E_UNAVAILABLE },
        { "{\"code\":99999999999}", PRB_E_UNAVAILABLE },
        { "null", PRB_E_UNAVAILABLE },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_free) struct json_object *tree = NULL;
        struct prb_error err;

        (void)prb_json_parse(cases[i].text, strlen(cases[i].text), NULL, &tree, &err);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].code, prb_kube_fail_status(tree, &err), cases[i].text);
    }
}

static void test_a_refused_json_patch_is_told_from_an_invalid_object(void)
{
    static const char refusal[] =
            "{\"kind\":\"Status\",\"message\":\"the server rejected our request due to an error in "
            "our request\",\"reason\":\"Invalid\",\"details\":{},\"code\":422}";
    static const char invalid[] =
            "{\"kind\":\"Status\",\"message\":\"ConfigMap \\\"a\\\" is invalid\",\"reason\":"
            "\"Invalid\",\"details\":{\"name\":\"a\"},\"code\":422}";
    struct prb_error err;

    (void)prb_kube_fail_answer(422, 0, refusal, strlen(refusal), &err);
    TEST_ASSERT_TRUE(prb_kube_is_patch_refusal(&err));
    (void)prb_kube_fail_answer(422, 0, invalid, strlen(invalid), &err);
    TEST_ASSERT_FALSE(prb_kube_is_patch_refusal(&err));
}

static void test_what_may_be_repeated_and_when(void)
{
    static const struct {
        const char *name;
        struct prb_kube_answer answer;
        enum prb_errc code;
        int64_t expected_ms;
    } cases[] = {
        { "throttled", { .status = 429, .retry_after_ms = 2000, .sent = true }, PRB_E_THROTTLED,
                2000 },
        { "throttled without a time", { .status = 429, .sent = true }, PRB_E_THROTTLED, -1 },
        { "unavailable for a time", { .status = 503, .retry_after_ms = 1000, .sent = true },
                PRB_E_UNAVAILABLE, 1000 },
        { "unavailable", { .status = 503, .sent = true }, PRB_E_UNAVAILABLE, -1 },
        { "failed inside, with a time", { .status = 500, .retry_after_ms = 1000, .sent = true },
                PRB_E_UNAVAILABLE, -1 },
        { "conflict", { .status = 409, .sent = true }, PRB_E_CONFLICT, -1 },
        { "not connected", { .sent = false }, PRB_E_IO, 100 },
        { "not connected, for good", { .sent = false, .hopeless = true }, PRB_E_IO, -1 },
        { "cut after sending", { .sent = true }, PRB_E_IO, -1 },
        { "interrupted", { .sent = false }, PRB_E_CANCELLED, -1 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_kube_tries tries = { .connect = 0 };

        TEST_ASSERT_EQUAL_MESSAGE(cases[i].expected_ms,
                prb_kube_retry_wait(&tries, &cases[i].answer, cases[i].code), cases[i].name);
    }
}

static void test_repeating_ends(void)
{
    const struct prb_kube_answer unconnected = { .sent = false };
    const struct prb_kube_answer throttled = { .status = 429, .retry_after_ms = 1 };
    struct prb_kube_tries tries = { .connect = 0 };
    int connects = 1, defers = 1;

    while (prb_kube_retry_wait(&tries, &unconnected, PRB_E_IO) >= 0 && connects < 100)
        connects++;
    TEST_ASSERT_EQUAL(PRB_KUBE_CONNECT_TRIES, connects);
    while (prb_kube_retry_wait(&tries, &throttled, PRB_E_THROTTLED) >= 0 && defers < 100)
        defers++;
    TEST_ASSERT_EQUAL(PRB_KUBE_DEFER_TRIES, defers);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_refusal_has_its_code_and_reason);
    RUN_TEST(test_a_conflict_with_nothing_is_not_found);
    RUN_TEST(test_the_time_to_wait_is_the_headers_or_else_the_status_own);
    RUN_TEST(test_a_message_is_one_line);
    RUN_TEST(test_a_strange_answer_is_shown_only_in_part);
    RUN_TEST(test_a_status_inside_a_watch_is_read_by_its_code);
    RUN_TEST(test_a_refused_json_patch_is_told_from_an_invalid_object);
    RUN_TEST(test_what_may_be_repeated_and_when);
    RUN_TEST(test_repeating_ends);
    return UNITY_END();
}
