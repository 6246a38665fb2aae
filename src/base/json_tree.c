/*
 * Which parts of a text become a tree, and how much memory may that take? Values wait until their
 * container closes and its size is known. Only containers that are built have a frame: while more
 * are open than there are frames, what comes is stepped over.
 */

#include <string.h>

#include "probate/base/mem.h"

#include "json_reader_internal.h"

/*
 * What a tree takes in memory, at most, in bytes as glibc hands them out: nodes of json-c have 48
 * and 56, a container has a table or an array beside it, a member an entry of 40 in a table that
 * is a third empty, and a copy of its name. While they wait members and elements take one entry of
 * `pending`, which may be half empty, and a name.
 */
#define NODE_COST ((size_t)64)
#define CONTAINER_COST ((size_t)192)
#define ELEMENT_COST (8 + 2 * sizeof(struct prb_json_pending))
#define MEMBER_COST (104 + 2 * sizeof(struct prb_json_pending))
#define NAME_COST 3 /* for each byte: in the table, and in `names`, which may be half empty */
#define TEXT_COST 2 /* for each byte of a token that is not whole yet: the same */

const struct prb_json_filter prb_json_take_none[] = { { .key = NULL } };

void prb_json_tree_init(struct prb_json_reader *reader)
{
    prb_str_init(&reader->names, SIZE_MAX / 4);
    reader->next = reader->options.filter;
}

/* Let go what is pending from `count` on. */
static void unwind(struct prb_json_reader *reader, size_t count)
{
    for (size_t i = count; i < reader->pending_count; i++)
        prb_json_free(reader->pending[i].value);
    reader->pending_count = count;
    reader->names.len =
            count > 0 ? reader->pending[count - 1].name + reader->pending[count - 1].name_len : 0;
}

void prb_json_tree_done(struct prb_json_reader *reader)
{
    unwind(reader, 0);
    prb_json_free(prb_take(reader->root));
    free(prb_take(reader->pending));
    free(prb_take(reader->frames));
    prb_str_done(&reader->names);
    reader->frame_count = reader->frame_cap = reader->pending_cap = 0;
}

static struct prb_json_frame *top(const struct prb_json_reader *reader)
{
    return &reader->frames[reader->frame_count - 1];
}

bool prb_json_tree_takes(const struct prb_json_reader *reader)
{
    return reader->frame_count == reader->depth && reader->next != prb_json_take_none;
}

/* Of the items before this one there are as many pending. */
static size_t item_index(const struct prb_json_reader *reader)
{
    const struct prb_json_frame *item = &reader->frames[reader->item - 1];

    if (reader->item < 2 || !item[-1].holds_items)
        return 0;
    return item->base - item[-1].base;
}

static void tell_defect(const struct prb_json_reader *reader, const char *member,
        enum prb_errc code, struct prb_json_place place, const char *why)
{
    struct prb_error err;

    (void)prb_fail(&err, code, "line %u, column %u: %s", place.line, place.column, why);
    reader->options.defect(reader->options.ctx, item_index(reader), member, &err);
}

static int refuse(struct prb_json_reader *reader, enum prb_errc code, struct prb_json_place place,
        const char *why)
{
    (void)prb_json_refuse(reader, place, why);
    reader->failed = code;
    return code;
}

int prb_json_tree_defect(struct prb_json_reader *reader, enum prb_errc code,
        struct prb_json_place place, const char *why)
{
    const struct prb_json_pending *member;

    if (reader->item == 0)
        return refuse(reader, code, place, why);
    reader->text_max = 0; /* of a token that is not whole, the rest is only checked */
    prb_str_clear(&reader->text);
    reader->frame_count = reader->item;
    reader->next = prb_json_take_none;
    if (reader->member == 0) {
        tell_defect(reader, "", code, place, why);
        return 0;
    }
    member = &reader->pending[reader->member - 1];
    tell_defect(reader, reader->names.data + member->name, code, place, why);
    unwind(reader, reader->member - 1);
    reader->built = reader->member_built;
    reader->member = 0;
    return 0;
}

size_t prb_json_reader_built(const struct prb_json_reader *reader)
{
    return reader->built + reader->text.len * TEXT_COST;
}

