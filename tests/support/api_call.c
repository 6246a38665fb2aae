/* Which verb on which resource is this request? */

#include "support/api_call.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

/* Path segments: apis, group, version, namespaces, NS, resource, name, subresource, and a few more
 * as proxy subresources have them. */
#define SEGMENTS_MAX 16

/* A path with every name at its longest stays below. */
#define SEGMENT_SIZE 512

struct path {
    char segments[SEGMENTS_MAX][SEGMENT_SIZE]; /* decoded */
    size_t count;
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int hex_value(char c)
{
    c = lower(c);
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decode one segment of `len` bytes. */
static bool decode(const char *text, size_t len, char to[SEGMENT_SIZE])
{
    size_t out = 0;

    for (size_t i = 0; i < len; i++) {
        char c = text[i];

        if (out + 1 >= SEGMENT_SIZE)
            return false;
        if (c == '%') {
            int high = i + 2 < len ? hex_value(text[i + 1]) : -1;
            int low = i + 2 < len ? hex_value(text[i + 2]) : -1;

            if (high < 0 || low < 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        }
        to[out++] = c;
    }
    to[out] = '\0';
    return true;
}

/* Empty segments ("//", a slash at the end) count as none. */
static bool split(const char *text, size_t len, struct path *path)
{
    size_t at = 0;

    path->count = 0;
    while (at < len) {
        const char *slash = memchr(text + at, '/', len - at);
        size_t size = slash ? (size_t)(slash - text) - at : len - at;

        if (size > 0 && path->count == SEGMENTS_MAX)
            return false;
        if (size > 0 && !decode(text + at, size, path->segments[path->count++]))
            return false;
        at += size + 1;
    }
    return true;
}

/* The value of a query parameter, as it stands in the URL; false when it is not there. */
static bool find_parameter(const char *query, const char *name, char *value, size_t size)
{
    size_t name_len = strlen(name);

    while (query && *query) {
        size_t len = strcspn(query, "&");

        if (len > name_len && strncmp(query, name, name_len) == 0 && query[name_len] == '=') {
            (void)snprintf(value, size, "%.*s", (int)(len - name_len - 1), query + name_len + 1);
            return true;
        }
        query += len;
        query += *query == '&';
    }
    return false;
}

static bool is_true(const char *query, const char *name)
{
    char value[8];

    return find_parameter(query, name, value, sizeof(value)) &&
           (prb_streq(value, "true") || prb_streq(value, "1"));
}

static const char *verb_of(const char *method, bool named, bool watch)
{
    if (prb_streq(method, "GET") && watch)
        return "watch";
    if (prb_streq(method, "GET"))
        return named ? "get" : "list";
    if (prb_streq(method, "POST"))
        return "create";
    if (prb_streq(method, "PUT"))
        return "update";
    if (prb_streq(method, "PATCH"))
        return "patch";
    if (prb_streq(method, "DELETE"))
        return named ? "delete" : "deletecollection";
    return "";
}

/* Parts of a Namespace object, as opposed to resources inside the namespace. */
static bool is_namespace_part(const char *segment)
{
    return prb_streq(segment, "status") || prb_streq(segment, "finalize");
}

/* The segments after the version: [namespaces NS] resource [name [subresource]]. */
static bool read_resource(const struct path *path, size_t at, struct prb_api_call *call)
{
    struct prb_ref *ref = &call->ref;

    if (path->count > at + 2 && prb_streq(path->segments[at], "namespaces") &&
            !is_namespace_part(path->segments[at + 2])) {
        if (!prb_copy(ref->namespace, sizeof(ref->namespace), path->segments[at + 1]))
            return false;
        at += 2;
    }
    if (path->count > at &&
            !prb_copy(ref->gvr.resource, sizeof(ref->gvr.resource), path->segments[at]))
        return false;
    if (path->count > at + 1 && !prb_copy(ref->name, sizeof(ref->name), path->segments[at + 1]))
        return false;
    return path->count <= at + 2 ||
           prb_copy(call->subresource, sizeof(call->subresource), path->segments[at + 2]);
}

/* The prefix /api/VERSION or /apis/GROUP/VERSION: how many segments it has, 0 when it is none. */
static size_t read_group(const struct path *path, struct prb_api_call *call)
{
    struct prb_gvr *gvr = &call->ref.gvr;

    if (path->count > 2 && prb_streq(path->segments[0], "api"))
        return prb_copy(gvr->version, sizeof(gvr->version), path->segments[1]) ? 2 : 0;
    if (path->count > 3 && prb_streq(path->segments[0], "apis") &&
            prb_copy(gvr->group, sizeof(gvr->group), path->segments[1]) &&
            prb_copy(gvr->version, sizeof(gvr->version), path->segments[2]))
        return 3;
    return 0;
}

static void set_method_verb(const char *method, struct prb_api_call *call)
{
    (void)prb_copy(call->verb, sizeof(call->verb), method);
    for (char *c = call->verb; *c; c++)
        *c = lower(*c);
}

bool prb_api_call_parse(const char *method, const char *target, struct prb_api_call *ret)
{
    const char *query = strchr(target, '?');
    size_t path_len = query ? (size_t)(query - target) : strlen(target);
    prb_autofree struct path *path = prb_calloc(1, sizeof(*path));
    struct prb_api_call call = { .dry_run = query && strstr(query, "dryRun=") };
    size_t at;

    if (target[0] != '/' || !split(target, path_len, path))
        return false;
    at = read_group(path, &call);
    if (at == 0) {
        call.ref = (struct prb_ref){ .name = "" };
        set_method_verb(method, &call);
        *ret = call;
        return true;
    }
    /* The old form /api/v1/watch/... */
    if (prb_streq(path->segments[at], "watch") && path->count > at + 1) {
        at++;
        query = "?watch=true";
    }
    if (!read_resource(path, at, &call))
        return false;
    (void)prb_copy(call.verb, sizeof(call.verb),
            verb_of(method, call.ref.name[0] != '\0', query && is_true(query + 1, "watch")));
    if (!call.verb[0])
        set_method_verb(method, &call);
    *ret = call;
    return true;
}

bool prb_api_call_is_write(const struct prb_api_call *call)
{
    static const char *const writes[] = { "create", "update", "patch", "delete",
        "deletecollection" };

    for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
        if (prb_streq(call->verb, writes[i]))
            return true;
    }
    return false;
}

bool prb_api_call_is_on(const struct prb_api_call *call, const char *pattern)
{
    const struct prb_gvr *gvr = &call->ref.gvr;
    const char *subresource, *group;
    size_t len;

    if (!pattern || prb_streq(pattern, "*"))
        return true;
    subresource = strchr(pattern, '/');
    if (!prb_streq(subresource ? subresource + 1 : "", call->subresource))
        return false;
    len = subresource ? (size_t)(subresource - pattern) : strlen(pattern);
    group = memchr(pattern, '.', len);
    if (group && (strlen(gvr->group) != len - (size_t)(group + 1 - pattern) ||
                         strncmp(group + 1, gvr->group, strlen(gvr->group)) != 0))
        return false;
    if (group)
        len = (size_t)(group - pattern);
    return strlen(gvr->resource) == len && strncmp(pattern, gvr->resource, len) == 0;
}

bool prb_api_call_has_verb(const struct prb_api_call *call, const char *verb)
{
    return !verb || prb_streq(verb, "*") || prb_streq(verb, call->verb);
}
