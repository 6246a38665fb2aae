/* Does a name match a file glob, as Go's filepath.Match has it? */

#include <string.h>

#include "probate/base/str.h"
#include "probate/model/policy_namespaces.h"

/* Of a namespace and more: each `*` of a longer one would only cost time. */
#define PATTERN_MAX 512

#define BAD ((size_t)-1)

/* One character of a class, maybe behind a backslash: how long it is, and which. */
static size_t class_char(const char *at, char *ret)
{
    if (*at == '\0' || *at == '-' || *at == ']')
        return BAD;
    if (*at != '\\') {
        *ret = *at;
        return 1;
    }
    *ret = at[1];
    return at[1] == '\0' ? BAD : 2;
}

/* "a" or "a-z" in a class: how long it is. */
static size_t class_range(const char *at, char c, bool *matches)
{
    char low = 0, high = 0;
    size_t len = class_char(at, &low), more;

    if (len == BAD)
        return BAD;
    high = low;
    if (at[len] == '-') {
        more = class_char(at + len + 1, &high);
        if (more == BAD)
            return BAD;
        len += 1 + more;
    }
    *matches |= low <= c && c <= high;
    return len;
}

/* "[a-z]" at the beginning: how long it is, and whether the character is in it. */
static size_t match_class(const char *pattern, char c, bool *ret)
{
    const char *at = pattern + 1;
    bool negated = *at == '^', matches = false;
    const char *first;

    at += negated ? 1 : 0;
    first = at;
    while (*at != ']' || at == first) {
        size_t len = class_range(at, c, &matches);

        if (len == BAD)
            return BAD;
        at += len;
    }
    *ret = matches != negated;
    return (size_t)(at - pattern) + 1;
}

/* One thing that stands for one character: how long it is in the pattern. */
static size_t match_one(const char *pattern, char c, bool *ret)
{
    *ret = false;
    switch (*pattern) {
    case '?':
        *ret = c != '\0';
        return 1;
    case '[':
        return match_class(pattern, c, ret);
    case '\\':
        *ret = pattern[1] == c;
        return pattern[1] == '\0' ? BAD : 2;
    default:
        *ret = *pattern == c;
        return 1;
    }
}

/* Is the pattern one at all? */
static bool is_pattern(const char *pattern)
{
    while (*pattern != '\0') {
        bool matches;
        size_t len = *pattern == '*' ? 1 : match_one(pattern, 'x', &matches);

        if (len == BAD)
            return false;
        pattern += len;
    }
    return true;
}

/* The last `*` takes one character more whenever what comes after it does not fit. */
static bool matches(const char *pattern, const char *name)
{
    const char *star = NULL, *from = NULL;

    for (;;) {
        bool fits = false;
        size_t len;

        if (*pattern == '*') {
            star = ++pattern;
            from = name;
            continue;
        }
        if (*pattern == '\0' && *name == '\0')
            return true;
        len = *pattern == '\0' ? 0 : match_one(pattern, *name, &fits);
        if (fits && *name != '\0') {
            pattern += len;
            name++;
            continue;
        }
        if (!star || *from == '\0')
            return false;
        name = ++from;
        pattern = star;
    }
}

int prb_glob_match(const char *pattern, const char *name, bool *ret, struct prb_error *err)
{
    if (!pattern || strlen(pattern) > PATTERN_MAX || !is_pattern(pattern))
        return prb_fail(err, PRB_E_INVALID, "\"%.100s\" is no pattern", pattern ? pattern : "");
    *ret = matches(pattern, name);
    return 0;
}
