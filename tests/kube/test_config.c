#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unity.h>

#include <gnutls/gnutls.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/kube/config.h"

#include "files.h"
#include "has.h"
#include "pem.h"
#include "support/temp_dir.h"

static char *dir;                                 /* of this test */
static char *cert, *key, *other_cert, *other_key; /* of all */

void setUp(void)
{
    dir = prb_test_temp_dir();
}

void tearDown(void)
{
    prb_test_temp_dir_remove(dir);
}

/* Write a file below the folder of the test; its path, owned. */
static char *put(const char *name, const char *text)
{
    char *path = prb_asprintf("%s/%s", dir, name);

    prb_test_put(path, text);
    return path;
}

static char *base64(const char *text)
{
    gnutls_datum_t in = { .data = (unsigned char *)prb_strdup(text),
        .size = (unsigned)strlen(text) };
    gnutls_datum_t out;
    char *encoded;

    if (gnutls_base64_encode2(&in, &out) < 0)
        abort();
    encoded = prb_strndup((const char *)out.data, out.size);
    gnutls_free(out.data);
    free(in.data);
    return encoded;
}

/* A kubeconfig with one context "dev"; cluster and user are lines of YAML, indented by four. */
static char *simple(const char *cluster, const char *user)
{
    prb_autofree char *text = prb_asprintf("apiVersion: v1\nkind: Config\ncurrent-context: dev\n"
                                           "contexts:\n- name: dev\n  context:\n    cluster: c\n"
                                           "    user: u\n    namespace: team\n"
                                           "clusters:\n- name: c\n  cluster:\n%s"
                                           "users:\n- name: u\n  user:\n%s",
            cluster, user);

    return put("config", text);
}

static int load(
        const char *path, const char *context, struct prb_kube_config **ret, struct prb_error *err)
{
    *err = (struct prb_error){ .code = PRB_OK };
    *ret = NULL;
    return prb_kube_config_load(path, context, ret, err);
}

static void test_everything_a_kubeconfig_can_say_inline(void)
{
    prb_autofree char *cert64 = base64(cert), *key64 = base64(key), *ca64 = base64(other_cert);
    prb_autofree char *cluster = prb_asprintf("    server: https://h:6443\n"
                                              "    certificate-authority-data: %s\n"
                                              "    tls-server-name: api.example\n"
                                              "    proxy-url: http://proxy:3128\n",
            ca64);
    prb_autofree char *user = prb_asprintf("    client-certificate-data: %s\n"
                                           "    client-key-data: %s\n    token: tok\n",
            cert64, key64);
    prb_autofree char *path = simple(cluster, user);
    prb_autofree char *source = prb_asprintf("context dev of %s", path);
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err;
    int r = load(path, NULL, &config, &err);

    TEST_ASSERT_EQUAL_MESSAGE(0, r, err.msg);
    TEST_ASSERT_EQUAL_STRING("https://h:6443", config->server);
    TEST_ASSERT_EQUAL_STRING("api.example", config->tls_server_name);
    TEST_ASSERT_EQUAL_STRING(other_cert, config->ca_data);
    TEST_ASSERT_EQUAL_STRING(cert, config->cert_data);
    TEST_ASSERT_EQUAL_STRING(key, config->key_data);
    TEST_ASSERT_EQUAL_STRING("tok", config->token);
    TEST_ASSERT_EQUAL_STRING("http://proxy:3128", config->proxy);
    TEST_ASSERT_EQUAL_STRING("team", config->namespace);
    TEST_ASSERT_EQUAL_STRING(source, config->source);
    TEST_ASSERT_NULL(config->ca_file);
    TEST_ASSERT_NULL(config->key_file);
    TEST_ASSERT_FALSE(config->insecure);
}

static void test_files_count_from_the_folder_of_the_kubeconfig(void)
{
    prb_autofree char *path = simple("    server: https://h\n    certificate-authority: ca.pem\n",
            "    client-certificate: cert.pem\n    client-key: ./key.pem\n    tokenFile: tok\n");
    prb_autofree char *ca_path = put("ca.pem", other_cert), *cert_path = put("cert.pem", cert);
    prb_autofree char *key_path = put("key.pem", key), *token_path = put("tok", "t");
    prb_autofree char *dotted = prb_asprintf("%s/./key.pem", dir);
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err;
    int r = load(path, NULL, &config, &err);

    TEST_ASSERT_EQUAL_MESSAGE(0, r, err.msg);
    TEST_ASSERT_EQUAL_STRING(ca_path, config->ca_file);
    TEST_ASSERT_EQUAL_STRING(cert_path, config->cert_file);
    TEST_ASSERT_EQUAL_STRING(dotted, config->key_file);
    TEST_ASSERT_EQUAL_STRING(token_path, config->token_file);
    TEST_ASSERT_EQUAL(0, access(key_path, R_OK));
}

