/* The serving certificate: what may be served, and how it changes while in use. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unity.h>

#include "probate/admission/tls.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "handshake.h"
#include "support/temp_dir.h"
#include "support/wait.h"

/* So long that a change seen earlier was not seen by comparing. */
#define NEVER_MS (INT64_C(3600) * 1000)

/* So short that a test that needs comparing does not take long. */
#define OFTEN_MS 20

static char *dir;
static char *cert_file, *key_file;
static struct prb_certs certs; /* the pair written last */
static struct prb_tls *tls;
static struct prb_error err;
static gnutls_certificate_credentials_t client;

void setUp(void)
{
    dir = prb_test_temp_dir();
    cert_file = prb_asprintf("%s/tls.crt", dir);
    key_file = prb_asprintf("%s/tls.key", dir);
    certs = (struct prb_certs){ 0 };
    make_pair(&certs);
    client = make_client(certs.ca_cert, NULL, NULL);
}

void tearDown(void)
{
    prb_tls_free(prb_take(tls));
    gnutls_certificate_free_credentials(client);
    prb_certs_done(&certs);
    free(cert_file);
    free(key_file);
    prb_test_temp_dir_remove(dir);
}

static int open_files(int64_t poll_ms)
{
    const struct prb_tls_options options = {
        .cert_file = cert_file, .key_file = key_file, .poll_ms = poll_ms
    };

    return prb_tls_open(&options, &tls, &err);
}

static struct prb_tls_state state(void)
{
    struct prb_tls_state result;

    prb_tls_state(tls, &result);
    return result;
}

/* Does a client that connects now see the certificate in `certs`? */
static bool shows_latest(void *ctx)
{
    struct handshake seen = shake_hands(tls, NULL, client, NULL);
    char wanted[SERIAL_TEXT_SIZE];

    (void)ctx;
    serial_of_pem(certs.cert, wanted);
    return (seen.done && strcmp(seen.serial, wanted) == 0) ||
           prb_test_saw("serial %s instead of %s; %s", seen.done ? seen.serial : "(no handshake)",
                   wanted, state().error);
}

static bool has_refused(void *ctx)
{
    unsigned long now = state().refused;

    return now >= *(unsigned long *)ctx || prb_test_saw("%lu of %lu", now, *(unsigned long *)ctx);
}

static bool wait_refused(unsigned long count)
{
    return prb_test_await("so many pairs are refused", has_refused, &count, PRB_TEST_SOON_MS);
}

static bool has_no_error(void *ctx)
{
    (void)ctx;
    return state().error[0] == '\0' || prb_test_saw("%s", state().error);
}

static void write_file(const char *path, const char *text)
{
    struct prb_error ignored;

    if (prb_file_write(path, text, strlen(text), 0600, &ignored) < 0)
        (void)fprintf(stderr, "%s\n", ignored.msg);
}

#define OPEN(poll_ms) TEST_ASSERT_EQUAL_INT_MESSAGE(0, open_files(poll_ms), err.msg)
#define ASSERT_SHOWS_LATEST() \
    TEST_ASSERT_AWAIT("the latest certificate is served", shows_latest, NULL)

static void test_a_pair_in_files_is_served(void)
{
    write_pair(dir, certs.cert, certs.key);
    OPEN(NEVER_MS);
    TEST_ASSERT_TRUE(shows_latest(NULL));
    TEST_ASSERT_EQUAL_UINT64(1, state().generation);
    TEST_ASSERT_EQUAL_INT64(certs.expires_ms, state().expires_ms);
    TEST_ASSERT_TRUE(state().valid);
    TEST_ASSERT_EQUAL_STRING("", state().error);
}

static void test_a_pair_in_memory_is_served(void)
{
    const struct prb_tls_options options = { .cert_pem = certs.cert, .key_pem = certs.key };

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_tls_open(&options, &tls, &err), err.msg);
    TEST_ASSERT_TRUE(shows_latest(NULL));
}

static void test_a_first_pair_that_cannot_be_served_is_an_error(void)
{
    prb_auto(prb_certs_done) struct prb_certs other = { 0 };
    prb_auto(prb_certs_done) struct prb_certs expired = { 0 };
    prb_auto(prb_certs_done) struct prb_certs early = { 0 };

    make_pair(&other);
    make_pair_valid(&expired, -7200, -3600);
    make_pair_valid(&early, 3600, 7200);

    const struct {
        const char *cert, *key, *says;
    } cases[] = {
        { NULL, certs.key, "tls.crt" },
        { certs.cert, NULL, "tls.key" },
        { certs.cert, other.key, "does not belong" },
        { "hello", certs.key, "certificate: " },
        { certs.cert, "", "key: there is none" },
        { certs.cert, "-----BEGIN PRIVATE KEY-----\nAAAA", "key: " },
        { expired.cert, expired.key, "expired at" },
        { early.cert, early.key, "not valid before" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        (void)unlink(cert_file);
        (void)unlink(key_file);
        if (cases[i].cert)
            write_file(cert_file, cases[i].cert);
        if (cases[i].key)
            write_file(key_file, cases[i].key);
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_INVALID, open_files(NEVER_MS), cases[i].says);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.msg, cases[i].says), err.msg);
    }
}

