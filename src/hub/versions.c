/* Which version of a kind does the API server prefer? */

#include "versions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/str.h"

/* Room for all versions or short names of a kind: a definition with more would not be stored. */
#define NAMES_TEXT_MAX ((size_t)2 * 1024 * 1024)

struct version {
    bool known; /* of the form v1, v1beta1, v1alpha1 */
    long major;
    int stage; /* 2 stable, 1 beta, 0 alpha */
    long minor;
};

/* Digits at `text`, without a leading zero; NULL when there are none. */
static const char *number(const char *text, long *ret)
{
    char *end = NULL;

    if (*text < '1' || *text > '9')
        return NULL;
    *ret = strtol(text, &end, 10);
    return end;
}

static struct version parse(const char *text)
{
    struct version version = { .stage = 2 };
    const char *at = text[0] == 'v' ? number(text + 1, &version.major) : NULL;

    if (at && prb_starts_with(at, "beta")) {
        version.stage = 1;
        at = number(at + strlen("beta"), &version.minor);
    } else if (at && prb_starts_with(at, "alpha")) {
        version.stage = 0;
        at = number(at + strlen("alpha"), &version.minor);
    }
    version.known = at && *at == '\0';
    return version;
}

static int descending(long a, long b)
{
    return (a < b) - (a > b);
}

int prb_hub_version_compare(const char *a, const char *b)
{
    struct version left = parse(a), right = parse(b);
    int order = descending(left.known, right.known);

    if (order || !left.known)
        return order ? order : strcmp(a, b);
    order = descending(left.stage, right.stage);
    if (!order)
        order = descending(left.major, right.major);
    return order ? order : descending(left.minor, right.minor);
}

static int by_preference(const void *a, const void *b)
{
    return prb_hub_version_compare(prb_json_string(*(struct json_object *const *)a),
            prb_json_string(*(struct json_object *const *)b));
}

void prb_hub_versions_sort(struct json_object *names)
{
    json_object_array_sort(names, by_preference);
}

char *prb_hub_names_join(const struct json_object *names)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, NAMES_TEXT_MAX);
    for (size_t i = 0; i < prb_json_len(names); i++) {
        const char *name = prb_json_string(prb_json_elem(names, i));

        if (name)
            prb_str_addf(&text, "%s%s", text.len ? "," : "", name);
    }
    return prb_str_take(&text);
}
