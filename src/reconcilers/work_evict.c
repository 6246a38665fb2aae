/*
 * What becomes of an AppliedManifestWork whose work is gone, or on another hub?
 *
 * Only one of our own agent, and only after the grace period: hubs are restored from backups, and
 * works come back. The hub must say itself, at that moment, that it has no such work; one that
 * cannot be reached says nothing. What is written down in the AppliedManifestWork is since when.
 *
 * What the orphan settings on record spare loses our reference at once: it is not to be evicted,
 * nor to go with an AppliedManifestWork that somebody takes away by force.
 */

#include "probate/base/clock.h"
#include "probate/base/str.h"

#include "work_remove.h"

#define STAMP "evictionStartTime"

/* In what is remembered: when this agent has last written it. */
#define STAMPED "stamped"

static const char *stamp_text(const struct prb_pair *pair)
{
    return prb_json_str(prb_object_status(pair->applied), STAMP);
}

static bool has_stamp(const struct prb_pair *pair)
{
    return prb_json_find(prb_object_status(pair->applied), STAMP) != NULL;
}

/* NULL takes it off. */
static void put_stamp(struct prb_pair *pair, const char *text, const char *why)
{
    struct json_object *patch = json_object_new_object();

    prb_json_set(prb_json_ensure_obj(patch, "status"), STAMP,
            text ? json_object_new_string(text) : NULL);
    prb_changes_merge_patch(pair->out, &pair->applied_ref, patch, "status",
            prb_object_resource_version(pair->applied), why);
}

bool prb_work_evict_stop(struct prb_pair *pair)
{
    if (!has_stamp(pair))
        return false;
    prb_changes_remember(pair->out, NULL);
    put_stamp(pair, NULL, "it is not to be evicted");
    return true;
}

/* Do its name and what it says of itself agree? One that contradicts itself is nobody's to evict:
 * the work that it means may well be there. */
static bool is_plausible(const struct prb_pair *pair)
{
    const struct json_object *spec = prb_object_spec(pair->applied);
    const char *hub = prb_json_str(spec, "hubHash"), *name = prb_json_str(spec, "manifestWorkName");

    if (pair->work_ref.name[0] == '\0')
        return !prb_streq(hub, pair->settings->hub_hash);
    return prb_streq(hub, pair->settings->hub_hash) && prb_streq(name, pair->work_ref.name);
}

/* A time to come is no beginning: some clock was wrong, and it begins now. */
static bool since(const struct prb_pair *pair, int64_t *ret_ms)
{
    const char *text = stamp_text(pair);

    return text && prb_time_parse(text, ret_ms) && *ret_ms <= prb_view_now_ms(pair->view);
}

/* Two agents that share an id, but not a hub, would write it and take it off as fast as the server
 * can answer. */
static bool is_taken_off(struct prb_pair *pair)
{
    const int pause = PRB_WORK_RESYNC_MS;
    int64_t stamped = 0, age;

    (void)prb_json_int(prb_view_memory(pair->view), STAMPED, &stamped);
    age = prb_view_now_ms(pair->view) - stamped;
    if (has_stamp(pair) || age < 0 || age >= pause)
        return false;
    prb_changes_wait(pair->out,
            "its work is gone, or on another hub, but somebody else manages it: an agent with the "
            "same --agent-id perhaps");
    prb_changes_again(pair->out, pause - age);
    return true;
}

static void begin(struct prb_pair *pair)
{
    struct json_object *memory;
    char now[PRB_TIME_SIZE];

    if (is_taken_off(pair))
        return;
    memory = json_object_new_object();
    prb_json_set_int(memory, STAMPED, prb_view_now_ms(pair->view));
    prb_changes_remember(pair->out, memory);
    prb_time_format(prb_view_now_ms(pair->view), now);
    put_stamp(pair, now, "its work is gone");
}

static void evict(struct prb_pair *pair)
{
    if (!prb_object_has_finalizer(pair->applied, PRB_APPLIED_FINALIZER)) {
        prb_changes_add_finalizer(pair->out, &pair->applied_ref, pair->applied,
                PRB_APPLIED_FINALIZER, "what it has recorded goes before it");
        return;
    }
    if (pair->work_ref.name[0] != '\0')
        prb_changes_expect_absent(
                pair->out, &pair->work_ref, "only what nobody manages any more is evicted");
    prb_changes_event(pair->out, &pair->applied_ref, pair->applied, true, "Evicted",
            "its ManifestWork has been gone since %s: what it has recorded is removed",
            stamp_text(pair));
    prb_changes_delete_unchanged(pair->out, &pair->applied_ref, pair->applied,
            PRB_PROPAGATE_BACKGROUND, "its work is gone for good");
}

