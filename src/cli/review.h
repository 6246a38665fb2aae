#ifndef PROBATE_SRC_CLI_REVIEW_H
#define PROBATE_SRC_CLI_REVIEW_H

/* The parts of `probate review`: documents in, a hub in memory, lines out. */

#include <stddef.h>

#include "probate/admission/engine.h"
#include "probate/admission/review.h"
#include "probate/cli/rules.h"
#include "probate/hub/hub.h"

/* --- review_input.c --------------------------------------------------------------------------- */

/* One document of a file; either its text (JSON) or its tree (YAML). All borrowed. */
struct prb_review_document {
    const char *file;
    size_t number; /* in the file, from 1 */
    size_t line;   /* where it begins, from 1 */
    const char *text;
    size_t len;
    const struct json_object *tree; /* NULL: see `text` */
};

typedef void (*prb_review_document_fn)(void *ctx, const struct prb_review_document *document);

/*
 * Call `each` for every document of the file, "-" being the standard input. A text that begins with
 * a brace is JSON, by the letter of RFC 8259, one value after the other; any other is YAML. The
 * error names file and document.
 */
int prb_review_documents(
        const char *path, prb_review_document_fn each, void *ctx, struct prb_error *err);

/* --- review_world.c --------------------------------------------------------------------------- */

/* A hub in memory with everything that a review needs around it. */
struct prb_review_world {
    struct prb_hub *hub;
    struct prb_review_reader *reader;
    struct prb_store **stores; /* the collections that rules look up, each read once */
    size_t store_count;
    struct prb_judge judge;
    struct prb_engine engine; /* borrows from this struct, which must stay where it is */
};

/* `choice` is borrowed until done. On failure too, the caller ends with done. */
int prb_review_world_open(struct prb_review_world *world, const char *dir,
        const struct prb_rule_choice *choice, struct prb_error *err);

void prb_review_world_done(struct prb_review_world *world);
static inline void prb_review_world_donep(struct prb_review_world *world)
{
    prb_review_world_done(world);
}

/* --- review_report.c -------------------------------------------------------------------------- */

/* "FILE (2): CREATE ManifestWork c1/web: denied by cluster-lifecycle (403): ..." and a line end. */
void prb_review_report(const struct prb_review_document *document,
        const struct prb_request *request, const struct prb_verdict *verdict, struct prb_str *out);

#endif
