#ifndef PROBATE_BASE_JSON_READER_H
#define PROBATE_BASE_JSON_READER_H

/*
 * One JSON value that comes in pieces of any size: checked strictly as it comes, and built as far
 * as a filter takes it. What is not taken is stepped over in constant memory and without
 * recursion, however long it is. What is bounded is what is built.
 *
 * Refused: all that RFC 8259 forbids, invalid UTF-8 and lone surrogates, a number that is taken
 * and too large for a double, and two members of one object that are both taken under the same
 * name. A member whose name has U+0000 in it is stepped over: no filter can name it, and it equals
 * no other. Integers outside int64/uint64 become doubles.
 *
 * A reader belongs to one thread at a time. The result does not depend on where the text is cut.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/json.h"

/*
 * Nested containers of a text, built or not. The API server takes objects nested 10,000 deep (the
 * limit of Go's decoder), and sends them inside a review, a list or a watch event, which adds at
 * most three. One bit is kept for each level.
 */
#define PRB_JSON_STEP_DEPTH_MAX 10032

/* What may be built when the caller does not say, in bytes: a bound for what comes from Probate
 * itself or from a file; whatever comes from outside has a lower one. */
#define PRB_JSON_BUILT_MAX ((size_t)1024 * 1024 * 1024)

/*
 * Items: with a filter entry that is marked `items`, an array under that name has elements, or an
 * object is itself an item, that is read for itself. A member of an item that cannot be built
 * (nested too deeply, more than `item_max`, a duplicate name or a too large number in it) is left
 * out, `defect` is told, and reading goes on. Without `defect` nothing is special about items.
 */
typedef void (*prb_json_defect_fn)(
        void *ctx, size_t item, const char *member, const struct prb_error *why);

struct prb_json_reader_options {
    const struct prb_json_filter *filter; /* borrowed; children of the root; NULL: all is built */
    unsigned depth_max; /* containers nested in what is built; 0 and most: PRB_JSON_DEPTH_MAX */
    size_t built_max;   /* bytes, as prb_json_reader_built counts them; 0: PRB_JSON_BUILT_MAX */
    size_t item_max;    /* the same for each member of an item; 0: any number */
    prb_json_defect_fn defect; /* NULL: a defect of an item fails the whole text */
    void *ctx;                 /* borrowed; of `defect` */
};

struct prb_json_reader;

struct prb_json_reader *prb_json_reader_new(const struct prb_json_reader_options *options);
void prb_json_reader_free(struct prb_json_reader *reader); /* NULL is fine */
PRB_DEFINE_CLEANUP(struct prb_json_reader *, prb_json_reader_free)

/*
 * The next bytes. INVALID: the text is no JSON; UNSUPPORTED: more is to be built than `built_max`.
 * The error has line and column. A reader that has failed fails the same way again.
 */
int prb_json_reader_feed(
        struct prb_json_reader *reader, const char *bytes, size_t len, struct prb_error *err);

/*
 * The text is over: INVALID when it is not whole. *ret is the tree, NULL for `null`; the caller
 * frees it. The reader may then be used for another text.
 */
int prb_json_reader_end(
        struct prb_json_reader *reader, struct json_object **ret, struct prb_error *err);

/* Forget all that came, whole or not, and expect another text. */
void prb_json_reader_reset(struct prb_json_reader *reader);

/* Memory that what was built so far takes, in bytes: no less than what the allocator gives. */
size_t prb_json_reader_built(const struct prb_json_reader *reader);

/* The same of a tree: as much of that was for it. */
size_t prb_json_built(const struct json_object *tree);

#endif
