/* Which resources does the command line name? */

#include "resources.h"

#include <string.h>

#include "probate/base/cleanup.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

bool prb_is_api_version(const char *text, size_t len)
{
    size_t digits = len > 1 && text[0] == 'v' ? count_digits(text + 1) : 0;
    size_t at = 1 + digits;

    if (digits == 0 || at == len)
        return digits > 0;
    if (strncmp(text + at, "alpha", 5) == 0)
        at += 5;
    else if (strncmp(text + at, "beta", 4) == 0)
        at += 4;
    else
        return false;
    digits = count_digits(text + at);
    return digits > 0 && at + digits == len;
}

/* "buckets.example.org" or "buckets.v1.example.org"; with `core` also "secrets", "secrets." and
 * "secrets.v1.", as a status has it. */
static bool parse(const char *text, bool core, struct prb_gvr *ret)
{
    size_t end = strcspn(text, "."), len;
    prb_autofree char *plural = prb_strndup(text, end);
    const char *rest = text + end + (text[end] ? 1 : 0);

    len = strcspn(rest, ".");
    if (prb_is_api_version(rest, len))
        return rest[len] == '.' && (core || rest[len + 1]) && prb_gvr_parse(text, ret);

    /* Any version will do to check the other two. */
    if ((rest[0] == '\0' && !core) || !prb_gvr_init(ret, rest, "v1", plural))
        return false;
    ret->version[0] = '\0';
    return true;
}

int prb_resources_parse(const struct prb_resource_flag *flag, const struct prb_list *list,
        struct prb_gvr **ret, size_t *ret_count, struct prb_error *err)
{
    prb_autofree struct prb_gvr *resources = prb_calloc(list->count + 1, sizeof(*resources));

    for (size_t i = 0; i < list->count; i++) {
        if (!parse(list->items[i], flag->core, &resources[i]))
            return prb_fail(err, PRB_E_INVALID,
                    "%s: \"%s\" is not of the form PLURAL.GROUP, such as %s", flag->name,
                    list->items[i], flag->example);
    }
    *ret = prb_take(resources);
    *ret_count = list->count;
    return 0;
}
