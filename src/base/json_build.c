/*
 * How do containers come to be exactly as large as their content? json-c gives each object a table
 * of 16 entries of 40 bytes, and most objects of an API have three members.
 */

#include <limits.h>
#include <string.h>

#include "probate/base/mem.h"

#include "json_internal.h"

/*
 * The smallest table that takes `count` members without growing: json-c doubles a table when a
 * member comes and it already holds 0.66 of its size.
 */
static int table_size(size_t count)
{
    size_t size = count > 1 ? (count - 1) * 100 / 66 + 1 : 1;

    return size < INT_MAX ? (int)size : INT_MAX;
}

struct json_object *prb_json_must(struct json_object *made)
{
    if (!made)
        prb_exhausted();
    return made;
}

struct json_object *prb_json_new_object(size_t count)
{
    struct json_object *obj = prb_json_must(json_object_new_object());

    (void)lh_table_resize(json_object_get_object(obj), table_size(count));
    return obj;
}

void prb_json_fit(struct json_object *obj)
{
    struct lh_table *table = json_object_get_object(obj);

    (void)lh_table_resize(table, table_size((size_t)lh_table_length(table)));
}

struct json_object *prb_json_new_array(size_t count)
{
    int size = count < INT_MAX ? (int)count : INT_MAX;

    return prb_json_must(json_object_new_array_ext(size > 0 ? size : 1));
}

bool prb_json_add_new(
        struct json_object *obj, const char *key, size_t len, struct json_object *value_taken)
{
    struct lh_table *table = json_object_get_object(obj);
    const char *common = prb_json_common_key(key, len);
    prb_autofree char *copy = common ? NULL : prb_strndup(key, len);
    const char *name = common ? common : copy;
    unsigned long hash = lh_get_hash(table, name);

    if (lh_table_lookup_entry_w_hash(table, name, hash))
        return false;
    (void)lh_table_insert_w_hash(
            table, name, value_taken, hash, common ? JSON_C_OBJECT_ADD_CONSTANT_KEY : 0);
    (void)prb_take(copy);
    return true;
}
