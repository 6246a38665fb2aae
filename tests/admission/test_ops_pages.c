/* What the ops port answers: pages, methods, refusals, addresses. */

#include <signal.h>
#include <string.h>
#include <unity.h>

#include "probate/admission/ops.h"
#include "probate/base/json.h"
#include "probate/base/metrics.h"

#include "http_client.h"
#include "ops_fixture.h"

static void test_the_index_names_every_page(void)
{
    prb_autofree char *answer = NULL;

    START(0, 0, 0);
    answer = ask("GET", "/", "");
    ASSERT_STATUS(answer, 200);
    ASSERT_HAS(answer, "/healthz");
    ASSERT_HAS(answer, "/readyz");
    ASSERT_HAS(answer, "/metrics");
    ASSERT_HAS(answer, "/waiting");
}

static void test_healthz_says_ok(void)
{
    prb_autofree char *answer = NULL;

    START(0, 0, 0);
    answer = ask("GET", "/healthz", "");
    ASSERT_STATUS(answer, 200);
    ASSERT_HAS(answer, "Content-Type: text/plain; charset=utf-8\r\n");
    ASSERT_HAS(answer, "Cache-Control: no-store\r\n");
    TEST_ASSERT_EQUAL_STRING("ok\n", body_of(answer));
}

static void test_head_has_the_headers_and_no_body(void)
{
    prb_autofree char *answer = NULL;

    START(0, 0, 0);
    answer = ask("HEAD", "/healthz", "");
    ASSERT_STATUS(answer, 200);
    ASSERT_HAS(answer, "Content-Length: 3\r\n");
    TEST_ASSERT_EQUAL_STRING("", body_of(answer));
}

static void test_readyz_is_200_when_every_check_holds(void)
{
    prb_autofree char *brief = NULL, *verbose = NULL;

    START(0, 0, 0);
    brief = ask("GET", "/readyz", "");
    ASSERT_STATUS(brief, 200);
    TEST_ASSERT_EQUAL_STRING("ready\n", body_of(brief));
    verbose = ask("GET", "/readyz?verbose", "");
    TEST_ASSERT_EQUAL_STRING(
            "[+] widgets: 3 objects\n[i] leader: another one leads\nready\n", body_of(verbose));
}

static void test_readyz_is_503_and_says_which_check_failed(void)
{
    prb_autofree char *brief = NULL, *verbose = NULL;

    world.synced = false;
    START(0, 0, 0);
    brief = ask("GET", "/readyz", "");
    ASSERT_STATUS(brief, 503);
    TEST_ASSERT_EQUAL_STRING("[-] gadgets: not read yet\nnot ready\n", body_of(brief));
    verbose = ask("GET", "/readyz?verbose=1", "");
    ASSERT_STATUS(verbose, 503);
    TEST_ASSERT_EQUAL_STRING("[+] widgets: 3 objects\n[-] gadgets: not read yet\n"
                             "[i] leader: another one leads\nnot ready\n",
            body_of(verbose));
}

static void test_metrics_are_in_the_text_format_of_prometheus(void)
{
    static struct prb_metric metric = {
        .name = "probate_test_total", .help = "Counts.", .type = PRB_COUNTER
    };
    prb_autofree char *answer = NULL;

    prb_metric_add(&metric, 2, NULL);
    START(0, 0, 0);
    answer = ask("GET", "/metrics", "");
    ASSERT_STATUS(answer, 200);
    ASSERT_HAS(answer, "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n");
    ASSERT_HAS(answer, "# TYPE probate_test_total counter\nprobate_test_total 2\n");
}

