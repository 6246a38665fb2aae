/*
 * How are recorded objects taken away?
 *
 * Kind, object, DELETE, in this order and in rounds. A kind that is positively neither served nor
 * defined, and an object that is positively not there, are gone. DeleteAll deletes what has the name;
 * DeleteIfCreated what this policy has created, and no other object of that name. Every DELETE says
 * the uid that was looked at; where the name alone decides, the uid is on record before. What could
 * not be found out or done stays on record.
 */

#include <stdlib.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/side.h"

#include "policy_internal.h"

/* The reason of a NOTFOUND that is about the kind, or about the version it was asked for in. */
#define NOT_SERVED "NotServed"

void prb_policy_removals_done(struct prb_policy_removals *removals)
{
    for (size_t i = 0; i < removals->count; i++)
        free(removals->items[i].key);
    free(removals->items);
    *removals = (struct prb_policy_removals){ .count = 0 };
}

static void fail(struct prb_policy_removal *removal, const struct prb_error *err, const char *why)
{
    removal->state = PRB_LEFT_FAILED;
    removal->err = err;
    removal->why = why;
}

/* What became of a step; NULL: it is asked for in this round. The slot is the caller's to ask in,
 * and to free. */
static const struct prb_outcome *find_outcome(struct prb_policy_run *run,
        struct prb_policy_removal *removal, const char *step, char **ret_slot)
{
    const struct prb_outcome *outcome;

    *ret_slot = prb_asprintf("prune %s %s", step, removal->key);
    outcome = prb_view_outcome(run->view, *ret_slot);
    if (!outcome)
        removal->state = PRB_LEFT_ASKED;
    return outcome;
}

/* Of a read: a version that is not served any more says nothing of the object in another. Whether
 * its kind is gone is for the next pass to find out. */
static bool is_absent(const struct prb_outcome *outcome)
{
    return outcome->code == PRB_E_NOTFOUND &&
           !(outcome->err && prb_streq(outcome->err->reason, NOT_SERVED));
}

/* ---- the kind ---- */

static void ask_kind(
        struct prb_policy_run *run, const char *group, const char *kind, const char *slot)
{
    for (size_t i = 0; i < run->out->count; i++) {
        if (prb_streq(run->out->items[i].slot, slot))
            return;
    }
    prb_changes_resolve_surely(run->out, group, kind, slot);
}

/* A kind is found by its other names too, and without regard to case: what goes by a short name is
 * another kind. Design 003 writes the plural. */
static bool is_called(const struct prb_known_resource *resource, const char *kind)
{
    return prb_streq(resource->kind, kind) || prb_streq(resource->gvr.resource, kind);
}

/* False: how it stands is decided. What no object can be called is none. */
static bool find_object(struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    const char *api_version = prb_json_str(prb_json_obj(removal->entry, "object"), "apiVersion");
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];
    prb_autofree char *slot = NULL;
    const struct prb_outcome *outcome;

    removal->state = PRB_LEFT_DONE;
    if (!removal->key || !prb_api_version_parse(api_version, group, version) ||
            prb_side_is_hub(group))
        return false;
    slot = prb_asprintf("prune kind %s/%s", group, removal->kind);
    outcome = prb_view_outcome(run->view, slot);
    if (!outcome) {
        ask_kind(run, group, removal->kind, slot);
        removal->state = PRB_LEFT_ASKED;
        return false;
    }
    if (outcome->code == PRB_E_NOTFOUND)
        return false;
    if (outcome->code != PRB_OK || !outcome->resource) {
        fail(removal, outcome->err, "nobody knows whether its kind is served");
        return false;
    }
    if (!is_called(outcome->resource, removal->kind))
        return false;
    removal->resource = outcome->resource;
    return outcome->resource->namespaced == (removal->namespace[0] != '\0') &&
           prb_ref_init(&removal->ref, &outcome->resource->gvr, removal->namespace, removal->name);
}

/* ---- the object ---- */

static void settle_absent(const struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    removal->state = PRB_LEFT_DONE;
    if (!prb_policy_may_come_yet(run, removal))
        return;
    removal->state = PRB_LEFT_PENDING;
    removal->why = "its creation was not answered, and may still be under way";
}

/* A cache that has seen it going is right for ever: it cannot come back but as another, and its end
 * will be told. That it is gone is for the server to say. */
static bool is_seen_going(const struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    const struct prb_object *seen;

    if (!prb_policy_is_cached(run, &removal->ref))
        return false;
    seen = prb_view_find(run->view, &removal->ref);
    if (!seen || !prb_object_is_deleting(seen) || !prb_policy_is_to_go(run, removal, seen)) {
        removal->spared = NULL; /* the server has the last word */
        return false;
    }
    removal->live = seen;
    removal->is_told = true;
    return true;
}

