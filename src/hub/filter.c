/* Which objects does a list or a watch mean? */

#include "filter.h"

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

/* The parser's own words, with the status of the API server. */
static int refuse(struct prb_error *err)
{
    err->status = 400;
    (void)prb_copy(err->reason, sizeof(err->reason), "BadRequest");
    return err->code;
}

int prb_hub_filter_init(struct prb_hub_filter *filter, const char *namespace, const char *labels,
        const char *fields, struct prb_error *err)
{
    *filter = (struct prb_hub_filter){ .namespace = prb_strdup(namespace ? namespace : "") };
    if (prb_selector_parse(labels, &filter->labels, err) == 0 &&
            prb_field_selector_parse(fields, &filter->fields, err) == 0)
        return 0;
    prb_hub_filter_done(filter);
    return refuse(err);
}

void prb_hub_filter_done(struct prb_hub_filter *filter)
{
    free(filter->namespace);
    prb_selector_free(filter->labels);
    prb_selector_free(filter->fields);
    *filter = (struct prb_hub_filter){ .namespace = NULL };
}

bool prb_hub_filter_matches(const struct prb_hub_filter *filter, const struct prb_object *object)
{
    if (filter->namespace[0] != '\0' &&
            strcmp(filter->namespace, prb_object_namespace(object)) != 0)
        return false;
    return prb_selector_matches(filter->labels, object) &&
           prb_selector_matches(filter->fields, object);
}

/* As the keys "namespace/name" are in order: "a-b" comes before "a". */
static int namespace_order(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (*a ? *a : '/') - (*b ? *b : '/');
}

static int by_name(const void *a, const void *b)
{
    const struct prb_object *left = *(struct prb_object *const *)a;
    const struct prb_object *right = *(struct prb_object *const *)b;
    int order = namespace_order(prb_object_namespace(left), prb_object_namespace(right));

    return order ? order : strcmp(prb_object_name(left), prb_object_name(right));
}

struct prb_object **prb_hub_filter_select(
        const struct prb_hub_filter *filter, const struct prb_hub_kind *kind, size_t *ret_count)
{
    size_t held = kind->entries ? prb_map_count(kind->entries) : 0, count = 0, at = 0;
    struct prb_object **objects = prb_calloc(held + 1, sizeof(struct prb_object *));
    const char *key;
    void *value;

    while (held > 0 && prb_map_next(kind->entries, &at, &key, &value)) {
        const struct prb_hub_entry *entry = value;

        if (prb_hub_filter_matches(filter, entry->object))
            objects[count++] = prb_object_ref(entry->object);
    }
    qsort(objects, count, sizeof(struct prb_object *), by_name);
    *ret_count = count;
    return objects;
}
