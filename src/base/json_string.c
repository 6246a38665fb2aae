/* Is this string, which may come in pieces, spelled as RFC 8259 wants, and what does it say? */

#include <string.h>

#include "json_reader_internal.h"
#include "utf8.h"

/* ASCII that stands for itself in a string: most of any document, so it is stepped over fast. */
static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* The same for eight at once: no byte has its high bit set, is below 0x20, '"' or '\\'. */
static bool are_plain(const char at[8])
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    uint64_t word, quotes, backslashes;

    memcpy(&word, at, sizeof(word));
    quotes = word ^ (ones * '"');
    backslashes = word ^ (ones * '\\');

    /* x - n borrows into the high bit of a byte that is less than n; ~x keeps those that had none.
     */
    return ((word | ((word - ones * 0x20) & ~word) | ((quotes - ones) & ~quotes) |
                    ((backslashes - ones) & ~backslashes)) &
                   highs) == 0;
}

static const char *skip_plain(const char *at, const char *end)
{
    while (end - at >= 8 && are_plain(at))
        at += 8;
    while (at < end && is_plain((unsigned char)*at))
        at++;
    return at;
}

void prb_json_string_begin(struct prb_json_reader *reader, size_t keep_max)
{
    prb_str_clear(&reader->text);
    reader->text_max = keep_max;
    reader->string = PRB_JSON_STRING_PLAIN;
}

/* A name that is longer than any that can be taken need not be known to its end. */
static int keep(struct prb_json_reader *reader, const char *bytes, size_t len)
{
    size_t room;

    if (reader->text_max == 0)
        return 0;
    room = reader->text_max + 1 - reader->text.len;
    prb_str_addn(&reader->text, bytes, len < room ? len : room);
    return prb_json_tree_charge(reader, 0);
}

/* What stands for itself up to `at` comes before what is wrong there. */
static int refuse_behind(
        struct prb_json_reader *reader, const char *run, const char *at, const char *why)
{
    int r = keep(reader, run, (size_t)(at - run));

    return r < 0 ? r : prb_json_refuse(reader, reader->place, why);
}

/* The first byte of a character of several. Table 3-7 of the Unicode standard: the second byte
 * rules out overlong forms and surrogates. */
static bool begin_character(struct prb_json_reader *reader, unsigned char c)
{
    if (c < 0xC2 || c > 0xF4)
        return false;
    reader->left = c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
    reader->low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
    reader->high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
    reader->string = PRB_JSON_STRING_UTF8;
    return true;
}

static bool continue_character(struct prb_json_reader *reader, unsigned char c)
{
    if (c < reader->low || c > reader->high)
        return false;
    reader->low = 0x80;
    reader->high = 0xBF;
    reader->inner++;
    if (--reader->left == 0)
        reader->string = PRB_JSON_STRING_PLAIN;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static int refuse_unicode(struct prb_json_reader *reader)
{
    return prb_json_refuse(reader, reader->place,
            reader->lead ? "lone surrogate" : "expected four hex digits after \\u");
}

static void begin_hex(struct prb_json_reader *reader)
{
    reader->string = PRB_JSON_STRING_HEX;
    reader->left = 4;
    reader->unit = 0;
}

/* Four digits are there: a character, or one half of one. */
static int end_hex(struct prb_json_reader *reader)
{
    uint32_t unit = reader->unit, lead = reader->lead;
    bool is_low = unit >= 0xDC00 && unit <= 0xDFFF;
    char bytes[PRB_UTF8_MAX];

    if (is_low != (lead != 0)) {
        reader->lead = 1; /* it is the pair that is wrong, not the digits */
        return refuse_unicode(reader);
    }
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        reader->lead = unit;
        reader->string = PRB_JSON_STRING_LOW_SLASH;
        return 0;
    }
    reader->lead = 0;
    reader->string = PRB_JSON_STRING_PLAIN;
    if (is_low)
        unit = 0x10000 + ((lead - 0xD800) << 10) + (unit - 0xDC00);
    return keep(reader, bytes, prb_utf8_encode(unit, bytes));
}

