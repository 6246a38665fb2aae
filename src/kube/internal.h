#ifndef PROBATE_KUBE_INTERNAL_H
#define PROBATE_KUBE_INTERNAL_H

/* The implementation of the port, and its operations, one file each for a group of them. */

#include "probate/kube/kube.h"

#include "channel.h"
#include "discovery.h"
#include "endpoint.h"
#include "rest.h"
#include "watcher.h"

struct prb_kube {
    struct prb_api api;                 /* first: what callers hold */
    struct prb_kube_endpoint *endpoint; /* owned, as all here */
    struct prb_kube_channels *channels;
    struct prb_kube_watcher *watcher;
    struct prb_kube_discovery *discovery;
    struct prb_kube_rest rest; /* of the first two */
};

static inline struct prb_kube *prb_kube_of(struct prb_api *api)
{
    return (struct prb_kube *)api;
}

/* read.c */
int prb_kube_get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err);
int prb_kube_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err);

/* write.c */
int prb_kube_create(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err);
int prb_kube_update(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err);
int prb_kube_remove(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err);

/* patch.c */
int prb_kube_patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err);

/* access.c */
int prb_kube_may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err);

#endif
