/* Which API server is meant, and who are we there? */

#include "probate/kube/config.h"

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "auth.h"
#include "credentials.h"
#include "env.h"
#include "kubeconfig.h"
#include "secret.h"

void prb_kube_config_free(struct prb_kube_config *config)
{
    if (!config)
        return;
    free(config->server);
    free(config->tls_server_name);
    free(config->ca_data);
    free(config->ca_file);
    free(config->cert_data);
    free(config->cert_file);
    prb_secret_free(config->key_data);
    free(config->key_file);
    prb_secret_free(config->token);
    free(config->token_file);
    free(config->username);
    prb_secret_free(config->password);
    prb_secret_free(config->proxy); /* may have a password in it */
    free(config->namespace);
    free(config->source);
    free(config);
}

/* The cluster or user that a context names; a context may go without a user. */
static int use_entry(const struct prb_kubeconfig *kubeconfig,
        const struct prb_kubeconfig_entry *context, const char *what,
        struct prb_kube_config *config, struct prb_error *err)
{
    const char *name = prb_json_str(context->body, what);
    bool is_user = prb_streq(what, "user");
    struct prb_kubeconfig_entry entry;

    if (!name || !*name)
        return is_user ? 0 : prb_fail(err, PRB_E_INVALID, "%s names no cluster", config->source);
    if (!prb_kubeconfig_find(kubeconfig, what, name, &entry)) {
        (void)prb_kubeconfig_fail_unknown(kubeconfig, what, name, err);
        return prb_wrap(err, "%s", config->source);
    }
    return is_user ? prb_kubeconfig_use_user(&entry, config, err)
                   : prb_kubeconfig_use_cluster(&entry, config, err);
}

/* A token file that is not there yet is fatal only where nothing else could be sent. */
static int check_token_file(const struct prb_kube_config *config, struct prb_error *err)
{
    prb_auto(prb_secret_free) char *text = NULL;
    size_t len;

    if (!config->token_file || config->token)
        return 0;
    if (prb_file_read(config->token_file, PRB_KUBE_TOKEN_MAX, &text, &len, err) < 0)
        return prb_fail(err, PRB_E_INVALID, "tokenFile of %s: %s", config->source, err->msg);
    return 0;
}

int prb_kube_config_load(
        const char *paths, const char *context, struct prb_kube_config **ret, struct prb_error *err)
{
    prb_auto(prb_kubeconfig_done) struct prb_kubeconfig kubeconfig = { .count = 0 };
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = prb_calloc(1, sizeof(*config));
    struct prb_kubeconfig_entry entry;
    const char *namespace;
    int r = prb_kubeconfig_read(paths, &kubeconfig, err);

    if (r < 0)
        return r;
    if (!context)
        context = prb_kubeconfig_current(&kubeconfig);
    if (!context || !prb_kubeconfig_find(&kubeconfig, "context", context, &entry))
        return prb_kubeconfig_fail_unknown(&kubeconfig, "context", context, err);

    namespace = prb_json_str(entry.body, "namespace");
    config->namespace = prb_strdup(namespace ? namespace : "");
    config->source = prb_asprintf("context %s of %s", entry.name, entry.path);
    r = use_entry(&kubeconfig, &entry, "cluster", config, err);
    if (r == 0)
        r = use_entry(&kubeconfig, &entry, "user", config, err);
    if (r == 0)
        r = prb_kube_credentials_check(config, err);
    if (r == 0)
        r = check_token_file(config, err);
    if (r < 0)
        return r;
    *ret = prb_take(config);
    return 0;
}

/* ~/.kube/config, the last place; NULL when there is no home. */
static char *home_kubeconfig(void)
{
    const char *home = prb_kube_env("HOME");

    return home ? prb_asprintf("%s/.kube/config", home) : NULL;
}

static int find_at_home(const char *context, const char *not_in_pod, struct prb_kube_config **ret,
        struct prb_error *err)
{
    prb_autofree char *path = home_kubeconfig();
    prb_autofree char *text = NULL;
    struct prb_error why;
    size_t len;

    if (path && prb_file_read(path, PRB_KUBECONFIG_MAX, &text, &len, &why) != PRB_E_NOTFOUND) {
        prb_secret_free(prb_take(text));
        return prb_kube_config_load(path, context, ret, err);
    }
    return prb_fail(err, PRB_E_INVALID,
            "no cluster to talk to: no kubeconfig is given, %s, $KUBECONFIG is not set, and %s",
            not_in_pod, path ? why.msg : "there is no $HOME with a .kube/config in it");
}

int prb_kube_config_find(const char *kubeconfig, const char *context, struct prb_kube_config **ret,
        struct prb_error *err)
{
    const char *listed = prb_kube_env("KUBECONFIG");
    struct prb_error why;
    int r;

    if (kubeconfig)
        return prb_kube_config_load(kubeconfig, context, ret, err);

    /* Whoever names a context does not mean the cluster that this pod happens to run in. */
    if (context)
        (void)prb_fail(&why, PRB_E_NOTFOUND, "the pod's service account has no contexts");
    else if ((r = prb_kube_config_in_cluster("", ret, &why)) != PRB_E_NOTFOUND) {
        if (r < 0)
            *err = why;
        return r;
    }
    if (listed)
        return prb_kube_config_load(listed, context, ret, err);
    return find_at_home(context, why.msg, ret, err);
}
