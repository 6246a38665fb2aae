/* What becomes of manifests that cannot be applied, and of those beside them? */

#include <string.h>

#include "rows.h"

#define GENERATED                                                                              \
    "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'generateName':'cm-','namespace':'@'}," \
    "'data':{'key':'a'}}"

/* A name that changes with each creation could never be applied twice. */
static int generate_name(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_make_work(scene, "w", WORKLOAD(GENERATED "," CM("cm1", "a"))));
    DO(scene_await_manifest(scene, "w", 0, "Applied", "False", "generateName"));
    DO(scene_await_manifest(scene, "w", 1, "Applied", "True", ""));
    DO(scene_await_said(scene, "w", "Applied", "False", "AppliedManifestWorkFailed", ""));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm1);
}

#define WITHOUT_KIND "{'apiVersion':'v1','metadata':{'name':'cm1','namespace':'@'}}"

/* An API server does not even store the work. */
static int without_kind(struct scene *scene)
{
    struct prb_ref cm2 = scene_cm(scene, "cm2");

    if (form_is_real(scene->ends->form)) {
        if (scene_make_work(scene, "w", WORKLOAD(WITHOUT_KIND)) == 0)
            return scene_fail(scene, "a manifest without a kind was stored");
        if (!strstr(scene->why, "kind"))
            return -1;
        scene->why[0] = '\0';
        return 0;
    }
    DO(scene_make_work(scene, "w", WORKLOAD(WITHOUT_KIND "," CM("cm2", "a"))));
    DO(scene_await_manifest(scene, "w", 0, "Applied", "False", "kind"));
    DO(scene_await_manifest(scene, "w", 1, "Applied", "True", ""));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm2);
}

/* A kind that nobody serves holds up nothing else: neither what is beside it, nor the removal of
 * what was dropped, nor the end. */
static int unknown_kind(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(WIDGET("one", "a") "," TWO)));
    DO(scene_await_manifest(scene, "w", 0, "Applied", "False", "Widget"));
    DO(scene_await_manifest(scene, "w", 1, "Applied", "True", ""));
    DO(scene_await_manifest(scene, "w", 2, "Applied", "True", ""));
    DO(scene_patch_work(scene, "w", MANIFESTS(WIDGET("one", "a") "," CM("cm2", "a"))));
    DO(scene_expect_gone(scene, &cm1));
    DO(scene_await_recorded(scene, "w", &cm1, false));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm2);
}

/* It is applied as soon as somebody brings the definition, be it another work. */
static int kind_comes_later(struct scene *scene)
{
    struct prb_ref one = widget(scene, "one");

    DO(scene_make_work(scene, "cr", WORKLOAD(WIDGET("one", "a"))));
    DO(scene_await_manifest(scene, "cr", 0, "Applied", "False", "Widget"));
    DO(scene_make_work(scene, "crd", WORKLOAD(WIDGETS_CRD)));
    DO(watch_widgets(scene));
    DO(scene_await_applied(scene, "crd"));
    DO(scene_await_applied(scene, "cr"));
    DO(scene_await_owned(scene, &one, "cr", true));
    DO(scene_delete_work(scene, "cr"));
    DO(scene_await_ended(scene, "cr"));
    DO(scene_expect_gone(scene, &one));
    DO(scene_delete_work(scene, "crd"));
    return scene_await_ended(scene, "crd");
}

/* The definition goes with all its instances; the work of the instance ends all the same. */
static int kind_goes_first(struct scene *scene)
{
    struct prb_ref crd = widgets_crd(scene);

    DO(scene_make_work(scene, "crd", WORKLOAD(WIDGETS_CRD)));
    DO(watch_widgets(scene));
    DO(scene_make_work(scene, "cr", WORKLOAD(WIDGET("one", "a") "," CM("cm1", "a"))));
    DO(scene_await_applied(scene, "crd"));
    DO(scene_await_applied(scene, "cr"));
    DO(scene_delete_work(scene, "crd"));
    DO(scene_await_ended(scene, "crd"));
    DO(scene_expect_gone(scene, &crd));
    DO(scene_await_manifest(scene, "cr", 0, "Applied", "False", "Widget"));
    DO(scene_delete_work(scene, "cr"));
    return scene_await_ended(scene, "cr");
}

#define ELSEWHERE                                                                              \
    "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'cm3','namespace':'@-nowhere'}," \
    "'data':{'key':'a'}}"

/* What the server refuses is told in its words. */
static int refused(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_make_work(scene, "w", WORKLOAD(ELSEWHERE "," CM("cm1", "a"))));
    if (form_is_real(scene->ends->form)) {
        DO(scene_await_manifest(scene, "w", 0, "Applied", "False", "-nowhere"));
        DO(scene_await_said(scene, "w", "Applied", "False", "AppliedManifestWorkFailed", ""));
    }
    DO(scene_await_manifest(scene, "w", 1, "Applied", "True", ""));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm1);
}

/* What belongs to the server is not taken from a manifest. */
static int with_server_fields(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    DO(scene_make_work(scene, "w",
            WORKLOAD("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'cm1','namespace':"
                     "'@','uid':'0000','resourceVersion':'1','generation':7,"
                     "'creationTimestamp':null},'data':{'key':'a'}}")));
    DO(scene_await_applied(scene, "w"));
    DO(scene_patch_work(scene, "w", MANIFESTS(CM("cm1", "b"))));
    DO(scene_await_value(scene, &cm1, "b"));
    DO(scene_expect_kept(scene, &cm1));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm1);
}

/* People write "core/v1" for what has no group, and mend it a minute later. */
static int mistyped_group(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");

    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a") "," CM("cm2", "a"))));
    DO(scene_await_applied(scene, "w"));
    DO(scene_patch_work(scene, "w",
            "{'spec':{'workload':{'manifests':[{'apiVersion':'core/v1','kind':'ConfigMap',"
            "'metadata':{'name':'cm1','namespace':'@'}}]}}}"));
    DO(scene_await_manifest(scene, "w", 0, "Applied", "False", "does not serve kind ConfigMap"));
    DO(scene_await_gone(scene, &cm2));
    DO(scene_expect_kept(scene, &cm1));
    DO(scene_patch_work(scene, "w", "{'spec':{'workload':{'manifests':[" CM("cm1", "b") "]}}}"));
    DO(scene_await_applied(scene, "w"));
    return scene_expect_kept(scene, &cm1);
}

static const struct row list[] = {
    ROW("a manifest with generateName is not applied, and the others are", generate_name),
    ROW("a manifest without a kind is not applied, and the others are", without_kind),
    ROW("an unknown kind holds up neither the others, nor a removal, nor the end", unknown_kind),
    ROW("an instance is applied when another work has brought its definition", kind_comes_later),
    ROW("an instance whose definition went does not hold up its work", kind_goes_first),
    ROW("a group that is mistyped deletes nothing", mistyped_group),
    ROW("what the server refuses is told, and the others are applied", refused),
    ROW("a uid or version in a manifest is nobody's business", with_server_fields),
};

ROW_LIST(rows_manifests);
