#ifndef SRC_CONTROL_TEXT_H
#define SRC_CONTROL_TEXT_H

/* Texts for people: when do two say the same, and how is one cut? */

#include <stdbool.h>
#include <stddef.h>

/*
 * Do both say the same but for numbers and durations ("for 45s" and "for 1m5s")? Digits that belong
 * to a name ("web-1") count. What repeats is logged once by this measure.
 */
bool prb_text_says_same(const char *a, const char *b);

/* What all texts that say the same by this measure have in common, as a key; the caller frees. */
char *prb_text_pattern(const char *text);

/* Bytes of `text` to keep so that at most `max` remain and no UTF-8 sequence is split. */
size_t prb_text_cut(const char *text, size_t max);

/* Copy into a buffer of `size` bytes, cut as above. */
void prb_text_copy(char *to, size_t size, const char *from);

/* A copy on one line, cut as above: what a stranger wrote must not move anybody's cursor. The
 * caller frees. */
char *prb_text_line(const char *text, size_t max);

#endif
