/* Of which kind is a manifest, when nothing may say so? */

#include "guess.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "versions.h"

struct type {
    char group[PRB_GROUP_SIZE];
    char version[PRB_VERSION_SIZE];
    const char *kind; /* borrowed */
};

static bool type_of(const struct json_object *tree, struct type *ret)
{
    const char *api_version = prb_json_str(tree, "apiVersion");

    ret->kind = prb_json_str(tree, "kind");
    return api_version && ret->kind && prb_api_version_parse(api_version, ret->group, ret->version);
}

static bool same_kind(const struct prb_hub_document *document, const struct type *type)
{
    struct type other;

    return type_of(document->tree, &other) && prb_streq(other.group, type->group) &&
           prb_streq(other.kind, type->kind);
}

/* Has any document of that kind a namespace? */
static bool is_namespaced(const struct prb_hub_documents *documents, const struct type *type)
{
    for (size_t i = 0; i < documents->count; i++) {
        const struct prb_hub_document *document = &documents->items[i];

        if (same_kind(document, type) &&
                prb_json_str(prb_json_obj(document->tree, "metadata"), "namespace"))
            return true;
    }
    return false;
}

static bool has(const struct json_object *texts, const char *text)
{
    for (size_t i = 0; i < prb_json_len(texts); i++) {
        if (prb_streq(prb_json_string(prb_json_elem(texts, i)), text))
            return true;
    }
    return false;
}

/* All versions that documents of that kind are in, the preferred one first. */
static char *versions_of(const struct prb_hub_documents *documents, const struct type *type)
{
    prb_auto(prb_json_free) struct json_object *names = json_object_new_array();
    struct type other;

    for (size_t i = 0; i < documents->count; i++) {
        if (same_kind(&documents->items[i], type) && type_of(documents->items[i].tree, &other) &&
                !has(names, other.version))
            prb_json_push(names, json_object_new_string(other.version));
    }
    prb_hub_versions_sort(names);
    return prb_hub_names_join(names);
}

static int guess(struct prb_hub *hub, const struct prb_hub_documents *documents,
        const struct type *type, struct prb_hub_kind **ret, struct json_object *notes,
        struct prb_error *err)
{
    prb_autofree char *versions = versions_of(documents, type);
    prb_autofree char *note = NULL;
    bool namespaced = is_namespaced(documents, type);
    char plural[PRB_RESOURCE_SIZE];
    struct prb_hub_kind *kind = NULL;

    prb_hub_guess_plural(type->kind, plural);
    if (!prb_hub_kind_find(hub->kinds, type->group, plural))
        kind = prb_hub_kind_add(
                hub->kinds, &(struct prb_hub_kind_spec){ .group = type->group,
                                    .versions = versions,
                                    .resource = plural,
                                    .kind = type->kind,
                                    .flags = PRB_HUB_CUSTOM | PRB_HUB_GENERATION | PRB_HUB_STATUS |
                                             (namespaced ? PRB_HUB_NAMESPACED : 0) });
    if (!kind)
        return prb_fail(err, PRB_E_INVALID, "no resource can be made of kind %s in group \"%s\"",
                type->kind, type->group);
    note = prb_asprintf("no CRD or XRD defines kind %s of group \"%s\": it is served as %s, %s",
            type->kind, type->group, plural, namespaced ? "namespaced" : "cluster-scoped");
    prb_json_push(notes, json_object_new_string(note));
    *ret = kind;
    return 0;
}

int prb_hub_guess_kind(struct prb_hub *hub, const struct prb_hub_documents *documents,
        const struct json_object *tree, struct prb_hub_kind **ret, struct json_object *notes,
        struct prb_error *err)
{
    struct prb_hub_kind *kind;
    struct type type;

    if (!type_of(tree, &type))
        return prb_fail(
                err, PRB_E_INVALID, "apiVersion \"%s\" is none", prb_json_str(tree, "apiVersion"));
    kind = prb_hub_kind_of(hub->kinds, type.group, type.kind);
    if (!kind)
        return guess(hub, documents, &type, ret, notes, err);
    if (!prb_hub_kind_has_version(kind, type.version))
        return prb_fail(err, PRB_E_INVALID, "%s is not served in version %s (only in %s)",
                type.kind, type.version, kind->versions);
    *ret = kind;
    return 0;
}
