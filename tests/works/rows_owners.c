/* Are others who own an object, or manage it, let alone? */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"

/* An AppliedManifestWork of another agent, and one that is no such thing. */
#define FOREIGN                                                                              \
    "{'apiVersion':'" PRB_WORK_GROUP "/v1','kind':'AppliedManifestWork','metadata':{'name':" \
    "'foreign-@'},'spec':{'hubHash':'foreign','agentID':'somebody','manifestWorkName':'@'}}"

static struct prb_ref foreign(const struct scene *scene)
{
    prb_autofree char *name = prb_asprintf("foreign-%s", scene->id);

    return scene_global(scene, "appliedmanifestworks.v1." PRB_WORK_GROUP, name);
}

/* An owner beside those that are there: the test reads, and writes what it read with one more. */
static int add_owner(struct scene *scene, const struct prb_ref *ref,
        const struct prb_ref *owner_ref, const char *api_version, const char *kind)
{
    prb_auto(prb_object_unref) struct prb_object *owner = scene_get(scene, owner_ref);
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    prb_autofree char *text = NULL;
    struct prb_error err;

    if (!owner)
        return scene_fail(scene, "there is no %s", owner_ref->name);
    text = prb_asprintf("[{'op':'add','path':'/metadata/ownerReferences/-','value':{'apiVersion':"
                        "'%s','kind':'%s','name':'%s','uid':'%s'}}]",
            api_version, kind, owner_ref->name, prb_object_uid(owner));
    patch = scene_json(scene, text);
    return prb_api_patch(scene->ends->spoke->direct, ref, PRB_PATCH_JSON, patch, NULL, NULL, &err) <
                           0
                   ? scene_fail(scene, "%s", err.msg)
                   : 0;
}

static int other_work_owns(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), other = foreign(scene);

    DO(scene_make(scene, &other, FOREIGN));
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(add_owner(scene, &cm1, &other, PRB_WORK_GROUP "/v1", "AppliedManifestWork"));
    DO(scene_await_applied(scene, "w"));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_await_owners(scene, &cm1, 1));
    DO(scene_expect_kept(scene, &cm1));
    if (history_of(scene->ends->history, &other).begun > 0)
        return scene_fail(scene, "the AppliedManifestWork of another agent was deleted");
    return scene_delete(scene, &other);
}

static int others_own(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), parent = scene_cm(scene, "parent");

    DO(scene_make(scene, &parent, CM("parent", "a")));
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(add_owner(scene, &cm1, &parent, "v1", "ConfigMap"));
    DO(scene_await_applied(scene, "w"));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm1));
    return scene_expect_kept(scene, &parent);
}

static int others_kept(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), parent = scene_cm(scene, "parent");
    prb_auto(prb_object_unref) struct prb_object *object = NULL;

    DO(scene_make(scene, &parent, CM("parent", "a")));
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(add_owner(scene, &cm1, &parent, "v1", "ConfigMap"));
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':{'propagationPolicy':'Orphan'}}}"));
    DO(scene_await_owned(scene, &cm1, "w", false));
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':null}}"));
    DO(scene_await_owned(scene, &cm1, "w", true));
    object = scene_get(scene, &cm1);
    if (!object || prb_object_owner_count(object) != 2)
        return scene_fail(scene, "the other owner was lost");
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_gone(scene, &cm1);
}

/* A rule with a namespace does not name what has none, and one without does. */
static int cluster_scoped(struct scene *scene)
{
    struct prb_ref crd = widgets_crd(scene);

    DO(scene_make_work(scene, "w",
            WORKLOAD(WIDGETS_CRD) SPARE("{'group':'apiextensions.k8s.io','resource':"
                                        "'customresourcedefinitions','namespace':'default',"
                                        "'name':'widgets.@.example.org'}")));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owned(scene, &crd, "w", true));
    DO(scene_patch_work(scene, "w",
            "{'spec':{'deleteOption':{'selectivelyOrphans':{'orphaningRules':[{'group':"
            "'apiextensions.k8s.io','resource':'customresourcedefinitions','name':"
            "'widgets.@.example.org'}]}}}}"));
    DO(scene_await_owned(scene, &crd, "w", false));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_kept(scene, &crd));
    return scene_delete(scene, &crd);
}

/* Nobody knows what was meant: nothing is owned, and nothing goes. */
static int unknown_option(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1");

    if (form_is_real(scene->ends->form)) {
        if (scene_make_work(scene, "w",
                    WORKLOAD(CM("cm1", "a")) ",'deleteOption':{'propagationPolicy':'Keep'}") == 0)
            return scene_fail(scene, "the definition takes any policy");
        scene->why[0] = '\0';
        return 0;
    }
    DO(scene_make_work(scene, "w", WORKLOAD(CM("cm1", "a"))));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_patch_work(scene, "w", "{'spec':{'deleteOption':{'propagationPolicy':'Keep'}}}"));
    DO(scene_await_owned(scene, &cm1, "w", false));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    return scene_expect_kept(scene, &cm1);
}

static const struct row list[] = {
    ROW("keep the resource with other AppliedManifestWork owners", other_work_owns),
    ROW("delete despite owners that are no AppliedManifestWork", others_own),
    ROW("other owners are kept whatever becomes of ours", others_kept),
    ROW("a rule for a cluster-scoped resource has no namespace", cluster_scoped),
    ROW("a deleteOption that nobody understands deletes nothing", unknown_option),
};

ROW_LIST(rows_owners);
