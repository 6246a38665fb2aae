/* Which texts are worth saying again, and how short must they be? */

#include "text.h"

#include <string.h>

#include "probate/base/mem.h"

/* Stands for a number in a pattern; no text that people read has it. */
#define NUMBER '\1'

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Could a name go on after this character? */
static bool in_name(char c)
{
    return is_digit(c) || is_lower(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
           c == '.' || c == '/';
}

/* Where the number or duration ("12", "0.5", "1h30m") at `at` ends; `at` itself when none begins.
 */
static const char *after_number(const char *text, const char *at)
{
    if (!is_digit(*at) || (at > text && in_name(at[-1])))
        return at;
    while (is_digit(*at) || is_lower(*at) || *at == '.')
        at++;
    return at;
}

bool prb_text_says_same(const char *a, const char *b)
{
    const char *at_a = a, *at_b = b;

    for (;;) {
        const char *next_a = after_number(a, at_a), *next_b = after_number(b, at_b);

        if ((next_a == at_a) != (next_b == at_b))
            return false;
        if (next_a != at_a) {
            at_a = next_a;
            at_b = next_b;
            continue;
        }
        if (*at_a != *at_b)
            return false;
        if (*at_a == '\0')
            return true;
        at_a++;
        at_b++;
    }
}

char *prb_text_pattern(const char *text)
{
    char *pattern = prb_strdup(text), *to = pattern;

    for (const char *at = text; *at;) {
        const char *next = after_number(text, at);

        *to++ = next > at ? NUMBER : *at;
        at = next > at ? next : at + 1;
    }
    *to = '\0';
    return pattern;
}

size_t prb_text_cut(const char *text, size_t max)
{
    size_t len = strnlen(text, max + 1);

    if (len <= max)
        return len;
    for (len = max; len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80;)
        len--;
    return len;
}

void prb_text_copy(char *to, size_t size, const char *from)
{
    size_t len = prb_text_cut(from, size - 1);

    memcpy(to, from, len);
    to[len] = '\0';
}

/* Bytes of the control character at `at`, 0 if it is none: U+0080 to U+009F have two. */
static size_t control_length(const char *at)
{
    unsigned char first = (unsigned char)at[0], second = (unsigned char)at[1];

    if (first < 0x20 || first == 0x7f)
        return 1;
    return first == 0xc2 && second >= 0x80 && second <= 0x9f ? 2 : 0;
}

char *prb_text_line(const char *text, size_t max)
{
    char *line = prb_strndup(text, prb_text_cut(text, max));

    for (char *c = line; *c; c++)
        memset(c, ' ', control_length(c));
    return line;
}