static void test_a_swap_as_kubelet_does_it_is_seen_at_once(void)
{
    swap_pair(dir, certs.cert, certs.key);
    OPEN(NEVER_MS);
    TEST_ASSERT_TRUE(shows_latest(NULL));
    for (int i = 0; i < 3; i++) {
        make_pair(&certs);
        swap_pair(dir, certs.cert, certs.key);
        ASSERT_SHOWS_LATEST();
    }
    TEST_ASSERT_EQUAL_UINT64(4, state().generation);
    TEST_ASSERT_EQUAL_UINT64(0, state().refused);
}

static void test_files_replaced_one_after_the_other_are_taken_as_a_pair(void)
{
    prb_autofree char *next_cert = prb_asprintf("%s/next.crt", dir);
    prb_autofree char *next_key = prb_asprintf("%s/next.key", dir);

    write_pair(dir, certs.cert, certs.key);
    make_pair(&certs);
    write_file(next_cert, certs.cert);
    write_file(next_key, certs.key);
    OPEN(NEVER_MS);
    (void)rename(next_cert, cert_file);
    (void)rename(next_key, key_file);
    ASSERT_SHOWS_LATEST();
    TEST_ASSERT_EQUAL_UINT64(0, state().refused);
}

static void test_a_change_that_inotify_does_not_see_is_found_by_comparing(void)
{
    prb_auto(prb_test_temp_dir_remove) char *elsewhere = prb_test_temp_dir();
    prb_autofree char *cert = prb_asprintf("%s/tls.crt", elsewhere);
    prb_autofree char *key = prb_asprintf("%s/tls.key", elsewhere);

    write_pair(elsewhere, certs.cert, certs.key);
    TEST_ASSERT_EQUAL_INT(0, symlink(cert, cert_file));
    TEST_ASSERT_EQUAL_INT(0, symlink(key, key_file));
    OPEN(OFTEN_MS);
    make_pair(&certs);
    write_pair(elsewhere, certs.cert, certs.key); /* nothing happens in `dir` */
    ASSERT_SHOWS_LATEST();
}

static void test_a_folder_that_is_replaced_is_watched_again(void)
{
    prb_autofree char *sub = prb_asprintf("%s/sub", dir);
    prb_autofree char *next = prb_asprintf("%s/next", dir);
    prb_autofree char *old = prb_asprintf("%s/old", dir);

    free(cert_file);
    free(key_file);
    cert_file = prb_asprintf("%s/tls.crt", sub);
    key_file = prb_asprintf("%s/tls.key", sub);
    (void)mkdir(sub, 0700);
    (void)mkdir(next, 0700);
    write_pair(sub, certs.cert, certs.key);
    OPEN(NEVER_MS);
    make_pair(&certs);
    write_pair(next, certs.cert, certs.key);
    (void)rename(sub, old); /* seen as a move of the folder itself */
    (void)rename(next, sub);
    ASSERT_SHOWS_LATEST();
    make_pair(&certs);
    write_pair(sub, certs.cert, certs.key); /* seen in the new folder */
    ASSERT_SHOWS_LATEST();
}

/* A wait for its own sake: the passing of time is what is tested. */
static bool is_past(void *ctx)
{
    return prb_test_now_ms() >= *(int64_t *)ctx;
}

static void test_a_broken_pair_is_refused_once_and_the_old_one_kept(void)
{
    prb_auto(prb_certs_done) struct prb_certs other = { 0 };
    prb_auto(prb_certs_done) struct prb_certs expired = { 0 };
    int64_t until_ms;

    swap_pair(dir, certs.cert, certs.key);
    OPEN(OFTEN_MS);
    make_pair(&other);
    make_pair_valid(&expired, -7200, -3600);

    const struct {
        const char *cert, *key, *says;
    } cases[] = {
        { certs.cert, other.key, "does not belong" },
        { "-----BEGIN CERTIFICATE-----\nAAAA", certs.key, "certificate: " },
        { expired.cert, expired.key, "expired" },
        { "", "", "certificate: " },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        swap_pair(dir, cases[i].cert, cases[i].key);
        TEST_ASSERT_TRUE_MESSAGE(wait_refused(i + 1), cases[i].says);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(state().error, cases[i].says), state().error);
        TEST_ASSERT_TRUE_MESSAGE(shows_latest(NULL), cases[i].says);
        TEST_ASSERT_TRUE(state().valid);
    }
    TEST_ASSERT_EQUAL_UINT64(1, state().generation);
    /* Compared many times more, and yet each was refused once. */
    until_ms = prb_test_now_ms() + INT64_C(20) * OFTEN_MS;
    TEST_ASSERT_AWAIT("the time goes by", is_past, &until_ms);
    TEST_ASSERT_EQUAL_UINT64(4, state().refused);

    make_pair(&certs); /* mended */
    swap_pair(dir, certs.cert, certs.key);
    ASSERT_SHOWS_LATEST();
    TEST_ASSERT_EQUAL_STRING("", state().error);
}

