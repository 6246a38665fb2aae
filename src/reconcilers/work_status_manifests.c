/*
 * What does a work say of each of its manifests?
 *
 * The list is written whole, so all that others have put into it goes along: the feedback, and the
 * conditions that are not ours.
 */

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "condition.h"
#include "work_apply.h"

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

enum prb_item_seen prb_item_presence(const struct prb_item *item)
{
    return item->first ? item->first->seen : item->seen;
}

/* ---- which of the entries that are there is it? ---- */

static bool is_about(const struct json_object *entry, const struct prb_manifest *manifest)
{
    const struct json_object *meta = prb_json_obj(entry, "resourceMeta");

    return prb_streq(or_empty(prb_json_str(meta, "name")), manifest->name) &&
           prb_streq(or_empty(prb_json_str(meta, "kind")), manifest->kind) &&
           prb_streq(or_empty(prb_json_str(meta, "group")), manifest->group) &&
           prb_streq(or_empty(prb_json_str(meta, "namespace")), manifest->namespace);
}

static bool is_at(const struct json_object *entry, size_t ordinal)
{
    int64_t at = -1;

    return prb_json_int(prb_json_obj(entry, "resourceMeta"), "ordinal", &at) &&
           at == (int64_t)ordinal;
}

/* In its own place if it is there, else anywhere: manifests move. */
static const struct json_object *find_entry(
        const struct json_object *list, const struct prb_manifest *manifest)
{
    const struct json_object *found = NULL;

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *entry = prb_json_elem(list, i);

        if (!is_about(entry, manifest))
            continue;
        if (is_at(entry, manifest->ordinal))
            return entry;
        if (!found && manifest->name[0] != '\0')
            found = entry;
    }
    return found;
}

/* ---- one entry ---- */

static struct json_object *meta_json(const struct prb_item *item)
{
    const struct prb_manifest *manifest = item->manifest;
    bool known = item->has_ref || item->first;
    struct json_object *meta = json_object_new_object();

    prb_json_set_int(meta, "ordinal", (int64_t)manifest->ordinal);
    prb_set_text(meta, "group", manifest->group);
    prb_set_text(meta, "version", manifest->version);
    prb_set_text(meta, "kind", manifest->kind);
    prb_set_text(meta, "resource", known ? item->ref.gvr.resource : "");
    prb_set_text(meta, "name", manifest->name);
    prb_set_text(meta, "namespace", known ? item->ref.namespace : manifest->namespace);
    return meta;
}

static void set_applied(
        const struct prb_pass *pass, const struct prb_item *item, struct json_object *list)
{
    bool done = item->state == PRB_ITEM_DONE;
    const struct prb_condition condition = { .type = "Applied",
        .status = done ? "True" : "False",
        .reason = done ? "AppliedManifestComplete" : "AppliedManifestFailed",
        .message = !done                             ? item->trouble
                   : item->strategy == PRB_READ_ONLY ? "it is ReadOnly, and there"
                                                     : "applied",
        .observed_generation = prb_object_generation(pass->pair->work) };

    prb_work_condition(list, &condition, prb_view_now_ms(pass->pair->view));
}

static void set_available(
        const struct prb_pass *pass, const struct prb_item *item, struct json_object *list)
{
    static const struct prb_condition texts[] = {
        [PRB_SEEN_UNKNOWN] = { "Available", "Unknown", "FetchingResourceFailed",
                "it is not known whether the resource is there", 0 },
        [PRB_SEEN_THERE] = { "Available", "True", "ResourceAvailable", "the resource is there", 0 },
        [PRB_SEEN_ABSENT] = { "Available", "False", "ResourceNotAvailable",
                "the resource is not there", 0 },
    };
    struct prb_condition condition = texts[prb_item_presence(item)];

    condition.observed_generation = prb_object_generation(pass->pair->work);
    prb_work_condition(list, &condition, prb_view_now_ms(pass->pair->view));
}

static struct json_object *entry_json(
        const struct prb_pass *pass, const struct prb_item *item, const struct json_object *before)
{
    struct json_object *entry = before ? prb_json_copy(before) : json_object_new_object();
    struct json_object *list = prb_json_arr(entry, "conditions");

    if (!list) {
        list = json_object_new_array();
        prb_json_set(entry, "conditions", list);
    }
    prb_json_set(entry, "resourceMeta", meta_json(item));
    set_applied(pass, item, list);
    set_available(pass, item, list);
    return entry;
}

struct json_object *prb_work_status_manifests(const struct prb_pass *pass)
{
    const struct json_object *seen = prb_json_arr(
            prb_json_obj(prb_object_status(pass->pair->work), "resourceStatus"), "manifests");
    struct json_object *list = json_object_new_array();
    prb_autofree size_t *places = prb_calloc(pass->count + 1, sizeof(*places)); /* by ordinal */

    for (size_t i = 0; i < pass->count; i++)
        places[pass->items[i].manifest->ordinal] = i;
    for (size_t i = 0; i < pass->count; i++) {
        const struct prb_item *item = &pass->items[places[i]];

        prb_json_push(list, entry_json(pass, item, find_entry(seen, item->manifest)));
    }
    return list;
}
