/* Which objects does a stage consist of, and how are they made and taken away? */

#include "stage_objects.h"

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/api_objects.h"
#include "support/json_text.h"
#include "twin.h"

void stage_bystander(const struct stage *stage, const char *name, char whole[PRB_NAME_SIZE])
{
    (void)snprintf(whole, PRB_NAME_SIZE, "%s-%s", stage->world, name);
}

struct prb_object *stage_get(struct stage *stage, const char *name)
{
    struct prb_ref ref = prb_test_configmap(stage->ns, name);
    struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(stage->api, &ref, NULL, &object, &err) == 0 ? object : NULL;
}

bool stage_is_gone(struct stage *stage, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_ref ref = prb_test_configmap(stage->ns, name);
    struct prb_error err;

    return prb_api_get(stage->api, &ref, NULL, &object, &err) == PRB_E_NOTFOUND;
}

int stage_delete(struct stage *stage, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = stage_get(stage, name);
    struct prb_ref ref = prb_test_configmap(stage->ns, name);
    struct prb_error err;

    if (!object)
        return stage_fail(stage, "%s is not there to be deleted", name);
    if (prb_api_delete(stage->api, &ref,
                &(struct prb_delete_options){
                        .uid = prb_object_uid(object), .propagation = PRB_PROPAGATE_BACKGROUND },
                &err) < 0)
        return stage_fail(stage, "%s", err.msg);
    return 0;
}

/* `labels` and `finalizers` are JSON. */
static int make(struct stage *stage, const char *name, const char *labels, const char *finalizers,
        struct prb_object **ret)
{
    struct prb_ref ref = prb_test_configmap(stage->ns, name);
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s','namespace':'%s',"
            "'labels':%s,'finalizers':%s},'data':{'k':'v'}}",
            name, stage->ns, labels, finalizers);
    struct prb_error err;

    if (prb_api_create(stage->api, &ref, body, NULL, ret, &err) < 0)
        return stage_fail(stage, "create: %s", err.msg);
    return 0;
}

/* An original and its twin, the twin first: an original is never seen without it. */
static int make_pair(struct stage *stage, const char *name, const char *finalizers)
{
    prb_autofree char *twin = prb_asprintf("%s-twin", name);
    prb_autofree char *labels = prb_asprintf("{'%s':'%s'}", TWIN_WORLD, stage->world);
    prb_autofree char *twin_labels =
            prb_asprintf("{'%s':'%s','%s':'%s'}", TWIN_WORLD, stage->world, TWIN_OF, name);

    if (make(stage, twin, twin_labels, "[]", NULL) < 0)
        return -1;
    return make(stage, name, labels, finalizers, NULL);
}

static int make_lonely_twin(struct stage *stage)
{
    prb_autofree char *labels = prb_asprintf(
            "{'%s':'%s','%s':'%s-never'}", TWIN_WORLD, stage->world, TWIN_OF, stage->world);
    char name[PRB_NAME_SIZE];

    stage_bystander(stage, "lonely-twin", name);
    return make(stage, name, labels, "[]", NULL);
}

/* The ones in no world and in another, of which nobody is to touch a hair. */
static int make_strangers(struct stage *stage)
{
    prb_autofree char *other_labels = prb_asprintf("{'%s':'%s-x'}", TWIN_WORLD, stage->world);
    prb_auto(prb_object_unref) struct prb_object *plain = NULL;
    prb_auto(prb_object_unref) struct prb_object *other = NULL;
    char name[PRB_NAME_SIZE];

    stage_bystander(stage, "plain", name);
    if (make(stage, name, "{}", "[]", &plain) < 0)
        return -1;
    stage_bystander(stage, "other", name);
    if (make(stage, name, other_labels, "['" TWIN_FINALIZER "']", NULL) < 0 ||
            stage_delete(stage, name) < 0)
        return -1;
    other = stage_get(stage, name);
    if (!other)
        return stage_fail(stage, "%s went although it has a finalizer", name);
    stage->plain_version = prb_strdup(prb_object_resource_version(plain));
    stage->other_version = prb_strdup(prb_object_resource_version(other));
    return 0;
}

int stage_make_objects(struct stage *stage)
{
    char name[PRB_NAME_SIZE];

    for (int i = 0; i < stage->pairs; i++) {
        stage_name(stage, i, false, name);
        if (make_pair(stage, name, "[]") < 0)
            return -1;
    }
    stage_bystander(stage, "keeper", name);
    if (make_pair(stage, name, "['" STAGE_FOREIGN "']") < 0)
        return -1;
    return make_lonely_twin(stage) < 0 || make_strangers(stage) < 0 ? -1 : 0;
}

/* Take finalizers off and delete, whatever of it is possible. */
static void remove_one(struct stage *stage, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = stage_get(stage, name);
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("{'metadata':{'finalizers':null}}");
    struct prb_ref ref = prb_test_configmap(stage->ns, name);
    struct prb_error err;

    if (!object)
        return;
    (void)prb_api_patch(stage->api, &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err);
    (void)prb_api_delete(
            stage->api, &ref, &(struct prb_delete_options){ .uid = prb_object_uid(object) }, &err);
}

void stage_remove_objects(struct stage *stage)
{
    static const char *const others[] = { "keeper", "keeper-twin", "lonely-twin", "other",
        "plain" };
    char name[PRB_NAME_SIZE];

    for (int i = 0; i < 2 * stage->pairs; i++) {
        stage_name(stage, i / 2, i % 2 != 0, name);
        remove_one(stage, name);
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        stage_bystander(stage, others[i], name);
        remove_one(stage, name);
    }
}
