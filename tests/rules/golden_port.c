/* What does a live question find out on the hub of a golden case? */

#include "golden_port.h"

#include <stdio.h>
#include <strings.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/view.h"

#define CRDS "customresourcedefinitions.v1.apiextensions.k8s.io"

/* Kinds that the cases speak of; the scope of others is that of their objects. */
static const struct {
    const char *collection, *kind, *short_name;
    bool namespaced;
    bool always; /* on every hub, be there no object of it */
} kinds[] = {
    { "configmaps.v1.", "ConfigMap", "cm", true, true },
    { "namespaces.v1.", "Namespace", "ns", false, true },
    { "secrets.v1.", "Secret", NULL, true, true },
    { "deployments.v1.apps", "Deployment", "deploy", true, true },
    { CRDS, "CustomResourceDefinition", "crd", false, true },
    { "criticalservices.v1alpha1.probate.dev", "CriticalService", "crit", false, false },
    { "managedclusters.v1.cluster.open-cluster-management.io", "ManagedCluster", NULL, false,
            false },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static struct prb_golden_port *of(struct prb_api *api)
{
    return (struct prb_golden_port *)api;
}

static int fail_not_found(struct prb_error *err, const char *reason, const char *what)
{
    (void)prb_fail(err, PRB_E_NOTFOUND, "%s: %s", what, reason);
    (void)prb_copy(err->reason, sizeof(err->reason), reason);
    err->status = 404;
    return err->code;
}

/* As the server gives it to who asks for metadata only. */
static struct prb_object *stripped(const struct prb_object *object, bool metadata_only)
{
    struct json_object *tree;
    struct prb_object *bare = NULL;
    struct prb_error err;

    if (!metadata_only)
        return prb_object_ref(object);
    tree = json_object_new_object();
    prb_json_set(tree, "metadata", prb_json_copy(prb_object_metadata(object)));
    (void)prb_object_new(tree, &bare, &err);
    return bare;
}

static int get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    prb_auto(prb_view_close) struct prb_view *view =
            prb_world_view(of(api)->world, PRB_GOLDEN_NOW_MS);
    const struct prb_object *found = prb_view_find(view, ref);

    if (!prb_view_knows(view, &ref->gvr))
        return fail_not_found(err, "NotServed", ref->gvr.resource);
    if (!found)
        return fail_not_found(err, "NotFound", ref->name);
    *ret = stripped(found, options->metadata_only);
    return 0;
}

struct listing {
    struct prb_page *page; /* borrowed */
    bool metadata_only;
};

static bool add_to_page(void *ctx, const struct prb_object *object)
{
    const struct listing *listing = ctx;
    struct prb_page *page = listing->page;

    page->objects = prb_realloc(page->objects, page->count + 1, sizeof(struct prb_object *));
    page->objects[page->count++] = stripped(object, listing->metadata_only);
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct prb_object *left = *(struct prb_object *const *)a;
    const struct prb_object *right = *(struct prb_object *const *)b;
    int by_namespace = strcmp(prb_object_namespace(left), prb_object_namespace(right));

    return by_namespace ? by_namespace : strcmp(prb_object_name(left), prb_object_name(right));
}

static int list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    struct listing listing = { .page = ret, .metadata_only = options->metadata_only };
    prb_auto(prb_view_close) struct prb_view *view =
            prb_world_view(of(api)->world, PRB_GOLDEN_NOW_MS);

    if (!prb_view_knows(view, gvr))
        return fail_not_found(err, "NotServed", gvr->resource);
    prb_view_each(view, gvr, options->namespace, add_to_page, &listing);
    if (ret->count > 1)
        qsort(ret->objects, ret->count, sizeof(struct prb_object *), by_name);
    return 0;
}

/* The CRD that defines a collection, if the world has one; a counted reference. */
static struct prb_object *crd_of(struct prb_world *world, const struct prb_gvr *gvr)
{
    prb_autofree char *name = prb_asprintf("%s.%s", gvr->resource, gvr->group);

    return prb_store_get(prb_world_store(world, CRDS), "", name);
}

struct sight {
    bool namespaced;
    char kind[PRB_RESOURCE_SIZE];
};

static bool look_at(void *ctx, const struct prb_object *object)
{
    struct sight *sight = ctx;

    sight->namespaced = prb_object_namespace(object)[0] != '\0';
    (void)prb_copy(sight->kind, sizeof(sight->kind), prb_object_kind(object));
    return false; /* one is as good as another */
}

