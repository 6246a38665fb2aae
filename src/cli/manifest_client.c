/* How does the API server reach Probate, and by what does it know it? */

#include <string.h>

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include "probate/admission/certs.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/gvr.h"

#include "manifest.h"

/* A bundle of a few certificates; a ConfigMap or Secret that carries it holds 1 MiB at most. */
#define CA_FILE_MAX ((size_t)1024 * 1024)

#define DEFAULT_PORT 443
#define SCHEME "https://"

/* Namespace and name of a Service are DNS labels. */
static bool is_label(const char *text)
{
    struct prb_gvr gvr;

    return prb_gvr_init(&gvr, "", "v1", text);
}

/* What the API server takes: https, a host, no user, no query and no fragment. */
static int set_url(struct json_object *client, const char *url, struct prb_error *err)
{
    prb_auto(prb_str_done) struct prb_str text;
    const char *host = url + strlen(SCHEME);
    size_t host_len;

    if (!prb_starts_with(url, SCHEME) || strpbrk(url, "?#@ \t\r\n"))
        return prb_fail(err, PRB_E_INVALID,
                "--url: \"%s\" is not of the form https://HOST[:PORT][/PATH]", url);
    host_len = strcspn(host, "/");
    if (host_len == 0)
        return prb_fail(err, PRB_E_INVALID, "--url: \"%s\" names no host", url);
    prb_str_init(&text, strlen(url) + sizeof(PRB_MANIFEST_PATH));
    prb_str_addn(&text, url, strlen(SCHEME) + host_len);
    prb_str_add(&text, strlen(host + host_len) > 1 ? host + host_len : PRB_MANIFEST_PATH);
    prb_json_set_str(client, "url", prb_str_get(&text));
    return 0;
}

/* "NAMESPACE/NAME[:PORT]" */
static int set_service(struct json_object *client, const char *text, struct prb_error *err)
{
    const char *slash = strchr(text, '/'), *colon = strchr(text, ':');
    size_t ns_len = strcspn(text, "/");
    prb_autofree char *namespace = prb_strndup(text, ns_len);
    prb_autofree char *name = slash ? prb_strndup(slash + 1, strcspn(slash + 1, ":")) : NULL;
    struct json_object *service;
    int64_t port = DEFAULT_PORT;

    if (!name || !is_label(namespace) || !is_label(name) ||
            (colon && !prb_parse_int(colon + 1, 1, 65535, &port)))
        return prb_fail(err, PRB_E_INVALID,
                "--service: \"%s\" is not of the form NAMESPACE/NAME[:PORT]", text);
    service = prb_json_ensure_obj(client, "service");
    prb_json_set_str(service, "namespace", namespace);
    prb_json_set_str(service, "name", name);
    prb_json_set_int(service, "port", port);
    prb_json_set_str(service, "path", PRB_MANIFEST_PATH);
    return 0;
}

/* One or more certificates and nothing else: a bundle is for everyone to read. */
static int check_bundle(const char *pem, const char *path, struct prb_error *err)
{
    prb_autofree char *copy = prb_strdup(pem);
    const gnutls_datum_t text = { .data = (unsigned char *)copy, .size = (unsigned)strlen(pem) };
    gnutls_x509_crt_t *certs = NULL;
    unsigned count = 0;

    if (strstr(pem, "PRIVATE KEY"))
        return prb_fail(err, PRB_E_INVALID, "--ca-file: %s has a private key in it", path);
    if (gnutls_x509_crt_list_import2(&certs, &count, &text, GNUTLS_X509_FMT_PEM, 0) < 0)
        return prb_fail(err, PRB_E_INVALID, "--ca-file: %s has no certificate (PEM) in it", path);
    for (unsigned i = 0; i < count; i++)
        gnutls_x509_crt_deinit(certs[i]);
    gnutls_free(certs);
    return 0;
}

static int set_bundle(struct json_object *client, const char *path, struct prb_error *err)
{
    prb_autofree char *pem = NULL, *bundle = NULL;
    size_t len;
    int r;

    if (prb_file_read(path, CA_FILE_MAX, &pem, &len, err) < 0)
        return prb_wrap(err, "--ca-file");
    r = check_bundle(pem, path, err);
    if (r < 0)
        return r;
    bundle = prb_certs_bundle(pem);
    prb_json_set_str(client, "caBundle", bundle);
    return 0;
}

int prb_manifest_client(const char *url, const char *service, const char *ca_file,
        struct json_object **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *client = json_object_new_object();
    int r;

    if (url && service)
        return prb_fail(err, PRB_E_INVALID, "--url and --service exclude each other");
    r = url ? set_url(client, url, err) : set_service(client, service, err);
    if (r == 0 && ca_file)
        r = set_bundle(client, ca_file, err);
    if (r == 0)
        *ret = prb_take(client);
    return r;
}
