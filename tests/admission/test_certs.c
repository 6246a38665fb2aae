/* Certificates made by Probate: what they say, how long they hold, and whom they convince. */

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unity.h>

#include <gnutls/x509.h>

#include "probate/admission/certs.h"
#include "probate/base/clock.h"

#define DAY_S INT64_C(86400)
#define DAY_MS (DAY_S * 1000)

static const char *const names[] = { "probate.probate-system.svc", "localhost", "127.0.0.1",
    "::1" };
#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

static struct prb_certs certs;
static struct prb_error err;

void setUp(void)
{
    certs = (struct prb_certs){ 0 };
    err = (struct prb_error){ 0 };
}

void tearDown(void)
{
    prb_certs_done(&certs);
}

static int64_t now_ms(void)
{
    const struct prb_clock *clock = prb_clock_system();

    return clock->wall_ms(clock);
}

static struct prb_certs_options usual(void)
{
    return (struct prb_certs_options){ .names = names, .count = NAME_COUNT, .now_ms = now_ms() };
}

static gnutls_x509_crt_t read_crt(char *pem)
{
    gnutls_datum_t text = { .data = (unsigned char *)pem, .size = (unsigned)strlen(pem) };
    gnutls_x509_crt_t crt = NULL;

    (void)gnutls_x509_crt_init(&crt);
    if (gnutls_x509_crt_import(crt, &text, GNUTLS_X509_FMT_PEM) < 0) {
        gnutls_x509_crt_deinit(crt);
        return NULL;
    }
    return crt;
}
PRB_DEFINE_CLEANUP(gnutls_x509_crt_t, gnutls_x509_crt_deinit)

/* As a client would: chain, purpose, time and name. GnuTLS status bits; 0: convinced. */
static unsigned verify(gnutls_x509_crt_t ca, gnutls_x509_crt_t leaf, char *name)
{
    gnutls_x509_trust_list_t list;
    unsigned char purpose[] = GNUTLS_KP_TLS_WWW_SERVER;
    gnutls_typed_vdata_st data[] = {
        { .type = GNUTLS_DT_DNS_HOSTNAME, .data = (unsigned char *)name },
        { .type = GNUTLS_DT_KEY_PURPOSE_OID, .data = purpose },
    };
    unsigned status = ~0U;

    (void)gnutls_x509_trust_list_init(&list, 0);
    (void)gnutls_x509_trust_list_add_cas(list, &ca, 1, 0);
    if (gnutls_x509_trust_list_verify_crt2(list, &leaf, 1, data, 2, 0, &status, NULL) < 0)
        status = ~0U;
    gnutls_x509_trust_list_deinit(list, 0);
    return status;
}

#define MAKE(options) \
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_certs_make(options, &certs, &err), err.msg)

static void test_a_client_with_the_ca_is_convinced_of_every_name(void)
{
    struct prb_certs_options options = usual();
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t ca = NULL;
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t leaf = NULL;
    char asked[][32] = { "probate.probate-system.svc", "localhost", "127.0.0.1", "::1" };
    char other[] = "probate.default.svc";

    MAKE(&options);
    ca = read_crt(certs.ca_cert);
    leaf = read_crt(certs.cert);
    TEST_ASSERT_NOT_NULL(ca);
    TEST_ASSERT_NOT_NULL(leaf);
    for (size_t i = 0; i < NAME_COUNT; i++)
        TEST_ASSERT_EQUAL_UINT_MESSAGE(0, verify(ca, leaf, asked[i]), asked[i]);
    TEST_ASSERT_NOT_EQUAL_UINT(0, verify(ca, leaf, other));
}

static void test_another_ca_convinces_nobody(void)
{
    struct prb_certs_options options = usual();
    prb_auto(prb_certs_done) struct prb_certs others = { 0 };
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t ca = NULL;
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t leaf = NULL;
    char name[] = "localhost";

    MAKE(&options);
    TEST_ASSERT_EQUAL_INT(0, prb_certs_make(&options, &others, &err));
    ca = read_crt(others.ca_cert);
    leaf = read_crt(certs.cert);
    TEST_ASSERT_NOT_EQUAL_UINT(0, verify(ca, leaf, name));
}

