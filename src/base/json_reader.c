/* What may follow what in a JSON text that comes in pieces? */

#include "probate/base/json_reader.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

#include "json_reader_internal.h"

/* Memory kept between tokens; most are smaller. */
#define TEXT_KEEP ((size_t)64 * 1024)

struct prb_json_place prb_json_place_of(const struct prb_json_reader *reader, const char *at)
{
    uint64_t offset = reader->before + (uint64_t)(at - reader->piece);

    return (struct prb_json_place){ .line = reader->line,
        .column = (uint32_t)(offset - reader->line_start - reader->inner + 1) };
}

int prb_json_refuse(struct prb_json_reader *reader, struct prb_json_place place, const char *why)
{
    reader->failed = PRB_E_INVALID;
    reader->place = place;
    reader->why = why;
    return PRB_E_INVALID;
}

static int fail(const struct prb_json_reader *reader, struct prb_error *err)
{
    return prb_fail(err, reader->failed, "line %u, column %u: %s", reader->place.line,
            reader->place.column, reader->why);
}

static int refuse_at(struct prb_json_reader *reader, const char *at, const char *why)
{
    return prb_json_refuse(reader, prb_json_place_of(reader, at), why);
}

/* What is missing when something else comes, or nothing any more. */
static const char *expected(const struct prb_json_reader *reader)
{
    switch (reader->state) {
    case PRB_JSON_VALUE:
    case PRB_JSON_FIRST_ELEMENT:
        return "expected a value";
    case PRB_JSON_FIRST_NAME:
    case PRB_JSON_NAME:
        return "expected a member name in double quotes";
    case PRB_JSON_COLON:
        return "expected ':'";
    case PRB_JSON_AFTER:
    case PRB_JSON_IN_STRING:
    case PRB_JSON_IN_NUMBER:
    case PRB_JSON_IN_WORD:
    default:
        if (reader->depth == 0)
            return "unexpected text after the value";
        return prb_json_in_array(reader) ? "expected ',' or ']'" : "expected ',' or '}'";
    }
}

static int open_container(struct prb_json_reader *reader, const char *at, bool array)
{
    unsigned level = reader->depth;
    int r;

    if (level == PRB_JSON_STEP_DEPTH_MAX)
        return refuse_at(reader, at, "nested too deeply");
    r = prb_json_tree_open(reader, prb_json_place_of(reader, at), array);
    if (r < 0)
        return r;
    reader->is_array[level / 8] &= (uint8_t) ~(1U << (level % 8));
    reader->is_array[level / 8] |= (uint8_t)((array ? 1U : 0U) << (level % 8));
    reader->depth++;
    reader->state = array ? PRB_JSON_FIRST_ELEMENT : PRB_JSON_FIRST_NAME;
    return 0;
}

static int close_container(struct prb_json_reader *reader)
{
    bool array = prb_json_in_array(reader);

    reader->depth--;
    reader->state = PRB_JSON_AFTER;
    return prb_json_tree_close(reader, array);
}

static size_t keep_max(const struct prb_json_reader *reader)
{
    return prb_json_tree_takes(reader) ? SIZE_MAX / 4 : 0;
}

static void begin_word(struct prb_json_reader *reader, char first)
{
    reader->word = first == 't' ? "rue" : first == 'f' ? "alse" : "ull";
    reader->word_first = first;
    reader->state = PRB_JSON_IN_WORD;
}

/* The first byte of a value is at *at; that of a number belongs to what is kept of it. */
static int begin_value(struct prb_json_reader *reader, const char **at)
{
    char c = **at;

    if (c == '{' || c == '[')
        return open_container(reader, (*at)++, c == '[');
    reader->token = prb_json_place_of(reader, *at);
    prb_json_string_begin(reader, keep_max(reader));
    if (c == '"') {
        reader->is_name = false;
        reader->state = PRB_JSON_IN_STRING;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        prb_json_number_begin(reader, c);
        reader->state = PRB_JSON_IN_NUMBER;
        if (reader->text_max > 0)
            prb_str_addc(&reader->text, c);
    } else if (c == 't' || c == 'f' || c == 'n') {
        begin_word(reader, c);
    } else {
        return refuse_at(reader, *at, "expected a value");
    }
    (*at)++;
    return 0;
}

