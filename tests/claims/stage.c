/* How do a hub and a real API server come to have claims? */

#include "stage.h"

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"

#include "support/json_text.h"
#include "support/wait.h"

#define CRD_FILE_MAX ((size_t)1 << 20)

static const struct prb_gvr crds = { "apiextensions.k8s.io", "v1", "customresourcedefinitions" };
static const struct prb_gvr definitions = { PRB_DEFINITION_GROUP, "v1", PRB_DEFINITION_RESOURCE };

static const struct {
    const char *kind, *plural, *singular;
} sorts[SORTS] = {
    [CLAIM] = { "Network", "networks", "network" },
    [ROOT] = { "XNetwork", "xnetworks", "xnetwork" },
    [SITE] = { "Site", "sites", "site" },
    [SITE_ROOT] = { "XSite", "xsites", "xsite" },
    [SUB] = { "XSubnet", "xsubnets", "xsubnet" },
    [POOL] = { "Pool", "pools", "pool" },
    [POOL_ROOT] = { "XPool", "xpools", "xpool" },
    [LEAF] = { "Bucket", "buckets", "bucket" },
};

struct prb_gvr sort_gvr(enum sort sort)
{
    struct prb_gvr gvr;

    (void)prb_gvr_init(&gvr, GROUP, "v1", sorts[sort].plural);
    return gvr;
}

const char *sort_kind(enum sort sort)
{
    return sorts[sort].kind;
}

bool sort_is_claim(enum sort sort)
{
    return sort == CLAIM || sort == SITE || sort == POOL;
}

static int create(struct stage *stage, const struct prb_gvr *gvr, const struct json_object *body,
        struct prb_error *err)
{
    const char *name = prb_json_str(prb_json_obj(body, "metadata"), "name");
    struct prb_ref ref;
    int r;

    if (!name || !prb_ref_init(&ref, gvr, NULL, name))
        return prb_fail(err, PRB_E_INVALID, "a definition without a name");
    r = prb_api_create(stage->direct, &ref, body, NULL, NULL, err);
    return r == PRB_E_EXISTS ? 0 : r;
}

/* A resourceVersion is a number of 64 bits there. */
#define VERSION_SIZE 24

struct question {
    struct stage *stage;
    struct prb_gvr gvr;
    char version[VERSION_SIZE]; /* of the collection, when it is served */
};

static bool is_served(void *ctx)
{
    struct question *question = ctx;
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    prb_api_forget(question->stage->direct, question->gvr.group);
    return (prb_api_list(question->stage->direct, &question->gvr, NULL, &page, &err) == 0 &&
                   prb_copy(question->version, sizeof(question->version), page.resource_version)) ||
           prb_test_saw("%s", err.msg);
}

