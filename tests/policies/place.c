/* How do a hub in memory and a real API server come to look the same? */

#include "place.h"

#include <stdlib.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/model/policy.h"

#include "support/wait.h"

#define SERVED_MS 60000
#define CRD_FILE_MAX ((size_t)1 << 20)

const struct prb_gvr place_policies = { PRB_POLICY_GROUP, "v1", "configurationpolicies" };

static const struct prb_gvr definitions = { "apiextensions.k8s.io", "v1",
    "customresourcedefinitions" };

/* What rows have policies make; more is watched by who makes it. */
static const struct prb_gvr recorded[] = {
    { "", "v1", "configmaps" },
    { "", "v1", "namespaces" },
    { "", "v1", "pods" },
    { "", "v1", "services" },
    { "apps", "v1", "deployments" },
};

static int create(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *crd = taken;
    const char *name = prb_json_str(prb_json_obj(crd, "metadata"), "name");
    struct place *place = ctx;
    struct prb_ref ref;
    int r;

    (void)line;
    if (!name || !prb_ref_init(&ref, &definitions, NULL, name))
        return prb_fail(err, PRB_E_INVALID, "a definition without a name");
    r = prb_api_create(place->direct, &ref, crd, NULL, NULL, err);
    return r == PRB_E_EXISTS ? 0 : r;
}

struct question {
    struct place *place;
    const struct prb_gvr *gvr;
};

static bool is_served(void *ctx)
{
    const struct question *question = ctx;
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    prb_api_forget(question->place->direct, question->gvr->group);
    return prb_api_list(question->place->direct, question->gvr, NULL, &page, &err) == 0;
}

int place_define(struct place *place, const char *folder, const char *name,
        const struct prb_gvr *gvr, struct prb_error *err)
{
    prb_autofree char *path = prb_asprintf("%s/%s.yaml", folder, name);
    struct question question = { .place = place, .gvr = gvr };
    prb_autofree char *text = NULL;
    size_t len = 0;

    if (prb_file_read(path, CRD_FILE_MAX, &text, &len, err) < 0 ||
            prb_yaml_read(text, len, create, place, err) < 0)
        return prb_wrap(err, "define %s", name);
    return prb_test_wait(is_served, &question, SERVED_MS)
                   ? 0
                   : prb_fail(err, PRB_E_UNAVAILABLE, "%s are not served", name);
}

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
    return place_define(place, crds, "configurationpolicies", &place_policies, err);
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
