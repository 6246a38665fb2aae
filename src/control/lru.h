#ifndef SRC_CONTROL_LRU_H
#define SRC_CONTROL_LRU_H

/*
 * A map with a ceiling: past it, the entry that was not looked at for the longest time goes. Keys
 * are copied. Not thread-safe; callers lock.
 */

#include <stddef.h>

#include "probate/base/cleanup.h"
#include "probate/base/map.h"

struct prb_lru;

struct prb_lru *prb_lru_new(size_t max, prb_map_free_fn free_value);
void prb_lru_free(struct prb_lru *lru);
PRB_DEFINE_CLEANUP(struct prb_lru *, prb_lru_free)

/* Borrowed value or NULL; counts as a look. */
void *prb_lru_find(struct prb_lru *lru, const char *key);

/* Put `value`, freeing the one it replaces, and the one that has to go for it. */
void prb_lru_set(struct prb_lru *lru, const char *key, void *value);

size_t prb_lru_count(const struct prb_lru *lru);

#endif
