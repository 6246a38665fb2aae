#ifndef PROBATE_API_DEFINITION_H
#define PROBATE_API_DEFINITION_H

/*
 * "Not served" is not "gone": the objects of a CustomResourceDefinition stay stored while none of
 * its versions is served. What discovery does not show is positively absent only when no
 * CustomResourceDefinition has it.
 */

#include "probate/api/api.h"
#include "probate/base/clock.h"

extern const struct prb_gvr prb_definitions; /* customresourcedefinitions */

/* What is looked for. All is borrowed. */
struct prb_sought {
    const char *group;
    const char *name;              /* plural, singular, kind or short name, in any case */
    bool exact;                    /* its plural or kind, letter for letter, and nothing else */
    const struct prb_clock *clock; /* of the deadline: */
    int64_t deadline_ms;           /* monotonic; for all calls but discovery together */
};

/*
 * As prb_api_resolve, for decisions that depend on what is not there:
 *   NOTFOUND, reason NotServed: discovery, asked anew, does not show it, and no definition of that
 *     group has the name: it is positively absent
 *   UNAVAILABLE: a definition has it (then the reason is DefinedNotServed), or there was no time to
 *     look at all of them
 *   UNSUPPORTED: the name is not the plural of what is served, and another definition has it, too:
 *     nobody knows which one is meant
 *   FORBIDDEN, reason DefinitionsForbidden: the right to look lacks
 */
int prb_api_find(struct prb_api *api, const struct prb_sought *sought, struct prb_resource *ret,
        struct prb_error *err);

/* The same for a name that discovery, asked anew, does not show. Always an error. */
int prb_api_confirm_absent(
        struct prb_api *api, const struct prb_sought *sought, struct prb_error *err);

/* The same for a name that is the plural, and is not served: one GET is enough. Always an error. */
int prb_api_confirm_unserved(
        struct prb_api *api, const struct prb_sought *plural, struct prb_error *err);

#endif
