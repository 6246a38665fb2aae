/*
 * Which value belongs to this key? A table with open addressing. Removal leaves a mark and never
 * moves an entry, which is what makes removing while iterating safe; marks go at the next growth.
 */

#include "probate/base/map.h"

#include <stdint.h>
#include <string.h>

#include "probate/base/mem.h"

#include "hash.h"

/* Smallest table; a power of two like every size, so that a mask finds the slot. */
#define MAP_FIRST_CAP 8

struct slot {
    uint64_t hash;
    char *key; /* owned; NULL: never used; removed_mark: was used */
    void *value;
};

struct prb_map {
    struct slot *slots; /* owned; NULL until the first entry */
    size_t cap;
    size_t count;
    size_t used; /* entries and marks */
    prb_map_free_fn free_value;
};

static char removed_mark[] = "";

static bool is_live(const struct slot *slot)
{
    return slot->key && slot->key != removed_mark;
}

struct prb_map *prb_map_new(prb_map_free_fn free_value)
{
    struct prb_map *map = prb_calloc(1, sizeof(*map));

    map->free_value = free_value;
    return map;
}

void prb_map_free(struct prb_map *map)
{
    if (!map)
        return;
    prb_map_clear(map);
    free(map);
}

size_t prb_map_count(const struct prb_map *map)
{
    return map->count;
}

static void free_value(const struct prb_map *map, void *value)
{
    if (map->free_value && value)
        map->free_value(value);
}

void prb_map_clear(struct prb_map *map)
{
    for (size_t i = 0; i < map->cap; i++) {
        if (!is_live(&map->slots[i]))
            continue;
        free(map->slots[i].key);
        free_value(map, map->slots[i].value);
    }
    free(map->slots);
    map->slots = NULL;
    map->cap = map->count = map->used = 0;
}

/* The live slot of the key, or NULL. Ends because a quarter of the table is always empty. */
static struct slot *find_slot(const struct prb_map *map, const char *key, uint64_t hash)
{
    if (map->cap == 0)
        return NULL;
    for (size_t i = hash & (map->cap - 1);; i = (i + 1) & (map->cap - 1)) {
        struct slot *slot = &map->slots[i];

        if (!slot->key)
            return NULL;
        if (slot->hash == hash && is_live(slot) && strcmp(slot->key, key) == 0)
            return slot;
    }
}

/* The first slot of the hash's run that holds nothing. */
static struct slot *free_slot(const struct prb_map *map, uint64_t hash)
{
    size_t i = hash & (map->cap - 1);

    while (is_live(&map->slots[i]))
        i = (i + 1) & (map->cap - 1);
    return &map->slots[i];
}

/* A table at most half full of what is alive: also shrinks one that was mostly marks. */
static void rebuild(struct prb_map *map)
{
    struct slot *old = map->slots;
    size_t old_cap = map->cap;

    map->cap = MAP_FIRST_CAP;
    while (map->cap < (map->count + 1) * 2)
        map->cap *= 2;
    map->slots = prb_calloc(map->cap, sizeof(*map->slots));
    map->used = map->count;

    for (size_t i = 0; i < old_cap; i++) {
        if (is_live(&old[i]))
            *free_slot(map, old[i].hash) = old[i];
    }
    free(old);
}

void *prb_map_find(const struct prb_map *map, const char *key)
{
    const struct slot *slot = find_slot(map, key, prb_hash_string(key));

    return slot ? slot->value : NULL;
}

void prb_map_set(struct prb_map *map, const char *key, void *value)
{
    uint64_t hash = prb_hash_string(key);
    struct slot *slot = find_slot(map, key, hash);

    if (slot) {
        void *old = slot->value;

        slot->value = value;
        if (old != value)
            free_value(map, old);
        return;
    }

    if ((map->used + 1) * 4 > map->cap * 3)
        rebuild(map);
    slot = free_slot(map, hash);
    if (!slot->key)
        map->used++;
    *slot = (struct slot){ .hash = hash, .key = prb_strdup(key), .value = value };
    map->count++;
}

static bool unlink_key(struct prb_map *map, const char *key, void **ret_value)
{
    struct slot *slot = find_slot(map, key, prb_hash_string(key));

    if (!slot)
        return false;
    *ret_value = slot->value;
    free(slot->key);
    *slot = (struct slot){ .key = removed_mark };
    map->count--;
    return true;
}

void *prb_map_take(struct prb_map *map, const char *key)
{
    void *value = NULL;

    (void)unlink_key(map, key, &value);
    return value;
}

bool prb_map_remove(struct prb_map *map, const char *key)
{
    void *value = NULL;

    if (!unlink_key(map, key, &value))
        return false;
    free_value(map, value);
    return true;
}

bool prb_map_next(const struct prb_map *map, size_t *at, const char **ret_key, void **ret_value)
{
    while (*at < map->cap) {
        const struct slot *slot = &map->slots[(*at)++];

        if (is_live(slot)) {
            *ret_key = slot->key;
            *ret_value = slot->value;
            return true;
        }
    }
    return false;
}
