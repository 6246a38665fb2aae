/* How is a certificate made that Go's TLS, and so the API server, accepts? */

#include "certs_sign.h"

#include <arpa/inet.h>
#include <string.h>
#include <time.h>

#include <gnutls/crypto.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#define CA_NAME "CN=Probate CA"

/* The longest common name X.520 allows. */
#define COMMON_NAME_MAX 64

/* 128 bits: unique without a register of serials, and below the 20 bytes RFC 5280 allows. */
#define SERIAL_SIZE 16

/* SHA-1 of a public key: what RFC 5280 names keys by. */
#define KEY_ID_SIZE 20

#define DNS_NAME_MAX 253
#define DNS_LABEL_MAX 63

void prb_signed_done(struct prb_signed *pair)
{
    if (pair->crt)
        gnutls_x509_crt_deinit(pair->crt);
    if (pair->key)
        gnutls_x509_privkey_deinit(pair->key);
    *pair = (struct prb_signed){ 0 };
}

/* Keeps the first failure of a row of calls. */
static void note(int *result, int code)
{
    if (*result >= 0)
        *result = code;
}

static bool is_label_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

static bool label_ok(const char *label, size_t len)
{
    if (len == 0 || len > DNS_LABEL_MAX || label[0] == '-' || label[len - 1] == '-')
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!is_label_char(label[i]))
            return false;
    }
    return true;
}

static bool dns_name_ok(const char *name)
{
    if (strlen(name) > DNS_NAME_MAX)
        return false;
    if (prb_starts_with(name, "*."))
        name += 2;
    for (;;) {
        size_t len = strcspn(name, ".");

        if (!label_ok(name, len))
            return false;
        if (!name[len])
            return true;
        name += len + 1;
    }
}

/* The bytes of a numeric address: 4, 16, or 0 when it is none. */
static size_t address_of(const char *name, unsigned char bytes[sizeof(struct in6_addr)])
{
    if (inet_pton(AF_INET, name, bytes) == 1)
        return sizeof(struct in_addr);
    if (inet_pton(AF_INET6, name, bytes) == 1)
        return sizeof(struct in6_addr);
    return 0;
}

bool prb_certificate_name_ok(const char *name)
{
    unsigned char bytes[sizeof(struct in6_addr)];

    return address_of(name, bytes) > 0 || dns_name_ok(name);
}

static int add_name(gnutls_x509_crt_t crt, const char *name)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    size_t size = address_of(name, bytes);

    if (size > 0)
        return gnutls_x509_crt_set_subject_alt_name(
                crt, GNUTLS_SAN_IPADDRESS, bytes, (unsigned)size, GNUTLS_FSAN_APPEND);
    return gnutls_x509_crt_set_subject_alt_name(
            crt, GNUTLS_SAN_DNSNAME, name, (unsigned)strlen(name), GNUTLS_FSAN_APPEND);
}

static int set_serial(gnutls_x509_crt_t crt)
{
    unsigned char serial[SERIAL_SIZE];
    int result = gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof(serial));

    if (result < 0)
        return result;
    serial[0] = (unsigned char)((serial[0] & 0x3f) | 0x40); /* positive, and of full length */
    return gnutls_x509_crt_set_serial(crt, serial, sizeof(serial));
}

static int set_key_id(gnutls_x509_crt_t crt, const struct prb_signed *issuer)
{
    unsigned char id[KEY_ID_SIZE];
    size_t size = sizeof(id);
    int result = gnutls_x509_crt_get_key_id(crt, GNUTLS_KEYID_USE_SHA1, id, &size);

    if (result >= 0)
        result = gnutls_x509_crt_set_subject_key_id(crt, id, size);
    if (result < 0 || !issuer)
        return result;
    size = sizeof(id);
    /* An authority that does not name its key is referred to by its name alone. */
    if (gnutls_x509_crt_get_subject_key_id(issuer->crt, id, &size, NULL) < 0)
        return 0;
    return gnutls_x509_crt_set_authority_key_id(crt, id, size);
}

static int describe_ca(gnutls_x509_crt_t crt)
{
    int result = 0;

    note(&result, gnutls_x509_crt_set_dn(crt, CA_NAME, NULL));
    note(&result, gnutls_x509_crt_set_basic_constraints(crt, 1, 0));
    note(&result,
            gnutls_x509_crt_set_key_usage(crt, GNUTLS_KEY_KEY_CERT_SIGN | GNUTLS_KEY_CRL_SIGN));
    return result;
}

static int describe_leaf(gnutls_x509_crt_t crt, const struct prb_certificate *what)
{
    const char *first = what->names[0];
    int result = 0;

    if (strlen(first) <= COMMON_NAME_MAX)
        note(&result, gnutls_x509_crt_set_dn_by_oid(
                              crt, GNUTLS_OID_X520_COMMON_NAME, 0, first, (unsigned)strlen(first)));
    note(&result, gnutls_x509_crt_set_basic_constraints(crt, 0, -1));
    note(&result, gnutls_x509_crt_set_key_usage(crt, GNUTLS_KEY_DIGITAL_SIGNATURE));
    note(&result, gnutls_x509_crt_set_key_purpose_oid(crt, GNUTLS_KP_TLS_WWW_SERVER, 0));
    for (size_t i = 0; i < what->count; i++)
        note(&result, add_name(crt, what->names[i]));
    return result;
}

