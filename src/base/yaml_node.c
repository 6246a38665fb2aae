/* Which tree does a YAML node describe: its tag, its members, what it merges? */

#include <string.h>

#include "probate/base/mem.h"

#include "json_internal.h"
#include "yaml_internal.h"

static const char *core_tag(const char *tag)
{
    static const char prefix[] = "tag:yaml.org,2002:";

    return prb_starts_with(tag, prefix) ? tag + sizeof(prefix) - 1 : "";
}

/* Does a value of this kind answer to the tag? An int is also a float. */
static bool tag_allows(const char *core, enum prb_yaml_kind kind)
{
    switch (kind) {
    case PRB_YAML_NULL:
        return strcmp(core, "null") == 0;
    case PRB_YAML_BOOL:
        return strcmp(core, "bool") == 0;
    case PRB_YAML_INT:
        return strcmp(core, "int") == 0 || strcmp(core, "float") == 0;
    case PRB_YAML_FLOAT:
        return strcmp(core, "float") == 0;
    case PRB_YAML_STR:
    case PRB_YAML_NO_JSON:
        return false;
    }
    return false;
}

static bool tag_is_typed(const char *core)
{
    return strcmp(core, "null") == 0 || strcmp(core, "bool") == 0 || strcmp(core, "int") == 0 ||
           strcmp(core, "float") == 0;
}

static int read_scalar(
        struct prb_yaml_reader *r, const yaml_event_t *event, struct json_object **ret)
{
    const char *text = (const char *)event->data.scalar.value;
    const char *tag = (const char *)event->data.scalar.tag;
    const char *core = tag ? core_tag(tag) : "";
    bool by_form = !tag && event->data.scalar.plain_implicit;
    prb_auto(prb_json_free) struct json_object *value = NULL;
    enum prb_yaml_kind kind = PRB_YAML_STR;

    if (strcmp(core, "binary") == 0)
        return prb_yaml_fail(r, &event->start_mark, "tag !!binary is not supported");
    if (by_form || tag_is_typed(core))
        kind = prb_yaml_resolve(text, &value);
    if (kind == PRB_YAML_NO_JSON)
        return prb_yaml_fail(r, &event->start_mark, "%s cannot be expressed in JSON", text);
    if (tag_is_typed(core) && !tag_allows(core, kind))
        return prb_yaml_fail(r, &event->start_mark, "cannot read \"%s\" as !!%s", text, core);

    if (kind == PRB_YAML_STR)
        value = prb_json_must(json_object_new_string_len(text, (int)event->data.scalar.length));
    *ret = prb_take(value);
    return 0;
}

static int read_sequence(struct prb_yaml_reader *r, struct json_object **ret)
{
    prb_auto(prb_json_free) struct json_object *array = prb_json_new_array(0);

    for (;;) {
        prb_auto(prb_yaml_event_done) yaml_event_t event;
        struct json_object *element = NULL;
        int rc = prb_yaml_next(r, &event);

        if (rc < 0)
            return rc;
        if (event.type == YAML_SEQUENCE_END_EVENT)
            break;
        rc = prb_yaml_node(r, &event, &element);
        if (rc < 0)
            return rc;
        prb_json_push(array, element);
    }
    *ret = prb_take(array);
    return 0;
}

/* A key as JSON has them, numbers and booleans written out; NULL, with the error set, for others.
 */
static char *key_text(
        struct prb_yaml_reader *r, const yaml_mark_t *mark, const struct json_object *key)
{
    const char *text = prb_json_string(key), *problem = "a key must be a scalar";

    switch (json_object_get_type(key)) {
    case json_type_string:
        if (text)
            return prb_strdup(text);
        problem = "key contains U+0000";
        break;
    case json_type_boolean:
    case json_type_int:
    case json_type_double:
        return prb_json_text(key, false);
    case json_type_null:
        problem = "a key must not be null";
        break;
    case json_type_array:
    case json_type_object:
        break;
    }
    (void)prb_yaml_fail(r, mark, "%s", problem);
    return NULL;
}

static bool is_merge(const yaml_event_t *key)
{
    return key->type == YAML_SCALAR_EVENT && key->data.scalar.plain_implicit &&
           strcmp((const char *)key->data.scalar.value, "<<") == 0;
}

