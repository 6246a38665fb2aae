/* Which tree does this text mean? */

#include "support/json_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/str.h"

/* Tests write small objects. */
#define TEXT_MAX ((size_t)1024 * 1024)

struct json_object *prb_test_json(const char *fmt, ...)
{
    prb_auto(prb_str_done) struct prb_str text;
    struct json_object *tree = NULL;
    struct prb_error err;
    va_list args;

    prb_str_init(&text, TEXT_MAX);
    va_start(args, fmt);
    prb_str_vaddf(&text, fmt, args);
    va_end(args);
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\'')
            text.data[i] = '"';
    }

    if (prb_json_parse(text.data, text.len, NULL, &tree, &err) < 0) {
        (void)fprintf(stderr, "%s\nin %s\n", err.msg, text.data);
        abort();
    }
    return tree;
}