static int step_hex(struct prb_json_reader *reader, char c)
{
    int digit = hex_digit(c);

    if (digit < 0)
        return refuse_unicode(reader);
    reader->unit = reader->unit << 4 | (uint32_t)digit;
    return --reader->left == 0 ? end_hex(reader) : 0;
}

static int step_escape(struct prb_json_reader *reader, char c)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *found = c ? strchr(names, c) : NULL;

    if (c == 'u') {
        reader->lead = 0;
        begin_hex(reader);
        return 0;
    }
    if (!found)
        return prb_json_refuse(reader, reader->place, "unknown escape in a string");
    reader->string = PRB_JSON_STRING_PLAIN;
    return keep(reader, &values[found - names], 1);
}

/* One byte of an escape. */
static int step_inside(struct prb_json_reader *reader, char c)
{
    switch (reader->string) {
    case PRB_JSON_STRING_ESCAPE:
        return step_escape(reader, c);
    case PRB_JSON_STRING_HEX:
        return step_hex(reader, c);
    case PRB_JSON_STRING_LOW_SLASH:
        if (c != '\\')
            return refuse_unicode(reader);
        reader->string = PRB_JSON_STRING_LOW_U;
        return 0;
    case PRB_JSON_STRING_LOW_U:
    case PRB_JSON_STRING_PLAIN:
    case PRB_JSON_STRING_UTF8:
    default:
        if (c != 'u')
            return refuse_unicode(reader);
        begin_hex(reader);
        return 0;
    }
}

/* What stands for itself, up to a quote, a backslash or the end of the piece. */
static int step_plain(struct prb_json_reader *reader, const char **at, const char *end)
{
    const char *run = *at;

    while (*at < end) {
        unsigned char c;

        if (reader->string == PRB_JSON_STRING_PLAIN)
            *at = skip_plain(*at, end);
        if (*at == end)
            break;
        c = (unsigned char)**at;
        if (reader->string == PRB_JSON_STRING_UTF8) {
            if (!continue_character(reader, c))
                return refuse_behind(reader, run, *at, "invalid UTF-8");
        } else {
            if (c == '"' || c == '\\')
                break;
            reader->place = prb_json_place_of(reader, *at);
            if (c < 0x20)
                return refuse_behind(
                        reader, run, *at, "control character in a string must be escaped");
            if (!begin_character(reader, c))
                return refuse_behind(reader, run, *at, "invalid UTF-8");
        }
        (*at)++;
    }
    return keep(reader, run, (size_t)(*at - run));
}

int prb_json_string_step(
        struct prb_json_reader *reader, const char **at, const char *end, bool *done)
{
    int r = 0;

    while (r == 0 && *at < end) {
        if (reader->string != PRB_JSON_STRING_PLAIN && reader->string != PRB_JSON_STRING_UTF8) {
            r = step_inside(reader, *(*at)++);
            continue;
        }
        r = step_plain(reader, at, end);
        if (r < 0 || *at == end)
            break;
        if (**at == '\\') {
            reader->place = prb_json_place_of(reader, *at);
            reader->string = PRB_JSON_STRING_ESCAPE;
        }
        if (*(*at)++ == '"') {
            *done = true;
            break;
        }
    }
    return r;
}

int prb_json_string_unfinished(struct prb_json_reader *reader)
{
    switch (reader->string) {
    case PRB_JSON_STRING_PLAIN:
        return prb_json_refuse(reader, prb_json_place_of(reader, reader->piece),
                "expected '\"' at the end of a string");
    case PRB_JSON_STRING_UTF8:
        return prb_json_refuse(reader, reader->place, "invalid UTF-8");
    case PRB_JSON_STRING_ESCAPE:
        return prb_json_refuse(reader, reader->place, "unknown escape in a string");
    case PRB_JSON_STRING_HEX:
    case PRB_JSON_STRING_LOW_SLASH:
    case PRB_JSON_STRING_LOW_U:
    default:
        return refuse_unicode(reader);
    }
}
