/*
 * Is a recorded object to go: as the record says, as the templates say, and as earlier passes have
 * seen it?
 */

#include "probate/base/clock.h"
#include "probate/base/str.h"

#include "policy_internal.h"

/* So long may a CREATE be under way that nobody waits for any more: an admission webhook may hold
 * it for 30 s at most, and nothing else holds it for long. */
#define UNDER_WAY_MS 30000

/* ---- what earlier passes have seen, in the memory of the key ---- */

/* Of this policy, and not of one that had its name before. */
static const struct json_object *recall(const struct prb_policy_run *run, const char *what)
{
    const struct json_object *memory = prb_view_memory(run->view);

    return prb_streq(prb_json_str(memory, "of"), prb_object_uid(run->now))
                   ? prb_json_obj(memory, what)
                   : NULL;
}

struct json_object *prb_policy_remember_gone(
        const struct prb_policy_run *run, const struct prb_policy_removals *removals)
{
    const struct json_object *old = prb_view_memory(run->view);
    struct json_object *memory = old ? prb_json_copy(old) : json_object_new_object();
    struct json_object *gone = json_object_new_object();

    for (size_t i = 0; i < removals->count; i++) {
        const struct prb_policy_removal *removal = &removals->items[i];

        if (removal->state == PRB_LEFT_DONE && removal->key && !removal->spared)
            prb_json_set_bool(gone, removal->key, true);
    }
    prb_json_set(memory, "gone", gone);
    prb_json_set_str(memory, "of", prb_object_uid(run->now));
    return memory;
}

/* ---- is there anything to look at? ---- */

/* What must not be was gone when it was looked at last: whoever has that name now came after, and
 * is not what was meant. And what an earlier pass of this deletion has seen go stays gone. */
static bool is_over(const struct prb_policy_run *run, const struct prb_policy_removal *removal)
{
    return prb_streq(prb_json_str(removal->entry, "reason"), PRB_REASON_GONE) ||
           (removal->key && prb_object_is_deleting(run->now) &&
                   prb_json_has(recall(run, "gone"), removal->key));
}

static bool is_of_its_kind(
        const struct prb_policy_template *template, const struct prb_policy_removal *removal)
{
    const char *api_version = prb_json_str(prb_json_obj(removal->entry, "object"), "apiVersion");
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];

    return api_version && prb_api_version_parse(api_version, group, version) &&
           prb_streq(template->group, group) && prb_streq(template->kind, removal->kind);
}

/*
 * May it be that no template has ever meant it, but one without a name has found it? The reference
 * controller records by name what such a template finds, and never enforces it. Of templates that
 * are a text nobody knows what they mean.
 */
static bool may_be_found_only(
        const struct prb_policy_run *run, const struct prb_policy_removal *removal)
{
    bool is_found = run->policy.defect != NULL;

    for (size_t i = 0; i < run->policy.count; i++) {
        const struct prb_policy_template *template = &run->policy.templates[i];

        if (!is_of_its_kind(template, removal))
            continue;
        if (prb_streq(template->name, removal->name))
            return false;
        is_found |= template->name[0] == '\0';
    }
    return is_found;
}

/* What the record does not say to be created by this policy needs no look, whatever is there: a
 * kind that cannot be read must not hold a policy that has made nothing of it. */
static bool is_spared(const struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    const struct prb_provenance *was = &removal->was;

    if (was->is_known && was->created && was->uid[0] != '\0')
        return false;
    if (run->policy.prune != PRB_PRUNE_ALL && was->is_odd && was->created)
        removal->spared = "its recorded uid is no text, so that nobody knows which one it was";
    else if (run->policy.prune == PRB_PRUNE_ALL && may_be_found_only(run, removal))
        removal->spared = "a template without a name may only have found it";
    else
        return run->policy.prune != PRB_PRUNE_ALL;
    return true;
}

bool prb_policy_is_settled(const struct prb_policy_run *run, struct prb_policy_removal *removal)
{
    return is_over(run, removal) || is_spared(run, removal);
}