static int await_served(struct question *question, struct prb_error *err)
{
    prb_autofree char *what = prb_asprintf("%s are served", question->gvr.resource);

    if (prb_test_await(what, is_served, question, PRB_TEST_SOON_MS))
        return 0;
    return prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

/*
 * From the version of the list on. A watch that names none is told by newer API servers, where they
 * have little to do, that the version they should begin with is too large for their cache, and ends.
 */
static int watch_served(struct stage *stage, enum sort sort, struct prb_error *err)
{
    struct question question = { .stage = stage, .gvr = sort_gvr(sort) };
    const struct prb_watch_options options = { .resource_version = question.version };

    if (await_served(&question, err) < 0)
        return err->code;
    return prb_watch_log_start(stage->direct, &question.gvr, &options, &stage->logs[sort], err);
}

/* As Crossplane makes them from its definitions. */
static int define(struct stage *stage, enum sort sort, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *crd = prb_test_json(
            "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
            "'metadata':{'name':'%s." GROUP "'},'spec':{'group':'" GROUP "','scope':'%s',"
            "'names':{'kind':'%s','listKind':'%sList','plural':'%s','singular':'%s'},"
            "'versions':[{'name':'v1','served':true,'storage':true,'subresources':{'status':{}},"
            "'schema':{'openAPIV3Schema':{'type':'object',"
            "'x-kubernetes-preserve-unknown-fields':true}}}]}}",
            sorts[sort].plural, sort_is_claim(sort) ? "Namespaced" : "Cluster", sorts[sort].kind,
            sorts[sort].kind, sorts[sort].plural, sorts[sort].singular);

    if (stage->hub && sort != LEAF && sort != POOL && sort != POOL_ROOT)
        return 0; /* a hub serves what Crossplane's definitions say */
    return create(stage, &crds, crd, err);
}

static int define_document(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *crd = taken;

    (void)line;
    return create(ctx, &crds, crd, err);
}

static int define_crossplane(struct stage *stage, const char *folder, struct prb_error *err)
{
    prb_autofree char *path = prb_asprintf("%s/" PRB_DEFINITION_RESOURCE ".yaml", folder);
    prb_autofree char *text = NULL;
    size_t len = 0;

    if (prb_file_read(path, CRD_FILE_MAX, &text, &len, err) < 0 ||
            prb_yaml_read(text, len, define_document, stage, err) < 0)
        return err->code;
    return await_served(&(struct question){ .stage = stage, .gvr = definitions }, err);
}

/* `claim` SORTS: none. */
static int offer(struct stage *stage, enum sort composite, enum sort claim, const char *policy,
        struct prb_error *err)
{
    prb_autofree char *claim_names =
            claim == SORTS ? prb_strdup("")
                           : prb_asprintf("'claimNames':{'kind':'%s','plural':'%s'},",
                                     sorts[claim].kind, sorts[claim].plural);
    prb_auto(prb_json_free) struct json_object *definition = prb_test_json(
            "{'apiVersion':'" PRB_DEFINITION_GROUP "/v1','kind':'CompositeResourceDefinition',"
            "'metadata':{'name':'%s." GROUP "'},'spec':{'group':'" GROUP "',"
            "'names':{'kind':'%s','plural':'%s'},%s'defaultCompositeDeletePolicy':'%s',"
            "'versions':[{'name':'v1','served':true,'referenceable':true}]}}",
            sorts[composite].plural, sorts[composite].kind, sorts[composite].plural, claim_names,
            policy);

    return create(stage, &definitions, definition, err);
}

static int set_up(struct stage *stage, const char *folder, struct prb_error *err)
{
    if (!stage->hub && define_crossplane(stage, folder, err) < 0)
        return err->code;
    for (enum sort sort = 0; sort < SORTS; sort++) {
        if (define(stage, sort, err) < 0)
            return err->code;
    }
    if (offer(stage, ROOT, CLAIM, "Background", err) < 0 ||
            offer(stage, SITE_ROOT, SITE, "Foreground", err) < 0 ||
            offer(stage, SUB, SORTS, "Background", err) < 0)
        return err->code;
    for (enum sort sort = 0; sort < SORTS; sort++) {
        if (watch_served(stage, sort, err) < 0)
            return err->code;
    }
    return provider_start(&stage->provider, stage->direct, err);
}

int stage_open(struct stage *stage, const struct prb_kube_config *upstream, const char *folder,
        struct prb_error *err)
{
    *stage = (struct stage){ .hub = NULL };
    if (upstream) {
        if (prb_test_proxied_open(&stage->real, upstream, NULL, err) < 0)
            return err->code;
        stage->api = stage->real.api;
        stage->direct = stage->real.direct;
    } else {
        stage->hub = prb_hub_new(NULL);
        stage->api = stage->direct = prb_hub_api(stage->hub);
    }
    return set_up(stage, folder, err);
}

void stage_close(struct stage *stage)
{
    stage_stop_loop(stage);
    provider_stop(&stage->provider);
    for (size_t i = 0; i < SORTS; i++)
        prb_watch_log_stop(prb_take(stage->logs[i]));
    if (stage->hub)
        prb_hub_free(stage->hub);
    else
        prb_test_proxied_close(&stage->real);
}
