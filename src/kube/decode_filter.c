/* Which parts of an answer are worth building? */

#include "decode_filter.h"

#define END         \
    {               \
        .key = NULL \
    }

static const struct prb_json_filter no_managed_fields[] = {
    { .key = "managedFields", .drop = true },
    END,
};

/* All of an object but its managedFields: an entry that drops only below itself. */
static const struct prb_json_filter lean_object[] = {
    { .key = "metadata", .children = no_managed_fields, .drop = true },
    END,
};

/*
 * Metadata alone, with what a Status in its place would have. apiVersion and kind go: the server
 * says PartialObjectMetadata, which is the kind of nothing.
 */
static const struct prb_json_filter lean_metadata[] = {
    { .key = "metadata", .children = no_managed_fields },
    { .key = "code" },
    { .key = "message" },
    { .key = "reason" },
    { .key = "details" },
    END,
};
static const struct prb_json_filter whole_metadata[] = {
    { .key = "metadata" },
    { .key = "code" },
    { .key = "message" },
    { .key = "reason" },
    { .key = "details" },
    END,
};

static const struct prb_json_filter *objects[2][2] = {
    [false] = { [false] = lean_object, [true] = NULL },
    [true] = { [false] = lean_metadata, [true] = whole_metadata },
};

#define PAGE_OF(items_filter)                                                       \
    {                                                                               \
        { .key = "kind" }, { .key = "apiVersion" }, { .key = "metadata" },          \
                { .key = "items", .children = (items_filter), .items = true }, END, \
    }
static const struct prb_json_filter lean_page[] = PAGE_OF(lean_object);
static const struct prb_json_filter whole_page[] = PAGE_OF(NULL);
static const struct prb_json_filter lean_metadata_page[] = PAGE_OF(lean_metadata);
static const struct prb_json_filter whole_metadata_page[] = PAGE_OF(whole_metadata);
static const struct prb_json_filter *pages[2][2] = {
    [false] = { [false] = lean_page, [true] = whole_page },
    [true] = { [false] = lean_metadata_page, [true] = whole_metadata_page },
};

#define EVENT_OF(object_filter)                                                                  \
    {                                                                                            \
        { .key = "type" }, { .key = "object", .children = (object_filter), .items = true }, END, \
    }
static const struct prb_json_filter lean_event[] = EVENT_OF(lean_object);
static const struct prb_json_filter whole_event[] = EVENT_OF(NULL);
static const struct prb_json_filter lean_metadata_event[] = EVENT_OF(lean_metadata);
static const struct prb_json_filter whole_metadata_event[] = EVENT_OF(whole_metadata);
static const struct prb_json_filter *events[2][2] = {
    [false] = { [false] = lean_event, [true] = whole_event },
    [true] = { [false] = lean_metadata_event, [true] = whole_metadata_event },
};

const struct prb_json_filter *prb_kube_filter_object(const struct prb_kube_depth *depth)
{
    if (depth->parts)
        return depth->parts;
    return objects[depth->metadata_only][depth->keep_managed_fields];
}

const struct prb_json_filter *prb_kube_filter_page(const struct prb_kube_depth *depth)
{
    return pages[depth->metadata_only][depth->keep_managed_fields];
}

const struct prb_json_filter *prb_kube_filter_event(const struct prb_kube_depth *depth)
{
    return events[depth->metadata_only][depth->keep_managed_fields];
}

const struct prb_json_filter *prb_kube_filter_removed(void)
{
    static const struct prb_json_filter parts[] = { { .key = "kind" }, { .key = "status" },
        { .key = "message" }, { .key = "reason" }, { .key = "details" }, { .key = "code" }, END };

    return parts;
}
