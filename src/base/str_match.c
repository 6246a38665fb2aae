/* Are two texts the same, or nearly so? */

#include <string.h>

#include "probate/base/str.h"

/* Names are flags, verbs and resources; what is longer than this resembles none of them. */
#define NEAREST_MAX 64

bool prb_copy(char *to, size_t size, const char *from)
{
    size_t len = strlen(from);

    if (len >= size) {
        if (size > 0)
            to[0] = '\0';
        return false;
    }
    memcpy(to, from, len + 1);
    return true;
}

bool prb_streq(const char *a, const char *b)
{
    if (!a || !b)
        return a == b;
    return strcmp(a, b) == 0;
}

bool prb_starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

/* Levenshtein, row by row; both lengths are at most NEAREST_MAX. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t row[NEAREST_MAX + 1];

    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t above = row[j];
            size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);

            row[j] = least(above + 1, row[j - 1] + 1, replaced);
            diagonal = above;
        }
    }
    return row[b_len];
}

int prb_nearest(const char *text, const char *const *names, size_t count)
{
    size_t len = strlen(text), best = NEAREST_MAX + 1;
    int found = -1;

    if (len > NEAREST_MAX)
        return -1;
    for (size_t i = 0; i < count; i++) {
        size_t name_len = strlen(names[i]), far;

        if (name_len > NEAREST_MAX)
            continue;
        far = distance(text, len, names[i], name_len);
        if (far < best && far <= name_len / 3) {
            best = far;
            found = (int)i;
        }
    }
    return found;
}
