#ifndef PROBATE_CORE_REQUEST_H
#define PROBATE_CORE_REQUEST_H

/*
 * One admission request as decisions see it. Immutable once decoded; owned by whoever decoded it.
 * Objects hold only the members that some rule declared to read.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/cleanup.h"
#include "probate/core/subject.h"
#include "probate/model/gvr.h"
#include "probate/model/object.h"

enum prb_operation {
    PRB_CREATE = 1,
    PRB_UPDATE = 2,
    PRB_DELETE = 4,
    PRB_CONNECT = 8,
};

struct prb_request {
    char *uid; /* owned, as all texts here; never NULL */
    enum prb_operation operation;
    struct prb_gvr gvr; /* what the registration matched, after conversion */
    char *kind;
    char *subresource; /* "" for the object itself */
    char *name;        /* request.name, else metadata.name: deletecollection sends it empty */
    char *namespace;   /* "" for cluster-scoped objects */
    struct prb_subject *subject; /* owned reference; who sent it; never NULL */
    bool dry_run;
    char *only;                /* the one rule that is to judge; NULL: all that match */
    const char *route;         /* static; of the registration that the API server called; or NULL */
    struct prb_object *object; /* owned; NULL on DELETE */
    struct prb_object *old;    /* owned; NULL on CREATE */
};

void prb_request_free(struct prb_request *request);
PRB_DEFINE_CLEANUP(struct prb_request *, prb_request_free)

/* "CREATE" and so on; static. */
const char *prb_operation_name(enum prb_operation operation);

/* Is the object already being deleted, as it is stored? What a new one says of itself is nothing.
 */
bool prb_request_is_deleting(const struct prb_request *request);

#endif
