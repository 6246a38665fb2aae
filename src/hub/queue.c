/* What do the hub's controllers still have to look at? */

#include "queue.h"

#include "probate/base/mem.h"

void prb_hub_item_free(struct prb_hub_item *item)
{
    if (!item)
        return;
    free(item->key);
    free(item);
}

static void free_value(void *value)
{
    prb_hub_item_free(value);
}

void prb_hub_queue_init(struct prb_hub_queue *queue)
{
    *queue = (struct prb_hub_queue){ .queued = prb_map_new(NULL),
        .refused = prb_map_new(free_value) };
}

void prb_hub_queue_done(struct prb_hub_queue *queue)
{
    struct prb_hub_item *item;

    while ((item = prb_hub_queue_pop(queue)) != NULL)
        prb_hub_item_free(item);
    prb_map_free(queue->queued);
    prb_map_free(queue->refused);
}

static char *text_of(enum prb_hub_item_type type, const struct prb_hub_kind *kind, const char *key)
{
    return prb_asprintf(
            "%d %s.%s %s", (int)type, kind->resource.gvr.resource, kind->resource.gvr.group, key);
}

void prb_hub_queue_push(struct prb_hub_queue *queue, enum prb_hub_item_type type,
        struct prb_hub_kind *kind, const char *key)
{
    prb_autofree char *text = text_of(type, kind, key);
    struct prb_hub_item *item;

    if (prb_map_find(queue->queued, text))
        return;
    item = prb_calloc(1, sizeof(*item));
    *item = (struct prb_hub_item){ .type = type, .kind = kind, .key = prb_strdup(key) };
    prb_map_set(queue->queued, text, item);
    if (queue->tail)
        queue->tail->next = item;
    else
        queue->head = item;
    queue->tail = item;
}

struct prb_hub_item *prb_hub_queue_pop(struct prb_hub_queue *queue)
{
    struct prb_hub_item *item = queue->head;
    prb_autofree char *text = NULL;

    if (!item)
        return NULL;
    text = text_of(item->type, item->kind, item->key);
    (void)prb_map_take(queue->queued, text);
    queue->head = item->next;
    if (!queue->head)
        queue->tail = NULL;
    item->next = NULL;
    return item;
}

void prb_hub_queue_refuse(struct prb_hub_queue *queue, const struct prb_hub_item *item)
{
    prb_autofree char *text = text_of(item->type, item->kind, item->key);
    struct prb_hub_item *copy = prb_calloc(1, sizeof(*copy));

    *copy = (struct prb_hub_item){
        .type = item->type, .kind = item->kind, .key = prb_strdup(item->key)
    };
    prb_map_set(queue->refused, text, copy);
}

void prb_hub_queue_retry(struct prb_hub_queue *queue)
{
    size_t at = 0;
    const char *text;
    void *value;

    while (prb_map_next(queue->refused, &at, &text, &value)) {
        const struct prb_hub_item *item = value;

        prb_hub_queue_push(queue, item->type, item->kind, item->key);
    }
    prb_map_clear(queue->refused);
}
