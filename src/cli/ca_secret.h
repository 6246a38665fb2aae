#ifndef PROBATE_SRC_CLI_CA_SECRET_H
#define PROBATE_SRC_CLI_CA_SECRET_H

/* The Secret that holds the CAs: read, and written only as it was read. */

#include "probate/admission/authority.h"
#include "probate/api/api.h"

struct prb_ca_secret {
    struct prb_object *object;          /* owned; NULL: there is none */
    struct prb_authorities authorities; /* what could be read of it */
};

void prb_ca_secret_done(struct prb_ca_secret *secret);
static inline void prb_ca_secret_donep(struct prb_ca_secret *secret)
{
    prb_ca_secret_done(secret);
}

/* Read it. That there is none is no error. `ret` is empty. */
int prb_ca_secret_read(struct prb_api *api, const struct prb_ref *ref, int timeout_ms,
        struct prb_ca_secret *ret, struct prb_error *err);

/* Write its authorities as all of its data. EXISTS, CONFLICT: somebody else was faster. */
int prb_ca_secret_write(struct prb_api *api, const struct prb_ref *ref, int timeout_ms,
        const struct prb_ca_secret *secret, struct prb_error *err);

/* "NAMESPACE/NAME"; INVALID with the flag in the text. */
int prb_ca_secret_parse(const char *text, struct prb_ref *ret, struct prb_error *err);

#endif
