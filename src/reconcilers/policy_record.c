/*
 * What does status.relatedObjects say before something is created?
 *
 * An intent for everything that is about to be (policy_provenance.c), and for what is deleted to be
 * made again.
 */

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "policy_internal.h"

static const struct json_object *list_of(const struct prb_policy_run *run)
{
    return prb_json_arr(prb_object_status(run->now), "relatedObjects");
}

/* Made for one intent: policy, version, object and time are never the same again. */
static char *new_token(const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    int64_t now_ms = prb_view_now_ms(run->view);
    prb_autofree char *all = prb_asprintf("%s %s %s %lld", prb_object_uid(run->now),
            prb_object_resource_version(run->now), item->key, (long long)now_ms);
    char hash[PRB_SHA256_HEX_SIZE];

    prb_sha256_hex(all, strlen(all), hash);
    return prb_asprintf("%lld-%.16s", (long long)now_ms, hash);
}

/* What is made again keeps what it was; all else that we make is ours. */
static struct json_object *intent_of(
        const struct prb_policy_run *run, const struct prb_policy_item *item)
{
    bool created = item->was.phase == PRB_PHASE_RECREATING ? item->was.created : true;
    prb_autofree char *token = NULL;

    if (item->recreates)
        return prb_provenance_json(
                prb_provenance_owns(&item->was, prb_object_uid(run->now), item->live),
                PRB_RECREATING, prb_object_uid(item->live));
    token = new_token(run, item);
    return prb_provenance_json(created, PRB_CREATING, token);
}

static bool needs_record(const struct prb_policy_item *item)
{
    if (item->state != PRB_POLICY_WRITES)
        return false;
    if (item->recreates)
        return item->was.phase != PRB_PHASE_RECREATING ||
               !prb_streq(item->was.uid, prb_object_uid(item->live));
    return item->creates && item->was.phase != PRB_PHASE_CREATING;
}

static struct json_object *list_ahead(const struct prb_policy_run *run)
{
    struct json_object *list = json_object_new_array();
    const struct json_object *old = list_of(run);

    for (size_t i = 0; i < prb_json_len(old); i++) {
        const struct json_object *entry = prb_json_elem(old, i);
        prb_autofree char *key = prb_policy_entry_key(entry);
        const struct prb_policy_item *item = key ? prb_map_find(run->by_key, key) : NULL;

        while (item && item->before && !needs_record(item))
            item = item->before;
        if (!item || !needs_record(item))
            prb_json_push(list, prb_json_copy(entry));
    }
    for (size_t i = 0; i < run->count; i++) {
        const struct prb_policy_item *item = &run->items[i];
        struct json_object *entry;

        if (!needs_record(item))
            continue;
        entry = prb_policy_entry(item, PRB_NON_COMPLIANT,
                item->recreates ? PRB_REASON_MISMATCH : PRB_REASON_MISSING);
        prb_json_set(entry, "properties", intent_of(run, item));
        prb_json_push(list, entry);
    }
    return list;
}

/* Nothing is created that could not be recorded before. */
static void give_up(struct prb_policy_run *run, const struct prb_outcome *outcome)
{
    for (size_t i = 0; i < run->count; i++) {
        struct prb_policy_item *item = &run->items[i];

        if (needs_record(item))
            prb_policy_item_fail(item, true,
                    "not created, because it could not be recorded before: %s",
                    outcome->err ? outcome->err->msg : "no answer");
    }
}

bool prb_policy_record_ahead(struct prb_policy_run *run)
{
    const struct prb_outcome *outcome = prb_view_outcome(run->view, PRB_POLICY_SLOT_AHEAD);
    struct json_object *patch;
    bool is_needed = false;

    for (size_t i = 0; i < run->count; i++)
        is_needed |= needs_record(&run->items[i]);
    if (!is_needed)
        return false;
    if (outcome && (outcome->code == PRB_E_CONFLICT || outcome->code == PRB_OK)) {
        /* The policy is another one by now, or one more came up: with the next pass. */
        prb_changes_retry(run->out, PRB_POLICY_RETRY_MIN_MS, PRB_POLICY_RETRY_MAX_MS);
        return true;
    }
    if (outcome) {
        give_up(run, outcome);
        return false;
    }
    patch = json_object_new_object();
    prb_json_set(prb_json_ensure_obj(patch, "status"), "relatedObjects", list_ahead(run));
    prb_changes_merge_patch(run->out, &run->key, patch, "status",
            prb_object_resource_version(run->now), "recorded before it is created");
    prb_changes_set_slot(run->out, PRB_POLICY_SLOT_AHEAD);
    prb_changes_go_on(run->out);
    return true;
}
