#ifndef PROBATE_BASE_STR_H
#define PROBATE_BASE_STR_H

/*
 * A growable string with a ceiling: the only string builder. What does not fit `max` is cut, never
 * inside a UTF-8 character, `cut` is set and nothing more is added; what is there stays valid and
 * NUL-terminated. Not thread-safe.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/cleanup.h"

struct prb_str {
    char *data; /* owned; NUL-terminated once anything was added; NULL before */
    size_t len; /* bytes, without the NUL */
    size_t cap;
    size_t max; /* most bytes `len` may reach */
    bool cut;   /* something did not fit */
};

void prb_str_init(struct prb_str *s, size_t max);
void prb_str_done(struct prb_str *s);

void prb_str_add(struct prb_str *s, const char *text);
void prb_str_addn(struct prb_str *s, const char *bytes, size_t len);
void prb_str_addc(struct prb_str *s, char c);
__attribute__((format(printf, 2, 3))) void prb_str_addf(struct prb_str *s, const char *fmt, ...);
__attribute__((format(printf, 2, 0))) void prb_str_vaddf(
        struct prb_str *s, const char *fmt, va_list args);

/* Keep the memory, forget the content (and `cut`). */
void prb_str_clear(struct prb_str *s);

/* The content as a C string, "" when empty; borrowed until the next change. */
const char *prb_str_get(const struct prb_str *s);

/* The content as a heap string the caller frees (never NULL); `s` is left empty and usable. */
char *prb_str_take(struct prb_str *s);

static inline void prb_str_donep(struct prb_str *s)
{
    prb_str_done(s);
}

/* Declare with:  prb_auto(prb_str_done) struct prb_str s; */

/* Checked parse of a whole decimal integer in [min, max]; false leaves *ret alone. */
bool prb_parse_int(const char *text, int64_t min, int64_t max, int64_t *ret);

/*
 * Parse a duration "300ms", "10s", "5m", "2h", "1h30m", "1.5h", "0" into milliseconds (Go's format,
 * no sign); what is finer than a millisecond is dropped.
 */
bool prb_parse_duration(const char *text, int64_t *ret_ms);

/* Copy into a fixed buffer; false (and "" in it) when it does not fit. */
bool prb_copy(char *to, size_t size, const char *from);

bool prb_streq(const char *a, const char *b); /* NULL equals only NULL */
bool prb_starts_with(const char *text, const char *prefix);

/* Is the text well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF)? */
bool prb_utf8_valid(const char *bytes, size_t len);

/* Index of the most similar of `names` (edit distance at most a third of its length), or -1. */
int prb_nearest(const char *text, const char *const *names, size_t count);

#endif
