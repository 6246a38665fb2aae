/* How do a hub and a real API server come to look the same? */

#include "target.h"

#include <pthread.h>
#include <stdio.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"

#include "support/json_text.h"
#include "support/wait.h"

#define CRD_FILE_MAX ((size_t)1 << 20)

static const struct prb_gvr definitions = { "apiextensions.k8s.io", "v1",
    "customresourcedefinitions" };

static int find_refused(const struct target *target, const char *namespace, const char *name)
{
    for (size_t i = 0; i < target->refused_count; i++) {
        if (prb_streq(target->refused[i].namespace, namespace) &&
                prb_streq(target->refused[i].name, name))
            return (int)i;
    }
    return -1;
}

static int admit(void *ctx, const struct prb_hub_write *write, struct prb_error *err)
{
    struct target *target = ctx;
    int at;

    if (!prb_streq(write->operation, "DELETE"))
        return 0;
    (void)pthread_mutex_lock(&target->lock);
    at = find_refused(target, write->namespace, write->name);
    (void)pthread_mutex_unlock(&target->lock);
    return at >= 0 ? prb_fail(err, PRB_E_FORBIDDEN, "forbidden by the test") : 0;
}

int target_open(
        struct target *target, const struct prb_kube_config *upstream, struct prb_error *err)
{
    *target = (struct target){ .hub = NULL };
    (void)pthread_mutex_init(&target->lock, NULL);
    if (upstream) {
        if (prb_test_proxied_open(&target->real, upstream, NULL, err) < 0)
            return err->code;
        target->api = target->real.api;
        target->direct = target->real.direct;
        return 0;
    }
    target->hub = prb_hub_new(NULL);
    prb_hub_set_admission(target->hub, admit, target);
    target->api = target->direct = prb_hub_api(target->hub);
    return 0;
}

void target_close(struct target *target)
{
    target_stop_loop(target);
    recording_stop(target->recording);
    agents_stop(target->agents);
    if (target->hub)
        prb_hub_free(target->hub);
    else
        prb_test_proxied_close(&target->real);
    (void)pthread_mutex_destroy(&target->lock);
    *target = (struct target){ .hub = NULL };
}

/* Is the kind of this sort served? */
struct question {
    struct target *target;
    enum sort sort;
};

static bool is_served(void *ctx)
{
    struct question *question = ctx;
    const struct prb_gvr gvr = sort_gvr(question->sort);
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    prb_api_forget(question->target->direct, gvr.group);
    return prb_api_list(question->target->direct, &gvr, NULL, &page, &err) == 0 ||
           prb_test_saw("%s", err.msg);
}

static int await_served(struct target *target, enum sort sort, struct prb_error *err)
{
    struct question question = { .target = target, .sort = sort };
    prb_autofree char *what = prb_asprintf("the kind of a %s is served", sort_name(sort));

    if (prb_test_await(what, is_served, &question, PRB_TEST_SOON_MS))
        return 0;
    return prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

static int create(struct target *target, const struct json_object *crd, struct prb_error *err)
{
    const char *name = prb_json_str(prb_json_obj(crd, "metadata"), "name");
    struct prb_ref ref;
    int r;

    if (!name || !prb_ref_init(&ref, &definitions, NULL, name))
        return prb_fail(err, PRB_E_INVALID, "a definition without a name");
    r = prb_api_create(target->direct, &ref, crd, NULL, NULL, err);
    return r == PRB_E_EXISTS ? 0 : r;
}

int target_define_monitored(struct target *target, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *crd = prb_test_json(
            "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
            "'metadata':{'name':'" MONITORED_RESOURCE "." MONITORED_GROUP "'},'spec':{"
            "'group':'" MONITORED_GROUP "','scope':'Namespaced','names':{"
            "'kind':'ClusterDeployment','listKind':'ClusterDeploymentList',"
            "'plural':'" MONITORED_RESOURCE "','singular':'clusterdeployment'},"
            "'versions':[{'name':'v1','served':true,'storage':true,'schema':{"
            "'openAPIV3Schema':{'type':'object'}}}]}}");

    if (create(target, crd, err) < 0)
        return err->code;
    return await_served(target, MONITORED, err);
}

static int define_document(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *crd = taken;

    (void)line;
    return create(ctx, crd, err);
}

static int define_file(struct target *target, const char *path, struct prb_error *err)
{
    prb_autofree char *text = NULL;
    size_t len = 0;

    if (prb_file_read(path, CRD_FILE_MAX, &text, &len, err) < 0)
        return err->code;
    return prb_yaml_read(text, len, define_document, target, err);
}

int target_define(struct target *target, enum sort sort, struct prb_error *err)
{
    prb_autofree char *path =
            prb_asprintf("%s/%s.yaml", target->crds ? target->crds : "", sort_gvr(sort).resource);

    if (target->hub)
        return 0;
    if (define_file(target, path, err) < 0)
        return err->code;
    return await_served(target, sort, err);
}

int target_watch(struct target *target, struct prb_error *err)
{
    struct recording_listener listener;

    if (agents_start(target->direct, &target->agents, err) < 0)
        return err->code;
    listener = agents_listener(target->agents);
    return recording_start(target->direct, &listener, &target->recording, err);
}

void target_refuse(struct target *target, const struct prb_ref *ref)
{
    if (!target->hub) {
        (void)prb_fault_proxy_add(
                target->real.proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_ANSWER,
                                            .verb = "delete",
                                            .name = ref->name,
                                            .status = 403 });
        return;
    }
    (void)pthread_mutex_lock(&target->lock);
    if (target->refused_count < REFUSALS_MAX)
        target->refused[target->refused_count++] = *ref;
    (void)pthread_mutex_unlock(&target->lock);
}

/* On a real server all are permitted again: no two rows refuse something at a time. */
void target_permit(struct target *target, const struct prb_ref *ref)
{
    int at;

    if (!target->hub) {
        prb_fault_proxy_clear(target->real.proxy, 0);
        return;
    }
    (void)pthread_mutex_lock(&target->lock);
    at = find_refused(target, ref->namespace, ref->name);
    if (at >= 0)
        target->refused[at] = target->refused[--target->refused_count];
    (void)pthread_mutex_unlock(&target->lock);
}
