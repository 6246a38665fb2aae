/* Is an object still as it was seen last? */

#include "sighting.h"

#include <string.h>

#include "probate/base/sha256.h"
#include "probate/base/str.h"

/* A few kinds (PriorityClass) have a generation and never count: it stays 1. */
#define COUNTED 2

static void hash_json(const struct json_object *tree, char ret[PRB_SHA256_HEX_SIZE])
{
    prb_autofree char *text = prb_json_text(tree, true);

    prb_sha256_hex(text, strlen(text), ret);
}

static void copy_members(
        struct json_object *to, const struct json_object *from, const char *const *keys)
{
    for (; *keys; keys++) {
        const struct json_object *value = prb_json_find(from, *keys);

        if (value)
            prb_json_set(to, *keys, prb_json_copy(value));
    }
}

/* Metadata that may change while the generation stays. */
static void hash_metadata(const struct prb_object *object, char ret[PRB_SHA256_HEX_SIZE])
{
    static const char *const keys[] = { "labels", "annotations", "ownerReferences", "finalizers",
        "deletionTimestamp", NULL };
    prb_auto(prb_json_free) struct json_object *tree = json_object_new_object();

    copy_members(tree, prb_object_metadata(object), keys);
    hash_json(tree, ret);
}

static void hash_content(const struct prb_object *object, char ret[PRB_SHA256_HEX_SIZE])
{
    static const char *const keys[] = { "labels", "annotations", NULL };
    prb_auto(prb_json_free) struct json_object *tree = prb_object_copy(object);
    struct json_object *metadata = json_object_new_object();

    copy_members(metadata, prb_object_metadata(object), keys);
    prb_json_set(tree, "metadata", metadata);
    prb_json_del(tree, "status");
    hash_json(tree, ret);
}

struct json_object *prb_sighting_note(const struct prb_object *live)
{
    struct json_object *note = json_object_new_object();
    char metadata[PRB_SHA256_HEX_SIZE], content[PRB_SHA256_HEX_SIZE];

    hash_metadata(live, metadata);
    hash_content(live, content);
    prb_json_set_str(note, "uid", prb_object_uid(live));
    prb_json_set_str(note, "version", prb_object_resource_version(live));
    prb_json_set_int(note, "generation", prb_object_generation(live));
    prb_json_set_str(note, "metadata", metadata);
    prb_json_set_str(note, "content", content);
    return note;
}

static bool is_same_object(const struct json_object *note, const struct prb_object *object)
{
    return prb_streq(prb_object_uid(object), prb_json_str(note, "uid"));
}

bool prb_sighting_holds(
        const struct json_object *note, const struct prb_object *cached, bool status_counts)
{
    char metadata[PRB_SHA256_HEX_SIZE];
    int64_t generation = 0;

    if (!cached || !is_same_object(note, cached))
        return false;
    if (prb_streq(prb_object_resource_version(cached), prb_json_str(note, "version")))
        return true;
    (void)prb_json_int(note, "generation", &generation);
    if (status_counts || generation < COUNTED || generation != prb_object_generation(cached))
        return false;
    hash_metadata(cached, metadata);
    return prb_streq(metadata, prb_json_str(note, "metadata"));
}

bool prb_sighting_has_content(const struct json_object *note, const struct prb_object *live)
{
    char content[PRB_SHA256_HEX_SIZE];

    if (!is_same_object(note, live))
        return false;
    hash_content(live, content);
    return prb_streq(content, prb_json_str(note, "content"));
}
