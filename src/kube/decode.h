#ifndef PROBATE_KUBE_DECODE_H
#define PROBATE_KUBE_DECODE_H

/*
 * Answers of the API server as objects, pages and events, read as their bytes come. What is not
 * wanted (managedFields, and all but the metadata where only that was asked for) is checked and
 * stepped over, never built. Whatever does not parse is IO: the answer is damaged, what it was
 * about may have happened. Pure.
 */

#include "probate/api/api.h"

/*
 * Memory for what is built of one answer, in bytes. etcd takes requests of 1.5 MiB, and nothing in
 * them takes less than three bytes for an empty object in a list, which is built in 264: 132 MiB. A
 * page for which this is too little is asked for again with fewer objects.
 */
#define PRB_KUBE_BUILT_MAX ((size_t)160 * 1024 * 1024)

/* The same for one member of an object in a page or an event: what is larger is left out alone. */
#define PRB_KUBE_MEMBER_MAX ((size_t)144 * 1024 * 1024)

struct prb_kube_depth {
    bool metadata_only;
    bool keep_managed_fields;
    const struct prb_json_filter *parts; /* of one object; NULL: by the two above */
};

/* What to send as Accept; static. */
const char *prb_kube_accept_object(bool metadata_only);
const char *prb_kube_accept_list(bool metadata_only);

enum prb_kube_answer_kind {
    PRB_KUBE_OBJECT,
    PRB_KUBE_PAGE,
    PRB_KUBE_EVENT,   /* one line of a watch */
    PRB_KUBE_REMOVED, /* what a DELETE is answered with: an object or a Status */
};

struct prb_kube_decoder;

struct prb_kube_decoder *prb_kube_decoder_new(
        enum prb_kube_answer_kind kind, const struct prb_kube_depth *depth);
void prb_kube_decoder_free(struct prb_kube_decoder *decoder);
PRB_DEFINE_CLEANUP(struct prb_kube_decoder *, prb_kube_decoder_free)

/* The next bytes. IO: they are no JSON; UNSUPPORTED: more than is read at once. */
int prb_kube_decoder_feed(
        struct prb_kube_decoder *decoder, const char *bytes, size_t len, struct prb_error *err);

/* Forget what came; so does each of the functions below. */
void prb_kube_decoder_reset(struct prb_kube_decoder *decoder);

/* The answer is whole: what is it? One for each kind. */
int prb_kube_decoder_object(
        struct prb_kube_decoder *decoder, struct prb_object **ret, struct prb_error *err);

/*
 * Items that have no apiVersion and kind get those of their list, so that an object is the same
 * whether it came by a list or by a watch; metadata-only objects have neither. An item of which a
 * member cannot be built is there without it: see prb_object_defect.
 */
int prb_kube_decoder_page(
        struct prb_kube_decoder *decoder, struct prb_page *ret, struct prb_error *err);

/*
 * Returns the failure that an ERROR event carries. A BOOKMARK has no object. An event of a type
 * that is not known is skipped: *ret_known says so. The object may have a defect, as in a page.
 */
struct prb_kube_event {
    enum prb_watch_event_type type;
    struct prb_object *object;    /* owned; NULL for a bookmark */
    struct json_object *tree;     /* owned; of a bookmark, holds the text below */
    const char *resource_version; /* borrowed from one of the two */
};
int prb_kube_decoder_event(struct prb_kube_decoder *decoder, struct prb_kube_event *ret,
        bool *ret_known, struct prb_error *err);
void prb_kube_event_done(struct prb_kube_event *event);
static inline void prb_kube_event_donep(struct prb_kube_event *event)
{
    prb_kube_event_done(event);
}

/* Was it carried out? What else may come with a 200 must not count as done. */
int prb_kube_decoder_removed(struct prb_kube_decoder *decoder, struct prb_error *err);

#endif
