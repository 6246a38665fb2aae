/* How does a private tree change? */

#include "json_internal.h"

void prb_json_free(struct json_object *tree)
{
    (void)json_object_put(tree);
}

void prb_json_set(struct json_object *obj, const char *key, struct json_object *value_taken)
{
    (void)json_object_object_add(obj, key, value_taken);
}

void prb_json_set_str(struct json_object *obj, const char *key, const char *value)
{
    if (value)
        prb_json_set(obj, key, json_object_new_string(value));
}

void prb_json_set_int(struct json_object *obj, const char *key, int64_t value)
{
    prb_json_set(obj, key, json_object_new_int64(value));
}

void prb_json_set_bool(struct json_object *obj, const char *key, bool value)
{
    prb_json_set(obj, key, json_object_new_boolean(value));
}

void prb_json_push(struct json_object *array, struct json_object *value_taken)
{
    (void)json_object_array_add(array, value_taken);
}

void prb_json_del(struct json_object *obj, const char *key)
{
    json_object_object_del(obj, key);
}

struct json_object *prb_json_ensure_obj(struct json_object *obj, const char *key)
{
    struct json_object *member = prb_json_obj(obj, key);

    if (!member) {
        member = json_object_new_object();
        prb_json_set(obj, key, member);
    }
    return member;
}
