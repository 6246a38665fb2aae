#ifndef SRC_RECONCILERS_CLAIM_INTERNAL_H
#define SRC_RECONCILERS_CLAIM_INTERNAL_H

/* The parts of the reconciler `claims`, as the claim_*.c files share them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/map.h"
#include "probate/core/reconciler.h"
#include "probate/model/outcome.h"
#include "probate/reconcilers/claims.h"

/* The collections of its table. */
extern const struct prb_gvr prb_claim_definitions;
extern const struct prb_gvr prb_claim_webhooks;
extern const struct prb_gvr prb_claim_crds;

/* What a pass says of a claim, at most: five resources with their finalizers, and why. */
#define PRB_CLAIM_TEXT_MAX 1800

/* "XNetwork net-1" */
#define PRB_KIND_AND_NAME_MAX (PRB_RESOURCE_SIZE + PRB_NAME_SIZE)

/* --- claim_names.c: what do claims and composites say of each other, and of what they compose? -
 */

/* One object by what a reference says of it; texts are borrowed, and never NULL. */
struct prb_claim_name {
    char group[PRB_GROUP_SIZE];
    const char *kind;
    const char *namespace;
    const char *name;
};

/* The composite that a claim names; false: none. */
bool prb_claim_composite_name(const struct prb_object *claim, struct prb_claim_name *ret);

/* The claim that a composite says it is bound to; false: none. */
bool prb_claim_of_composite(const struct prb_object *composite, struct prb_claim_name *ret);

/* Does it say so in a way that cannot be read, or of a claim that is none? That is bound, too. */
bool prb_claim_is_unbound(const struct prb_object *composite);

/* Does the composite say that it is bound to this claim? */
bool prb_claim_is_bound_to(const struct prb_object *composite, const struct prb_object *claim,
        const struct prb_ref *claim_ref);

/* What a composite lists: how many, and each; false: there is no such, or it cannot be read. */
size_t prb_claim_composed_count(const struct prb_object *composite);
bool prb_claim_composed_at(
        const struct prb_object *composite, size_t index, struct prb_claim_name *ret);

bool prb_claim_is_paused(const struct prb_object *claim);

/* --- claim_kinds.c: which kinds are claims, and which composites? ----------------------------- */

/* Were the definitions read, or are there positively none? Otherwise what they do not say is
 * unknown. */
bool prb_claim_knows_definitions(const struct prb_view *view);

/* Call `each` for every definition that is known; it returns false to stop. */
void prb_claim_each_definition(const struct prb_view *view, prb_view_each_fn each, void *ctx);

/* Where they are read from; borrowed from the view, NULL: nowhere. */
const struct prb_gvr *prb_claim_definitions_read(const struct prb_view *view);

/* The definition by which this is a kind of claims; borrowed, NULL: none that is known. */
const struct prb_object *prb_claim_definition(
        const struct prb_view *view, const struct prb_gvr *gvr);

/* Is it a kind of claims, by a definition, be it a former one, or by a flag? */
bool prb_claim_is_kind(const struct prb_claim_settings *settings, const struct prb_view *view,
        const struct prb_gvr *gvr);

/* May this be a composite of claims that this definition offers? */
bool prb_claim_defines(const struct prb_object *definition, const struct prb_claim_name *composite);

/* The collection of a kind, if it was found and read; NULL: not. */
const struct prb_known_resource *prb_claim_find_kind(
        const struct prb_view *view, const char *group, const char *kind);

/* `wants_whole` and `wants`. */
void prb_claims_want_whole(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx);
void prb_claims_want(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx);

const struct prb_claim_settings *prb_claim_settings_of(const struct prb_reconciler *self);

/* --- claim_former.c: which kinds are claims still, though their definition is gone? ------------
 */

bool prb_claim_is_former(const struct prb_view *view, const struct prb_gvr *gvr);

/* Call `each` for every such kind. */
typedef void prb_claim_kind_fn(void *ctx, const char *group, const char *plural);
void prb_claim_each_former(const struct prb_view *view, prb_claim_kind_fn *each, void *ctx);

