/* Reviews from text. */

#include "review_text.h"

#include <string.h>

#include "probate/base/mem.h"

const char *const review_no_paths[] = { NULL };

char *review_text(const char *quoted)
{
    char *text = prb_strdup(quoted);

    for (char *c = text; *c; c++) {
        if (*c == '\'')
            *c = '"';
    }
    return text;
}

int review_read(const char *quoted, const char *const *paths, struct prb_request **ret,
        struct prb_error *err)
{
    const struct prb_rule rule = { .name = "test", .reads = paths };
    const struct prb_rule *const rules[] = { &rule };
    prb_auto(prb_review_reader_free) struct prb_review_reader *reader =
            prb_review_reader_new(rules, 1);
    prb_autofree char *text = review_text(quoted);

    return prb_review_read(reader, text, strlen(text), ret, err);
}
