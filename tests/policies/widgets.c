/* What is a kind that only one scene knows? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"
#include "support/definitions.h"

#define DEFINITIONS "customresourcedefinitions.v1.apiextensions.k8s.io"

#define VERSION(name, served, storage)                                                           \
    "{'name':'" name "','served':" served ",'storage':" storage ",'schema':{'openAPIV3Schema':{" \
    "'type':'object','x-kubernetes-preserve-unknown-fields':true}}}"
#define VERSIONS(served) \
    "'versions':[" VERSION("v1", served, "true") "," VERSION("v2", served, "false") "]"

static const char definition[] =
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{"
        "'name':'widgets.@.example.org'},'spec':{'group':'@.example.org','scope':'Namespaced',"
        "'names':{'kind':'Widget','listKind':'WidgetList','plural':'widgets','singular':'widget'}," VERSIONS(
                "true") "}}";

struct prb_ref widgets_crd(const struct scene *scene)
{
    prb_autofree char *name = prb_asprintf("widgets.%s.example.org", scene->id);
    struct prb_ref ref = scene_global(scene, DEFINITIONS, "");

    (void)prb_copy(ref.name, sizeof(ref.name), name);
    return ref;
}

struct prb_ref widget(const struct scene *scene, const char *name)
{
    prb_autofree char *gvr = prb_asprintf("widgets.v1.%s.example.org", scene->id);

    return scene_in(scene, gvr, name);
}

static bool can_be_watched(void *ctx)
{
    struct hope *hope = ctx;
    struct scene *scene = hope->scene;
    struct prb_ref crd = widgets_crd(scene), any = widget(scene, "any");
    prb_auto(prb_object_unref) struct prb_object *found = scene_get(scene, &crd);
    struct prb_error err;

    if (!found || (!scene->place->hub && !prb_test_is_established(found)) ||
            !prb_test_is_served(scene->place->direct, &any.gvr))
        return false;
    if (history_watch(scene->place->history, &any.gvr, &err) == 0)
        return true;
    (void)snprintf(hope->seen, sizeof(hope->seen), "%.500s", err.msg);
    return false;
}

static bool is_served_as_wanted(void *ctx)
{
    struct hope *hope = ctx;

    return prb_test_is_served(hope->scene->place->direct, &hope->ref.gvr) == hope->wanted;
}

static int await_served(struct scene *scene, bool served)
{
    return scene_await(scene, &(struct hope){ .ref = widget(scene, "any"), .wanted = served },
            is_served_as_wanted, served ? "is not served" : "is served");
}

int make_widgets(struct scene *scene)
{
    struct prb_ref crd = widgets_crd(scene);

    DO(scene_make(scene, &crd, definition));
    return await_served(scene, true);
}

int serve_widgets(struct scene *scene, bool served)
{
    struct prb_ref crd = widgets_crd(scene);

    DO(scene_patch(scene, &crd,
            served ? "{'spec':{" VERSIONS("true") "}}" : "{'spec':{" VERSIONS("false") "}}"));
    return await_served(scene, served);
}

int define_widgets(struct scene *scene)
{
    struct prb_ref crd = widgets_crd(scene);

    DO(scene_make(scene, &crd, definition));
    return scene_await(scene, &(struct hope){ .ref = crd }, can_be_watched, "are not served");
}
