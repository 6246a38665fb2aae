/* Who controls an object, up to the top? */

#include "probate/base/str.h"

#include "claim_internal.h"

const struct prb_object *prb_claim_find_controller(const struct prb_view *view,
        const struct prb_object *object, struct prb_ref *ret_ref, bool *ret_blocks)
{
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];
    const struct prb_known_resource *known;
    const struct prb_object *found;
    struct prb_owner owner;
    size_t i = 0;

    while (prb_object_owner_at(object, i, &owner) && !owner.controller)
        i++;
    if (i == prb_object_owner_count(object) ||
            !prb_api_version_parse(owner.api_version, group, version))
        return NULL;
    known = prb_claim_find_kind(view, group, owner.kind);
    if (!known || !prb_ref_init(ret_ref, &known->gvr,
                          known->namespaced ? prb_object_namespace(object) : NULL, owner.name))
        return NULL;
    found = prb_view_find(view, ret_ref);
    *ret_blocks = owner.block_owner_deletion;
    return found && prb_streq(prb_object_uid(found), owner.uid) ? found : NULL;
}

/* In a circle the mark, which is moved after 1, 2, 4, ... steps, is met again. */
const struct prb_object *prb_claim_ascend(
        struct prb_claim_ascent *ascent, const struct prb_view *view)
{
    if (!ascent->at ||
            (ascent->mark && prb_streq(prb_object_uid(ascent->at), prb_object_uid(ascent->mark))))
        return NULL;
    if (!ascent->mark || ascent->steps == ascent->pause) {
        ascent->mark = ascent->at;
        ascent->pause = ascent->steps * 2 + 1;
    }
    ascent->steps++;
    ascent->at = prb_claim_find_controller(view, ascent->at, &ascent->ref, &ascent->blocks);
    return ascent->at;
}

bool prb_claim_is_circular(const struct prb_view *view, const struct prb_object *composite)
{
    struct prb_claim_ascent ascent = { .at = composite };
    const struct prb_object *above;

    while ((above = prb_claim_ascend(&ascent, view))) {
        if (prb_streq(prb_object_uid(above), prb_object_uid(composite)))
            return true;
    }
    return false;
}
