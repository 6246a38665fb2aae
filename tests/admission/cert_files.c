/* How do certificates come onto a disk, and into the hands of a client? */

#include "cert_files.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <gnutls/x509.h>

#include "probate/base/clock.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"

#define DAY_S INT64_C(86400)

/* Without them there is no test. */
static void must(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    abort();
}

static gnutls_datum_t datum(const char *text)
{
    gnutls_datum_t result = { .size = (unsigned)strlen(text) };

    memcpy(&result.data, &text, sizeof(text));
    return result;
}

void make_pair(struct prb_certs *certs)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "::1" };
    const struct prb_clock *clock = prb_clock_system();
    struct prb_certs made;
    struct prb_certs_options options = { .names = names,
        .count = 3,
        .now_ms = clock->wall_ms(clock),
        .ca_cert = certs->ca_cert,
        .ca_key = certs->ca_key };
    struct prb_error err;

    if (prb_certs_make(&options, &made, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        abort();
    }
    prb_certs_done(certs);
    *certs = made;
}

/* Sign `crt` again with the CA of `certs`. */
static void sign(gnutls_x509_crt_t crt, const struct prb_certs *certs)
{
    gnutls_datum_t ca_pem = datum(certs->ca_cert), key_pem = datum(certs->ca_key);
    gnutls_x509_crt_t ca;
    gnutls_x509_privkey_t key;

    must(gnutls_x509_crt_init(&ca) >= 0 && gnutls_x509_privkey_init(&key) >= 0, "gnutls");
    must(gnutls_x509_crt_import(ca, &ca_pem, GNUTLS_X509_FMT_PEM) >= 0, "CA");
    must(gnutls_x509_privkey_import2(key, &key_pem, GNUTLS_X509_FMT_PEM, NULL, 0) >= 0, "CA key");
    must(gnutls_x509_crt_sign2(crt, ca, key, GNUTLS_DIG_SHA256, 0) >= 0, "sign");
    gnutls_x509_crt_deinit(ca);
    gnutls_x509_privkey_deinit(key);
}

static char *pem_of(gnutls_x509_crt_t crt)
{
    gnutls_datum_t pem;
    char *text;

    must(gnutls_x509_crt_export2(crt, GNUTLS_X509_FMT_PEM, &pem) >= 0, "export");
    text = prb_strndup((const char *)pem.data, pem.size);
    gnutls_free(pem.data);
    return text;
}

void make_pair_valid(struct prb_certs *certs, int64_t from_s, int64_t until_s)
{
    gnutls_datum_t pem;
    gnutls_x509_crt_t crt;
    time_t now = time(NULL);

    make_pair(certs);
    pem = datum(certs->cert);
    must(gnutls_x509_crt_init(&crt) >= 0, "gnutls");
    must(gnutls_x509_crt_import(crt, &pem, GNUTLS_X509_FMT_PEM) >= 0, "leaf");
    (void)gnutls_x509_crt_set_activation_time(crt, now + from_s);
    (void)gnutls_x509_crt_set_expiration_time(crt, now + until_s);
    sign(crt, certs);
    free(certs->cert);
    certs->cert = pem_of(crt);
    gnutls_x509_crt_deinit(crt);
}

