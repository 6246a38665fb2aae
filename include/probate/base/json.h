#ifndef PROBATE_BASE_JSON_H
#define PROBATE_BASE_JSON_H

/*
 * JSON trees: parse and print with limits, getters that never coerce, equality, pointers.
 *
 * Trees are json-c's, but json-c neither parses nor prints them here: its strict mode is not
 * strict (single quotes, NaN, duplicate keys, keys with U+0000, clamped integers) and its printer
 * writes into the nodes. Our reader checks RFC 8259 and builds the tree in one pass; our printer
 * and getters only read, so a tree nobody changes may be read by many threads. Reference counts
 * of json-c are not atomic: do not json_object_get/put a tree that other threads can see.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/base/str.h"

/* json_object_put without its return value, so that it fits prb_auto(prb_json_free). */
void prb_json_free(struct json_object *tree);
PRB_DEFINE_CLEANUP(struct json_object *, prb_json_free)

/*
 * Which members of a document are built. Members not named are checked for syntax and stepped
 * over. A node with neither children nor `drop`s is taken whole.
 */
struct prb_json_filter {
    const char *key;                        /* static; NULL ends a list of children */
    const struct prb_json_filter *children; /* NULL: take all below */
    bool drop;                              /* leave this member out and keep all others */
    bool items; /* each element, or the object, is read for itself: see json_reader.h */
};
/*
 * A list of children is either all `drop` entries (take everything but these) or none is. A `drop`
 * entry with children is not left out whole: its children say what is. Inside arrays the filter of
 * the array applies to each element. A scalar where the filter expects members is taken.
 */

/*
 * Depth of what is built. Real objects stay below 100; printing, comparing and freeing recurse,
 * some 250 bytes of stack a level: this is safe on a small thread. What is stepped over may be as
 * deep as the API server takes it: see json_reader.h.
 */
#define PRB_JSON_DEPTH_MAX 512

/* Bytes of a text that Probate writes, or reads from a file. */
#define PRB_JSON_SIZE_MAX ((size_t)64 * 1024 * 1024)

struct prb_json_options {
    unsigned depth_max; /* nested containers that are built; 0 and most: PRB_JSON_DEPTH_MAX */
    size_t built_max;   /* bytes of memory for what is built; 0: PRB_JSON_BUILT_MAX */
    const struct prb_json_filter *filter; /* children of the root; NULL: build everything */
};

/*
 * Parse exactly one JSON value (white space around it allowed) that is there whole; json_reader.h
 * says what is refused. `options` may be NULL. Error text has line and column. *ret may be NULL
 * for `null`.
 */
int prb_json_parse(const char *text, size_t len, const struct prb_json_options *options,
        struct json_object **ret, struct prb_error *err);

/*
 * Compact print; object members in the order of the tree. Reads only. NULL prints `null`. Doubles
 * get the shortest text that reads back as the same number, 1.0 prints as 1.
 */
void prb_json_print(const struct json_object *tree, struct prb_str *out);

/* The same as a heap string, members sorted by key when `sorted` (canonical form). */
char *prb_json_text(const struct json_object *tree, bool sorted);

/*
 * Print one JSON string literal with quotes and escapes. Invalid UTF-8 becomes U+FFFD; of control
 * characters DEL and U+0080 to U+009F are escaped too, so that no text can steer a terminal.
 */
void prb_json_print_string(const char *text, size_t len, struct prb_str *out);

/* A private deep copy, which the caller may change; tables are sized to their content. */
struct json_object *prb_json_copy(const struct json_object *tree);

/* The same of the members that the filter names, which has no `drop`; NULL: of all. No larger than
 * the tree. */
struct json_object *prb_json_copy_part(
        const struct json_object *tree, const struct prb_json_filter *filter);

/* Deep equality: member order does not matter, array order does; 1 equals 1.0. */
bool prb_json_equal(const struct json_object *a, const struct json_object *b);

/*
 * Getters. All accept NULL and trees of any type, return borrowed data, and say "absent" (NULL or
 * false) for a value of another type.
 */
struct json_object *prb_json_find(const struct json_object *obj, const char *key);
const char *prb_json_str(const struct json_object *obj, const char *key);
bool prb_json_int(const struct json_object *obj, const char *key, int64_t *ret);
bool prb_json_bool(const struct json_object *obj, const char *key, bool *ret);
struct json_object *prb_json_obj(const struct json_object *obj, const char *key);
struct json_object *prb_json_arr(const struct json_object *obj, const char *key);

/* Is the member there at all (also as null)? */
bool prb_json_has(const struct json_object *obj, const char *key);

/* Walk down members:  prb_json_at(root, "metadata", "labels")  (at most 8). */
#define prb_json_at(tree, ...) prb_json_at_((tree), (const char *[]){ __VA_ARGS__, NULL })
struct json_object *prb_json_at_(const struct json_object *tree, const char *const *keys);

/*
 * The string value of a node, NULL for any other type. A string with U+0000 in it is no C string:
 * NULL here and in prb_json_str, so that nobody mistakes its beginning for the whole.
 */
const char *prb_json_string(const struct json_object *node);

size_t prb_json_len(const struct json_object *array);                             /* 0: no array */
struct json_object *prb_json_elem(const struct json_object *array, size_t index); /* or NULL */

/* Building: `tree` must be private to the caller. */
void prb_json_set(struct json_object *obj, const char *key, struct json_object *value_taken);
void prb_json_set_str(struct json_object *obj, const char *key, const char *value); /* NULL: skip */
void prb_json_set_int(struct json_object *obj, const char *key, int64_t value);
void prb_json_set_bool(struct json_object *obj, const char *key, bool value);
void prb_json_push(struct json_object *array, struct json_object *value_taken);
void prb_json_del(struct json_object *obj, const char *key);

/* Member that is an object, made when absent or of another type. */
struct json_object *prb_json_ensure_obj(struct json_object *obj, const char *key);

/* Iterate members:  json_object_object_foreach works on a non-const tree; this one on any. */
bool prb_json_next(const struct json_object *obj, struct json_object_iterator *at, bool *started,
        const char **ret_key, struct json_object **ret_value);

/* RFC 6901. The node at `pointer`: false when there is none (*ret may be NULL for a null). */
bool prb_json_pointer_get(
        const struct json_object *tree, const char *pointer, struct json_object **ret);

/* Append "/<key>" with ~0 ~1 escapes. */
void prb_json_pointer_add(struct prb_str *pointer, const char *key);

#endif