static void test_a_missing_file_keeps_the_old_pair(void)
{
    write_pair(dir, certs.cert, certs.key);
    OPEN(OFTEN_MS);
    (void)unlink(key_file);
    TEST_ASSERT_CAME(wait_refused(1));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(state().error, "tls.key"), state().error);
    TEST_ASSERT_TRUE(shows_latest(NULL));
    write_pair(dir, certs.cert, certs.key); /* the same again is no new generation */
    TEST_ASSERT_AWAIT("the files are right again", has_no_error, NULL);
    TEST_ASSERT_EQUAL_UINT64(1, state().generation);
}

static void test_a_pair_that_was_too_early_is_taken_when_its_time_comes(void)
{
    struct prb_fake_clock clock;
    const struct prb_clock *real = prb_clock_system();
    struct prb_tls_options options = {
        .cert_file = cert_file, .key_file = key_file, .clock = &clock.clock, .poll_ms = OFTEN_MS
    };

    prb_fake_clock_init(&clock, real->wall_ms(real));
    swap_pair(dir, certs.cert, certs.key);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_tls_open(&options, &tls, &err), err.msg);
    make_pair_valid(&certs, -60, 86400);
    prb_fake_clock_advance(&clock, -120 * INT64_C(1000));
    swap_pair(dir, certs.cert, certs.key);
    TEST_ASSERT_CAME(wait_refused(1));
    prb_fake_clock_advance(&clock, 120 * INT64_C(1000));
    ASSERT_SHOWS_LATEST();
    TEST_ASSERT_EQUAL_UINT64(1, state().refused);
}

static void test_a_certificate_that_expires_in_use_is_reported(void)
{
    struct prb_fake_clock clock;
    const struct prb_clock *real = prb_clock_system();
    struct prb_tls_options options = {
        .cert_pem = certs.cert, .key_pem = certs.key, .clock = &clock.clock
    };

    prb_fake_clock_init(&clock, real->wall_ms(real));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_tls_open(&options, &tls, &err), err.msg);
    prb_fake_clock_advance(&clock, PRB_CERTS_LEAF_DAYS * INT64_C(86400) * 1000 - 5000);
    TEST_ASSERT_TRUE(state().valid);
    prb_fake_clock_advance(&clock, 6000);
    TEST_ASSERT_FALSE(state().valid);
}

static void test_who_began_with_a_pair_ends_with_it(void)
{
    prb_auto(prb_tls_generation_unref) struct prb_tls_generation *held = NULL;
    char first[SERIAL_TEXT_SIZE];
    struct handshake late;

    swap_pair(dir, certs.cert, certs.key);
    OPEN(NEVER_MS);
    serial_of_pem(certs.cert, first);
    held = prb_tls_current(tls);
    make_pair(&certs);
    swap_pair(dir, certs.cert, certs.key);
    ASSERT_SHOWS_LATEST();
    late = shake_hands(tls, held, client, NULL);
    TEST_ASSERT_TRUE(late.done);
    TEST_ASSERT_EQUAL_STRING(first, late.serial);
}

static void test_old_protocols_and_ciphers_are_refused(void)
{
    static const struct {
        const char *priorities;
        bool accepted;
    } cases[] = {
        { "NORMAL:-VERS-ALL:+VERS-TLS1.3", true },
        { "NORMAL:-VERS-ALL:+VERS-TLS1.2", true },
        { "NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-GCM", true },
        { "NORMAL:-VERS-ALL:+VERS-TLS1.1", false },
        { "NORMAL:-VERS-ALL:+VERS-TLS1.0", false },
        { "NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-CBC", false },
        { "NORMAL:-VERS-ALL:+VERS-TLS1.2:-KX-ALL:+RSA", false },
    };

    write_pair(dir, certs.cert, certs.key);
    OPEN(NEVER_MS);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].accepted,
                shake_hands(tls, NULL, client, cases[i].priorities).done, cases[i].priorities);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_pair_in_files_is_served);
    RUN_TEST(test_a_pair_in_memory_is_served);
    RUN_TEST(test_a_first_pair_that_cannot_be_served_is_an_error);
    RUN_TEST(test_a_swap_as_kubelet_does_it_is_seen_at_once);
    RUN_TEST(test_files_replaced_one_after_the_other_are_taken_as_a_pair);
    RUN_TEST(test_a_change_that_inotify_does_not_see_is_found_by_comparing);
    RUN_TEST(test_a_folder_that_is_replaced_is_watched_again);
    RUN_TEST(test_a_broken_pair_is_refused_once_and_the_old_one_kept);
    RUN_TEST(test_a_missing_file_keeps_the_old_pair);
    RUN_TEST(test_a_pair_that_was_too_early_is_taken_when_its_time_comes);
    RUN_TEST(test_a_certificate_that_expires_in_use_is_reported);
    RUN_TEST(test_who_began_with_a_pair_ends_with_it);
    RUN_TEST(test_old_protocols_and_ciphers_are_refused);
    return UNITY_END();
}
