#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "caller.h"
#include "decode.h"
#include "has.h"
#include "internal.h"
#include "support/wait.h"

/* Well below PRB_API_TIMEOUT_MS, which ends a call that nobody interrupts. */
#define INTERRUPTED_MS 15000

static struct prb_test_caller caller;

void setUp(void)
{
    prb_test_caller_start(&caller, NULL, NULL);
}

void tearDown(void)
{
    prb_test_caller_stop(&caller);
}

static void test_a_request_says_who_asks_and_what_for(void)
{
    prb_autofree char *request = NULL;
    struct prb_error err;

    prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    request = prb_test_server_request(caller.server, 0);
    ASSERT_HAS(request, "GET /api/v1/namespaces/ns/configmaps/a HTTP/1.1\r\n",
            "User-Agent: probate/", "Accept: application/json\r\n");
    TEST_ASSERT_NULL_MESSAGE(strstr(request, "Authorization"), request);
}

static void test_a_write_sends_its_body_once_and_says_what_it_is(void)
{
    prb_autofree char *request = NULL;
    struct prb_error err;

    prb_test_server_reply(caller.server, "201 Created", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_create(caller.api, &err), err.msg);
    request = prb_test_server_request(caller.server, 0);
    ASSERT_HAS(request, "POST /api/v1/namespaces/ns/configmaps?fieldManager=probate HTTP/1.1",
            "Content-Type: application/json\r\n");
    ASSERT_HAS(request, "\r\n\r\n{\"metadata\":{\"name\":\"a\"}}");
}

static void test_a_large_body_goes_out_without_asking_first(void)
{
    static char text[1536 * 1024]; /* curl asks from 1 MiB on */
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();
    prb_autofree char *request = NULL;
    struct prb_error err = { .msg = "" };

    memset(text, 'x', sizeof(text) - 1);
    prb_json_set_str(prb_json_ensure_obj(body, "metadata"), "name", "a");
    prb_json_set_str(body, "data", text);
    prb_test_server_reply(caller.server, "201 Created", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_api_create(caller.api, &prb_test_a, body, NULL, NULL, &err), err.msg);
    request = prb_test_server_request(caller.server, 0);
    TEST_ASSERT_NULL(strstr(request, "Expect:"));
    TEST_ASSERT_GREATER_THAN(sizeof(text), strlen(request));
}

static void test_a_delete_carries_its_preconditions(void)
{
    const struct prb_delete_options options = {
        .uid = "u-1",
        .resource_version = "7",
        .propagation = PRB_PROPAGATE_FOREGROUND,
        .dry_run = true,
    };
    prb_autofree char *request = NULL;
    struct prb_error err = { .msg = "" };

    prb_test_server_reply(caller.server, "202 Accepted", "", "{\"kind\":\"Status\"}");
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_api_delete(caller.api, &prb_test_a, &options, &err), err.msg);
    request = prb_test_server_request(caller.server, 0);
    ASSERT_HAS(request, "DELETE /api/v1/namespaces/ns/configmaps/a HTTP/1.1",
            "\"preconditions\":{\"uid\":\"u-1\",\"resourceVersion\":\"7\"}",
            "\"propagationPolicy\":\"Foreground\"", "\"dryRun\":[\"All\"]");
}

static void test_a_delete_is_done_only_where_the_api_server_says_so(void)
{
    static const struct {
        const char *body;
        long code;
    } cases[] = {
        { "<html>please log in</html>", PRB_E_IO },
        { "", PRB_E_IO },
        { "[]", PRB_E_IO },
        { "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"no\",\"code\":403}",
                PRB_E_FORBIDDEN },
        { "{\"kind\":\"Status\",\"status\":\"Success\"}", 0 },
        { PRB_TEST_OBJECT, 0 },
        { "{\"kind\":\"Pod\",\"status\":{\"phase\":\"Failure\"}}", 0 },
    };
    const struct prb_delete_options options = { .uid = "u-1" };
    struct prb_error err;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_test_server_reply(caller.server, "200 OK", "", cases[i].body);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].code,
                prb_api_delete(caller.api, &prb_test_a, &options, &err), cases[i].body);
    }
}

static void test_nothing_is_deleted_by_name_alone(void)
{
    struct prb_error err;

    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_api_delete(caller.api, &prb_test_a, NULL, &err));
    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_kube_remove(caller.api, &prb_test_a, NULL, &err));
    TEST_ASSERT_EQUAL(0, prb_test_server_count(caller.server));
}

static void test_a_body_that_is_cut_off_is_a_failure_of_the_transport(void)
{
    struct prb_error err;

    prb_test_server_reply_raw(caller.server,
            "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" PRB_TEST_OBJECT, PRB_TEST_CLOSE);
    TEST_ASSERT_EQUAL(PRB_E_IO, prb_test_get(caller.api, 0, &err));
    prb_test_server_reply(caller.server, "200 OK", "", "{\"metadata\":{\"na");
    TEST_ASSERT_EQUAL(PRB_E_IO, prb_test_get(caller.api, 0, &err));
}

