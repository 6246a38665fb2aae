#ifndef PROBATE_KUBE_AUTH_H
#define PROBATE_KUBE_AUTH_H

/*
 * The Authorization header: a bearer token (which may be replaced on disk at any time, as the
 * kubelet does), or user and password. Thread-safe.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/kube/config.h"

/*
 * A token file is looked at (stat) before each call and read again when it changed; and at least
 * this often, for file systems whose stat cannot be trusted. client-go reads every 60 s as well.
 */
#define PRB_KUBE_TOKEN_AGE_MS 60000

/* Bytes of a token: one with hundreds of groups in it has 16 KiB, and a header of more than
 * 64 KiB no proxy takes. */
#define PRB_KUBE_TOKEN_MAX ((size_t)64 * 1024)

struct prb_kube_auth;

/* Copies what it needs. INVALID when a token could not be a header. */
int prb_kube_auth_new(
        const struct prb_kube_config *config, struct prb_kube_auth **ret, struct prb_error *err);
void prb_kube_auth_free(struct prb_kube_auth *auth);
PRB_DEFINE_CLEANUP(struct prb_kube_auth *, prb_kube_auth_free)

/*
 * "Authorization: ..." as a heap text for prb_secret_free, or NULL when there is nothing to send.
 * `*ret_generation` counts the different tokens seen.
 */
char *prb_kube_auth_header(struct prb_kube_auth *auth, int64_t mono_ms, unsigned *ret_generation);

/*
 * The server did not take the header of `generation`: read the file again. True when there is a
 * newer one to try.
 */
bool prb_kube_auth_refresh(struct prb_kube_auth *auth, int64_t mono_ms, unsigned generation);

#endif