static void test_waiting_has_a_line_for_each_deletion(void)
{
    prb_autofree char *none = NULL, *two = NULL;

    START(0, 0, 0);
    none = ask("GET", "/waiting", "");
    TEST_ASSERT_EQUAL_STRING("nothing waits\n", body_of(none));
    world.waits = 2;
    two = ask("GET", "/waiting?output=text", "");
    TEST_ASSERT_EQUAL_STRING(
            "widgets shop/w0 waits for: its parts, unchanged since 1970-01-01T00:00:01Z (1m)\n"
            "widgets shop/w1 waits for: its parts, unchanged since 1970-01-01T00:00:01Z (1m)\n",
            body_of(two));
}

static void test_waiting_as_json_is_an_array(void)
{
    prb_auto(prb_json_free) struct json_object *none = NULL, *two = NULL;
    prb_autofree char *first = NULL, *second = NULL;
    struct json_object *item;

    START(0, 0, 0);
    first = ask("GET", "/waiting?output=json", "");
    ASSERT_HAS(first, "Content-Type: application/json\r\n");
    TEST_ASSERT_EQUAL(0, prb_json_parse(body_of(first), strlen(body_of(first)), NULL, &none, &err));
    TEST_ASSERT_EQUAL(json_type_array, json_object_get_type(none));
    TEST_ASSERT_EQUAL(0, prb_json_len(none));

    world.waits = 2;
    world.waits_for = "\"quoted\"\n\x01 and \xff";
    second = ask("GET", "/waiting?output=json", "");
    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_json_parse(body_of(second), strlen(body_of(second)), NULL, &two, &err), err.msg);
    TEST_ASSERT_EQUAL(2, prb_json_len(two));
    item = prb_json_elem(two, 1);
    TEST_ASSERT_EQUAL_STRING("sweeper", prb_json_str(item, "controller"));
    TEST_ASSERT_EQUAL_STRING("example.dev", prb_json_str(item, "group"));
    TEST_ASSERT_EQUAL_STRING("v1", prb_json_str(item, "version"));
    TEST_ASSERT_EQUAL_STRING("widgets", prb_json_str(item, "resource"));
    TEST_ASSERT_EQUAL_STRING("shop", prb_json_str(item, "namespace"));
    TEST_ASSERT_EQUAL_STRING("w1", prb_json_str(item, "name"));
    TEST_ASSERT_EQUAL_STRING("1970-01-01T00:00:01Z", prb_json_str(item, "since"));
    ASSERT_HAS(prb_json_str(item, "waitsFor"), "\"quoted\"\n\x01 and ");
}

static void test_an_output_nobody_knows_is_a_400(void)
{
    prb_autofree char *yaml = NULL, *empty = NULL;

    START(0, 0, 0);
    yaml = ask("GET", "/waiting?output=yaml", "");
    ASSERT_STATUS(yaml, 400);
    empty = ask("GET", "/waiting?output", "");
    ASSERT_STATUS(empty, 400);
}

static void test_a_list_that_is_too_long_is_cut_at_an_entry_and_says_so(void)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    prb_autofree char *json = NULL, *text = NULL;
    const char *last;
    int64_t left_out = 0;
    size_t len;

    world.waits = 80000;
    world.waits_for = "something with a fairly long name, and for something else that is as long";
    START(0, 0, 0);
    json = ask("GET", "/waiting?output=json", "");
    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_json_parse(body_of(json), strlen(body_of(json)), NULL, &tree, &err), err.msg);
    len = prb_json_len(tree);
    TEST_ASSERT_TRUE(prb_json_int(prb_json_elem(tree, len - 1), "leftOut", &left_out));
    TEST_ASSERT_GREATER_THAN_INT64(0, left_out);
    TEST_ASSERT_EQUAL_INT64((int64_t)world.waits, left_out + (int64_t)len - 1);

    text = ask("GET", "/waiting", "");
    last = strrchr(text, ')'); /* the last entry that fits ends with one */
    ASSERT_HAS(last, ")\nand ");
    ASSERT_HAS(last, " more\n");
}

