/* What does an entry of a kubeconfig mean, and is it something Probate can do? */

#include <string.h>

#include <gnutls/gnutls.h>

#include "probate/base/mem.h"

#include "kubeconfig.h"
#include "secret.h"

static int fail(const struct prb_kubeconfig_entry *entry, const char *key, const char *what,
        struct prb_error *err)
{
    return prb_fail(err, PRB_E_INVALID, "%s: %s \"%s\": %s %s", entry->path, entry->what,
            entry->name, key, what);
}

/* A text, owned; NULL when it is absent, null or "". */
static int read_text(const struct prb_kubeconfig_entry *entry, const char *key, char **ret,
        struct prb_error *err)
{
    const struct json_object *value = prb_json_find(entry->body, key);
    const char *text = prb_json_string(value);

    if (value && !text)
        return fail(entry, key, "is no text (put quotes around it)", err);
    *ret = text && *text ? prb_strdup(text) : NULL;
    return 0;
}

/* A file name; one that is relative counts from the folder of the kubeconfig. */
static int read_path(const struct prb_kubeconfig_entry *entry, const char *key, char **ret,
        struct prb_error *err)
{
    prb_autofree char *path = NULL;
    const char *slash = strrchr(entry->path, '/');
    int r = read_text(entry, key, &path, err);

    if (r < 0)
        return r;
    if (path && *path != '/' && slash)
        *ret = prb_asprintf("%.*s%s", (int)(slash - entry->path) + 1, entry->path, path);
    else
        *ret = prb_take(path);
    return 0;
}

/* Base64 of a PEM text. */
static int read_data(const struct prb_kubeconfig_entry *entry, const char *key, char **ret,
        struct prb_error *err)
{
    prb_auto(prb_secret_free) char *text = NULL;
    gnutls_datum_t encoded, decoded = { .data = NULL };
    char *copy;
    int r = read_text(entry, key, &text, err);

    if (r < 0 || !text)
        return r;
    encoded = (gnutls_datum_t){ .data = (unsigned char *)text, .size = (unsigned)strlen(text) };
    if (gnutls_base64_decode2(&encoded, &decoded) < 0)
        return fail(entry, key, "is not base64", err);

    copy = prb_strndup((const char *)decoded.data, decoded.size);
    gnutls_memset(decoded.data, 0, decoded.size);
    gnutls_free(decoded.data);
    if (strlen(copy) == 0 || strlen(copy) != decoded.size) {
        prb_secret_free(copy);
        return fail(entry, key, "is no PEM text", err);
    }
    *ret = copy;
    return 0;
}

/* `key`-data, which wins as it does for kubectl, or the file named by `key`. */
static int read_pem(const struct prb_kubeconfig_entry *entry, const char *key, char **ret_data,
        char **ret_file, struct prb_error *err)
{
    char data_key[40]; /* "certificate-authority-data" is the longest */
    int r;

    (void)prb_copy(data_key, sizeof(data_key), key);
    (void)prb_copy(data_key + strlen(key), sizeof(data_key) - strlen(key), "-data");
    r = read_data(entry, data_key, ret_data, err);
    if (r < 0 || *ret_data)
        return r;
    return read_path(entry, key, ret_file, err);
}

static int read_bool(
        const struct prb_kubeconfig_entry *entry, const char *key, bool *ret, struct prb_error *err)
{
    if (prb_json_find(entry->body, key) && !prb_json_bool(entry->body, key, ret))
        return fail(entry, key, "is neither true nor false", err);
    return 0;
}

static bool is_proxy(const char *text)
{
    return prb_starts_with(text, "http://") || prb_starts_with(text, "https://") ||
           prb_starts_with(text, "socks5://");
}

/* It becomes part of a URL. */
static bool is_host(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") ==
           strlen(text);
}

int prb_kubeconfig_use_cluster(const struct prb_kubeconfig_entry *cluster,
        struct prb_kube_config *config, struct prb_error *err)
{
    int r = read_text(cluster, "server", &config->server, err);

    if (r == 0)
        r = read_pem(cluster, "certificate-authority", &config->ca_data, &config->ca_file, err);
    if (r == 0)
        r = read_bool(cluster, "insecure-skip-tls-verify", &config->insecure, err);
    if (r == 0)
        r = read_text(cluster, "tls-server-name", &config->tls_server_name, err);
    if (r == 0)
        r = read_text(cluster, "proxy-url", &config->proxy, err);
    if (r < 0)
        return r;

    if (!config->server)
        return fail(cluster, "server", "is missing", err);
    if (config->insecure && (config->ca_data || config->ca_file))
        return fail(cluster, "insecure-skip-tls-verify",
                "contradicts certificate-authority: leave one of them out", err);
    if (config->tls_server_name && !is_host(config->tls_server_name))
        return fail(cluster, "tls-server-name", "is no host name", err);
    if (config->proxy && !is_proxy(config->proxy))
        return fail(cluster, "proxy-url", "has to begin with http://, https:// or socks5://", err);
    return 0;
}

/* What would be another user if it were left out silently. */
static int refuse_unsupported(const struct prb_kubeconfig_entry *user, struct prb_error *err)
{
    static const struct {
        const char *key, *what;
    } unsupported[] = {
        { "exec",
                "(a credential plugin) is not supported yet: use a token, a tokenFile or a client "
                "certificate" },
        { "auth-provider",
                "is not supported yet: use a token, a tokenFile or a client certificate" },
        { "as", "(impersonation) is not supported yet" },
        { "as-uid", "(impersonation) is not supported yet" },
        { "as-groups", "(impersonation) is not supported yet" },
        { "as-user-extra", "(impersonation) is not supported yet" },
    };

    for (size_t i = 0; i < sizeof(unsupported) / sizeof(unsupported[0]); i++) {
        if (prb_json_find(user->body, unsupported[i].key))
            return fail(user, unsupported[i].key, unsupported[i].what, err);
    }
    return 0;
}

int prb_kubeconfig_use_user(const struct prb_kubeconfig_entry *user, struct prb_kube_config *config,
        struct prb_error *err)
{
    int r = refuse_unsupported(user, err);

    if (r == 0)
        r = read_pem(user, "client-certificate", &config->cert_data, &config->cert_file, err);
    if (r == 0)
        r = read_pem(user, "client-key", &config->key_data, &config->key_file, err);
    if (r == 0)
        r = read_text(user, "token", &config->token, err);
    if (r == 0)
        r = read_path(user, "tokenFile", &config->token_file, err);
    if (r == 0)
        r = read_text(user, "username", &config->username, err);
    if (r == 0)
        r = read_text(user, "password", &config->password, err);
    if (r < 0)
        return r;

    if (config->username && (config->token || config->token_file))
        return fail(user, "username", "beside a token: only one of them can be sent", err);
    return 0;
}
