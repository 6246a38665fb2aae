#ifndef PROBATE_KUBE_KUBECONFIG_H
#define PROBATE_KUBE_KUBECONFIG_H

/* The kubeconfig files of a list, read and looked through as if they were one. */

#include <stddef.h>

#include "probate/base/error.h"
#include "probate/base/json.h"
#include "probate/kube/config.h"

/* Bytes of one file: hundreds of clusters with certificates of 4 KiB in them. */
#define PRB_KUBECONFIG_MAX ((size_t)4 * 1024 * 1024)

/* Files of one $KUBECONFIG; people have one for each cluster. */
#define PRB_KUBECONFIG_FILES_MAX 64

struct prb_kubeconfig_file {
    char *path;               /* owned, as all here */
    struct json_object *tree; /* a mapping */
};

struct prb_kubeconfig {
    struct prb_kubeconfig_file files[PRB_KUBECONFIG_FILES_MAX];
    size_t count;
};

/* One entry of a named list, and where it is from. */
struct prb_kubeconfig_entry {
    const char *what; /* static: "cluster", "user", "context" */
    const char *name; /* borrowed, as the rest */
    const char *path;
    const struct json_object *body;
};

/* As prb_kube_config_load says of `paths`. `ret` must be zero; call done on it in any case. */
int prb_kubeconfig_read(const char *paths, struct prb_kubeconfig *ret, struct prb_error *err);
void prb_kubeconfig_done(struct prb_kubeconfig *kubeconfig);
static inline void prb_kubeconfig_donep(struct prb_kubeconfig *kubeconfig)
{
    prb_kubeconfig_done(kubeconfig);
}

/* The first entry of that name: in list "contexts" for `what` "context", and so on. */
bool prb_kubeconfig_find(const struct prb_kubeconfig *kubeconfig, const char *what,
        const char *name, struct prb_kubeconfig_entry *ret);

/* current-context of the first file that has one, or NULL. */
const char *prb_kubeconfig_current(const struct prb_kubeconfig *kubeconfig);

/* "no context "x" in ...", with the names there are and the nearest of them; INVALID. */
int prb_kubeconfig_fail_unknown(const struct prb_kubeconfig *kubeconfig, const char *what,
        const char *name, struct prb_error *err);

/* kubeconfig_entry.c: what an entry says, as fields of a configuration. */
int prb_kubeconfig_use_cluster(const struct prb_kubeconfig_entry *cluster,
        struct prb_kube_config *config, struct prb_error *err);
int prb_kubeconfig_use_user(const struct prb_kubeconfig_entry *user, struct prb_kube_config *config,
        struct prb_error *err);

#endif
