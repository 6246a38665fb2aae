/* Which label keys, values and numbers of values does the API server take in a selector? */

#include <string.h>

#include "probate/base/str.h"

#include "selector_internal.h"

/* Kubernetes: the name of a key and every value; the prefix of a key is a DNS subdomain. */
#define LABEL_NAME_MAX 63
#define LABEL_PREFIX_MAX 253

static bool is_lower_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_alphanumeric(char c)
{
    return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z');
}

/* ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9] */
static bool is_name(const char *text, size_t len)
{
    if (len == 0 || len > LABEL_NAME_MAX)
        return false;
    for (size_t i = 0; i < len; i++) {
        bool at_an_end = i == 0 || i == len - 1;

        if (!is_alphanumeric(text[i]) && (at_an_end || !strchr("-_.", text[i])))
            return false;
    }
    return true;
}

/* Lower-case DNS labels, each beginning and ending with a letter or digit, joined by dots. */
static bool is_subdomain(const char *text, size_t len)
{
    char before = '.';

    if (len == 0 || len > LABEL_PREFIX_MAX)
        return false;
    for (size_t i = 0; i < len; before = text[i], i++) {
        if (is_lower_or_digit(text[i]))
            continue;
        if (text[i] == '-' ? before == '.' : text[i] != '.' || !is_lower_or_digit(before))
            return false;
    }
    return is_lower_or_digit(before);
}

static bool is_key(const char *key)
{
    const char *slash = strchr(key, '/');

    if (slash && !is_subdomain(key, (size_t)(slash - key)))
        return false;
    return slash ? is_name(slash + 1, strlen(slash + 1)) : is_name(key, strlen(key));
}

static int check_values(const struct requirement *requirement, struct prb_error *err)
{
    for (size_t i = 0; i < requirement->count; i++) {
        const char *value = requirement->values[i];

        if (value[0] != '\0' && !is_name(value, strlen(value)))
            return prb_fail(err, PRB_E_INVALID, "'%s' is no label value, at key '%s'", value,
                    requirement->key);
    }
    return 0;
}

static int check_count(const struct requirement *requirement, struct prb_error *err)
{
    bool takes_values = requirement->op != OP_EXISTS && requirement->op != OP_ABSENT;

    if (takes_values && requirement->count == 0)
        return prb_fail(err, PRB_E_INVALID, "key '%s' needs values", requirement->key);
    if (!takes_values && requirement->count > 0)
        return prb_fail(err, PRB_E_INVALID, "key '%s' is asked to exist or not: no values",
                requirement->key);
    return 0;
}

int prb_requirement_check(struct requirement *requirement, struct prb_error *err)
{
    int r = check_count(requirement, err);

    if (!is_key(requirement->key))
        return prb_fail(err, PRB_E_INVALID, "'%s' is no label key", requirement->key);
    if (r == 0)
        r = check_values(requirement, err);
    if (r < 0)
        return r;
    if ((requirement->op == OP_GREATER || requirement->op == OP_LESS) &&
            !prb_parse_int(requirement->values[0], INT64_MIN, INT64_MAX, &requirement->bound))
        return prb_fail(err, PRB_E_INVALID, "key '%s' is compared with '%s', which is no integer",
                requirement->key, requirement->values[0]);
    return 0;
}
