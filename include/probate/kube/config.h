#ifndef PROBATE_KUBE_CONFIG_H
#define PROBATE_KUBE_CONFIG_H

/*
 * Where the API server is and how to speak to it: from a kubeconfig, or from the service account
 * of the pod. Holds secrets in memory only; never logs or writes them.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"

struct prb_kube_config {
    char *server;          /* owned, as all here: "https://host:port[/prefix]" */
    char *tls_server_name; /* name to verify instead of the host; NULL */
    bool insecure;         /* insecure-skip-tls-verify */
    char *ca_data;         /* PEM; NULL: ca_file, else the system's store */
    char *ca_file;
    char *cert_data; /* PEM; NULL: cert_file, else no client certificate */
    char *cert_file;
    char *key_data;
    char *key_file;
    char *token;      /* bearer; NULL */
    char *token_file; /* re-read when it changes; wins over token once it was readable */
    char *username;   /* basic; NULL */
    char *password;
    char *proxy;     /* proxy-url; NULL: as the environment says */
    char *namespace; /* of the context or the service account; "" when not said */
    char *source;    /* for messages: "context dev of /home/x/.kube/config" */
};

void prb_kube_config_free(struct prb_kube_config *config);
PRB_DEFINE_CLEANUP(struct prb_kube_config *, prb_kube_config_free)

/*
 * `paths` is one file or a list with ':' as $KUBECONFIG has it (merged: the first to define a name
 * wins; files of a list that do not exist are skipped). `context` NULL: current-context. Relative
 * paths inside a file count from that file's folder. Errors are INVALID and say what to do:
 * no such file, no YAML (with file and line), unknown context (with the known ones), unreadable
 * key, one that does not belong to its certificate, exec and auth-provider plugins or
 * impersonation (not supported yet).
 */
int prb_kube_config_load(const char *paths, const char *context, struct prb_kube_config **ret,
        struct prb_error *err);

/* Service account of this pod: NOTFOUND when this is no pod. `root` is "" but in tests. */
int prb_kube_config_in_cluster(
        const char *root, struct prb_kube_config **ret, struct prb_error *err);

/*
 * The order of DESIGN §1: `kubeconfig` if given; else in-cluster; else $KUBECONFIG; else
 * ~/.kube/config. A context that is named leaves the pod out: its service account has none.
 * INVALID names every place that was tried.
 */
int prb_kube_config_find(const char *kubeconfig, const char *context, struct prb_kube_config **ret,
        struct prb_error *err);

#endif
