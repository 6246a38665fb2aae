#ifndef PROBATE_BASE_YAML_INTERNAL_H
#define PROBATE_BASE_YAML_INTERNAL_H

/* What the files of the YAML reader and printer share among themselves. */

#include <stddef.h>
#include <yaml.h>

#include "probate/base/json.h"
#include "probate/base/map.h"

/* --- yaml_scalar.c ---------------------------------------------------------------------------- */

enum prb_yaml_kind {
    PRB_YAML_STR,
    PRB_YAML_NULL,
    PRB_YAML_BOOL,
    PRB_YAML_INT,
    PRB_YAML_FLOAT,
    PRB_YAML_NO_JSON, /* an infinity or no number at all: JSON has no word for it */
};

/* The kind of a plain scalar; *ret becomes its value unless it is a string or no JSON. */
enum prb_yaml_kind prb_yaml_resolve(const char *text, struct json_object **ret);

/* --- yaml_read.c ------------------------------------------------------------------------------ */

struct prb_yaml_reader {
    yaml_parser_t parser;
    struct prb_map *anchors; /* owned; what this document named so far */
    size_t nodes;            /* of this document, aliases expanded */
    unsigned depth;          /* collections that are open */
    struct prb_error *err;
};

/* Fail with "line L, column C: ...", counted from 1. */
__attribute__((format(printf, 3, 4))) int prb_yaml_fail(
        struct prb_yaml_reader *r, const yaml_mark_t *mark, const char *fmt, ...);

/* The next event of the stream. Declare it with prb_auto(prb_yaml_event_done). */
int prb_yaml_next(struct prb_yaml_reader *r, yaml_event_t *ret);

static inline void prb_yaml_event_donep(yaml_event_t *event)
{
    yaml_event_delete(event);
}

/* --- yaml_node.c ------------------------------------------------------------------------------ */

/* The tree of the node that begins with `event`. */
int prb_yaml_node(struct prb_yaml_reader *r, const yaml_event_t *event, struct json_object **ret);

/* --- yaml_anchor.c ---------------------------------------------------------------------------- */

/* A prb_map_free_fn for r->anchors. */
void prb_yaml_anchor_free(void *value);

/* Remember a finished tree under `name`; `nodes_before` is r->nodes from before it began. */
void prb_yaml_anchor_keep(
        struct prb_yaml_reader *r, const char *name, struct json_object *tree, size_t nodes_before);

/* A copy of what the alias names, if that stays within the bounds. */
int prb_yaml_alias(struct prb_yaml_reader *r, const yaml_event_t *event, struct json_object **ret);

#endif
