/* The admission server over TLS: what is judged, and what is refused before that. */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "server_world.h"

static struct server_world world;
static struct https https;
static struct answer answer;

void setUp(void)
{
    world_init(&world);
    answer = (struct answer){ 0 };
}

void tearDown(void)
{
    answer_done(&answer);
    https_close(&https);
    world_done(&world);
}

static bool start(const struct prb_server_options *options)
{
    return world_start(&world, options, NULL) &&
           https_open(&https, world_port(&world), world.client);
}

/* One request on the open connection, as written. */
static bool ask(const char *request)
{
    answer_done(&answer);
    return https_say(&https, request) && https_read(&https, &answer);
}

static bool call(const char *name)
{
    prb_autofree char *review = review_of(name, "2f1c", 0);

    answer_done(&answer);
    return https_call(&https, review, &answer);
}

#define HOST "Host: x\r\n"
#define JSON "Content-Type: application/json\r\n"
#define START(options) TEST_ASSERT_TRUE(start(options))
#define ASSERT_HEADER(name, wanted)                             \
    do {                                                        \
        char value_[128];                                       \
        answer_header(&answer, name, value_, sizeof(value_));   \
        TEST_ASSERT_EQUAL_STRING_MESSAGE(wanted, value_, name); \
    } while (0)

static void test_a_verdict_is_always_an_answer_200(void)
{
    static const struct {
        const char *name;
        int code;
    } cases[] = { { "fine", 200 }, { "warned", 200 }, { "deny-it", 403 }, { "invalid", 422 },
        { "live", 200 }, { "absent", 403 } };

    START(NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_TRUE_MESSAGE(call(cases[i].name), cases[i].name);
        TEST_ASSERT_EQUAL_INT(200, answer.status);
        TEST_ASSERT_FALSE(answer.closes);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer.body, "\"uid\":\"2f1c\""), answer.body);
        TEST_ASSERT_TRUE_MESSAGE(cases[i].code == 200 ? says_allowed(answer.body)
                                                      : says_denied(answer.body, cases[i].code),
                answer.body);
        ASSERT_HEADER("Content-Type", "application/json");
    }
    TEST_ASSERT_EQUAL_UINT(6, atomic_load(&world.decided));
    TEST_ASSERT_EQUAL_UINT(3, atomic_load(&world.denied));
}

static void test_what_an_answer_brings_up_is_asked_before_it_is_decided(void)
{
    static const struct {
        const char *name;
        int code;
        int calls;
    } cases[] = {
        { "live-then-live", 200, 2 }, { "live-then-absent", 403, 2 },
        { "absent-then-live", 403, 1 },
        { "live-then-live-then-absent", 200, 2 }, /* two rounds, and the rule has no more */
    };

    START(NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_TRUE_MESSAGE(call(cases[i].name), cases[i].name);
        TEST_ASSERT_TRUE_MESSAGE(cases[i].code == 200 ? says_allowed(answer.body)
                                                      : says_denied(answer.body, cases[i].code),
                answer.body);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].calls, question_port_calls(&world.port), cases[i].name);
    }
}

/* The second round has what the first has left of the time. */
static void test_all_rounds_have_one_deadline(void)
{
    prb_autofree char *review = review_of("live-then-hang", "u", 0);
    prb_autofree char *request = prb_asprintf("POST /validate?timeout=3s HTTP/1.1\r\n" HOST JSON
                                              "Content-Length: %zu\r\n\r\n%s",
            strlen(review), review);

    START(NULL);
    TEST_ASSERT_TRUE(ask(request));
    TEST_ASSERT_TRUE_MESSAGE(says_denied(answer.body, 503), answer.body);
    TEST_ASSERT_EQUAL_INT(2, question_port_calls(&world.port));
    TEST_ASSERT_LESS_OR_EQUAL_INT(3000, question_port_timeout(&world.port));
}

static void test_a_warning_comes_with_the_answer(void)
{
    START(NULL);
    TEST_ASSERT_TRUE(call("warned"));
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(answer.body, "\"warnings\":[\"things like warned are on sale\"]"), answer.body);
}

static void test_what_is_no_review_request_is_refused_and_the_connection_goes_on(void)
{
    static const struct {
        const char *request;
        int status;
        const char *says;
    } cases[] = {
        { "GET /validate HTTP/1.1\r\n" HOST "\r\n", 405, "\"reason\":\"MethodNotAllowed\"" },
        { "DELETE /validate HTTP/1.1\r\n" HOST "\r\n", 405, "\"code\":405" },
        { "PUT /validate HTTP/1.1\r\n" HOST JSON "Content-Length: 2\r\n\r\n{}", 405, "POST" },
        { "POST / HTTP/1.1\r\n" HOST JSON "Content-Length: 2\r\n\r\n{}", 404, "/validate" },
        { "POST /validate/ HTTP/1.1\r\n" HOST JSON "Content-Length: 2\r\n\r\n{}", 404, "NotFound" },
        { "POST /validate HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\n{}", 415,
                "UnsupportedMediaType" },
        { "POST /validate HTTP/1.1\r\n" HOST
          "Content-Type: application/jsonx\r\nContent-Length: 2\r\n\r\n{}",
                415, "application/json" },
        { "POST /validate HTTP/1.1\r\n" HOST
          "Content-Type: application/vnd.kubernetes.protobuf\r\nContent-Length: 2\r\n\r\n{}",
                415, "application/json" },
        { "POST /validate HTTP/1.1\r\n" HOST JSON
          "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
                415, "compression" },
        { "POST /validate HTTP/1.1\r\n" HOST JSON "Content-Length: 2\r\n\r\n{}", 400,
                "\"reason\":\"BadRequest\"" },
        { "POST /validate HTTP/1.1\r\n" HOST JSON "Content-Length: 0\r\n\r\n", 400, "BadRequest" },
        { "POST /validate HTTP/1.1\r\n" HOST JSON "\r\n", 400, "BadRequest" },
    };

    START(NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_TRUE_MESSAGE(ask(cases[i].request), cases[i].request);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].status, answer.status, cases[i].request);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer.body, "\"kind\":\"Status\""), answer.body);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer.body, cases[i].says), answer.body);
        ASSERT_HEADER("Content-Type", "application/json");
        ASSERT_HEADER("Allow", cases[i].status == 405 ? "POST" : "");
        TEST_ASSERT_FALSE_MESSAGE(answer.closes, cases[i].request);
    }
    TEST_ASSERT_TRUE(call("fine"));
    TEST_ASSERT_TRUE(says_allowed(answer.body));
    TEST_ASSERT_EQUAL_UINT_MESSAGE(1, atomic_load(&world.decided), "nothing else was judged");
}

