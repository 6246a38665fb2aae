/* What is in the world of the design's example? */

#include "world.h"

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/critical_service.h"
#include "probate/model/patch.h"

#include "support/api_objects.h"
#include "support/json_text.h"
#include "support/wait.h"

/* Of 15 ms each, between two tries to make something. */
#define PAUSES_MAX 32

static struct prb_ref ref_of(const struct prb_gvr *gvr, const char *namespace, const char *name)
{
    struct prb_ref ref;

    if (!prb_ref_init(&ref, gvr, namespace, name)) {
        (void)fprintf(stderr, "%s cannot be a name\n", name);
        abort();
    }
    return ref;
}

void world_init(struct world *world, struct prb_api *api, const char *id)
{
    static const struct prb_gvr crds = { "apiextensions.k8s.io", "v1",
        "customresourcedefinitions" };
    const char *dash = id[0] ? "-" : "", *dot = id[0] ? "." : "";
    struct prb_gvr crs = { .version = "v1", .resource = "coolresources" };
    char name[PRB_NAMESPACE_SIZE], definition[PRB_NAME_SIZE];

    *world = (struct world){ .api = api };
    (void)prb_copy(world->id, sizeof(world->id), id);
    (void)snprintf(world->group, sizeof(world->group), "%s%smy.crd.group", id, dot);
    (void)snprintf(world->finalizer, sizeof(world->finalizer), "%s/super-important", world->group);
    (void)snprintf(world->team, sizeof(world->team), "%s%steam", id, dash);
    (void)prb_copy(crs.group, sizeof(crs.group), world->group);
    (void)snprintf(definition, sizeof(definition), "coolresources.%.200s", world->group);

    world->refs[CR] = ref_of(&crs, world->team, "some-instance");
    world->refs[CRD] = ref_of(&crds, NULL, definition);
    (void)snprintf(name, sizeof(name), "%s%sfinalizer-namespace", id, dash);
    world->refs[NAMESPACE] = ref_of(&prb_namespaces, NULL, name);
    world->refs[DEPLOYMENT] = ref_of(&prb_deployments, name, "finalizer-deployment");
    (void)snprintf(name, sizeof(name), "%s%sfor-finalizer-deployment", id, dash);
    world->refs[SERVICE] = ref_of(&prb_critical_services, NULL, name);
}

void world_done(struct world *world)
{
    for (size_t i = 0; i < THINGS; i++)
        free(prb_take(world->uids[i]));
}

static struct json_object *definition_of(const struct world *world)
{
    return prb_test_json(
            "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
            "'metadata':{'name':'%s'},'spec':{'group':'%s','scope':'Namespaced','names':{"
            "'kind':'CoolResource','listKind':'CoolResourceList','plural':'coolresources',"
            "'singular':'coolresource'},'versions':[{'name':'v1','served':true,'storage':true,"
            "'schema':{'openAPIV3Schema':{'type':'object'}}}]}}",
            world->refs[CRD].name, world->group);
}

static struct json_object *instance_of(const struct world *world)
{
    return prb_test_json("{'apiVersion':'%s/v1','kind':'CoolResource','metadata':{'name':'%s',"
                         "'namespace':'%s','finalizers':['%s']}}",
            world->group, world->refs[CR].name, world->team, world->finalizer);
}

/* Without pods, which on a control plane without kubelets never run anyway. */
static struct json_object *deployment_of(const struct world *world)
{
    return prb_test_json(
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'%s','namespace':'%s'},"
            "'spec':{'replicas':0,'selector':{'matchLabels':{'app':'finalizer'}},'template':{"
            "'metadata':{'labels':{'app':'finalizer'}},'spec':{'containers':[{'name':'finalizer',"
            "'image':'example.org/finalizer'}]}}}}",
            world->refs[DEPLOYMENT].name, world->refs[DEPLOYMENT].namespace);
}