static void test_other_paths_are_404(void)
{
    static const char *const paths[] = { "/nope", "/healthz/", "//healthz", "/../", "/readyz/x",
        "/nope?verbose", "*" };

    START(0, 0, 0);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        prb_autofree char *answer = ask("GET", paths[i], "");

        TEST_ASSERT_TRUE_MESSAGE(has_status(answer, 404), paths[i]);
    }
}

static void test_other_methods_are_405_and_name_the_right_ones(void)
{
    static const char *const methods[] = { "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE",
        "CONNECT", "get", "FROB" };

    START(0, 0, 0);
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        prb_autofree char *answer = ask(methods[i], "/healthz", "Content-Length: 0\r\n");

        TEST_ASSERT_TRUE_MESSAGE(has_status(answer, 405), methods[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer, "Allow: GET, HEAD\r\n"), methods[i]);
    }
}

static void test_a_body_is_refused_before_it_comes(void)
{
    prb_autofree char *get = NULL, *post = NULL, *chunked = NULL, *expect = NULL;

    START(0, 0, 0);
    get = ask("GET", "/healthz", "Content-Length: 1000000000\r\n");
    ASSERT_STATUS(get, 413);
    ASSERT_HAS(get, "Connection: close\r\n");
    post = ask("POST", "/healthz", "Content-Length: 1000000000\r\n");
    ASSERT_STATUS(post, 405);
    chunked = ask("GET", "/healthz", "Transfer-Encoding: chunked\r\n");
    ASSERT_STATUS(chunked, 413);
    expect = ask("POST", "/healthz", "Content-Length: 10\r\nExpect: 100-continue\r\n");
    ASSERT_STATUS(expect, 405);
}

static void test_a_port_in_use_is_an_error_value(void)
{
    struct prb_ops_options options = { .host = "127.0.0.1" };
    struct prb_ops *second = NULL;

    START(0, 0, 0);
    options.port = prb_ops_port(ops);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, start_with(&options, &second));
    TEST_ASSERT_EQUAL_STRING("address already in use", err.msg);
    TEST_ASSERT_NULL(second);
}

static void test_an_address_of_another_machine_is_an_error_value(void)
{
    struct prb_ops_options options = { .host = "192.0.2.1" };

    TEST_ASSERT_EQUAL(PRB_E_INVALID, start_with(&options, &ops));
    TEST_ASSERT_EQUAL_STRING("this machine has no such address", err.msg);
}

static void test_every_interface_includes_the_loopback(void)
{
    struct prb_ops_options options = { .host = "" };
    prb_autofree char *answer = NULL;

    TEST_ASSERT_EQUAL_MESSAGE(0, start_with(&options, &ops), err.msg);
    answer = ask("GET", "/healthz", "");
    ASSERT_STATUS(answer, 200);
}

int main(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
    UNITY_BEGIN();
    RUN_TEST(test_the_index_names_every_page);
    RUN_TEST(test_healthz_says_ok);
    RUN_TEST(test_head_has_the_headers_and_no_body);
    RUN_TEST(test_readyz_is_200_when_every_check_holds);
    RUN_TEST(test_readyz_is_503_and_says_which_check_failed);
    RUN_TEST(test_metrics_are_in_the_text_format_of_prometheus);
    RUN_TEST(test_waiting_has_a_line_for_each_deletion);
    RUN_TEST(test_waiting_as_json_is_an_array);
    RUN_TEST(test_an_output_nobody_knows_is_a_400);
    RUN_TEST(test_a_list_that_is_too_long_is_cut_at_an_entry_and_says_so);
    RUN_TEST(test_other_paths_are_404);
    RUN_TEST(test_other_methods_are_405_and_name_the_right_ones);
    RUN_TEST(test_a_body_is_refused_before_it_comes);
    RUN_TEST(test_a_port_in_use_is_an_error_value);
    RUN_TEST(test_an_address_of_another_machine_is_an_error_value);
    RUN_TEST(test_every_interface_includes_the_loopback);
    return UNITY_END();
}
