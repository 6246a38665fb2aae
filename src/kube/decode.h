#ifndef PROBATE_KUBE_DECODE_H
#define PROBATE_KUBE_DECODE_H

/*
 * Answers of the API server as objects, pages and events. What is not wanted (managedFields, and
 * all but the metadata where only that was asked for) is checked and stepped over, never built.
 * Whatever does not parse is IO: the answer is damaged, what it was about may have happened. Pure.
 */

#include "probate/api/api.h"

/*
 * Bytes of one object. etcd takes requests of 1.5 MiB; binary data in it grows by a third as
 * base64, text by its escapes. Five times that is never reached.
 */
#define PRB_KUBE_OBJECT_MAX ((size_t)8 * 1024 * 1024)

/* The line of a watch event: one object with a few dozen bytes around it. */
#define PRB_KUBE_EVENT_MAX (PRB_KUBE_OBJECT_MAX + (size_t)64 * 1024)

/*
 * Bytes of a page. At the usual 500 objects that is 32 KiB each; a list of larger ones is asked
 * for again in smaller pages, of which the smallest, one object, always fits.
 */
#define PRB_KUBE_PAGE_MAX (2 * PRB_KUBE_OBJECT_MAX)

struct prb_kube_depth {
    bool metadata_only;
    bool keep_managed_fields;
};

/* What to send as Accept; static. */
const char *prb_kube_accept_object(bool metadata_only);
const char *prb_kube_accept_list(bool metadata_only);

int prb_kube_decode_object(const char *text, size_t len, const struct prb_kube_depth *depth,
        struct prb_object **ret, struct prb_error *err);

/*
 * Items that have no apiVersion and kind get those of their list, so that an object is the same
 * whether it came by a list or by a watch; metadata-only objects have neither.
 */
int prb_kube_decode_page(const char *text, size_t len, const struct prb_kube_depth *depth,
        struct prb_page *ret, struct prb_error *err);

/*
 * One line of a watch. Returns the failure that an ERROR event carries. A BOOKMARK has no object.
 * An event of a type that is not known is skipped: *ret_known says so.
 */
struct prb_kube_event {
    enum prb_watch_event_type type;
    struct prb_object *object;    /* owned; NULL for a bookmark */
    struct json_object *tree;     /* owned; of a bookmark, holds the text below */
    const char *resource_version; /* borrowed from one of the two */
};
int prb_kube_decode_event(const char *text, size_t len, const struct prb_kube_depth *depth,
        struct prb_kube_event *ret, bool *ret_known, struct prb_error *err);
void prb_kube_event_done(struct prb_kube_event *event);
static inline void prb_kube_event_donep(struct prb_kube_event *event)
{
    prb_kube_event_done(event);
}

#endif
