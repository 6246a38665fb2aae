/*
 * What did users of Crossplane see before there was foreground deletion?
 *
 * The claim's reconciler of that time is played by hand: it deletes the composite, with no policy,
 * and takes its finalizer off the claim at once.
 */

#include "rows.h"

#define HELD_CLAIM "{'metadata':{'finalizers':['" PRB_CLAIM_FINALIZER "']}}"
#define RELEASED_CLAIM "{'metadata':{'finalizers':null}}"

static int delete_as_it_was(struct family *family, enum prb_propagation how)
{
    DO(family_make(family, NULL, 2, HELD_LEAF));
    DO(family_patch(family, CLAIM, "", HELD_CLAIM));
    DO(family_delete(family, CLAIM, "", how));
    DO(family_await_deleting(family, CLAIM, ""));
    DO(family_delete(family, ROOT, "", PRB_PROPAGATE_DEFAULT));
    return family_patch(family, CLAIM, "", RELEASED_CLAIM);
}

/* All above is gone, and nobody tells that a leaf hangs. */
static int end_with_a_leaf(struct family *family)
{
    DO(family_await_gone(family, ROOT, ""));
    DO(family_await_deleting(family, LEAF, "-0"));
    DO(family_let_go(family, LEAF, "-0"));
    return family_await_end(family);
}

static int claim_in_background(struct family *family)
{
    DO(delete_as_it_was(family, PRB_PROPAGATE_BACKGROUND));
    DO(family_await_gone(family, CLAIM, ""));
    return end_with_a_leaf(family);
}

static int claim_in_foreground(struct family *family)
{
    DO(delete_as_it_was(family, PRB_PROPAGATE_FOREGROUND));
    DO(family_await_gone(family, CLAIM, ""));
    return end_with_a_leaf(family);
}

static int composite_in_background(struct family *family)
{
    DO(family_make(family, NULL, 2, STANDALONE | HELD_LEAF));
    DO(family_delete(family, ROOT, "", PRB_PROPAGATE_BACKGROUND));
    return end_with_a_leaf(family);
}

static int composite_in_foreground(struct family *family)
{
    DO(family_make(family, NULL, 2, STANDALONE | HELD_LEAF));
    DO(family_delete(family, ROOT, "", PRB_PROPAGATE_FOREGROUND));
    return end_with_a_leaf(family);
}

static const struct row list[] = {
    { "before: a claim deleted in the background is gone while a leaf hangs", claim_in_background },
    { "before: a claim deleted with --cascade=foreground is, too", claim_in_foreground },
    { "before: a composite deleted in the background is gone while a leaf hangs",
            composite_in_background },
    { "before: a composite deleted with --cascade=foreground is, too", composite_in_foreground },
};

ROW_LIST(rows_before);
