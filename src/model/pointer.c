/* How does a tree change at the place that a JSON pointer names? */

#include "pointer.h"

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

/* The container that holds, or will hold, a value, and the value's key or index in it. */
struct place {
    struct json_object *parent; /* borrowed */
    char *token;                /* owned; without escapes */
};

static void place_donep(struct place *place)
{
    free(place->token);
}

/* A reference token without its escapes, or NULL when it is malformed. */
static char *unescape(const char *token)
{
    prb_autofree char *plain = prb_strdup(token);
    char *to = plain;

    for (; *token; token++) {
        char c = *token;

        if (c == '~') {
            token++;
            if (*token != '0' && *token != '1')
                return NULL;
            c = *token == '0' ? '~' : '/';
        }
        *to++ = c;
    }
    *to = '\0';
    return prb_take(plain);
}

/* False when the parent is not there; `ret` is to be freed either way. */
static bool find_place(struct json_object *tree, const char *pointer, struct place *ret)
{
    const char *slash = strrchr(pointer, '/');
    prb_autofree char *parent = NULL;

    if (!slash)
        return false;
    parent = prb_strndup(pointer, (size_t)(slash - pointer));
    ret->token = unescape(slash + 1);
    return ret->token && prb_json_pointer_get(tree, parent, &ret->parent);
}

/* An index up to `last`, written as RFC 6901 has it: no sign, no leading zero. */
static bool parse_index(const char *token, size_t last, size_t *ret)
{
    int64_t index;

    if (token[0] < '0' || token[0] > '9' || (token[0] == '0' && token[1] != '\0'))
        return false;
    if (!prb_parse_int(token, 0, INT64_MAX, &index) || (size_t)index > last)
        return false;
    *ret = (size_t)index;
    return true;
}

/* Each element behind the gap takes the place of the one after it. */
static void array_insert(struct json_object *array, size_t index, struct json_object *value)
{
    size_t len = json_object_array_length(array);

    (void)json_object_array_add(array, NULL);
    for (size_t i = len; i > index; i--)
        (void)json_object_array_put_idx(
                array, i, json_object_get(json_object_array_get_idx(array, i - 1)));
    (void)json_object_array_put_idx(array, index, value);
}

bool prb_pointer_insert(struct json_object **tree, const char *pointer, struct json_object *value)
{
    prb_auto(place_done) struct place at = { .parent = NULL };
    size_t index;

    if (pointer[0] == '\0') {
        prb_json_free(*tree);
        *tree = value;
        return true;
    }
    if (!find_place(*tree, pointer, &at))
        return false;
    if (json_object_is_type(at.parent, json_type_object)) {
        prb_json_set(at.parent, at.token, value);
        return true;
    }
    if (!json_object_is_type(at.parent, json_type_array))
        return false;
    index = prb_json_len(at.parent);
    if (strcmp(at.token, "-") != 0 && !parse_index(at.token, index, &index))
        return false;
    array_insert(at.parent, index, value);
    return true;
}

bool prb_pointer_detach(struct json_object *tree, const char *pointer, struct json_object **ret)
{
    prb_auto(place_done) struct place at = { .parent = NULL };
    struct json_object *value;
    size_t index;

    if (!prb_json_pointer_get(tree, pointer, &value) || !find_place(tree, pointer, &at))
        return false;
    *ret = json_object_get(value);
    if (json_object_is_type(at.parent, json_type_object))
        prb_json_del(at.parent, at.token);
    else if (parse_index(at.token, prb_json_len(at.parent), &index))
        (void)json_object_array_del_idx(at.parent, index, 1);
    return true;
}

bool prb_pointer_is_element(struct json_object *tree, const char *pointer)
{
    prb_auto(place_done) struct place at = { .parent = NULL };

    return find_place(tree, pointer, &at) && json_object_is_type(at.parent, json_type_array);
}

size_t prb_pointer_depth(const char *pointer)
{
    size_t depth = 0;

    for (; *pointer; pointer++)
        depth += *pointer == '/';
    return depth;
}

static size_t deeper(size_t deepest, const struct json_object *child)
{
    size_t depth = prb_tree_depth(child);

    return depth > deepest ? depth : deepest;
}

size_t prb_tree_depth(const struct json_object *tree)
{
    struct json_object_iterator at;
    struct json_object *value;
    const char *key;
    bool started = false;
    size_t deepest = 0;

    if (!json_object_is_type(tree, json_type_object) && !json_object_is_type(tree, json_type_array))
        return 0;
    for (size_t i = 0; i < prb_json_len(tree); i++)
        deepest = deeper(deepest, prb_json_elem(tree, i));
    while (prb_json_next(tree, &at, &started, &key, &value))
        deepest = deeper(deepest, value);
    return deepest + 1;
}
