/* Which writes does a reconciler want, and under which preconditions? */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/defect.h"
#include "probate/model/patch.h"

#include "changes_internal.h"

static struct prb_change *last(struct prb_changes *changes)
{
    if (changes->count == 0)
        prb_defect("the last change of an empty list");
    return &changes->items[changes->count - 1];
}

void prb_changes_set_manager(struct prb_changes *changes, const char *field_manager, bool force)
{
    struct prb_change *change = last(changes);

    if (change->type != PRB_CHANGE_APPLY)
        prb_defect("a field manager of what is no apply");
    free(change->field_manager);
    change->field_manager = prb_strdup(field_manager);
    change->gentle = !force;
}

void prb_changes_set_slot(struct prb_changes *changes, const char *slot)
{
    struct prb_change *change = last(changes);

    /* Most likely it was meant for one that needed no change: what is kept for the one slot would
     * be taken for the other. */
    if (change->type == PRB_CHANGE_EVENT || change->slot)
        prb_defect("a slot for what has none, or has one");
    change->slot = prb_strdup(slot);
}

static bool is_said(const struct json_object *metadata, const char *key)
{
    const char *text = prb_json_str(metadata, key);

    return text && text[0] != '\0';
}

void prb_changes_create(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *why)
{
    prb_changes_append(changes, PRB_CHANGE_CREATE, ref, why)->body = body_taken;
}

void prb_changes_try_create(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *why)
{
    struct prb_change *change = prb_changes_append(changes, PRB_CHANGE_CREATE, ref, why);

    change->body = body_taken;
    change->is_trial = true;
}

void prb_changes_merge_patch(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *patch_taken, const char *subresource, const char *resource_version,
        const char *why)
{
    struct prb_change *change = prb_changes_append(changes, PRB_CHANGE_MERGE_PATCH, ref, why);

    change->body = patch_taken;
    change->subresource = subresource;
    change->resource_version = prb_strdup(resource_version);
}

void prb_changes_json_patch(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *patch_taken, const char *subresource, const char *why)
{
    struct prb_change *change = prb_changes_append(changes, PRB_CHANGE_JSON_PATCH, ref, why);

    change->body = patch_taken;
    change->subresource = subresource;
}

void prb_changes_apply(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *subresource, const char *why)
{
    struct prb_change *change = prb_changes_append(changes, PRB_CHANGE_APPLY, ref, why);

    change->body = body_taken;
    change->subresource = subresource;
}

void prb_changes_update(struct prb_changes *changes, const struct prb_ref *ref,
        struct json_object *body_taken, const char *why)
{
    const struct json_object *metadata = prb_json_obj(body_taken, "metadata");

    /* Without these it would overwrite what nobody has looked at. */
    if (!is_said(metadata, "uid") || !is_said(metadata, "resourceVersion"))
        prb_defect("an update without the uid and the version of what was seen");
    prb_changes_append(changes, PRB_CHANGE_UPDATE, ref, why)->body = body_taken;
}

void prb_changes_delete(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, enum prb_propagation propagation, const char *why)
{
    struct prb_change *change;

    if (!object || prb_object_uid(object)[0] == '\0')
        prb_defect("a delete without the uid of what was seen");
    change = prb_changes_append(changes, PRB_CHANGE_DELETE, ref, why);
    change->uid = prb_strdup(prb_object_uid(object));
    change->propagation = propagation;
    change->absent_is_done = true;
}

void prb_changes_delete_unchanged(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, enum prb_propagation propagation, const char *why)
{
    prb_changes_delete(changes, ref, object, propagation, why);
    last(changes)->resource_version = prb_strdup(prb_object_resource_version(object));
}

void prb_changes_add_finalizer(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, const char *finalizer, const char *why)
{
    struct json_object *patch = prb_patch_add_finalizer(object, finalizer);

    if (patch)
        prb_changes_json_patch(changes, ref, patch, NULL, why);
}

void prb_changes_remove_finalizer(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, const char *finalizer, const char *why)
{
    struct json_object *patch = prb_patch_remove_finalizer(object, finalizer);

    if (!patch)
        return;
    prb_changes_json_patch(changes, ref, patch, NULL, why);

    /* What is gone carries no finalizer. */
    last(changes)->absent_is_done = true;
}

void prb_changes_add_owner(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, const struct prb_owner *owner, const char *why)
{
    struct json_object *patch = prb_patch_add_owner(object, owner);

    if (patch)
        prb_changes_json_patch(changes, ref, patch, NULL, why);
}

void prb_changes_remove_owner(struct prb_changes *changes, const struct prb_ref *ref,
        const struct prb_object *object, const struct prb_owner *owner, const char *why)
{
    struct json_object *patch = prb_patch_remove_owner(object, owner);

    if (!patch)
        return;
    prb_changes_json_patch(changes, ref, patch, NULL, why);

    /* What is gone has no owners. */
    last(changes)->absent_is_done = true;
}
