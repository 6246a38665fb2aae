/*
 * How does a live work come to the cluster?
 *
 * Looks at:  the work, its AppliedManifestWork, what its manifests name (cached metadata, and live
 *            where that is not enough)
 * Writes:    finalizers, the AppliedManifestWork and its status, the objects of the manifests in
 *            order of rank, the status of the work
 *
 * What is created is recorded before, so that nothing is ever there that nobody would remove; and
 * each manifest stands for itself: what one meets holds up no other.
 */

#include "work_apply.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#define SLOT_APPLIED "status:applied"
#define SLOT_WORK "status:work"

/* In what is remembered: the last pass has lost races, and told nothing of it. */
#define MEMORY_RACED "raced"

/* Bytes of a text about one manifest: a server's own words, cut where they get long. 500 of them
 * have to fit into a status beside a work of 500 KiB. */
#define TROUBLE_MAX 512

void prb_item_fail(struct prb_item *item, bool again, const char *fmt, ...)
{
    prb_auto(prb_str_done) struct prb_str text;
    va_list args;

    prb_str_init(&text, TROUBLE_MAX);
    va_start(args, fmt);
    prb_str_vaddf(&text, fmt, args);
    va_end(args);
    free(item->trouble);
    item->trouble = prb_str_take(&text);
    item->state = PRB_ITEM_FAILED;
    item->again = again;
}

/* The cache may not have yet what this pass has written; the last of these is the newest. Who takes
 * away what is left must see that too: what was just recorded is not to be deleted. */
static void see_applied(struct prb_pass *pass)
{
    static const char *const slots[] = { PRB_SLOT_AHEAD, PRB_SLOT_AHEAD_NEW, SLOT_APPLIED };

    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
        const struct prb_outcome *outcome = prb_view_outcome(pass->pair->view, slots[i]);

        if (outcome && outcome->object && pass->applied &&
                prb_streq(prb_object_uid(outcome->object), prb_object_uid(pass->applied)))
            pass->applied = outcome->object;
    }
    pass->pair->applied = pass->applied;
}

static void begin(struct prb_pass *pass, struct prb_pair *pair)
{
    *pass = (struct prb_pass){ .pair = pair, .applied = pair->applied };
    prb_manifest_work_read(pair->work, &pass->work);
    pass->count = pass->work.count;
    pass->items = prb_calloc(pass->count + 1, sizeof(*pass->items));
    pass->by_object = prb_map_new(NULL);
    for (size_t i = 0; i < pass->count; i++) {
        pass->items[i].manifest = &pass->work.manifests[i];
        prb_changes_init(&pass->items[i].asks);
    }
    see_applied(pass);
}

static void pass_donep(struct prb_pass *pass)
{
    for (size_t i = 0; i < pass->count; i++) {
        prb_json_free(pass->items[i].body);
        prb_changes_done(&pass->items[i].asks);
        free(pass->items[i].trouble);
    }
    prb_map_free(pass->by_object);
    free(pass->items);
    prb_manifest_work_done(&pass->work);
}

static size_t count_in(const struct prb_pass *pass, enum prb_item_state state)
{
    size_t count = 0;

    for (size_t i = 0; i < pass->count; i++)
        count += pass->items[i].state == state;
    return count;
}

/* All reads before any write: the order of the writes is that of the ranks. */
static bool ask(struct prb_pass *pass, enum prb_item_state state)
{
    if (count_in(pass, state) == 0)
        return false;
    for (size_t i = 0; i < pass->count; i++) {
        if (pass->items[i].state == state)
            prb_changes_move(pass->pair->out, &pass->items[i].asks);
    }
    prb_changes_go_on(pass->pair->out);
    return true;
}

/* Read, record, write. True: this round has something to do. */
static bool bring(struct prb_pass *pass)
{
    enum prb_ahead ahead;

    for (size_t i = 0; i < pass->count; i++)
        prb_apply_settle(pass, &pass->items[i]);
    if (count_in(pass, PRB_ITEM_READS) + count_in(pass, PRB_ITEM_WRITES) == 0)
        return false;
    if (count_in(pass, PRB_ITEM_READS) == 0 && prb_apply_confirm(pass))
        return true;
    ahead = prb_apply_record_ahead(pass);
    if (ahead == PRB_AHEAD_CONFLICT) {
        prb_changes_retry(pass->pair->out, PRB_WORK_RETRY_MIN_MS, PRB_WORK_RETRY_MAX_MS);
        return true;
    }
    if (ask(pass, PRB_ITEM_READS))
        return true;
    if (ahead == PRB_AHEAD_ASKED)
        prb_changes_go_on(pass->pair->out);
    return ahead == PRB_AHEAD_ASKED || ask(pass, PRB_ITEM_WRITES);
}

/* Take away what no manifest stands for any more. True: this round has something to do for it. */
static bool clear(struct prb_pass *pass, struct prb_removals *ret)
{
    size_t count;
    prb_autofree struct prb_applied_entry *stale = prb_apply_stale(pass, &count);

    prb_work_remove(pass->pair, stale, count, &pass->work, ret);
    for (size_t i = 0; i < ret->count; i++) {
        if (ret->items[i].state == PRB_REMOVAL_ASKED) {
            prb_changes_go_on(pass->pair->out);
            return true;
        }
    }
    return false;
}

