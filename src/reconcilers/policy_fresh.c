/*
 * Which objects are known to be as they were found last, at the cost of no call?
 *
 * What the last pass found is remembered for each: its uid and version, and whether it was as it
 * should be. As long as the cached metadata say the same, so is the object; where nothing is
 * cached, it is believed until the next resync.
 */

#include "probate/base/str.h"

#include "policy_internal.h"
#include "sighting.h"

/* A cache shows what we wrote within a fraction of this, or a list is under way. */
#define BEHIND_MS 2000

/* ---- what is remembered ---- */

const struct json_object *prb_policy_remembered(
        const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    const struct json_object *all = prb_json_obj(prb_view_memory(run->view), "items");
    const struct json_object *entry;
    char key[PRB_REF_TEXT_SIZE];

    prb_ref_format(&item->ref, key);
    entry = prb_json_obj(prb_json_obj(all, key), item->want);
    return entry;
}

static struct json_object *memory_of(
        const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    struct json_object *entry = prb_sighting_note(item->live);

    prb_json_set_int(entry, "finding", (int64_t)item->finding);
    prb_json_set_int(entry, "at", prb_view_now_ms(run->view));
    prb_json_set_bool(entry, "wrote", item->did != NULL);

    /* What the server made of our own write is as good as it gets. */
    prb_json_set_bool(entry, "left", item->did != NULL || item->as_left);
    prb_policy_count_writes(run, item, entry);
    return entry;
}

static bool is_worth(const struct prb_policy_item *item)
{
    return item->state == PRB_POLICY_SETTLED && item->seen == PRB_LOOK_THERE &&
           (item->finding == PRB_FOUND_AS_WANTED || item->finding == PRB_FOUND_OTHER);
}

static void remember_item(const struct prb_policy_run *run, const struct prb_policy_item *item,
        struct json_object *items)
{
    const struct json_object *known = prb_policy_remembered(run, item);
    prb_auto(prb_json_free) struct json_object *entry = NULL;
    char key[PRB_REF_TEXT_SIZE];

    prb_ref_format(&item->ref, key);
    if (is_worth(item) && item->live) {
        entry = memory_of(run, item);
    } else if (is_worth(item) && known) {
        entry = prb_json_copy(known);
    } else {
        entry = json_object_new_object();
        prb_policy_count_writes(run, item, entry);
    }
    if (json_object_object_length(entry) > 0)
        prb_json_set(prb_json_ensure_obj(items, key), item->want, prb_take(entry));
}

/* Has a CREATE of this intent been sent that nobody knows the end of? What is sent after it may be
 * refused, and the first one arrive all the same. */
static bool is_unanswered(const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    return prb_json_has(prb_json_obj(prb_view_memory(run->view), "unanswered"), item->was.uid) ||
           (item->state == PRB_POLICY_FAILED && item->seen == PRB_LOOK_ABSENT && !item->refused);
}

/* Of an intent that is older than what is remembered nobody knows what was sent for it. */
static bool is_all_refused(const struct prb_policy_run *run, const char *token)
{
    return prb_view_outcome(run->view, PRB_POLICY_SLOT_AHEAD) || prb_policy_was_refused(run, token);
}

struct json_object *prb_policy_memory(const struct prb_policy_run *run)
{
    struct json_object *memory = json_object_new_object();
    struct json_object *items = prb_json_ensure_obj(memory, "items");
    struct json_object *refused = prb_json_ensure_obj(memory, "refused");
    struct json_object *unanswered = prb_json_ensure_obj(memory, "unanswered");
    char namespaces[PRB_SHA256_HEX_SIZE];