/* --- claim_map.c: what has to be looked at when something has changed? ------------------------ */

void prb_claim_map_definition(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx);
void prb_claim_map_webhook(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx);
void prb_claim_map_crd(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx);
void prb_claim_map_wanted(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx);

/* --- claim_tree.c: what is left below a composite? -------------------------------------------- */

/* One object that a composite controls. */
struct prb_claim_node {
    const struct prb_object *object;        /* borrowed from the view */
    const struct prb_known_resource *known; /* likewise: what it is */
    const struct prb_object *owner;         /* the composite that controls it */
    unsigned depth;                         /* 1: of the composite itself */
    bool blocks;                            /* its owner waits for it in the foreground */
};

struct prb_claim_tree {
    const struct prb_object *root; /* borrowed: the composite */
    struct prb_claim_node *nodes;  /* owned */
    size_t count;
    size_t cap;
    struct prb_map *composites; /* owned, of nothing: those that were met, by uid */
    size_t total;               /* of all that were met, be they among the nodes or not */
    size_t blocking;            /* of these */
    bool more;                  /* below some, or of some whether they block, nobody has looked */
    int64_t last_ms;            /* wall: the youngest deletion; 0: none */
    size_t unread;              /* kinds that are listed and cannot be seen */
    size_t pending;             /* of these, those that will be in a moment, for all we know */
    char unread_what[512];      /* the first of them, and why */
};

void prb_claim_tree_done(struct prb_claim_tree *tree);
static inline void prb_claim_tree_donep(struct prb_claim_tree *tree)
{
    prb_claim_tree_done(tree);
}

/* Fill an empty tree, deepest first, with what `composite` controls, and what is below that. */
void prb_claim_tree_fill(struct prb_claim_tree *tree, const struct prb_view *view,
        const struct prb_object *composite, bool below);

/* "3 composed resources are left: Bucket a (depth 2, being deleted since 2026-01-02T03:04:05Z,
 * finalizer x), ... and 2 more"; nothing when there is nothing to say. */
void prb_claim_tree_text(const struct prb_claim_tree *tree, struct prb_str *out);

/* --- claim_owner.c: who controls an object? --------------------------------------------------- */

/* Its controller, if that is something we read, as proven by uid; borrowed, NULL: none. Whether
 * the reference blocks. */
const struct prb_object *prb_claim_find_controller(const struct prb_view *view,
        const struct prb_object *object, struct prb_ref *ret_ref, bool *ret_blocks);

/* From one controller to the next, up to the top; in a circle that has an end, too. */
struct prb_claim_ascent {
    const struct prb_object *at; /* borrowed: where it begins */
    const struct prb_object *mark;
    size_t steps, pause;
    struct prb_ref ref; /* of `at` */
    bool blocks;        /* does the reference to it? */
};

/* The next one; NULL: none. */
const struct prb_object *prb_claim_ascend(
        struct prb_claim_ascent *ascent, const struct prb_view *view);

/*
 * Is it controlled by what it controls itself? The garbage collector ends such a circle by letting
 * one of them no longer block; who let that block again would keep all of them for ever.
 */
bool prb_claim_is_circular(const struct prb_view *view, const struct prb_object *composite);

/* --- claim_block.c: does the garbage collector wait for what is composed? --------------------- */

/*
 * Let it: changes for each node that its owner does not wait for, each in the slot of its uid; how
 * many. One that was tried a short while ago is left for later, and it is looked at again then:
 * others who take the flag off must not keep us busy. `ret_undone` is the first that somebody has
 * taken it off from, NULL: none.
 */
size_t prb_claim_block(const struct prb_claim_tree *tree, const struct prb_view *view,
        const struct prb_claim_node **ret_undone, struct prb_changes *out);

/* Remember what was tried; for the last round. */
void prb_claim_block_remember(
        const struct prb_claim_tree *tree, const struct prb_view *view, struct prb_changes *out);