static void test_the_leaf_is_of_the_kind_that_go_accepts(void)
{
    struct prb_certs_options options = usual();
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t leaf = NULL;
    gnutls_ecc_curve_t curve;
    char purpose[64];
    size_t size = sizeof(purpose);
    unsigned critical, usage, bits;

    MAKE(&options);
    leaf = read_crt(certs.cert);
    TEST_ASSERT_EQUAL_INT(3, gnutls_x509_crt_get_version(leaf));
    TEST_ASSERT_EQUAL_INT(GNUTLS_PK_ECDSA, gnutls_x509_crt_get_pk_algorithm(leaf, &bits));
    TEST_ASSERT_EQUAL_INT(0, gnutls_x509_crt_get_pk_ecc_raw(leaf, &curve, NULL, NULL));
    TEST_ASSERT_EQUAL_INT(GNUTLS_ECC_CURVE_SECP256R1, curve);
    TEST_ASSERT_EQUAL_INT(GNUTLS_SIGN_ECDSA_SHA256, gnutls_x509_crt_get_signature_algorithm(leaf));
    TEST_ASSERT_EQUAL_INT(0, gnutls_x509_crt_get_ca_status(leaf, &critical));
    TEST_ASSERT_EQUAL_INT(0, gnutls_x509_crt_get_key_usage(leaf, &usage, &critical));
    TEST_ASSERT_EQUAL_UINT(GNUTLS_KEY_DIGITAL_SIGNATURE, usage);
    TEST_ASSERT_EQUAL_INT(
            0, gnutls_x509_crt_get_key_purpose_oid(leaf, 0, purpose, &size, &critical));
    TEST_ASSERT_EQUAL_STRING(GNUTLS_KP_TLS_WWW_SERVER, purpose);
}

static void test_the_ca_may_sign_leaves_and_nothing_below_them(void)
{
    struct prb_certs_options options = usual();
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t ca = NULL;
    unsigned critical, is_ca, usage;
    int path_len;

    MAKE(&options);
    ca = read_crt(certs.ca_cert);
    TEST_ASSERT_TRUE(gnutls_x509_crt_get_basic_constraints(ca, &critical, &is_ca, &path_len) >= 0);
    TEST_ASSERT_EQUAL_UINT(1, is_ca);
    TEST_ASSERT_EQUAL_INT(0, path_len);
    TEST_ASSERT_EQUAL_INT(0, gnutls_x509_crt_get_key_usage(ca, &usage, &critical));
    TEST_ASSERT_TRUE(usage & GNUTLS_KEY_KEY_CERT_SIGN);
}

static void test_they_are_valid_from_five_minutes_ago_for_as_long_as_asked(void)
{
    struct prb_certs_options options = usual();
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t leaf = NULL;

    options.leaf_days = 7;
    options.ca_days = 30;
    MAKE(&options);
    leaf = read_crt(certs.cert);
    TEST_ASSERT_EQUAL_INT64(options.now_ms / 1000 - 300, gnutls_x509_crt_get_activation_time(leaf));
    TEST_ASSERT_EQUAL_INT64(
            options.now_ms / 1000 + 7 * DAY_S, gnutls_x509_crt_get_expiration_time(leaf));
    TEST_ASSERT_EQUAL_INT64((options.now_ms / 1000 + 7 * DAY_S) * 1000, certs.expires_ms);
    TEST_ASSERT_EQUAL_INT64((options.now_ms / 1000 + 30 * DAY_S) * 1000, certs.ca_expires_ms);
}

static void test_a_leaf_never_outlives_its_ca(void)
{
    struct prb_certs_options options = usual();

    options.leaf_days = 30;
    options.ca_days = 7;
    MAKE(&options);
    TEST_ASSERT_EQUAL_INT64(certs.ca_expires_ms, certs.expires_ms);
}

static void test_serials_are_random_and_positive(void)
{
    struct prb_certs_options options = usual();
    unsigned char seen[8][20];

    for (size_t i = 0; i < 8; i++) {
        prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t leaf = NULL;
        size_t size = sizeof(seen[i]);

        memset(seen[i], 0, sizeof(seen[i]));
        prb_certs_done(&certs);
        MAKE(&options);
        leaf = read_crt(certs.cert);
        TEST_ASSERT_EQUAL_INT(0, gnutls_x509_crt_get_serial(leaf, seen[i], &size));
        TEST_ASSERT_EQUAL_size_t(16, size);
        TEST_ASSERT_TRUE(seen[i][0] > 0 && seen[i][0] < 0x80);
        for (size_t j = 0; j < i; j++)
            TEST_ASSERT_NOT_EQUAL_INT(0, memcmp(seen[i], seen[j], sizeof(seen[i])));
    }
}

static void test_a_given_ca_signs_the_next_leaf(void)
{
    struct prb_certs_options options = usual();
    prb_auto(prb_certs_done) struct prb_certs renewed = { 0 };
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t ca = NULL;
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t leaf = NULL;
    char name[] = "localhost";

    MAKE(&options);
    options.ca_cert = certs.ca_cert;
    options.ca_key = certs.ca_key;
    TEST_ASSERT_EQUAL_INT(0, prb_certs_make(&options, &renewed, &err));
    TEST_ASSERT_EQUAL_STRING(certs.ca_cert, renewed.ca_cert);
    TEST_ASSERT_NOT_EQUAL_INT(0, strcmp(certs.cert, renewed.cert));
    TEST_ASSERT_NOT_EQUAL_INT(0, strcmp(certs.key, renewed.key));
    ca = read_crt(certs.ca_cert);
    leaf = read_crt(renewed.cert);
    TEST_ASSERT_EQUAL_UINT(0, verify(ca, leaf, name));
}

