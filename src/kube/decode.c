/* Which objects does an answer of the API server hold? */

#include "decode.h"

#include <string.h>

#include "probate/base/json_reader.h"
#include "probate/base/mem.h"

#include "decode_filter.h"
#include "status.h"

const char *prb_kube_accept_object(bool metadata_only)
{
    return metadata_only
                   ? "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
                   : "application/json";
}

const char *prb_kube_accept_list(bool metadata_only)
{
    return metadata_only
                   ? "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
                   : "application/json";
}

/* A member of an item that could not be built. */
struct defect {
    size_t item;
    char *member; /* owned, as the next */
    char *why;
};

struct prb_kube_decoder {
    enum prb_kube_answer_kind kind;
    struct prb_kube_depth depth;
    struct prb_json_reader *json; /* owned, as all here */
    struct defect *defects;       /* in the order of the items */
    size_t defect_count;
};

static const struct prb_json_filter *filter_of(
        enum prb_kube_answer_kind kind, const struct prb_kube_depth *depth)
{
    switch (kind) {
    case PRB_KUBE_OBJECT:
        return prb_kube_filter_object(depth);
    case PRB_KUBE_PAGE:
        return prb_kube_filter_page(depth);
    case PRB_KUBE_EVENT:
        return prb_kube_filter_event(depth);
    case PRB_KUBE_REMOVED:
        break;
    }
    return prb_kube_filter_removed();
}

/* One for each item is enough to tell of, but all members count. */
static void note_defect(void *ctx, size_t item, const char *member, const struct prb_error *why)
{
    struct prb_kube_decoder *decoder = ctx;
    const struct defect defect = { item, prb_strdup(member), prb_strdup(why->msg) };

    decoder->defects =
            prb_realloc(decoder->defects, decoder->defect_count + 1, sizeof(*decoder->defects));
    decoder->defects[decoder->defect_count++] = defect;
}

struct prb_kube_decoder *prb_kube_decoder_new(
        enum prb_kube_answer_kind kind, const struct prb_kube_depth *depth)
{
    struct prb_kube_decoder *decoder = prb_calloc(1, sizeof(*decoder));
    const struct prb_json_reader_options options = { .filter = filter_of(kind, depth),
        .built_max = PRB_KUBE_BUILT_MAX,
        .item_max = PRB_KUBE_MEMBER_MAX,
        .defect = note_defect,
        .ctx = decoder };

    decoder->kind = kind;
    decoder->depth = *depth;
    decoder->json = prb_json_reader_new(&options);
    return decoder;
}

static void forget_defects(struct prb_kube_decoder *decoder)
{
    for (size_t i = 0; i < decoder->defect_count; i++) {
        free(decoder->defects[i].member);
        free(decoder->defects[i].why);
    }
    free(prb_take(decoder->defects));
    decoder->defect_count = 0;
}

void prb_kube_decoder_free(struct prb_kube_decoder *decoder)
{
    if (!decoder)
        return;
    forget_defects(decoder);
    prb_json_reader_free(decoder->json);
    free(decoder);
}

void prb_kube_decoder_reset(struct prb_kube_decoder *decoder)
{
    forget_defects(decoder);
    prb_json_reader_reset(decoder->json);
}

/* Our input is their output: what cannot be read is damage on the way, no mistake of a caller. */
static int fail_damaged(struct prb_error *err)
{
    return prb_fail(err, err->code == PRB_E_UNSUPPORTED ? PRB_E_UNSUPPORTED : PRB_E_IO,
            "the server's answer cannot be read: %s", err->msg);
}

int prb_kube_decoder_feed(
        struct prb_kube_decoder *decoder, const char *bytes, size_t len, struct prb_error *err)
{
    return prb_json_reader_feed(decoder->json, bytes, len, err) < 0 ? fail_damaged(err) : 0;
}

static int end(struct prb_kube_decoder *decoder, struct json_object **ret, struct prb_error *err)
{
    return prb_json_reader_end(decoder->json, ret, err) < 0 ? fail_damaged(err) : 0;
}

