/*
 * Step 2: are there addons?
 *
 * They go before the works, and those of the lowest cleanup-priority first: their hooks need works
 * of their own, and the agents that serve them.
 */

#include "cluster_left.h"

static void look(const struct prb_departure *departure, struct prb_step_state *state)
{
    prb_auto(prb_left_done) struct prb_left all = { .count = 0 };
    prb_auto(prb_left_done) struct prb_left first = { .count = 0 };
    int turn;

    if (!prb_step_knows(departure, &prb_cluster_addons, state))
        return;
    prb_left_find(departure, &prb_cluster_addons, &all);
    if (all.count == 0)
        return;

    turn = prb_left_first(departure, &all, prb_turn_by_priority, &first);
    prb_left_delete(departure, &prb_cluster_addons, &first, "its cluster is being deleted", state);
    prb_str_addf(&state->text, "%zu addon%s left in namespace %s, deleted by Probate: ", all.count,
            all.count == 1 ? "" : "s", departure->ref.name);
    prb_left_text(&first, state);
    prb_left_later_text(&all, &first, turn, &state->text);
    prb_str_add(&state->text, ". Each goes when the addon's own controller has taken its "
                              "finalizers off");
}

const struct prb_step prb_step_addons = {
    .reason = "AddOnsRemaining",
    .event = "DeletingAddOns",
    .look = look,
};