/* What the table, a CRD or the objects say of a collection. Without any it is namespaced. */
static void describe(struct prb_world *world, const struct prb_gvr *gvr, struct prb_resource *ret)
{
    prb_auto(prb_object_unref) struct prb_object *crd = crd_of(world, gvr);
    const struct json_object *spec = crd ? prb_object_spec(crd) : NULL;
    const char *kind = prb_json_str(prb_json_obj(spec, "names"), "kind");
    struct sight sight = { .namespaced = true };
    char text[PRB_GVR_TEXT_SIZE];
    struct prb_view *view = prb_world_view(world, PRB_GOLDEN_NOW_MS);

    prb_view_each(view, gvr, NULL, look_at, &sight);
    prb_view_close(view);
    if (spec)
        sight.namespaced = prb_streq(prb_json_str(spec, "scope"), "Namespaced");
    if (kind)
        (void)prb_copy(sight.kind, sizeof(sight.kind), kind);
    prb_gvr_format(gvr, text);
    for (size_t i = 0; i < KINDS; i++) {
        if (!prb_streq(kinds[i].collection, text))
            continue;
        sight.namespaced = kinds[i].namespaced;
        (void)prb_copy(sight.kind, sizeof(sight.kind), kinds[i].kind);
    }
    *ret = (struct prb_resource){ .gvr = *gvr, .namespaced = sight.namespaced };
    (void)prb_copy(ret->kind, sizeof(ret->kind), sight.kind);
}

static bool is_short_name(const struct prb_gvr *gvr, const char *name)
{
    char text[PRB_GVR_TEXT_SIZE];

    prb_gvr_format(gvr, text);
    for (size_t i = 0; i < KINDS; i++) {
        if (kinds[i].short_name && prb_streq(kinds[i].collection, text) &&
                strcasecmp(kinds[i].short_name, name) == 0)
            return true;
    }
    return false;
}

static int resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    prb_autofree char *plural = prb_world_plural(name);
    struct prb_world *world = of(api)->world;
    struct prb_store *store;

    for (size_t i = 0; (store = prb_world_store_at(world, i)) != NULL; i++) {
        const struct prb_gvr *gvr = prb_store_gvr(store);

        if (!prb_store_synced(store) || !prb_streq(gvr->group, group))
            continue;
        if (strcasecmp(gvr->resource, name) != 0 && !prb_streq(gvr->resource, plural) &&
                !is_short_name(gvr, name))
            continue;
        describe(world, gvr, ret);
        return 0;
    }
    return fail_not_found(err, "NotServed", name);
}

static int may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err)
{
    const char *access = of(api)->access;

    if (!access)
        return prb_fail(err, PRB_E_UNSUPPORTED,
                "an embedded hub has no RBAC: whether %s may %s %s is unknown", question->user,
                question->verb, question->resource);
    *ret = prb_streq(access, "allowed") ? PRB_ACCESS_ALLOWED : PRB_ACCESS_DENIED;
    return 0;
}

static const struct prb_api_ops ops = { .get = get, .list = list, .resolve = resolve, .may = may };

static bool serve_defined(void *ctx, const struct prb_object *crd)
{
    const struct json_object *spec = prb_object_spec(crd);
    const struct json_object *versions = prb_json_arr(spec, "versions");
    const char *plural = prb_json_str(prb_json_obj(spec, "names"), "plural");
    const char *group = prb_json_str(spec, "group");
    struct prb_str *out = ctx;

    for (size_t i = 0; plural && group && i < prb_json_len(versions); i++) {
        const char *version = prb_json_str(prb_json_elem(versions, i), "name");
        bool served = true;

        (void)prb_json_bool(prb_json_elem(versions, i), "served", &served);
        if (version && served)
            prb_str_addf(out, "%s.%s.%s\n", plural, version, group);
    }
    return true;
}

/* Collections are made after the view that saw the CRDs is closed. */
static void serve_crds(struct prb_world *world)
{
    struct prb_view *view = prb_world_view(world, PRB_GOLDEN_NOW_MS);
    prb_auto(prb_str_done) struct prb_str lines;
    struct prb_gvr crds;

    prb_str_init(&lines, (size_t)64 * 1024);
    (void)prb_gvr_parse(CRDS, &crds);
    prb_view_each(view, &crds, NULL, serve_defined, &lines);
    prb_view_close(view);
    for (const char *at = prb_str_get(&lines); *at; at += strcspn(at, "\n") + 1) {
        prb_autofree char *gvr = prb_strndup(at, strcspn(at, "\n"));

        (void)prb_world_serve(world, gvr);
    }
}

void prb_golden_port_init(struct prb_golden_port *port, struct prb_world *world, const char *access)
{
    if (access && !prb_streq(access, "allowed") && !prb_streq(access, "denied")) {
        (void)fprintf(stderr, "golden port: access is allowed or denied, not %s\n", access);
        abort();
    }
    *port = (struct prb_golden_port){ .api = { .ops = &ops }, .world = world, .access = access };
    for (size_t i = 0; i < KINDS; i++) {
        if (kinds[i].always)
            (void)prb_world_serve(world, kinds[i].collection);
    }
    serve_crds(world);
}