static void test_a_redirect_is_not_followed(void)
{
    prb_auto(prb_test_server_stop) struct prb_test_server *other = prb_test_server_start();
    prb_autofree char *location =
            prb_asprintf("Location: %s/steal\r\n", prb_test_server_url(other));
    struct prb_error err;

    prb_test_server_reply(other, "200 OK", "", PRB_TEST_OBJECT);
    prb_test_server_reply(caller.server, "302 Found", location, "");
    TEST_ASSERT_EQUAL(PRB_E_UNSUPPORTED, prb_test_get(caller.api, 0, &err));
    ASSERT_HAS(err.msg, "redirect");
    TEST_ASSERT_EQUAL(0, prb_test_server_count(other));
}

static void test_a_call_without_an_answer_ends_at_its_deadline(void)
{
    int64_t start_ms = prb_test_now_ms();
    struct prb_error err;

    prb_test_server_reply_raw(caller.server, "", PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL(PRB_E_IO, prb_test_get(caller.api, 2000, &err));
    ASSERT_HAS(err.msg, "deadline");
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(2000, prb_test_now_ms() - start_ms);
    TEST_ASSERT_LESS_THAN_INT64(prb_test_patience_ms(20000), prb_test_now_ms() - start_ms);
    TEST_ASSERT_CAME(prb_test_server_wait(caller.server, 1));
    TEST_ASSERT_EQUAL(1, prb_test_server_count(caller.server));
}

static void test_connections_are_used_again(void)
{
    struct prb_error err;

    for (int i = 0; i < 5; i++) {
        prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
        TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    }
    TEST_ASSERT_EQUAL(1, prb_test_server_connections(caller.server));
}

static void test_an_answer_that_is_too_large_is_refused_without_reading_it_all(void)
{
    prb_autofree char *body = prb_malloc(PRB_KUBE_BODY_MAX + 2);
    const struct prb_kube_request request = {
        .method = "GET",
        .path = "/",
        .repeatable = true,
    };
    prb_auto(prb_kube_answer_done) struct prb_kube_answer answer;
    struct prb_error err;

    memset(body, ' ', PRB_KUBE_BODY_MAX + 1);
    body[PRB_KUBE_BODY_MAX + 1] = '\0';
    prb_kube_answer_init(&answer);
    prb_test_server_reply(caller.server, "200 OK", "", body);
    TEST_ASSERT_EQUAL(PRB_E_UNSUPPORTED,
            prb_kube_ask(&prb_kube_of(caller.api)->rest, &request, &answer, &err));
    TEST_ASSERT_TRUE(answer.too_large);
    TEST_ASSERT_LESS_OR_EQUAL(PRB_KUBE_BODY_MAX, answer.body.len);
}

static void test_a_page_that_is_too_large_is_asked_for_in_smaller_ones(void)
{
    prb_auto(prb_str_done) struct prb_str body;
    prb_auto(prb_page_done) struct prb_page page;
    prb_autofree char *request = NULL;
    struct prb_error err = { .msg = "" };

    prb_str_init(&body, PRB_KUBE_BUILT_MAX);
    prb_str_add(&body, "{\"items\":[{}");
    for (size_t i = 0; i < PRB_KUBE_BUILT_MAX / 200; i++)
        prb_str_add(&body, ",{}");
    prb_str_add(&body, "]}");
    prb_page_init(&page);
    prb_test_server_reply(caller.server, "200 OK", "", prb_str_get(&body));
    prb_test_server_reply(caller.server, "200 OK", "",
            "{\"metadata\":{\"resourceVersion\":\"1\",\"continue\":\"n\"},\"items\":[" PRB_TEST_OBJECT
            "]}");
    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_api_list(caller.api, &prb_test_a.gvr, NULL, &page, &err), err.msg);
    TEST_ASSERT_EQUAL(1, page.count);
    TEST_ASSERT_EQUAL_STRING("n", page.next);
    request = prb_test_server_request(caller.server, 0);
    ASSERT_HAS(request, "?limit=500 ");
    free(request);
    request = prb_test_server_request(caller.server, 1);
    ASSERT_HAS(request, "?limit=62 ");
}

/* It is too deep, and that will not change: the server has answered, and is not asked again. */
static void test_an_object_that_cannot_be_read_is_told_from_a_server_that_is_away(void)
{
    prb_auto(prb_str_done) struct prb_str body;
    struct prb_error err = { .msg = "" };

    prb_str_init(&body, 64 * 1024);
    prb_str_add(&body, "{\"metadata\":{\"name\":\"a\"},\"spec\":");
    for (int i = 0; i < PRB_JSON_DEPTH_MAX; i++)
        prb_str_addc(&body, '[');
    for (int i = 0; i < PRB_JSON_DEPTH_MAX; i++)
        prb_str_addc(&body, ']');
    prb_str_addc(&body, '}');
    prb_test_server_reply(caller.server, "200 OK", "", prb_str_get(&body));
    TEST_ASSERT_EQUAL(PRB_E_IO, prb_test_get(caller.api, 0, &err));
    TEST_ASSERT_EQUAL(200, err.status);
    ASSERT_HAS(err.msg, "the server's answer cannot be read", "nested too deeply");
    TEST_ASSERT_EQUAL(1, prb_test_server_count(caller.server));
}

