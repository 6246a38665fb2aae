/* What does a scene do to works and objects? */

#include "scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "support/api_objects.h"
#include "support/json_text.h"
#include "support/wait.h"

/* A work of 500 KiB, and as much again. */
#define TEXT_MAX ((size_t)1024 * 1024)

#define WORKS "manifestworks.v1." PRB_WORK_GROUP
#define APPLIED "appliedmanifestworks.v1." PRB_WORK_GROUP

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

int scene_open(struct scene *scene, struct ends *ends, struct loop *loop, char *why)
{
    struct prb_error err;

    *scene = (struct scene){ .ends = ends, .loop = loop };
    scene->why = why;
    prb_test_unique_name("w", scene->id);
    if (prb_test_namespace_create(ends->spoke->direct, scene->id, &err) < 0)
        return scene_fail(scene, "%s", err.msg);
    return 0;
}

/* Works that a row has left behind would keep the agent busy. How many there are. */
static size_t delete_works(struct scene *scene)
{
    size_t count = 0;
    const struct prb_list_options options = { .namespace = scene->loop->settings.cluster_name,
        .metadata_only = true };
    struct prb_ref ref = scene_work(scene, "");
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    if (prb_api_list(scene->ends->hub->direct, &ref.gvr, &options, &page, &err) < 0)
        return 0;
    for (size_t i = 0; i < page.count; i++) {
        const struct prb_object *work = page.objects[i];

        if (!prb_starts_with(prb_object_name(work), scene->id))
            continue;
        count++;
        if (!prb_object_is_deleting(work) && prb_object_ref_in(work, &ref.gvr, &ref))
            (void)prb_api_delete(scene->ends->hub->direct, &ref,
                    &(struct prb_delete_options){ .uid = prb_object_uid(work) }, &err);
    }
    return count;
}

static bool has_no_works(void *ctx)
{
    return delete_works(ctx) == 0;
}

/* Its own agent has to clean up before it goes. */
void scene_close(struct scene *scene)
{
    (void)delete_works(scene);
    if (scene->own.sides)
        (void)prb_test_await(
                "the works of the scene are gone", has_no_works, scene, PRB_TEST_PROMPT_MS);
    scene_stop(scene);
    if (scene->loop == &scene->own)
        prb_test_namespace_delete(scene->ends->hub->direct, scene->own.settings.cluster_name);
    prb_test_namespace_delete(scene->ends->spoke->direct, scene->id);
}

int scene_hire(struct scene *scene)
{
    prb_autofree char *cluster = prb_asprintf("c-%s", scene->id);
    prb_autofree char *url = prb_asprintf("https://hub-of-%s.example.org", scene->id);
    struct prb_error err;

    loop_init(&scene->own, cluster, url, scene->id);
    scene->loop = &scene->own;
    return prb_test_namespace_create(scene->ends->hub->direct, cluster, &err) < 0
                   ? scene_fail(scene, "%s", err.msg)
                   : 0;
}

int scene_start(struct scene *scene)
{
    struct prb_error err;

    return loop_start(&scene->own, scene->ends, &err) < 0 ? scene_fail(scene, "%s", err.msg) : 0;
}

void scene_stop(struct scene *scene)
{
    loop_stop(&scene->own);
}

