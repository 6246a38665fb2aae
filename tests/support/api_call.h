#ifndef TESTS_SUPPORT_API_CALL_H
#define TESTS_SUPPORT_API_CALL_H

/*
 * What one HTTP request means to the API server: the verb as RBAC names it, and the resource,
 * namespace, name and subresource in the URL. A plain value.
 */

#include <stdbool.h>

#include "probate/model/ref.h"

/* "deletecollection" and NUL. */
#define PRB_API_VERB_SIZE 24

struct prb_api_call {
    /* get list watch create update patch delete deletecollection; for URLs that are no resource
     * (/version, /apis) the method in lower case. */
    char verb[PRB_API_VERB_SIZE];
    struct prb_ref ref;                  /* parts that the URL does not name are "" */
    char subresource[PRB_RESOURCE_SIZE]; /* "" is the object itself */
    bool dry_run;
};

/*
 * Understand a request line's method and target. False when the target is no path we could
 * forward: not absolute, a broken %-escape, a part too long.
 */
bool prb_api_call_parse(const char *method, const char *target, struct prb_api_call *ret);

/* Does it write? */
bool prb_api_call_is_write(const struct prb_api_call *call);

/*
 * Does `pattern` name the call's resource? "configmaps", "deployments.apps", with "/status" for a
 * subresource (without one only the object itself is meant, as in RBAC); "*" and NULL mean all.
 */
bool prb_api_call_is_on(const struct prb_api_call *call, const char *pattern);

/* Is it this verb? "*" and NULL mean all. */
bool prb_api_call_has_verb(const struct prb_api_call *call, const char *verb);

#endif
