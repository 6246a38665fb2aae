/* What does a template make of an object that is there, and of none? */

#include "probate/model/policy_compare.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "manifest_internal.h"
#include "policy_match.h"

#define LAST_APPLIED "kubectl.kubernetes.io/last-applied-configuration"

/* ---- what is created ---- */

static void drop_metadata(struct json_object *metadata)
{
    static const char *const said_by_servers[] = { "uid", "resourceVersion", "generation",
        "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields",
        "selfLink" };
    struct json_object *annotations = prb_json_obj(metadata, "annotations");

    for (size_t i = 0; i < sizeof(said_by_servers) / sizeof(said_by_servers[0]); i++)
        prb_json_del(metadata, said_by_servers[i]);
    if (annotations)
        prb_json_del(annotations, LAST_APPLIED);
}

struct json_object *prb_policy_body(const struct json_object *definition, const char *namespace)
{
    struct json_object *body = prb_json_copy(definition);
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");

    drop_metadata(metadata);
    if (namespace[0] != '\0')
        prb_json_set_str(metadata, "namespace", namespace);
    else
        prb_json_del(metadata, "namespace");
    prb_manifest_fold_secret(body);
    return body;
}

/* ---- is it there? ---- */

static bool is_data(const char *key)
{
    return prb_streq(key, "data") || prb_streq(key, "binaryData") || prb_streq(key, "stringData");
}

static enum prb_texts texts_of(const char *key)
{
    return is_data(key) ? PRB_TEXTS_AS_THEY_ARE : PRB_TEXTS_AS_VALUES;
}

/* What is neither compared nor merged like the rest. */
static bool is_apart(const char *key)
{
    return prb_streq(key, "apiVersion") || prb_streq(key, "kind") || prb_streq(key, "metadata") ||
           prb_streq(key, "status");
}

static bool has_rest(const struct json_object *live, const struct json_object *body)
{
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    while (prb_json_next(body, &at, &started, &key, &value)) {
        if (!is_apart(key) && !prb_policy_has(prb_json_find(live, key), value, texts_of(key)))
            return false;
    }
    return true;
}

static bool has_metadata(const struct json_object *live, const struct json_object *body)
{
    static const char *const keys[] = { "labels", "annotations" };
    const struct json_object *there = prb_json_obj(live, "metadata");
    const struct json_object *wanted = prb_json_obj(body, "metadata");

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (!prb_policy_has(prb_json_find(there, keys[i]), prb_json_find(wanted, keys[i]),
                    PRB_TEXTS_AS_THEY_ARE))
            return false;
    }
    return true;
}

enum prb_match prb_policy_compare(const struct json_object *body, const struct json_object *live)
{
    if (!has_metadata(live, body) || !has_rest(live, body))
        return PRB_DIFFERS;
    return prb_policy_has(prb_json_find(live, "status"), prb_json_find(body, "status"),
                   PRB_TEXTS_AS_VALUES)
                   ? PRB_MATCHES
                   : PRB_DIFFERS_IN_STATUS;
}

/* ---- what is written ---- */

/* How it is merged, and what became of it. */
struct merging {
    enum prb_texts texts;
    bool is_unclear; /* a list may have in another place what would be added to it */
};

static struct json_object *merge(
        const struct json_object *live, const struct json_object *wanted, struct merging *merging);

static struct json_object *merge_map(
        const struct json_object *live, const struct json_object *wanted, struct merging *merging)
{
    struct json_object *merged = json_object_is_type(live, json_type_object)
                                         ? prb_json_copy(live)
                                         : json_object_new_object();
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    while (prb_json_next(wanted, &at, &started, &key, &value)) {
        if (value)
            prb_json_set(merged, key, merge(prb_json_find(live, key), value, merging));
    }
    return merged;
}

/* The element that has this name, and that nothing else was merged into; PRB_NOWHERE: none. */
static size_t find_named(const struct json_object *live, const char *name, const bool *taken)
{
    for (size_t i = 0; name && name[0] != '\0' && i < prb_json_len(live); i++) {
        if (!taken[i] && prb_streq(prb_json_str(prb_json_elem(live, i), "name"), name))
            return i;
    }
    return PRB_NOWHERE;
}

static struct json_object *merge_list(
        const struct json_object *live, const struct json_object *wanted, struct merging *merging)
{
    size_t count = prb_json_len(live), asked = prb_json_len(wanted);
    prb_autofree size_t *pairs = prb_policy_pair(live, wanted, merging->texts);
    prb_autofree bool *taken = prb_calloc(count + 1, sizeof(*taken));
    struct json_object *merged = count > 0 ? prb_json_copy(live) : json_object_new_array();

    for (size_t i = 0; i < asked; i++) {
        if (pairs[i] != PRB_NOWHERE && pairs[i] != PRB_TWICE)
            taken[pairs[i]] = true;
    }
    for (size_t i = 0; i < asked; i++) {
        const struct json_object *value = prb_json_elem(wanted, i);
        size_t at = find_named(live, prb_json_str(value, "name"), taken);

        if (pairs[i] != PRB_NOWHERE)
            continue;
        if (at == PRB_NOWHERE) {
            if (i < count && prb_policy_pairs_in_order(live, wanted))
                merging->is_unclear = true;
            prb_json_push(merged, prb_json_copy(value));
            continue;
        }
        taken[at] = true;
        (void)json_object_array_put_idx(merged, at, merge(prb_json_elem(live, at), value, merging));
    }
    return merged;
}

/* Recursion is bounded: a tree is no deeper than PRB_JSON_DEPTH_MAX. What is there already stays as
 * it is written there. */
static struct json_object *merge(
        const struct json_object *live, const struct json_object *wanted, struct merging *merging)
{
    if (live && prb_policy_has(live, wanted, merging->texts))
        return prb_json_copy(live);
    if (json_object_is_type(wanted, json_type_object))
        return merge_map(live, wanted, merging);
    if (json_object_is_type(wanted, json_type_array))
        return merge_list(live, wanted, merging);
    return prb_json_copy(wanted);
}

static void merge_metadata(struct json_object *metadata, const struct json_object *wanted)
{
    struct merging merging = { .texts = PRB_TEXTS_AS_THEY_ARE }; /* maps of texts */
    static const char *const keys[] = { "labels", "annotations" };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const struct json_object *value = prb_json_obj(wanted, keys[i]);

        if (value)
            prb_json_set(
                    metadata, keys[i], merge(prb_json_obj(metadata, keys[i]), value, &merging));
    }
    prb_json_del(metadata, "managedFields"); /* absent is "as they are" */
}

struct json_object *prb_policy_merge(const struct json_object *body, const struct prb_object *live)
{
    struct json_object *merged = prb_object_copy(live);
    struct json_object_iterator at;
    struct json_object *value;
    struct merging merging = { .is_unclear = false };
    bool started = false;
    const char *key;

    while (prb_json_next(body, &at, &started, &key, &value)) {
        merging.texts = texts_of(key);
        if (value && !is_apart(key))
            prb_json_set(merged, key, merge(prb_json_find(merged, key), value, &merging));
    }
    if (merging.is_unclear) {
        prb_json_free(merged);
        return NULL;
    }
    prb_json_set_str(merged, "apiVersion", prb_json_str(body, "apiVersion"));
    prb_json_set_str(merged, "kind", prb_json_str(body, "kind"));
    merge_metadata(prb_json_ensure_obj(merged, "metadata"), prb_json_obj(body, "metadata"));
    return merged;
}
