/* Which resources does an AppliedManifestWork have on record? */

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "work_remove.h"

static const char *text_of(const struct json_object *item, const char *key)
{
    const char *text = prb_json_str(item, key);

    return text ? text : "";
}

/* May such a thing be asked for at all? The hub's side has groups that no cluster serves: who can
 * write a record must not reach through it to the hub. */
static bool is_possible(const struct prb_applied_entry *entry)
{
    struct prb_gvr gvr;
    struct prb_ref ref;

    /* The version is not used, and may be anything. */
    return prb_gvr_init(&gvr, entry->group, "v1", entry->resource) &&
           !prb_side_is_hub(entry->group) &&
           prb_ref_init(&ref, &gvr, entry->namespace, entry->name);
}

/* A member that is there and no string is not the same as one that is absent. */
static bool is_text(const struct json_object *item, const char *key)
{
    return !prb_json_find(item, key) || prb_json_str(item, key);
}

static bool read_entry(const struct json_object *item, struct prb_applied_entry *ret)
{
    static const char *const keys[] = { "group", "version", "resource", "namespace", "name",
        "uid" };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (!is_text(item, keys[i]))
            return false;
    }
    *ret = (struct prb_applied_entry){
        .group = text_of(item, "group"),
        .version = text_of(item, "version"),
        .resource = text_of(item, "resource"),
        .namespace = text_of(item, "namespace"),
        .name = text_of(item, "name"),
        .uid = text_of(item, "uid"),
    };
    return is_possible(ret);
}

static const struct json_object *list_of(const struct prb_object *applied)
{
    return prb_json_arr(prb_object_status(applied), "appliedResources");
}

struct prb_applied_entry *prb_applied_entries(const struct prb_object *applied, size_t *ret_count)
{
    return prb_removal_entries(applied, NULL, ret_count);
}

size_t prb_applied_malformed(const struct prb_object *applied, size_t *ret_first)
{
    const struct json_object *list = list_of(applied);
    struct prb_applied_entry entry;
    size_t count = 0;

    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (read_entry(prb_json_elem(list, i), &entry))
            continue;
        if (count++ == 0)
            *ret_first = i;
    }
    return count;
}

struct prb_applied_entry *prb_removal_entries(
        const struct prb_object *applied, const struct prb_manifest_work *work, size_t *ret_count)
{
    const struct json_object *list = list_of(applied);
    size_t room = prb_json_len(list) + (work ? work->count : 0), count = 0;
    struct prb_applied_entry *entries = prb_calloc(room + 1, sizeof(*entries));

    for (size_t i = 0; i < prb_json_len(list); i++)
        count += read_entry(prb_json_elem(list, i), &entries[count]) ? 1 : 0;
    for (size_t i = 0; work && i < work->count; i++) {
        const struct prb_manifest *manifest = &work->manifests[i];

        /* What can never be applied was not; nor was what would have to be looked for on the hub.
         */
        if (manifest->defect[0] == '\0' && !prb_side_is_hub(manifest->group))
            entries[count++] = (struct prb_applied_entry){ .group = manifest->group,
                .version = manifest->version,
                .resource = manifest->kind,
                .namespace = manifest->namespace,
                .name = manifest->name,
                .uid = "",
                .by_kind = true };
    }
    *ret_count = count;
    return entries;
}

char *prb_applied_entry_key(const struct prb_applied_entry *entry)
{
    return prb_asprintf(
            "%s.%s/%s/%s", entry->resource, entry->group, entry->namespace, entry->name);
}
