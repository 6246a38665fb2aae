/* Which object does a manifest mean, and which manifests can never be applied? */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "work_apply.h"

char *prb_object_key(
        const char *group, const char *resource, const char *namespace, const char *name)
{
    return prb_asprintf("%s/%s/%s/%s", group, resource, namespace, name);
}

/* There can be no object of it. */
#define never_was(item, again, ...)              \
    do {                                         \
        prb_item_fail(item, again, __VA_ARGS__); \
        (item)->seen = PRB_SEEN_ABSENT;          \
    } while (0)

/* ---- the kind ---- */

static const char *shown_group(const struct prb_manifest *manifest)
{
    return manifest->group[0] != '\0' ? manifest->group : "the core group";
}

/* What a search for the kind has brought; NULL: not searched in this pass. */
static const struct prb_outcome *searched(const struct prb_pass *pass, struct prb_item *item)
{
    const struct prb_manifest *manifest = item->manifest;
    prb_autofree char *slot = prb_asprintf("kind:%s/%s", manifest->group, manifest->kind);
    const struct prb_outcome *outcome = prb_view_outcome(pass->pair->view, slot);

    if (!outcome) {
        prb_changes_resolve(&item->asks, manifest->group, manifest->kind, slot);
        item->state = PRB_ITEM_READS;
    }
    return outcome;
}

static void find_kind(const struct prb_pass *pass, struct prb_item *item)
{
    const struct prb_manifest *manifest = item->manifest;
    const struct prb_known_resource *known =
            prb_view_resource(pass->pair->view, manifest->group, manifest->kind);
    const struct prb_outcome *outcome;

    if (known && known->state == PRB_RESOURCE_PRESENT) {
        item->resource = known;
        return;
    }
    outcome = searched(pass, item);
    if (!outcome)
        return;
    if (outcome->code == PRB_OK && outcome->resource)
        item->resource = outcome->resource;
    else if (outcome->code == PRB_E_NOTFOUND)
        never_was(item, true, "the cluster does not serve kind %s of %s", manifest->kind,
                shown_group(manifest));
    else
        prb_item_fail(item, true, "nobody knows whether the cluster serves kind %s: %s",
                manifest->kind, outcome->err ? outcome->err->msg : "no answer");
}

/* ---- the object ---- */

static bool make_ref(struct prb_item *item)
{
    const struct prb_manifest *manifest = item->manifest;
    const char *namespace = item->resource->namespaced ? manifest->namespace : "";
    struct prb_gvr gvr;

    /* A kind is found by its plural and short names too, and without regard to case. */
    if (!prb_streq(item->resource->kind, manifest->kind)) {
        never_was(item, false, "the cluster does not serve kind %s of %s; %s is meant?",
                manifest->kind, shown_group(manifest), item->resource->kind);
        return false;
    }
    if (item->resource->namespaced && namespace[0] == '\0') {
        never_was(item, false, "%s is a namespaced kind, and metadata.namespace is not set",
                manifest->kind);
        return false;
    }
    if (!prb_gvr_init(&gvr, manifest->group, manifest->version, item->resource->gvr.resource) ||
            !prb_ref_init(&item->ref, &gvr, namespace, manifest->name)) {
        never_was(item, false, "apiVersion, namespace or name is not possible");
        return false;
    }
    return true;
}

/* The first one counts: they would undo each other for ever. */
static bool is_first(struct prb_pass *pass, struct prb_item *item)
{
    prb_autofree char *key = prb_object_key(
            item->ref.gvr.group, item->ref.gvr.resource, item->ref.namespace, item->ref.name);
    const struct prb_item *first = prb_map_find(pass->by_object, key);
    char what[PRB_REF_TEXT_SIZE];

    if (!first) {
        prb_map_set(pass->by_object, key, item);
        return true;
    }
    item->first = first;
    prb_ref_describe(&item->ref, what);
    prb_item_fail(item, false, "manifest %zu is %s too, and comes first: only that one is applied",
            first->manifest->ordinal, what);
    return false;
}

/* ---- what it should be ---- */

static void hash_want(const struct prb_pass *pass, struct prb_item *item)
{
    const char *manager = item->config ? item->config->field_manager : "";
    bool force = item->config && item->config->force;
    prb_autofree char *body = prb_json_text(item->body, true);
    prb_autofree char *all = prb_asprintf("%d %d %d %s %s %s", (int)item->strategy, item->owned,
            force, manager, prb_object_uid(pass->pair->applied), body);

    prb_sha256_hex(all, strlen(all), item->want);
}

/* The hash of the manifest goes along with it, so that a field that is taken out of the manifest
 * makes a difference to what is there. */
static void add_hash(struct prb_item *item)
{
    prb_autofree char *text = prb_json_text(item->body, true);
    struct json_object *metadata = prb_json_obj(item->body, "metadata");
    char hash[PRB_SHA256_HEX_SIZE];

    prb_sha256_hex(text, strlen(text), hash);
    prb_json_set_str(
            prb_json_ensure_obj(metadata, "annotations"), PRB_ANNOTATION_MANIFEST_HASH, hash);
}

static void describe(struct prb_pass *pass, struct prb_item *item)
{
    const struct prb_ref *ref = &item->ref;

    item->has_ref = true;
    item->config = prb_manifest_work_config(
            &pass->work, ref->gvr.group, ref->gvr.resource, ref->namespace, ref->name);
    item->strategy = item->config ? item->config->strategy : PRB_UPDATE;
    item->owned = item->strategy != PRB_READ_ONLY &&
                  !prb_work_must_stay(ref->gvr.group, ref->gvr.resource, ref->name) &&
                  prb_delete_option_owns(&pass->work.option, ref->gvr.group, ref->gvr.resource,
                          ref->namespace, ref->name);
    item->body = prb_manifest_body(item->manifest, ref->namespace);
    if (item->strategy == PRB_UPDATE)
        add_hash(item);
    hash_want(pass, item);
    if (item->strategy == PRB_UPDATE_UNKNOWN)
        prb_item_fail(item, false, "%s", item->config->trouble);
}

/* Each kind once, whichever manifests wait for it. */
static void ask(struct prb_pass *pass)
{
    prb_auto(prb_map_free) struct prb_map *asked = prb_map_new(NULL);

    for (size_t i = 0; i < pass->count; i++) {
        struct prb_item *item = &pass->items[i];
        const char *slot = item->asks.count > 0 ? item->asks.items[0].slot : NULL;

        if (!slot || prb_map_find(asked, slot))
            continue;
        prb_map_set(asked, slot, item);
        prb_changes_move(pass->pair->out, &item->asks);
    }
    prb_changes_go_on(pass->pair->out);
}

bool prb_apply_kinds(struct prb_pass *pass)
{
    bool asked = false;

    for (size_t i = 0; i < pass->count; i++) {
        struct prb_item *item = &pass->items[i];

        if (item->manifest->defect[0] != '\0')
            never_was(item, false, "%s", item->manifest->defect);
        else
            find_kind(pass, item);
        if (item->resource && make_ref(item) && is_first(pass, item))
            describe(pass, item);
        asked |= item->state == PRB_ITEM_READS;
    }
    if (asked)
        ask(pass);
    return asked;
}
