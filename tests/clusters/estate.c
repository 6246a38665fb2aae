/* How are a cluster and what belongs to it made, changed and deleted? */

#include "estate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/json_text.h"
#include "support/wait.h"

#define RBAC_NAME "open-cluster-management:managedcluster:%s"

void estate_open(struct estate *estate, struct target *target, char *why)
{
    *estate = (struct estate){ .target = target };
    estate->why = why;
    prb_test_unique_name("mc", estate->id);
}

int estate_fail(struct estate *estate, const char *fmt, ...)
{
    va_list args;

    if (estate->why[0])
        return -1;
    va_start(args, fmt);
    (void)vsnprintf(estate->why, PRB_TEST_WHY_SIZE, fmt, args);
    va_end(args);
    return -1;
}

struct prb_ref estate_ref(const struct estate *estate, enum sort sort, const char *name)
{
    const struct prb_gvr gvr = sort_gvr(sort);
    prb_autofree char *whole = NULL;
    struct prb_ref ref;

    if (sort == ROLEBINDING)
        whole = prb_asprintf(RBAC_NAME ":%s", estate->id, name);
    else if (sort == ROLE || sort == ROLE_BINDING)
        whole = prb_asprintf(RBAC_NAME, estate->id);
    else
        whole = prb_strdup(sort_is_namespaced(sort) ? name : estate->id);
    if (!prb_ref_init(&ref, &gvr, sort_is_namespaced(sort) ? estate->id : NULL, whole))
        abort();
    return ref;
}

/* What a body has beside its metadata. */
static const char *const rests[SORTS] = {
    [MONITORED] = "'apiVersion':'" MONITORED_GROUP "/v1','kind':'ClusterDeployment'",
    [ADDON] = "'apiVersion':'addon.open-cluster-management.io/v1alpha1',"
              "'kind':'ManagedClusterAddOn','spec':{}",
    [WORK] = "'apiVersion':'work.open-cluster-management.io/v1','kind':'ManifestWork',"
             "'spec':{'workload':{'manifests':[]}}",
    [ROLEBINDING] = "'apiVersion':'rbac.authorization.k8s.io/v1','kind':'RoleBinding','roleRef':{"
                    "'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'view'}",
    [ROLE] = "'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRole','rules':[]",
    [ROLE_BINDING] =
            "'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRoleBinding','roleRef':{"
            "'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'view'}",
    [NAMESPACE] = "'apiVersion':'v1','kind':'Namespace'",
    [CLUSTER] = "'apiVersion':'cluster.open-cluster-management.io/v1','kind':'ManagedCluster',"
                "'spec':{'hubAcceptsClient':true}",
};

int estate_make(struct estate *estate, enum sort sort, const char *name, const char *meta)
{
    struct prb_ref ref = estate_ref(estate, sort, name);
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("{%s,'metadata':{'name':'%s'%s%s%s%s%s}}", rests[sort], ref.name,
                    ref.namespace[0] ? ",'namespace':'" : "", ref.namespace,
                    ref.namespace[0] ? "'" : "", meta[0] ? "," : "", meta);
    struct prb_error err;

    if (prb_api_create(estate->target->direct, &ref, body, NULL, NULL, &err) < 0)
        return estate_fail(estate, "create %s %s: %s", sort_name(sort), ref.name, err.msg);
    return 0;
}

int estate_make_rights(struct estate *estate)
{
    DO(estate_make(estate, ROLE, NULL, ""));
    DO(estate_make(estate, ROLE_BINDING, NULL, ""));
    DO(estate_make(estate, ROLEBINDING, "registration", ""));
    return estate_make(estate, ROLEBINDING, "work", "'finalizers':['" WORK_FINALIZER "']");
}

static int found(struct estate *estate, const char *cluster_meta)
{
    prb_autofree char *label =
            prb_asprintf("'labels':{'open-cluster-management.io/cluster-name':'%s'}", estate->id);

    DO(estate_make(estate, NAMESPACE, NULL, label));
    DO(estate_make(estate, CLUSTER, NULL, cluster_meta));
    DO(estate_make_rights(estate));
    return estate_await_held(estate);
}

int estate_found(struct estate *estate)
{
    return found(estate, "");
}

int estate_found_with_agents(struct estate *estate)
{
    return found(estate, "'labels':{" AGENTS "}");
}

