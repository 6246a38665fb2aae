/* Which token comes next in a JSON text, and is it spelled as RFC 8259 wants? */

#include <string.h>

#include "json_internal.h"
#include "utf8.h"

int prb_json_scan_fail(struct prb_json_scan *scan, const char *at, const char *what)
{
    size_t line = 1, column = 1;

    for (const char *c = scan->text; c < at; c++) {
        if (*c == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)*c & 0xC0) != 0x80) {
            column++; /* characters, not bytes: what an editor shows */
        }
    }
    return prb_fail(scan->err, PRB_E_INVALID, "line %zu, column %zu: %s", line, column, what);
}

void prb_json_scan_space(struct prb_json_scan *scan)
{
    const char *at = scan->at;

    while (at < scan->end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    scan->at = at;
}

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

/* Step over what stands for itself, up to a quote or a backslash. */
static int scan_plain(struct prb_json_scan *scan)
{
    for (;;) {
        const char *at = skip_plain(scan->at, scan->end);
        size_t step = prb_utf8_step(at, (size_t)(scan->end - at));

        if (at == scan->end)
            return prb_json_scan_fail(scan, at, "expected '\"' at the end of a string");
        if ((unsigned char)*at < 0x20)
            return prb_json_scan_fail(scan, at, "control character in a string must be escaped");
        if (step == 0)
            return prb_json_scan_fail(scan, at, "invalid UTF-8");
        scan->at = at;
        if (*at == '"' || *at == '\\')
            return 0;
        scan->at += step;
    }
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

/* "\uXXXX" at scan->at; false when it is not there. */
static bool scan_hex(struct prb_json_scan *scan, uint32_t *ret)
{
    uint32_t value = 0;

    if (scan->end - scan->at < 6 || scan->at[0] != '\\' || scan->at[1] != 'u')
        return false;
    for (int i = 2; i < 6; i++) {
        int digit = hex_digit(scan->at[i]);

        if (digit < 0)
            return false;
        value = value << 4 | (uint32_t)digit;
    }
    scan->at += 6;
    *ret = value;
    return true;
}

static int scan_unicode(struct prb_json_scan *scan, bool keep)
{
    const char *start = scan->at;
    char bytes[PRB_UTF8_MAX];
    uint32_t point, low;

    if (!scan_hex(scan, &point))
        return prb_json_scan_fail(scan, start, "expected four hex digits after \\u");
    if (point >= 0xD800 && point <= 0xDBFF) {
        if (!scan_hex(scan, &low) || low < 0xDC00 || low > 0xDFFF)
            return prb_json_scan_fail(scan, start, "lone surrogate");
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    } else if (point >= 0xDC00 && point <= 0xDFFF) {
        return prb_json_scan_fail(scan, start, "lone surrogate");
    }

    if (keep)
        prb_str_addn(&scan->unescaped, bytes, prb_utf8_encode(point, bytes));
    return 0;
}

static int scan_escape(struct prb_json_scan *scan, bool keep)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *found;
    char c = scan->end - scan->at > 1 ? scan->at[1] : '\0';

    if (c == 'u')
        return scan_unicode(scan, keep);
    found = c ? strchr(names, c) : NULL;
    if (!found)
        return prb_json_scan_fail(scan, scan->at, "unknown escape in a string");
    if (keep)
        prb_str_addc(&scan->unescaped, values[found - names]);
    scan->at += 2;
    return 0;
}

int prb_json_scan_string(struct prb_json_scan *scan, bool keep, const char **ret, size_t *ret_len)
{
    const char *run = ++scan->at;
    bool escaped = false;

    for (;;) {
        int r = scan_plain(scan);

        if (r < 0)
            return r;
        if (*scan->at == '"')
            break;
        if (keep && !escaped)
            prb_str_clear(&scan->unescaped);
        escaped = true;
        if (keep)
            prb_str_addn(&scan->unescaped, run, (size_t)(scan->at - run));
        r = scan_escape(scan, keep);
        if (r < 0)
            return r;
        run = scan->at;
    }

    if (keep && escaped) {
        prb_str_addn(&scan->unescaped, run, (size_t)(scan->at - run));
        *ret = prb_str_get(&scan->unescaped);
        *ret_len = scan->unescaped.len;
    } else if (keep) {
        *ret = run;
        *ret_len = (size_t)(scan->at - run);
    }
    scan->at++;
    return 0;
}
