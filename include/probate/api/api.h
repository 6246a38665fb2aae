#ifndef PROBATE_API_API_H
#define PROBATE_API_API_H

/*
 * The port: the Kubernetes API as the rest of Probate sees it. Two implementations, kube (a real
 * API server) and hub (one in memory), held to the same behaviour by one conformance table.
 *
 * Calls block until answered, refused, past their deadline or interrupted, and may be made from
 * any thread. Errors are typed codes with the server's own Status message and reason; "not there"
 * (NOTFOUND) is never used for "could not ask" (IO, UNAVAILABLE, FORBIDDEN, ...).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/api/options.h"
#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/base/json.h"
#include "probate/model/object.h"
#include "probate/model/ref.h"

struct prb_api {
    const struct prb_api_ops *ops; /* static; the struct is embedded in each implementation */
};

/* A page of a list. */
struct prb_page {
    struct prb_object **objects; /* owned, as each reference in it */
    size_t count;
    char *resource_version; /* owned; where a watch may start */
    char *next;             /* owned; pass as options.next for the next page; NULL: this was all */
};
void prb_page_init(struct prb_page *page);
void prb_page_done(struct prb_page *page);
static inline void prb_page_donep(struct prb_page *page)
{
    prb_page_done(page);
}

enum prb_watch_event_type {
    PRB_WATCH_ADDED,
    PRB_WATCH_MODIFIED,
    PRB_WATCH_DELETED,
    PRB_WATCH_BOOKMARK, /* only resourceVersion is meaningful: `object` is NULL */
};

struct prb_watch_event {
    enum prb_watch_event_type type;
    struct prb_object *object;    /* borrowed; take a reference to keep it */
    const char *resource_version; /* borrowed; where to resume after this event */
};

/*
 * Who listens. Both are called on a thread of the implementation, never two at once for one watch,
 * and must return soon (no API calls from here).
 */
struct prb_watch_sink {
    void (*event)(void *ctx, const struct prb_watch_event *event);

    /*
     * The watch ended: exactly one call, the last, also when the server just closed it (then
     * why->code is PRB_OK: resume). GONE: relist. Not called after prb_api_watch_stop.
     */
    void (*closed)(void *ctx, const struct prb_error *why);
    void *ctx; /* borrowed */
};

struct prb_watch; /* one running watch */

/* What discovery knows of one resource. */
struct prb_resource {
    struct prb_gvr gvr;
    char kind[PRB_RESOURCE_SIZE];
    char singular[PRB_RESOURCE_SIZE]; /* lower case; "" when the server does not say */
    bool namespaced;
    bool has_status; /* serves the status subresource */
};

enum prb_access { PRB_ACCESS_DENIED, PRB_ACCESS_ALLOWED };

/*
 * What an implementation provides; called by the functions below only. They see to it that refs
 * have a name, that options and every `ret` are there, that timeouts, page size and field manager
 * are set, that `subresource` is NULL or "status" and that a delete has its uid.
 */
struct prb_api_ops {
    int (*get)(struct prb_api *api, const struct prb_ref *ref,
            const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err);
    int (*list)(struct prb_api *api, const struct prb_gvr *gvr,
            const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err);
    int (*watch)(struct prb_api *api, const struct prb_gvr *gvr,
            const struct prb_watch_options *options, const struct prb_watch_sink *sink,
            struct prb_watch **ret, struct prb_error *err);
    void (*watch_stop)(struct prb_api *api, struct prb_watch *watch);
    int (*create)(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
            const struct prb_write_options *options, struct prb_object **ret,
            struct prb_error *err);
    int (*update)(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
            const struct prb_write_options *options, struct prb_object **ret,
            struct prb_error *err);
    int (*patch)(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
            const struct json_object *body, const struct prb_write_options *options,
            struct prb_object **ret, struct prb_error *err);
    int (*remove)(struct prb_api *api, const struct prb_ref *ref,
            const struct prb_delete_options *options, struct prb_error *err);
    int (*resolve)(struct prb_api *api, const char *group, const char *name,
            struct prb_resource *ret, struct prb_error *err);
    void (*forget)(struct prb_api *api, const char *group); /* NULL: nothing is remembered */
    int (*may)(struct prb_api *api, const struct prb_access_question *question,
            enum prb_access *ret, struct prb_error *err);
    void (*interrupt)(struct prb_api *api);
    void (*close)(struct prb_api *api);
};

/* `options` may be NULL in all of these but delete; so may `ret` of the writes. */

int prb_api_get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err);

/* One page; `ret` must be initialised and empty. */
int prb_api_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err);

/*
 * Page after page, as many as there are. `each` may take objects out of its page, and ends the list
 * with a negative code. GONE when the continue token expired on the way (relist).
 * `ret_resource_version` is that of the first page: a watch from there can repeat something, but
 * miss nothing. The caller frees it; NULL: the list had none.
 */
typedef int (*prb_page_fn)(void *ctx, struct prb_page *page, struct prb_error *err);
int prb_api_list_pages(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, prb_page_fn each, void *ctx,
        char **ret_resource_version, struct prb_error *err);

/*
 * Every page in one. GONE when the continue token expired on the way (relist); INVALID past
 * `objects_max`. `options->limit` is the page size.
 */
int prb_api_list_all(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, size_t objects_max, struct prb_page *ret,
        struct prb_error *err);

/*
 * Start a watch after options->resource_version. A failure before the server answers is told by
 * the return value or by `closed`, whichever the implementation knows first, never both.
 */
int prb_api_watch(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err);

/* End and free a watch, running or closed. When it returns, no callback runs any more; must not
 * be called from a callback. NULL is fine. */
void prb_api_watch_stop(struct prb_api *api, struct prb_watch *watch);

/* EXISTS when the name is taken. `ref->name` must equal metadata.name. */
int prb_api_create(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err);

/* PUT; CONFLICT when body's metadata.resourceVersion (or uid) is not the stored one, NOTFOUND when
 * nothing is stored, of whatever uid and also of a kind that a PUT may create, if a uid is given.
 */
int prb_api_update(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err);

int prb_api_patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err);

/* INVALID without options->uid: nothing is deleted by name alone. CONFLICT: another uid lives. */
int prb_api_delete(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err);

/*
 * Find a resource by plural, singular, kind or short name, without regard to case, in one group;
 * the group's preferred version wins. NOTFOUND: the server positively does not serve it.
 */
int prb_api_resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err);

/*
 * What is known of a group is not used any more: whoever resolves a name of it from now on gets
 * what the server says then. For who found it to be out of date, or must not go by it.
 */
void prb_api_forget(struct prb_api *api, const char *group);

/* SubjectAccessReview. An error is *unknown*, never "denied" and never "allowed"; UNSUPPORTED:
 * there is nobody who could be asked (a hub in memory has no users). */
int prb_api_may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err);

/* Make all calls, running and future, return CANCELLED soon; watches end. For shutdown. */
void prb_api_interrupt(struct prb_api *api);

/* Ends what runs and frees everything; no call may be in progress. NULL is fine. */
void prb_api_close(struct prb_api *api);
PRB_DEFINE_CLEANUP(struct prb_api *, prb_api_close)

#endif