static int new_object(
        struct json_object *tree_taken, struct prb_object **ret, struct prb_error *err)
{
    return prb_object_new(tree_taken, ret, err) < 0 ? fail_damaged(err) : 0;
}

/* An item, with what is wrong with it. */
static int new_item(const struct prb_kube_decoder *decoder, size_t item,
        struct json_object *tree_taken, struct prb_object **ret, struct prb_error *err)
{
    int r = new_object(tree_taken, ret, err);

    for (size_t i = 0; r == 0 && i < decoder->defect_count; i++) {
        if (decoder->defects[i].item == item)
            prb_object_set_defect(*ret, decoder->defects[i].member, decoder->defects[i].why);
    }
    return r;
}

int prb_kube_decoder_object(
        struct prb_kube_decoder *decoder, struct prb_object **ret, struct prb_error *err)
{
    struct json_object *tree = NULL;
    int r = end(decoder, &tree, err);

    return r < 0 ? r : new_object(tree, ret, err);
}

/* "ConfigMap" of a "ConfigMapList"; NULL when the list does not say. Owned. */
static char *item_kind(const struct json_object *list)
{
    static const char suffix[] = "List";
    const char *kind = prb_json_str(list, "kind");
    size_t len = kind ? strlen(kind) : 0;
    size_t tail = sizeof(suffix) - 1;

    if (len <= tail || !prb_streq(kind + len - tail, suffix))
        return NULL;
    return prb_strndup(kind, len - tail);
}

static void complete_item(struct json_object *item, const char *api_version, const char *kind)
{
    if (!prb_json_has(item, "kind"))
        prb_json_set_str(item, "kind", kind);
    if (!prb_json_has(item, "apiVersion"))
        prb_json_set_str(item, "apiVersion", api_version);
}

/* Move the items out of their list, which is private to us, into counted objects. */
static int take_items(const struct prb_kube_decoder *decoder, const struct json_object *list,
        struct prb_page *page, struct prb_error *err)
{
    struct json_object *items = prb_json_arr(list, "items");
    prb_autofree char *kind = decoder->depth.metadata_only ? NULL : item_kind(list);
    const char *api_version = kind ? prb_json_str(list, "apiVersion") : NULL;
    size_t count = prb_json_len(items);

    page->objects = prb_calloc(count ? count : 1, sizeof(struct prb_object *));
    for (size_t i = 0; i < count; i++) {
        struct json_object *item = json_object_get(prb_json_elem(items, i));

        (void)json_object_array_put_idx(items, i, NULL); /* ours is the only reference now */
        if (!json_object_is_type(item, json_type_object)) {
            prb_json_free(item);
            return prb_fail(err, PRB_E_IO, "the server's list has an item that is no object");
        }
        complete_item(item, api_version, kind);
        if (new_item(decoder, i, item, &page->objects[i], err) < 0)
            return err->code;
        page->count++;
    }
    return 0;
}

/* What else may come with a 200, a Status or a page of a proxy, must not pass for an empty list;
 * nor one page for the last. `items` is null in an empty list of some servers. */
static int check_list(const struct json_object *list, struct prb_error *err)
{
    const struct json_object *items = prb_json_find(list, "items");
    const struct json_object *metadata = prb_json_obj(list, "metadata");
    const struct json_object *next = prb_json_find(metadata, "continue");

    if (!metadata || !prb_json_has(list, "items") ||
            (items && !json_object_is_type(items, json_type_array)) ||
            (next && !prb_json_string(next)))
        return prb_fail(err, PRB_E_IO, "the server's answer is no list");
    return 0;
}

