#ifndef TESTS_SUPPORT_API_OBJECTS_H
#define TESTS_SUPPORT_API_OBJECTS_H

/* Objects that most tests on an API server need. */

#include "probate/api/api.h"

/* A Namespace: make it, or begin its deletion, best effort. */
int prb_test_namespace_create(struct prb_api *api, const char *name, struct prb_error *err);
void prb_test_namespace_delete(struct prb_api *api, const char *name);

/* The ref of a ConfigMap. */
struct prb_ref prb_test_configmap(const char *namespace, const char *name);

#endif
