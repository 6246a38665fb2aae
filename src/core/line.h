#ifndef PROBATE_CORE_LINE_INTERNAL_H
#define PROBATE_CORE_LINE_INTERNAL_H

/* One line of valid UTF-8 without control characters; too long, it is cut and ends in "...". */

#include "probate/base/str.h"

/* A line of less than `size` bytes; the caller's. */
__attribute__((format(printf, 2, 0))) char *prb_line_vformat(
        size_t size, const char *fmt, va_list args);

char *prb_line(size_t size, const char *text);

/* To build one from parts that are deliverable already. */
void prb_line_init(struct prb_str *text, size_t size);
char *prb_line_take(struct prb_str *text);

#endif
