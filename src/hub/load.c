/* How does a world of manifests become the content of a hub, just as it is given? */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "create.h"
#include "definitions.h"
#include "documents.h"
#include "guess.h"
#include "meta.h"
#include "namespaces.h"
#include "objects.h"
#include "valid.h"

struct loading {
    struct prb_hub *hub;
    const struct prb_hub_documents *documents;
    struct prb_map *places;    /* owned: kind and key of what was loaded to its place, owned */
    struct json_object *notes; /* owned: texts for the caller's note function */
};

static void loading_donep(struct loading *loading)
{
    prb_map_free(loading->places);
    prb_json_free(loading->notes);
}

/* Complete the object as the server would have it: only what is absent is filled in. */
static void complete(struct prb_hub *hub, const struct prb_hub_kind *kind, struct json_object *tree)
{
    bool deleting = prb_json_str(prb_hub_meta(tree), "deletionTimestamp") != NULL;
    prb_auto(prb_json_free) struct json_object *status = NULL;

    prb_hub_stamp_new(hub, tree);
    prb_hub_meta_tidy(tree);
    if (kind->flags & PRB_HUB_GENERATION && !prb_json_has(prb_hub_meta(tree), "generation"))
        prb_json_set_int(prb_hub_meta(tree), "generation", 1);
    if (prb_hub_kind_is(kind, PRB_HUB_CRD_GROUP, PRB_HUB_CRDS) && !deleting)
        (void)prb_hub_definition_establish(hub, tree);
    if (!prb_hub_kind_is(kind, "", "namespaces"))
        return;
    status = prb_json_copy(prb_json_obj(tree, "status"));
    if (!prb_json_arr(prb_json_obj(tree, "spec"), "finalizers"))
        prb_hub_namespace_begin(tree);
    if (status)
        prb_json_set(tree, "status", prb_take(status));
    if (deleting || !prb_json_str(prb_json_obj(tree, "status"), "phase"))
        prb_json_set_str(
                prb_json_ensure_obj(tree, "status"), "phase", deleting ? "Terminating" : "Active");
}

static int check(struct loading *loading, const struct prb_hub_kind *kind,
        const struct json_object *tree, struct prb_error *err)
{
    const struct json_object *metadata = prb_json_obj(tree, "metadata");
    const char *name = prb_json_str(metadata, "name"), *uid = prb_json_str(metadata, "uid");
    const struct prb_hub_entry *same = prb_hub_find_uid(loading->hub, uid);
    struct prb_ref ref;
    int r;

    if (!prb_ref_init(&ref, &kind->resource.gvr, prb_json_str(metadata, "namespace"), name))
        return prb_fail(err, PRB_E_INVALID, "a name that cannot be in a URL");
    r = prb_hub_valid(kind, tree, err);
    if (r == 0)
        r = prb_hub_definition_check(kind, name, tree, err);
    if (r < 0)
        return r;
    if (same)
        return prb_fail(err, PRB_E_INVALID, "uid %s is that of %s %s already", uid,
                same->kind->resource.gvr.resource, prb_object_name(same->object));
    if (prb_json_str(metadata, "deletionTimestamp") && prb_hub_finalizer_count(kind, tree) == 0)
        return prb_fail(err, PRB_E_INVALID,
                "deletionTimestamp without a finalizer: no API server holds such an object");
    if (loading->hub->count >= PRB_HUB_OBJECTS_MAX)
        return prb_fail(
                err, PRB_E_INVALID, "more than %d objects are too many", PRB_HUB_OBJECTS_MAX);
    return 0;
}

/* Nothing may be there twice; the refusal names the other place where that is known. */
static int check_single(struct loading *loading, const struct prb_hub_kind *kind, const char *key,
        const char *place, struct prb_error *err)
{
    prb_autofree char *id =
            prb_asprintf("%s.%s %s", kind->resource.gvr.resource, kind->resource.gvr.group, key);
    const char *before = prb_map_find(loading->places, id);

    if (before)
        return prb_fail(err, PRB_E_INVALID, "%s %s is in %s already", kind->resource.kind,
                key[0] == '/' ? key + 1 : key, before);
    if (prb_hub_find_key(kind, key))
        return prb_fail(err, PRB_E_EXISTS, "%s %s is in the hub already", kind->resource.kind,
                key[0] == '/' ? key + 1 : key);
    prb_map_set(loading->places, id, prb_strdup(place));
    return 0;
}

/* What the document has to say before anything can be made of it. */
static int check_document(const struct json_object *tree, struct prb_error *err)
{
    if (!prb_json_str(tree, "apiVersion"))
        return prb_fail(err, PRB_E_INVALID, "apiVersion is missing");
    if (!prb_json_str(tree, "kind"))
        return prb_fail(err, PRB_E_INVALID, "kind is missing");
    if (prb_hub_valid_types(tree, err) < 0)
        return err->code;
    if (!prb_json_str(prb_json_obj(tree, "metadata"), "name"))
        return prb_fail(err, PRB_E_INVALID, "metadata.name is missing");
    return 0;
}