/* ---- there is none ---- */

/*
 * The CREATE of an intent may still be on its way: from somebody who was killed, or from a call
 * that was never answered. The policy's own deletion, or the status that lists it as left, came
 * after the last one that was sent. What is still to come was not written by any of us.
 */
bool prb_policy_may_come_yet(
        const struct prb_policy_run *run, const struct prb_policy_removal *removal)
{
    int64_t since = prb_provenance_token_ms(removal->was.uid), told = 0;
    int64_t now_ms = prb_view_now_ms(run->view);

    if (removal->was.phase != PRB_PHASE_CREATING || prb_policy_was_refused(run, removal->was.uid))
        return false;
    if (prb_object_is_deleting(run->now)) {
        told = prb_object_deleted_at_ms(run->now);
    } else if (prb_streq(prb_json_str(removal->entry, "reason"), PRB_REASON_LEFT) ||
               prb_streq(prb_json_str(removal->entry, "reason"), PRB_REASON_PRUNING)) {
        const char *text = prb_json_str(prb_object_status(run->now), "lastEvaluated");

        (void)(text && prb_time_parse(text, &told));
    } else {
        return true;
    }
    if (since > now_ms)
        since = 0;
    return now_ms - UNDER_WAY_MS < (told > since ? told : since);
}

/* ---- there is one ---- */

/*
 * One object may be served by two groups, or be on record under another name of its kind. What a
 * template still means stays, whatever it was called before.
 */
static bool is_kept(const struct prb_policy_run *run, const struct prb_policy_removal *removal,
        const struct prb_object *live)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct prb_policy_item *item = &run->items[i];
        const char *uid = item->live ? prb_object_uid(item->live) : item->uid;

        if (item->template->type == PRB_MUST_HAVE && prb_streq(item->ref.name, removal->name) &&
                prb_streq(item->ref.namespace, removal->namespace) && uid &&
                prb_streq(uid, prb_object_uid(live)))
            return true;
    }
    return false;
}

/* Is it the one on record, whoever has created it? */
static bool is_recorded(const struct prb_policy_run *run, const struct prb_policy_removal *removal,
        const struct prb_object *live)
{
    if (removal->was.phase == PRB_PHASE_CREATING)
        return prb_provenance_proves(&removal->was, prb_object_uid(run->now), live);
    return prb_streq(removal->was.uid, prb_object_uid(live));
}

/*
 * Another had this name, and was deleted: this one was made after it, and by somebody who wants it.
 * Two that want the opposite would go on for ever. The record says which one was meant; where it
 * does not, the policy's deletion does: what came at that second or later was not there to be
 * meant.
 */
static const char *came_after(const struct prb_policy_run *run,
        const struct prb_policy_removal *removal, const struct prb_object *live)
{
    if (is_recorded(run, removal, live))
        return NULL;
    if (removal->was.phase == PRB_PHASE_DELETING)
        return PRB_SPARED_LATER;
    if (prb_object_is_deleting(run->now) &&
            prb_object_created_at_ms(live) >= prb_object_deleted_at_ms(run->now))
        return "it was made after the policy was deleted";
    return NULL;
}

bool prb_policy_is_to_go(const struct prb_policy_run *run, struct prb_policy_removal *removal,
        const struct prb_object *live)
{
    if (prb_streq(prb_object_uid(live), prb_object_uid(run->now)) || /* the policy itself */
            is_kept(run, removal, live))
        return false;
    if (run->policy.prune != PRB_PRUNE_ALL)
        return prb_provenance_owns(&removal->was, prb_object_uid(run->now), live);
    removal->spared = came_after(run, removal, live);
    return !removal->spared;
}

bool prb_policy_is_behind(
        const struct prb_policy_run *run, const struct prb_policy_removal *removal)
{
    return prb_object_is_deleting(run->now) &&
           prb_gvr_equal(&removal->ref.gvr, &prb_policy_namespaces_gvr) &&
           prb_streq(removal->name, run->key.namespace);
}
