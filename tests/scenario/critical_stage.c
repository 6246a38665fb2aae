/* What is on the stage of the critical-service reconciler, and how is it made and taken away? */

#include "critical_stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/critical_service.h"

#include "support/json_text.h"
#include "support/wait.h"

static const struct prb_gvr definitions = { "apiextensions.k8s.io", "v1",
    "customresourcedefinitions" };
static const struct prb_gvr webhooks = { "admissionregistration.k8s.io", "v1",
    "validatingwebhookconfigurations" };

int critical_fail(struct critical_stage *stage, const char *fmt, ...)
{
    va_list args;

    if (stage->why[0])
        return -1;
    va_start(args, fmt);
    (void)vsnprintf(stage->why, PRB_TEST_WHY_SIZE, fmt, args);
    va_end(args);
    return -1;
}

static struct prb_ref ref_of(const struct prb_gvr *gvr, const char *namespace, const char *name)
{
    struct prb_ref ref;

    if (!prb_ref_init(&ref, gvr, namespace, name)) {
        (void)fprintf(stderr, "%s cannot be a name\n", name);
        abort();
    }
    return ref;
}

struct prb_ref critical_cr(const struct critical_stage *stage, int index)
{
    struct prb_gvr gvr = { .version = "v1", .resource = "coolresources" };
    char name[PRB_NAME_SIZE];

    (void)prb_copy(gvr.group, sizeof(gvr.group), stage->group);
    (void)snprintf(name, sizeof(name), "cr-%d", index);
    return ref_of(&gvr, stage->id, name);
}

void critical_stage_open(
        struct critical_stage *stage, struct prb_api *api, char why[PRB_TEST_WHY_SIZE])
{
    char definition[PRB_NAME_SIZE];

    *stage = (struct critical_stage){ .api = api };
    stage->why = why;
    prb_test_unique_name("crit", stage->id);
    (void)snprintf(stage->group, sizeof(stage->group), "%s.example.org", stage->id);
    (void)snprintf(stage->finalizer, sizeof(stage->finalizer), "%s/important", stage->group);
    (void)snprintf(definition, sizeof(definition), "coolresources.%s", stage->group);
    stage->refs[CRITICAL_HOME] = ref_of(&prb_namespaces, NULL, stage->id);
    stage->refs[CRITICAL_PROVIDER] = ref_of(&prb_deployments, stage->id, "op");
    stage->refs[CRITICAL_DEFINITION] = ref_of(&definitions, NULL, definition);
    stage->refs[CRITICAL_CR] = critical_cr(stage, 0);
    stage->refs[CRITICAL_SERVICE] = ref_of(&prb_critical_services, NULL, stage->id);
    stage->refs[CRITICAL_WEBHOOK] = ref_of(&webhooks, NULL, stage->id);
}

static struct json_object *definition_of(const struct critical_stage *stage)
{
    return prb_test_json(
            "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
            "'metadata':{'name':'%s'},'spec':{'group':'%s','scope':'Namespaced','names':{"
            "'kind':'CoolResource','listKind':'CoolResourceList','plural':'coolresources',"
            "'singular':'coolresource'},'versions':[{'name':'v1','served':true,'storage':true,"
            "'schema':{'openAPIV3Schema':{'type':'object'}}}]}}",
            stage->refs[CRITICAL_DEFINITION].name, stage->group);
}

static struct json_object *provider_of(const struct critical_stage *stage)
{
    return prb_test_json(
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'op','namespace':'%s',"
            "'labels':{'world':'%s'}},"
            "'spec':{'replicas':0,'selector':{'matchLabels':{'app':'op'}},'template':{"
            "'metadata':{'labels':{'app':'op'}},'spec':{'containers':[{'name':'op',"
            "'image':'example.org/op'}]}}}}",
            stage->id, stage->id);
}

