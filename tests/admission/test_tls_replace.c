/* A pair in memory: it is replaced while it is served. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/admission/bundle.h"
#include "probate/admission/tls.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "handshake.h"
#include "support/temp_dir.h"

/* Enough for the watcher of the client CA, which compares all the time, to meet some of them. */
#define REPLACEMENTS 40

static struct prb_certs first, second;
static struct prb_tls *tls;
static struct prb_error err;

void setUp(void)
{
    first = second = (struct prb_certs){ 0 };
    make_pair(&first);
    make_pair(&second);
}

void tearDown(void)
{
    prb_tls_free(prb_take(tls));
    prb_certs_done(&first);
    prb_certs_done(&second);
}

static int open_first(const char *client_ca)
{
    const struct prb_tls_options options = {
        .cert_pem = first.cert, .key_pem = first.key, .client_ca_file = client_ca, .poll_ms = 1
    };

    return prb_tls_open(&options, &tls, &err);
}

/* Does a client that trusts this CA, and connects now, get this certificate? */
static bool shows(const struct prb_certs *certs)
{
    gnutls_certificate_credentials_t client = make_client(certs->ca_cert, NULL, NULL);
    struct handshake seen = shake_hands(tls, NULL, client, NULL);
    char wanted[SERIAL_TEXT_SIZE];

    gnutls_certificate_free_credentials(client);
    serial_of_pem(certs->cert, wanted);
    return seen.done && strcmp(seen.serial, wanted) == 0;
}

static bool chain_is_of(const struct prb_certs *certs)
{
    prb_autofree char *chain = prb_tls_chain(tls);
    struct prb_bundle bundle = { 0 };
    int64_t until_ms;

    prb_bundle_add(&bundle, certs->ca_cert);
    until_ms = prb_bundle_trusts_until(&bundle, chain);
    prb_bundle_done(&bundle);
    return until_ms > 0 && !strstr(chain, "PRIVATE");
}

static void test_the_new_pair_is_served_from_then_on(void)
{
    struct prb_tls_state state;

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, open_first(NULL), err.msg);
    TEST_ASSERT_TRUE(shows(&first));
    TEST_ASSERT_TRUE(chain_is_of(&first));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_tls_replace(tls, second.cert, second.key, &err), err.msg);
    TEST_ASSERT_TRUE(shows(&second));
    TEST_ASSERT_TRUE(chain_is_of(&second));
    TEST_ASSERT_FALSE(chain_is_of(&first));
    prb_tls_state(tls, &state);
    TEST_ASSERT_EQUAL_UINT(2, state.generation);
    TEST_ASSERT_TRUE(state.valid);
}

static void test_what_cannot_be_served_is_refused_and_the_old_one_kept(void)
{
    static const char garbage[] = "garbage";

    TEST_ASSERT_EQUAL_INT(0, open_first(NULL));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_tls_replace(tls, garbage, second.key, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_tls_replace(tls, second.cert, garbage, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_tls_replace(tls, second.cert, first.key, &err));
    TEST_ASSERT_TRUE(shows(&first));
}

static void test_a_pair_from_files_is_not_replaced(void)
{
    prb_auto(prb_test_temp_dir_remove) char *dir = prb_test_temp_dir();
    prb_autofree char *cert = prb_asprintf("%s/a", dir), *key = prb_asprintf("%s/b", dir);
    const struct prb_tls_options options = { .cert_file = cert, .key_file = key };

    TEST_ASSERT_EQUAL_INT(0, prb_file_write(cert, first.cert, strlen(first.cert), 0600, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_file_write(key, first.key, strlen(first.key), 0600, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_tls_open(&options, &tls, &err), err.msg);
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_tls_replace(tls, second.cert, second.key, &err));
    TEST_ASSERT_TRUE(shows(&first));
}

static _Atomic bool over;

static void *shake_all_the_time(void *arg)
{
    size_t *failed = arg;
    gnutls_certificate_credentials_t client = make_client(first.ca_cert, NULL, NULL);
    const gnutls_datum_t ca = { .data = (unsigned char *)second.ca_cert,
        .size = (unsigned)strlen(second.ca_cert) };

    (void)gnutls_certificate_set_x509_trust_mem(client, &ca, GNUTLS_X509_FMT_PEM);
    while (!atomic_load(&over)) {
        struct handshake seen = shake_hands(tls, NULL, client, NULL);
        prb_autofree char *chain = prb_tls_chain(tls);

        *failed += !seen.done || !chain;
    }
    gnutls_certificate_free_credentials(client);
    return NULL;
}

/* The watcher of the client CA reads the pair too: it must not bring an old one back. */
static void test_handshakes_go_on_while_it_is_replaced_again_and_again(void)
{
    prb_auto(prb_test_temp_dir_remove) char *dir = prb_test_temp_dir();
    prb_autofree char *ca = prb_asprintf("%s/ca", dir);
    pthread_t thread;
    size_t failed = 0;

    atomic_store(&over, false);
    TEST_ASSERT_EQUAL_INT(0, prb_file_write(ca, first.ca_cert, strlen(first.ca_cert), 0600, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, open_first(ca), err.msg);
    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, shake_all_the_time, &failed));
    for (int i = 0; i < REPLACEMENTS; i++) {
        const struct prb_certs *next = i % 2 == 0 ? &second : &first;
        const char *client_ca = next->ca_cert;

        TEST_ASSERT_EQUAL_INT(0, prb_tls_replace(tls, next->cert, next->key, &err));
        TEST_ASSERT_EQUAL_INT(0, prb_file_write(ca, client_ca, strlen(client_ca), 0600, &err));
        TEST_ASSERT_TRUE(chain_is_of(next));
    }
    atomic_store(&over, true);
    TEST_ASSERT_EQUAL_INT(0, pthread_join(thread, NULL));
    TEST_ASSERT_EQUAL_size_t(0, failed);
    TEST_ASSERT_TRUE(chain_is_of(&first));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_new_pair_is_served_from_then_on);
    RUN_TEST(test_what_cannot_be_served_is_refused_and_the_old_one_kept);
    RUN_TEST(test_a_pair_from_files_is_not_replaced);
    RUN_TEST(test_handshakes_go_on_while_it_is_replaced_again_and_again);
    return UNITY_END();
}