void serial_of_pem(const char *pem, char text[SERIAL_TEXT_SIZE])
{
    gnutls_datum_t data = datum(pem);
    gnutls_x509_crt_t crt;
    unsigned char serial[20];
    size_t size = sizeof(serial);

    must(gnutls_x509_crt_init(&crt) >= 0, "gnutls");
    must(gnutls_x509_crt_import(crt, &data, GNUTLS_X509_FMT_PEM) >= 0, "certificate");
    must(gnutls_x509_crt_get_serial(crt, serial, &size) >= 0, "serial");
    gnutls_x509_crt_deinit(crt);
    for (size_t i = 0; i < size; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", serial[i]);
}

static void write_file(const char *dir, const char *name, const char *text)
{
    prb_autofree char *path = prb_asprintf("%s/%s", dir, name);
    struct prb_error err;

    must(prb_file_write(path, text, strlen(text), 0600, &err) == 0, path);
}

void write_pair(const char *dir, const char *cert, const char *key)
{
    write_file(dir, "tls.crt", cert);
    write_file(dir, "tls.key", key);
}

static void link_once(const char *dir, const char *name)
{
    prb_autofree char *path = prb_asprintf("%s/%s", dir, name);
    prb_autofree char *target = prb_asprintf("..data/%s", name);

    if (access(path, F_OK) != 0)
        must(symlink(target, path) == 0, path);
}

static void remove_folder(const char *dir)
{
    DIR *open = opendir(dir);
    struct dirent *entry;

    must(open != NULL, dir);
    while ((entry = readdir(open))) { /* NOLINT(concurrency-mt-unsafe): a stream of our own */
        prb_autofree char *path = prb_asprintf("%s/%s", dir, entry->d_name);

        if (entry->d_name[0] != '.')
            (void)unlink(path);
    }
    (void)closedir(open);
    (void)rmdir(dir);
}

void swap_pair(const char *dir, const char *cert, const char *key)
{
    prb_autofree char *stamp = prb_asprintf(
            "..2026_01_02_03_04_05.%010" PRIu64, prb_random_below(UINT64_C(10000000000)));
    prb_autofree char *folder = prb_asprintf("%s/%s", dir, stamp);
    prb_autofree char *data = prb_asprintf("%s/..data", dir);
    prb_autofree char *data_tmp = prb_asprintf("%s/..data_tmp", dir);
    char old[64] = "";

    must(mkdir(folder, 0755) == 0, folder);
    write_pair(folder, cert, key);
    if (readlink(data, old, sizeof(old) - 1) < 0)
        old[0] = '\0';
    must(symlink(stamp, data_tmp) == 0, data_tmp);
    must(rename(data_tmp, data) == 0, data);
    link_once(dir, "tls.crt");
    link_once(dir, "tls.key");
    if (old[0]) {
        prb_autofree char *old_folder = prb_asprintf("%s/%s", dir, old);

        remove_folder(old_folder);
    }
}

static void describe(gnutls_x509_crt_t crt, const struct client_cert *what)
{
    const unsigned char serial[] = { 1 };
    time_t now = time(NULL);

    (void)gnutls_x509_crt_set_version(crt, 3);
    (void)gnutls_x509_crt_set_serial(crt, serial, sizeof(serial));
    (void)gnutls_x509_crt_set_activation_time(crt, now - DAY_S);
    (void)gnutls_x509_crt_set_expiration_time(crt, now + (what->until_s ? what->until_s : DAY_S));
    if (what->common_name)
        (void)gnutls_x509_crt_set_dn_by_oid(crt, GNUTLS_OID_X520_COMMON_NAME, 0, what->common_name,
                (unsigned)strlen(what->common_name));
    if (what->dns_name)
        (void)gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_DNSNAME, what->dns_name,
                (unsigned)strlen(what->dns_name), GNUTLS_FSAN_APPEND);
    (void)gnutls_x509_crt_set_key_purpose_oid(
            crt, what->purpose ? what->purpose : GNUTLS_KP_TLS_WWW_CLIENT, 0);
}

gnutls_certificate_credentials_t make_client(
        const char *ca, const struct prb_certs *signer, const struct client_cert *what)
{
    gnutls_certificate_credentials_t credentials;
    gnutls_x509_crt_t crt;
    gnutls_x509_privkey_t key;
    gnutls_datum_t trusted = datum(ca);

    must(gnutls_certificate_allocate_credentials(&credentials) >= 0, "gnutls");
    must(gnutls_certificate_set_x509_trust_mem(credentials, &trusted, GNUTLS_X509_FMT_PEM) == 1,
            "CA");
    if (!what)
        return credentials;
    must(gnutls_x509_crt_init(&crt) >= 0 && gnutls_x509_privkey_init(&key) >= 0, "gnutls");
    must(gnutls_x509_privkey_generate(
                 key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0) >= 0,
            "key");
    describe(crt, what);
    (void)gnutls_x509_crt_set_key(crt, key);
    sign(crt, signer);
    must(gnutls_certificate_set_x509_key(credentials, &crt, 1, key) >= 0, "client");
    gnutls_x509_crt_deinit(crt);
    gnutls_x509_privkey_deinit(key);
    return credentials;
}
