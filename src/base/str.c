/* How is text put together without overrunning anything? */

#include "probate/base/str.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"

#include "utf8.h"

/* First allocation; most strings built here are names and short messages. */
#define STR_FIRST_CAP 64

void prb_str_init(struct prb_str *s, size_t max)
{
    *s = (struct prb_str){ .max = max };
}

void prb_str_done(struct prb_str *s)
{
    free(s->data);
    *s = (struct prb_str){ .max = s->max };
}

/* Room for `len` bytes more (already known to stay within max) and the NUL. */
static void reserve(struct prb_str *s, size_t len)
{
    size_t need = s->len + len + 1;
    size_t cap = s->cap ? s->cap : STR_FIRST_CAP;

    if (need <= s->cap)
        return;
    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    s->data = prb_realloc(s->data, cap, 1);
    s->cap = cap;
}

void prb_str_addn(struct prb_str *s, const char *bytes, size_t len)
{
    /* After a cut nothing may follow: the text would have a hole. */
    if (s->cut || len == 0)
        return;
    if (len > s->max - s->len) {
        s->cut = true;
        len = prb_utf8_cut(bytes, s->max - s->len);
    }

    reserve(s, len);
    memcpy(s->data + s->len, bytes, len);
    s->len += len;
    s->data[s->len] = '\0';
}

void prb_str_add(struct prb_str *s, const char *text)
{
    prb_str_addn(s, text, strlen(text));
}

void prb_str_addc(struct prb_str *s, char c)
{
    prb_str_addn(s, &c, 1);
}

void prb_str_vaddf(struct prb_str *s, const char *fmt, va_list args)
{
    char small[256]; /* nearly every formatted piece fits; a second pass is for the rest */
    va_list again;
    int len;

    va_copy(again, args);
    len = vsnprintf(small, sizeof(small), fmt, args);
    if (len >= 0 && (size_t)len < sizeof(small)) {
        prb_str_addn(s, small, (size_t)len);
    } else if (len >= 0) {
        prb_autofree char *large = prb_malloc((size_t)len + 1);

        (void)vsnprintf(large, (size_t)len + 1, fmt, again);
        prb_str_addn(s, large, (size_t)len);
    }
    va_end(again);
}

void prb_str_addf(struct prb_str *s, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    prb_str_vaddf(s, fmt, args);
    va_end(args);
}

void prb_str_clear(struct prb_str *s)
{
    s->len = 0;
    s->cut = false;
    if (s->data)
        s->data[0] = '\0';
}

const char *prb_str_get(const struct prb_str *s)
{
    return s->data ? s->data : "";
}

char *prb_str_take(struct prb_str *s)
{
    char *text = s->data ? prb_take(s->data) : prb_strdup("");

    prb_str_init(s, s->max);
    return text;
}
