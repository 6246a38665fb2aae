#ifndef PROBATE_SRC_ADMISSION_TLS_GENERATION_H
#define PROBATE_SRC_ADMISSION_TLS_GENERATION_H

/*
 * What a handshake uses: a certificate with its key, and the CA that clients are checked against.
 * Immutable and counted; connections hold the generation they began with, so that a renewal takes
 * nothing away under a handshake.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gnutls/gnutls.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"

#define PRB_TLS_PRINT_SIZE 32 /* SHA-256 */

/* Bytes of the certificates of a pair: of a file that is read, at most that much again. */
#define PRB_TLS_CHAIN_MAX ((size_t)2 * 1024 * 1024)

/* The files as they were read. */
struct prb_tls_material {
    char *cert; /* owned PEM, as all here */
    char *key;
    char *client_ca;                         /* NULL: clients are not asked for a certificate */
    unsigned char print[PRB_TLS_PRINT_SIZE]; /* tells one content from another */
};

/* Where they come from. */
struct prb_tls_files {
    char *cert;      /* path; NULL: the texts below */
    char *key;       /* path */
    char *client_ca; /* path or NULL */
    char *cert_pem;
    char *key_pem;
};

/*
 * Read all files. They are read until two rounds agree, so that a swap between two files is not
 * taken for a pair that does not match.
 */
int prb_tls_material_read(
        const struct prb_tls_files *files, struct prb_tls_material *ret, struct prb_error *err);
void prb_tls_material_done(struct prb_tls_material *material);
static inline void prb_tls_material_donep(struct prb_tls_material *material)
{
    prb_tls_material_done(material);
}

struct prb_tls_generation {
    atomic_uint references;
    gnutls_certificate_credentials_t credentials; /* owned */
    char *chain;                                  /* owned: the certificates as PEM */
    int64_t expires_ms;                           /* wall: the leaf */
    bool checks_clients;
    unsigned char print[PRB_TLS_PRINT_SIZE]; /* of the material it was made from */
};

/* INVALID when it cannot be served at `now_ms`, with a text that says why. */
int prb_tls_generation_new(const struct prb_tls_material *material, int64_t now_ms,
        struct prb_tls_generation **ret, struct prb_error *err);

struct prb_tls_generation *prb_tls_generation_ref(struct prb_tls_generation *generation);
void prb_tls_generation_unref(struct prb_tls_generation *generation); /* NULL is fine */
PRB_DEFINE_CLEANUP(struct prb_tls_generation *, prb_tls_generation_unref)

#endif
