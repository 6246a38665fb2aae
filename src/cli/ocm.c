/* May Probate use this finalizer on ManagedClusters, or is it another's here? */

#include "ocm.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/clusters.h"

#include "finalizer.h"

/* What OCM puts on ManagedClusters: its registration controller, and the one that collects what is
 * left in their namespaces. */
static const char *const ocm_finalizers[] = {
    PRB_CLUSTER_FINALIZER,
    "cluster.open-cluster-management.io/resource-cleanup",
};

/*
 * By what its registration controller is known. The Deployment is named after the ClusterManager,
 * and is on another cluster in hosted mode; the webhook is on every hub, under one name, and goes
 * with OCM.
 */
static const struct {
    const char *kind;
    struct prb_ref ref;
} signs[] = {
    { "Deployment", { .gvr = { "apps", "v1", "deployments" },
                            .namespace = "open-cluster-management-hub",
                            .name = "cluster-manager-registration-controller" } },
    { "ValidatingWebhookConfiguration",
            { .gvr = { "admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations" },
                    .name = "managedclustervalidators.admission.cluster.open-cluster-management."
                            "io" } },
};
#define SIGN_COUNT (sizeof(signs) / sizeof(signs[0]))

const struct prb_right prb_ocm_rights[] = {
    { "apps", "deployments", "get" },
    { "admissionregistration.k8s.io", "validatingwebhookconfigurations", "get" },
};
const size_t prb_ocm_right_count = sizeof(prb_ocm_rights) / sizeof(prb_ocm_rights[0]);
_Static_assert(sizeof(prb_ocm_rights) / sizeof(prb_ocm_rights[0]) == SIGN_COUNT, "a right each");

static bool is_of_ocm(const char *finalizer)
{
    for (size_t i = 0; i < sizeof(ocm_finalizers) / sizeof(ocm_finalizers[0]); i++) {
        if (prb_streq(ocm_finalizers[i], finalizer))
            return true;
    }
    return false;
}

static int refuse(size_t sign, const char *finalizer, struct prb_error *err)
{
    const struct prb_ref *ref = &signs[sign].ref;

    return prb_fail(err, PRB_E_INVALID,
            "Open Cluster Management's registration controller runs on this hub (%s %s%s%s) and "
            "uses the finalizer %s on ManagedClusters: of two controllers that share one, either "
            "may take it off before the other is done. Give Probate its own: "
            "--cluster-finalizer=%s",
            signs[sign].kind, ref->namespace, ref->namespace[0] ? "/" : "", ref->name, finalizer,
            PRB_CLUSTER_FINALIZER_OWN);
}

/* A start that goes on would find out when a cluster is half deleted. */
static int not_seen(const char *finalizer, struct prb_error *err)
{
    prb_autofree char *why = prb_strdup(err->msg);

    return prb_fail(err, err->code,
            "whether Open Cluster Management's registration controller runs on this hub, which "
            "uses the finalizer %s too, could not be seen: %s. Grant the right ('probate manifest "
            "rbac --feature-gates=ClusterLifeCycle=true' has it), or give Probate a finalizer of "
            "its own: --cluster-finalizer=%s",
            finalizer, why, PRB_CLUSTER_FINALIZER_OWN);
}

int prb_ocm_look(struct prb_api *api, const char *finalizer, struct prb_error *err)
{
    static const struct prb_get_options options = { .metadata_only = true };

    if (!is_of_ocm(finalizer))
        return 0;
    for (size_t i = 0; i < SIGN_COUNT; i++) {
        prb_auto(prb_object_unref) struct prb_object *found = NULL;
        int r = prb_api_get(api, &signs[i].ref, &options, &found, err);

        if (r == 0)
            return refuse(i, finalizer, err);
        if (r == PRB_E_FORBIDDEN || r == PRB_E_UNAUTHORIZED)
            return not_seen(finalizer, err);
        if (r != PRB_E_NOTFOUND)
            return r;
    }
    return 0;
}

int prb_ocm_check(struct prb_api *api, const char *finalizer, struct prb_supervisor *supervisor,
        struct prb_error *err)
{
    return prb_finalizer_settle(
            api, prb_ocm_look, finalizer, "--cluster-finalizer", supervisor, err);
}
