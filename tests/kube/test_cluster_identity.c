#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include <gnutls/gnutls.h>

#include "probate/base/mem.h"

#include "files.h"
#include "has.h"
#include "pem.h"
#include "place.h"
#include "support/json_text.h"
#include "support/temp_dir.h"
#include "support/wait.h"

static struct prb_test_place place;
static struct prb_error err;
static char *dir;

void setUp(void)
{
    err = (struct prb_error){ .code = PRB_OK };
    dir = prb_test_temp_dir();
}

void tearDown(void)
{
    prb_test_temp_dir_remove(dir);
}

#define ASSERT_DONE(call) TEST_ASSERT_EQUAL_MESSAGE(PRB_OK, (call), err.msg)

static void test_the_version_is_told(void)
{
    char text[64], small[2];

    ASSERT_DONE(prb_kube_version(place.api, text, sizeof(text), &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, strncmp(text, "v1.", 3), text);
    TEST_ASSERT_EQUAL(PRB_E_IO, prb_kube_version(place.api, small, sizeof(small), &err));
}

static void test_resources_are_found_by_each_of_their_names(void)
{
    static const struct {
        const char *group, *name, *plural, *kind;
        bool namespaced, has_status;
    } cases[] = {
        { "apps", "deployments", "deployments", "Deployment", true, true },
        { "apps", "Deployment", "deployments", "Deployment", true, true },
        { "apps", "deploy", "deployments", "Deployment", true, true },
        { "", "cm", "configmaps", "ConfigMap", true, false },
        { "", "Namespace", "namespaces", "Namespace", false, true },
        { "apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions",
                "CustomResourceDefinition", false, true },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_resource found;

        ASSERT_DONE(prb_api_resolve(place.api, cases[i].group, cases[i].name, &found, &err));
        TEST_ASSERT_EQUAL_STRING(cases[i].plural, found.gvr.resource);
        TEST_ASSERT_EQUAL_STRING("v1", found.gvr.version);
        TEST_ASSERT_EQUAL_STRING(cases[i].kind, found.kind);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].namespaced, found.namespaced, cases[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].has_status, found.has_status, cases[i].name);
    }
}

static void test_what_is_not_served_is_positively_absent(void)
{
    static const struct {
        const char *group, *name;
    } cases[] = { { "", "bogus" }, { "apps", "bogus" }, { "nowhere.io", "things" },
        { "a/../b", "pods" } };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_resource found;

        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_NOTFOUND,
                prb_api_resolve(place.api, cases[i].group, cases[i].name, &found, &err),
                cases[i].group);
        TEST_ASSERT_EQUAL_STRING("NotServed", err.reason);
    }
}

static void test_access_is_asked_for_others(void)
{
    static const char *const masters[] = { "system:masters", NULL };
    struct prb_access_question question = {
        .user = "bob",
        .verb = "delete",
        .resource = "configmaps",
        .namespace = place.namespace,
    };
    enum prb_access access = PRB_ACCESS_ALLOWED;

    ASSERT_DONE(prb_api_may(place.api, &question, &access, &err));
    TEST_ASSERT_EQUAL(PRB_ACCESS_DENIED, access);
    question.groups = masters;
    ASSERT_DONE(prb_api_may(place.api, &question, &access, &err));
    TEST_ASSERT_EQUAL(PRB_ACCESS_ALLOWED, access);
}

/* A second client of the same server, with some of its settings changed. */
static int ask_with(const struct prb_kube_config *config)
{
    struct prb_api *api = NULL;
    char text[64];
    int r = prb_kube_open(config, NULL, &api, &err);

    if (r == 0)
        r = prb_kube_version(api, text, sizeof(text), &err);
    prb_api_close(api);
    return r;
}

static void test_the_servers_certificate_is_verified(void)
{
    prb_autofree char *cert = NULL, *key = NULL;
    char name[] = "kubernetes.default.svc", wrong[] = "api.example";
    struct prb_kube_config config = *place.config;

    prb_test_pem_pair(&cert, &key);
    config.tls_server_name = name;
    ASSERT_DONE(ask_with(&config));
    config.tls_server_name = wrong;
    TEST_ASSERT_EQUAL(PRB_E_IO, ask_with(&config));
    config.tls_server_name = NULL;

    config.ca_data = cert;
    TEST_ASSERT_EQUAL(PRB_E_IO, ask_with(&config));
    ASSERT_HAS(err.msg, "certificate");
    config.ca_data = NULL; /* the system's store does not know it either */
    TEST_ASSERT_EQUAL(PRB_E_IO, ask_with(&config));
    config.insecure = true;
    ASSERT_DONE(ask_with(&config));
}

