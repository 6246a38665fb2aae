/* What does a scene do to policies and objects? */

#include "scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/policy.h"

#include "support/api_objects.h"
#include "support/json_text.h"

/* A policy of some dozens of templates. */
#define TEXT_MAX ((size_t)1024 * 1024)

int scene_fail(struct scene *scene, const char *fmt, ...)
{
    va_list args;

    if (scene->why[0])
        return -1;
    va_start(args, fmt);
    (void)vsnprintf(scene->why, PRB_TEST_WHY_SIZE, fmt, args);
    va_end(args);
    return -1;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written to later */
int scene_open(struct scene *scene, struct stage *stage, char *why)
{
    prb_autofree char *second = NULL;
    struct prb_error err;

    *scene = (struct scene){ .stage = stage, .place = stage->place, .why = why };
    prb_test_unique_name("p", scene->id);
    second = prb_asprintf("%s-b", scene->id);
    if (prb_test_namespace_create(scene->place->direct, scene->id, &err) < 0 ||
            prb_test_namespace_create(scene->place->direct, second, &err) < 0)
        return scene_fail(scene, "%s", err.msg);
    return 0;
}

/* Policies that a row has left behind would keep Probate busy. */
static void delete_policies(struct scene *scene)
{
    const struct prb_list_options options = { .namespace = scene_policies(scene) };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;
    struct prb_ref ref;

    prb_page_init(&page);
    if (prb_api_list(scene->place->direct, &place_policies, &options, &page, &err) < 0)
        return;
    for (size_t i = 0; i < page.count; i++) {
        if (prb_object_ref_in(page.objects[i], &place_policies, &ref) &&
                (!scene->stage->policies || prb_starts_with(ref.name, scene->id)))
            (void)prb_api_delete(scene->place->direct, &ref,
                    &(struct prb_delete_options){ .uid = prb_object_uid(page.objects[i]) }, &err);
    }
}

/* Its namespaces go with the control plane: to delete dozens of them keeps it from all else. */
void scene_close(struct scene *scene)
{
    delete_policies(scene);
}

struct json_object *scene_json(const struct scene *scene, const char *text)
{
    prb_auto(prb_str_done) struct prb_str out;

    prb_str_init(&out, TEXT_MAX);
    for (const char *at = text; *at; at++) {
        if (*at == '@')
            prb_str_add(&out, scene->id);
        else
            prb_str_addc(&out, *at);
    }
    return prb_test_json("%s", prb_str_get(&out));
}

static struct prb_ref make_ref(const struct prb_gvr *gvr, const char *namespace, const char *name)
{
    struct prb_ref ref = { .name = "" };

    if (!prb_ref_init(&ref, gvr, namespace, name)) {
        (void)fprintf(stderr, "%s %s cannot be named\n", gvr->resource, name);
        abort();
    }
    return ref;
}

static struct prb_gvr parse(const char *gvr)
{
    struct prb_gvr parsed = { .version = "" };

    if (!prb_gvr_parse(gvr, &parsed)) {
        (void)fprintf(stderr, "%s is no resource\n", gvr);
        abort();
    }
    return parsed;
}

const char *scene_policies(const struct scene *scene)
{
    return scene->stage->policies ? scene->stage->policies : scene->id;
}

struct prb_ref scene_policy(const struct scene *scene, const char *policy)
{
    prb_autofree char *own = prb_asprintf("%s-%s", scene->id, policy);

    return make_ref(&place_policies, scene_policies(scene), scene->stage->policies ? own : policy);
}

struct prb_ref scene_cm(const struct scene *scene, const char *name)
{
    return scene_in(scene, "configmaps.v1", name);
}

struct prb_ref scene_cm_b(const struct scene *scene, const char *name)
{
    prb_autofree char *namespace = prb_asprintf("%s-b", scene->id);
    struct prb_gvr gvr = parse("configmaps.v1");

    return make_ref(&gvr, namespace, name);
}

struct prb_ref scene_in(const struct scene *scene, const char *gvr, const char *name)
{
    struct prb_gvr parsed = parse(gvr);

    return make_ref(&parsed, scene->id, name);
}

struct prb_ref scene_global(const struct scene *scene, const char *gvr, const char *name)
{
    struct prb_gvr parsed = parse(gvr);
    prb_autofree char *own = prb_asprintf("%s%s", name, scene->id);

    return make_ref(&parsed, NULL, own);
}

int scene_make(struct scene *scene, const struct prb_ref *ref, const char *text)
{
    prb_auto(prb_json_free) struct json_object *body = scene_json(scene, text);
    struct prb_error err;

    return prb_api_create(scene->place->direct, ref, body, NULL, NULL, &err) < 0
                   ? scene_fail(scene, "make %s: %s", ref->name, err.msg)
                   : 0;
}

int scene_make_policy_with(
        struct scene *scene, const char *policy, const char *metadata, const char *spec)
{
    struct prb_ref ref = scene_policy(scene, policy);
    prb_autofree char *text = prb_asprintf("{'apiVersion':'" PRB_POLICY_GROUP "/v1','kind':"
                                           "'ConfigurationPolicy','metadata':{'name':'%s',"
                                           "'namespace':'%s'%s%s},'spec':{%s}}",
            ref.name, ref.namespace, *metadata ? "," : "", metadata, spec);

    return scene_make(scene, &ref, text);
}

int scene_make_policy(struct scene *scene, const char *policy, const char *spec)
{
    return scene_make_policy_with(scene, policy, "", spec);
}

int scene_patch(struct scene *scene, const struct prb_ref *ref, const char *text)
{
    prb_auto(prb_json_free) struct json_object *body = scene_json(scene, text);
    struct prb_error err;

    return prb_api_patch(scene->place->direct, ref, PRB_PATCH_MERGE, body,
                   &(struct prb_write_options){ .field_manager = "somebody-else" }, NULL, &err) < 0
                   ? scene_fail(scene, "change %s: %s", ref->name, err.msg)
                   : 0;
}

int scene_patch_policy(struct scene *scene, const char *policy, const char *text)
{
    struct prb_ref ref = scene_policy(scene, policy);

    return scene_patch(scene, &ref, text);
}

struct prb_object *scene_get(struct scene *scene, const struct prb_ref *ref)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(scene->place->direct, ref, NULL, &object, &err) == 0 ? object : NULL;
}

struct prb_object *scene_get_policy(struct scene *scene, const char *policy)
{
    struct prb_ref ref = scene_policy(scene, policy);

    return scene_get(scene, &ref);
}

int scene_delete(struct scene *scene, const struct prb_ref *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = scene_get(scene, ref);
    struct prb_error err;

    if (!object)
        return scene_fail(scene, "%s is not there to be deleted", ref->name);
    return prb_api_delete(scene->place->direct, ref,
                   &(struct prb_delete_options){
                           .uid = prb_object_uid(object), .propagation = PRB_PROPAGATE_BACKGROUND },
                   &err) < 0
                   ? scene_fail(scene, "delete %s: %s", ref->name, err.msg)
                   : 0;
}

int scene_delete_policy(struct scene *scene, const char *policy)
{
    struct prb_ref ref = scene_policy(scene, policy);

    return scene_delete(scene, &ref);
}

int scene_release(struct scene *scene, const struct prb_ref *ref)
{
    return scene_patch(scene, ref, "{'metadata':{'finalizers':null}}");
}
