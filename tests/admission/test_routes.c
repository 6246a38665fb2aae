/* The head of a request: is it served, and how much time does it have? */

#include <unity.h>

#include "probate/admission/server.h"

#include "routes.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static const struct prb_head good = { .method = "POST",
    .path = "/validate",
    .timeout = "10s",
    .content_type = "application/json",
    .content_length = "100",
    .lengths = 1 };

static void test_the_deadline_is_the_callers_less_a_margin(void)
{
    static const struct {
        const char *timeout;
        int64_t ms;
    } cases[] = {
        { "10s", 9500 },
        { "5s", 4500 },
        { "30s", 29500 },
        { "2s", 1500 },
        { "1s", 500 }, /* never more than half is taken off */
        { "500ms", 250 },
        { "1m0s", 29500 }, /* more than a registration can say */
        { "1h", 29500 },
        { NULL, 9500 },
        { "", 9500 },
        { "0s", 9500 },
        { "soon", 9500 },
        { "-5s", 9500 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_head head = good;

        head.timeout = cases[i].timeout;
        TEST_ASSERT_EQUAL_INT64_MESSAGE(cases[i].ms, prb_head_time_ms(&head),
                cases[i].timeout ? cases[i].timeout : "not said");
    }
}

static void test_a_review_is_accepted(void)
{
    struct prb_refusal refusal;

    TEST_ASSERT_TRUE(prb_route_accepts(&good, &refusal));
}

static void test_a_path_may_name_one_rule(void)
{
    struct prb_head head = good;
    struct prb_refusal refusal;

    TEST_ASSERT_NULL(prb_route_rule(&head));
    head.path = "/validate/cluster-lifecycle";
    TEST_ASSERT_TRUE(prb_route_accepts(&head, &refusal));
    TEST_ASSERT_EQUAL_STRING("cluster-lifecycle", prb_route_rule(&head));
}

/* The API server says by it that a Deployment is in a labelled Namespace. */
static void test_a_path_may_name_a_registration_of_a_rule(void)
{
    static const char *const wrong[] = { "/validate/critical-service/",
        "/validate/critical-service/other", "/validate/critical-service/labelled/",
        "/validate/cluster-lifecycle/labelled", "/validate//labelled" };
    struct prb_head head = good;
    struct prb_refusal refusal;

    head.path = "/validate/critical-service";
    TEST_ASSERT_NULL(prb_route_registration(&head));
    head.path = "/validate/critical-service/labelled";
    TEST_ASSERT_TRUE(prb_route_accepts(&head, &refusal));
    TEST_ASSERT_EQUAL_STRING("critical-service", prb_route_rule(&head));
    TEST_ASSERT_EQUAL_STRING("labelled", prb_route_registration(&head));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        head.path = wrong[i];
        TEST_ASSERT_FALSE_MESSAGE(prb_route_accepts(&head, &refusal), wrong[i]);
        TEST_ASSERT_EQUAL_INT(404, refusal.status);
    }
}

static void test_what_is_refused_and_when(void)
{
    struct prb_head cases[] = { good, good, good, good, good, good, good, good, good };
    static const struct {
        const char *name;
        int status;
        bool at_once;
    } wanted[] = {
        { "another path", 404, false },
        { "another method", 405, false },
        { "another type", 415, false },
        { "too long", 413, true },
        { "too long and elsewhere", 404, true },
        { "two lengths", 400, true },
        { "length and chunks", 400, true },
        { "a rule that there is not", 404, false },
        { "no rule after the slash", 404, false },
    };

    cases[0].path = "/mutate";
    cases[1].method = "GET";
    cases[2].content_type = "text/plain";
    cases[3].content_length = "9223372036854775808";
    cases[4].content_length = "9223372036854775808";
    cases[4].path = "/";
    cases[5].lengths = 2;
    cases[6].transfer_encoding = "chunked";
    cases[6].encodings = 1;
    cases[7].path = "/validate/cluster-lifecycles";
    cases[8].path = "/validate/";
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        struct prb_refusal refusal;

        TEST_ASSERT_FALSE_MESSAGE(prb_route_accepts(&cases[i], &refusal), wanted[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(wanted[i].status, refusal.status, wanted[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(wanted[i].at_once, refusal.at_once, wanted[i].name);
        /* An answer before the body is there can only be the last of its connection. */
        TEST_ASSERT_EQUAL_INT_MESSAGE(wanted[i].at_once, refusal.closes, wanted[i].name);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_deadline_is_the_callers_less_a_margin);
    RUN_TEST(test_a_review_is_accepted);
    RUN_TEST(test_a_path_may_name_one_rule);
    RUN_TEST(test_a_path_may_name_a_registration_of_a_rule);
    RUN_TEST(test_what_is_refused_and_when);
    return UNITY_END();
}
