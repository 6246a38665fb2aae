#ifndef PROBATE_MODEL_POINTER_INTERNAL_H
#define PROBATE_MODEL_POINTER_INTERNAL_H

/* Changes at an RFC 6901 pointer, for JSON patches. Trees must be private to the caller. */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/json.h"

/*
 * Put `value` at `pointer`: the whole tree for "", a member of an object (replaced when it is
 * there), or a new element of an array, "-" for after the last. True: the value is taken. False:
 * there is no such place and nothing changed.
 */
bool prb_pointer_insert(struct json_object **tree, const char *pointer, struct json_object *value);

/* Take the value at `pointer` out; it is the caller's. False: there is none, or it is the root. */
bool prb_pointer_detach(struct json_object *tree, const char *pointer, struct json_object **ret);

/* Is what the pointer names an element of an array, rather than a member or the root? */
bool prb_pointer_is_element(struct json_object *tree, const char *pointer);

size_t prb_pointer_depth(const char *pointer);
size_t prb_tree_depth(const struct json_object *tree); /* nested containers; 0 for a scalar */

#endif
