/* What becomes of the samples of design 000, as they are written there? */

#include <string.h>

#include "probate/base/yaml.h"

#include "rows.h"
#include "support/api_objects.h"

/* The samples, word for word but for the namespace of the cluster. */
#define HEAD                                           \
    "apiVersion: work.open-cluster-management.io/v1\n" \
    "kind: ManifestWork\n"                             \
    "metadata:\n"                                      \
    "  name: work\n"                                   \
    "  namespace: cluster1\n"                          \
    "spec:\n"                                          \
    "  workload:\n"                                    \
    "    manifests:\n"                                 \
    "    - apiVersion: v1\n"                           \
    "      kind: ConfigMap\n"                          \
    "      metadata:\n"                                \
    "        name: cm1\n"                              \
    "        namespace: default\n"

static const char sample_all[] = HEAD "  deleteOption:\n"
                                      "    propagationPolicy: Orphan\n";

/* With dots for what the design leaves out, which is no YAML. */
#define SAMPLE_TYPE(dots)                              \
    HEAD "    - apiVersion: apiextensions.k8s.io/v1\n" \
         "      kind: CustomResourceDefinition\n"      \
         "      name: foo\n" dots "  deleteOption:\n"  \
         "    propagationPolicy: SelectivelyOrphan\n"  \
         "    selectivelyOrphan:\n"                    \
         "    - group: apiextensions.k8s.io\n"         \
         "      resource: customresourcedefinitions\n" \
         "      resourceName: foo\n"

static const char sample_cm2[] = HEAD "    - apiVersion: v1\n"
                                      "      kind: ConfigMap\n"
                                      "      metadata:\n"
                                      "        name: cm2\n"
                                      "        namespace: default\n"
                                      "  deleteOption:\n"
                                      "    propagationPolicy: SelectivelyOrphan\n"
                                      "    selectivelyOrphan:\n"
                                      "    - group: apiextensions.k8s.io\n"
                                      "      resource: customresourcedefinitions\n"
                                      "      resourceName: cm2\n"
                                      "      resourceNamespace: default\n";

/* Make a sample's work under the name "@-work"; the answer of the hub, and its text. */
static int post(struct scene *scene, const char *sample, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *work = NULL;
    struct prb_ref ref = scene_work(scene, "work");

    if (prb_yaml_parse(sample, strlen(sample), &work, err) < 0)
        return err->code;
    prb_json_set_str(prb_json_obj(work, "metadata"), "namespace", ref.namespace);
    prb_json_set_str(prb_json_obj(work, "metadata"), "name", ref.name);
    return prb_api_create(scene->ends->hub->direct, &ref, work, NULL, NULL, err);
}

static struct prb_ref in_default(const char *name)
{
    return prb_test_configmap("default", name);
}

static int play_sample_all(struct scene *scene)
{
    struct prb_ref cm1 = in_default("cm1");
    struct prb_error err;

    if (post(scene, sample_all, &err) < 0)
        return scene_fail(scene, "%s", err.msg);
    DO(scene_await_applied(scene, "work"));
    DO(scene_await_owners(scene, &cm1, 0));
    DO(scene_delete_work(scene, "work"));
    DO(scene_await_ended(scene, "work"));
    DO(scene_expect_kept(scene, &cm1));
    DO(scene_delete(scene, &cm1));
    return scene_await_gone(scene, &cm1);
}

/* Its second manifest has no metadata: an API server may refuse the work; where it is stored, the
 * work says so, and the first is applied all the same. Its rule is pruned, or names nothing. */
static int play_sample_type(struct scene *scene)
{
    struct prb_ref cm1 = in_default("cm1");
    struct prb_error err;
    int r = post(scene, SAMPLE_TYPE("      ...\n"), &err);

    if (r != PRB_E_INVALID || !strstr(err.msg, "line 18"))
        return scene_fail(scene, "the dots are taken for something");
    r = post(scene, SAMPLE_TYPE(""), &err);
    if (r == PRB_E_INVALID && strstr(err.msg, "metadata"))
        return 0;
    if (r < 0)
        return scene_fail(scene, "%s", err.msg);
    DO(scene_await_manifest(scene, "work", 0, "Applied", "True", ""));
    DO(scene_await_manifest(scene, "work", 1, "Applied", "False", "name"));
    DO(scene_delete_work(scene, "work"));
    DO(scene_await_ended(scene, "work"));
    return scene_await_gone(scene, &cm1);
}

/* The rule names a CRD that is called cm2 in a namespace, so no ConfigMap is spared, and on a real
 * hub the rule is not even stored: SelectivelyOrphan without rules spares nothing. */
static int play_sample_cm2(struct scene *scene)
{
    struct prb_ref cm1 = in_default("cm1"), cm2 = in_default("cm2");
    struct prb_error err;

    if (post(scene, sample_cm2, &err) < 0)
        return scene_fail(scene, "%s", err.msg);
    DO(scene_await_applied(scene, "work"));
    if (form_is_real(scene->ends->form)) {
        prb_auto(prb_object_unref) struct prb_object *work = scene_get_work(scene, "work");
        const struct json_object *option =
                work ? prb_json_obj(prb_object_spec(work), "deleteOption") : NULL;

        if (!option || prb_json_has(option, "selectivelyOrphan"))
            return scene_fail(scene, "the flat spelling was not pruned");
    }
    DO(scene_await_owned(scene, &cm1, "work", true));
    DO(scene_await_owned(scene, &cm2, "work", true));
    DO(scene_delete_work(scene, "work"));
    DO(scene_await_ended(scene, "work"));
    DO(scene_await_gone(scene, &cm1));
    return scene_expect_gone(scene, &cm2);
}

/* One after the other: all are about cm1 in the namespace default. */
static int samples(struct scene *scene)
{
    DO(play_sample_all(scene));
    DO(play_sample_type(scene));
    return play_sample_cm2(scene);
}

/* What the flat spelling means where it survives. */
static int flat_spelling(struct scene *scene)
{
    struct prb_ref cm1 = scene_cm(scene, "cm1"), cm2 = scene_cm(scene, "cm2");
    bool pruned = form_is_real(scene->ends->form);

    DO(scene_make_work(scene, "w",
            WORKLOAD(TWO) ",'deleteOption':{'propagationPolicy':'SelectivelyOrphan',"
                          "'selectivelyOrphan':[{'resource':'configmaps',"
                          "'resourceName':'cm2','resourceNamespace':'@'}]}"));
    DO(scene_await_applied(scene, "w"));
    DO(scene_await_owned(scene, &cm1, "w", true));
    DO(scene_await_owned(scene, &cm2, "w", pruned));
    DO(scene_delete_work(scene, "w"));
    DO(scene_await_ended(scene, "w"));
    DO(scene_expect_gone(scene, &cm1));
    return pruned ? scene_expect_gone(scene, &cm2) : scene_expect_kept(scene, &cm2);
}

static const struct row list[] = {
    ROW("the samples of design 000, word for word", samples),
    ROW("the flat spelling holds where the definition does not prune it", flat_spelling),
};

ROW_LIST(rows_samples);
