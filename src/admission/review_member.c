/* Which text is a member of a review? */

#include "review_member.h"

#include "probate/base/mem.h"

int prb_review_read_text(const struct json_object *from, const char *key, const char *path,
        const char **ret, struct prb_error *err)
{
    const struct json_object *node = prb_json_find(from, key);
    const char *text = prb_json_string(node);

    if (node && !text)
        return prb_fail(err, PRB_E_INVALID, "%s is not a text", path);
    *ret = text ? text : "";
    return 0;
}

int prb_review_copy_text(const struct json_object *from, const char *key, const char *path,
        char **ret, struct prb_error *err)
{
    const char *text = "";
    int r = prb_review_read_text(from, key, path, &text, err);

    if (r == 0)
        *ret = prb_strdup(text);
    return r;
}
