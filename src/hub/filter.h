#ifndef PROBATE_HUB_FILTER_INTERNAL_H
#define PROBATE_HUB_FILTER_INTERNAL_H

/* Which objects of a collection a list or a watch is about. */

#include "probate/model/selector.h"

#include "state.h"

struct prb_hub_filter {
    char *namespace;             /* owned; "": all */
    struct prb_selector *labels; /* owned; NULL: all */
    struct prb_selector *fields;
};

/* INVALID when a selector cannot be read. `namespace` may be NULL, as may the selectors. */
int prb_hub_filter_init(struct prb_hub_filter *filter, const char *namespace, const char *labels,
        const char *fields, struct prb_error *err);
void prb_hub_filter_done(struct prb_hub_filter *filter);
static inline void prb_hub_filter_donep(struct prb_hub_filter *filter)
{
    prb_hub_filter_done(filter);
}

bool prb_hub_filter_matches(const struct prb_hub_filter *filter, const struct prb_object *object);

/* References to the objects of a kind that match, sorted by namespace and name; the array and its
 * references are the caller's. */
struct prb_object **prb_hub_filter_select(
        const struct prb_hub_filter *filter, const struct prb_hub_kind *kind, size_t *ret_count);

#endif