static void test_data_wins_over_the_file(void)
{
    prb_autofree char *ca64 = base64(cert);
    prb_autofree char *cluster = prb_asprintf("    server: https://h\n"
                                              "    certificate-authority: /nowhere\n"
                                              "    certificate-authority-data: %s\n",
            ca64);
    prb_autofree char *path = simple(cluster, "    token: t\n");
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_MESSAGE(0, load(path, NULL, &config, &err), err.msg);
    TEST_ASSERT_EQUAL_STRING(cert, config->ca_data);
}

static const struct {
    const char *name, *cluster, *user, *expected;
} mistakes[] = {
    { "no server", "    tls-server-name: x\n", "    token: t\n",
            "cluster \"c\": server is missing" },
    { "server is no text", "    server: 1\n", "    token: t\n", "server is no text" },
    { "exec", "    server: https://h\n", "    exec:\n      command: aws\n",
            "user \"u\": exec (a credential plugin) is not supported yet" },
    { "auth-provider", "    server: https://h\n", "    auth-provider:\n      name: oidc\n",
            "auth-provider is not supported yet" },
    { "impersonation", "    server: https://h\n", "    token: t\n    as: bob\n",
            "as (impersonation) is not supported yet" },
    { "insecure with CA",
            "    server: https://h\n    insecure-skip-tls-verify: true\n"
            "    certificate-authority: ca.pem\n",
            "    token: t\n", "contradicts certificate-authority" },
    { "insecure is no bool", "    server: https://h\n    insecure-skip-tls-verify: 'yes'\n",
            "    token: t\n", "is neither true nor false" },
    { "no base64", "    server: https://h\n    certificate-authority-data: '%%%'\n",
            "    token: t\n", "certificate-authority-data is not base64" },
    { "data is no certificate", "    server: https://h\n    certificate-authority-data: aGVsbG8=\n",
            "    token: t\n", "no certificate in it" },
    { "data with a NUL", "    server: https://h\n    certificate-authority-data: YQBi\n",
            "    token: t\n", "is no PEM text" },
    { "no CA file", "    server: https://h\n    certificate-authority: gone.pem\n",
            "    token: t\n", "gone.pem: No such file or directory" },
    { "no key file", "    server: https://h\n",
            "    client-certificate: cert.pem\n    client-key: gone.pem\n",
            "client-key of context dev of " },
    { "certificate without key", "    server: https://h\n", "    client-certificate: cert.pem\n",
            "client-certificate without a client-key" },
    { "key without certificate", "    server: https://h\n", "    client-key: key.pem\n",
            "client-key without a client-certificate" },
    { "key of another certificate", "    server: https://h\n",
            "    client-certificate: cert.pem\n    client-key: other_key.pem\n",
            "other_key.pem: the key does not belong to client-certificate " },
    { "key is none", "    server: https://h\n",
            "    client-certificate: cert.pem\n    client-key: cert.pem\n", "cert.pem with " },
    { "token and password", "    server: https://h\n",
            "    token: t\n    username: u\n    password: p\n", "only one of them" },
    { "no token file", "    server: https://h\n", "    tokenFile: gone\n",
            "tokenFile of context dev of " },
    { "odd name to verify", "    server: https://h\n    tls-server-name: 'a b/c'\n",
            "    token: t\n", "tls-server-name is no host name" },
    { "odd proxy", "    server: https://h\n    proxy-url: proxy:3128\n", "    token: t\n",
            "proxy-url has to begin with" },
};

static void test_mistakes_are_named(void)
{
    free(put("ca.pem", other_cert));
    free(put("cert.pem", cert));
    free(put("key.pem", key));
    free(put("other_key.pem", other_key));
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
        prb_autofree char *path = simple(mistakes[i].cluster, mistakes[i].user);
        prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
        struct prb_error err;
        int r = load(path, NULL, &config, &err);

        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, r, mistakes[i].name);
        ASSERT_HAS(err.msg, mistakes[i].expected, dir);
    }
}

static void test_an_unreadable_key_is_told_with_the_reason(void)
{
    prb_autofree char *path = simple("    server: https://h\n",
            "    client-certificate: cert.pem\n    client-key: folder\n");
    prb_autofree char *folder = prb_asprintf("%s/folder", dir);
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err;

    free(put("cert.pem", cert));
    TEST_ASSERT_EQUAL(0, mkdir(folder, 0700));
    TEST_ASSERT_EQUAL(PRB_E_INVALID, load(path, NULL, &config, &err));
    ASSERT_HAS(err.msg, "folder: is a directory");
}

