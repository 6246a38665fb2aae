/* What is left of an object for a rule that reads only some paths? */

#include "reads.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"

/* Rules read a handful of paths. */
#define PATHS_MAX 16

/* The paths that lead on below `key`, without it; *ret_whole when one ends here. */
static size_t descend(
        const char *const *paths, const char *key, const char *below[PATHS_MAX], bool *ret_whole)
{
    size_t count = 0, len = strlen(key);

    *ret_whole = false;
    for (; *paths && count < PATHS_MAX - 1; paths++) {
        if (strncmp(*paths, key, len) != 0)
            continue;
        if ((*paths)[len] == '.')
            below[count++] = *paths + len + 1;
        else if ((*paths)[len] == '\0')
            *ret_whole = true;
    }
    below[count] = NULL;
    return count;
}

static struct json_object *reduce_list(const struct json_object *list, const char *const *reads)
{
    struct json_object *left = json_object_new_array();

    for (size_t i = 0; i < prb_json_len(list); i++)
        prb_json_push(left, prb_test_reduce(prb_json_elem(list, i), reads));
    return left;
}

struct json_object *prb_test_reduce(const struct json_object *tree, const char *const *reads)
{
    const char *below[PATHS_MAX];
    struct json_object_iterator at;
    struct json_object *value, *left;
    const char *key;
    bool started = false, whole;

    if (json_object_is_type(tree, json_type_array))
        return reduce_list(tree, reads);
    if (!json_object_is_type(tree, json_type_object))
        return prb_json_copy(tree);
    left = json_object_new_object();
    while (prb_json_next(tree, &at, &started, &key, &value)) {
        size_t count = descend(reads, key, below, &whole);

        if (whole)
            prb_json_set(left, key, prb_json_copy(value));
        else if (count > 0)
            prb_json_set(left, key, prb_test_reduce(value, below));
    }
    return left;
}