static void begin_name(struct prb_json_reader *reader, const char *at)
{
    reader->token = prb_json_place_of(reader, at);
    prb_json_string_begin(reader, prb_json_tree_name_max(reader));
    reader->is_name = true;
    reader->state = PRB_JSON_IN_STRING;
}

/* Behind a value: the next one, or the end of the container. */
static int step_after(struct prb_json_reader *reader, const char *at)
{
    bool array;

    if (reader->depth == 0)
        return refuse_at(reader, at, expected(reader));
    array = prb_json_in_array(reader);
    if (*at == (array ? ']' : '}'))
        return close_container(reader);
    if (*at != ',')
        return refuse_at(reader, at, expected(reader));
    if (array)
        prb_json_tree_element(reader);
    reader->state = array ? PRB_JSON_VALUE : PRB_JSON_NAME;
    return 0;
}

/* One byte between tokens that is no white space, or the whole of a bracket. */
static int step_between(struct prb_json_reader *reader, const char **at)
{
    char c = **at;

    switch (reader->state) {
    case PRB_JSON_FIRST_ELEMENT:
        if (c == ']') {
            (*at)++;
            return close_container(reader);
        }
        prb_json_tree_element(reader);
        return begin_value(reader, at);
    case PRB_JSON_VALUE:
        return begin_value(reader, at);
    case PRB_JSON_FIRST_NAME:
    case PRB_JSON_NAME:
        if (c == '}' && reader->state == PRB_JSON_FIRST_NAME) {
            (*at)++;
            return close_container(reader);
        }
        if (c != '"')
            return refuse_at(reader, *at, expected(reader));
        begin_name(reader, (*at)++);
        return 0;
    case PRB_JSON_COLON:
        if (c != ':')
            return refuse_at(reader, *at, expected(reader));
        (*at)++;
        reader->state = PRB_JSON_VALUE;
        return 0;
    case PRB_JSON_AFTER:
    case PRB_JSON_IN_STRING:
    case PRB_JSON_IN_NUMBER:
    case PRB_JSON_IN_WORD:
    default:
        return step_after(reader, (*at)++);
    }
}

static void skip_space(struct prb_json_reader *reader, const char **at, const char *end)
{
    const char *p = *at;

    for (; p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'); p++) {
        if (*p == '\n') {
            reader->line++;
            reader->line_start = reader->before + (uint64_t)(p - reader->piece) + 1;
            reader->inner = 0;
        }
    }
    *at = p;
}

/* A token is over, and with it what was kept of it. */
static int end_token(struct prb_json_reader *reader, enum prb_json_state next, int r)
{
    reader->state = next;
    if (reader->text.cap > TEXT_KEEP)
        prb_str_done(&reader->text);
    else
        prb_str_clear(&reader->text);
    return r;
}

static int end_string(struct prb_json_reader *reader)
{
    struct json_object *value;
    int r;

    if (reader->is_name)
        return end_token(reader, PRB_JSON_COLON, prb_json_tree_name(reader));
    r = prb_json_tree_room(reader);
    if (r == 0 && prb_json_tree_takes(reader)) {
        value = prb_json_must(
                json_object_new_string_len(prb_str_get(&reader->text), (int)reader->text.len));
        reader->built += reader->text.len;
        r = prb_json_tree_value(reader, value);
    }
    return end_token(reader, PRB_JSON_AFTER, r);
}

static int end_number(struct prb_json_reader *reader)
{
    struct json_object *value;
    int r = prb_json_tree_room(reader);

    if (r == 0 && prb_json_tree_takes(reader)) {
        value = prb_json_number_value(reader);
        r = value ? prb_json_tree_value(reader, value)
                  : prb_json_tree_defect(reader, PRB_E_INVALID, reader->token, "number too large");
    }
    return end_token(reader, PRB_JSON_AFTER, r);
}