void scene_move(struct scene *scene, const char *url, const char *agent_id)
{
    struct prb_work_settings before = scene->own.settings;

    loop_init(&scene->own, before.cluster_name, url, agent_id);
    scene->own.settings.eviction_grace_ms = before.eviction_grace_ms;
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

static struct prb_ref make_ref(const char *gvr, const char *namespace, const char *name)
{
    struct prb_gvr parsed = { .version = "" };
    struct prb_ref ref = { .name = "" };

    if (!prb_gvr_parse(gvr, &parsed) || !prb_ref_init(&ref, &parsed, namespace, name)) {
        (void)fprintf(stderr, "%s %s cannot be named\n", gvr, name);
        abort();
    }
    return ref;
}

struct prb_ref scene_work(const struct scene *scene, const char *work)
{
    prb_autofree char *name = prb_asprintf("%s-%s", scene->id, work);

    return make_ref(WORKS, scene->loop->settings.cluster_name, name);
}

struct prb_ref scene_applied(const struct scene *scene, const char *work)
{
    prb_autofree char *name =
            prb_asprintf("%s-%s-%s", scene->loop->settings.hub_hash, scene->id, work);

    return make_ref(APPLIED, NULL, name);
}

struct prb_ref scene_cm(const struct scene *scene, const char *name)
{
    return scene_in(scene, "configmaps.v1", name);
}

struct prb_ref scene_in(const struct scene *scene, const char *gvr, const char *name)
{
    return make_ref(gvr, scene->id, name);
}

struct prb_ref scene_global(const struct scene *scene, const char *gvr, const char *name)
{
    (void)scene;
    return make_ref(gvr, NULL, name);
}

static int create(struct scene *scene, struct end *end, const struct prb_ref *ref, const char *text)
{
    prb_auto(prb_json_free) struct json_object *body = scene_json(scene, text);
    struct prb_error err;

    return prb_api_create(end->direct, ref, body, NULL, NULL, &err) < 0
                   ? scene_fail(scene, "make %s: %s", ref->name, err.msg)
                   : 0;
}

int scene_make_work_with(
        struct scene *scene, const char *work, const char *metadata, const char *spec)
{
    struct prb_ref ref = scene_work(scene, work);
    prb_autofree char *text = prb_asprintf("{'apiVersion':'" PRB_WORK_GROUP "/v1','kind':"
                                           "'ManifestWork','metadata':{'name':'%s','namespace':"
                                           "'%s'%s%s},'spec':{%s}}",
            ref.name, ref.namespace, *metadata ? "," : "", metadata, spec);

    return create(scene, scene->ends->hub, &ref, text);
}

int scene_make_work(struct scene *scene, const char *work, const char *spec)
{
    return scene_make_work_with(scene, work, "", spec);
}

int scene_make(struct scene *scene, const struct prb_ref *ref, const char *object)
{
    return create(scene, scene->ends->spoke, ref, object);
}

static int patch(struct scene *scene, struct end *end, const struct prb_ref *ref, const char *text,
        const char *subresource)
{
    prb_auto(prb_json_free) struct json_object *body = scene_json(scene, text);
    struct prb_error err;

    return prb_api_patch(end->direct, ref, PRB_PATCH_MERGE, body,
                   &(struct prb_write_options){
                           .subresource = subresource, .field_manager = "somebody-else" },
                   NULL, &err) < 0
                   ? scene_fail(scene, "change %s: %s", ref->name, err.msg)
                   : 0;
}

int scene_patch_work(struct scene *scene, const char *work, const char *text)
{
    struct prb_ref ref = scene_work(scene, work);

    return patch(scene, scene->ends->hub, &ref, text, NULL);
}

int scene_patch(struct scene *scene, const struct prb_ref *ref, const char *text)
{
    return patch(scene, scene->ends->spoke, ref, text, NULL);
}

int scene_patch_status(struct scene *scene, const struct prb_ref *ref, const char *text)
{
    return patch(scene, scene->ends->spoke, ref, text, "status");
}

static struct prb_object *get(const struct end *end, const struct prb_ref *ref)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    return prb_api_get(end->direct, ref, NULL, &object, &err) == 0 ? object : NULL;
}

struct prb_object *scene_get(struct scene *scene, const struct prb_ref *ref)
{
    return get(scene->ends->spoke, ref);
}

struct prb_object *scene_get_work(struct scene *scene, const char *work)
{
    struct prb_ref ref = scene_work(scene, work);

    return get(scene->ends->hub, &ref);
}

static int take_away(struct scene *scene, struct end *end, const struct prb_ref *ref)
{
    prb_auto(prb_object_unref) struct prb_object *object = get(end, ref);
    struct prb_error err;

    if (!object)
        return scene_fail(scene, "%s is not there to be deleted", ref->name);
    return prb_api_delete(end->direct, ref,
                   &(struct prb_delete_options){
                           .uid = prb_object_uid(object), .propagation = PRB_PROPAGATE_BACKGROUND },
                   &err) < 0
                   ? scene_fail(scene, "delete %s: %s", ref->name, err.msg)
                   : 0;
}

int scene_delete_work(struct scene *scene, const char *work)
{
    struct prb_ref ref = scene_work(scene, work);

    return take_away(scene, scene->ends->hub, &ref);
}

int scene_delete(struct scene *scene, const struct prb_ref *ref)
{
    return take_away(scene, scene->ends->spoke, ref);
}

int scene_release(struct scene *scene, const struct prb_ref *ref)
{
    return scene_patch(scene, ref, "{'metadata':{'finalizers':null}}");
}
