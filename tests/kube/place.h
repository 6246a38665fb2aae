#ifndef TESTS_KUBE_PLACE_H
#define TESTS_KUBE_PLACE_H

/* A namespace of one's own on the real API server, for one test binary. */

#include "probate/kube/kube.h"

struct prb_test_place {
    struct prb_kube_config *config; /* owned, as the next */
    struct prb_api *api;
    char namespace[PRB_NAMESPACE_SIZE];
};

/* False, with the reason on stderr, when there is no API server to be had. */
bool prb_test_place_open(struct prb_test_place *place);

/* Deletes the namespace with what is in it; does not wait for it to go. */
void prb_test_place_close(struct prb_test_place *place);

/* The ref of a config map there. */
struct prb_ref prb_test_place_ref(const struct prb_test_place *place, const char *name);

/* Create a config map with data {"k": value} and labels (JSON, may be NULL); 0 or an error. */
int prb_test_place_add(const struct prb_test_place *place, const char *name, const char *value,
        const char *labels, struct prb_object **ret, struct prb_error *err);

#endif