static void test_a_certificate_of_nobody_is_not_known(void)
{
    prb_autofree char *cert = NULL, *key = NULL;
    struct prb_kube_config config = *place.config;
    int r;

    prb_test_pem_pair(&cert, &key);
    config.cert_data = cert;
    config.key_data = key;
    r = ask_with(&config);
    TEST_ASSERT_TRUE_MESSAGE(r == PRB_E_UNAUTHORIZED || r == PRB_E_IO, err.msg);
    config.key_data = place.config->key_data;
    TEST_ASSERT_EQUAL(PRB_E_INVALID, ask_with(&config));
    ASSERT_HAS(err.msg, "does not belong to");
}

static const struct prb_gvr accounts = { .version = "v1", .resource = "serviceaccounts" };
static const struct prb_gvr secrets = { .version = "v1", .resource = "secrets" };

/* Make a service account and a secret for its token, which a controller then fills. */
static int add_account(const char *name)
{
    prb_auto(prb_json_free) struct json_object *account =
            prb_test_json("{'metadata':{'name':'%s'}}", name);
    prb_auto(prb_json_free) struct json_object *secret = prb_test_json(
            "{'metadata':{'name':'%s-t','annotations':{'kubernetes.io/service-account.name':'%s'}},"
            "'type':'kubernetes.io/service-account-token'}",
            name, name);
    prb_autofree char *secret_name = prb_asprintf("%s-t", name);
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &accounts, place.namespace, name);
    if (prb_api_create(place.api, &ref, account, NULL, NULL, &err) < 0)
        return err.code;
    (void)prb_ref_init(&ref, &secrets, place.namespace, secret_name);
    return prb_api_create(place.api, &ref, secret, NULL, NULL, &err);
}

struct token_wait {
    const char *name;
    char *token; /* owned, once it is there */
};

static bool token_is_there(void *ctx)
{
    struct token_wait *wait = ctx;
    prb_autofree char *secret_name = prb_asprintf("%s-t", wait->name);
    prb_auto(prb_object_unref) struct prb_object *secret = NULL;
    gnutls_datum_t encoded, decoded;
    prb_autofree char *copy = NULL;
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &secrets, place.namespace, secret_name);
    if (prb_api_get(place.api, &ref, NULL, &secret, &err) < 0)
        return prb_test_saw("%s", err.msg);
    copy = prb_strdup(prb_json_str(prb_json_obj(prb_object_tree(secret), "data"), "token"));
    if (!copy)
        return false;
    encoded = (gnutls_datum_t){ .data = (unsigned char *)copy, .size = (unsigned)strlen(copy) };
    if (gnutls_base64_decode2(&encoded, &decoded) < 0)
        return false;
    wait->token = prb_strndup((const char *)decoded.data, decoded.size);
    gnutls_free(decoded.data);
    return true;
}

/* Its token; heap, NULL when none came. */
static char *token_of(const char *name)
{
    struct token_wait wait = { .name = name };

    (void)prb_test_await("the account has a token", token_is_there, &wait, PRB_TEST_SOON_MS);
    return wait.token;
}

/* Who the server takes us for is told by what it refuses. */
static int ask_as_account(struct prb_api *api)
{
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    return prb_api_list(api, &secrets, NULL, &page, &err);
}

static void test_a_token_file_is_who_we_are_and_may_be_replaced(void)
{
    prb_autofree char *path = prb_asprintf("%s/token", dir);
    prb_autofree char *first = NULL, *second = NULL;
    prb_auto(prb_api_close) struct prb_api *api = NULL;
    struct prb_kube_config config = *place.config;

    ASSERT_DONE(add_account("first"));
    ASSERT_DONE(add_account("second"));
    first = token_of("first");
    second = token_of("second");
    TEST_ASSERT_NOT_NULL(first);
    TEST_ASSERT_NOT_NULL(second);

    prb_test_put(path, first);
    config.cert_data = config.key_data = config.cert_file = config.key_file = NULL;
    config.token_file = path;
    ASSERT_DONE(prb_kube_open(&config, NULL, &api, &err));
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, ask_as_account(api));
    ASSERT_HAS(err.msg, ":first\"");

    prb_test_put(path, second);
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, ask_as_account(api));
    ASSERT_HAS(err.msg, ":second\"");

    prb_test_put(path, "no.such.token");
    TEST_ASSERT_EQUAL(PRB_E_UNAUTHORIZED, ask_as_account(api));
    TEST_ASSERT_EQUAL(401, err.status);
    prb_test_put(path, first);
    TEST_ASSERT_EQUAL(PRB_E_FORBIDDEN, ask_as_account(api));
}

int main(void)
{
    int failed;

    if (!prb_test_place_open(&place))
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_the_version_is_told);
    RUN_TEST(test_resources_are_found_by_each_of_their_names);
    RUN_TEST(test_what_is_not_served_is_positively_absent);
    RUN_TEST(test_access_is_asked_for_others);
    RUN_TEST(test_the_servers_certificate_is_verified);
    RUN_TEST(test_a_certificate_of_nobody_is_not_known);
    RUN_TEST(test_a_token_file_is_who_we_are_and_may_be_replaced);
    failed = UNITY_END();
    prb_test_place_close(&place);
    return failed;
}
