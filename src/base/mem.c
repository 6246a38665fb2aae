/* Where does memory come from, and what happens when there is none: the process ends. */

#include "probate/base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void prb_exhausted(void)
{
    static const char text[] = "probate: out of memory\n";

    /* Straight to the descriptor: stdio may want memory of its own. */
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        abort();
    abort();
}

void *prb_malloc(size_t size)
{
    void *at = malloc(size ? size : 1);

    if (!at)
        prb_exhausted();
    return at;
}

void *prb_calloc(size_t count, size_t size)
{
    void *at = calloc(count ? count : 1, size ? size : 1);

    if (!at)
        prb_exhausted();
    return at;
}

void *prb_realloc(void *at, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes))
        prb_exhausted();

    at = realloc(at, bytes ? bytes : 1);
    if (!at)
        prb_exhausted();
    return at;
}

char *prb_strdup(const char *text)
{
    return text ? prb_strndup(text, strlen(text)) : NULL;
}

char *prb_strndup(const char *text, size_t len)
{
    char *copy;

    if (!text)
        return NULL;

    len = strnlen(text, len);
    copy = prb_malloc(len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

char *prb_asprintf(const char *fmt, ...)
{
    char *text = NULL;
    va_list args;
    int len;

    va_start(args, fmt);
    len = vasprintf(&text, fmt, args);
    va_end(args);

    if (len < 0)
        prb_exhausted();
    return text;
}
