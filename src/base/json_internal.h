#ifndef PROBATE_BASE_JSON_INTERNAL_H
#define PROBATE_BASE_JSON_INTERNAL_H

/* What the files of the JSON reader and printer share among themselves. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/json.h"

/* --- json_build.c: containers sized to their content ------------------------------------------ */

/*
 * The node that json-c just made. Without memory it makes NULL, which would read as a JSON null: a
 * deletionTimestamp could vanish from an object. The process ends instead.
 */
struct json_object *prb_json_must(struct json_object *made);

/* An empty object with room for exactly `count` members. */
struct json_object *prb_json_new_object(size_t count);

/* Shrink (or grow) the table of an object to what it holds. */
void prb_json_fit(struct json_object *obj);

/* An empty array with room for exactly `count` elements. */
struct json_object *prb_json_new_array(size_t count);

/*
 * Add a member under a key that is not there yet, hashing it once. False, and nothing taken, when
 * the key is there. `key` is copied unless it is one of the common ones.
 */
bool prb_json_add_new(
        struct json_object *obj, const char *key, size_t len, struct json_object *value_taken);

/* json_keys.c: the static copy of a member name that most objects have; NULL for any other. */
const char *prb_json_common_key(const char *key, size_t len);

/* --- others ----------------------------------------------------------------------------------- */

/* json-c's getters want a tree they might change; those we call do not. */
struct json_object *prb_json_unconst(const struct json_object *tree);

/* Sign and size of an integer node; json-c clamps when read as the other type. */
void prb_json_integer(const struct json_object *node, bool *ret_negative, uint64_t *ret_magnitude);

/* json_print.c: the shortest text that reads back as the same number. */
void prb_json_print_double(double value, struct prb_str *out);

#endif