static int end_word(struct prb_json_reader *reader)
{
    struct json_object *value = NULL; /* json-c's null */
    int r = prb_json_tree_room(reader);

    if (r == 0 && prb_json_tree_takes(reader)) {
        if (reader->word_first != 'n')
            value = prb_json_must(json_object_new_boolean(reader->word_first == 't'));
        r = prb_json_tree_value(reader, value);
    }
    return end_token(reader, PRB_JSON_AFTER, r);
}

static int step_word(struct prb_json_reader *reader, const char **at, const char *end)
{
    while (*at < end && *reader->word) {
        if (*(*at)++ != *reader->word++)
            return prb_json_refuse(reader, reader->token, "expected a value");
    }
    return *reader->word ? 0 : end_word(reader);
}

static int step(struct prb_json_reader *reader, const char **at, const char *end)
{
    bool done = false;
    int r;

    switch (reader->state) {
    case PRB_JSON_IN_STRING:
        r = prb_json_string_step(reader, at, end, &done);
        return r == 0 && done ? end_string(reader) : r;
    case PRB_JSON_IN_NUMBER:
        r = prb_json_number_step(reader, at, end, &done);
        return r == 0 && done ? end_number(reader) : r;
    case PRB_JSON_IN_WORD:
        return step_word(reader, at, end);
    case PRB_JSON_VALUE:
    case PRB_JSON_FIRST_ELEMENT:
    case PRB_JSON_FIRST_NAME:
    case PRB_JSON_NAME:
    case PRB_JSON_COLON:
    case PRB_JSON_AFTER:
    default:
        skip_space(reader, at, end);
        return *at < end ? step_between(reader, at) : 0;
    }
}

int prb_json_reader_feed(
        struct prb_json_reader *reader, const char *bytes, size_t len, struct prb_error *err)
{
    const char *at = bytes, *end = bytes + len;

    if (reader->failed)
        return fail(reader, err);
    reader->piece = bytes;
    while (at < end) {
        if (step(reader, &at, end) < 0)
            return fail(reader, err);
    }
    reader->before += len;
    reader->piece = "";
    return 0;
}

/* Inside which token does the text end? A number may end with it. */
static int end_text(struct prb_json_reader *reader)
{
    int r = 0;

    if (reader->state == PRB_JSON_IN_STRING)
        return prb_json_string_unfinished(reader);
    if (reader->state == PRB_JSON_IN_WORD)
        return prb_json_refuse(reader, reader->token, "expected a value");
    if (reader->state == PRB_JSON_IN_NUMBER) {
        r = prb_json_number_unfinished(reader);
        if (r == 0)
            r = end_number(reader);
    }
    if (r == 0 && (reader->state != PRB_JSON_AFTER || reader->depth > 0))
        r = refuse_at(reader, reader->piece, expected(reader));
    return r;
}

int prb_json_reader_end(
        struct prb_json_reader *reader, struct json_object **ret, struct prb_error *err)
{
    if (reader->failed || end_text(reader) < 0)
        return fail(reader, err);
    *ret = prb_take(reader->root);
    prb_json_reader_reset(reader);
    return 0;
}

static void init(struct prb_json_reader *reader)
{
    reader->piece = "";
    reader->line = 1;
    prb_str_init(&reader->text, SIZE_MAX / 2);
    prb_json_tree_init(reader);
}

static void done(struct prb_json_reader *reader)
{
    prb_json_tree_done(reader);
    prb_str_done(&reader->text);
}

struct prb_json_reader *prb_json_reader_new(const struct prb_json_reader_options *options)
{
    struct prb_json_reader *reader = prb_calloc(1, sizeof(*reader));
    unsigned depth_max = options->depth_max;

    reader->options = *options;
    if (depth_max == 0 || depth_max > PRB_JSON_DEPTH_MAX)
        reader->options.depth_max = PRB_JSON_DEPTH_MAX;
    if (options->built_max == 0)
        reader->options.built_max = PRB_JSON_BUILT_MAX;
    init(reader);
    return reader;
}

void prb_json_reader_reset(struct prb_json_reader *reader)
{
    const struct prb_json_reader_options options = reader->options;

    done(reader);
    *reader = (struct prb_json_reader){ .options = options };
    init(reader);
}

void prb_json_reader_free(struct prb_json_reader *reader)
{
    if (!reader)
        return;
    done(reader);
    free(reader);
}