static void test_json_may_have_parameters(void)
{
    prb_autofree char *review = review_of("fine", "u", 0);
    prb_autofree char *request = prb_asprintf(
            "POST /validate HTTP/1.1\r\n" HOST
            "content-type: Application/JSON; charset=utf-8\r\ncontent-length: %zu\r\n\r\n%s",
            strlen(review), review);

    START(NULL);
    TEST_ASSERT_TRUE(ask(request));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
}

static void test_headers_that_nobody_needs_are_stepped_over(void)
{
    prb_autofree char *review = review_of("fine", "u", 0);

    START(NULL);
    TEST_ASSERT_TRUE(https_post(&https,
            "Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n"
            "Tracestate: a=b\r\nBaggage: user=alice,x=%20\r\nCookie: a=b; c\r\n"
            "Authorization: Bearer abc\r\nAuthorization: Bearer def\r\n",
            review, strlen(review)));
    TEST_ASSERT_TRUE(https_read(&https, &answer));
    TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
}

static void test_headers_without_end_are_431(void)
{
    prb_autofree char *large = prb_calloc(1, 40000);

    memset(large, 'x', 39999);
    START(NULL);
    TEST_ASSERT_TRUE(https_say(&https, "POST /validate HTTP/1.1\r\nX: "));
    (void)https_say(&https, large);
    TEST_ASSERT_TRUE(https_read(&https, &answer));
    TEST_ASSERT_EQUAL_INT(431, answer.status);
    TEST_ASSERT_TRUE(https_ends(&https));
}

static void test_ambiguous_framing_is_refused_and_ends_the_connection(void)
{
    static const char *const requests[] = {
        "POST /validate HTTP/1.1\r\n" HOST JSON "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "POST /validate HTTP/1.1\r\n" HOST JSON
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "POST /validate HTTP/1.1\r\n" HOST JSON "Transfer-Encoding: gzip, chunked\r\n\r\n",
        "POST /validate HTTP/1.1\r\n" HOST JSON "Transfer-Encoding: gzip\r\n\r\n",
    };

    START(NULL);
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        TEST_ASSERT_TRUE_MESSAGE(ask(requests[i]), requests[i]);
        TEST_ASSERT_EQUAL_INT(400, answer.status);
        TEST_ASSERT_TRUE(answer.closes);
        TEST_ASSERT_TRUE(https_ends(&https));
        https_close(&https);
        TEST_ASSERT_TRUE(https_open(&https, world_port(&world), world.client));
    }
}

static void test_an_old_connection_is_asked_to_be_replaced(void)
{
    const struct prb_server_options options = { .age_ms = 1 };

    START(&options);
    TEST_ASSERT_TRUE(call("fine"));
    TEST_ASSERT_TRUE(says_allowed(answer.body));
    TEST_ASSERT_TRUE(answer.closes);
    TEST_ASSERT_TRUE(https_ends(&https));
}

static void test_http_1_0_is_answered_and_closed(void)
{
    prb_autofree char *review = review_of("fine", "u", 0);
    prb_autofree char *request =
            prb_asprintf("POST /validate HTTP/1.0\r\n" JSON "Content-Length: %zu\r\n\r\n%s",
                    strlen(review), review);

    START(NULL);
    TEST_ASSERT_TRUE(ask(request));
    TEST_ASSERT_TRUE(says_allowed(answer.body));
    TEST_ASSERT_TRUE(https_ends(&https));
}

static void test_an_address_that_is_taken_is_an_error(void)
{
    struct prb_server_options options = { .host = "127.0.0.1" };
    struct prb_server *second = NULL;

    START(NULL);
    options.port = world_port(&world);
    options.tls = world.tls;
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_server_start(&options, &second, &world.err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(world.err.msg, "in use"), world.err.msg);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_verdict_is_always_an_answer_200);
    RUN_TEST(test_what_an_answer_brings_up_is_asked_before_it_is_decided);
    RUN_TEST(test_all_rounds_have_one_deadline);
    RUN_TEST(test_a_warning_comes_with_the_answer);
    RUN_TEST(test_what_is_no_review_request_is_refused_and_the_connection_goes_on);
    RUN_TEST(test_json_may_have_parameters);
    RUN_TEST(test_headers_that_nobody_needs_are_stepped_over);
    RUN_TEST(test_headers_without_end_are_431);
    RUN_TEST(test_ambiguous_framing_is_refused_and_ends_the_connection);
    RUN_TEST(test_an_old_connection_is_asked_to_be_replaced);
    RUN_TEST(test_http_1_0_is_answered_and_closed);
    RUN_TEST(test_an_address_that_is_taken_is_an_error);
    return UNITY_END();
}
