/* What does the server say to this? */

#include "https_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probate/base/mem.h"

#include "support/http_message.h"
#include "support/wait.h"

#define BODY_MAX ((size_t)1024 * 1024)
#define HEAD_MAX ((size_t)16 * 1024)

void answer_done(struct answer *answer)
{
    free(answer->head);
    free(answer->body);
    *answer = (struct answer){ 0 };
}

int https_dial(uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
    };
    const struct timeval patience = { .tv_sec = HTTPS_PATIENCE_MS / 1000 };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

    /* As Go does: no piece waits for the one before it to be acknowledged. */
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
        return fd;
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

bool https_open(struct https *https, uint16_t port, gnutls_certificate_credentials_t credentials)
{
    int fd = https_dial(port);

    prb_tls_stream_init(&https->stream, -1, HTTPS_PATIENCE_MS);
    return fd >= 0 && prb_tls_stream_connect(&https->stream, fd, credentials, "localhost");
}

void https_close(struct https *https)
{
    if (prb_tls_stream_is_open(&https->stream))
        prb_tls_stream_close(&https->stream);
}

void https_cut(struct https *https)
{
    if (prb_tls_stream_is_open(&https->stream))
        prb_tls_stream_cut(&https->stream);
}

bool https_send(struct https *https, const char *data, size_t len)
{
    return prb_tls_stream_is_open(&https->stream) &&
           prb_tls_stream_write(&https->stream, data, len);
}

bool https_say(struct https *https, const char *text)
{
    return https_send(https, text, strlen(text));
}

static bool says_close(const struct prb_http_head *head)
{
    char value[64];

    return prb_http_head_find(head, "Connection", value, sizeof(value)) &&
           strcasecmp(value, "close") == 0;
}

bool https_read(struct https *https, struct answer *ret)
{
    prb_auto(prb_http_head_done) struct prb_http_head head;
    prb_auto(prb_str_done) struct prb_str body;

    *ret = (struct answer){ 0 };
    prb_http_head_init(&head);
    prb_str_init(&body, BODY_MAX);
    if (!prb_tls_stream_is_open(&https->stream) || !prb_http_head_read(&https->stream, &head) ||
            !prb_http_read_body(&https->stream, &head, false, &body))
        return false;
    ret->status = prb_http_head_status(&head);
    ret->closes = says_close(&head);
    ret->head = prb_str_take(&head.fields);
    ret->body = prb_str_take(&body);
    return true;
}

bool https_post(struct https *https, const char *headers, const char *body, size_t len)
{
    prb_auto(prb_str_done) struct prb_str text;

    /* As the API server does it. */
    prb_str_init(&text, HEAD_MAX + len);
    prb_str_addf(&text,
            "POST /validate?timeout=10s HTTP/1.1\r\nHost: probate.probate-system.svc:443\r\n"
            "User-Agent: kube-apiserver-admission\r\nContent-Length: %zu\r\n"
            "Accept: application/json, */*\r\nContent-Type: application/json\r\n"
            "Accept-Encoding: gzip\r\n%s\r\n",
            len, headers ? headers : "");
    prb_str_addn(&text, body, len);
    return https_send(https, prb_str_get(&text), text.len);
}

bool https_call(struct https *https, const char *body, struct answer *ret)
{
    *ret = (struct answer){ 0 };
    return https_post(https, NULL, body, strlen(body)) && https_read(https, ret);
}

bool https_call_once(uint16_t port, gnutls_certificate_credentials_t credentials, const char *body,
        struct answer *ret)
{
    struct https https;
    bool good;

    *ret = (struct answer){ 0 };
    if (!https_open(&https, port, credentials))
        return false;
    good = https_call(&https, body, ret);
    https_close(&https);
    return good;
}

bool https_ends(struct https *https)
{
    prb_auto(prb_str_done) struct prb_str text;
    int64_t until_ms = prb_test_now_ms() + HTTPS_PATIENCE_MS;
    int got;

    prb_str_init(&text, HEAD_MAX);
    got = prb_tls_stream_read_some(&https->stream, &text, 1);
    /* A reset is an end as well; a wait that was given up is not. */
    return got == 0 || (got < 0 && prb_test_now_ms() < until_ms);
}

void answer_header(const struct answer *answer, const char *name, char *value, size_t size)
{
    const char *at = answer->head ? answer->head : "";
    size_t len = strlen(name);

    value[0] = '\0';
    for (; *at; at = strstr(at, "\r\n") + 2) {
        if (strncasecmp(at, name, len) == 0 && at[len] == ':') {
            (void)snprintf(value, size, "%.*s", (int)strcspn(at + len + 2, "\r"), at + len + 2);
            return;
        }
    }
}
