/* How does a text become one line that can be delivered? */

#include "line.h"

#include <string.h>

/* What ends a text that was cut. */
#define DOTS "..."

/* Bytes of the control character at `at`, 0 if it is none: U+0080 to U+009F have two. */
static size_t control_length(const char *at)
{
    unsigned char first = (unsigned char)at[0], second = (unsigned char)at[1];

    if (first < 0x20 || first == 0x7f)
        return 1;
    return first == 0xc2 && second >= 0x80 && second <= 0x9f ? 2 : 0;
}

/*
 * Names and values come from whoever wrote the object. The API server drops a warning with a
 * control character or broken UTF-8 without a word, and a terminal obeys one in a denial.
 */
static void make_deliverable(char *text)
{
    bool valid = prb_utf8_valid(text, strlen(text));

    for (char *c = text; *c; c++) {
        memset(c, ' ', control_length(c));
        if (!valid && (unsigned char)*c >= 0x80)
            *c = '?';
    }
}

void prb_line_init(struct prb_str *text, size_t size)
{
    prb_str_init(text, size - sizeof(DOTS));
}

char *prb_line_take(struct prb_str *text)
{
    if (text->cut) {
        text->max += strlen(DOTS);
        text->cut = false;
        prb_str_add(text, DOTS);
    }
    return prb_str_take(text);
}

char *prb_line_vformat(size_t size, const char *fmt, va_list args)
{
    prb_auto(prb_str_done) struct prb_str text;
    char *line;

    prb_line_init(&text, size);
    prb_str_vaddf(&text, fmt, args);
    line = prb_line_take(&text);
    make_deliverable(line);
    return line;
}

char *prb_line(size_t size, const char *text)
{
    prb_auto(prb_str_done) struct prb_str cut;
    char *line;

    prb_line_init(&cut, size);
    prb_str_add(&cut, text);
    line = prb_line_take(&cut);
    make_deliverable(line);
    return line;
}
