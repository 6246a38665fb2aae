/* Is anything out of order? */

#include "order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/wait.h"

/* What goes together has the same. */
static int rank_of(enum sort sort)
{
    switch (sort) {
    case MONITORED:
        return 0;
    case ADDON:
        return 1;
    case WORK:
        return 2;
    case ROLEBINDING:
    case ROLE:
    case ROLE_BINDING:
        return 3;
    case NAMESPACE:
        return 4;
    case CLUSTER:
    case SORTS:
        break;
    }
    return 5;
}

static bool has_happened(const struct instant *instant)
{
    return instant->by > 0;
}

/* Can it not have been otherwise than that `a` came after `b`? */
static bool is_after(const struct instant *a, const struct instant *b)
{
    return has_happened(b) && (!has_happened(a) || a->after >= b->by);
}

static bool is_by_others(const struct trace *trace)
{
    return trace->newest && prb_object_label(trace->newest, BY_OTHERS);
}

static bool is_work_binding(const struct trace *trace)
{
    const char *end = strrchr(trace->ref.name, ':');

    return trace->sort == ROLEBINDING && end && prb_streq(end, ":work");
}

/* The moment of `then` before which `first` has to be gone; NULL: any time will do. */
static const struct instant *limit_of(const struct trace *then)
{
    if (then->sort == CLUSTER)
        return &then->gone;
    if (!is_by_others(then))
        return &then->begun;
    return is_work_binding(then) ? &then->gone : NULL;
}

static bool stays(const struct trace *trace, unsigned flags)
{
    return trace->sort == NAMESPACE && flags & ORDER_KEPT;
}

static bool is_free(const struct trace *first, const struct trace *then, unsigned flags)
{
    return rank_of(first->sort) >= rank_of(then->sort) || stays(first, flags) ||
           (then->sort == CLUSTER && flags & ORDER_STRIPPED);
}

static bool check_pair(
        const struct trace *first, const struct trace *then, unsigned flags, char *why, size_t size)
{
    const struct instant *limit = limit_of(then);

    /* What came only then was not there to be waited for. */
    if (!limit || is_free(first, then, flags) || is_after(&first->made, limit) ||
            !is_after(&first->gone, limit))
        return true;
    (void)snprintf(why, size,
            "%s %.100s went at %lld, after the %s of %s %.100s at %lld (between %lld and it)",
            sort_name(first->sort), first->ref.name, (long long)first->gone.by,
            limit == &then->gone ? "end" : "deletion", sort_name(then->sort), then->ref.name,
            (long long)limit->by, (long long)limit->after);
    return false;
}

void order_check(
        const struct trace *const *traces, size_t count, unsigned flags, char *why, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        if (!has_happened(&traces[i]->gone) && !stays(traces[i], flags)) {
            (void)snprintf(why, size, "%s %.100s is not gone", sort_name(traces[i]->sort),
                    traces[i]->ref.name);
            return;
        }
        if (stays(traces[i], flags) && has_happened(&traces[i]->begun)) {
            (void)snprintf(why, size, "the namespace that is to be kept is deleted");
            return;
        }
        if (traces[i]->marks > 1) {
            (void)snprintf(why, size, "the namespace was marked %u times", traces[i]->marks);
            return;
        }
        for (size_t j = 0; j < count; j++) {
            if (!check_pair(traces[i], traces[j], flags, why, size))
                return;
        }
    }
}

/* Copies, so that no lock is held; newest is borrowed, and lives as long as the recording. */
struct collected {
    struct trace **items; /* owned, each too */
    size_t count;
};

static void collected_donep(struct collected *collected)
{
    for (size_t i = 0; i < collected->count; i++) {
        prb_object_unref(collected->items[i]->newest);
        free(collected->items[i]);
    }
    free(collected->items);
}

static void collect(void *ctx, const struct trace *trace)
{
    struct collected *collected = ctx;
    struct trace *copy = prb_calloc(1, sizeof(*copy));

    *copy = *trace;
    copy->newest = prb_object_ref(trace->newest);
    collected->items = prb_realloc(collected->items, collected->count + 1, sizeof(struct trace *));
    collected->items[collected->count++] = copy;
}

struct hope {
    struct recording *recording;
    const char *cluster;
    unsigned flags;
    char left[PRB_NAME_SIZE + 64]; /* "": nothing is */
    bool has_cluster;
};

static void look_for_left(void *ctx, const struct trace *trace)
{
    struct hope *hope = ctx;

    hope->has_cluster = hope->has_cluster || trace->sort == CLUSTER;
    if (!has_happened(&trace->gone) && !stays(trace, hope->flags))
        (void)snprintf(hope->left, sizeof(hope->left), "%s %s%s", sort_name(trace->sort),
                trace->ref.name, prb_object_is_deleting(trace->newest) ? ", being deleted" : "");
}

static bool is_over(void *ctx)
{
    struct hope *hope = ctx;

    hope->left[0] = '\0';
    hope->has_cluster = false;
    recording_each(hope->recording, hope->cluster, look_for_left, hope);
    if ((hope->has_cluster || hope->flags & ORDER_STRIPPED) && hope->left[0] == '\0')
        return true;
    return prb_test_saw("%s", hope->has_cluster ? hope->left : "nothing was ever seen of it");
}

bool order_await_end(struct recording *recording, const char *cluster, unsigned flags,
        int patience_ms, char *why, size_t size)
{
    struct hope hope = { .recording = recording, .cluster = cluster, .flags = flags };
    char what[PRB_NAME_SIZE + 64];

    (void)snprintf(what, sizeof(what), "nothing is left of cluster %s", cluster);
    if (prb_test_await(what, is_over, &hope, patience_ms))
        return true;
    (void)snprintf(why, size, "%s", prb_test_awaited());
    return false;
}

void order_await(struct recording *recording, const char *cluster, unsigned flags, int patience_ms,
        char *why, size_t size)
{
    prb_auto(collected_done) struct collected all = { .count = 0 };

    if (!order_await_end(recording, cluster, flags, patience_ms, why, size))
        return;
    recording_each(recording, cluster, collect, &all);
    order_check((const struct trace *const *)all.items, all.count, flags, why, size);
}