int prb_kube_decoder_page(
        struct prb_kube_decoder *decoder, struct prb_page *ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *list = NULL;
    prb_auto(prb_page_done) struct prb_page page;
    const struct json_object *metadata;
    const char *next;
    int r;

    prb_page_init(&page);
    r = end(decoder, &list, err);
    if (r == 0)
        r = check_list(list, err);
    if (r == 0)
        r = take_items(decoder, list, &page, err);
    prb_kube_decoder_reset(decoder);
    if (r < 0)
        return r;

    metadata = prb_json_obj(list, "metadata");
    next = prb_json_str(metadata, "continue");
    page.resource_version = prb_strdup(prb_json_str(metadata, "resourceVersion"));
    page.next = next && *next ? prb_strdup(next) : NULL;
    *ret = page;
    prb_page_init(&page);
    return 0;
}

static bool parse_type(const char *text, enum prb_watch_event_type *ret)
{
    static const char *const names[] = {
        [PRB_WATCH_ADDED] = "ADDED",
        [PRB_WATCH_MODIFIED] = "MODIFIED",
        [PRB_WATCH_DELETED] = "DELETED",
        [PRB_WATCH_BOOKMARK] = "BOOKMARK",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (prb_streq(text, names[i])) {
            *ret = (enum prb_watch_event_type)i;
            return true;
        }
    }
    return false;
}

/* The object is taken out of its event, which is private to us. */
static int fill_event(const struct prb_kube_decoder *decoder, struct json_object *tree,
        struct prb_kube_event *event, struct prb_error *err)
{
    struct json_object *object = json_object_get(prb_json_obj(tree, "object"));

    prb_json_del(tree, "object");
    if (event->type == PRB_WATCH_BOOKMARK) {
        event->tree = object;
        event->resource_version =
                prb_json_str(prb_json_obj(event->tree, "metadata"), "resourceVersion");
    } else {
        if (new_item(decoder, 0, object, &event->object, err) < 0)
            return err->code;
        event->resource_version = prb_object_resource_version(event->object);
    }
    if (!event->resource_version || !*event->resource_version)
        return prb_fail(err, PRB_E_IO, "an event of the watch has no resourceVersion");
    return 0;
}

static int read_event(struct prb_kube_decoder *decoder, struct prb_kube_event *ret, bool *ret_known,
        struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    prb_auto(prb_kube_event_done) struct prb_kube_event event = { .object = NULL };
    const char *type;
    int r = end(decoder, &tree, err);

    if (r < 0)
        return r;
    type = prb_json_str(tree, "type");
    if (!type)
        return prb_fail(err, PRB_E_IO, "an event of the watch has no type");
    if (prb_streq(type, "ERROR"))
        return prb_kube_fail_status(prb_json_obj(tree, "object"), err);

    *ret_known = parse_type(type, &event.type);
    if (!*ret_known)
        return 0;
    r = fill_event(decoder, tree, &event, err);
    if (r < 0)
        return r;
    *ret = event;
    event = (struct prb_kube_event){ .object = NULL };
    return 0;
}

int prb_kube_decoder_event(struct prb_kube_decoder *decoder, struct prb_kube_event *ret,
        bool *ret_known, struct prb_error *err)
{
    int r = read_event(decoder, ret, ret_known, err);

    prb_kube_decoder_reset(decoder);
    return r;
}

void prb_kube_event_done(struct prb_kube_event *event)
{
    prb_object_unref(event->object);
    prb_json_free(event->tree);
    *event = (struct prb_kube_event){ .object = NULL };
}

/* What else may come with a 200, such as the page of a proxy, must not count as done: nobody would
 * try again. */
int prb_kube_decoder_removed(struct prb_kube_decoder *decoder, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error why;

    if (prb_json_reader_end(decoder->json, &tree, &why) < 0 ||
            !json_object_is_type(tree, json_type_object))
        return prb_fail(err, PRB_E_IO,
                "the answer to the delete is not the API server's: whether it was carried out is "
                "unknown");
    if (prb_streq(prb_json_str(tree, "kind"), "Status") &&
            prb_streq(prb_json_str(tree, "status"), "Failure"))
        return prb_kube_fail_status(tree, err);
    return 0;
}
