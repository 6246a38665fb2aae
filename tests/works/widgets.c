/* What is a kind that only one scene knows? */

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"
#include "support/definitions.h"

#define DEFINITIONS "customresourcedefinitions.v1.apiextensions.k8s.io"

struct prb_ref widgets_crd(const struct scene *scene)
{
    prb_autofree char *name = prb_asprintf("widgets.%s.example.org", scene->id);

    return scene_global(scene, DEFINITIONS, name);
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

    if (!found || (!scene->ends->spoke->hub && !prb_test_is_established(found)) ||
            !prb_test_is_served(scene->ends->spoke->direct, &any.gvr))
        return false;
    if (history_watch(scene->ends->history, &any.gvr, &err) == 0)
        return true;
    (void)snprintf(hope->seen, sizeof(hope->seen), "%.500s", err.msg);
    return false;
}

int watch_widgets(struct scene *scene)
{
    return scene_await(
            scene, &(struct hope){ .work = "widgets" }, can_be_watched, "are not served");
}

int define_widgets(struct scene *scene)
{
    struct prb_ref crd = widgets_crd(scene);

    DO(scene_make(scene, &crd, WIDGETS_CRD));
    return watch_widgets(scene);
}
