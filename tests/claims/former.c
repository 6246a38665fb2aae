/* What if the definition of a claim goes before the claim? */

#include "former.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/json_text.h"
#include "support/wait.h"

#define FORMER_GROUP "former.example.org"
#define NAME "last"

static const struct prb_gvr crds = { "apiextensions.k8s.io", "v1", "customresourcedefinitions" };
static const struct prb_gvr definitions = { PRB_DEFINITION_GROUP, "v1", PRB_DEFINITION_RESOURCE };

static int fail(const struct former *former, const char *what, const char *text)
{
    (void)snprintf(former->why, PRB_TEST_WHY_SIZE, "%s of a former definition: %.500s", what, text);
    return -1;
}

static struct prb_gvr gvr_of(const struct former *former, const char *prefix)
{
    prb_autofree char *plural = prb_asprintf("%s%ss", prefix, former->noun);
    struct prb_gvr gvr;

    (void)prb_gvr_init(&gvr, FORMER_GROUP, "v1", plural);
    return gvr;
}

static struct prb_ref claim_of(const struct former *former)
{
    const struct prb_gvr gvr = gvr_of(former, "");
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &gvr, NAMESPACE, NAME);
    return ref;
}

static struct prb_ref definition_of(const struct former *former)
{
    prb_autofree char *name = prb_asprintf("x%ss." FORMER_GROUP, former->noun);
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &definitions, NULL, name);
    return ref;
}

static int make(struct former *former, const struct prb_ref *ref, struct json_object *body_taken,
        struct prb_object **ret)
{
    prb_auto(prb_json_free) struct json_object *body = body_taken;
    struct prb_error err;

    if (prb_api_create(former->stage->direct, ref, body, NULL, ret, &err) < 0)
        return fail(former, ref->gvr.resource, err.msg);
    return 0;
}

/* As Crossplane makes them; `prefix` "x", "X" for composites, else "". */
static int make_kind(struct former *former, const struct prb_object *definition, const char *prefix,
        const char *kind_prefix)
{
    const struct prb_gvr gvr = gvr_of(former, prefix);
    prb_autofree char *name = prb_asprintf("%s." FORMER_GROUP, gvr.resource);
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &crds, NULL, name);
    return make(former, &ref,
            prb_test_json(
                    "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
                    "'metadata':{'name':'%s','ownerReferences':[{'apiVersion':"
                    "'" PRB_DEFINITION_GROUP "/v1','kind':'CompositeResourceDefinition',"
                    "'name':'%s','uid':'%s','controller':true,'blockOwnerDeletion':true}]},"
                    "'spec':{'group':'" FORMER_GROUP "','scope':'%s','names':{'kind':'%s%s',"
                    "'plural':'%s'},'versions':[{'name':'v1','served':true,'storage':true,"
                    "'subresources':{'status':{}},'schema':{'openAPIV3Schema':{'type':'object',"
                    "'x-kubernetes-preserve-unknown-fields':true}}}]}}",
                    name, prb_object_name(definition), prb_object_uid(definition),
                    prefix[0] ? "Cluster" : "Namespaced", kind_prefix, former->kind, gvr.resource),
            NULL);
}

static int make_kinds(struct former *former)
{
    const struct prb_ref ref = definition_of(former);
    prb_auto(prb_object_unref) struct prb_object *definition = NULL;

    DO(make(former, &ref,
            prb_test_json("{'apiVersion':'" PRB_DEFINITION_GROUP "/v1','kind':"
                          "'CompositeResourceDefinition','metadata':{'name':'%s'},'spec':{"
                          "'group':'" FORMER_GROUP "','names':{'kind':'X%s','plural':'x%ss'},"
                          "'claimNames':{'kind':'%s','plural':'%ss'},'versions':[{'name':'v1',"
                          "'served':true,'referenceable':true}]}}",
                    ref.name, former->kind, former->noun, former->kind, former->noun),
            &definition));
    DO(make_kind(former, definition, "x", "X"));
    return make_kind(former, definition, "", "");
}

/* What is asked again and again. */
struct question {
    struct former *former;
    struct prb_gvr gvr;
};

static bool is_served(void *ctx)
{
    const struct question *question = ctx;
    struct prb_api *api = question->former->stage->direct;
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    prb_api_forget(api, FORMER_GROUP);
    return prb_api_list(api, &question->gvr, NULL, &page, &err) == 0 || prb_test_saw("%s", err.msg);
}

