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

static void refusal_free(void *value)
{
    struct prb_hub_refusal *refusal = value;

    prb_hub_item_free(refusal->item);
    free(refusal);
}

void prb_hub_queue_init(struct prb_hub_queue *queue, int64_t min_ms, int64_t max_ms)
{
    *queue = (struct prb_hub_queue){ .queued = prb_map_new(NULL),
        .refused = prb_map_new(refusal_free),
        .min_ms = min_ms,
        .max_ms = max_ms };
}

static struct prb_hub_item *item_new(
        enum prb_hub_item_type type, struct prb_hub_kind *kind, const char *key)
{
    struct prb_hub_item *item = prb_calloc(1, sizeof(*item));

    *item = (struct prb_hub_item){ .type = type, .kind = kind, .key = prb_strdup(key) };
    return item;
}

static char *text_of(enum prb_hub_item_type type, const struct prb_hub_kind *kind, const char *key)
{
    return prb_asprintf(
            "%d %s.%s %s", (int)type, kind->resource.gvr.resource, kind->resource.gvr.group, key);
}

/* Does the item wait because it was refused? Then something happened to it. */
static bool touch(struct prb_hub_queue *queue, const char *text)
{
    struct prb_hub_refusal *refusal = prb_map_find(queue->refused, text);

    if (refusal)
        refusal->touched = true;
    return refusal;
}

void prb_hub_queue_push(struct prb_hub_queue *queue, enum prb_hub_item_type type,
        struct prb_hub_kind *kind, const char *key)
{
    prb_autofree char *text = text_of(type, kind, key);
    struct prb_hub_item *item;

    if (touch(queue, text) || prb_map_find(queue->queued, text))
        return;
    item = item_new(type, kind, key);
    prb_map_set(queue->queued, text, item);
    if (queue->tail)
        queue->tail->next = item;
    else
        queue->head = item;
    queue->tail = item;
}

static struct prb_hub_item *pop(struct prb_hub_queue *queue)
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

void prb_hub_queue_done(struct prb_hub_queue *queue)
{
    struct prb_hub_item *item;

    while ((item = pop(queue)) != NULL)
        prb_hub_item_free(item);
    prb_map_free(queue->queued);
    prb_map_free(queue->refused);
}

/* What was refused after it was queued waits too. */
struct prb_hub_item *prb_hub_queue_pop(struct prb_hub_queue *queue)
{
    for (;;) {
        prb_auto(prb_hub_item_free) struct prb_hub_item *item = pop(queue);
        prb_autofree char *text = item ? text_of(item->type, item->kind, item->key) : NULL;

        if (!item || !touch(queue, text))
            return prb_take(item);
    }
}

void prb_hub_queue_refuse(
        struct prb_hub_queue *queue, const struct prb_hub_item *item, int64_t now_ms)
{
    prb_autofree char *text = text_of(item->type, item->kind, item->key);
    struct prb_hub_refusal *refusal = prb_map_find(queue->refused, text);

    if (!refusal) {
        refusal = prb_calloc(1, sizeof(*refusal));
        refusal->item = item_new(item->type, item->kind, item->key);
        refusal->pause_ms = queue->min_ms;
        prb_map_set(queue->refused, text, refusal);
    } else if (!refusal->again) {
        refusal->pause_ms =
                refusal->pause_ms < queue->max_ms / 2 ? 2 * refusal->pause_ms : queue->max_ms;
    }
    refusal->again = true;
    refusal->due_ms = now_ms + refusal->pause_ms;
}

struct prb_hub_refusal *prb_hub_queue_first(const struct prb_hub_queue *queue)
{
    struct prb_hub_refusal *first = NULL;
    size_t at = 0;
    const char *text;
    void *value;

    while (prb_map_next(queue->refused, &at, &text, &value)) {
        struct prb_hub_refusal *refusal = value;

        if (!first || refusal->due_ms < first->due_ms)
            first = refusal;
    }
    return first;
}

void prb_hub_queue_look(struct prb_hub_refusal *refusal)
{
    refusal->again = refusal->touched = false;
}

void prb_hub_queue_looked(struct prb_hub_queue *queue, struct prb_hub_refusal *refusal)
{
    const struct prb_hub_item *item = refusal->item;
    prb_autofree char *text = text_of(item->type, item->kind, item->key);

    if (refusal->again)
        return;
    (void)prb_map_take(queue->refused, text);
    if (refusal->touched)
        prb_hub_queue_push(queue, item->type, item->kind, item->key);
    refusal_free(refusal);
}
