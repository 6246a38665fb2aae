/* What is done in a namespace whose cluster is gone? */

#include <stdio.h>

#include "cluster_left.h"

/* The finalizer was stripped. Every pass that writes asks first whether the cluster is gone. */
void prb_remains_clean_up(const struct prb_departure *departure, struct prb_changes *out)
{
    prb_auto(prb_step_state_done) struct prb_step_state state;
    const struct prb_step *step;

    prb_step_state_init(&state);
    step = prb_step_find(departure, &state);
    if (step) {
        prb_departure_hold(departure, step, &state, out);
        return;
    }
    prb_changes_expect_absent(out, &departure->ref, "only a cluster that is gone leaves remains");
    prb_mark_take_off(departure, out);
    prb_changes_event(out, &departure->namespace_ref, departure->namespace, false, "NamespaceKept",
            "what belonged to cluster %s is gone; %s", departure->ref.name,
            prb_namespace_stays(departure));
}

#define COUNT_SIZE 32

/* Works are read only in namespaces that go, or whose cluster goes. */
static const char *count_text(
        const struct prb_departure *departure, size_t count, char text[COUNT_SIZE])
{
    if (!prb_view_knows_in(departure->view, &prb_cluster_works, departure->ref.name))
        return "not counted";
    (void)snprintf(text, COUNT_SIZE, "%zu", count);
    return text;
}

/* No mark, or one that is not for this namespace: whatever this is, it is not ours to clean. */
void prb_remains_report(const struct prb_departure *departure, struct prb_changes *out)
{
    prb_auto(prb_left_done) struct prb_left addons = { .count = 0 };
    prb_auto(prb_left_done) struct prb_left works = { .count = 0 };
    const char *name = departure->ref.name;
    char count[COUNT_SIZE];

    prb_left_find(departure, &prb_cluster_addons, &addons);
    prb_left_find(departure, &prb_cluster_works, &works);
    if (prb_mark_of(departure->namespace) == PRB_MARK_STRANGE) {
        prb_changes_wait(out,
                "there is no ManagedCluster %s, and the mark on namespace %s was made for another "
                "namespace of that name: nothing in it is touched",
                name, name);
        prb_changes_event(out, &departure->namespace_ref, departure->namespace, true,
                "NamespaceNotOurs",
                "there is no ManagedCluster %s, and the mark on this namespace was made for another "
                "one of its name, as a backup brings it back: nothing in it is touched",
                name);
    } else if (addons.count + works.count > 0) {
        prb_changes_wait(out,
                "there is no ManagedCluster %s, but namespace %s has content of one (addons: %zu, "
                "works: %s); it has no mark, so nothing in it is touched",
                name, name, addons.count, count_text(departure, works.count, count));
    }
}