/* As in the design, the kind where a plural belongs included. */
static struct json_object *service_of(const struct world *world)
{
    return prb_test_json(
            "{'apiVersion':'probate.dev/v1alpha1','kind':'CriticalService','metadata':{"
            "'name':'%s'},'spec':{'provider':{'group':'apps','resource':'deployments',"
            "'namespace':'%s','name':'%s'},'criteria':[{'type':'Finalizer','finalizer':{"
            "'group':'%s','resource':'coolresources','finalizerName':'%s'}},"
            "{'type':'SpecificResource','specificResource':{'group':'apiextensions.k8s.io',"
            "'resource':'CustomResourceDefinition','name':'%s'}}]}}",
            world->refs[SERVICE].name, world->refs[DEPLOYMENT].namespace,
            world->refs[DEPLOYMENT].name, world->group, world->finalizer, world->refs[CRD].name);
}

static struct json_object *namespace_of(const struct world *world)
{
    return prb_test_json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}",
            world->refs[NAMESPACE].name);
}

struct json_object *world_object(const struct world *world, enum thing thing)
{
    static struct json_object *(*const makers[THINGS])(const struct world *world) = {
        [CR] = instance_of,
        [CRD] = definition_of,
        [DEPLOYMENT] = deployment_of,
        [NAMESPACE] = namespace_of,
        [SERVICE] = service_of,
    };

    return makers[thing](world);
}

/* Ever longer pauses between tries, until the patience is over (false). */
struct tries {
    struct prb_test_wait wait;
    int pauses;
};

static bool try_again(struct tries *tries)
{
    if (!prb_test_wait_in_time(&tries->wait))
        return false;
    for (int i = 0; i < tries->pauses; i++)
        prb_test_pause();
    tries->pauses = tries->pauses < PAUSES_MAX ? tries->pauses * 2 : PAUSES_MAX;
    return true;
}

/* Make one. A kind is served a moment after its CRD is stored, and a namespace is open a moment
 * after it is: so what fails is tried again. */
static int create(struct world *world, enum thing thing, int patience_ms, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = world_object(world, thing);
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct tries tries = { prb_test_wait_for(patience_ms, "the %s is made", thing_name(thing)), 1 };
    int r;

    do {
        r = prb_api_create(world->api, &world->refs[thing], body, NULL, &object, err);
        (void)prb_test_saw("%s", r < 0 ? err->msg : "");
    } while (r < 0 && try_again(&tries));
    if (r < 0)
        return prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
    world->uids[thing] = prb_strdup(prb_object_uid(object));
    return 0;
}

static bool is_established(const struct prb_object *definition)
{
    const struct json_object *conditions =
            prb_json_arr(prb_object_status(definition), "conditions");

    for (size_t i = 0; i < prb_json_len(conditions); i++) {
        const struct json_object *condition = prb_json_elem(conditions, i);

        if (prb_streq(prb_json_str(condition, "type"), "Established"))
            return prb_streq(prb_json_str(condition, "status"), "True");
    }
    return false;
}

/* A CRD is served before it is established, and one that is deleted before it is takes its
 * finalizer off at once, whatever instances there are: Kubernetes leaves them behind. */
static int wait_established(struct world *world, int patience_ms, struct prb_error *err)
{
    struct tries tries = { prb_test_wait_for(patience_ms, "the CRD is established"), 1 };

    do {
        prb_auto(prb_object_unref) struct prb_object *definition = world_get(world, CRD);

        if (definition && is_established(definition))
            return 0;
    } while (try_again(&tries));
    return prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

int world_create(struct world *world, int patience_ms, struct prb_error *err)
{
    if (prb_test_namespace_create(world->api, world->team, err) < 0 ||
            create(world, NAMESPACE, patience_ms, err) < 0 ||
            create(world, CRD, patience_ms, err) < 0 ||
            create(world, DEPLOYMENT, patience_ms, err) < 0 ||
            wait_established(world, patience_ms, err) < 0 ||
            create(world, CR, patience_ms, err) < 0)
        return err->code;
    return create(world, SERVICE, patience_ms, err);
}

struct prb_object *world_get(const struct world *world, enum thing thing)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(world->api, &world->refs[thing], NULL, &object, &err) == 0 ? object : NULL;
}

int world_release(const struct world *world, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *instance = world_get(world, CR);
    prb_auto(prb_json_free) struct json_object *patch =
            instance ? prb_patch_remove_finalizer(instance, world->finalizer) : NULL;

    if (!patch)
        return prb_fail(err, PRB_E_NOTFOUND, "there is no CR with the finalizer");
    return prb_api_patch(world->api, &world->refs[CR], PRB_PATCH_JSON, patch, NULL, NULL, err);
}
