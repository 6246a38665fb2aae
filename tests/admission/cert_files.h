#ifndef PROBATE_TESTS_CERT_FILES_H
#define PROBATE_TESTS_CERT_FILES_H

/* Certificates on disk as others put them there, and certificates of clients. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gnutls/gnutls.h>

#include "probate/admission/certs.h"

#define SERIAL_TEXT_SIZE 41 /* 20 bytes in hex and the NUL */

/* A pair for localhost, 127.0.0.1 and ::1, signed by the CA in `certs` (a new one when it has
 * none). Ends the process when it cannot be made: nothing can be tested then. */
void make_pair(struct prb_certs *certs);

/* The same, valid from `from_s` to `until_s` seconds from now. */
void make_pair_valid(struct prb_certs *certs, int64_t from_s, int64_t until_s);

/* The serial of a PEM certificate in hex. */
void serial_of_pem(const char *pem, char text[SERIAL_TEXT_SIZE]);

/* Write `dir`/tls.crt and `dir`/tls.key, each replaced whole. */
void write_pair(const char *dir, const char *cert, const char *key);

/*
 * Put them into `dir` as kubelet does: files in a folder with a time as its name, "..data" a
 * symlink to it that is swapped by rename, "tls.crt" a symlink through "..data".
 */
void swap_pair(const char *dir, const char *cert, const char *key);

/* What a client shows. */
struct client_cert {
    const char *common_name; /* NULL: none */
    const char *dns_name;    /* NULL: none */
    const char *purpose;     /* NULL: GNUTLS_KP_TLS_WWW_CLIENT */
    int64_t until_s;         /* valid until so many seconds from now; 0: a day */
};

/* Credentials of a client that trusts `ca` (PEM) and shows a certificate that `signer` signed;
 * `what` NULL: it shows none. The caller frees. */
gnutls_certificate_credentials_t make_client(
        const char *ca, const struct prb_certs *signer, const struct client_cert *what);

#endif
