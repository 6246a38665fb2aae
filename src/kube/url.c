/* Which URL is meant by a collection, an object and the options of a call? */

#include "url.h"

#include <stdio.h>
#include <string.h>

/* RFC 3986 "unreserved": what never needs encoding. */
static bool is_unreserved(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("-._~", c));
}

static void add_encoded(struct prb_str *path, const char *text)
{
    for (; *text; text++) {
        if (is_unreserved((unsigned char)*text))
            prb_str_addc(path, *text);
        else
            prb_str_addf(path, "%%%02X", (unsigned char)*text);
    }
}

static void add_segment(struct prb_str *path, const char *text)
{
    prb_str_addc(path, '/');
    add_encoded(path, text);
}

void prb_kube_path_group(struct prb_str *path, const char *group, const char *version)
{
    if (*group) {
        prb_str_add(path, "/apis");
        add_segment(path, group);
    } else {
        prb_str_add(path, "/api");
    }
    if (version)
        add_segment(path, version);
}

void prb_kube_path_collection(
        struct prb_str *path, const struct prb_gvr *gvr, const char *namespace)
{
    prb_kube_path_group(path, gvr->group, gvr->version);
    if (namespace && *namespace) {
        prb_str_add(path, "/namespaces");
        add_segment(path, namespace);
    }
    add_segment(path, gvr->resource);
}

/* A step that proxies resolve away would make it the URL of something else. */
static bool is_segment(const char *text)
{
    return *text && !prb_streq(text, ".") && !prb_streq(text, "..");
}

bool prb_kube_path_object(struct prb_str *path, const struct prb_ref *ref, const char *subresource)
{
    if (!is_segment(ref->name) || prb_streq(ref->namespace, ".") || prb_streq(ref->namespace, ".."))
        return false;

    prb_kube_path_collection(path, &ref->gvr, ref->namespace);
    add_segment(path, ref->name);
    if (subresource && *subresource)
        add_segment(path, subresource);
    return true;
}

void prb_kube_path_query(struct prb_str *path, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    prb_str_addc(path, strchr(prb_str_get(path), '?') ? '&' : '?');
    prb_str_add(path, key);
    prb_str_addc(path, '=');
    add_encoded(path, value);
}

void prb_kube_path_query_int(struct prb_str *path, const char *key, int64_t value)
{
    char text[24]; /* 20 characters at most */

    (void)snprintf(text, sizeof(text), "%lld", (long long)value);
    prb_kube_path_query(path, key, text);
}
