/*
 * What is one API object? A tree that nobody changes any more, with a count of those who hold it
 * and pointers to the few texts that everyone asks for.
 */

#include "probate/model/object.h"

#include <stdatomic.h>
#include <string.h>

#include "probate/base/mem.h"

#include "object_internal.h"
#include "text.h"

struct prb_object {
    atomic_uint refs;
    struct json_object *tree;     /* owned */
    struct json_object *metadata; /* into the tree, as all below; NULL in a draft without it */
    const char *name;
    const char *namespace;
    const char *uid;
    const char *resource_version;
    char *defect; /* owned: "spec: nested too deeply"; NULL: it is whole */
    bool more;    /* not only that member */
};

static struct prb_object *make(struct json_object *tree_taken)
{
    struct json_object *metadata = prb_json_obj(tree_taken, "metadata");
    struct prb_object *object = prb_calloc(1, sizeof(*object));

    atomic_init(&object->refs, 1);
    object->tree = tree_taken;
    object->metadata = metadata;
    object->name = or_empty(prb_json_str(metadata, "name"));
    object->namespace = or_empty(prb_json_str(metadata, "namespace"));
    object->uid = or_empty(prb_json_str(metadata, "uid"));
    object->resource_version = or_empty(prb_json_str(metadata, "resourceVersion"));
    return object;
}

int prb_object_draft(struct json_object *tree_taken, struct prb_object **ret, struct prb_error *err)
{
    if (!json_object_is_type(tree_taken, json_type_object)) {
        prb_json_free(tree_taken);
        return prb_fail(err, PRB_E_INVALID, "not an object");
    }
    *ret = make(tree_taken);
    return 0;
}

int prb_object_new(struct json_object *tree_taken, struct prb_object **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree = tree_taken;
    const char *name = prb_json_str(prb_json_obj(tree, "metadata"), "name");

    if (json_object_is_type(tree, json_type_object) && (!name || name[0] == '\0'))
        return prb_fail(err, PRB_E_INVALID, "metadata.name is missing or not a string");
    return prb_object_draft(prb_take(tree), ret, err);
}

/* Everyone holds objects as const, and yet the count moves and the last one frees. */
static struct prb_object *counted(const struct prb_object *object)
{
    struct prb_object *same;

    memcpy(&same, &object, sizeof(struct prb_object *));
    return same;
}

struct prb_object *prb_object_ref(const struct prb_object *object)
{
    struct prb_object *same = counted(object);

    /* Who adds a reference already has one: nothing has to be seen in order. */
    (void)atomic_fetch_add_explicit(&same->refs, 1, memory_order_relaxed);
    return same;
}

void prb_object_unref(const struct prb_object *object)
{
    struct prb_object *same = counted(object);

    /* Every reader's last look comes before the free by whoever was last. */
    if (!same || atomic_fetch_sub_explicit(&same->refs, 1, memory_order_acq_rel) != 1)
        return;
    prb_json_free(same->tree);
    free(same->defect);
    free(same);
}

void prb_object_set_defect(struct prb_object *object, const char *member, const char *why)
{
    if (object->defect)
        object->more = true;
    else
        object->defect = prb_asprintf("%s: %s", member, why);
}

const char *prb_object_defect(const struct prb_object *object)
{
    return object->defect;
}

void prb_object_pass_defect(
        const struct prb_object *from, const char *const *keeps, struct prb_object *to)
{
    const char *member = from->defect;
    size_t len = member ? strcspn(member, ":") : 0;
    bool kept = from->more;

    for (; member && !kept && keeps && *keeps; keeps++)
        kept = strncmp(*keeps, member, len) == 0 && ((*keeps)[len] == '.' || !(*keeps)[len]);
    if (member && kept) {
        to->defect = prb_strdup(member);
        to->more = from->more;
    }
}

const struct json_object *prb_object_tree(const struct prb_object *object)
{
    return object->tree;
}

struct json_object *prb_object_copy(const struct prb_object *object)
{
    return prb_json_copy(object->tree);
}

const struct json_object *prb_object_metadata(const struct prb_object *object)
{
    return object->metadata;
}

const char *prb_object_api_version(const struct prb_object *object)
{
    return or_empty(prb_json_str(object->tree, "apiVersion"));
}

const char *prb_object_kind(const struct prb_object *object)
{
    return or_empty(prb_json_str(object->tree, "kind"));
}

const char *prb_object_name(const struct prb_object *object)
{
    return object->name;
}

const char *prb_object_namespace(const struct prb_object *object)
{
    return object->namespace;
}

const char *prb_object_uid(const struct prb_object *object)
{
    return object->uid;
}

const char *prb_object_resource_version(const struct prb_object *object)
{
    return object->resource_version;
}

const struct json_object *prb_object_spec(const struct prb_object *object)
{
    return prb_json_obj(object->tree, "spec");
}

const struct json_object *prb_object_status(const struct prb_object *object)
{
    return prb_json_obj(object->tree, "status");
}

bool prb_object_ref_in(
        const struct prb_object *object, const struct prb_gvr *gvr, struct prb_ref *ret)
{
    return prb_ref_init(ret, gvr, object->namespace, object->name);
}
