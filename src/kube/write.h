#ifndef PROBATE_KUBE_WRITE_H
#define PROBATE_KUBE_WRITE_H

/* What create, update and patch have in common. */

#include "internal.h"

struct prb_kube_write {
    const char *method; /* static, as the next */
    const char *content_type;
    bool to_collection;                      /* the URL is the collection's: a create */
    bool force;                              /* apply: send force=true */
    const struct json_object *body;          /* borrowed */
    const struct prb_write_options *options; /* borrowed; NULL: defaults */
};

/* Send it; *ret (may be NULL) is the object as it is afterwards. */
int prb_kube_send(struct prb_kube *kube, const struct prb_ref *ref,
        const struct prb_kube_write *write, struct prb_object **ret, struct prb_error *err);

#endif
