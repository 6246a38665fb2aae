/* Which one object is meant, and how is that written as a key or for a person? */

#include "probate/model/ref.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

/* Could the text be one segment of a URL path, and nothing but that? */
static bool is_segment(const char *text)
{
    if (text[0] == '\0' || strcmp(text, ".") == 0 || strcmp(text, "..") == 0)
        return false;
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '/' || c == '%' || c < 0x20 || c == 0x7f)
            return false;
    }
    return true;
}

bool prb_ref_init(
        struct prb_ref *ref, const struct prb_gvr *gvr, const char *namespace, const char *name)
{
    const char *within = namespace ? namespace : "";
    struct prb_ref made = { .gvr = *gvr };

    if (!name || !is_segment(name) || (within[0] && !is_segment(within)))
        return false;
    if (!prb_copy(made.namespace, sizeof(made.namespace), within) ||
            !prb_copy(made.name, sizeof(made.name), name))
        return false;
    *ref = made;
    return true;
}

bool prb_ref_equal(const struct prb_ref *a, const struct prb_ref *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->namespace, b->namespace) == 0 &&
           prb_gvr_equal(&a->gvr, &b->gvr);
}

void prb_ref_format(const struct prb_ref *ref, char text[PRB_REF_TEXT_SIZE])
{
    char gvr[PRB_GVR_TEXT_SIZE];

    prb_gvr_format(&ref->gvr, gvr);
    (void)snprintf(text, PRB_REF_TEXT_SIZE, "%s/%s/%s", gvr, ref->namespace, ref->name);
}

bool prb_ref_parse(const char *text, struct prb_ref *ret)
{
    char parts[PRB_REF_TEXT_SIZE];
    char *within, *name;
    struct prb_gvr gvr;

    if (!prb_copy(parts, sizeof(parts), text))
        return false;
    within = strchr(parts, '/');
    if (!within)
        return false;
    *within++ = '\0';
    name = strchr(within, '/');
    if (!name)
        return false;
    *name++ = '\0';
    return prb_gvr_parse(parts, &gvr) && prb_ref_init(ret, &gvr, within, name);
}

void prb_ref_describe(const struct prb_ref *ref, char text[PRB_REF_TEXT_SIZE])
{
    (void)snprintf(text, PRB_REF_TEXT_SIZE, "%s %s%s%s", ref->gvr.resource, ref->namespace,
            ref->namespace[0] ? "/" : "", ref->name);
}