int estate_make_addon_work(struct estate *estate, const char *name, const char *addon)
{
    prb_autofree char *meta = prb_asprintf("'labels':{'open-cluster-management.io/addon-name':"
                                           "'%s'},'finalizers':['" WORK_FINALIZER "']",
            addon);

    return estate_make(estate, WORK, name, meta);
}

struct prb_object *estate_get(struct estate *estate, enum sort sort, const char *name)
{
    struct prb_ref ref = estate_ref(estate, sort, name);
    struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(estate->target->direct, &ref, NULL, &object, &err) == 0 ? object : NULL;
}

int estate_delete(struct estate *estate, enum sort sort, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = estate_get(estate, sort, name);
    struct prb_ref ref = estate_ref(estate, sort, name);
    struct prb_error err;

    if (!object)
        return estate_fail(estate, "%s %s is not there to be deleted", sort_name(sort), ref.name);
    if (prb_api_delete(estate->target->direct, &ref,
                &(struct prb_delete_options){
                        .uid = prb_object_uid(object), .propagation = PRB_PROPAGATE_BACKGROUND },
                &err) < 0)
        return estate_fail(estate, "delete %s %s: %s", sort_name(sort), ref.name, err.msg);
    return 0;
}

int estate_patch(struct estate *estate, enum sort sort, const char *name, const char *patch)
{
    prb_auto(prb_json_free) struct json_object *body = prb_test_json("%s", patch);
    struct prb_ref ref = estate_ref(estate, sort, name);
    struct prb_error err;

    if (prb_api_patch(estate->target->direct, &ref, PRB_PATCH_MERGE, body, NULL, NULL, &err) < 0)
        return estate_fail(estate, "patch %s %s: %s", sort_name(sort), ref.name, err.msg);
    return 0;
}

int estate_patch_status(struct estate *estate, const char *patch)
{
    prb_auto(prb_json_free) struct json_object *body = prb_test_json("%s", patch);
    struct prb_ref ref = estate_ref(estate, CLUSTER, NULL);
    struct prb_error err;

    if (prb_api_patch(estate->target->direct, &ref, PRB_PATCH_MERGE, body,
                &(struct prb_write_options){ .subresource = "status" }, NULL, &err) < 0)
        return estate_fail(estate, "patch the status of %s: %s", ref.name, err.msg);
    return 0;
}

/* Of something that has one already. */
int estate_add_finalizer(
        struct estate *estate, enum sort sort, const char *name, const char *finalizer)
{
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("[{'op':'add','path':'/metadata/finalizers/-','value':'%s'}]", finalizer);
    struct prb_ref ref = estate_ref(estate, sort, name);
    struct prb_error err;

    if (prb_api_patch(estate->target->direct, &ref, PRB_PATCH_JSON, body, NULL, NULL, &err) < 0)
        return estate_fail(estate, "add a finalizer to %s: %s", ref.name, err.msg);
    return 0;
}

int estate_release(struct estate *estate, enum sort sort, const char *name)
{
    return estate_patch(estate, sort, name, "{'metadata':{'finalizers':null}}");
}

/* A row that failed leaves things held by finalizers: they would be in nobody's way, but for a
 * person who looks at the server. */
void estate_close(struct estate *estate)
{
    static const enum sort sorts[] = { MONITORED, ADDON, WORK, ROLEBINDING };
    char nothing[PRB_TEST_WHY_SIZE] = "";
    struct estate quiet = { .target = estate->target, .why = nothing };

    (void)prb_copy(quiet.id, sizeof(quiet.id), estate->id);
    if (!estate->why[0])
        return;
    for (size_t i = 0; i < sizeof(sorts) / sizeof(sorts[0]); i++) {
        const struct prb_gvr gvr = sort_gvr(sorts[i]);
        prb_auto(prb_page_done) struct prb_page page;
        struct prb_error err;

        prb_page_init(&page);
        if (prb_api_list_all(estate->target->direct, &gvr,
                    &(struct prb_list_options){ .namespace = estate->id }, 1000, &page, &err) < 0)
            continue;
        for (size_t j = 0; j < page.count; j++)
            (void)estate_release(&quiet, sorts[i], prb_object_name(page.objects[j]));
    }
    (void)estate_release(&quiet, CLUSTER, NULL);
}