/* What is not there yet comes from `from`: the mapping's own members and earlier merges win. */
static bool merge_mapping(struct json_object *into, struct json_object *from)
{
    const struct lh_entry *entry;

    if (!json_object_is_type(from, json_type_object))
        return false;
    lh_foreach(json_object_get_object(from), entry)
    {
        const char *key = lh_entry_k(entry);

        if (!prb_json_has(into, key))
            prb_json_set(into, key, json_object_get(lh_entry_v(entry)));
    }
    return true;
}

static bool merge_value(struct json_object *into, struct json_object *from)
{
    if (!json_object_is_type(from, json_type_array))
        return merge_mapping(into, from);
    for (size_t i = 0; i < prb_json_len(from); i++) {
        if (!merge_mapping(into, prb_json_elem(from, i)))
            return false;
    }
    return true;
}

static int read_value(struct prb_yaml_reader *r, struct json_object **ret)
{
    prb_auto(prb_yaml_event_done) yaml_event_t event;
    int rc = prb_yaml_next(r, &event);

    return rc < 0 ? rc : prb_yaml_node(r, &event, ret);
}

/* One member; the value of a merge key goes to `merges` until all others are known. */
static int read_member(struct prb_yaml_reader *r, const yaml_event_t *key, struct json_object *obj,
        struct json_object *merges)
{
    prb_auto(prb_json_free) struct json_object *name = NULL, *value = NULL;
    prb_autofree char *text = NULL;
    int rc;

    if (is_merge(key)) {
        rc = read_value(r, &value);
        if (rc == 0)
            prb_json_push(merges, prb_take(value));
        return rc;
    }

    rc = prb_yaml_node(r, key, &name);
    if (rc < 0)
        return rc;
    text = key_text(r, &key->start_mark, name);
    if (!text)
        return r->err->code;
    rc = read_value(r, &value);
    if (rc < 0)
        return rc;
    if (!prb_json_add_new(obj, text, strlen(text), value))
        return prb_yaml_fail(r, &key->start_mark, "duplicate key \"%s\"", text);
    (void)prb_take(value);
    return 0;
}

static int read_mapping(
        struct prb_yaml_reader *r, const yaml_event_t *start, struct json_object **ret)
{
    prb_auto(prb_json_free) struct json_object *obj = prb_json_new_object(0);
    prb_auto(prb_json_free) struct json_object *merges = prb_json_new_array(0);

    for (;;) {
        prb_auto(prb_yaml_event_done) yaml_event_t key;
        int rc = prb_yaml_next(r, &key);

        if (rc < 0)
            return rc;
        if (key.type == YAML_MAPPING_END_EVENT)
            break;
        rc = read_member(r, &key, obj, merges);
        if (rc < 0)
            return rc;
    }
    for (size_t i = 0; i < prb_json_len(merges); i++) {
        if (!merge_value(obj, prb_json_elem(merges, i)))
            return prb_yaml_fail(r, &start->start_mark,
                    "the value of << must be a mapping or a list of mappings");
    }
    prb_json_fit(obj);
    *ret = prb_take(obj);
    return 0;
}

static int read_collection(
        struct prb_yaml_reader *r, const yaml_event_t *start, struct json_object **ret)
{
    int rc;

    if (r->depth >= PRB_JSON_DEPTH_MAX)
        return prb_yaml_fail(r, &start->start_mark, "nested too deeply");
    r->depth++;
    rc = start->type == YAML_MAPPING_START_EVENT ? read_mapping(r, start, ret)
                                                 : read_sequence(r, ret);
    r->depth--;
    return rc;
}

static const char *anchor_of(const yaml_event_t *event)
{
    if (event->type == YAML_SCALAR_EVENT)
        return (const char *)event->data.scalar.anchor;
    if (event->type == YAML_MAPPING_START_EVENT)
        return (const char *)event->data.mapping_start.anchor;
    return (const char *)event->data.sequence_start.anchor;
}

int prb_yaml_node(struct prb_yaml_reader *r, const yaml_event_t *event, struct json_object **ret)
{
    size_t nodes_before = r->nodes;
    const char *anchor;
    int rc;

    if (event->type == YAML_ALIAS_EVENT)
        return prb_yaml_alias(r, event, ret);

    /* While the node is read its name stands for nothing: it cannot contain itself. */
    anchor = anchor_of(event);
    if (anchor)
        (void)prb_map_remove(r->anchors, anchor);
    r->nodes++;
    rc = event->type == YAML_SCALAR_EVENT ? read_scalar(r, event, ret)
                                          : read_collection(r, event, ret);
    if (rc == 0 && anchor)
        prb_yaml_anchor_keep(r, anchor, *ret, nodes_before);
    return rc;
}
