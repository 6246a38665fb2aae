/* Which entry has to go when a bounded map is full? A ring in the order of the last look. */

#include "lru.h"

#include <stdlib.h>

#include "probate/base/mem.h"

struct node {
    struct node *older, *newer; /* borrowed; a ring through lru->ends */
    char *key;                  /* owned */
    void *value;                /* owned */
};

struct prb_lru {
    size_t max;
    prb_map_free_fn free_value;
    struct prb_map *nodes; /* owned: key -> struct node, freed by hand */
    struct node ends;      /* .newer: the oldest node, .older: the newest */
};

struct prb_lru *prb_lru_new(size_t max, prb_map_free_fn free_value)
{
    struct prb_lru *lru = prb_calloc(1, sizeof(*lru));

    lru->max = max;
    lru->free_value = free_value;
    lru->nodes = prb_map_new(NULL);
    lru->ends.older = lru->ends.newer = &lru->ends;
    return lru;
}

static void unhook(struct node *node)
{
    node->older->newer = node->newer;
    node->newer->older = node->older;
}

static void hook_as_newest(struct prb_lru *lru, struct node *node)
{
    node->newer = &lru->ends;
    node->older = lru->ends.older;
    node->older->newer = node;
    lru->ends.older = node;
}

static void node_free(const struct prb_lru *lru, struct node *node)
{
    if (lru->free_value && node->value)
        lru->free_value(node->value);
    free(node->key);
    free(node);
}

static void drop(struct prb_lru *lru, struct node *node)
{
    unhook(node);
    (void)prb_map_remove(lru->nodes, node->key);
    node_free(lru, node);
}

void prb_lru_free(struct prb_lru *lru)
{
    struct node *next;

    if (!lru)
        return;
    for (struct node *node = lru->ends.newer; node != &lru->ends; node = next) {
        next = node->newer;
        node_free(lru, node);
    }
    prb_map_free(lru->nodes);
    free(lru);
}

void *prb_lru_find(struct prb_lru *lru, const char *key)
{
    struct node *node = prb_map_find(lru->nodes, key);

    if (!node)
        return NULL;
    unhook(node);
    hook_as_newest(lru, node);
    return node->value;
}

void prb_lru_set(struct prb_lru *lru, const char *key, void *value)
{
    struct node *node = prb_map_find(lru->nodes, key);

    if (node)
        drop(lru, node);
    else if (prb_map_count(lru->nodes) == lru->max)
        drop(lru, lru->ends.newer);

    node = prb_calloc(1, sizeof(*node));
    node->key = prb_strdup(key);
    node->value = value;
    prb_map_set(lru->nodes, key, node);
    hook_as_newest(lru, node);
}

size_t prb_lru_count(const struct prb_lru *lru)
{
    return prb_map_count(lru->nodes);
}
