#ifndef PROBATE_ADMISSION_TLS_H
#define PROBATE_ADMISSION_TLS_H

/*
 * The serving certificate and its renewal: a pair of files is read again when it changes on disk
 * (content is compared every few seconds and on inotify of the folders, so a swapped symlink
 * counts); a pair that does not load, does not match, is expired or not valid yet is refused,
 * logged once, and the old one kept. Each connection holds the pair it began with until it ends.
 *
 * Optionally client certificates are checked against a CA, which is re-read the same way, and a
 * list of names. Who fails the check shakes hands all the same and is answered 403 with the
 * reason: a caller that is set up wrongly can be told so. Sessions are never resumed (no tickets,
 * no cache), so that every connection is checked. Thread-safe.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/clock.h"
#include "probate/base/error.h"

/* How often the files are compared, should inotify miss a change (network and overlay mounts). */
#define PRB_TLS_POLL_MS 5000

struct prb_tls;

struct prb_tls_options {
    const char *cert_file; /* borrowed; NULL: cert_pem and key_pem are served until replaced */
    const char *key_file;
    const char *cert_pem;
    const char *key_pem;
    const char *client_ca_file;      /* NULL: clients need no certificate */
    const char *const *client_names; /* common or DNS names accepted; NULL: any the CA signed */
    size_t client_name_count;
    const struct prb_clock *clock; /* NULL: the system's; tells what is expired */
    int64_t poll_ms;               /* 0: PRB_TLS_POLL_MS */
};

/* INVALID when the first pair cannot be served. Starts the thread that watches the files. */
int prb_tls_open(
        const struct prb_tls_options *options, struct prb_tls **ret, struct prb_error *err);
void prb_tls_free(struct prb_tls *tls); /* after the server was stopped; NULL is fine */
PRB_DEFINE_CLEANUP(struct prb_tls *, prb_tls_free)

/*
 * Serve this pair from now on; for a pair in memory only. INVALID when it cannot be served: then
 * the old one is kept. From any thread.
 */
int prb_tls_replace(
        struct prb_tls *tls, const char *cert_pem, const char *key_pem, struct prb_error *err);

/* The certificates being served as PEM, the leaf first; the caller frees. */
char *prb_tls_chain(struct prb_tls *tls);

/* State for /readyz and metrics. */
struct prb_tls_state {
    unsigned long generation; /* pairs taken so far */
    unsigned long refused;    /* changed files that were refused */
    int64_t expires_ms;       /* wall: the leaf being served */
    bool valid;               /* at this moment */
    char error[256];          /* why the files on disk are not the ones served; "" */
};
void prb_tls_state(struct prb_tls *tls, struct prb_tls_state *ret);

#endif