static int describe(const struct prb_signed *pair, const struct prb_certificate *what,
        const struct prb_signed *issuer)
{
    gnutls_x509_crt_t crt = pair->crt;
    int result = 0;

    note(&result, gnutls_x509_crt_set_version(crt, 3));
    note(&result, set_serial(crt));
    note(&result, gnutls_x509_crt_set_activation_time(crt, (time_t)what->from_s));
    note(&result, gnutls_x509_crt_set_expiration_time(crt, (time_t)what->until_s));
    note(&result, what->names ? describe_leaf(crt, what) : describe_ca(crt));
    note(&result, gnutls_x509_crt_set_key(crt, pair->key));
    if (result >= 0)
        result = set_key_id(crt, issuer);
    return result;
}

int prb_signed_make(const struct prb_certificate *what, const struct prb_signed *issuer,
        struct prb_signed *ret, struct prb_error *err)
{
    prb_auto(prb_signed_done) struct prb_signed pair = { 0 };
    const struct prb_signed *signer = issuer ? issuer : &pair;
    int result = 0;

    note(&result, gnutls_x509_crt_init(&pair.crt));
    note(&result, gnutls_x509_privkey_init(&pair.key));
    if (result >= 0)
        result = gnutls_x509_privkey_generate(
                pair.key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
    if (result >= 0)
        result = describe(&pair, what, issuer);
    if (result >= 0)
        result = gnutls_x509_crt_sign2(pair.crt, signer->crt, signer->key, GNUTLS_DIG_SHA256, 0);
    if (result < 0)
        return prb_fail(err, PRB_E_INTERNAL, "make a certificate: %s", gnutls_strerror(result));
    *ret = pair;
    pair = (struct prb_signed){ 0 };
    return 0;
}

static bool belong_together(const struct prb_signed *pair)
{
    unsigned char ids[2][KEY_ID_SIZE];
    size_t sizes[2] = { KEY_ID_SIZE, KEY_ID_SIZE };

    return gnutls_x509_crt_get_key_id(pair->crt, GNUTLS_KEYID_USE_SHA1, ids[0], &sizes[0]) >= 0 &&
           gnutls_x509_privkey_get_key_id(pair->key, GNUTLS_KEYID_USE_SHA1, ids[1], &sizes[1]) >=
                   0 &&
           sizes[0] == sizes[1] && memcmp(ids[0], ids[1], sizes[0]) == 0;
}

int prb_signed_read(
        const char *cert, const char *key, struct prb_signed *ret, struct prb_error *err)
{
    prb_auto(prb_signed_done) struct prb_signed pair = { 0 };
    gnutls_datum_t cert_pem = prb_datum(cert, strlen(cert));
    gnutls_datum_t key_pem = prb_datum(key, strlen(key));
    int result = 0;

    note(&result, gnutls_x509_crt_init(&pair.crt));
    note(&result, gnutls_x509_privkey_init(&pair.key));
    if (result < 0)
        return prb_fail(err, PRB_E_INTERNAL, "%s", gnutls_strerror(result));
    result = gnutls_x509_crt_import(pair.crt, &cert_pem, GNUTLS_X509_FMT_PEM);
    if (result < 0)
        return prb_fail(err, PRB_E_INVALID, "certificate: %s", gnutls_strerror(result));
    result = gnutls_x509_privkey_import2(pair.key, &key_pem, GNUTLS_X509_FMT_PEM, NULL, 0);
    if (result < 0)
        return prb_fail(err, PRB_E_INVALID, "key: %s", gnutls_strerror(result));
    if (!belong_together(&pair))
        return prb_fail(err, PRB_E_INVALID, "the key does not belong to the certificate");
    *ret = pair;
    pair = (struct prb_signed){ 0 };
    return 0;
}

int prb_signed_write(
        const struct prb_signed *pair, char **ret_cert, char **ret_key, struct prb_error *err)
{
    gnutls_datum_t cert = { 0 }, key = { 0 };
    int result = 0;

    note(&result, gnutls_x509_crt_export2(pair->crt, GNUTLS_X509_FMT_PEM, &cert));
    note(&result, gnutls_x509_privkey_export2_pkcs8(
                          pair->key, GNUTLS_X509_FMT_PEM, NULL, GNUTLS_PKCS_PLAIN, &key));
    if (result >= 0) {
        *ret_cert = prb_strndup((const char *)cert.data, cert.size);
        *ret_key = prb_strndup((const char *)key.data, key.size);
    }
    gnutls_free(cert.data);
    if (key.data)
        gnutls_memset(key.data, 0, key.size);
    gnutls_free(key.data);
    return result < 0 ? prb_fail(err, PRB_E_INTERNAL, "%s", gnutls_strerror(result)) : 0;
}
