/* How does the proxy reach the API server? */

#include "support/fault_upstream.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

/* Certificate chains and keys are a few KiB. */
#define PEM_MAX ((size_t)1024 * 1024)

static int split_server(
        struct prb_fault_upstream *upstream, const char *server, struct prb_error *err)
{
    static const char scheme[] = "https://";
    const char *host = server + strlen(scheme), *colon;

    if (!prb_starts_with(server, scheme))
        return prb_fail(err, PRB_E_INVALID, "server %s is not https", server);
    colon = strchr(host, ':');
    if (!colon || strpbrk(host, "/["))
        return prb_fail(err, PRB_E_INVALID, "server %s is not https://host:port", server);
    upstream->host = prb_strndup(host, (size_t)(colon - host));
    upstream->port = prb_strdup(colon + 1);
    return 0;
}

/* The PEM text, from memory or from a file; NULL and 0 when neither is given. */
static int load_pem(const char *data, const char *file, char **ret, struct prb_error *err)
{
    size_t len;

    if (!data && file)
        return prb_file_read(file, PEM_MAX, ret, &len, err);
    *ret = prb_strdup(data);
    return 0;
}

static gnutls_datum_t datum(char *text)
{
    return (gnutls_datum_t){ .data = (unsigned char *)text, .size = (unsigned)strlen(text) };
}

static int add_trust(struct prb_fault_upstream *upstream, const struct prb_kube_config *config,
        struct prb_error *err)
{
    prb_autofree char *ca = NULL;
    gnutls_datum_t pem;
    int result;

    if (load_pem(config->ca_data, config->ca_file, &ca, err) < 0)
        return prb_wrap(err, "certificate authority");
    if (!ca)
        return prb_fail(err, PRB_E_INVALID, "no certificate authority in %s", config->source);
    pem = datum(ca);
    result =
            gnutls_certificate_set_x509_trust_mem(upstream->credentials, &pem, GNUTLS_X509_FMT_PEM);
    return result < 0 ? prb_fail(err, PRB_E_INVALID, "certificate authority: %s",
                                gnutls_strerror(result))
                      : 0;
}

static int add_identity(struct prb_fault_upstream *upstream, const struct prb_kube_config *config,
        struct prb_error *err)
{
    prb_autofree char *cert = NULL;
    prb_autofree char *key = NULL;
    gnutls_datum_t cert_pem, key_pem;
    int result;

    upstream->token = prb_strdup(config->token);
    if (load_pem(config->cert_data, config->cert_file, &cert, err) < 0 ||
            load_pem(config->key_data, config->key_file, &key, err) < 0)
        return prb_wrap(err, "client certificate");
    if (!cert || !key)
        return 0;
    cert_pem = datum(cert);
    key_pem = datum(key);
    result = gnutls_certificate_set_x509_key_mem(
            upstream->credentials, &cert_pem, &key_pem, GNUTLS_X509_FMT_PEM);
    return result < 0
                   ? prb_fail(err, PRB_E_INVALID, "client certificate: %s", gnutls_strerror(result))
                   : 0;
}

int prb_fault_upstream_init(struct prb_fault_upstream *upstream,
        const struct prb_kube_config *config, struct prb_error *err)
{
    *upstream = (struct prb_fault_upstream){ .host = NULL };
    if (gnutls_certificate_allocate_credentials(&upstream->credentials) < 0)
        return prb_fail(err, PRB_E_INTERNAL, "no TLS credentials");
    if (split_server(upstream, config->server, err) < 0 || add_trust(upstream, config, err) < 0 ||
            add_identity(upstream, config, err) < 0) {
        prb_fault_upstream_done(upstream);
        return err->code;
    }
    return 0;
}

void prb_fault_upstream_done(struct prb_fault_upstream *upstream)
{
    free(upstream->host);
    free(upstream->port);
    free(upstream->token);
    if (upstream->credentials)
        gnutls_certificate_free_credentials(upstream->credentials);
    *upstream = (struct prb_fault_upstream){ .host = NULL };
}

static int open_socket(const struct prb_fault_upstream *upstream)
{
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
    struct addrinfo *found;
    int fd;

    if (getaddrinfo(upstream->host, upstream->port, &hints, &found) != 0)
        return -1;
    fd = socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol);
    if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) != 0) {
        (void)close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

bool prb_fault_upstream_connect(
        const struct prb_fault_upstream *upstream, struct prb_tls_stream *stream)
{
    int fd = open_socket(upstream);

    return fd >= 0 && prb_tls_stream_connect(stream, fd, upstream->credentials, upstream->host);
}