static void test_files_that_are_no_kubeconfig(void)
{
    static const struct {
        const char *name, *text, *expected;
    } cases[] = {
        { "no YAML", "clusters:\n- name: [\n", "line " },
        { "a list", "- a\n- b\n", "a mapping is expected" },
        { "a manifest", "apiVersion: v1\nkind: Pod\n", "no kubeconfig but a Pod" },
        { "two documents", "kind: Config\n---\nkind: Config\n", "a second document begins" },
        { "empty", "", "no context is chosen, and there is no current-context" },
        { "no contexts", "current-context: dev\n", "there is no context \"dev\"" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *path = put("broken", cases[i].text);
        prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
        struct prb_error err;
        int r = load(path, NULL, &config, &err);

        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, r, cases[i].name);
        ASSERT_HAS(err.msg, cases[i].expected, path);
    }
}

static void test_a_file_that_is_not_there_is_named(void)
{
    prb_autofree char *path = prb_asprintf("%s/nothing", dir);
    prb_autofree char *expected = prb_asprintf("kubeconfig %s: no such file", path);
    prb_autofree char *both = prb_asprintf("%s:%s2", path, path);
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL(PRB_E_INVALID, load(path, NULL, &config, &err));
    TEST_ASSERT_EQUAL_STRING(expected, err.msg);
    TEST_ASSERT_EQUAL(PRB_E_INVALID, load(both, NULL, &config, &err));
    ASSERT_HAS(err.msg, "none of these files exists");
}

/* Two files: the first has cluster c and context one; the second another c and context two. */
static char *two_files(void)
{
    prb_autofree char *first =
            put("first", "contexts:\n- name: one\n  context: {cluster: c, user: u}\n"
                         "clusters:\n- name: c\n  cluster: {server: 'https://first'}\n");
    prb_autofree char *second =
            put("second", "current-context: two\n"
                          "contexts:\n- name: two\n  context: {cluster: c, user: u}\n"
                          "- name: staging\n  context: {cluster: gone, user: u}\n"
                          "- name: stray\n  context: {cluster: c, user: gone}\n"
                          "- name: bare\n  context: {user: u}\n"
                          "- name: nobody\n  context: {cluster: c}\n"
                          "clusters:\n- name: c\n  cluster: {server: 'https://second'}\n"
                          "users:\n- name: u\n  user: {token: t}\n");

    return prb_asprintf("%s:%s/missing::%s", first, dir, second);
}

static void test_of_a_list_the_first_to_define_a_name_wins(void)
{
    prb_autofree char *paths = two_files();
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    prb_auto(prb_kube_config_free) struct prb_kube_config *named = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_MESSAGE(0, load(paths, NULL, &config, &err), err.msg);
    TEST_ASSERT_EQUAL_STRING("https://first", config->server);
    TEST_ASSERT_EQUAL_STRING("t", config->token);
    TEST_ASSERT_NOT_NULL(strstr(config->source, "context two of "));
    TEST_ASSERT_NOT_NULL(strstr(config->source, "/second"));

    TEST_ASSERT_EQUAL_MESSAGE(0, load(paths, "one", &named, &err), err.msg);
    TEST_ASSERT_NOT_NULL(strstr(named->source, "/first"));
}

static void test_an_unknown_context_is_told_with_the_known_ones(void)
{
    static const struct {
        const char *context, *expected;
    } cases[] = {
        { "stagin", "there is no context \"stagin\" in " },
        { "stagin", "did you mean \"staging\"?" },
        { "stagin", "known are: one, two, staging, stray, bare, nobody" },
        { "staging", "there is no cluster \"gone\" in " },
        { "stray", "there is no user \"gone\" in " },
        { "stray", "context stray of " },
        { "bare", "names no cluster" },
    };
    prb_autofree char *paths = two_files();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_MESSAGE(
                PRB_E_INVALID, load(paths, cases[i].context, &config, &err), cases[i].context);
        ASSERT_HAS(err.msg, cases[i].expected);
    }
}

static void test_a_context_may_go_without_a_user(void)
{
    prb_autofree char *paths = two_files();
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_MESSAGE(0, load(paths, "nobody", &config, &err), err.msg);
    TEST_ASSERT_NULL(config->token);
}

int main(void)
{
    int failed;

    prb_test_pem_pair(&cert, &key);
    prb_test_pem_pair(&other_cert, &other_key);
    UNITY_BEGIN();
    RUN_TEST(test_everything_a_kubeconfig_can_say_inline);
    RUN_TEST(test_files_count_from_the_folder_of_the_kubeconfig);
    RUN_TEST(test_data_wins_over_the_file);
    RUN_TEST(test_mistakes_are_named);
    RUN_TEST(test_an_unreadable_key_is_told_with_the_reason);
    RUN_TEST(test_files_that_are_no_kubeconfig);
    RUN_TEST(test_a_file_that_is_not_there_is_named);
    RUN_TEST(test_of_a_list_the_first_to_define_a_name_wins);
    RUN_TEST(test_an_unknown_context_is_told_with_the_known_ones);
    RUN_TEST(test_a_context_may_go_without_a_user);
    failed = UNITY_END();
    free(cert);
    free(key);
    free(other_cert);
    free(other_key);
    return failed;
}
