#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"

#include "caller.h"
#include "files.h"
#include "has.h"
#include "support/temp_dir.h"

static struct prb_test_caller caller;
static char *dir, *token_file;

void setUp(void)
{
    dir = prb_test_temp_dir();
    token_file = prb_asprintf("%s/token", dir);
    prb_test_put(token_file, "token-one");
    prb_test_caller_start(&caller, token_file, NULL);
}

void tearDown(void)
{
    prb_test_caller_stop(&caller);
    prb_test_temp_dir_remove(dir);
    free(token_file);
}

static void test_a_refused_token_is_read_again_and_the_call_repeated_once(void)
{
    prb_autofree char *last = NULL;
    struct prb_error err;

    prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    prb_test_server_reply(caller.server, "401 Who", "", PRB_TEST_STATUS("401", "Unauthorized"));
    prb_test_server_reply(caller.server, "201 Created", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    prb_test_overwrite_unseen(token_file, "token-two");
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_create(caller.api, &err), err.msg);
    last = prb_test_server_request(caller.server, 2);
    ASSERT_HAS(last, "Authorization: Bearer token-two\r\n");
}

static void test_a_refused_token_without_a_newer_one_is_not_repeated(void)
{
    struct prb_error err;

    prb_test_server_reply(caller.server, "401 Who", "", PRB_TEST_STATUS("401", "Unauthorized"));
    TEST_ASSERT_EQUAL(PRB_E_UNAUTHORIZED, prb_test_get(caller.api, 0, &err));
    TEST_ASSERT_EQUAL(1, prb_test_server_count(caller.server));
}

static void test_no_secret_is_logged(void)
{
    prb_autofree char *path = prb_asprintf("%s/log", dir);
    prb_autofree char *log = NULL;
    FILE *file = fopen(path, "we");
    struct prb_error err;
    size_t len;

    TEST_ASSERT_NOT_NULL(file);
    prb_log_configure(PRB_LOG_DEBUG, PRB_LOG_TEXT, fileno(file));
    prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    prb_log_configure(PRB_LOG_INFO, PRB_LOG_TEXT, STDERR_FILENO);
    (void)fclose(file);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_file_read(path, 100000, &log, &len, &err), err.msg);
    ASSERT_HAS(log, "path=/api/v1/namespaces/ns/configmaps/a");
    TEST_ASSERT_NULL_MESSAGE(strstr(log, "token-one"), log);
    TEST_ASSERT_NULL_MESSAGE(strstr(log, "metadata"), log);
}

static void test_a_proxy_of_the_environment_is_not_used_for_this_machine(void)
{
    prb_auto(prb_test_server_stop) struct prb_test_server *proxy = prb_test_server_start();
    struct prb_error err;

    prb_test_setenv("http_proxy", prb_test_server_url(proxy));
    prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    prb_test_setenv("http_proxy", NULL);
    TEST_ASSERT_EQUAL(0, prb_test_server_count(proxy));
}

static void test_a_proxy_of_the_kubeconfig_is_used(void)
{
    char source[] = "test", target[] = "http://api.example:8080";
    prb_autofree char *request = NULL;
    struct prb_kube_config config = {
        .server = target,
        .proxy = prb_test_server_url(caller.server),
        .source = source,
    };
    struct prb_error err = { .msg = "" };

    prb_api_close(prb_take(caller.api));
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_kube_open(&config, NULL, &caller.api, &err), err.msg);
    prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_test_get(caller.api, 0, &err), err.msg);
    request = prb_test_server_request(caller.server, 0);
    ASSERT_HAS(request, "GET http://api.example:8080/api/v1/");
}

static void test_credentials_are_never_sent_in_the_clear(void)
{
    char source[] = "test", url[] = "http://api.example:8080", text[] = "t";
    const struct {
        const char *name;
        struct prb_kube_config config;
    } cases[] = {
        { "token", { .server = url, .token = text, .source = source } },
        { "token file", { .server = url, .token_file = text, .source = source } },
        { "password", { .server = url, .username = text, .password = text, .source = source } },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_api *refused = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID,
                prb_kube_open(&cases[i].config, NULL, &refused, &err), cases[i].name);
        ASSERT_HAS(err.msg, "in the clear");
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_refused_token_is_read_again_and_the_call_repeated_once);
    RUN_TEST(test_a_refused_token_without_a_newer_one_is_not_repeated);
    RUN_TEST(test_no_secret_is_logged);
    RUN_TEST(test_a_proxy_of_the_environment_is_not_used_for_this_machine);
    RUN_TEST(test_a_proxy_of_the_kubeconfig_is_used);
    RUN_TEST(test_credentials_are_never_sent_in_the_clear);
    return UNITY_END();
}