static size_t built_of_members(const struct json_object *obj)
{
    const struct lh_table *table = json_object_get_object(obj);
    const struct lh_entry *entry;
    size_t built = CONTAINER_COST;

    lh_foreach(table, entry)
    {
        built += MEMBER_COST + NAME_COST * strlen(lh_entry_k(entry));
        built += prb_json_built(lh_entry_v(entry));
    }
    return built;
}

size_t prb_json_built(const struct json_object *tree)
{
    size_t built = CONTAINER_COST;

    if (json_object_is_type(tree, json_type_object))
        return built_of_members(tree);
    if (json_object_is_type(tree, json_type_string))
        return NODE_COST + (size_t)json_object_get_string_len(tree);
    if (!json_object_is_type(tree, json_type_array))
        return NODE_COST;
    for (size_t i = 0; i < prb_json_len(tree); i++)
        built += ELEMENT_COST + prb_json_built(prb_json_elem(tree, i));
    return built;
}

int prb_json_tree_charge(struct prb_json_reader *reader, size_t bytes)
{
    const struct prb_json_reader_options *o = &reader->options;
    size_t built;

    reader->built += bytes;
    built = prb_json_reader_built(reader);
    if (built > o->built_max)
        return refuse(reader, PRB_E_UNSUPPORTED, reader->token, "more than is read at once");
    if (o->item_max > 0 && reader->item > 0 && built - reader->member_built > o->item_max)
        return prb_json_tree_defect(
                reader, PRB_E_UNSUPPORTED, reader->token, "more than is read of one object");
    return 0;
}

static void push(struct prb_json_reader *reader, struct prb_json_pending entry)
{
    if (reader->pending_count == reader->pending_cap) {
        reader->pending_cap = reader->pending_cap ? reader->pending_cap * 2 : 32;
        reader->pending =
                prb_realloc(reader->pending, reader->pending_cap, sizeof(*reader->pending));
    }
    reader->pending[reader->pending_count++] = entry;
}

static size_t longest_name(const struct prb_json_filter *filter)
{
    size_t longest = 0;

    if (!filter || filter->drop)
        return SIZE_MAX / 4; /* whatever is not named is taken */
    for (; filter->key; filter++) {
        size_t len = strlen(filter->key);

        longest = len > longest ? len : longest;
    }
    return longest;
}

static void push_frame(struct prb_json_reader *reader, bool array)
{
    bool in_items = reader->frame_count > 0 && top(reader)->holds_items;
    struct prb_json_frame frame = { .filter = reader->next,
        .base = reader->pending_count,
        .name_max = array ? 0 : longest_name(reader->next) };

    if (reader->options.defect && reader->item == 0) {
        frame.holds_items = array && reader->next_is_items;
        frame.is_item = !array && (reader->next_is_items || in_items);
    }
    reader->next_is_items = false;
    if (reader->frame_count == reader->frame_cap) {
        reader->frame_cap = reader->frame_cap ? reader->frame_cap * 2 : 16;
        reader->frames = prb_realloc(reader->frames, reader->frame_cap, sizeof(*reader->frames));
    }
    reader->frames[reader->frame_count++] = frame;
    if (frame.is_item) {
        reader->item = reader->frame_count;
        reader->member = 0;
        reader->member_built = reader->built;
    }
}

int prb_json_tree_open(struct prb_json_reader *reader, struct prb_json_place place, bool array)
{
    int r;

    if (!prb_json_tree_takes(reader))
        return 0;
    if (reader->depth >= reader->options.depth_max)
        return prb_json_tree_defect(reader, PRB_E_INVALID, place, "nested too deeply");
    reader->token = place;
    r = prb_json_tree_charge(reader, CONTAINER_COST);
    if (r == 0 && prb_json_tree_takes(reader))
        push_frame(reader, array);
    return r;
}

size_t prb_json_tree_name_max(const struct prb_json_reader *reader)
{
    return reader->frame_count == reader->depth ? top(reader)->name_max : 0;
}

/* Which part of the member `key` the filter of its object takes. */
static const struct prb_json_filter *filter_member(
        const struct prb_json_filter *filter, const char *key, size_t len, bool *ret_items)
{
    if (!filter)
        return NULL;
    for (const struct prb_json_filter *f = filter; f->key; f++) {
        if (strlen(f->key) != len || memcmp(f->key, key, len) != 0)
            continue;
        *ret_items = f->items;
        return f->drop && !f->children ? prb_json_take_none : f->children;
    }
    return filter->drop ? NULL : prb_json_take_none;
}

