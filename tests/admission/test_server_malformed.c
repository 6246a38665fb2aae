/* Bodies that are no review, over TLS: each is answered, and the connection goes on. */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "server_world.h"

#define NESTED 100000

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

static bool start(void)
{
    return world_start(&world, NULL, NULL) && https_open(&https, world_port(&world), world.client);
}

/* A review with the first `from` in it replaced by `to`. The caller frees. */
static char *changed(const char *from, const char *to)
{
    prb_autofree char *review = review_of("fine", "u-1", 10);
    char *at = strstr(review, from);

    if (!at)
        abort();
    *at = '\0';
    return prb_asprintf("%s%s%s", review, to, at + strlen(from));
}

static bool call(const char *body)
{
    answer_done(&answer);
    return https_call(&https, body, &answer);
}

static void test_what_is_no_review_is_400(void)
{
    static const struct {
        const char *name, *from, *to;
    } cases[] = {
        { "single quotes", "\"uid\"", "'uid'" },
        { "NaN", "\"dryRun\":false", "\"dryRun\":NaN" },
        { "Infinity", "\"options\":null", "\"options\":-Infinity" },
        { "a comment", "\"options\":null", "/* none */\"options\":null" },
        { "a comma too many", "null}}", "null,}}" },
        { "something behind it", "null}}", "null}} {}" },
        { "cut off", "null}}", "null}" },
        { "invalid UTF-8 in the object", "lorem", "\xff\xfe" },
        { "overlong UTF-8", "lorem", "\xc0\xaf" },
        { "a lone surrogate", "lorem", "\\ud800" },
        { "a raw line break in a string", "lorem", "lo\nem" },
        { "a duplicate key in the request", "\"dryRun\":false",
                "\"uid\":\"u-2\",\"dryRun\":false" },
        { "a duplicate key in metadata", "\"metadata\":{\"name\":\"fine\"",
                "\"metadata\":{\"name\":\"deny\",\"name\":\"fine\"" },
        { "no uid", "\"uid\":\"u-1\",", "" },
        { "an empty uid", "\"uid\":\"u-1\"", "\"uid\":\"\"" },
        { "a uid that is a number", "\"uid\":\"u-1\"", "\"uid\":1" },
        { "v1beta1", "admission.k8s.io/v1", "admission.k8s.io/v1beta1" },
        { "another kind", "AdmissionReview", "AdmissionRequest" },
        { "no such operation", "CREATE", "PATCH" },
        { "no object to create", "\"object\":{", "\"other\":{" },
        { "a number too large for any", "\"uid\":\"u-1\"", "\"uid\":1e999" },
    };

    TEST_ASSERT_TRUE(start());
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *body = changed(cases[i].from, cases[i].to);

        TEST_ASSERT_TRUE_MESSAGE(call(body), cases[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(400, answer.status, cases[i].name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer.body, "\"kind\":\"Status\""), answer.body);
        TEST_ASSERT_FALSE_MESSAGE(answer.closes, cases[i].name);
    }
    TEST_ASSERT_EQUAL_UINT(0, atomic_load(&world.decided));
}

static void test_bodies_that_are_no_object_are_400(void)
{
    static const char *const bodies[] = { "", " ", "{}", "[]", "null", "true", "0", "\"x\"",
        "{\"request\":null}",
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}", "hello",
        "\x1f\x8b\x08", "\xef\xbb\xbf{}" };

    TEST_ASSERT_TRUE(start());
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        TEST_ASSERT_TRUE_MESSAGE(call(bodies[i]), bodies[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(400, answer.status, bodies[i]);
    }
}

static void test_deep_nesting_is_400_wherever_it_is(void)
{
    static const char *const places[] = { "\"options\":null", "\"data\":\"lorem ipsu\"" };
    static const char *const brackets[][2] = { { "[", "]" }, { "{\"a\":", "1}" } };

    TEST_ASSERT_TRUE(start());
    for (size_t i = 0; i < 4; i++) {
        prb_auto(prb_str_done) struct prb_str nested;
        prb_autofree char *body = NULL;

        prb_str_init(&nested, (size_t)4 * 1024 * 1024);
        prb_str_addf(&nested, "\"%s\":", i < 2 ? "options" : "data");
        for (int depth = 0; depth < NESTED; depth++)
            prb_str_add(&nested, brackets[i % 2][0]);
        for (int depth = 0; i % 2 == 0 && depth < NESTED; depth++)
            prb_str_add(&nested, brackets[0][1]);
        for (int depth = 0; i % 2 == 1 && depth < NESTED; depth++)
            prb_str_add(&nested, depth == 0 ? "1}" : "}");
        body = changed(places[i / 2], prb_str_get(&nested));
        TEST_ASSERT_TRUE(call(body));
        TEST_ASSERT_EQUAL_INT(400, answer.status);
    }
    {
        prb_autofree char *review = review_of("fine", "u", 0);

        TEST_ASSERT_TRUE(call(review));
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
}

static void test_what_looks_odd_but_is_a_review_is_judged(void)
{
    static const struct {
        const char *name, *from, *to;
    } cases[] = {
        { "CONNECT", "CREATE", "CONNECT" },
        { "escapes", "lorem", "\\u006corem \\ud83d\\ude00 \\u0000" },
        { "UTF-8", "lorem", "\xf0\x9f\x98\x80 \xc3\xa4" },
        { "a huge integer in what no rule reads",
                "\"data\":", "\"n\":99999999999999999999999,\"data\":" },
        { "a huge double in what no rule reads", "\"data\":", "\"n\":-1.5e300,\"data\":" },
        { "members nobody knows", "\"dryRun\":false", "\"dryRun\":false,\"future\":[{}]" },
        { "white space", "\"dryRun\":false", " \t\r\n\"dryRun\" : false " },
        { "a dry run", "\"dryRun\":false", "\"dryRun\":true" },
    };

    TEST_ASSERT_TRUE(start());
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *body = changed(cases[i].from, cases[i].to);

        TEST_ASSERT_TRUE_MESSAGE(call(body), cases[i].name);
        TEST_ASSERT_TRUE_MESSAGE(says_allowed(answer.body), answer.body);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_no_review_is_400);
    RUN_TEST(test_bodies_that_are_no_object_are_400);
    RUN_TEST(test_deep_nesting_is_400_wherever_it_is);
    RUN_TEST(test_what_looks_odd_but_is_a_review_is_judged);
    return UNITY_END();
}
