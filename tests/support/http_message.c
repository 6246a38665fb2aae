/* Where does an HTTP message begin and end, and what do its headers say? */

#include "support/http_message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "probate/base/mem.h"

void prb_http_head_init(struct prb_http_head *head)
{
    head->first = NULL;
    prb_str_init(&head->fields, PRB_HTTP_HEAD_MAX);
}

void prb_http_head_done(struct prb_http_head *head)
{
    free(head->first);
    prb_str_done(&head->fields);
}

bool prb_http_head_read(struct prb_tls_stream *stream, struct prb_http_head *head)
{
    prb_auto(prb_str_done) struct prb_str line;

    prb_str_init(&line, PRB_HTTP_HEAD_MAX);
    if (!prb_tls_stream_read_line(stream, &line) || line.len == 0)
        return false;
    free(head->first);
    head->first = prb_str_take(&line);
    prb_str_clear(&head->fields);
    for (;;) {
        prb_str_clear(&line);
        if (!prb_tls_stream_read_line(stream, &line))
            return false;
        if (line.len == 0)
            return !head->fields.cut;
        if (!strchr(line.data, ':'))
            return false;
        prb_str_addf(&head->fields, "%s\r\n", line.data);
    }
}

/* Is this line the field `name`? */
static bool is_field(const char *line, const char *name)
{
    size_t len = strlen(name);

    return strncasecmp(line, name, len) == 0 && line[len] == ':';
}

/* The next line of the fields, or NULL; *len without its \r\n. */
static const char *next_field(const struct prb_http_head *head, size_t *at, size_t *len)
{
    const char *line = prb_str_get(&head->fields) + *at;

    if (*at >= head->fields.len)
        return NULL;
    *len = strcspn(line, "\r");
    *at += *len + 2;
    return line;
}

bool prb_http_head_find(
        const struct prb_http_head *head, const char *name, char *value, size_t size)
{
    const char *line;
    size_t at = 0, len;

    while ((line = next_field(head, &at, &len))) {
        size_t from = strlen(name) + 1;

        if (!is_field(line, name))
            continue;
        from += strspn(line + from, " \t");
        (void)snprintf(value, size, "%.*s", from < len ? (int)(len - from) : 0, line + from);
        return true;
    }
    return false;
}

static bool is_any_field(const char *line, const char *const *names)
{
    for (; *names; names++) {
        if (is_field(line, *names))
            return true;
    }
    return false;
}

void prb_http_head_copy(
        const struct prb_http_head *head, const char *const *drop, struct prb_str *to)
{
    const char *line;
    size_t at = 0, len;

    while ((line = next_field(head, &at, &len))) {
        if (!is_any_field(line, drop))
            prb_str_addn(to, line, len + 2);
    }
}

int prb_http_head_status(const struct prb_http_head *head)
{
    const char *space = head->first ? strchr(head->first, ' ') : NULL;
    char digits[4];
    int64_t status;

    if (!space || strlen(space) < 4)
        return 0;
    (void)snprintf(digits, sizeof(digits), "%.3s", space + 1);
    return prb_parse_int(digits, 100, 599, &status) ? (int)status : 0;
}

/* "1a2b[;extension]" as a number, -1 when it is none. */
static long parse_chunk_size(const char *text)
{
    char *end;
    long size = strtol(text, &end, 16);

    return end != text && size >= 0 && (size_t)size <= PRB_HTTP_BODY_MAX ? size : -1;
}

/* The empty line after a chunk, or the trailer up to its empty line. */
static bool skip_lines(struct prb_tls_stream *stream, bool to_empty)
{
    prb_auto(prb_str_done) struct prb_str line;

    prb_str_init(&line, PRB_HTTP_HEAD_MAX);
    do {
        prb_str_clear(&line);
        if (!prb_tls_stream_read_line(stream, &line))
            return false;
    } while (to_empty && line.len > 0);
    return line.len == 0;
}

int prb_http_read_chunk(struct prb_tls_stream *stream, struct prb_str *body)
{
    prb_auto(prb_str_done) struct prb_str line;
    long size;

    prb_str_init(&line, PRB_HTTP_HEAD_MAX);
    if (!prb_tls_stream_read_line(stream, &line))
        return -1;
    size = parse_chunk_size(prb_str_get(&line));
    if (size < 0)
        return -1;
    if (size == 0)
        return skip_lines(stream, true) ? 0 : -1;
    if (!prb_tls_stream_read(stream, body, (size_t)size) || !skip_lines(stream, false))
        return -1;
    return (int)size;
}

static bool read_to_end(struct prb_tls_stream *stream, struct prb_str *body)
{
    int got;

    while ((got = prb_tls_stream_read_some(stream, body, PRB_HTTP_BODY_MAX)) > 0)
        continue;
    return got == 0;
}

bool prb_http_read_body(struct prb_tls_stream *stream, const struct prb_http_head *head,
        bool until_end, struct prb_str *body)
{
    char value[64];
    int64_t length;
    int got;

    if (prb_http_head_find(head, "Transfer-Encoding", value, sizeof(value))) {
        if (strcasecmp(value, "chunked") != 0)
            return false;
        while ((got = prb_http_read_chunk(stream, body)) > 0)
            continue;
        return got == 0;
    }
    if (prb_http_head_find(head, "Content-Length", value, sizeof(value)))
        return prb_parse_int(value, 0, (int64_t)PRB_HTTP_BODY_MAX, &length) &&
               prb_tls_stream_read(stream, body, (size_t)length);
    return !until_end || read_to_end(stream, body);
}
