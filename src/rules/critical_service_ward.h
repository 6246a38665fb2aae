#ifndef PROBATE_RULES_CRITICAL_SERVICE_WARD_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_WARD_INTERNAL_H

/*
 * A Deployment or a Namespace that is to go, and the CriticalServices that guard it. A guard is
 * borrowed from where it was found: the view, or the answer to a live list.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/core/question.h"
#include "probate/core/request.h"
#include "probate/model/critical_service.h"
#include "probate/model/view.h"

struct prb_ward {
    bool is_namespace;
    const char *namespace; /* borrowed; of a Namespace its own name */
    const char *name;      /* borrowed */
    bool labelled;         /* its Namespace is, as the API server says: some CriticalService named
                              it once, whatever a cache says */
};

/* By this the API server tells that a Deployment is in a labelled Namespace: the review does not.
 */
#define PRB_ROUTE_LABELLED "labelled"

/* deletecollection may leave the namespace out of the request: then by the stored object. */
void prb_ward_read(const struct prb_request *request, struct prb_ward *ret);

/* The Namespace that a Deployment is in; false: no Namespace can have this name. */
bool prb_ward_home(const struct prb_ward *ward, struct prb_ref *ret);

/* Has the object the label that Probate keeps? Any value will do. */
bool prb_is_labelled(const struct prb_object *object);

struct prb_guards {
    struct prb_critical_service *items; /* owned; sorted by name */
    size_t count;
};
void prb_guards_init(struct prb_guards *guards);
void prb_guards_done(struct prb_guards *guards);
static inline void prb_guards_donep(struct prb_guards *guards)
{
    prb_guards_done(guards);
}
void prb_guards_add(struct prb_guards *guards, const struct prb_critical_service *service);

/* Does the cache leave it open that the ward is guarded? Otherwise nobody need be asked. */
bool prb_ward_may_be_guarded(const struct prb_ward *ward, const struct prb_view *view);

/*
 * Who guards it, as far as is known: by the live list, and until that is answered by the cache,
 * which says what had better be asked in the same round. `guards` must be empty.
 */
void prb_ward_guards(const struct prb_ward *ward, const struct prb_view *view,
        const struct prb_question *list, struct prb_guards *guards);

#endif
