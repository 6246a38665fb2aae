/* Certificates of clients: who may speak, and what the others are told. */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include <gnutls/x509.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "handshake.h"
#include "support/temp_dir.h"
#include "support/wait.h"

static char *dir;
static char *ca_file;
static struct prb_certs serving, callers, strangers; /* three CAs */
static struct prb_tls *tls;
static struct prb_error err;

void setUp(void)
{
    dir = prb_test_temp_dir();
    ca_file = prb_asprintf("%s/ca.crt", dir);
    make_pair(&serving);
    make_pair(&callers);
    make_pair(&strangers);
}

void tearDown(void)
{
    prb_tls_free(prb_take(tls));
    prb_certs_done(&serving);
    prb_certs_done(&callers);
    prb_certs_done(&strangers);
    free(ca_file);
    prb_test_temp_dir_remove(dir);
}

static void write_ca(const char *pem)
{
    struct prb_error ignored;

    if (prb_file_write(ca_file, pem, strlen(pem), 0600, &ignored) < 0)
        (void)fprintf(stderr, "%s\n", ignored.msg);
}

static int open_tls(const char *const *names, size_t count)
{
    const struct prb_tls_options options = { .cert_pem = serving.cert,
        .key_pem = serving.key,
        .client_ca_file = ca_file,
        .client_names = names,
        .client_name_count = count };

    write_ca(callers.ca_cert);
    return prb_tls_open(&options, &tls, &err);
}

/* What becomes of a client that shows this. */
static struct handshake try_client(
        const struct prb_certs *signer, const struct client_cert *what, const char *priorities)
{
    gnutls_certificate_credentials_t client = make_client(serving.ca_cert, signer, what);
    struct handshake result = shake_hands(tls, NULL, client, priorities);

    gnutls_certificate_free_credentials(client);
    return result;
}

#define OPEN(names, count) TEST_ASSERT_EQUAL_INT_MESSAGE(0, open_tls(names, count), err.msg)

static void test_without_a_client_ca_nobody_is_asked(void)
{
    const struct prb_tls_options options = { .cert_pem = serving.cert, .key_pem = serving.key };
    struct handshake result;

    TEST_ASSERT_EQUAL_INT(0, prb_tls_open(&options, &tls, &err));
    result = try_client(NULL, NULL, NULL);
    TEST_ASSERT_TRUE(result.done);
    TEST_ASSERT_EQUAL_INT(0, result.allowed);
}

static void test_who_may_speak(void)
{
    static const char *const versions[] = { "NORMAL:-VERS-ALL:+VERS-TLS1.3",
        "NORMAL:-VERS-ALL:+VERS-TLS1.2" };
    const struct client_cert good = { .common_name = "kube-apiserver" };
    const struct client_cert expired = { .common_name = "kube-apiserver", .until_s = -60 };
    const struct client_cert server_only = { .common_name = "kube-apiserver",
        .purpose = GNUTLS_KP_TLS_WWW_SERVER };
    const struct {
        const char *name;
        const struct prb_certs *signer;
        const struct client_cert *what;
        const char *says; /* NULL: allowed */
    } cases[] = {
        { "signed by the CA", &callers, &good, NULL },
        { "shows nothing", NULL, NULL, "none was presented" },
        { "signed by another CA", &strangers, &good, "not accepted" },
        { "signed by the CA of the server", &serving, &good, "not accepted" },
        { "expired", &callers, &expired, "expired" },
        { "for servers only", &callers, &server_only, "not accepted" },
    };

    OPEN(NULL, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) * 2; i++) {
        struct handshake result =
                try_client(cases[i / 2].signer, cases[i / 2].what, versions[i % 2]);

        TEST_ASSERT_TRUE_MESSAGE(result.done, cases[i / 2].name);
        if (!cases[i / 2].says) {
            TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.allowed, result.err.msg);
            continue;
        }
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_FORBIDDEN, result.allowed, cases[i / 2].name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(result.err.msg, cases[i / 2].says), result.err.msg);
    }
}

static void test_names_are_common_names_or_dns_names(void)
{
    static const char *const names[] = { "kube-apiserver", "api.example.com" };
    static const struct {
        const char *common, *dns;
        bool allowed;
    } cases[] = {
        { "kube-apiserver", NULL, true },
        { NULL, "api.example.com", true },
        { NULL, "API.example.com", true },
        { "other", "api.example.com", true },
        { "other", NULL, false },
        { "kube-apiserver.example.com", NULL, false },
        { NULL, "x.api.example.com", false },
        { NULL, NULL, false },
    };

    OPEN(names, 2);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct client_cert what = { .common_name = cases[i].common,
            .dns_name = cases[i].dns };
        struct handshake result = try_client(&callers, &what, NULL);

        TEST_ASSERT_TRUE(result.done);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].allowed ? 0 : PRB_E_FORBIDDEN, result.allowed,
                cases[i].common ? cases[i].common : "no common name");
        if (!cases[i].allowed)
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(result.err.msg, "--client-names"), result.err.msg);
    }
}

static bool strangers_may_speak(void *ctx)
{
    const struct client_cert what = { .common_name = "kube-apiserver" };

    (void)ctx;
    return try_client(&strangers, &what, NULL).allowed == 0;
}

static bool something_was_refused(void *ctx)
{
    struct prb_tls_state state;

    (void)ctx;
    prb_tls_state(tls, &state);
    return state.refused > 0;
}

static void test_a_new_client_ca_is_taken_and_a_broken_one_is_not(void)
{
    const struct client_cert what = { .common_name = "kube-apiserver" };

    OPEN(NULL, 0);
    TEST_ASSERT_FALSE(strangers_may_speak(NULL));
    write_ca("no certificate");
    TEST_ASSERT_AWAIT("the broken CA is refused", something_was_refused, NULL);
    TEST_ASSERT_EQUAL_INT(0, try_client(&callers, &what, NULL).allowed);
    write_ca(strangers.ca_cert);
    TEST_ASSERT_AWAIT("the new CA is taken", strangers_may_speak, NULL);
    TEST_ASSERT_EQUAL_INT(PRB_E_FORBIDDEN, try_client(&callers, &what, NULL).allowed);
}

static void test_a_broken_first_client_ca_is_an_error(void)
{
    const struct prb_tls_options options = {
        .cert_pem = serving.cert, .key_pem = serving.key, .client_ca_file = ca_file
    };

    write_ca("");
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_tls_open(&options, &tls, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, "CA of clients"), err.msg);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_without_a_client_ca_nobody_is_asked);
    RUN_TEST(test_who_may_speak);
    RUN_TEST(test_names_are_common_names_or_dns_names);
    RUN_TEST(test_a_new_client_ca_is_taken_and_a_broken_one_is_not);
    RUN_TEST(test_a_broken_first_client_ca_is_an_error);
    return UNITY_END();
}
