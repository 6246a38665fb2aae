/* What does the metadata of an object say: its times, labels, finalizers and owners? */

#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/model/object.h"

#include "text.h"

int64_t prb_object_generation(const struct prb_object *object)
{
    int64_t generation = 0;

    (void)prb_json_int(prb_object_metadata(object), "generation", &generation);
    return generation;
}

/* Wall time of a metadata field, 0 when it is absent or no time. */
static int64_t time_of(const struct prb_object *object, const char *key)
{
    const char *text = prb_json_str(prb_object_metadata(object), key);
    int64_t ms = 0;

    if (text)
        (void)prb_time_parse(text, &ms);
    return ms;
}

bool prb_object_is_deleting(const struct prb_object *object)
{
    const char *at = prb_json_str(prb_object_metadata(object), "deletionTimestamp");

    return at && at[0] != '\0';
}

int64_t prb_object_deleted_at_ms(const struct prb_object *object)
{
    return time_of(object, "deletionTimestamp");
}

int64_t prb_object_created_at_ms(const struct prb_object *object)
{
    return time_of(object, "creationTimestamp");
}

const char *prb_object_label(const struct prb_object *object, const char *key)
{
    return prb_json_str(prb_json_obj(prb_object_metadata(object), "labels"), key);
}

const char *prb_object_annotation(const struct prb_object *object, const char *key)
{
    return prb_json_str(prb_json_obj(prb_object_metadata(object), "annotations"), key);
}

static const struct json_object *finalizers(const struct prb_object *object)
{
    return prb_json_arr(prb_object_metadata(object), "finalizers");
}

bool prb_object_has_finalizer(const struct prb_object *object, const char *finalizer)
{
    for (size_t i = 0; i < prb_object_finalizer_count(object); i++) {
        const char *held = prb_object_finalizer_at(object, i);

        if (held && prb_streq(held, finalizer))
            return true;
    }
    return false;
}

size_t prb_object_finalizer_count(const struct prb_object *object)
{
    return prb_json_len(finalizers(object));
}

const char *prb_object_finalizer_at(const struct prb_object *object, size_t index)
{
    return prb_json_string(prb_json_elem(finalizers(object), index));
}

static const struct json_object *owners(const struct prb_object *object)
{
    return prb_json_arr(prb_object_metadata(object), "ownerReferences");
}

size_t prb_object_owner_count(const struct prb_object *object)
{
    return prb_json_len(owners(object));
}

bool prb_object_owner_at(const struct prb_object *object, size_t index, struct prb_owner *ret)
{
    const struct json_object *at = prb_json_elem(owners(object), index);
    struct prb_owner owner = { .controller = false };

    if (!json_object_is_type(at, json_type_object))
        return false;
    owner.api_version = or_empty(prb_json_str(at, "apiVersion"));
    owner.kind = or_empty(prb_json_str(at, "kind"));
    owner.name = or_empty(prb_json_str(at, "name"));
    owner.uid = or_empty(prb_json_str(at, "uid"));
    (void)prb_json_bool(at, "controller", &owner.controller);
    (void)prb_json_bool(at, "blockOwnerDeletion", &owner.block_owner_deletion);
    *ret = owner;
    return true;
}

bool prb_object_is_owned_by(const struct prb_object *object, const char *uid)
{
    struct prb_owner owner;

    /* An absent uid reads as "": it must not make everything without one an owner. */
    if (!uid || uid[0] == '\0')
        return false;
    for (size_t i = 0; i < prb_object_owner_count(object); i++) {
        if (prb_object_owner_at(object, i, &owner) && prb_streq(owner.uid, uid))
            return true;
    }
    return false;
}
