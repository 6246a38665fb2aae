/* What has to be true of every connection to the API server? */

#include "endpoint.h"

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "credentials.h"
#include "secret.h"
#include "server_url.h"

/* Keep-alive probes: below the 60 s after which the strictest NAT tables forget a connection. */
#define KEEPALIVE_IDLE_S 30L
#define KEEPALIVE_INTERVAL_S 10L

/* An idle connection is used again up to this age; the API server closes its own after 90 s, and
 * a call on one that is just being closed would fail. */
#define IDLE_REUSE_S 60L

/* Data from the kubeconfig gets a name in memory; a file keeps its own, and is read again by curl
 * for each new connection, so that a renewed certificate is taken up. */
static int choose_file(const char *data, const char *file, struct prb_memfile *memory, char **ret,
        struct prb_error *err)
{
    if (!data) {
        *ret = prb_strdup(file);
        return 0;
    }
    if (prb_memfile_open(data, strlen(data), memory, err) < 0)
        return err->code;
    *ret = prb_strdup(memory->path);
    return 0;
}

static int set_files(struct prb_kube_endpoint *endpoint, const struct prb_kube_config *config,
        struct prb_error *err)
{
    int r = choose_file(config->ca_data, config->ca_file, &endpoint->files[0], &endpoint->ca, err);

    if (r == 0)
        r = choose_file(
                config->cert_data, config->cert_file, &endpoint->files[1], &endpoint->cert, err);
    if (r == 0)
        r = choose_file(
                config->key_data, config->key_file, &endpoint->files[2], &endpoint->key, err);
    return r;
}

/*
 * Another name to verify has no option of its own in curl: the URL gets that name, the connection
 * goes to the real host all the same, and the Host header is put right again.
 */
static void set_url(
        struct prb_kube_endpoint *endpoint, const struct prb_server_url *url, const char *tls_name)
{
    const char *scheme = url->https ? "https" : "http";

    endpoint->host = prb_asprintf("%s:%s", url->host, url->port);
    if (!url->https || !tls_name || prb_streq(tls_name, url->host)) {
        endpoint->base = prb_asprintf("%s://%s%s", scheme, endpoint->host, url->prefix);
        return;
    }

    prb_autofree char *rule =
            prb_asprintf("%s:%s:%s:%s", tls_name, url->port, url->host, url->port);

    endpoint->base = prb_asprintf("%s://%s:%s%s", scheme, tls_name, url->port, url->prefix);
    endpoint->host_header = prb_asprintf("Host: %s", endpoint->host);
    endpoint->connect_to = curl_slist_append(NULL, rule);
}

static bool has_secret(const struct prb_kube_config *config)
{
    return config->token || config->token_file || config->username;
}

static int set_server(struct prb_kube_endpoint *endpoint, const struct prb_kube_config *config,
        struct prb_error *err)
{
    prb_auto(prb_server_url_done) struct prb_server_url url = { .host = NULL };

    if (prb_server_url_parse(config->server, &url, err) < 0)
        return prb_wrap(err, "%s", config->source);
    if (!url.https && !url.loopback && has_secret(config))
        return prb_fail(err, PRB_E_INVALID,
                "%s: the token or password would go to %s in the clear; use https://",
                config->source, config->server);

    set_url(endpoint, &url, config->tls_server_name);
    if (config->proxy)
        endpoint->proxy = prb_strdup(config->proxy);
    else if (url.loopback)
        endpoint->proxy = prb_strdup("");
    return 0;
}

int prb_kube_endpoint_new(const struct prb_kube_config *config,
        const struct prb_kube_options *options, struct prb_kube_endpoint **ret,
        struct prb_error *err)
{
    prb_auto(prb_kube_endpoint_free) struct prb_kube_endpoint *endpoint =
            prb_calloc(1, sizeof(*endpoint));
    const char *agent = options && options->user_agent ? options->user_agent : NULL;
    int r;

    for (size_t i = 0; i < sizeof(endpoint->files) / sizeof(endpoint->files[0]); i++)
        endpoint->files[i] = PRB_MEMFILE_NONE;
    endpoint->insecure = config->insecure;
    endpoint->user_agent = prb_strdup(agent ? agent : "probate/" PRB_VERSION);

