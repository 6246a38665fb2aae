/* A hub, spoiled on request. */

#include "hub_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probate/base/log.h"
#include "probate/base/yaml.h"

struct hub_world world;

static void must(int r, const struct prb_error *err)
{
    if (r == 0)
        return;
    (void)fprintf(stderr, "hub_world: %s\n", err->msg);
    abort();
}

void world_init(void)
{
    struct prb_hub_options options = { .clock = &world.clock.clock };

    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    prb_fake_clock_init(&world.clock, 1700000000000);
    world.hub = prb_hub_new(&options);
    fault_port_init(&world.port, prb_hub_api(world.hub));
    prb_object_unref(put("namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: ns}}"));
}

void world_done(void)
{
    fault_port_done(&world.port);
    prb_hub_free(world.hub);
}

static const char *group_of(const char *resource)
{
    if (prb_streq(resource, "leases"))
        return "coordination.k8s.io";
    return prb_streq(resource, "customresourcedefinitions") ? "apiextensions.k8s.io" : "";
}

struct prb_ref ref_of(const char *resource, const char *namespace, const char *name)
{
    struct prb_gvr gvr;
    struct prb_ref ref;

    if (!prb_gvr_init(&gvr, group_of(resource), "v1", resource) ||
            !prb_ref_init(&ref, &gvr, namespace, name))
        abort();
    return ref;
}

struct prb_object *put(const char *resource, const char *yaml)
{
    prb_auto(prb_json_free) struct json_object *body = NULL;
    const struct json_object *metadata;
    struct prb_object *object = NULL;
    struct prb_error err;
    struct prb_ref ref;

    must(prb_yaml_parse(yaml, strlen(yaml), &body, &err), &err);
    metadata = prb_json_obj(body, "metadata");
    ref = ref_of(resource, prb_json_str(metadata, "namespace"), prb_json_str(metadata, "name"));
    must(prb_api_create(prb_hub_api(world.hub), &ref, body, NULL, &object, &err), &err);
    return object;
}

struct prb_object *stored(const char *resource, const char *namespace, const char *name)
{
    struct prb_ref ref = ref_of(resource, namespace, name);
    struct prb_object *object = NULL;
    struct prb_error err;
    int r = prb_api_get(prb_hub_api(world.hub), &ref, NULL, &object, &err);

    if (r == PRB_E_NOTFOUND)
        return NULL;
    must(r, &err);
    return object;
}

size_t stored_count(const char *resource)
{
    struct prb_ref ref = ref_of(resource, NULL, "any");
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    must(prb_api_list_all(prb_hub_api(world.hub), &ref.gvr, NULL, 100000, &page, &err), &err);
    return page.count;
}

const char *value_at(const struct prb_object *object, const char *pointer)
{
    static char text[2048];
    prb_autofree char *printed = NULL;
    struct json_object *node = NULL;

    text[0] = '\0';
    if (!object || !prb_json_pointer_get(prb_object_tree(object), pointer, &node))
        return text;
    if (prb_json_string(node)) {
        (void)prb_copy(text, sizeof(text), prb_json_string(node));
        return text;
    }
    printed = prb_json_text(node, true);
    (void)prb_copy(text, sizeof(text), printed);
    return text;
}