/* Once in a pass: a cache that is behind would have us say it again. */
static bool tell_one(struct prb_pass *pass, const char *slot, const struct prb_ref *ref,
        const struct prb_object *seen, struct json_object *patch_taken)
{
    prb_auto(prb_json_free) struct json_object *patch = patch_taken;

    if (!patch || prb_view_outcome(pass->pair->view, slot))
        return false;
    prb_changes_merge_patch(pass->pair->out, ref, prb_take(patch), "status",
            prb_object_resource_version(seen), "what became of the manifests");
    prb_changes_set_slot(pass->pair->out, slot);
    prb_changes_go_on(pass->pair->out);
    return true;
}

/* Has nothing gone wrong but races? */
static bool is_only_raced(const struct prb_pass *pass)
{
    size_t raced = 0;

    for (size_t i = 0; i < pass->count; i++)
        raced += pass->items[i].state == PRB_ITEM_FAILED && pass->items[i].raced;
    return raced > 0 && raced == count_in(pass, PRB_ITEM_FAILED);
}

/* The next try follows within a second: until then what is told holds, and a person need not be
 * alarmed. Unless it is lost, too: then somebody writes without end. */
static bool may_be_over_soon(const struct prb_pass *pass)
{
    bool raced_before = false;

    (void)prb_json_bool(prb_view_memory(pass->pair->view), MEMORY_RACED, &raced_before);
    return !raced_before && is_only_raced(pass);
}

static bool tell(struct prb_pass *pass, const struct prb_removals *removals)
{
    struct prb_pair *pair = pass->pair;
    bool applied = tell_one(pass, SLOT_APPLIED, &pair->applied_ref, pass->applied,
            prb_apply_new_record(pass, removals));
    bool work = !may_be_over_soon(pass) &&
                tell_one(pass, SLOT_WORK, &pair->work_ref, pair->work, prb_work_status(pass));

    return applied || work;
}

static bool has_failed(const struct prb_pass *pass, const char *slot)
{
    const struct prb_outcome *outcome = prb_view_outcome(pass->pair->view, slot);

    return outcome && outcome->code != PRB_OK;
}

/* Is there anything that trying again may help? */
static bool should_retry(const struct prb_pass *pass, const struct prb_removals *removals)
{
    for (size_t i = 0; i < pass->count; i++) {
        if (pass->items[i].state == PRB_ITEM_FAILED && pass->items[i].again)
            return true;
    }
    for (size_t i = 0; i < removals->count; i++) {
        if (removals->items[i].state == PRB_REMOVAL_FAILED)
            return true;
    }
    return has_failed(pass, SLOT_APPLIED) || has_failed(pass, SLOT_WORK);
}

int64_t prb_apply_resync_ms(const struct prb_pass *pass)
{
    const int preset = PRB_WORK_RESYNC_MS;

    return pass->pair->settings->resync_ms > 0 ? pass->pair->settings->resync_ms : preset;
}

/* Not all at once: each at its own time, and always the same. */
static int64_t next_look_ms(const struct prb_pass *pass)
{
    int64_t base = prb_apply_resync_ms(pass);
    uint32_t hash = 5381;

    for (const char *at = pass->pair->applied_ref.name; *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    return base + hash % (base / 2 + 1);
}

static void wait_for(struct prb_pass *pass, const struct prb_removals *removals)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    if (count_in(pass, PRB_ITEM_FAILED) > 0)
        prb_work_status_text(pass, &text);
    for (size_t i = 0; i < removals->count; i++) {
        if (removals->items[i].state == PRB_REMOVAL_DONE)
            continue;
        prb_str_add(&text, text.len > 0 ? "; " : "");
        prb_removals_describe(removals, removals->count, &text);
        break;
    }
    if (text.len > 0)
        prb_changes_wait(pass->pair->out, "%s", prb_str_get(&text));
}

static void end(struct prb_pass *pass, const struct prb_removals *removals)
{
    struct prb_changes *out = pass->pair->out;
    struct json_object *memory = prb_apply_memory(pass);

    if (is_only_raced(pass))
        prb_json_set_bool(memory, MEMORY_RACED, true);
    prb_changes_remember(out, memory);
    prb_changes_again(out, next_look_ms(pass));
    for (size_t i = 0; i < pass->count; i++) {
        if (pass->items[i].behind_ms > 0)
            prb_changes_again(out, pass->items[i].behind_ms);
    }
    if (should_retry(pass, removals))
        prb_changes_retry(out, PRB_WORK_RETRY_MIN_MS, PRB_WORK_RETRY_MAX_MS);
    wait_for(pass, removals);
}

/* Nothing of it is applied, and nothing removed: neither could be done with the rights it asks for.
 */
static void refuse_executor(struct prb_pass *pass)
{
    struct prb_pair *pair = pass->pair;
    struct json_object *patch = prb_work_status(pass);

    prb_changes_wait(pair->out, "%s", PRB_EXECUTOR_TEXT);
    if (patch)
        prb_changes_merge_patch(pair->out, &pair->work_ref, patch, "status",
                prb_object_resource_version(pair->work), "spec.executor is not supported");
}

void prb_work_apply(struct prb_pair *pair)
{
    prb_auto(pass_done) struct prb_pass pass;
    prb_auto(prb_removals_done) struct prb_removals removals = { .count = 0 };

    begin(&pass, pair);
    if (pass.work.has_executor) {
        refuse_executor(&pass);
        return;
    }
    if (prb_apply_pair(pair) || prb_apply_kinds(&pass) || bring(&pass) || clear(&pass, &removals) ||
            tell(&pass, &removals))
        return;
    end(&pass, &removals);
}