static struct json_object *service_of(const struct critical_stage *stage)
{
    return prb_test_json(
            "{'apiVersion':'probate.dev/v1alpha1','kind':'CriticalService','metadata':{"
            "'name':'%s'},'spec':{'provider':{'group':'apps','resource':'deployments',"
            "'namespace':'%s','name':'op'},'criteria':[{'type':'Finalizer','finalizer':{"
            "'group':'%s','resource':'coolresources','finalizerName':'%s'}},"
            "{'type':'SpecificResource','specificResource':{'group':'apiextensions.k8s.io',"
            "'resource':'CustomResourceDefinition','name':'%s'}}]}}",
            stage->id, stage->id, stage->group, stage->finalizer,
            stage->refs[CRITICAL_DEFINITION].name);
}

#define NOBODY                                                                      \
    "'failurePolicy':'Fail','sideEffects':'None','admissionReviewVersions':['v1']," \
    "'clientConfig':{'url':'https://127.0.0.1:1/'},'timeoutSeconds':1,"
#define LABELLED "'matchExpressions':[{'key':'probate.dev/protected','operator':'Exists'}]"

/* For one world, so that on a server that others use, too, it concerns nobody else. Deployments are
 * told apart by labels of their own: what the namespaceSelector leaves out is exempt, and the rows
 * beside this one would get no label. Nobody answers, so putting the label on is refused, too: make
 * this when it is there. */
static struct json_object *webhook_of(const struct critical_stage *stage)
{
    return prb_test_json(
            "{'apiVersion':'admissionregistration.k8s.io/v1','kind':"
            "'ValidatingWebhookConfiguration','metadata':{'name':'%s'},'webhooks':["
            "{'name':'critical-service-delete.probate.dev'," NOBODY "'namespaceSelector':{" LABELLED
            "},"
            "'objectSelector':{'matchLabels':{'world':'%s'}},'rules':["
            "{'operations':['DELETE'],'apiGroups':['apps'],'apiVersions':['*'],'resources':["
            "'deployments'],'scope':'Namespaced'}]},"
            "{'name':'critical-service-namespace.probate.dev'," NOBODY
            "'objectSelector':{'matchLabels':{'world':'%s'}," LABELLED "},'rules':["
            "{'operations':['DELETE'],'apiGroups':[''],'apiVersions':['*'],'resources':["
            "'namespaces'],'scope':'Cluster'}]},"
            "{'name':'critical-service-label.probate.dev'," NOBODY
            "'objectSelector':{'matchLabels':{'world':'%s'}," LABELLED "},'rules':["
            "{'operations':['UPDATE'],'apiGroups':[''],'apiVersions':['*'],'resources':["
            "'namespaces','namespaces/status','namespaces/finalize'],'scope':'Cluster'}]}]}",
            stage->id, stage->id, stage->id, stage->id);
}

static struct json_object *cr_of(const struct critical_stage *stage, const char *name)
{
    return prb_test_json("{'apiVersion':'%s/v1','kind':'CoolResource','metadata':{'name':'%s',"
                         "'namespace':'%s','finalizers':['%s']}}",
            stage->group, name, stage->id, stage->finalizer);
}

static struct json_object *body_of(const struct critical_stage *stage, enum critical_thing thing)
{
    switch (thing) {
    case CRITICAL_HOME:
        return prb_test_json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s',"
                             "'labels':{'world':'%s'}}}",
                stage->id, stage->id);
    case CRITICAL_PROVIDER:
        return provider_of(stage);
    case CRITICAL_DEFINITION:
        return definition_of(stage);
    case CRITICAL_CR:
        return cr_of(stage, stage->refs[CRITICAL_CR].name);
    case CRITICAL_SERVICE:
        return service_of(stage);
    case CRITICAL_WEBHOOK:
        return webhook_of(stage);
    case CRITICAL_THINGS:
        break;
    }
    abort();
}

/* A kind is served a moment after its CRD is stored: what is not there yet is tried again. */
static int create(
        struct critical_stage *stage, const struct prb_ref *ref, struct json_object *body_taken)
{
    prb_auto(prb_json_free) struct json_object *body = body_taken;
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "%s is created", ref->name);
    struct prb_error err;
    int r;

    while ((r = prb_api_create(stage->api, ref, body, NULL, NULL, &err)) < 0 && r != PRB_E_EXISTS) {
        (void)prb_test_saw("%s", err.msg);
        if (!prb_test_wait_more(&wait))
            return critical_fail(stage, "%s", prb_test_awaited());
    }
    return r < 0 ? critical_fail(stage, "create %s: %s", ref->name, err.msg) : 0;
}

