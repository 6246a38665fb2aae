/* Which kinds are claims by the command line? */

#include "rules_claims.h"

#include <string.h>

#include "probate/base/cleanup.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* "v1", "v1alpha1", "v2beta3": what tells a version from the first part of a group. */
static bool is_version(const char *text, size_t len)
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

/* "buckets.example.org" or "buckets.v1.example.org" */
static bool parse(const char *text, struct prb_gvr *ret)
{
    const char *rest = strchr(text, '.');
    prb_autofree char *plural = rest ? prb_strndup(text, (size_t)(rest - text)) : NULL;
    size_t len;

    if (!rest)
        return false;
    len = strcspn(++rest, ".");
    if (is_version(rest, len))
        return rest[len] == '.' && rest[len + 1] && prb_gvr_parse(text, ret);

    /* Any version will do to check the other two. */
    if (rest[0] == '\0' || !prb_gvr_init(ret, rest, "v1", plural))
        return false;
    ret->version[0] = '\0';
    return true;
}

int prb_claims_parse(
        const struct prb_list *list, struct prb_gvr **ret, size_t *ret_count, struct prb_error *err)
{
    prb_autofree struct prb_gvr *claims = prb_calloc(list->count + 1, sizeof(*claims));

    for (size_t i = 0; i < list->count; i++) {
        if (!parse(list->items[i], &claims[i]))
            return prb_fail(err, PRB_E_INVALID,
                    "--claim-resource: \"%s\" is not of the form PLURAL.GROUP, such as "
                    "buckets.example.org",
                    list->items[i]);
    }
    *ret = prb_take(claims);
    *ret_count = list->count;
    return 0;
}
