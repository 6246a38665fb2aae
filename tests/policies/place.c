/* How do a hub in memory and a real API server come to look the same? */

#include "place.h"

#include "probate/model/policy.h"

#include "support/definitions.h"

const struct prb_gvr place_policies = { PRB_POLICY_GROUP, "v1", "configurationpolicies" };

/* What rows have policies make; more is watched by who makes it. */
static const struct prb_gvr recorded[] = {
    { "", "v1", "configmaps" },
    { "", "v1", "namespaces" },
    { "", "v1", "pods" },
    { "", "v1", "secrets" },
    { "", "v1", "services" },
    { "apps", "v1", "deployments" },
};

static int open_api(struct place *place, const struct prb_kube_config *upstream, const char *crds,
        struct prb_error *err)
{
    if (!upstream) {
        place->hub = prb_hub_new(NULL);
        place->api = place->direct = prb_hub_api(place->hub);
        return 0;
    }
    if (prb_test_proxied_open(&place->real, upstream, NULL, err) < 0)
        return err->code;
    place->api = place->real.api;
    place->direct = place->real.direct;
    return prb_test_define(place->direct, crds, place_policies.resource, &place_policies, err);
}

int place_open(struct place *place, const struct prb_kube_config *upstream, const char *crds,
        struct prb_error *err)
{
    *place = (struct place){ .hub = NULL };
    if (open_api(place, upstream, crds, err) < 0)
        return err->code;
    place->history = history_new(place->direct);
    for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
        if (history_watch(place->history, &recorded[i], err) < 0)
            return prb_wrap(err, "watch %s", recorded[i].resource);
    }
    return 0;
}

void place_close(struct place *place)
{
    history_free(place->history);
    if (place->hub)
        prb_hub_free(place->hub);
    else if (place->direct)
        prb_test_proxied_close(&place->real);
    *place = (struct place){ .hub = NULL };
}
