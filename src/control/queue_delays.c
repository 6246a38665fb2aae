/* Which delayed key is due first? A binary heap whose entries know their place. */

#include <stdlib.h>

#include "probate/base/mem.h"

#include "queue_entry.h"

#define DELAYS_FIRST_CAP 16

void prb_delays_done(struct prb_delays *delays)
{
    free(delays->heap);
    *delays = (struct prb_delays){ 0 };
}

/* Places count from 1, so that the parent of i is i / 2. */
static struct prb_queue_entry *at(const struct prb_delays *delays, size_t place)
{
    return delays->heap[place - 1];
}

static void put(struct prb_delays *delays, size_t place, struct prb_queue_entry *entry)
{
    delays->heap[place - 1] = entry;
    entry->heap_place = place;
}

static void rise(struct prb_delays *delays, struct prb_queue_entry *entry)
{
    size_t place = entry->heap_place;

    while (place > 1 && at(delays, place / 2)->delayed_until_ms > entry->delayed_until_ms) {
        put(delays, place, at(delays, place / 2));
        place /= 2;
    }
    put(delays, place, entry);
}

static void sink(struct prb_delays *delays, struct prb_queue_entry *entry)
{
    size_t place = entry->heap_place;

    for (size_t child = place * 2; child <= delays->count; child = place * 2) {
        if (child < delays->count &&
                at(delays, child + 1)->delayed_until_ms < at(delays, child)->delayed_until_ms)
            child++;
        if (at(delays, child)->delayed_until_ms >= entry->delayed_until_ms)
            break;
        put(delays, place, at(delays, child));
        place = child;
    }
    put(delays, place, entry);
}

void prb_delays_add(struct prb_delays *delays, struct prb_queue_entry *entry, int64_t until_ms)
{
    if (entry->heap_place != 0) {
        if (until_ms < entry->delayed_until_ms) {
            entry->delayed_until_ms = until_ms;
            rise(delays, entry);
        }
        return;
    }

    if (delays->count == delays->cap) {
        delays->cap = delays->cap ? delays->cap * 2 : DELAYS_FIRST_CAP;
        delays->heap = prb_realloc(delays->heap, delays->cap, sizeof(struct prb_queue_entry *));
    }
    entry->delayed_until_ms = until_ms;
    put(delays, ++delays->count, entry);
    rise(delays, entry);
}

void prb_delays_remove(struct prb_delays *delays, struct prb_queue_entry *entry)
{
    size_t place = entry->heap_place;
    struct prb_queue_entry *last;

    if (place == 0)
        return;

    entry->heap_place = 0;
    last = at(delays, delays->count--);
    if (last == entry)
        return;

    /* The last one fills the gap; it may belong above or below it. */
    put(delays, place, last);
    rise(delays, last);
    sink(delays, last);
}

struct prb_queue_entry *prb_delays_first(const struct prb_delays *delays)
{
    return delays->count > 0 ? delays->heap[0] : NULL;
}
