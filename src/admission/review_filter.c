/*
 * Which members of a review are worth building? Those that a request is made of, the names of both
 * objects, and the paths that some rule declared to read. The tree is the cost of a review.
 */

#include "review_filter.h"

#include <string.h>

#include "probate/base/mem.h"

#define END         \
    {               \
        .key = NULL \
    }

/* One member of the objects, with what is taken below it. */
struct branch {
    char *key;               /* owned, as all here */
    struct branch *children; /* of paths with the same beginning */
    size_t count;
    bool whole;                     /* all below is taken, whatever the children say */
    struct prb_json_filter *filter; /* the children, once they are all there */
};

/* What is always taken of a request, and the two objects. */
static const struct prb_json_filter user_members[] = { { .key = "username" }, { .key = "uid" },
    { .key = "groups" }, { .key = "extra" }, END };
static const char *const request_members[] = { "uid", "kind", "resource", "subResource", "name",
    "namespace", "operation", "dryRun" };
#define REQUEST_MEMBERS (sizeof(request_members) / sizeof(request_members[0]))

struct prb_review_reader {
    struct branch object; /* of both objects */
    struct prb_json_filter request[REQUEST_MEMBERS + 4];
    struct prb_json_filter root[4];
};

/* What of an object a request is made of, which one it is, and how one that is going is known. */
static const char *const object_paths[] = { "metadata.name", "metadata.namespace", "metadata.uid",
    "metadata.deletionTimestamp", NULL };

static void branch_done(struct branch *branch)
{
    for (size_t i = 0; i < branch->count; i++)
        branch_done(&branch->children[i]);
    free(branch->children);
    free(branch->filter);
    free(branch->key);
}

static struct branch *find_or_add(struct branch *parent, const char *key, size_t len)
{
    for (size_t i = 0; i < parent->count; i++) {
        struct branch *child = &parent->children[i];

        if (strlen(child->key) == len && memcmp(child->key, key, len) == 0)
            return child;
    }
    parent->children = prb_realloc(parent->children, parent->count + 1, sizeof(*parent->children));
    parent->children[parent->count] = (struct branch){ .key = prb_strndup(key, len) };
    return &parent->children[parent->count++];
}

/* "spec.deleteOption" */
static void add_path(struct branch *at, const char *path)
{
    for (;;) {
        size_t len = strcspn(path, ".");

        at = find_or_add(at, path, len);
        if (path[len] == '\0')
            break;
        path += len + 1;
    }
    at->whole = true;
}

static const struct prb_json_filter *make_filter(struct branch *branch)
{
    branch->filter = prb_calloc(branch->count + 1, sizeof(*branch->filter));
    for (size_t i = 0; i < branch->count; i++) {
        struct branch *child = &branch->children[i];

        branch->filter[i].key = child->key;
        branch->filter[i].children = child->whole ? NULL : make_filter(child);
    }
    return branch->filter;
}

static void add_paths(struct branch *object, const char *const *paths)
{
    for (; paths && *paths; paths++)
        add_path(object, *paths);
}

static const struct prb_json_filter *make_object_filter(
        struct branch *object, const struct prb_rule *const *rules, size_t count)
{
    add_paths(object, object_paths);
    for (size_t i = 0; i < count; i++)
        add_paths(object, rules[i]->reads);
    return make_filter(object);
}

struct prb_review_reader *prb_review_reader_new(const struct prb_rule *const *rules, size_t count)
{
    struct prb_review_reader *reader = prb_calloc(1, sizeof(*reader));
    const struct prb_json_filter *object = make_object_filter(&reader->object, rules, count);
    struct prb_json_filter *member = reader->request;

    for (size_t i = 0; i < REQUEST_MEMBERS; i++)
        *member++ = (struct prb_json_filter){ .key = request_members[i] };
    *member++ = (struct prb_json_filter){ .key = "userInfo", .children = user_members };
    *member++ = (struct prb_json_filter){ .key = "object", .children = object };
    *member++ = (struct prb_json_filter){ .key = "oldObject", .children = object };

    reader->root[0] = (struct prb_json_filter){ .key = "apiVersion" };
    reader->root[1] = (struct prb_json_filter){ .key = "kind" };
    reader->root[2] = (struct prb_json_filter){ .key = "request", .children = reader->request };
    return reader;
}

void prb_review_reader_free(struct prb_review_reader *reader)
{
    if (!reader)
        return;
    branch_done(&reader->object);
    free(reader);
}

const struct prb_json_filter *prb_review_filter(const struct prb_review_reader *reader)
{
    return reader->root;
}
