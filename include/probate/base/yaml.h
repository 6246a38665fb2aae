#ifndef PROBATE_BASE_YAML_H
#define PROBATE_BASE_YAML_H

/*
 * YAML streams into JSON trees, with the scalar rules Kubernetes users are used to (YAML 1.1 as
 * sigs.k8s.io/yaml reads it): plain yes/no/on/off/true/false, and even y and n, are booleans, ~ and
 * null are null, 1e3 is a float (and then, having no fraction, the integer 1000), 0123 octal, 0x1f
 * hex, 0o17 octal, timestamps and quoted scalars are strings, numbers and booleans as keys become
 * strings. Anchors, aliases and merge keys are expanded within a bound. A JSON document is YAML
 * too. Refused: duplicate keys, null keys, .inf and .nan, !!binary.
 */

#include <stddef.h>

#include "probate/base/json.h"

/*
 * Aliases may expand a document to this many nodes in all: "billion laughs" stops here. Documents
 * without aliases are bounded by their size alone.
 */
#define PRB_YAML_NODES_MAX 200000

/* Called for each document but empty ones, with its first line (from 1); the tree is the callee's.
 */
typedef int (*prb_yaml_fn)(
        void *ctx, struct json_object *taken, size_t line, struct prb_error *err);

/*
 * Read all documents of `text`. Stops at the first failure of the parser or of `each` and returns
 * it; parser errors name line and column ("line 3, column 5: ...").
 */
int prb_yaml_read(const char *text, size_t len, prb_yaml_fn each, void *ctx, struct prb_error *err);

/* A stream that holds exactly one document. */
int prb_yaml_parse(const char *text, size_t len, struct json_object **ret, struct prb_error *err);

/* Append the tree as one YAML document in block style, strings quoted where they need it. */
void prb_yaml_print(const struct json_object *tree, struct prb_str *out);

#endif