static void test_a_ca_that_cannot_sign_is_refused(void)
{
    struct prb_certs_options options = usual();
    prb_auto(prb_certs_done) struct prb_certs others = { 0 };
    prb_auto(prb_certs_done) struct prb_certs none = { 0 };

    MAKE(&options);
    TEST_ASSERT_EQUAL_INT(0, prb_certs_make(&options, &others, &err));

    const struct {
        const char *name, *cert, *key, *says;
        int64_t now_ms;
    } cases[] = {
        { "the key of another", certs.ca_cert, others.ca_key, "does not belong", options.now_ms },
        { "a leaf", certs.cert, certs.key, "not the certificate of a CA", options.now_ms },
        { "no PEM", "hello", certs.ca_key, "certificate:", options.now_ms },
        { "no key", certs.ca_cert, "hello", "key:", options.now_ms },
        { "expired", certs.ca_cert, certs.ca_key, "expired",
                options.now_ms + (PRB_CERTS_CA_DAYS + 1) * DAY_MS },
        { "of the future", certs.ca_cert, certs.ca_key, "not valid yet", options.now_ms - DAY_MS },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        options.ca_cert = cases[i].cert;
        options.ca_key = cases[i].key;
        options.now_ms = cases[i].now_ms;
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                PRB_E_INVALID, prb_certs_make(&options, &none, &err), cases[i].name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, cases[i].says), err.msg);
    }
}

static void test_what_is_no_name_is_refused(void)
{
    static const char *const bad[] = { "", "two words", "-a.b", "a-.b", "a..b", "a.b.", "*",
        "a.*.b", "https://x", "127.0.0.1:9443", "[::1]", "a_b", "x\n",
        "a123456789012345678901234567890123456789012345678901234567890123.b" };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const struct prb_certs_options options = { .names = &bad[i], .count = 1 };

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                PRB_E_INVALID, prb_certs_make(&options, &certs, &err), bad[i]);
    }
}

static void test_without_a_name_there_is_no_certificate(void)
{
    const struct prb_certs_options options = { .count = 0 };

    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_certs_make(&options, &certs, &err));
}

static void test_wildcards_and_long_names_are_taken(void)
{
    static const char *const good[] = { "*.probate-system.svc",
        "a12345678901234567890123456789012345678901234567890123456789012"
        ".b12345678901234567890123456789012345678901234567890123456789012" };
    struct prb_certs_options options = { .names = good, .count = 2, .now_ms = now_ms() };
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t ca = NULL;
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t leaf = NULL;
    char name[] = "probate.probate-system.svc";

    MAKE(&options);
    ca = read_crt(certs.ca_cert);
    leaf = read_crt(certs.cert);
    TEST_ASSERT_EQUAL_UINT(0, verify(ca, leaf, name));
    /* The second as the first, which is also the common name, where it does not fit. */
    prb_certs_done(&certs);
    options.names = good + 1;
    options.count = 1;
    MAKE(&options);
}

static void test_a_bundle_is_base64_on_one_line(void)
{
    prb_autofree char *bundle = prb_certs_bundle("-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgI"
                                                 "RAKx7l3k2mP0mYb8Qw\n-----END CERTIFICATE-----\n");

    TEST_ASSERT_EQUAL_STRING(
            "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJzekNDQVZtZ0F3SUJBZ0lSQUt4N2wzazJtUDBtWWI4U"
            "XcKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=",
            bundle);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_client_with_the_ca_is_convinced_of_every_name);
    RUN_TEST(test_another_ca_convinces_nobody);
    RUN_TEST(test_the_leaf_is_of_the_kind_that_go_accepts);
    RUN_TEST(test_the_ca_may_sign_leaves_and_nothing_below_them);
    RUN_TEST(test_they_are_valid_from_five_minutes_ago_for_as_long_as_asked);
    RUN_TEST(test_a_leaf_never_outlives_its_ca);
    RUN_TEST(test_serials_are_random_and_positive);
    RUN_TEST(test_a_given_ca_signs_the_next_leaf);
    RUN_TEST(test_a_ca_that_cannot_sign_is_refused);
    RUN_TEST(test_what_is_no_name_is_refused);
    RUN_TEST(test_without_a_name_there_is_no_certificate);
    RUN_TEST(test_wildcards_and_long_names_are_taken);
    RUN_TEST(test_a_bundle_is_base64_on_one_line);
    return UNITY_END();
}
