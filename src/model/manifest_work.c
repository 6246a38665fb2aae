/* What does a ManifestWork ask for, and which of it can never be applied? */

#include "probate/model/manifest_work.h"

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/side.h"

#include "manifest_internal.h"
#include "text.h"

#define WORK_GROUP "work.open-cluster-management.io"

/* The first thing that is wrong: a person mends one after the other anyway. */
__attribute__((format(printf, 2, 3))) static void blame(
        struct prb_manifest *manifest, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(manifest->defect, sizeof(manifest->defect), fmt, args);
    va_end(args);
}

/* Could an object of this name be asked for? */
static bool is_name(const struct prb_manifest *manifest)
{
    const struct prb_gvr any = { .version = "v1", .resource = "any" };
    struct prb_ref ref;

    return prb_ref_init(&ref, &any, manifest->namespace, manifest->name);
}

static void check_type(struct prb_manifest *manifest)
{
    const char *api_version = prb_json_str(manifest->raw, "apiVersion");

    if (!manifest->raw)
        blame(manifest, "the manifest is not a map");
    else if (!api_version || api_version[0] == '\0')
        blame(manifest, "the manifest has no apiVersion");
    else if (!prb_api_version_parse(api_version, manifest->group, manifest->version))
        blame(manifest, "apiVersion \"%.80s\" is malformed", api_version);
    else if (prb_side_is_hub(manifest->group)) /* it would be sent to the hub, with our rights */
        blame(manifest, "group \"%.80s\" is not one of a cluster", manifest->group);
    else if (manifest->kind[0] == '\0')
        blame(manifest, "the manifest has no kind");
    else if (prb_manifest_is(manifest->raw, WORK_GROUP, "AppliedManifestWork"))
        blame(manifest, "an AppliedManifestWork is an agent's own record of a work, and not to be "
                        "brought by one");
}

static void check_name(struct prb_manifest *manifest)
{
    const struct json_object *metadata = prb_json_obj(manifest->raw, "metadata");

    if (manifest->defect[0] != '\0')
        return;
    if (manifest->name[0] == '\0' && prb_json_str(metadata, "generateName"))
        blame(manifest, "generateName is not supported: nobody could find the object again, give "
                        "it a metadata.name");
    else if (manifest->name[0] == '\0')
        blame(manifest, "the manifest has no metadata.name");
    else if (!is_name(manifest))
        blame(manifest, "namespace \"%.70s\" or name \"%.70s\" is not possible",
                manifest->namespace, manifest->name);
}

static void read_manifest(
        const struct json_object *source, size_t ordinal, struct prb_manifest *ret)
{
    const struct json_object *metadata = prb_json_obj(source, "metadata");

    *ret = (struct prb_manifest){
        .ordinal = ordinal,
        .raw = json_object_is_type(source, json_type_object) ? source : NULL,
        .kind = or_empty(prb_json_str(source, "kind")),
        .namespace = or_empty(prb_json_str(metadata, "namespace")),
        .name = or_empty(prb_json_str(metadata, "name")),
    };
    check_type(ret);
    check_name(ret);
    ret->rank = ret->defect[0] != '\0' ? PRB_RANK_DEFECT : prb_manifest_rank(ret->group, ret->kind);
}

/* By rank, and as in the text where it is the same. */
static int compare(const void *a, const void *b)
{
    const struct prb_manifest *left = a, *right = b;

    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return left->ordinal < right->ordinal ? -1 : left->ordinal > right->ordinal;
}

static bool is_other_than(const struct json_object *value, enum json_type type)
{
    return value && !json_object_is_type(value, type);
}

static bool is_mistyped(const struct prb_object *work)
{
    const struct json_object *spec = prb_json_find(prb_object_tree(work), "spec");
    const struct json_object *workload = prb_json_find(spec, "workload");

    return is_other_than(spec, json_type_object) || is_other_than(workload, json_type_object) ||
           is_other_than(prb_json_find(workload, "manifests"), json_type_array);
}

void prb_manifest_work_read(const struct prb_object *work, struct prb_manifest_work *ret)
{
    const struct json_object *spec = prb_object_spec(work);
    const struct json_object *list = prb_json_arr(prb_json_obj(spec, "workload"), "manifests");

    /* What is no list at all is one manifest, and broken: to have none is something else. */
    *ret = (struct prb_manifest_work){ .count = is_mistyped(work) ? 1 : prb_json_len(list) };
    ret->manifests = prb_calloc(ret->count + 1, sizeof(*ret->manifests));
    for (size_t i = 0; i < ret->count; i++)
        read_manifest(prb_json_elem(list, i), i, &ret->manifests[i]);
    qsort(ret->manifests, ret->count, sizeof(*ret->manifests), compare);
    prb_manifest_configs_read(prb_json_arr(spec, "manifestConfigs"), ret);
    prb_delete_option_read(work, &ret->option);
    ret->has_executor = prb_json_find(spec, "executor") != NULL;
}

void prb_manifest_work_done(struct prb_manifest_work *work)
{
    free(work->manifests);
    free(work->configs);
    prb_delete_option_done(&work->option);
    *work = (struct prb_manifest_work){ .count = 0 };
}
