#ifndef SRC_CONTROL_MEMORY_H
#define SRC_CONTROL_MEMORY_H

/*
 * What the last pass over each key left behind for the next one. Trees are handed over, never
 * shared: reference counts of json-c are not atomic. Bounded by the keys whose last pass left
 * something. Thread-safe.
 */

#include "probate/base/cleanup.h"
#include "probate/base/json.h"

struct prb_memory;

struct prb_memory *prb_memory_new(void);
void prb_memory_free(struct prb_memory *memory);
PRB_DEFINE_CLEANUP(struct prb_memory *, prb_memory_free)

/* The caller's from now on; NULL: nothing is remembered. */
struct json_object *prb_memory_take(struct prb_memory *memory, const char *key);

/* NULL: forget. */
void prb_memory_put(struct prb_memory *memory, const char *key, struct json_object *tree_taken);

void prb_memory_clear(struct prb_memory *memory);

#endif
