/* How does an owner reference come or go, while all others stay? */

#include "probate/base/str.h"
#include "probate/model/defect.h"
#include "probate/model/object.h"
#include "probate/model/patch.h"

#define LIST "/metadata/ownerReferences"

static const struct json_object *owners(const struct prb_object *seen)
{
    return prb_json_arr(prb_object_metadata(seen), "ownerReferences");
}

/* Do these references name the same thing, in whatever version and whichever life? */
static bool is_named_alike(const struct prb_owner *a, const struct prb_owner *b)
{
    char left[PRB_GROUP_SIZE], right[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];

    return prb_streq(a->kind, b->kind) && prb_streq(a->name, b->name) &&
           prb_api_version_parse(a->api_version, left, version) &&
           prb_api_version_parse(b->api_version, right, version) && prb_streq(left, right);
}

static bool is_same_life(const struct prb_owner *a, const struct prb_owner *b)
{
    return prb_streq(a->uid, b->uid) && is_named_alike(a, b);
}

/* The server holds that one uid is one owner, so an entry with ours is ours, however it is named.
 */
static bool is_same_owner(const struct prb_owner *a, const struct prb_owner *b)
{
    return prb_streq(a->uid, b->uid) || is_named_alike(a, b);
}

static struct json_object *reference(const struct prb_owner *owner)
{
    struct json_object *made = json_object_new_object();

    prb_json_set_str(made, "apiVersion", owner->api_version);
    prb_json_set_str(made, "kind", owner->kind);
    prb_json_set_str(made, "name", owner->name);
    prb_json_set_str(made, "uid", owner->uid);
    if (owner->controller)
        prb_json_set_bool(made, "controller", true);
    if (owner->block_owner_deletion)
        prb_json_set_bool(made, "blockOwnerDeletion", true);
    return made;
}

/* Fails on another object, on a changed list, and, where there was no list, on any change: no test
 * holds for what is absent. */
static struct json_object *guarded_patch(const struct prb_object *seen)
{
    struct json_object *patch = prb_json_patch_new();

    prb_json_patch_add(
            patch, "test", "/metadata/uid", json_object_new_string(prb_object_uid(seen)));
    if (owners(seen))
        prb_json_patch_add(patch, "test", LIST, prb_json_copy(owners(seen)));
    else
        prb_json_patch_add(patch, "test", "/metadata/resourceVersion",
                json_object_new_string(prb_object_resource_version(seen)));
    return patch;
}

static void check(const struct prb_owner *owner)
{
    if (owner->uid[0] == '\0')
        prb_defect("an owner reference without a uid");
}

struct json_object *prb_patch_add_owner(
        const struct prb_object *seen, const struct prb_owner *owner)
{
    prb_auto(prb_json_free) struct json_object *list = json_object_new_array();
    bool there = false, changed = false;
    struct json_object *patch;
    struct prb_owner at;

    check(owner);
    for (size_t i = 0; i < prb_object_owner_count(seen); i++) {
        if (!prb_object_owner_at(seen, i, &at) || !is_same_owner(&at, owner)) {
            prb_json_push(list, prb_json_copy(prb_json_elem(owners(seen), i)));
        } else if (!there && is_same_life(&at, owner)) {
            prb_json_push(list, prb_json_copy(prb_json_elem(owners(seen), i)));
            there = true;
        } else {
            changed = true;
        }
    }
    if (there && !changed)
        return NULL;
    if (!there)
        prb_json_push(list, reference(owner));
    patch = guarded_patch(seen);
    prb_json_patch_add(patch, "add", LIST, prb_take(list));
    return patch;
}

struct json_object *prb_patch_remove_owner(
        const struct prb_object *seen, const struct prb_owner *owner)
{
    prb_auto(prb_json_free) struct json_object *rest = json_object_new_array();
    struct json_object *patch;
    struct prb_owner at;

    check(owner);
    for (size_t i = 0; i < prb_object_owner_count(seen); i++) {
        if (!prb_object_owner_at(seen, i, &at) || !is_same_owner(&at, owner))
            prb_json_push(rest, prb_json_copy(prb_json_elem(owners(seen), i)));
    }
    if (prb_json_len(rest) == prb_object_owner_count(seen))
        return NULL;
    patch = guarded_patch(seen);
    if (prb_json_len(rest) == 0)
        prb_json_patch_add(patch, "remove", LIST, NULL);
    else
        prb_json_patch_add(patch, "replace", LIST, prb_take(rest));
    return patch;
}
