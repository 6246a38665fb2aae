/* What does a reconciler want done, in which order, and when does it want to look again? */

#include "probate/core/changes.h"

#include "probate/base/mem.h"
#include "probate/model/defect.h"

#include "changes_internal.h"

bool prb_change_type_writes(enum prb_change_type type)
{
    switch (type) {
    case PRB_CHANGE_CREATE:
    case PRB_CHANGE_UPDATE:
    case PRB_CHANGE_MERGE_PATCH:
    case PRB_CHANGE_JSON_PATCH:
    case PRB_CHANGE_APPLY:
    case PRB_CHANGE_DELETE:
        return true;
    case PRB_CHANGE_EXPECT_ABSENT:
    case PRB_CHANGE_EXPECT_NONE:
    case PRB_CHANGE_READ:
    case PRB_CHANGE_RESOLVE:
    case PRB_CHANGE_EVENT:
        break;
    }
    return false;
}

void prb_changes_init(struct prb_changes *changes)
{
    *changes = (struct prb_changes){ .count = 0 };
}

static void change_done(struct prb_change *change)
{
    prb_json_free(change->body);
    free(change->uid);
    free(change->resource_version);
    free(change->note);
    free(change->own_reason);
    free(change->api_version);
    free(change->kind);
    free(change->slot);
    free(change->field_manager);
}

void prb_changes_done(struct prb_changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        change_done(&changes->items[i]);
    free(changes->items);
    free(changes->waits_for);
    prb_json_free(changes->memory);
    prb_changes_init(changes);
}

struct prb_change *prb_changes_append(struct prb_changes *changes, enum prb_change_type type,
        const struct prb_ref *ref, const char *why)
{
    struct prb_change *change;

    if (changes->count == changes->cap) {
        changes->cap = changes->cap ? changes->cap * 2 : 4;
        changes->items = prb_realloc(changes->items, changes->cap, sizeof(*changes->items));
    }
    change = &changes->items[changes->count++];
    *change = (struct prb_change){ .type = type, .ref = *ref, .why = why };
    return change;
}

void prb_changes_move(struct prb_changes *to, struct prb_changes *from)
{
    for (size_t i = 0; i < from->count; i++) {
        struct prb_change *moved =
                prb_changes_append(to, from->items[i].type, &from->items[i].ref, NULL);

        *moved = from->items[i];
    }
    if (from->again_after_ms > 0)
        prb_changes_again(to, from->again_after_ms);
    if (from->retry_max_ms > 0)
        prb_changes_retry(to, from->retry_min_ms, from->retry_max_ms);
    if (from->go_on)
        prb_changes_go_on(to);
    if (from->remembers)
        prb_changes_remember(to, prb_take(from->memory));
    from->count = 0;
    prb_changes_done(from);
}

void prb_changes_again(struct prb_changes *changes, int64_t ms)
{
    /* "At once" is not "never". */
    if (ms < 1)
        ms = 1;
    if (changes->again_after_ms == 0 || ms < changes->again_after_ms)
        changes->again_after_ms = ms;
}

void prb_changes_go_on(struct prb_changes *changes)
{
    changes->go_on = true;
}

void prb_changes_retry(struct prb_changes *changes, int64_t min_ms, int64_t max_ms)
{
    if (min_ms < 1 || max_ms < min_ms)
        prb_defect("a retry without a time");
    if (changes->retry_max_ms == 0 || min_ms < changes->retry_min_ms)
        changes->retry_min_ms = min_ms;
    if (changes->retry_max_ms == 0 || max_ms < changes->retry_max_ms)
        changes->retry_max_ms = max_ms;
}

void prb_changes_remember(struct prb_changes *changes, struct json_object *memory_taken)
{
    prb_json_free(changes->memory);
    changes->memory = memory_taken;
    changes->remembers = true;
}
