#ifndef PROBATE_SRC_CLI_SOURCE_H
#define PROBATE_SRC_CLI_SOURCE_H

/* Where the state comes from: the one place that picks the embedded hub or a real API server. */

#include "probate/api/api.h"
#include "probate/hub/hub.h"

#include "supervisor.h"

struct prb_source_options {
    const char *embedded;   /* folder of manifests; NULL: a real API server */
    const char *kubeconfig; /* NULL: in-cluster, $KUBECONFIG, ~/.kube/config */
    const char *context;    /* NULL: the current one */
    const char *prefix;     /* of the flags that say this, for messages: "hub-"; NULL: none */
};

struct prb_source {
    struct prb_api *api;
    struct prb_hub *hub; /* owned; NULL: `api` is a real server's, and owned */
    char *namespace;     /* owned; of the context or service account; "" when not said */
    char *server;        /* owned; its URL as it is in the kubeconfig; PRB_SOURCE_EMBEDDED */
};

/* What stands for the URL of a cluster in memory. */
#define PRB_SOURCE_EMBEDDED "embedded"

/*
 * Open it and make sure that it answers. INVALID: wrong input. IO, UNAVAILABLE: could not be
 * reached in a bounded time. CANCELLED: a signal came.
 */
int prb_source_open(const struct prb_source_options *options, struct prb_supervisor *supervisor,
        struct prb_source *ret, struct prb_error *err);

/* After everything that uses the port has ended. */
void prb_source_close(struct prb_source *source);

#endif