    for (size_t i = 0; i < run->count; i++) {
        const struct prb_policy_item *item = &run->items[i];

        remember_item(run, item, items);
        if (item->was.phase != PRB_PHASE_CREATING)
            continue;
        if (is_unanswered(run, item))
            prb_json_set_bool(unanswered, item->was.uid, true);
        else if (item->refused && is_all_refused(run, item->was.uid))
            prb_json_set_bool(refused, item->was.uid, true);
    }
    prb_policy_hash_namespaces(run, namespaces);
    prb_json_set_str(memory, "namespaces", namespaces);
    prb_json_set_int(memory, "at", prb_view_now_ms(run->view));
    return memory;
}

bool prb_policy_was_refused(const struct prb_policy_run *run, const char *token)
{
    const struct json_object *memory = prb_view_memory(run->view);

    return prb_json_has(prb_json_obj(memory, "refused"), token) &&
           !prb_json_has(prb_json_obj(memory, "unanswered"), token);
}

/* ---- is it fresh? ---- */

/* Policies are read in one namespace only: of those elsewhere that a template names the cache knows
 * nothing, which is not the same as none. */
bool prb_policy_is_cached(const struct prb_policy_run *run, const struct prb_ref *ref)
{
    return prb_view_knows(run->view, &ref->gvr) &&
           !(run->scope && prb_gvr_equal(&ref->gvr, &prb_policy_policies) &&
                   !prb_streq(ref->namespace, run->scope));
}

/* Its collection is read; `ret` is what is cached of it, or NULL. */
static bool is_cached(const struct prb_policy_run *run, const struct prb_policy_item *item,
        const struct prb_object **ret)
{
    struct prb_ref ref = item->ref;

    ref.gvr = item->resource->gvr;
    *ret = prb_view_find(run->view, &ref);
    return prb_policy_is_cached(run, &ref);
}

static bool says(const struct json_object *entry, const char *what)
{
    bool value = false;

    return prb_json_bool(entry, what, &value) && value;
}

/* An age of less than nothing is a clock that was set back, and says nothing. */
static int64_t age_of(const struct prb_policy_run *run, const struct json_object *entry)
{
    int64_t at = 0, age;

    (void)prb_json_int(entry, "at", &at);
    age = prb_view_now_ms(run->view) - at;
    return age >= 0 ? age : INT64_MAX;
}

/* Whose object it is must be known as well: otherwise it has to be looked at. */
static bool is_recorded(const struct prb_policy_item *item)
{
    return item->was.is_known && item->was.phase == PRB_PHASE_SEEN && item->was.uid[0] != '\0';
}

void prb_policy_fresh(const struct prb_policy_run *run, struct prb_policy_item *item)
{
    const struct json_object *entry = prb_policy_remembered(run, item);
    const struct prb_object *cached = NULL;
    int64_t finding = PRB_FOUND_NOTHING;
    bool is_fresh;

    if (!entry || !is_recorded(item))
        return;
    if (!is_cached(run, item, &cached)) {
        is_fresh = age_of(run, entry) < PRB_POLICY_RESYNC_MS;
    } else if (prb_sighting_holds(entry, cached, prb_json_has(item->body, "status"))) {
        is_fresh = true;
    } else {
        /* Most likely the cache has not seen yet what we wrote; its event comes soon. */
        is_fresh = says(entry, "wrote") && age_of(run, entry) < BEHIND_MS;
        item->behind_ms = is_fresh ? BEHIND_MS - age_of(run, entry) : 0;
    }
    if (!is_fresh)
        return;
    (void)prb_json_int(entry, "finding", &finding);
    item->state = PRB_POLICY_SETTLED;
    item->finding = (enum prb_policy_finding)finding;
    item->seen = PRB_LOOK_THERE;
    item->uid = prb_json_str(entry, "uid");
}

bool prb_policy_is_known_absent(
        const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    const struct prb_object *cached = NULL;

    return is_cached(run, item, &cached) && !cached;
}

bool prb_policy_is_as_left(const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    const struct json_object *entry = prb_policy_remembered(run, item);

    return entry && says(entry, "left") && prb_sighting_has_content(entry, item->live) &&
           prb_sighting_has_labels(entry, item->live);
}