int critical_make(struct critical_stage *stage, enum critical_thing thing)
{
    return create(stage, &stage->refs[thing], body_of(stage, thing));
}

int critical_make_waiting(
        struct critical_stage *stage, const char *name, const char *home, const char *other)
{
    char whole[PRB_NAME_SIZE];
    struct prb_ref ref;

    (void)snprintf(whole, sizeof(whole), "%s-%s", stage->id, name);
    ref = ref_of(&prb_critical_services, NULL, whole);
    return create(stage, &ref,
            prb_test_json(
                    "{'apiVersion':'probate.dev/v1alpha1','kind':'CriticalService','metadata':{"
                    "'name':'%s'},'spec':{'provider':{'group':'apps','resource':'deployments',"
                    "'namespace':'%s','name':'op'},'criteria':[{'type':'SpecificResource',"
                    "'specificResource':{'group':'apps','resource':'deploy','namespace':'%s',"
                    "'name':'op'}}]}}",
                    whole, home, other));
}

int critical_make_crs(struct critical_stage *stage, int count)
{
    for (int i = 0; i < count; i++) {
        struct prb_ref ref = critical_cr(stage, i);

        if (create(stage, &ref, cr_of(stage, ref.name)) < 0)
            return -1;
    }
    return 0;
}

struct prb_object *critical_get(struct critical_stage *stage, const struct prb_ref *ref)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(stage->api, ref, NULL, &object, &err) == 0 ? object : NULL;
}

int critical_delete(struct critical_stage *stage, const struct prb_ref *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = critical_get(stage, ref);
    struct prb_error err;

    if (!object)
        return critical_fail(stage, "%s is not there to be deleted", ref->name);
    if (prb_api_delete(stage->api, ref,
                &(struct prb_delete_options){
                        .uid = prb_object_uid(object), .propagation = PRB_PROPAGATE_BACKGROUND },
                &err) < 0)
        return critical_fail(stage, "delete %s: %s", ref->name, err.msg);
    return 0;
}

int critical_release(struct critical_stage *stage, const struct prb_ref *ref)
{
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("{'metadata':{'finalizers':null}}");
    struct prb_error err;

    if (prb_api_patch(stage->api, ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err) < 0)
        return critical_fail(stage, "release %s: %s", ref->name, err.msg);
    return 0;
}

static void remove_quietly(struct critical_stage *stage, const struct prb_ref *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = critical_get(stage, ref);
    struct prb_error err;

    if (object)
        (void)prb_api_delete(stage->api, ref,
                &(struct prb_delete_options){ .uid = prb_object_uid(object) }, &err);
}

static void remove_services(struct critical_stage *stage)
{
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    if (prb_api_list_all(stage->api, &prb_critical_services, NULL, 1000, &page, &err) < 0)
        return;
    for (size_t i = 0; i < page.count; i++) {
        struct prb_ref ref;

        if (prb_starts_with(prb_object_name(page.objects[i]), stage->id) &&
                prb_object_ref_in(page.objects[i], &prb_critical_services, &ref))
            remove_quietly(stage, &ref);
    }
}

void critical_stage_close(struct critical_stage *stage)
{
    struct prb_gvr gvr = critical_cr(stage, 0).gvr;
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    remove_quietly(stage, &stage->refs[CRITICAL_WEBHOOK]); /* first: it refuses the rest */
    remove_services(stage);
    if (prb_api_list_all(stage->api, &gvr, NULL, 10000, &page, &err) == 0) {
        for (size_t i = 0; i < page.count; i++) {
            struct prb_ref ref;

            if (prb_object_ref_in(page.objects[i], &gvr, &ref))
                (void)critical_release(stage, &ref);
        }
    }
    remove_quietly(stage, &stage->refs[CRITICAL_DEFINITION]);
    remove_quietly(stage, &stage->refs[CRITICAL_HOME]);
}
