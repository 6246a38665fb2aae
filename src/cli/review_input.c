/* Which documents do the files hold? */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/yaml.h"

#include "review.h"

/* A file may hold many reviews. */
#define FILE_MAX_BYTES PRB_JSON_SIZE_MAX

/* One read(2) of the standard input. */
#define CHUNK ((size_t)64 * 1024)

/* A file being read. */
struct input {
    const char *file;
    prb_review_document_fn each;
    void *ctx;
    size_t count; /* documents so far */
};

/* By its descriptor: what a program has there may be a socket, which has no path to open. */
static int read_stdin(char **ret, size_t *ret_len, struct prb_error *err)
{
    prb_auto(prb_str_done) struct prb_str text;
    prb_autofree char *chunk = prb_malloc(CHUNK);
    char reason[128];
    ssize_t got = 1;

    prb_str_init(&text, FILE_MAX_BYTES);
    while (got != 0 && !text.cut) {
        got = read(STDIN_FILENO, chunk, CHUNK);
        if (got < 0 && errno != EINTR)
            return prb_fail(err, PRB_E_IO, "-: %s", strerror_r(errno, reason, sizeof(reason)));
        if (got > 0)
            prb_str_addn(&text, chunk, (size_t)got);
    }
    if (text.cut)
        return prb_fail(err, PRB_E_INVALID, "-: larger than %zu bytes", FILE_MAX_BYTES);
    *ret_len = text.len;
    *ret = prb_str_take(&text);
    return 0;
}

static int read_text(const char *path, char **ret, size_t *ret_len, struct prb_error *err)
{
    if (prb_streq(path, "-"))
        return read_stdin(ret, ret_len, err);
    return prb_file_read(path, FILE_MAX_BYTES, ret, ret_len, err);
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at) && *at)
        at++;
    return at;
}

/* White space, and the line that separates documents in YAML. */
static const char *skip_separator(const char *at, const char *end)
{
    at = skip_space(at, end);
    if (end - at >= 3 && memcmp(at, "---", 3) == 0)
        at = skip_space(at + 3, end);
    return at;
}

/* One past the value that begins at `at`; all the rest when it is none, for the parser to refuse.
 */
static const char *value_end(const char *at, const char *end)
{
    bool quoted = false;
    int depth = 0;

    for (; at < end; at++) {
        if (quoted && *at == '\\')
            at++;
        else if (*at == '"')
            quoted = !quoted;
        else if (!quoted && (*at == '{' || *at == '['))
            depth++;
        else if (!quoted && (*at == '}' || *at == ']') && --depth <= 0)
            return at + 1;
    }
    return end;
}

static size_t count_lines(const char *at, const char *end)
{
    size_t lines = 0;

    for (; at < end; at++)
        lines += *at == '\n';
    return lines;
}

static void each_json(struct input *input, const char *text, size_t len)
{
    const char *end = text + len, *counted = text;
    size_t line = 1;

    for (const char *at = skip_space(text, end); at < end;) {
        const char *over = value_end(at, end);
        struct prb_review_document document = {
            .file = input->file, .number = ++input->count, .text = at, .len = (size_t)(over - at)
        };

        line += count_lines(counted, at);
        counted = at;
        document.line = line;
        input->each(input->ctx, &document);
        at = skip_separator(over, end);
    }
}

static int each_tree(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    struct input *input = ctx;
    const struct prb_review_document document = {
        .file = input->file, .number = ++input->count, .line = line, .tree = taken
    };

    (void)err;
    input->each(input->ctx, &document);
    prb_json_free(taken);
    return 0;
}

int prb_review_documents(
        const char *path, prb_review_document_fn each, void *ctx, struct prb_error *err)
{
    struct input input = { .file = path, .each = each, .ctx = ctx };
    prb_autofree char *text = NULL;
    size_t len = 0;
    const char *first;
    int r = read_text(path, &text, &len, err);

    if (r < 0)
        return r;
    first = skip_space(text, text + len);
    if (*first == '{' || *first == '[')
        each_json(&input, text, len);
    else if (prb_yaml_read(text, len, each_tree, &input, err) < 0)
        return prb_wrap(err, "%s: document %zu", path, input.count + 1);
    if (input.count == 0)
        return prb_fail(err, PRB_E_INVALID, "%s: there is no document in it", path);
    return 0;
}
