/* What if somebody is slow, early, or changes his mind? */

#include "probate/base/mem.h"

#include "rows.h"

/* The composite was deleted first, in the background; Crossplane is slow. */
static int the_composite_was_deleted_first(struct family *family)
{
    DO(make_seen(family, "Foreground", 3, DEEP | HELD_ROOT | HELD_LEAF));
    DO(family_delete(family, ROOT, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_finalizer(family, ROOT, "", "foregroundDeletion"));
    DO(family_let_go(family, ROOT, ""));
    DO(family_await_deleting(family, LEAF, "-0"));
    DO(family_let_go(family, LEAF, "-0"));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

/* All below is gone: nothing is to be upgraded, and nothing goes round in circles. */
static int the_composite_is_only_slow(struct family *family)
{
    DO(make_seen(family, "Foreground", 1, HELD_ROOT));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_gone(family, LEAF, "-0"));
    DO(family_await_said(family, "Deleting", "its finalizers are " COMPOSITE_FINALIZER));
    DO(family_let_go(family, ROOT, ""));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

static int paused_and_resumed(struct family *family)
{
    DO(make_seen(family, "Foreground", 1, 0));
    DO(family_patch(family, CLAIM, "",
            "{'metadata':{'annotations':{'" PRB_ANNOTATION_PAUSED "':'true'}}}"));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_deleting(family, CLAIM, ""));
    DO(family_expect_untouched(family, ROOT, ""));
    DO(family_patch(
            family, CLAIM, "", "{'metadata':{'annotations':{'" PRB_ANNOTATION_PAUSED "':null}}}"));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

/* Foreground is what it says in the end. */
static int from_orphan_to_foreground(struct family *family)
{
    DO(make_seen(family, "Orphan", 1, HELD_LEAF));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_said(family, "InvalidDeletePolicy", "nothing is deleted until"));
    DO(family_expect_untouched(family, ROOT, ""));
    DO(family_patch(family, CLAIM, "", "{'spec':{'compositeDeletePolicy':'Foreground'}}"));
    DO(family_await_said(family, "Deleting", "1 composed resource is left"));
    DO(family_let_go(family, LEAF, "-0"));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

/* Whoever does not want to wait any longer. */
static int from_foreground_to_background(struct family *family)
{
    DO(make_seen(family, "Foreground", 1, HELD_LEAF));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_said(family, "Deleting", "1 composed resource is left"));
    DO(family_patch(family, CLAIM, "", "{'spec':{'compositeDeletePolicy':'Background'}}"));
    DO(family_await_gone(family, CLAIM, ""));
    DO(family_await_deleting(family, ROOT, ""));
    DO(family_let_go(family, LEAF, "-0"));
    return family_await_end(family);
}

/* A claim whose name is taken again by another finds nothing of the old one. */
static int the_name_is_used_again(struct family *family)
{
    DO(make_seen(family, "Background", 1, HELD_LEAF));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_gone(family, CLAIM, ""));
    DO(family_create(family, CLAIM, "", "", ""));
    DO(family_await_finalizer(family, CLAIM, "", PRB_CLAIM_FINALIZER));
    DO(family_let_go(family, LEAF, "-0"));
    DO(family_await_gone(family, LEAF, "-0"));
    DO(family_expect_untouched(family, CLAIM, ""));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    return family_await_end(family);
}

static const struct row list[] = {
    { "a composite that was deleted in the background first is waited for all the same",
            the_composite_was_deleted_first },
    { "a composite that Crossplane holds is waited for, and told of", the_composite_is_only_slow },
    { "a paused claim is left alone until it is resumed", paused_and_resumed },
    { "a policy that is none deletes nothing until it is corrected", from_orphan_to_foreground },
    { "a claim that waits goes at once when it is told not to wait",
            from_foreground_to_background },
    { "a claim that takes the name of one that went begins anew", the_name_is_used_again },
};

ROW_LIST(rows_turns);