    r = set_server(endpoint, config, err);
    if (r == 0)
        r = prb_kube_credentials_check(config, err);
    if (r == 0)
        r = set_files(endpoint, config, err);
    if (r == 0)
        r = prb_kube_auth_new(config, &endpoint->auth, err);
    if (r < 0)
        return r;
    *ret = prb_take(endpoint);
    return 0;
}

void prb_kube_endpoint_free(struct prb_kube_endpoint *endpoint)
{
    if (!endpoint)
        return;
    for (size_t i = 0; i < sizeof(endpoint->files) / sizeof(endpoint->files[0]); i++)
        prb_memfile_close(&endpoint->files[i]);
    curl_slist_free_all(endpoint->connect_to);
    prb_kube_auth_free(endpoint->auth);
    free(endpoint->base);
    free(endpoint->host);
    free(endpoint->host_header);
    free(endpoint->user_agent);
    free(endpoint->proxy);
    free(endpoint->ca);
    free(endpoint->cert);
    free(endpoint->key);
    free(endpoint);
}

static void set_tls(const struct prb_kube_endpoint *endpoint, CURL *easy)
{
    (void)curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, endpoint->insecure ? 0L : 1L);
    (void)curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, endpoint->insecure ? 0L : 2L);
    (void)curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (endpoint->ca || endpoint->insecure) {
        /*
         * Nobody else's authority: with the system's store left in beside the one that was given,
         * any public one could vouch for the API server. (Where nothing is verified it would only
         * be read in vain, at 160 ms a connection.)
         */
        (void)curl_easy_setopt(easy, CURLOPT_CAINFO, endpoint->ca);
        (void)curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    if (endpoint->cert) {
        (void)curl_easy_setopt(easy, CURLOPT_SSLCERT, endpoint->cert);
        (void)curl_easy_setopt(easy, CURLOPT_SSLKEY, endpoint->key);
    }
}

void prb_kube_endpoint_prepare(
        const struct prb_kube_endpoint *endpoint, CURL *easy, const char *path)
{
    prb_autofree char *url = prb_asprintf("%s%s", endpoint->base, path);

    (void)curl_easy_setopt(easy, CURLOPT_URL, url);
    (void)curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_USERAGENT, endpoint->user_agent);
    (void)curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    (void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
    /* A call that is given up does not wait for a name server that hangs. */
    (void)curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
    (void)curl_easy_setopt(easy, CURLOPT_CONNECT_TO, endpoint->connect_to);
    if (endpoint->proxy)
        (void)curl_easy_setopt(easy, CURLOPT_PROXY, endpoint->proxy);
    (void)curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L); /* not the server's own */

    /*
     * HTTP/1.1 on purpose. Over HTTP/2 all calls and watches would share one connection, and one
     * lost path would stall every watch of the process at once without any of them noticing; so
     * each has its own, and a dead one is the loss of one watch.
     */
    (void)curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)PRB_KUBE_CONNECT_MS);
    (void)curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, KEEPALIVE_IDLE_S);
    (void)curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S);
    (void)curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, IDLE_REUSE_S);
    set_tls(endpoint, easy);
}

static struct curl_slist *add_header(struct curl_slist *list, const char *text)
{
    struct curl_slist *longer = curl_slist_append(list, text);

    if (!longer)
        abort(); /* out of memory, as prb_malloc; a call without this header would be another one */
    return longer;
}

struct curl_slist *prb_kube_endpoint_headers(const struct prb_kube_endpoint *endpoint,
        const char *accept, const char *content_type, int64_t mono_ms, unsigned *ret_generation)
{
    prb_auto(prb_secret_free) char *authorization =
            prb_kube_auth_header(endpoint->auth, mono_ms, ret_generation);
    prb_autofree char *accepting = prb_asprintf("Accept: %s", accept);
    struct curl_slist *headers = add_header(NULL, accepting);

    if (content_type) {
        prb_autofree char *typed = prb_asprintf("Content-Type: %s", content_type);

        headers = add_header(headers, typed);
        headers = add_header(headers, "Expect:"); /* no second round trip for large bodies */
    }
    if (endpoint->host_header)
        headers = add_header(headers, endpoint->host_header);
    if (authorization)
        headers = add_header(headers, authorization);
    return headers;
}

void prb_kube_headers_free(struct curl_slist *headers)
{
    for (struct curl_slist *at = headers; at; at = at->next)
        explicit_bzero(at->data, strlen(at->data));
    curl_slist_free_all(headers);
}
