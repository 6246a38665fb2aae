#ifndef PROBATE_BASE_MAP_H
#define PROBATE_BASE_MAP_H

/*
 * A hash map from strings to pointers. Keys are copied. Iteration follows no order a caller may
 * rely on (sort where output must be stable). Not thread-safe; callers lock.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/cleanup.h"

struct prb_map;

typedef void (*prb_map_free_fn)(void *value);

/* `free_value` (may be NULL) is called for values replaced, removed or left at prb_map_free. */
struct prb_map *prb_map_new(prb_map_free_fn free_value);
void prb_map_free(struct prb_map *map);
PRB_DEFINE_CLEANUP(struct prb_map *, prb_map_free)

size_t prb_map_count(const struct prb_map *map);

/* Borrowed value or NULL. */
void *prb_map_find(const struct prb_map *map, const char *key);

/* Put `value`, freeing the one it replaces. */
void prb_map_set(struct prb_map *map, const char *key, void *value);

/* Remove and hand the value to the caller; NULL when absent. */
void *prb_map_take(struct prb_map *map, const char *key);

/* Remove and free; false when absent. */
bool prb_map_remove(struct prb_map *map, const char *key);

void prb_map_clear(struct prb_map *map);

/*
 * Iterate:  size_t at = 0; const char *key; void *value;
 *           while (prb_map_next(map, &at, &key, &value)) ...
 * Removing the entry just returned is allowed, any other change is not.
 */
bool prb_map_next(const struct prb_map *map, size_t *at, const char **ret_key, void **ret_value);

#endif
