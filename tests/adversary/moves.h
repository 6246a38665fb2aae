#ifndef TESTS_ADVERSARY_MOVES_H
#define TESTS_ADVERSARY_MOVES_H

/*
 * What the player can do. Each table says how often a move comes, and where it is played: on the
 * API server in memory, on the real one, or on both.
 */

#include "world.h"

#define BOTH (EMBEDDED | REAL)

struct move {
    const char *name; /* NULL ends a table */
    unsigned weight;
    int where; /* of enum where */
    void (*play)(struct world *world);
};

extern const struct move moves_of_kind[];     /* custom resources and their definition */
extern const struct move moves_of_provider[]; /* Deployment, Namespace, ServiceAccount */
extern const struct move moves_of_service[];  /* the CriticalService */
extern const struct move moves_of_data[];     /* the work and the policy, and what they name */
extern const struct move moves_raw[];         /* by kubectl, on the real server */
extern const struct move moves_around[];      /* connections to Probate */

/* One move, drawn from all tables. */
const struct move *moves_draw(struct world *world);

/* What there is when a sequence begins, made by the player; and again what of it is missing. */
void moves_begin(struct world *world);
void moves_mend(struct world *world);

/* --- what more than one file does --- */

/* A CriticalService, and mostly a custom resource that needs its provider. */
void moves_guard(struct world *world);

/* The definition of the kind, served or not, with more versions than its first. */
struct json_object *moves_definition(const struct world *world, bool served, unsigned versions);

/* 'until=...' in half an hour, as break-glass has it; the caller frees. */
char *moves_break_glass(void);

/* "xxxx": so many bytes, of which most are six in JSON as Go prints it; the caller frees. */
char *moves_fat(size_t size);

#endif
