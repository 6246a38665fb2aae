/* May Probate use this finalizer on claims, or is it another's here? */

#include "crossplane.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/claims.h"

#include "finalizer.h"

/*
 * By what its core is known: the Deployment of its chart, in whatever namespace. The webhooks stay
 * behind when it is removed, and so do its kinds.
 */
static const struct prb_gvr deployments = { "apps", "v1", "deployments" };
#define LABEL "app=crossplane"

const struct prb_right prb_crossplane_rights[] = { { "apps", "deployments", "list" } };
const size_t prb_crossplane_right_count = 1;

static int refuse(const struct prb_object *found, struct prb_error *err)
{
    return prb_fail(err, PRB_E_INVALID,
            "Crossplane's core runs on this cluster (Deployment %s/%s) and uses the finalizer %s "
            "on claims: of two controllers that share one, either may take it off before the other "
            "is done. Give Probate its own: --claim-finalizer=%s",
            prb_object_namespace(found), prb_object_name(found), PRB_CLAIM_FINALIZER,
            PRB_CLAIM_FINALIZER_OWN);
}

/* A start that goes on would find out when a claim is half deleted. */
static int not_seen(struct prb_error *err)
{
    prb_autofree char *why = prb_strdup(err->msg);

    return prb_fail(err, err->code,
            "whether Crossplane's core runs on this cluster, which uses the finalizer %s too, "
            "could not be seen: %s. Grant the right ('probate manifest rbac --controllers=claims' "
            "has it), or give Probate a finalizer of its own: --claim-finalizer=%s",
            PRB_CLAIM_FINALIZER, why, PRB_CLAIM_FINALIZER_OWN);
}

int prb_crossplane_look(struct prb_api *api, const char *finalizer, struct prb_error *err)
{
    static const struct prb_list_options options = {
        .label_selector = LABEL, .metadata_only = true, .limit = 1
    };
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    if (!prb_streq(finalizer, PRB_CLAIM_FINALIZER))
        return 0;
    r = prb_api_list(api, &deployments, &options, &page, err);
    if (r == PRB_E_FORBIDDEN || r == PRB_E_UNAUTHORIZED)
        return not_seen(err);
    if (r < 0)
        return r;
    return page.count > 0 ? refuse(page.objects[0], err) : 0;
}

int prb_crossplane_check(struct prb_api *api, const char *finalizer,
        struct prb_supervisor *supervisor, struct prb_error *err)
{
    return prb_finalizer_settle(
            api, prb_crossplane_look, finalizer, "--claim-finalizer", supervisor, err);
}
