/* Which node does an RFC 6901 pointer name? */

#include <string.h>

#include "probate/base/mem.h"

#include "json_internal.h"

/* Undo ~0 and ~1 in place; false for any other use of '~'. */
static bool unescape(char *token)
{
    char *to = token;

    for (const char *from = token; *from; from++) {
        char c = *from;

        if (c == '~') {
            from++;
            if (*from != '0' && *from != '1')
                return false;
            c = *from == '0' ? '~' : '/';
        }
        *to++ = c;
    }
    *to = '\0';
    return true;
}

/* An element's index: digits without a leading zero. "-" names the one after the last: none. */
static bool step_array(const struct json_object *array, const char *token, struct json_object **ret)
{
    int64_t index;

    if (token[0] == '-' || (token[0] == '0' && token[1] != '\0'))
        return false;
    if (!prb_parse_int(token, 0, INT64_MAX, &index) || (size_t)index >= prb_json_len(array))
        return false;
    *ret = prb_json_elem(array, (size_t)index);
    return true;
}

static bool step(const struct json_object *node, const char *token, struct json_object **ret)
{
    if (json_object_is_type(node, json_type_array))
        return step_array(node, token, ret);
    if (!prb_json_has(node, token))
        return false;
    *ret = prb_json_find(node, token);
    return true;
}

bool prb_json_pointer_get(
        const struct json_object *tree, const char *pointer, struct json_object **ret)
{
    struct json_object *node = prb_json_unconst(tree);

    while (*pointer) {
        prb_autofree char *token = NULL;
        size_t len;

        if (*pointer != '/')
            return false;
        len = strcspn(++pointer, "/");
        token = prb_strndup(pointer, len);
        if (!unescape(token) || !step(node, token, &node))
            return false;
        pointer += len;
    }
    *ret = node;
    return true;
}

void prb_json_pointer_add(struct prb_str *pointer, const char *key)
{
    prb_str_addc(pointer, '/');
    for (; *key; key++) {
        if (*key == '~')
            prb_str_add(pointer, "~0");
        else if (*key == '/')
            prb_str_add(pointer, "~1");
        else
            prb_str_addc(pointer, *key);
    }
}
