/* Is this the URL of a server, and may a secret be sent there? */

#include "server_url.h"

#include <string.h>
#include <strings.h>

#include <curl/curl.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

static void handle_free(CURLU *handle)
{
    curl_url_cleanup(handle);
}
PRB_DEFINE_CLEANUP(CURLU *, handle_free)

/* A part as our own text; NULL when the URL does not have it. */
static char *part_of(CURLU *handle, CURLUPart what, unsigned flags)
{
    char *text = NULL, *copy;

    if (curl_url_get(handle, what, &text, flags) != CURLUE_OK)
        return NULL;
    copy = prb_strdup(text);
    curl_free(text);
    return copy;
}

static bool has_part(CURLU *handle, CURLUPart what)
{
    prb_autofree char *text = part_of(handle, what, 0);

    return text != NULL;
}

/* By its text alone: a name that only resolves to loopback today is not trusted to do so. */
static bool is_loopback(const char *host)
{
    if (strcasecmp(host, "localhost") == 0 || prb_streq(host, "[::1]"))
        return true;
    /* "127.example.com" is a name like any other. */
    return prb_starts_with(host, "127.") && strspn(host, "0123456789.") == strlen(host);
}

static char *without_slash(char *taken)
{
    size_t len = taken ? strlen(taken) : 0;

    while (len > 0 && taken[len - 1] == '/')
        taken[--len] = '\0';
    return taken;
}

static int check(const char *text, CURLU *handle, bool https, struct prb_error *err)
{
    prb_autofree char *scheme = part_of(handle, CURLUPART_SCHEME, 0);

    /* First, and not shown: it is there to hold a password. */
    if (has_part(handle, CURLUPART_USER) || has_part(handle, CURLUPART_PASSWORD))
        return prb_fail(err, PRB_E_INVALID,
                "the server URL has a user name or password in it; use the fields of the user");
    if (!https && !prb_streq(scheme, "http"))
        return prb_fail(err, PRB_E_INVALID,
                "server %s: the URL has to begin with https:// (or http:// for a local proxy)",
                text);
    if (has_part(handle, CURLUPART_QUERY) || has_part(handle, CURLUPART_FRAGMENT))
        return prb_fail(err, PRB_E_INVALID, "server %s: a URL without '?' and '#' is needed", text);
    return 0;
}

int prb_server_url_parse(const char *text, struct prb_server_url *ret, struct prb_error *err)
{
    prb_auto(handle_free) CURLU *handle = curl_url();
    struct prb_server_url url = {
        .https = strncasecmp(text, "https://", strlen("https://")) == 0,
    };
    CURLUcode code = curl_url_set(handle, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME);
    int r;

    /* What might have a password before an '@' is not shown. */
    if (code != CURLUE_OK && !strstr(text, "://") && !strchr(text, '@'))
        return prb_fail(err, PRB_E_INVALID,
                "server \"%s\": a URL such as https://host:6443 is needed", text);
    if (code != CURLUE_OK)
        return prb_fail(err, PRB_E_INVALID, "the server URL is none: %s", curl_url_strerror(code));
    r = check(text, handle, url.https, err);
    if (r < 0)
        return r;

    url.host = part_of(handle, CURLUPART_HOST, 0);
    url.port = part_of(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT);
    url.prefix = without_slash(part_of(handle, CURLUPART_PATH, 0));
    if (!url.host || !url.port || !url.prefix) {
        prb_server_url_done(&url);
        return prb_fail(err, PRB_E_INVALID, "the server URL has no host");
    }
    url.loopback = is_loopback(url.host);
    *ret = url;
    return 0;
}

void prb_server_url_done(struct prb_server_url *url)
{
    free(url->host);
    free(url->port);
    free(url->prefix);
    *url = (struct prb_server_url){ .host = NULL };
}
