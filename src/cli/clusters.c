/* How are clusters to be deleted? */

#include "probate/cli/clusters.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/cleanup.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "finalizer.h"
#include "resources.h"

const char *const prb_delete_works_names[] = {
    [PRB_DELETE_WORKS_NONE] = "none",
    [PRB_DELETE_WORKS_ADDON] = "addon",
    [PRB_DELETE_WORKS_ALL] = "all",
    NULL,
};

/* One collection has several versions; what is left in it is the same in each. */
static bool has_resource(const struct prb_cluster_choice *choice, const struct prb_gvr *gvr)
{
    for (size_t i = 0; i < choice->settings.monitored_count; i++) {
        if (prb_streq(choice->monitored[i].group, gvr->group) &&
                prb_streq(choice->monitored[i].resource, gvr->resource))
            return true;
    }
    return false;
}

/*
 * The version has to look like one: "deployments.apps" would else be a resource of the core group
 * in version "apps", of which there is none anywhere, and nothing would be waited for.
 */
static int add_monitored(struct prb_cluster_choice *choice, const char *text, struct prb_error *err)
{
    struct prb_gvr gvr;

    if (!prb_gvr_parse(text, &gvr) || !prb_is_api_version(gvr.version, strlen(gvr.version)))
        return prb_fail(err, PRB_E_INVALID,
                "\"%s\" is not of the form RESOURCE.VERSION.GROUP, such as "
                "clusterdeployments.v1.hive.openshift.io, or pods.v1 of the core group",
                text);
    if (has_resource(choice, &gvr))
        return 0;
    if (choice->settings.monitored_count == PRB_MONITORED_MAX)
        return prb_fail(err, PRB_E_INVALID, "there are more than %d resources", PRB_MONITORED_MAX);
    choice->monitored[choice->settings.monitored_count++] = gvr;
    return 0;
}

int prb_clusters_choose(const struct prb_cluster_flags *flags, struct prb_cluster_choice **ret,
        struct prb_error *err)
{
    prb_autofree struct prb_cluster_choice *choice = prb_calloc(1, sizeof(*choice));
    int r;

    choice->settings = (struct prb_cluster_settings){
        .finalizer = flags->finalizer ? flags->finalizer : PRB_CLUSTER_FINALIZER,
        .delete_works = (enum prb_delete_works)flags->delete_works,
        .monitored = choice->monitored,
    };
    r = prb_finalizer_check(
            "--cluster-finalizer", choice->settings.finalizer, PRB_CLUSTER_FINALIZER_OWN, err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < flags->monitored.count; i++) {
        if (add_monitored(choice, flags->monitored.items[i], err) < 0)
            return prb_wrap(err, "--resources-to-monitor-for-deletion");
    }
    *ret = prb_take(choice);
    return 0;
}

void prb_clusters_log(const struct prb_cluster_settings *settings)
{
    prb_auto(prb_str_done) struct prb_str monitored;

    prb_str_init(&monitored, PRB_LOG_VALUE_MAX);
    for (size_t i = 0; i < settings->monitored_count; i++) {
        char text[PRB_GVR_TEXT_SIZE];

        prb_gvr_format(&settings->monitored[i], text);
        prb_str_addf(&monitored, "%s%s", i > 0 ? ", " : "", text);
    }
    prb_info("deletion of clusters", KV("finalizer", settings->finalizer),
            KV("delete_works", prb_delete_works_names[settings->delete_works]),
            KV("monitored", monitored.len > 0 ? prb_str_get(&monitored) : "none"));
}
