/* Are we a pod, and which service account are we then? */

#include <string.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/kube/config.h"

#include "auth.h"
#include "credentials.h"
#include "env.h"
#include "secret.h"

#define FOLDER "/var/run/secrets/kubernetes.io/serviceaccount"

/* A namespace has 63 bytes; white space around it is allowed. */
#define NAMESPACE_FILE_MAX 1024

/* An IPv6 address needs brackets in a URL. */
static char *server_url(const char *host, const char *port)
{
    bool bare = strchr(host, ':') && host[0] != '[';

    return prb_asprintf("https://%s%s%s:%s", bare ? "[" : "", host, bare ? "]" : "", port);
}

/* "" when the file is not there: not every projected volume has it. */
static char *read_namespace(const char *root)
{
    prb_autofree char *path = prb_asprintf("%s" FOLDER "/namespace", root);
    prb_autofree char *text = NULL;
    struct prb_error ignored;
    size_t len;

    if (prb_file_read(path, NAMESPACE_FILE_MAX, &text, &len, &ignored) < 0)
        return prb_strdup("");
    text[strcspn(text, " \t\r\n")] = '\0';
    return prb_take(text);
}

static int check_token(const char *path, struct prb_error *err)
{
    prb_auto(prb_secret_free) char *token = NULL;
    size_t len;
    int r = prb_file_read(path, PRB_KUBE_TOKEN_MAX, &token, &len, err);

    if (r == PRB_E_NOTFOUND)
        return prb_fail(err, r, "this pod has no service account token (%s)", err->msg);
    return r < 0 ? prb_fail(err, PRB_E_INVALID, "service account token %s", err->msg) : 0;
}

int prb_kube_config_in_cluster(
        const char *root, struct prb_kube_config **ret, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = prb_calloc(1, sizeof(*config));
    const char *host = prb_kube_env("KUBERNETES_SERVICE_HOST");
    const char *port = prb_kube_env("KUBERNETES_SERVICE_PORT");
    int r;

    if (!host || !port)
        return prb_fail(err, PRB_E_NOTFOUND,
                "this is no pod (KUBERNETES_SERVICE_HOST and _PORT are not set)");
    config->server = server_url(host, port);
    config->ca_file = prb_asprintf("%s" FOLDER "/ca.crt", root);
    config->token_file = prb_asprintf("%s" FOLDER "/token", root);
    config->namespace = read_namespace(root);
    config->source = prb_strdup("the service account of this pod");

    r = check_token(config->token_file, err);
    if (r == 0)
        r = prb_kube_credentials_check(config, err);
    if (r < 0)
        return r;
    *ret = prb_take(config);
    return 0;
}
