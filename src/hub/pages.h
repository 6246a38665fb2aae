#ifndef PROBATE_HUB_PAGES_INTERNAL_H
#define PROBATE_HUB_PAGES_INTERNAL_H

/*
 * Lists in pages. All pages of a list show the state at the first one, as the API server's do: a
 * list that does not fit one page is kept, and its continue token names it.
 */

#include <stddef.h>
#include <stdint.h>

#include "probate/api/api.h"

#include "kinds.h"
#include "present.h"

/* Lists that can be continued at one time. The API server keeps five minutes of history; a program
 * reads one list per kind at once. */
#define PRB_HUB_LISTS_MAX 64

struct prb_hub_list {
    uint64_t id;                     /* random; 0: free */
    const struct prb_hub_kind *kind; /* borrowed */
    uint64_t version;                /* resourceVersion of all its pages */
    struct prb_object **objects;     /* owned, as each reference in it */
    size_t count;
};

struct prb_hub_pages {
    struct prb_hub_list lists[PRB_HUB_LISTS_MAX];
    size_t next; /* which one is given up for a new one */
};

void prb_hub_pages_done(struct prb_hub_pages *pages);

/* The list operation of the port; takes the lock itself. */
int prb_hub_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err);

#endif
