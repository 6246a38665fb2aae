#ifndef PROBATE_MODEL_REF_H
#define PROBATE_MODEL_REF_H

/*
 * A name for one object: which collection, which namespace, which name. Plain value. Keys of
 * queues and maps are its text form, a tenth of the size.
 */

#include <stdbool.h>

#include "probate/model/gvr.h"

#define PRB_NAMESPACE_SIZE 64 /* DNS label and NUL */
#define PRB_NAME_SIZE 254     /* DNS subdomain, or a path segment as RBAC names are, and NUL */

#define PRB_REF_TEXT_SIZE (PRB_GVR_TEXT_SIZE + PRB_NAMESPACE_SIZE + PRB_NAME_SIZE + 2)

struct prb_ref {
    struct prb_gvr gvr;
    char namespace[PRB_NAMESPACE_SIZE]; /* "" for cluster-scoped objects */
    char name[PRB_NAME_SIZE];
};

/*
 * False when namespace or name is too long, or could not be a path segment ("", ".", "..", or
 * with '/' or '%' or a control character in it): such a name must never reach a URL. `namespace`
 * NULL means "".
 */
bool prb_ref_init(
        struct prb_ref *ref, const struct prb_gvr *gvr, const char *namespace, const char *name);

bool prb_ref_equal(const struct prb_ref *a, const struct prb_ref *b);

/* "configmaps.v1./default/web" and "namespaces.v1.//default": a stable key. */
void prb_ref_format(const struct prb_ref *ref, char text[PRB_REF_TEXT_SIZE]);
bool prb_ref_parse(const char *text, struct prb_ref *ret);

/* For people: "configmap" style is unknown here, so "configmaps default/web", "nodes n1". */
void prb_ref_describe(const struct prb_ref *ref, char text[PRB_REF_TEXT_SIZE]);

#endif