/* False: how it stands is decided. */
static bool look(struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    prb_autofree char *slot = NULL;
    const struct prb_outcome *outcome;

    if (is_seen_going(run, removal))
        return true;
    outcome = find_outcome(run, removal, "get", &slot);
    if (!outcome) {
        prb_changes_read(run->out, &removal->ref, slot, "it is to be pruned");
    } else if (is_absent(outcome)) {
        settle_absent(run, removal);
    } else if (outcome->code != PRB_OK || !outcome->object) {
        fail(removal, outcome->err, "it could not be read");
    } else if (prb_object_uid(outcome->object)[0] == '\0') {
        fail(removal, NULL, "the server did not tell its uid");
    } else {
        removal->live = outcome->object;
        return true;
    }
    return false;
}

/* ---- DELETE ---- */

static void spare(const struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    removal->state = PRB_LEFT_DONE;
    if (run->policy.prune == PRB_PRUNE_ALL)
        removal->spared = PRB_SPARED_LATER;
}

/* Most things are gone at once, and their entry with them. */
static void look_after(struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    prb_autofree char *slot = NULL;
    const struct prb_outcome *outcome;

    removal->was_deleted = true;
    outcome = find_outcome(run, removal, "gone", &slot);
    if (!outcome) {
        prb_changes_read(run->out, &removal->ref, slot, "it was deleted");
        return;
    }
    removal->state = is_absent(outcome) ? PRB_LEFT_DONE : PRB_LEFT_PENDING;
    if (outcome->code != PRB_OK || !outcome->object)
        return;
    if (prb_streq(prb_object_uid(outcome->object), prb_object_uid(removal->live)))
        removal->live = outcome->object;
    else
        spare(run, removal); /* somebody was quick to make another */
}

/* One that is known by its mark only must be the one that was looked at, mark and all. */
static void ask_delete(
        struct prb_policy_run *run, const struct prb_policy_removal *removal, const char *slot)
{
    static const char why[] = "as pruneObjectBehavior says";

    if (removal->was.phase == PRB_PHASE_CREATING && run->policy.prune != PRB_PRUNE_ALL)
        prb_changes_delete_unchanged(
                run->out, &removal->ref, removal->live, PRB_PROPAGATE_BACKGROUND, why);
    else
        prb_changes_delete(run->out, &removal->ref, removal->live, PRB_PROPAGATE_BACKGROUND, why);
    prb_changes_set_slot(run->out, slot);
}

static void erase(struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    prb_autofree char *slot = NULL;
    const struct prb_outcome *outcome;

    outcome = find_outcome(run, removal, "delete", &slot);
    if (removal->is_told || (!outcome && prb_object_is_deleting(removal->live)))
        removal->state = PRB_LEFT_PENDING;
    else if (!outcome)
        ask_delete(run, removal, slot);
    else if (outcome->code == PRB_OK)
        look_after(run, removal);
    else
        fail(removal, outcome->err, "it could not be deleted");
    if (removal->state == PRB_LEFT_PENDING && prb_policy_is_behind(run, removal))
        removal->state = PRB_LEFT_DONE;
}

/* An intent is known by its token alone, which the record of a deletion takes the place of: as long
 * as its CREATE may be under way, what has the name keeps it from succeeding. */
static bool must_wait(const struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    if (prb_provenance_proves(&removal->was, prb_object_uid(run->now), removal->live) ||
            !prb_policy_may_come_yet(run, removal))
        return false;
    removal->live = NULL;
    removal->state = PRB_LEFT_PENDING;
    removal->why = "a creation was not answered, and may still be under way";
    return true;
}

static void step(struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    if (prb_policy_is_settled(run, removal)) {
        removal->state = PRB_LEFT_DONE;
        return;
    }
    if (!find_object(run, removal) || !look(run, removal))
        return;
    if (!prb_policy_is_to_go(run, removal, removal->live))
        removal->state = PRB_LEFT_DONE;
    else if (!prb_policy_needs_record(run, removal))
        erase(run, removal);
    else if (!must_wait(run, removal))
        removal->state = PRB_LEFT_UNRECORDED;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static bool is_any(const struct prb_policy_removals *removals, enum prb_policy_removal_state state)
{
    for (size_t i = 0; i < removals->count; i++) {
        if (removals->items[i].state == state)
            return true;
    }
    return false;
}

bool prb_policy_remove(struct prb_policy_run *run, const struct json_object *const *entries,
        size_t count, struct prb_policy_removals *ret)
{
    *ret = (struct prb_policy_removals){ .items = prb_calloc(count + 1, sizeof(*ret->items)),
        .count = count };
    for (size_t i = 0; i < count; i++) {
        struct prb_policy_removal *removal = &ret->items[i];
        const struct json_object *object = prb_json_obj(entries[i], "object");
        const struct json_object *metadata = prb_json_obj(object, "metadata");

        *removal = (struct prb_policy_removal){ .entry = entries[i],
            .key = prb_policy_entry_key(entries[i]),
            .kind = or_empty(prb_json_str(object, "kind")),
            .namespace = or_empty(prb_json_str(metadata, "namespace")),
            .name = or_empty(prb_json_str(metadata, "name")),
            .was = prb_provenance_of(entries[i]) };
        step(run, removal);
    }

    /* All that needs a record gets it by one write, when everything else is read. */
    if (!is_any(ret, PRB_LEFT_ASKED))
        prb_policy_record_removals(run, ret);
    return is_any(ret, PRB_LEFT_ASKED);
}
