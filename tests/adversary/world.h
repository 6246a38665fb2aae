#ifndef TESTS_ADVERSARY_WORLD_H
#define TESTS_ADVERSARY_WORLD_H

/*
 * What one sequence is played with, under names of its own: a namespace with the provider, another
 * with all else, a kind of custom resources, a CriticalService, a work and a policy; the chance
 * that a seed repeats; the steps that were taken; and the first law that was broken.
 */

#include <stddef.h>

#include "probate/base/json.h"
#include "probate/base/str.h"

#include "support/dice.h"
#include "target.h"

#define WORLD_WHY_SIZE 1024
#define WORLD_ID_SIZE 32

/* Instances of the kind, and ConfigMaps beside the work and the policy. */
#define WORLD_CRS 3
#define WORLD_MAPS 4

/* What a sequence is mostly about. */
enum theme { ABOUT_ALL, ABOUT_PROVIDER, ABOUT_DATA, THEMES };

struct idle;
struct keepsakes;

struct world {
    struct target *target; /* borrowed */
    uint64_t seed, dice;
    enum theme theme;
    char id[WORLD_ID_SIZE];
    char group[TARGET_GROUP_SIZE];
    char finalizer[TARGET_GROUP_SIZE + 16];
    struct prb_gvr kind; /* coolresources of that group */
    struct prb_ref home; /* the namespace of the provider */
    struct prb_ref data; /* the namespace of all else */
    struct prb_ref provider, account, definition, service, owner, marker;
    struct prb_ref work, policy;

    struct prb_str steps; /* numbered lines */
    unsigned step;
    char why[WORLD_WHY_SIZE]; /* "": no law was broken */

    /* The ledger of what is true, beside what the server says. */
    bool held;                 /* the label has been on the Namespace, and nothing has ended that */
    char held_home[64];        /* uid of that Namespace */
    int64_t stored;            /* instances with the finalizer, when they could last be listed */
    struct json_object *spec;  /* owned: of the CriticalService, when it could last be read */
    bool is_definition_broken; /* the CRD of CriticalServices is not served */

    /* What the move did, for the laws. */
    bool accepted_delete; /* a DELETE of the provider or its Namespace was answered with yes */
    bool accepted_loosening;
    bool accepted_release; /* a DELETE of the CriticalService */
    bool accepted_home;    /* a write to the provider's Namespace */

    bool is_restart_due; /* it is the next move */

    struct idle *idle;           /* owned: connections that say nothing */
    struct keepsakes *keepsakes; /* owned: what became of the ConfigMaps */
};

/* `slot` and `number` make the names. */
void world_init(
        struct world *world, struct target *target, unsigned slot, unsigned number, uint64_t seed);
void world_done(struct world *world);

/* A number below `limit`. */
unsigned world_roll(struct world *world, unsigned limit);

/* Begin a step; what follows is written behind it. */
void world_step(struct world *world, const char *name);
__attribute__((format(printf, 2, 3))) void world_say(struct world *world, const char *fmt, ...);

/* A law is broken. Only the first counts. -1. */
__attribute__((format(printf, 2, 3))) int world_fail(struct world *world, const char *fmt, ...);

struct prb_ref world_ref(const struct prb_gvr *gvr, const char *namespace, const char *name);
struct prb_ref world_cr(const struct world *world, unsigned index);
struct prb_ref world_map(const struct world *world, unsigned index);

/* --- calls of the player: 0, or the error; written to the steps --- */
int world_create(struct world *world, const struct prb_ref *ref, struct json_object *taken);
int world_update(struct world *world, const struct prb_ref *ref, struct json_object *taken);
int world_patch(struct world *world, const struct prb_ref *ref, struct json_object *taken);
int world_patch_sub(struct world *world, const struct prb_ref *ref, const char *subresource,
        struct json_object *taken);
int world_delete(struct world *world, const struct prb_ref *ref, enum prb_propagation propagation,
        bool dry_run);

/* --- the eye of the test --- */

/* NULL: not there. `ret_known` (may be NULL) is false when that could not be found out. */
struct prb_object *world_get(struct world *world, const struct prb_ref *ref, bool *ret_known);

extern const struct prb_gvr world_definitions; /* of CustomResourceDefinitions */
extern const struct prb_gvr world_maps;        /* of ConfigMaps */
extern const struct prb_gvr world_works;
extern const struct prb_gvr world_policies;
extern const struct prb_gvr world_accounts;

#endif