/* What became of those changes, when they were tried in this pass. */
struct prb_claim_block_result {
    size_t tried;
    size_t lost;                   /* somebody else was faster */
    const struct prb_error *error; /* borrowed: the first that trying again will not mend */
};
struct prb_claim_block_result prb_claim_block_look(
        const struct prb_claim_tree *tree, const struct prb_view *view);

/* --- claim_report.c: how is a person told? ---------------------------------------------------- */

/* A claim that is being deleted. */
struct prb_claim_case {
    const struct prb_claim_settings *settings;
    const struct prb_view *view;
    struct prb_ref ref;
    const struct prb_object *claim; /* borrowed: as the view has it, or as it was read */
    const char *composite;          /* borrowed: "XNetwork net-1"; NULL: not known yet */
};

struct prb_claim_news {
    const char *reason; /* of the condition Ready, which is False */
    const char *event;  /* where that was not said before; NULL: no Event */
    bool warning;
};

/* Say it in the condition and as what the claim waits for; last of a list. */
void prb_claim_say(const struct prb_claim_case *a_case, const struct prb_claim_news *news,
        const char *text, struct prb_changes *out);

/* In what is remembered: the uid of the composite that was deleted, or whose deletion was made one
 * in the foreground, and when we did that last; and when that was told of last, all in ms. */
#define PRB_CLAIM_UPGRADED "upgraded"
#define PRB_CLAIM_UPGRADED_AT "upgradedAt"
#define PRB_CLAIM_TOLD "told"

/* And since when kinds are awaited that were not read yet. */
#define PRB_CLAIM_PENDING "pending"

/* And by uid when each was let block, in ms; when that was refused, with a minus. */
#define PRB_CLAIM_BLOCKED "blocked"

/* It waits for its composite, with this below it. */
void prb_claim_hold(const struct prb_claim_case *a_case, const struct prb_object *composite,
        const struct prb_claim_tree *tree, struct prb_changes *out);

/* A call failed. */
void prb_claim_fail(const struct prb_claim_case *a_case, const char *what,
        const struct prb_error *err, struct prb_changes *out);

/* Something is wrong with what the claim says; nothing is touched. */
void prb_claim_refuse(const struct prb_claim_case *a_case, const char *reason, const char *text,
        struct prb_changes *out);

/* After a failure: a person mends it, or it mends itself. */
#define PRB_CLAIM_RETRY_MIN_MS 1000
#define PRB_CLAIM_RETRY_MAX_MS 30000

/* --- claim_policy.c: how is the composite of a claim to be deleted? --------------------------- */

enum prb_claim_policy {
    PRB_CLAIM_BACKGROUND,
    PRB_CLAIM_FOREGROUND,
    PRB_CLAIM_UNKNOWN, /* the definition says it, and was not read */
    PRB_CLAIM_INVALID,
};

enum prb_claim_policy prb_claim_policy_of(const struct prb_claim_case *a_case);

/* --- claim_delete.c: how does a composite go? ------------------------------------------------- */

/* What came of the DELETE. */
#define PRB_CLAIM_SLOT_DELETE "delete"

/* On what is deleted in the foreground, by the API server. */
#define PRB_CLAIM_IN_FOREGROUND "foregroundDeletion"

/* The composite of a claim, as it was read. */
struct prb_claim_bond {
    const struct prb_claim_case *a_case;
    struct prb_ref ref;
    const struct prb_object *composite;
};

/* It is there, and the claim's to delete. */
void prb_claim_delete(const struct prb_claim_bond *bond, bool foreground, struct prb_changes *out);

/* --- claim_end.c: how does a claim go? -------------------------------------------------------- */

void prb_claim_end(const struct prb_claim_case *a_case, struct prb_changes *out);

/* Take our finalizer off. */
void prb_claim_let_go(
        const struct prb_claim_case *a_case, const char *why, struct prb_changes *out);

/* --- claim_cover.c: is anybody asked about claims of this kind? ------------------------------- */

void prb_claim_cover(const struct prb_view *view, const struct prb_ref *key,
        const struct prb_object *definition, struct prb_changes *out);

#endif
