/* How are group, version and resource written, checked and compared? */

#include "probate/model/gvr.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

/* Lower-case letters, digits and '-': what a version and a plural are made of. */
static bool is_label_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

static bool is_label(const char *text)
{
    if (!text || text[0] == '\0')
        return false;
    for (; *text; text++) {
        if (!is_label_char(*text))
            return false;
    }
    return true;
}

/*
 * Labels joined by dots. An empty label is refused although its characters are allowed: "." and
 * ".." would walk up the path of a URL.
 */
static bool is_group(const char *text)
{
    char before = '.';

    if (!text)
        return false;
    if (text[0] == '\0')
        return true;
    for (; *text; text++) {
        if (*text == '.' ? before == '.' : !is_label_char(*text))
            return false;
        before = *text;
    }
    return before != '.';
}

bool prb_gvr_init(struct prb_gvr *gvr, const char *group, const char *version, const char *resource)
{
    struct prb_gvr made = { .group = "" };

    if (!is_group(group) || !is_label(version) || !is_label(resource))
        return false;
    if (!prb_copy(made.group, sizeof(made.group), group) ||
            !prb_copy(made.version, sizeof(made.version), version) ||
            !prb_copy(made.resource, sizeof(made.resource), resource))
        return false;
    *gvr = made;
    return true;
}

bool prb_gvr_equal(const struct prb_gvr *a, const struct prb_gvr *b)
{
    return prb_gvr_compare(a, b) == 0;
}

int prb_gvr_compare(const struct prb_gvr *a, const struct prb_gvr *b)
{
    int order = strcmp(a->group, b->group);

    if (order == 0)
        order = strcmp(a->version, b->version);
    if (order == 0)
        order = strcmp(a->resource, b->resource);
    return order;
}

void prb_gvr_format(const struct prb_gvr *gvr, char text[PRB_GVR_TEXT_SIZE])
{
    (void)snprintf(text, PRB_GVR_TEXT_SIZE, "%s.%s.%s", gvr->resource, gvr->version, gvr->group);
}

/* Copy the bytes from `from` up to `to`; false when they do not fit. */
static bool copy_part(char *part, size_t size, const char *from, const char *to)
{
    size_t len = (size_t)(to - from);

    if (len >= size)
        return false;
    memcpy(part, from, len);
    part[len] = '\0';
    return true;
}

bool prb_gvr_parse(const char *text, struct prb_gvr *ret)
{
    char resource[PRB_RESOURCE_SIZE], version[PRB_VERSION_SIZE];
    const char *dot = strchr(text, '.');
    const char *end;

    if (!dot || !copy_part(resource, sizeof(resource), text, dot))
        return false;
    end = strchrnul(dot + 1, '.');
    if (!copy_part(version, sizeof(version), dot + 1, end))
        return false;
    return prb_gvr_init(ret, *end == '.' ? end + 1 : "", version, resource);
}

bool prb_api_version_parse(
        const char *text, char group[PRB_GROUP_SIZE], char version[PRB_VERSION_SIZE])
{
    const char *slash = strchr(text, '/');
    char found[PRB_GROUP_SIZE] = "";
    const char *rest = slash ? slash + 1 : text;

    if (slash && (slash == text || !copy_part(found, sizeof(found), text, slash)))
        return false;
    if (!is_group(found) || !is_label(rest) || strlen(rest) >= PRB_VERSION_SIZE)
        return false;
    (void)prb_copy(group, PRB_GROUP_SIZE, found);
    (void)prb_copy(version, PRB_VERSION_SIZE, rest);
    return true;
}

void prb_api_version_format(const char *group, const char *version, char text[PRB_API_VERSION_SIZE])
{
    (void)snprintf(text, PRB_API_VERSION_SIZE, "%s%s%s", group, group[0] ? "/" : "", version);
}
