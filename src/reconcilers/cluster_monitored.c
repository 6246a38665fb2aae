/*
 * Step 1: is any instance of a monitored resource left?
 *
 * Nothing is deleted before their own controllers have done with them. What could not be asked
 * counts as left; what the server positively does not serve counts as none.
 */

#include "probate/base/str.h"

#include "cluster_left.h"

/* "clusterdeployments.hive.openshift.io", core group: "pods" */
#define NAME_SIZE PRB_GVR_TEXT_SIZE

static void name_of(const struct prb_gvr *gvr, char text[NAME_SIZE])
{
    struct prb_str name;

    prb_str_init(&name, NAME_SIZE - 1);
    prb_str_addf(&name, "%s%s%s", gvr->resource, gvr->group[0] ? "." : "", gvr->group);
    (void)prb_copy(text, NAME_SIZE, prb_str_get(&name));
    prb_str_done(&name);
}

static const struct prb_known_resource *known_of(
        const struct prb_departure *departure, const struct prb_gvr *monitored)
{
    return prb_view_resource(departure->view, monitored->group, monitored->resource);
}

/* None can be in a namespace: not served at all, or only outside of namespaces. */
static bool cannot_be_left(const struct prb_known_resource *known)
{
    return known && (known->state == PRB_RESOURCE_ABSENT ||
                            (known->state == PRB_RESOURCE_PRESENT && !known->namespaced));
}

static void say_unknown(
        const char *name, const struct prb_known_resource *known, struct prb_step_state *state)
{
    bool has_why = known && known->trouble[0];

    if (!has_why)
        state->pending = true;
    prb_step_separate(state);
    prb_str_addf(&state->text, "whether any %s is left is not known yet%s%s%s", name,
            has_why ? " (" : "", has_why ? known->trouble : "", has_why ? ")" : "");
}

static void look_at(const struct prb_departure *departure, const struct prb_gvr *monitored,
        struct prb_step_state *state)
{
    const struct prb_known_resource *known = known_of(departure, monitored);
    prb_auto(prb_left_done) struct prb_left left = { .count = 0 };
    char name[NAME_SIZE];

    if (cannot_be_left(known))
        return;
    name_of(monitored, name);
    if (!known || known->state != PRB_RESOURCE_PRESENT || known->trouble[0] ||
            !prb_view_knows(departure->view, &known->gvr)) {
        say_unknown(name, known, state);
        return;
    }
    prb_left_find(departure, &known->gvr, &left);
    if (left.count == 0)
        return;
    prb_step_separate(state);
    prb_str_addf(
            &state->text, "%zu %s left in namespace %s: ", left.count, name, departure->ref.name);
    prb_left_text(&left, state);
}

static void look(const struct prb_departure *departure, struct prb_step_state *state)
{
    for (size_t i = 0; i < departure->settings->monitored_count; i++)
        look_at(departure, &departure->settings->monitored[i], state);
    if (state->text.len > 0)
        prb_str_add(&state->text,
                ". Probate deletes nothing before they are gone, and does not delete them: "
                "their own controllers or owners have to");
}

void prb_monitored_expect_none(const struct prb_departure *departure, struct prb_changes *out)
{
    for (size_t i = 0; i < departure->settings->monitored_count; i++) {
        const struct prb_known_resource *known =
                known_of(departure, &departure->settings->monitored[i]);

        if (known && known->state == PRB_RESOURCE_PRESENT && known->namespaced)
            prb_changes_expect_none(
                    out, &known->gvr, departure->ref.name, "monitored resources go first");
    }
}

void prb_monitored_warn(const struct prb_departure *departure, struct prb_changes *out)
{
    for (size_t i = 0; i < departure->settings->monitored_count; i++) {
        const struct prb_gvr *monitored = &departure->settings->monitored[i];
        const struct prb_known_resource *known = known_of(departure, monitored);
        char name[NAME_SIZE];

        if (!cannot_be_left(known))
            continue;
        name_of(monitored, name);
        prb_changes_event(out, &departure->ref, departure->cluster, true,
                "MonitoredResourceNotServed",
                "%s is to be monitored for deletion, but %s: it counts as none left", name,
                known->state == PRB_RESOURCE_ABSENT ? "the server does not serve it"
                                                    : "it is not in namespaces");
    }
}

const struct prb_step prb_step_monitored = {
    .reason = "MonitoredResourcesRemaining",
    .event = "WaitingForMonitoredResources",
    .look = look,
};
