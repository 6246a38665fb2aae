#ifndef PROBATE_KUBE_CREDENTIALS_H
#define PROBATE_KUBE_CREDENTIALS_H

/* Certificates and keys of a configuration, looked at before a handshake fails without a word. */

#include "probate/base/error.h"
#include "probate/kube/config.h"

/* Bytes of a CA bundle, certificate chain or key. The whole trust store of Debian has 220 KiB. */
#define PRB_KUBE_PEM_MAX ((size_t)1024 * 1024)

/*
 * Can the CA, the client certificate and its key be read, and do the latter two belong together?
 * INVALID says which file, or which field of the kubeconfig, is at fault and why.
 */
int prb_kube_credentials_check(const struct prb_kube_config *config, struct prb_error *err);

#endif