/* Objects without a namespace go where kubectl would put them. */
static void set_namespace(const struct prb_hub_kind *kind, struct json_object *tree)
{
    const char *namespace = prb_json_str(prb_hub_meta(tree), "namespace");

    if (!kind->resource.namespaced)
        prb_json_del(prb_hub_meta(tree), "namespace");
    else if (!namespace || namespace[0] == '\0')
        prb_json_set_str(prb_hub_meta(tree), "namespace", "default");
}

static int load_one(
        struct loading *loading, const struct prb_hub_document *document, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree = prb_json_copy(document->tree);
    const struct json_object *metadata;
    const char *namespace;
    struct prb_hub_kind *kind;
    char key[PRB_HUB_KEY_SIZE];
    int r = prb_hub_guess_kind(loading->hub, loading->documents, tree, &kind, loading->notes, err);

    if (r < 0)
        return r;
    set_namespace(kind, tree);
    complete(loading->hub, kind, tree);
    r = check(loading, kind, tree, err);
    if (r < 0)
        return r;
    metadata = prb_json_obj(tree, "metadata");
    namespace = prb_json_str(metadata, "namespace");
    prb_hub_key(namespace ? namespace : "", prb_json_str(metadata, "name"), key);
    r = check_single(loading, kind, key, document->place, err);
    if (r < 0)
        return r;
    return prb_hub_put(loading->hub, kind, prb_take(tree), NULL, err);
}

static bool is_definition(const struct json_object *tree)
{
    const char *api_version = prb_json_str(tree, "apiVersion"), *kind = prb_json_str(tree, "kind");

    return (prb_starts_with(api_version, PRB_HUB_CRD_GROUP "/") &&
                   prb_streq(kind, "CustomResourceDefinition")) ||
           (prb_starts_with(api_version, PRB_HUB_XRD_GROUP "/") &&
                   prb_streq(kind, "CompositeResourceDefinition"));
}

/* Load either what defines kinds, or all else. */
static int load_some(struct loading *loading, bool definitions, struct prb_error *err)
{
    for (size_t i = 0; i < loading->documents->count; i++) {
        const struct prb_hub_document *document = &loading->documents->items[i];
        int r = check_document(document->tree, err);

        if (r == 0 && is_definition(document->tree) == definitions)
            r = load_one(loading, document, err);
        if (r < 0)
            return prb_wrap(err, "%s", document->place);
    }
    return 0;
}

/* Every namespace that is used is there. */
static void ensure_namespaces(struct loading *loading)
{
    size_t at = 0;
    const char *id;
    void *place;

    while (prb_map_next(loading->places, &at, &id, &place)) {
        const char *key = strchr(id, ' ') + 1;
        prb_autofree char *namespace = prb_strndup(key, strcspn(key, "/"));

        if (namespace[0] != '\0')
            prb_hub_namespace_ensure(loading->hub, namespace);
    }
}

static int load(struct prb_hub *hub, const struct prb_hub_documents *documents,
        prb_hub_note_fn note, void *ctx, struct prb_error *err)
{
    prb_auto(loading_done) struct loading loading = { .hub = hub,
        .documents = documents,
        .places = prb_map_new(free),
        .notes = json_object_new_array() };
    int r;

    (void)pthread_mutex_lock(&hub->lock);
    hub->loading = true;
    r = load_some(&loading, true, err);
    if (r == 0)
        r = load_some(&loading, false, err);
    ensure_namespaces(&loading);
    hub->loading = false;
    (void)pthread_mutex_unlock(&hub->lock);
    for (size_t i = 0; note && i < prb_json_len(loading.notes); i++)
        note(ctx, prb_json_string(prb_json_elem(loading.notes, i)));
    return r;
}

int prb_hub_load(struct prb_hub *hub, const char *dir, prb_hub_note_fn note, void *ctx,
        struct prb_error *err)
{
    prb_auto(prb_hub_documents_done) struct prb_hub_documents documents = { .count = 0 };
    int r = prb_hub_documents_read_dir(&documents, dir, err);

    return r < 0 ? r : load(hub, &documents, note, ctx, err);
}

int prb_hub_load_text(struct prb_hub *hub, const char *text, size_t len, struct prb_error *err)
{
    prb_auto(prb_hub_documents_done) struct prb_hub_documents documents = { .count = 0 };
    int r = prb_hub_documents_read(&documents, NULL, text, len, false, err);

    return r < 0 ? r : load(hub, &documents, NULL, NULL, err);
}
