/* Does any order in which finalizers go end in a deadlock? */

#include "rows.h"

/* On the claim: the garbage collector's own goes first, while ours waits for the leaf. */
static int collector_first(struct family *family, enum prb_propagation how)
{
    DO(make_seen(family, "Foreground", 1, HELD_LEAF));
    DO(family_delete(family, CLAIM, "", how));
    DO(family_await_deleting(family, LEAF, "-0"));
    DO(family_await_said(family, "Deleting", "1 composed resource is left"));
    DO(family_let_go(family, LEAF, "-0"));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

static int foreground_first(struct family *family)
{
    return collector_first(family, PRB_PROPAGATE_FOREGROUND);
}

static int orphan_first(struct family *family)
{
    return collector_first(family, PRB_PROPAGATE_ORPHAN);
}

/* Ours goes as soon as it can: whoever is faster. */
static int both_at_once(struct family *family, enum prb_propagation how)
{
    DO(make_seen(family, "Background", 1, 0));
    DO(family_delete(family, CLAIM, "", how));
    return family_await_end(family);
}

static int foreground_with_ours(struct family *family)
{
    return both_at_once(family, PRB_PROPAGATE_FOREGROUND);
}

static int orphan_with_ours(struct family *family)
{
    return both_at_once(family, PRB_PROPAGATE_ORPHAN);
}

/* Ours waits for somebody else's that stays: ours goes, and the other one after it. */
static int a_third_one_last(struct family *family)
{
    DO(make_seen(family, "Foreground", 1, 0));
    DO(family_patch(family, CLAIM, "",
            "{'metadata':{'finalizers':['" PRB_CLAIM_FINALIZER "','example.org/other']}}"));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_FOREGROUND));
    DO(family_await_gone(family, ROOT, ""));
    DO(family_await_event(family, "ClaimReleased"));
    DO(family_patch(family, CLAIM, "", "{'metadata':{'finalizers':null}}"));
    return family_await_end(family);
}

/* On the composite: Crossplane's goes last, after the collector's. */
static int composites_finalizer_last(struct family *family)
{
    DO(make_seen(family, "Foreground", 2, HELD_ROOT));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_gone(family, LEAF, "-0"));
    DO(family_await_gone(family, LEAF, "-1"));
    DO(family_await_said(family, "Deleting", COMPOSITE_FINALIZER));
    DO(family_let_go(family, ROOT, ""));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

static const struct row list[] = {
    { "finalizers: foregroundDeletion goes before ours", foreground_first },
    { "finalizers: orphan goes before ours", orphan_first },
    { "finalizers: foregroundDeletion and ours go at once", foreground_with_ours },
    { "finalizers: orphan and ours go at once", orphan_with_ours },
    { "finalizers: a third one goes after ours", a_third_one_last },
    { "finalizers: the composite's own goes after the collector's", composites_finalizer_last },
};

ROW_LIST(rows_orders);
