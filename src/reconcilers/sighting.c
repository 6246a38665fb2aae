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

static void hash_labels(const struct prb_object *object, char ret[PRB_SHA256_HEX_SIZE])
{
    static const char *const keys[] = { "labels", "annotations", NULL };
    prb_auto(prb_json_free) struct json_object *tree = json_object_new_object();

    copy_members(tree, prb_object_metadata(object), keys);
    hash_json(tree, ret);
}

/* All that a manifest may say but metadata. */
static void hash_content(const struct prb_object *object, char ret[PRB_SHA256_HEX_SIZE])
{
    prb_auto(prb_json_free) struct json_object *tree = prb_object_copy(object);

    prb_json_del(tree, "metadata");
    prb_json_del(tree, "status");
    hash_json(tree, ret);
}

struct json_object *prb_sighting_note(const struct prb_object *live)
{
    struct json_object *note = json_object_new_object();
    char hash[PRB_SHA256_HEX_SIZE];

    prb_json_set_str(note, "uid", prb_object_uid(live));
    prb_json_set_str(note, "version", prb_object_resource_version(live));
    prb_json_set_int(note, "generation", prb_object_generation(live));
    hash_metadata(live, hash);
    prb_json_set_str(note, "metadata", hash);
    hash_labels(live, hash);
    prb_json_set_str(note, "labels", hash);
    hash_content(live, hash);
    prb_json_set_str(note, "content", hash);
    return note;
}

static bool is_same_object(const struct json_object *note, const struct prb_object *object)
{
    return object && prb_streq(prb_object_uid(object), prb_json_str(note, "uid"));
}

static int64_t generation_of(const struct json_object *note)
{
    int64_t generation = 0;

    (void)prb_json_int(note, "generation", &generation);
    return generation;
}

bool prb_sighting_is_version(const struct json_object *note, const struct prb_object *cached)
{
    return is_same_object(note, cached) &&
           prb_streq(prb_object_resource_version(cached), prb_json_str(note, "version"));
}

bool prb_sighting_is_generation(const struct json_object *note, const struct prb_object *cached)
{
    char metadata[PRB_SHA256_HEX_SIZE];
    int64_t generation = generation_of(note);

    if (!is_same_object(note, cached) || generation == 0 ||
            generation != prb_object_generation(cached))
        return false;
    hash_metadata(cached, metadata);
    return prb_streq(metadata, prb_json_str(note, "metadata"));
}

bool prb_sighting_holds(
        const struct json_object *note, const struct prb_object *cached, bool status_counts)
{
    return prb_sighting_is_version(note, cached) ||
           (!status_counts && generation_of(note) >= COUNTED &&
                   prb_sighting_is_generation(note, cached));
}

bool prb_sighting_has_content(const struct json_object *note, const struct prb_object *live)
{
    char content[PRB_SHA256_HEX_SIZE];

    if (!is_same_object(note, live))
        return false;
    hash_content(live, content);
    return prb_streq(content, prb_json_str(note, "content"));
}

bool prb_sighting_has_labels(const struct json_object *note, const struct prb_object *live)
{
    char labels[PRB_SHA256_HEX_SIZE];

    hash_labels(live, labels);
    return prb_streq(labels, prb_json_str(note, "labels"));
}
