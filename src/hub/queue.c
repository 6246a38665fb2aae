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

/* An item that a thread works on. */
struct prb_hub_busy {
    bool touched; /* something happened to it since that began */
};

static void refusal_free(void *value)
{
    struct prb_hub_refusal *refusal = value;

    prb_hub_item_free(refusal->item);
    free(refusal);
}

static struct prb_hub_items list_new(void)
{
    return (struct prb_hub_items){ .queued = prb_map_new(NULL) };
}

void prb_hub_queue_init(struct prb_hub_queue *queue, int64_t min_ms, int64_t max_ms)
{
    *queue = (struct prb_hub_queue){ .list = list_new(),
        .busy = prb_map_new(free),
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

/* Does the item wait because it was refused, or does a thread work on it? Then that thread, or the
 * one that tries again, is told that something happened to it. */
static bool touch(struct prb_hub_queue *queue, const char *text)
{
    struct prb_hub_refusal *refusal = prb_map_find(queue->refused, text);
    struct prb_hub_busy *busy = prb_map_find(queue->busy, text);

    if (refusal)
        refusal->touched = true;
    else if (busy)
        busy->touched = true;
    return refusal || busy;
}

/* At the end of a list, unless it is in it. */
static void append(struct prb_hub_items *list, const char *text, struct prb_hub_item *item_taken)
{
    if (prb_map_find(list->queued, text)) {
        prb_hub_item_free(item_taken);
        return;
    }
    prb_map_set(list->queued, text, item_taken);
    if (list->tail)
        list->tail->next = item_taken;
    else
        list->head = item_taken;
    list->tail = item_taken;
}

void prb_hub_queue_push(struct prb_hub_queue *queue, enum prb_hub_item_type type,
        struct prb_hub_kind *kind, const char *key)
{
    prb_autofree char *text = text_of(type, kind, key);

    if (!touch(queue, text))
        append(&queue->list, text, item_new(type, kind, key));
}

static struct prb_hub_item *pop(struct prb_hub_items *list)
{
    struct prb_hub_item *item = list->head;
    prb_autofree char *text = NULL;

    if (!item)
        return NULL;
    text = text_of(item->type, item->kind, item->key);
    (void)prb_map_take(list->queued, text);
    list->head = item->next;
    if (!list->head)
        list->tail = NULL;
    item->next = NULL;
    return item;
}

static void list_done(struct prb_hub_items *list)
{
    struct prb_hub_item *item;

    while ((item = pop(list)) != NULL)
        prb_hub_item_free(item);
    prb_map_free(list->queued);
}

void prb_hub_queue_done(struct prb_hub_queue *queue)
{
    list_done(&queue->list);
    prb_map_free(queue->busy);
    prb_map_free(queue->refused);
}

/* An item that was refused after it was queued waits, and so does one that another thread works on.
 */
struct prb_hub_item *prb_hub_queue_pop(struct prb_hub_queue *queue)
{
    for (;;) {
        prb_auto(prb_hub_item_free) struct prb_hub_item *item = pop(&queue->list);
        prb_autofree char *text = item ? text_of(item->type, item->kind, item->key) : NULL;

        if (!item)
            return NULL;
        if (touch(queue, text))
            continue;
        prb_map_set(queue->busy, text, prb_calloc(1, sizeof(struct prb_hub_busy)));
        return prb_take(item);
    }
}

void prb_hub_queue_worked(struct prb_hub_queue *queue, const struct prb_hub_item *item)
{
    prb_autofree char *text = text_of(item->type, item->kind, item->key);
    prb_autofree struct prb_hub_busy *busy = prb_map_take(queue->busy, text);

    if (busy && busy->touched)
        prb_hub_queue_push(queue, item->type, item->kind, item->key);
}

struct prb_hub_items prb_hub_queue_set_aside(struct prb_hub_queue *queue)
{
    struct prb_hub_items list = queue->list;

    queue->list = list_new();
    return list;
}

/* Items that another thread could not finish are taken along. */
void prb_hub_queue_take_up(struct prb_hub_queue *queue, struct prb_hub_items list_taken)
{
    struct prb_hub_items left = queue->list;
    struct prb_hub_item *item;

    queue->list = list_taken;
    while ((item = pop(&left)) != NULL) {
        prb_autofree char *text = text_of(item->type, item->kind, item->key);

        append(&queue->list, text, item);
    }
    list_done(&left);
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
