#ifndef PROBATE_MODEL_POLICY_COMPARE_H
#define PROBATE_MODEL_POLICY_COMPARE_H

/*
 * How the objectDefinition of a policy becomes an object, and when an object is as it says. Pure;
 * trees passed in are not changed, those returned are the caller's.
 *
 * `musthave`: maps have to be a part of what is there. Lists too, in any order: an element is there
 * when one that is there has all that it says; one with the `name` of another is merged into that.
 * Numbers and words compare by how they are printed, quantities by their value ("1000m" is "1"),
 * but for metadata and data, where a text is a text. A null says nothing, and neither does an empty
 * map or list; `false` and 0 say what an absent member says, "" does not.
 */

#include <stdbool.h>

#include "probate/base/json.h"
#include "probate/model/object.h"

enum prb_match {
    PRB_MATCHES,
    PRB_DIFFERS,
    PRB_DIFFERS_IN_STATUS, /* in nothing else: that cannot be written */
};

/* What is created: all that the definition says, but for what only a server can say. `namespace`
 * "": none. */
struct json_object *prb_policy_body(const struct json_object *definition, const char *namespace);

/* Is the object as the body says? Of the metadata labels and annotations count. */
enum prb_match prb_policy_compare(const struct json_object *body, const struct json_object *live);

/* The body of a PUT over `live` that adds all of `body` to it. NULL: a list is too long to find out
 * whether it has an element already. */
struct json_object *prb_policy_merge(const struct json_object *body, const struct prb_object *live);

/* Are two texts quantities of the same value? */
bool prb_quantity_equal(const char *a, const char *b);

#endif
