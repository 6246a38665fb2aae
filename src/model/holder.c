/* Which objects stand in the way, and how is a person told of them? */

#include "probate/model/holder.h"

#include <stdint.h>
#include <string.h>

#include "probate/base/clock.h"

/* Being deleted, and nobody can read since when. */
#define AT_SOME_TIME INT64_MAX

static bool holder_of(const struct prb_object *object, struct prb_holder *ret)
{
    *ret = (struct prb_holder){ .deleted_at_ms = prb_object_deleted_at_ms(object) };
    if (ret->deleted_at_ms == 0 && prb_object_is_deleting(object))
        ret->deleted_at_ms = AT_SOME_TIME;
    return prb_copy(ret->namespace, sizeof(ret->namespace), prb_object_namespace(object)) &&
           prb_copy(ret->name, sizeof(ret->name), prb_object_name(object));
}

/* Longest deleting first: that is where something is stuck. */
static int compare(const struct prb_holder *a, const struct prb_holder *b)
{
    int by_namespace = strcmp(a->namespace, b->namespace);

    if ((a->deleted_at_ms == 0) != (b->deleted_at_ms == 0))
        return a->deleted_at_ms == 0 ? 1 : -1;
    if (a->deleted_at_ms != b->deleted_at_ms)
        return a->deleted_at_ms < b->deleted_at_ms ? -1 : 1;
    return by_namespace ? by_namespace : strcmp(a->name, b->name);
}

void prb_holders_add(struct prb_holders *holders, const struct prb_object *object)
{
    struct prb_holder added;
    size_t at = 0;

    if (!holder_of(object, &added)) {
        holders->more = true;
        return;
    }
    while (at < holders->count && compare(&holders->items[at], &added) <= 0)
        at++;
    if (holders->count == PRB_HOLDERS_MAX)
        holders->more = true;
    if (at == PRB_HOLDERS_MAX)
        return;
    if (holders->count < PRB_HOLDERS_MAX)
        holders->count++;
    memmove(&holders->items[at + 1], &holders->items[at],
            (holders->count - at - 1) * sizeof(holders->items[0]));
    holders->items[at] = added;
}

static void holder_text(const struct prb_holder *holder, int64_t now_ms, struct prb_str *out)
{
    char age[PRB_TIME_SIZE];

    prb_str_addf(out, "%s%s%s", holder->namespace, holder->namespace[0] ? "/" : "", holder->name);
    if (holder->deleted_at_ms == 0) {
        prb_str_add(out, " (not being deleted)");
    } else if (holder->deleted_at_ms > now_ms) {
        /* Unreadable, or clocks that disagree by a little. */
        prb_str_add(out, " (being deleted)");
    } else {
        prb_duration_format(now_ms - holder->deleted_at_ms, age);
        prb_str_addf(out, " (being deleted for %s)", age);
    }
}

void prb_holders_text(const struct prb_holders *holders, int64_t now_ms, struct prb_str *out)
{
    for (size_t i = 0; i < holders->count; i++) {
        if (i > 0)
            prb_str_add(out, ", ");
        holder_text(&holders->items[i], now_ms, out);
    }
    if (holders->more)
        prb_str_add(out, holders->count > 0 ? " and more" : "some");
}
