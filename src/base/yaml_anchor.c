/* What does an alias stand for, and is there room for another copy of it? */

#include "probate/base/mem.h"
#include "probate/base/yaml.h"

#include "json_internal.h"
#include "yaml_internal.h"

struct anchor {
    struct json_object *tree; /* owned reference; never changed, aliases get copies */
    size_t nodes;
    unsigned height;
};

void prb_yaml_anchor_free(void *value)
{
    struct anchor *anchor = value;

    prb_json_free(anchor->tree);
    free(anchor);
}

static unsigned higher(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* How many containers lie within each other. */
static unsigned height_of(const struct json_object *tree)
{
    const struct lh_entry *entry;
    unsigned most = 0;

    if (json_object_is_type(tree, json_type_array)) {
        for (size_t i = 0; i < prb_json_len(tree); i++)
            most = higher(most, height_of(prb_json_elem(tree, i)));
        return most + 1;
    }
    if (json_object_is_type(tree, json_type_object)) {
        lh_foreach(json_object_get_object(tree), entry) most =
                higher(most, height_of(lh_entry_v(entry)));
        return most + 1;
    }
    return 0;
}

void prb_yaml_anchor_keep(
        struct prb_yaml_reader *r, const char *name, struct json_object *tree, size_t nodes_before)
{
    struct anchor *anchor = prb_calloc(1, sizeof(*anchor));

    anchor->tree = json_object_get(tree);
    anchor->nodes = r->nodes - nodes_before;
    anchor->height = height_of(tree);
    prb_map_set(r->anchors, name, anchor);
}

int prb_yaml_alias(struct prb_yaml_reader *r, const yaml_event_t *event, struct json_object **ret)
{
    const char *name = (const char *)event->data.alias.anchor;
    const struct anchor *anchor = prb_map_find(r->anchors, name);

    if (!anchor)
        return prb_yaml_fail(r, &event->start_mark, "unknown anchor \"%s\"", name);
    r->nodes += anchor->nodes;
    if (r->nodes > PRB_YAML_NODES_MAX)
        return prb_yaml_fail(
                r, &event->start_mark, "aliases expand to more than %d nodes", PRB_YAML_NODES_MAX);
    if (r->depth + anchor->height > PRB_JSON_DEPTH_MAX)
        return prb_yaml_fail(r, &event->start_mark, "nested too deeply");

    *ret = prb_json_copy(anchor->tree);
    return 0;
}