/* A list of one that is whole and one of which `spec` cannot be built. */
static void reply_with_defect(void)
{
    prb_auto(prb_str_done) struct prb_str body;

    prb_str_init(&body, 64 * 1024);
    prb_str_add(&body, "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[" PRB_TEST_OBJECT
                       ",{\"metadata\":{\"namespace\":\"ns\",\"name\":\"deep\"},\"spec\":");
    for (int i = 0; i < PRB_JSON_DEPTH_MAX; i++)
        prb_str_addc(&body, '[');
    for (int i = 0; i < PRB_JSON_DEPTH_MAX; i++)
        prb_str_addc(&body, ']');
    prb_str_add(&body, "}]}");
    prb_test_server_reply(caller.server, "200 OK", "", prb_str_get(&body));
}

/* Who does not ask for defects must not take what is missing for absent. */
static void test_a_list_with_an_object_that_cannot_be_read_is_for_who_asks_for_it(void)
{
    const struct prb_list_options with_defects = { .with_defects = true };
    const struct prb_list_options metadata_only = { .metadata_only = true };
    prb_auto(prb_page_done) struct prb_page page, metadata;
    struct prb_error err = { .msg = "" };

    prb_page_init(&page);
    prb_page_init(&metadata);
    reply_with_defect();
    TEST_ASSERT_EQUAL(
            PRB_E_UNSUPPORTED, prb_api_list(caller.api, &prb_test_a.gvr, NULL, &page, &err));
    ASSERT_HAS(err.msg, "configmaps ns/deep cannot be read: spec: ", "nested too deeply");
    reply_with_defect();
    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_api_list(caller.api, &prb_test_a.gvr, &with_defects, &page, &err), err.msg);
    TEST_ASSERT_EQUAL(2, page.count);
    TEST_ASSERT_NULL(prb_object_defect(page.objects[0]));
    TEST_ASSERT_NOT_NULL(prb_object_defect(page.objects[1]));
    reply_with_defect();
    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_api_list(caller.api, &prb_test_a.gvr, &metadata_only, &metadata, &err), err.msg);
    TEST_ASSERT_EQUAL(2, metadata.count);
}

static void *get_thread(void *ctx)
{
    struct prb_error *err = ctx;

    (void)prb_test_get(caller.api, 0, err);
    return NULL;
}

static void test_a_running_call_is_interrupted_at_once(void)
{
    struct prb_error err, later;
    pthread_t thread;

    /* On a used connection: on a new one curl's own timers would end the wait, too. */
    prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    prb_test_server_reply_raw(caller.server, "", PRB_TEST_HOLD);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    TEST_ASSERT_EQUAL(0, pthread_create(&thread, NULL, get_thread, &err));
    TEST_ASSERT_CAME(prb_test_server_wait(caller.server, 2));
    prb_api_interrupt(caller.api);
    TEST_ASSERT_CAME(prb_test_join("the call is interrupted", thread, NULL, INTERRUPTED_MS));
    TEST_ASSERT_EQUAL(PRB_E_CANCELLED, err.code);
    TEST_ASSERT_EQUAL(PRB_E_CANCELLED, prb_test_get(caller.api, 0, &later));
}

static void test_many_threads_call_at_once(void)
{
    enum { THREADS = 16 };
    struct prb_error errors[THREADS];
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    for (int i = 0; i < THREADS; i++)
        TEST_ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, get_thread, &errors[i]));
    for (int i = 0; i < THREADS; i++)
        (void)pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        TEST_ASSERT_EQUAL_MESSAGE(PRB_OK, errors[i].code, errors[i].msg);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_request_says_who_asks_and_what_for);
    RUN_TEST(test_a_write_sends_its_body_once_and_says_what_it_is);
    RUN_TEST(test_a_large_body_goes_out_without_asking_first);
    RUN_TEST(test_a_delete_carries_its_preconditions);
    RUN_TEST(test_a_delete_is_done_only_where_the_api_server_says_so);
    RUN_TEST(test_nothing_is_deleted_by_name_alone);
    RUN_TEST(test_a_body_that_is_cut_off_is_a_failure_of_the_transport);
    RUN_TEST(test_a_redirect_is_not_followed);
    RUN_TEST(test_a_call_without_an_answer_ends_at_its_deadline);
    RUN_TEST(test_connections_are_used_again);
    RUN_TEST(test_an_answer_that_is_too_large_is_refused_without_reading_it_all);
    RUN_TEST(test_a_page_that_is_too_large_is_asked_for_in_smaller_ones);
    RUN_TEST(test_an_object_that_cannot_be_read_is_told_from_a_server_that_is_away);
    RUN_TEST(test_a_list_with_an_object_that_cannot_be_read_is_for_who_asks_for_it);
    RUN_TEST(test_a_running_call_is_interrupted_at_once);
    RUN_TEST(test_many_threads_call_at_once);
    return UNITY_END();
}