static void wait_for_end(struct prb_pair *pair, int64_t begun_ms)
{
    int64_t due_ms = begun_ms + pair->settings->eviction_grace_ms;
    int64_t now_ms = prb_view_now_ms(pair->view);
    char due[PRB_TIME_SIZE];

    prb_time_format(due_ms, due);
    if (due_ms > now_ms) {
        prb_changes_wait(pair->out, "%s: it is evicted at %s if it does not come back",
                pair->work ? "its work is being deleted without our finalizer"
                           : "its work is gone, or on another hub",
                due);
        prb_changes_again(pair->out, due_ms - now_ms);
    } else if (pair->work) {
        prb_changes_wait(pair->out, "its work is being deleted without our finalizer: it is "
                                    "evicted when that is gone");
    } else {
        evict(pair);
    }
}

/* ---- what is spared ---- */

/* In what is remembered: which of these were seen done, and of which AppliedManifestWork. */
#define SPARED "spared"
#define SPARED_OF "sparedOf"

/* The entries that the settings on record spare. prb_malloc'ed. */
static struct prb_applied_entry *find_spared(
        const struct prb_pair *pair, const struct prb_orphans *orphans, size_t *ret_count)
{
    size_t count, kept = 0;
    struct prb_applied_entry *entries = prb_applied_entries(pair->applied, &count);

    for (size_t i = 0; i < count; i++) {
        if (orphans->any && prb_orphans_spare(&orphans->work, &entries[i]))
            entries[kept++] = entries[i];
    }
    *ret_count = kept;
    return entries;
}

static const struct json_object *known_of(const struct prb_pair *pair)
{
    const struct json_object *memory = prb_view_memory(pair->view);

    return prb_streq(prb_json_str(memory, SPARED_OF), prb_object_uid(pair->applied))
                   ? prb_json_obj(memory, SPARED)
                   : NULL;
}

static void remember_spared(struct prb_pair *pair, const struct prb_removals *removals)
{
    struct json_object *memory = json_object_new_object();
    int64_t stamped;

    prb_json_set_str(memory, SPARED_OF, prb_object_uid(pair->applied));
    prb_json_set(memory, SPARED, prb_removals_remember(removals));
    if (prb_json_int(prb_view_memory(pair->view), STAMPED, &stamped))
        prb_json_set_int(memory, STAMPED, stamped);
    prb_changes_remember(pair->out, memory);
}

static void tell_spared(struct prb_pair *pair, const struct prb_removals *removals)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_CHANGE_TEXT_MAX);
    prb_removals_describe(removals, removals->count, &text);
    prb_changes_wait(pair->out,
            "it is not evicted before what is to stay has lost its owner reference; %s",
            prb_str_get(&text));
    prb_changes_retry(pair->out, PRB_WORK_RETRY_MIN_MS, PRB_WORK_RETRY_MAX_MS);
}

/* True: none of them has our reference any more. */
static bool disown_spared(struct prb_pair *pair)
{
    prb_auto(prb_orphans_done) struct prb_orphans orphans;
    prb_auto(prb_removals_done) struct prb_removals removals = { .count = 0 };
    prb_autofree struct prb_applied_entry *entries = NULL;
    struct prb_removal_plan plan = { .align_only = true, .known = known_of(pair) };

    prb_orphans_read(pair->applied, &orphans);
    entries = find_spared(pair, &orphans, &plan.count);
    if (plan.count == 0)
        return true;
    plan.entries = entries;
    plan.recorded = &orphans.work;
    prb_removals_run(pair, &plan, &removals);
    if (prb_removals_in(&removals, PRB_REMOVAL_ASKED) > 0) {
        prb_changes_go_on(pair->out);
        return false;
    }
    remember_spared(pair, &removals);
    if (prb_removals_in(&removals, PRB_REMOVAL_DONE) == removals.count)
        return true;
    tell_spared(pair, &removals);
    return false;
}

void prb_work_evict(struct prb_pair *pair)
{
    int64_t begun_ms = 0;

    if (!prb_work_is_ours(pair) || (is_plausible(pair) && !disown_spared(pair)))
        return;
    if (pair->settings->eviction_grace_ms <= 0) {
        (void)prb_work_evict_stop(pair);
        return;
    }
    if (!is_plausible(pair))
        prb_changes_wait(pair->out,
                "its name is not that of the hub and the work in its spec: it is not evicted");
    else if (!since(pair, &begun_ms))
        begin(pair);
    else
        wait_for_end(pair, begun_ms);
}
