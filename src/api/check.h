#ifndef PROBATE_API_CHECK_INTERNAL_H
#define PROBATE_API_CHECK_INTERNAL_H

/* What every call of the port has in common. */

#include "probate/api/options.h"
#include "probate/base/error.h"
#include "probate/model/ref.h"

/* Without a name a path means the whole collection: a DELETE would empty it. */
static inline int check_ref(const struct prb_ref *ref, struct prb_error *err)
{
    if (ref->name[0] == '\0')
        return prb_fail(err, PRB_E_INVALID, "%s without a name", ref->gvr.resource);
    return 0;
}

static inline int timeout_or_default(int timeout_ms)
{
    return timeout_ms > 0 ? timeout_ms : PRB_API_TIMEOUT_MS;
}

#endif