static int await_served(struct former *former, const char *prefix)
{
    struct question question = { .former = former, .gvr = gvr_of(former, prefix) };

    return prb_test_await("the kind is served", is_served, &question, PRB_TEST_SOON_MS)
                   ? 0
                   : fail(former, question.gvr.resource, prb_test_awaited());
}

static int make_all(struct former *former)
{
    const struct prb_ref claim = claim_of(former);
    const struct prb_gvr gvr = gvr_of(former, "x");
    struct prb_ref composite;

    (void)prb_ref_init(&composite, &gvr, NULL, NAME);
    DO(make_kinds(former));
    DO(await_served(former, "x"));
    DO(await_served(former, ""));
    DO(make(former, &composite,
            prb_test_json("{'apiVersion':'" FORMER_GROUP
                          "/v1','kind':'X%s','metadata':{'name':'" NAME
                          "'},'spec':{'claimRef':{'apiVersion':'" FORMER_GROUP "/v1',"
                          "'kind':'%s','namespace':'" NAMESPACE "','name':'" NAME "'}}}",
                    former->kind, former->kind),
            NULL));
    return make(former, &claim,
            prb_test_json("{'apiVersion':'" FORMER_GROUP
                          "/v1','kind':'%s','metadata':{'name':'" NAME "','namespace':'" NAMESPACE
                          "','finalizers':['" PRB_CLAIM_FINALIZER
                          "'],'annotations':{'" PRB_ANNOTATION_PAUSED
                          "':'true'}},'spec':{'compositeDeletePolicy':'Foreground','resourceRef':{"
                          "'apiVersion':'" FORMER_GROUP "/v1','kind':'X%s','name':'" NAME "'}}}",
                    former->kind, former->kind),
            NULL);
}

static int delete_it(struct former *former, const struct prb_ref *ref)
{
    struct prb_api *api = former->stage->direct;
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_delete_options options = { .propagation = PRB_PROPAGATE_BACKGROUND };
    struct prb_error err;

    if (prb_api_get(api, ref, NULL, &object, &err) < 0)
        return fail(former, ref->gvr.resource, err.msg);
    options.uid = prb_object_uid(object);
    return prb_api_delete(api, ref, &options, &err) < 0 ? fail(former, ref->gvr.resource, err.msg)
                                                        : 0;
}

int former_begin(struct former *former)
{
    const struct prb_ref claim = claim_of(former), definition = definition_of(former);

    DO(make_all(former));
    DO(delete_it(former, &claim));
    return delete_it(former, &definition);
}

/* By its plural nobody looks for it while there is a definition, which has the kind. */
struct search {
    const char *plural;
    bool found;
};

static void look_at(void *ctx, const char *controller, const struct prb_known_resource *known,
        bool read, size_t objects)
{
    struct search *search = ctx;

    (void)controller;
    (void)objects;
    if (read && prb_streq(known->group, FORMER_GROUP) && prb_streq(known->name, search->plural))
        search->found = true;
}

static bool is_known(void *ctx)
{
    const struct question *question = ctx;
    struct search search = { .plural = question->gvr.resource };

    prb_runner_each_wanted(question->former->stage->runner, look_at, &search);
    return search.found;
}

int former_await_known(struct former *former)
{
    struct question question = { .former = former, .gvr = gvr_of(former, "") };

    return prb_test_await(
                   "the kind is read without its definition", is_known, &question, PRB_TEST_SOON_MS)
                   ? 0
                   : fail(former, question.gvr.resource, prb_test_awaited());
}

int former_resume(struct former *former)
{
    const struct prb_ref ref = claim_of(former);
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("{'metadata':{'annotations':{'" PRB_ANNOTATION_PAUSED "':null}}}");
    struct prb_error err;

    if (prb_api_patch(former->stage->direct, &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err) < 0)
        return fail(former, ref.gvr.resource, err.msg);
    return 0;
}

static bool is_gone(void *ctx)
{
    const struct question *question = ctx;
    const struct prb_ref ref = claim_of(question->former);
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_error err;

    if (prb_api_get(question->former->stage->direct, &ref, NULL, &object, &err) == PRB_E_NOTFOUND)
        return true;
    return prb_test_saw("%s", object ? "it is there" : err.msg);
}

int former_await_end(struct former *former)
{
    struct question question = { .former = former };

    return prb_test_await("the claim is gone", is_gone, &question, PRB_TEST_SOON_MS)
                   ? 0
                   : fail(former, former->kind, prb_test_awaited());
}
