#ifndef TESTS_RECONCILERS_WORLD_CACHES_H
#define TESTS_RECONCILERS_WORLD_CACHES_H

/* What a controller sees of a server in memory: caches that are as fresh as a test wants. */

#include "probate/api/api.h"
#include "probate/model/view.h"

/* `api` is borrowed; there is one at a time. */
void world_caches_open(struct prb_api *api);
void world_caches_close(void);

/* A collection that the controller watches by itself; `whole`: not only metadata. */
void world_caches_add(const char *gvr, bool whole);

/* Let the controller watch a kind, as the loop does with what objects name; otherwise it knows
 * nothing of it but what it reads. */
void watch(const char *group, const char *kind);

/* Let the first `count` of the caches see what is there by now. */
void world_caches_see(size_t count);

/* Only those of kinds that were given to watch(). */
void world_caches_see_kinds(void);

/* The caller's. */
struct prb_view *world_caches_view(int64_t now_ms);

#endif
