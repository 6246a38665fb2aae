/* What did the last pass over a key leave behind? */

#include "memory.h"

#include <pthread.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"

struct prb_memory {
    pthread_mutex_t lock;
    struct prb_map *trees; /* owned: key -> struct json_object; under the lock */
};

static void tree_free(void *value)
{
    prb_json_free(value);
}

struct prb_memory *prb_memory_new(void)
{
    struct prb_memory *memory = prb_calloc(1, sizeof(*memory));

    (void)pthread_mutex_init(&memory->lock, NULL);
    memory->trees = prb_map_new(tree_free);
    return memory;
}

void prb_memory_free(struct prb_memory *memory)
{
    if (!memory)
        return;
    prb_map_free(memory->trees);
    (void)pthread_mutex_destroy(&memory->lock);
    free(memory);
}

struct json_object *prb_memory_take(struct prb_memory *memory, const char *key)
{
    struct json_object *tree;

    (void)pthread_mutex_lock(&memory->lock);
    tree = prb_map_take(memory->trees, key);
    (void)pthread_mutex_unlock(&memory->lock);
    return tree;
}

void prb_memory_put(struct prb_memory *memory, const char *key, struct json_object *tree_taken)
{
    (void)pthread_mutex_lock(&memory->lock);
    if (tree_taken)
        prb_map_set(memory->trees, key, tree_taken);
    else
        (void)prb_map_remove(memory->trees, key);
    (void)pthread_mutex_unlock(&memory->lock);
}

void prb_memory_clear(struct prb_memory *memory)
{
    (void)pthread_mutex_lock(&memory->lock);
    prb_map_clear(memory->trees);
    (void)pthread_mutex_unlock(&memory->lock);
}
