#ifndef TESTS_CONFORMANCE_CRD_H
#define TESTS_CONFORMANCE_CRD_H

/* Custom resources for rows to work with. */

#include "conf.h"

struct conf_crd_spec {
    const char *group; /* borrowed, as all texts */
    const char *kind;  /* "Widget": plural and singular are it in lower case, with and without s */
    const char *short_name;
    bool namespaced;
    bool status; /* has the status subresource, with conditions merged by type */
};

/* Create the CRD and wait until it is served: 0 or the failure in c->err. */
int conf_crd_create(struct conf *c, const struct conf_crd_spec *spec, struct conf_kind *ret);

/* Delete the CRD of this kind; does not wait. */
int conf_crd_delete(struct conf *c, const struct conf_kind *kind);

#endif
