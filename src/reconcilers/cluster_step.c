/* How far is a step, as all steps tell it? */

#include "cluster_departure.h"

/* A collection that could not be read in time, or a kind that is not installed, tells nobody when
 * that changes. */
#define UNREAD_AGAIN_MS 5000

void prb_step_state_init(struct prb_step_state *state)
{
    *state = (struct prb_step_state){ .last_ms = 0 };
    prb_str_init(&state->text, PRB_STEP_TEXT_MAX);
    prb_changes_init(&state->acts);
}

void prb_step_state_done(struct prb_step_state *state)
{
    prb_str_done(&state->text);
    prb_changes_done(&state->acts);
}

void prb_step_separate(struct prb_step_state *state)
{
    if (state->text.len > 0)
        prb_str_add(&state->text, "; ");
}

bool prb_step_knows(const struct prb_departure *departure, const struct prb_gvr *gvr,
        struct prb_step_state *state)
{
    if (prb_view_knows(departure->view, gvr))
        return true;
    prb_step_separate(state);
    prb_str_addf(&state->text,
            "%s.%s cannot be read yet, or are not installed: whether any is left is not known",
            gvr->resource, gvr->group);
    prb_changes_again(&state->acts, UNREAD_AGAIN_MS);
    return false;
}

bool prb_step_knows_in_namespace(const struct prb_departure *departure, const struct prb_gvr *gvr,
        struct prb_step_state *state)
{
    const char *why = prb_view_unread(departure->view, gvr);

    if (prb_view_knows_in(departure->view, gvr, departure->ref.name))
        return true;
    if (!why)
        state->pending = true;
    prb_step_separate(state);
    prb_str_addf(&state->text, "whether any %s.%s is left in namespace %s is not known yet%s%s%s",
            gvr->resource, gvr->group, departure->ref.name, why ? " (" : "", why ? why : "",
            why ? ")" : "");
    prb_changes_again(&state->acts, UNREAD_AGAIN_MS);
    return false;
}

void prb_step_expect_earlier(
        const struct prb_departure *departure, const struct prb_step *step, struct prb_changes *out)
{
    const char *namespace = departure->ref.name;

    /* Nothing is in a namespace that is gone; but the cache may just not have seen it. */
    if (!departure->namespace) {
        prb_changes_expect_absent(
                out, &departure->namespace_ref, "what is in a namespace goes before the rest");
        return;
    }
    prb_monitored_expect_none(departure, out);
    if (step == &prb_step_addons)
        return;
    prb_changes_expect_none(out, &prb_cluster_addons, namespace, "addons go before the rest");
    if (step == &prb_step_works)
        return;
    prb_changes_expect_none(out, &prb_cluster_works, namespace, "works go before all rights");
}
