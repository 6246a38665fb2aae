#ifndef PROBATE_TESTS_SERVER_WORLD_H
#define PROBATE_TESTS_SERVER_WORLD_H

/*
 * An admission server with one rule, "test", over a port that answers by name, and what a client
 * needs to call it. The rule judges things.g.io by the name of the object:
 *   "deny..." 403, "invalid..." 422, "warn..." a warning, "override..." somebody goes past the
 *   rule; "live...", "absent...", "slow..." and "hang..." are asked for live (see question_port.h),
 *   and "live-then-X" afterwards for X; all others are allowed. "...-with-data" with a warning
 * while its data is in memory.
 */

#include <stdatomic.h>

#include "probate/admission/server.h"

#include "cert_files.h"
#include "https_client.h"
#include "question_port.h"

struct server_world {
    struct question_port port;
    struct prb_store *store;
    struct prb_review_reader *reader;
    struct prb_judge judge;
    struct prb_engine engine;
    struct prb_certs certs;
    gnutls_certificate_credentials_t client; /* trusts the CA of `certs` */

    struct prb_tls *tls;
    struct prb_asker *asker;
    struct prb_server *server;
    struct prb_error err;

    atomic_uint decided; /* verdicts that the server told of */
    atomic_uint denied;
};

void world_init(struct server_world *world);

/* Stops what is running, too. */
void world_done(struct server_world *world);

/* Start a server; of `options` only limits and deadlines count (NULL: all defaults). False: see
 * err. `tls_options` NULL: the pair in `certs`, from memory. */
bool world_start(struct server_world *world, const struct prb_server_options *options,
        const struct prb_tls_options *tls_options);
void world_stop(struct server_world *world, int64_t finish_ms);

uint16_t world_port(const struct server_world *world);

/* An AdmissionReview for the creation of a thing, with `padding` bytes of data. The caller frees.
 */
char *review_of(const char *name, const char *uid, size_t padding);

/* A call on a connection of its own: what the answer says, "" when there is none. Caller frees. */
char *world_call(struct server_world *world, const char *name);

/* Does the answer allow, or refuse with this code in it? */
bool says_allowed(const char *body);
bool says_denied(const char *body, int code);

#endif
