/*
 * What is known of kube-apiserver as the caller of a webhook, and which test holds Probate to it.
 * Prints the table, and fails when a test in it does not exist.
 *
 *   test_caller_facts SOURCE-ROOT
 */

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/admission/server.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"

#define SOURCE_MAX ((size_t)1024 * 1024)

static const char *root = ".";

/* Facts by their usual numbers; those that are missing are about the registration only, or about
 * what the API server does before it calls or instead of calling. */
static const struct {
    int number;
    const char *fact;
    const char *test;
} facts[] = {
    { 1, "speaks HTTP/1.1 only, and says so in ALPN", "test_alpn_is_http_1_1_or_none" },
    { 2, "TLS 1.2 at least", "test_tls_is_1_2_or_1_3" },
    { 2, "wants its name among the SANs, and no SHA-1",
            "test_the_leaf_is_of_the_kind_that_go_accepts" },
    { 2, "knows the server as SERVICE.NAMESPACE.svc",
            "test_a_client_with_the_ca_is_convinced_of_every_name" },
    { 2, "trusts the caBundle: a new leaf of the same CA will do",
            "test_every_leaf_is_seen_and_no_call_fails" },
    { 3, "has no client certificate unless it is told to",
            "test_without_a_client_ca_nobody_is_asked" },
    { 3, "with one it may be told from others", "test_only_accepted_clients_may_ask" },
    { 4, "POST, Content-Length, application/json, ?timeout=",
            "test_a_verdict_is_always_an_answer_200" },
    { 4, "nothing else is served",
            "test_what_is_no_review_request_is_refused_and_the_connection_goes_on" },
    { 5, "may send traceparent and baggage", "test_headers_that_nobody_needs_are_stepped_over" },
    { 6, "keeps idle connections 90 s",
            "test_pooled_connections_stay_and_the_new_one_is_told_to_come_back" },
    { 6, "uses a connection again when the answer was read",
            "test_a_request_may_be_split_at_every_byte" },
    { 6, "gives up a handshake after 10 s",
            "test_a_handshake_that_does_not_come_ends_the_connection" },
    { 7, "does not repeat a POST that met a closing connection",
            "test_the_idle_limit_is_above_that_of_the_caller" },
    { 7, "the same when the server ends", "test_draining_under_load_loses_no_call" },
    { 7, "the same in a rolling update", "test_rolling_restarts_lose_no_call" },
    { 8, "keeps its connection to one replica", "test_an_old_connection_is_asked_to_be_replaced" },
    { 9, "has no rate limit", "test_reviews_beyond_the_limit_are_told_to_come_back" },
    { 9, "has no limit of connections",
            "test_pooled_connections_stay_and_the_new_one_is_told_to_come_back" },
    { 10, "says how long it waits, rounded up", "test_the_deadline_is_the_callers_less_a_margin" },
    { 10, "does not wait longer",
            "test_a_stalled_review_is_answered_503_before_its_caller_gives_up" },
    { 11, "repeats on 503 with Retry-After, elsewhere if told to close",
            "test_what_is_built_beyond_the_budget_is_shed_with_503" },
    { 12, "sends up to twice 3 MiB, and JSON may be longer",
            "test_a_review_of_any_length_is_read" },
    { 13, "wants its uid back", "test_the_uid_comes_back_equal" },
    { 14, "leaves the name empty on deletecollection",
            "test_the_name_comes_from_the_object_where_the_request_has_none" },
    { 14, "sends no object on DELETE and no old one on CREATE",
            "test_an_operation_without_its_objects_is_refused" },
    { 14, "CONNECT has objects of other kinds", "test_what_looks_odd_but_is_a_review_is_judged" },
    { 15, "calls in parallel", "test_stalled_reviews_do_not_delay_another" },
    { 18, "takes only a v1 AdmissionReview without a patch",
            "test_an_allowance_has_only_what_is_needed" },
    { 19, "reads JSON whatever the answer says it is", "test_a_verdict_is_always_an_answer_200" },
    { 20, "reads an answer of any size", "test_the_longest_answer_has_room" },
    { 21, "takes anything but 200 for a failed call, and shows a Status",
            "test_what_is_no_review_request_is_refused_and_the_connection_goes_on" },
    { 21, "a denial must be deliberate",
            "test_what_could_not_be_verified_is_503_with_a_time_to_retry" },
    { 22, "passes code, reason, message and details on",
            "test_an_invalid_setting_is_422_with_its_fields" },
    { 22, "makes a Retry-After of retryAfterSeconds",
            "test_what_could_not_be_verified_is_503_with_a_time_to_retry" },
    { 23, "drops warnings with control characters",
            "test_warnings_are_deliverable_and_come_with_denials_too" },
    { 23, "cuts warnings that are too long together",
            "test_warnings_together_stay_below_what_the_api_server_cuts" },
    { 24, "keeps annotations of denials, too", "test_annotations_are_there_for_every_decision" },
    { 28, "has members that nobody knows yet", "test_what_looks_odd_but_is_a_review_is_judged" },
};

void setUp(void)
{
}

void tearDown(void)
{
}

/* Is the test run by this program? */
static bool runs(const char *path, const char *test)
{
    prb_autofree char *call = prb_asprintf("RUN_TEST(%s);", test);
    prb_autofree char *text = NULL;
    struct prb_error err;
    size_t len;

    return prb_file_read(path, SOURCE_MAX, &text, &len, &err) == 0 && strstr(text, call);
}

/* The program that runs it, from tests/ on; NULL: none. */
static const char *find(const glob_t *programs, const char *test)
{
    for (size_t i = 0; i < programs->gl_pathc; i++) {
        if (runs(programs->gl_pathv[i], test))
            return programs->gl_pathv[i] + strlen(root) + 1;
    }
    return NULL;
}

static void test_every_fact_has_a_test(void)
{
    prb_autofree char *pattern = prb_asprintf("%s/tests/*/test_*.c", root);
    glob_t programs;

    /* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
    TEST_ASSERT_EQUAL_INT(0, glob(pattern, 0, NULL, &programs));
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        const char *program = find(&programs, facts[i].test);

        printf("%2d  %-66s %s: %s\n", facts[i].number, facts[i].fact, program ? program : "nowhere",
                facts[i].test);
        TEST_ASSERT_NOT_NULL_MESSAGE(program, facts[i].test);
    }
    globfree(&programs);
}

static void test_the_idle_limit_is_above_that_of_the_caller(void)
{
    TEST_ASSERT_TRUE(PRB_SERVER_IDLE_MS > 90000);
    TEST_ASSERT_TRUE(PRB_SERVER_POOLED_MS >= 90000);
}

/* Else nothing that is idle would ever make room: its time would be over before. */
static void test_what_the_caller_does_not_keep_makes_room_before_its_time_is_over(void)
{
    TEST_ASSERT_TRUE(PRB_SERVER_POOLED_MS < PRB_SERVER_IDLE_MS);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        root = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_every_fact_has_a_test);
    RUN_TEST(test_the_idle_limit_is_above_that_of_the_caller);
    RUN_TEST(test_what_the_caller_does_not_keep_makes_room_before_its_time_is_over);
    return UNITY_END();
}
