/* What do users of claims see with Probate? */

#include "probate/base/mem.h"

#include "rows.h"

int make_seen(struct family *family, const char *policy, size_t leaves, unsigned flags)
{
    DO(family_make(family, policy, leaves, flags));
    DO(family_await_blocking(family));
    if (flags & STANDALONE)
        return 0;
    return family_await_finalizer(family, family->claim, "", PRB_CLAIM_FINALIZER);
}

static int claim_in_background(struct family *family)
{
    DO(make_seen(family, "Background", LEAVES, DEEP | HELD_LEAF));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_gone(family, CLAIM, ""));
    DO(family_await_gone(family, ROOT, ""));
    DO(family_await_deleting(family, LEAF, "-0"));
    DO(family_let_go(family, LEAF, "-0"));
    return family_await_end(family);
}

static int claim_in_foreground(struct family *family)
{
    DO(make_seen(family, "Foreground", LEAVES, DEEP | HELD_LEAF));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_gone(family, LEAF, "-9"));
    DO(family_await_finalizer(family, ROOT, "", "foregroundDeletion"));
    DO(family_await_finalizer(family, CLAIM, "", PRB_CLAIM_FINALIZER));
    DO(family_let_go(family, LEAF, "-0"));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

/* The oldest question of users: what does it wait for? */
static int the_blocker_is_named(struct family *family)
{
    prb_autofree char *text = NULL;

    DO(make_seen(family, "Foreground", 3, DEEP | HELD_LEAF));
    DO(family_delete(family, CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    text = prb_asprintf(
            "2 composed resources are left: Bucket %s-0 (depth 2, being deleted since 2",
            family->id);
    DO(family_await_said(family, "Deleting", text));
    DO(family_await_said(family, "Deleting", "Z, finalizer " LEAF_FINALIZER "), XSubnet "));
    DO(family_await_event(family, "DeletingComposite"));
    DO(family_let_go(family, LEAF, "-0"));
    DO(family_await_end(family));
    DO(family_await_event(family, "ClaimReleased"));
    return family_expect_bottom_up(family);
}

static int composite_in_background(struct family *family)
{
    DO(make_seen(family, NULL, 2, STANDALONE | HELD_LEAF));
    DO(family_delete(family, ROOT, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_gone(family, ROOT, ""));
    DO(family_await_deleting(family, LEAF, "-0"));
    DO(family_let_go(family, LEAF, "-0"));
    return family_await_end(family);
}

/* With the real kubectl, where there is one. */
static int delete_by_hand(struct family *family)
{
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };

    if (!family->stage->kubectl)
        return family_delete(family, ROOT, "", PRB_PROPAGATE_FOREGROUND);
    kubectl_run(family->stage->kubectl, family->id,
            "delete xnetworks." GROUP " @ --cascade=foreground --wait=false", NULL, &answer);
    return answer.exit == 0 ? 0 : family_fail(family, "kubectl: %s", answer.text);
}

static int composite_in_foreground(struct family *family)
{
    DO(make_seen(family, NULL, LEAVES, STANDALONE | DEEP | HELD_LEAF));
    DO(delete_by_hand(family));
    DO(family_await_gone(family, LEAF, "-9"));
    DO(family_await_finalizer(family, ROOT, "", "foregroundDeletion"));
    DO(family_let_go(family, LEAF, "-0"));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

static int the_definition_says_foreground(struct family *family)
{
    family->claim = SITE;
    family->root = SITE_ROOT;
    DO(make_seen(family, NULL, 2, HELD_LEAF));
    DO(family_delete(family, SITE, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_said(family, "Deleting", "1 composed resource is left"));
    DO(family_let_go(family, LEAF, "-0"));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

static int only_a_flag_names_it(struct family *family)
{
    family->claim = POOL;
    family->root = POOL_ROOT;
    DO(make_seen(family, "Foreground", 2, HELD_LEAF));
    DO(family_delete(family, POOL, "", PRB_PROPAGATE_BACKGROUND));
    DO(family_await_said(family, "Deleting", "1 composed resource is left"));
    DO(family_let_go(family, LEAF, "-0"));
    DO(family_await_end(family));
    return family_expect_bottom_up(family);
}

static const struct row list[] = {
    { "a claim in the background goes at once, and its composite", claim_in_background },
    { "a claim in the foreground goes last, from the leaves up", claim_in_foreground },
    { "a claim that waits says for whom, how deep, held by what and since when",
            the_blocker_is_named },
    { "a composite without a claim goes in the background as it always did",
            composite_in_background },
    { "a composite without a claim goes last with --cascade=foreground", composite_in_foreground },
    { "what a definition says holds for claims that say nothing", the_definition_says_foreground },
    { "a claim that only a flag names goes like others", only_a_flag_names_it },
};

ROW_LIST(rows_after);
