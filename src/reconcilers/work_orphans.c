/*
 * Which resources of a work are to stay, as its AppliedManifestWork has it on record?
 *
 * A work that is gone says nothing any more, and an agent that does not know a setting drops it
 * together with our finalizer. So the orphan settings (spec.deleteOption, and what makes a manifest
 * ReadOnly) are kept in an annotation: the schema of the status would drop a field of ours. They
 * are written before any reference is changed by them, and for the last time when the deletion of
 * the work is first seen. No annotation means that nothing is spared, which is also what a record
 * of release 0.1 means: there, references alone count.
 */

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "work_apply.h"

/* As in a work's spec: {"deleteOption": ..., "manifestConfigs": [...]}, in canonical form. */
#define ORPHANS "probate.dev/orphan-settings"

/* Bytes of it. An object has 256 KiB for all annotations; a quarter is left to others. */
#define ORPHANS_MAX ((size_t)192 * 1024)

/* On record in place of settings that are longer: nobody knows this policy, so it spares all. */
#define TOO_LONG "{\"deleteOption\":{\"propagationPolicy\":\"TooLongToRecord\"}}"

bool prb_orphans_spare(const struct prb_manifest_work *work, const struct prb_applied_entry *entry)
{
    const struct prb_manifest_config *config;

    if (!work)
        return false;
    config = prb_manifest_work_config(
            work, entry->group, entry->resource, entry->namespace, entry->name);
    return (config && config->strategy == PRB_READ_ONLY) ||
           !prb_delete_option_owns(
                   &work->option, entry->group, entry->resource, entry->namespace, entry->name);
}

/* ---- what a work says ---- */

/* NULL: the default. How long a finished work lives has no part in this. */
static struct json_object *option_of(
        const struct prb_object *source, const struct prb_manifest_work *work)
{
    const struct json_object *option = prb_json_find(prb_object_spec(source), "deleteOption");
    struct json_object *copy;

    if (work->option.orphaning == PRB_ORPHAN_NOTHING && work->option.misfit_count == 0)
        return NULL;
    copy = prb_json_copy(option);
    if (json_object_is_type(copy, json_type_object))
        prb_json_del(copy, "ttlSecondsAfterFinished");
    return copy;
}

static struct json_object *config_json(const struct prb_manifest_config *config)
{
    struct json_object *made = json_object_new_object();
    struct json_object *who = prb_json_ensure_obj(made, "resourceIdentifier");

    prb_set_text(who, "group", config->group);
    prb_set_text(who, "resource", config->resource);
    prb_set_text(who, "namespace", config->namespace);
    prb_set_text(who, "name", config->name);
    prb_json_set_str(prb_json_ensure_obj(made, "updateStrategy"), "type",
            config->strategy == PRB_READ_ONLY ? "ReadOnly" : "Update");
    return made;
}

/* The first that names a resource counts: of the others those that come before one with ReadOnly.
 * NULL: none is. */
static struct json_object *configs_of(const struct prb_manifest_work *work)
{
    struct json_object *list;
    size_t count = work->config_count;

    while (count > 0 && work->configs[count - 1].strategy != PRB_READ_ONLY)
        count--;
    if (count == 0)
        return NULL;
    list = json_object_new_array();
    for (size_t i = 0; i < count; i++)
        prb_json_push(list, config_json(&work->configs[i]));
    return list;
}

/* NULL: nothing is spared. Owned. */
static char *text_of(const struct prb_object *source)
{
    prb_auto(prb_manifest_work_done) struct prb_manifest_work work;
    prb_auto(prb_json_free) struct json_object *settings = json_object_new_object();
    struct json_object *option, *configs;
    prb_autofree char *text = NULL;

    prb_manifest_work_read(source, &work);
    option = option_of(source, &work);
    configs = configs_of(&work);
    if (!option && !configs)
        return NULL;
    if (option)
        prb_json_set(settings, "deleteOption", option);
    if (configs)
        prb_json_set(settings, "manifestConfigs", configs);
    text = prb_json_text(settings, true);
    return strlen(text) <= ORPHANS_MAX ? prb_take(text) : prb_strdup(TOO_LONG);
}

/* ---- the record ---- */

void prb_orphans_put(struct json_object *metadata, const struct prb_object *work)
{
    prb_autofree char *text = text_of(work);

    if (text)
        prb_json_set_str(prb_json_ensure_obj(metadata, "annotations"), ORPHANS, text);
}

struct json_object *prb_orphans_patch(
        const struct prb_object *applied, const struct prb_object *work)
{
    prb_autofree char *text = text_of(work);
    const char *seen = prb_object_annotation(applied, ORPHANS);
    struct json_object *patch, *annotations;

    if (text ? prb_streq(text, seen) : !seen)
        return NULL;
    patch = json_object_new_object();
    annotations = prb_json_ensure_obj(prb_json_ensure_obj(patch, "metadata"), "annotations");
    prb_json_set(annotations, ORPHANS, text ? json_object_new_string(text) : NULL);
    return patch;
}

/* A record that cannot be read is one that nobody understands: as a deleteOption of a wrong type it
 * spares everything. */
static struct json_object *parse(const char *text)
{
    struct json_object *settings = NULL;
    struct prb_error err;

    if (prb_json_parse(text, strlen(text), NULL, &settings, &err) == 0 &&
            json_object_is_type(settings, json_type_object))
        return settings;
    prb_json_free(settings);
    settings = json_object_new_object();
    prb_json_set_bool(settings, "deleteOption", false);
    return settings;
}

void prb_orphans_read(const struct prb_object *applied, struct prb_orphans *ret)
{
    const char *text = prb_object_annotation(applied, ORPHANS);
    struct json_object *tree;
    struct prb_error err;

    *ret = (struct prb_orphans){ .any = text != NULL };
    if (!text)
        return;
    tree = json_object_new_object();
    prb_json_set(tree, "spec", parse(text));
    if (prb_object_draft(tree, &ret->source, &err) != 0)
        abort(); /* a tree that was made as an object is none */
    prb_manifest_work_read(ret->source, &ret->work);
}

void prb_orphans_done(struct prb_orphans *orphans)
{
    prb_manifest_work_done(&orphans->work);
    prb_object_unref(orphans->source);
    *orphans = (struct prb_orphans){ .any = false };
}
