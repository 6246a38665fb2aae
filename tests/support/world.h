#ifndef TESTS_SUPPORT_WORLD_H
#define TESTS_SUPPORT_WORLD_H

/*
 * A small cluster from text: YAML documents in, stores and a view out. For tests of pure code.
 * Whatever is wrong with the text is a defect of the test and ends it with a message.
 */

#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/model/store.h"
#include "probate/model/view.h"

struct prb_world;

/* A synced store for each kind in `yaml` ("" is an empty world). The plural is guessed from kind.
 */
struct prb_world *prb_world_new(const char *yaml);
void prb_world_free(struct prb_world *world);
PRB_DEFINE_CLEANUP(struct prb_world *, prb_world_free)

/* More objects; those of the same name are replaced. */
void prb_world_add(struct prb_world *world, const char *yaml);

/*
 * The store of a collection ("manifestworks.v1.work.open-cluster-management.io"), made when there
 * is none: not synced, as one whose kind is not served. Borrowed.
 */
struct prb_store *prb_world_store(struct prb_world *world, const char *gvr);

/* The same, synced: all of its objects are known, be there none. */
struct prb_store *prb_world_serve(struct prb_world *world, const char *gvr);

/* Its collections, one by one, in the order they came; NULL: no more. Borrowed. */
struct prb_store *prb_world_store_at(struct prb_world *world, size_t index);

/* The plural that is guessed for a kind or a singular, in any case; the caller's. */
char *prb_world_plural(const char *kind);

/* A view on all of its stores at this instant. Close it before the world changes or goes. */
struct prb_view *prb_world_view(struct prb_world *world, int64_t now_ms);

/* A ref from its text form ("namespaces.v1.//c1"). */
struct prb_ref prb_world_ref(const char *text);

#endif
