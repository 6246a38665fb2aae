/*
 * What is to become of one recorded resource that was read?
 *
 * The order is the contract: who is to stay is asked before who is ours, sharing before the uid,
 * and only what is ours alone, is the very object that was recorded and is not going yet, is
 * deleted. No reference is ever added here: an object without one was not brought by this work, or
 * somebody has taken it over.
 */

#include "probate/base/str.h"

#include "work_remove.h"

static bool is_applied_work(const struct prb_owner *owner)
{
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];

    return prb_streq(owner->kind, "AppliedManifestWork") &&
           prb_api_version_parse(owner->api_version, group, version) &&
           prb_streq(group, PRB_WORK_GROUP);
}

/* A reference by our name with another uid is ours, from an earlier life. */
static bool names_us(const struct prb_owner *at, const struct prb_owner *owner)
{
    return prb_streq(at->uid, owner->uid) ||
           (is_applied_work(at) && prb_streq(at->name, owner->name));
}

static bool has_reference(const struct prb_object *live, const struct prb_owner *owner)
{
    struct prb_owner at;

    for (size_t i = 0; i < prb_object_owner_count(live); i++) {
        if (prb_object_owner_at(live, i, &at) && names_us(&at, owner))
            return true;
    }
    return false;
}

bool prb_removal_is_shared(const struct prb_object *live, const struct prb_owner *owner)
{
    struct prb_owner at;

    for (size_t i = 0; i < prb_object_owner_count(live); i++) {
        if (prb_object_owner_at(live, i, &at) && is_applied_work(&at) && !names_us(&at, owner))
            return true;
    }
    return false;
}

static bool is_recorded(const struct prb_removal_case *question)
{
    return prb_streq(question->recorded_uid, prb_object_uid(question->live));
}

enum prb_removal_verdict prb_removal_judge(const struct prb_removal_case *question)
{
    const struct prb_object *live = question->live;
    const struct prb_owner *owner = question->owner;

    if (question->stays)
        return has_reference(live, owner) ? PRB_VERDICT_DISOWN : PRB_VERDICT_LEAVE;
    if (!prb_object_is_owned_by(live, owner->uid))
        return PRB_VERDICT_LEAVE;
    if (prb_removal_is_shared(live, owner))
        return PRB_VERDICT_DISOWN;
    if (question->recorded_uid[0] != '\0' && !is_recorded(question))
        return question->disowns_others ? PRB_VERDICT_DISOWN : PRB_VERDICT_LEAVE;
    return prb_object_is_deleting(live) ? PRB_VERDICT_AWAIT : PRB_VERDICT_DELETE;
}
