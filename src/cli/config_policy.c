/* May Probate carry out the policies of this cluster, or does another controller? */

#include "config_policy.h"

#include "probate/base/mem.h"
#include "probate/reconcilers/policy.h"

#include "finalizer.h"

/* By what it is known: the name of its Deployment, in whatever namespace its addon is installed. */
static const struct prb_gvr deployments = { "apps", "v1", "deployments" };
#define NAME "config-policy-controller"
#define SELECTOR "metadata.name=" NAME

/* One in each namespace where it is installed in hosted mode; the first that runs is named. */
#define DEPLOYMENTS_MAX 1000

static int refuse(const struct prb_object *found, struct prb_error *err)
{
    return prb_fail(err, PRB_E_INVALID,
            "Open Cluster Management's " NAME " runs on this cluster (Deployment %s/%s), carries "
            "out the same policies and takes off the same finalizer %s: of the two, either may let "
            "a policy go before the other is done. Remove it or scale it to 0, or leave out the "
            "controller policy here",
            prb_object_namespace(found), prb_object_name(found), PRB_POLICY_FINALIZER);
}

/* A start that goes on would find out when a policy is half deleted. */
static int not_seen(struct prb_error *err)
{
    prb_autofree char *why = prb_strdup(err->msg);

    return prb_fail(err, err->code,
            "whether Open Cluster Management's " NAME " runs on this cluster, which carries out "
            "the same policies, could not be seen: %s. Grant the right ('probate manifest' has it "
            "with --controllers=policy)",
            why);
}

/* Who is scaled to nothing is on the way out, and does nothing. */
static bool runs(const struct prb_object *deployment)
{
    int64_t replicas = 1;

    (void)prb_json_int(prb_object_spec(deployment), "replicas", &replicas);
    return replicas > 0;
}

int prb_config_policy_look(struct prb_api *api, const char *finalizer, struct prb_error *err)
{
    static const struct prb_list_options options = { .field_selector = SELECTOR };
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    (void)finalizer; /* there is only the one */
    prb_page_init(&page);
    r = prb_api_list_all(api, &deployments, &options, DEPLOYMENTS_MAX, &page, err);
    if (r == PRB_E_FORBIDDEN || r == PRB_E_UNAUTHORIZED)
        return not_seen(err);
    if (r == PRB_E_NOTFOUND) /* no such kind, and so nothing of it */
        return 0;
    for (size_t i = 0; r == 0 && i < page.count; i++) {
        if (runs(page.objects[i]))
            return refuse(page.objects[i], err);
    }
    return r;
}

int prb_config_policy_check(
        struct prb_api *api, struct prb_supervisor *supervisor, struct prb_error *err)
{
    return prb_finalizer_settle(api, prb_config_policy_look, PRB_POLICY_FINALIZER,
            "--controllers=policy", supervisor, err);
}
