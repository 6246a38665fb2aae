#ifndef TESTS_POLICIES_SERVER_H
#define TESTS_POLICIES_SERVER_H

/*
 * A control plane of the tests' own, in the folder $PROBATE_TEST_POLICIES_DIR: every policy on it
 * concerns Probate. And the shared one, as a second cluster.
 */

#include <limits.h>

#include "place.h"

struct server {
    char dir[PATH_MAX];
    char kubeconfig[PATH_MAX];
    bool is_own; /* it was started here */
    struct place place, other;
};

/* $PROBATE_TEST_POLICIES_KUBECONFIG: one that runs already, to be left as it is. */
int server_open(struct server *server, const char *crds, struct prb_error *err);
void server_close(struct server *server);

#endif
