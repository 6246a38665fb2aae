#ifndef PROBATE_SRC_ADMISSION_AUTHORITY_INTERNAL_H
#define PROBATE_SRC_ADMISSION_AUTHORITY_INTERNAL_H

/* What the files about certificate authorities share. */

#include "probate/admission/authority.h"

#include "certs_sign.h"

void prb_authority_done(struct prb_authority *authority);

/* What a CA says of itself. INVALID: it is none that may sign. The mark is left alone. */
int prb_authority_from(
        const struct prb_signed *pair, struct prb_authority *ret, struct prb_error *err);

#endif