void prb_json_tree_element(struct prb_json_reader *reader)
{
    if (reader->frame_count == reader->depth)
        reader->next = top(reader)->filter;
}

int prb_json_tree_name(struct prb_json_reader *reader)
{
    struct prb_json_pending entry = { .place = reader->token };
    size_t len = reader->text.len;
    const char *name = prb_str_get(&reader->text);

    reader->next = prb_json_take_none;
    reader->next_is_items = false;
    if (reader->frame_count != reader->depth || reader->text_max == 0 || len > reader->text_max ||
            memchr(name, '\0', len))
        return 0;
    reader->next = filter_member(top(reader)->filter, name, len, &reader->next_is_items);
    if (reader->next == prb_json_take_none)
        return 0;

    entry.name = reader->names.len;
    entry.name_len = len + 1;
    prb_str_addn(&reader->names, name, len + 1); /* with its NUL */
    push(reader, entry);
    if (reader->item == reader->frame_count) {
        reader->member = reader->pending_count;
        reader->member_built = reader->built;
    }
    prb_str_clear(&reader->text);
    return prb_json_tree_charge(reader, MEMBER_COST + NAME_COST * len);
}

int prb_json_tree_value(struct prb_json_reader *reader, struct json_object *value_taken)
{
    prb_auto(prb_json_free) struct json_object *value = value_taken;
    int r = 0;

    if (reader->depth == 0) {
        reader->root = prb_take(value);
        return 0;
    }
    if (prb_json_in_array(reader)) {
        r = prb_json_tree_charge(reader, ELEMENT_COST);
        if (r == 0 && prb_json_tree_takes(reader))
            push(reader, (struct prb_json_pending){
                                 .value = prb_take(value), .name = reader->names.len });
        return r;
    }
    reader->pending[reader->pending_count - 1].value = prb_take(value);
    if (reader->item == reader->frame_count) {
        reader->member = 0;
        reader->member_built = reader->built;
    }
    return 0;
}

int prb_json_tree_room(struct prb_json_reader *reader)
{
    return prb_json_tree_takes(reader) ? prb_json_tree_charge(reader, NODE_COST) : 0;
}

static struct json_object *build_array(struct prb_json_reader *reader, size_t base)
{
    struct json_object *array = prb_json_new_array(reader->pending_count - base);

    for (size_t i = base; i < reader->pending_count; i++)
        (void)json_object_array_add(array, prb_take(reader->pending[i].value));
    return array;
}

/* NULL when a name is there twice: *ret says whether reading goes on without the object. */
static struct json_object *build_object(
        struct prb_json_reader *reader, const struct prb_json_frame *frame, int *ret)
{
    static const char duplicate[] = "duplicate member name";
    prb_auto(prb_json_free) struct json_object *obj =
            prb_json_new_object(reader->pending_count - frame->base);

    for (size_t i = frame->base; i < reader->pending_count; i++) {
        struct prb_json_pending *m = &reader->pending[i];
        const char *name = reader->names.data + m->name;

        if (prb_json_add_new(obj, name, m->name_len - 1, m->value)) {
            m->value = NULL;
            continue;
        }
        if (!frame->is_item) {
            *ret = prb_json_tree_defect(reader, PRB_E_INVALID, m->place, duplicate);
            return NULL;
        }
        tell_defect(reader, name, PRB_E_INVALID, m->place, duplicate);
    }
    return prb_take(obj);
}

int prb_json_tree_close(struct prb_json_reader *reader, bool array)
{
    struct prb_json_frame frame;
    struct json_object *value;
    int r = 0;

    if (reader->frame_count != reader->depth + 1)
        return 0;
    frame = *top(reader);
    value = array ? build_array(reader, frame.base) : build_object(reader, &frame, &r);
    if (!value)
        return r;
    unwind(reader, frame.base);
    reader->frame_count--;
    if (frame.is_item)
        reader->item = 0;
    reader->next = NULL; /* it is taken */
    return prb_json_tree_value(reader, value);
}
