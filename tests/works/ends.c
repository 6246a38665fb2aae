/* How do hubs in memory and real API servers come to look the same? */

#include "ends.h"

#include <stdlib.h>

#include "probate/reconcilers/work.h"

#include "support/cluster.h"
#include "support/definitions.h"

static const struct prb_gvr works = { PRB_WORK_GROUP, "v1", "manifestworks" };
static const struct prb_gvr applied = { PRB_WORK_GROUP, "v1", "appliedmanifestworks" };

/* What rows make on the managed cluster; more is watched by who makes it. */
static const struct prb_gvr recorded[] = {
    { "", "v1", "configmaps" },
    { "", "v1", "namespaces" },
    { "", "v1", "secrets" },
    { "", "v1", "services" },
    { "apps", "v1", "deployments" },
    { "apiextensions.k8s.io", "v1", "customresourcedefinitions" },
    { PRB_WORK_GROUP, "v1", "appliedmanifestworks" },
};

const char *form_name(enum form form)
{
    static const char *const names[] = { [HUBS_APART] = "two hubs in memory",
        [HUBS_TOGETHER] = "one hub in memory that is both",
        [REAL_APART] = "two API servers",
        [REAL_TOGETHER] = "one API server that is both" };

    return names[form];
}

bool form_is_real(enum form form)
{
    return form == REAL_APART || form == REAL_TOGETHER;
}

/* The managed cluster is the one that nobody but these tests uses. */
static int load_spoke(struct prb_kube_config **ret, struct prb_error *err)
{
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): set before main */
    const char *path = getenv("PROBATE_TEST_SPOKE_KUBECONFIG");

    if (!path || !*path)
        return prb_fail(err, PRB_E_INVALID,
                "PROBATE_TEST_SPOKE_KUBECONFIG is not set (scripts/cluster up spoke)");
    return prb_kube_config_load(path, NULL, ret, err);
}

static int open_real(struct end *end, bool spoke, const char *crds, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;

    if ((spoke ? load_spoke(&config, err) : prb_test_cluster_config(&config, err)) < 0 ||
            prb_test_proxied_open(&end->real, config, NULL, err) < 0)
        return err->code;
    end->api = end->real.api;
    end->direct = end->real.direct;
    if (prb_test_define(end->direct, crds, works.resource, &works, err) < 0)
        return err->code;
    return spoke ? prb_test_define(end->direct, crds, applied.resource, &applied, err) : 0;
}

static void open_hub(struct end *end)
{
    end->hub = prb_hub_new(NULL);
    end->api = end->direct = prb_hub_api(end->hub);
}

static int open_places(struct ends *ends, const char *crds, struct prb_error *err)
{
    bool apart = ends->form == HUBS_APART || ends->form == REAL_APART;

    ends->spoke = &ends->places[1];
    ends->hub = apart ? &ends->places[0] : ends->spoke;
    if (!form_is_real(ends->form)) {
        open_hub(ends->spoke);
        if (apart)
            open_hub(ends->hub);
        return 0;
    }
    if (open_real(ends->spoke, true, crds, err) < 0)
        return err->code;
    return apart ? open_real(ends->hub, false, crds, err) : 0;
}

int ends_open(struct ends *ends, enum form form, const char *crds, struct prb_error *err)
{
    *ends = (struct ends){ .form = form };
    if (open_places(ends, crds, err) < 0)
        return err->code;
    ends->history = history_new(ends->spoke->direct);
    for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
        if (history_watch(ends->history, &recorded[i], err) < 0)
            return prb_wrap(err, "watch %s", recorded[i].resource);
    }
    return 0;
}

void ends_close(struct ends *ends)
{
    history_free(ends->history);
    for (size_t i = 0; i < 2; i++) {
        if (ends->places[i].hub)
            prb_hub_free(ends->places[i].hub);
        else
            prb_test_proxied_close(&ends->places[i].real);
    }
    *ends = (struct ends){ .form = FORMS };
}
