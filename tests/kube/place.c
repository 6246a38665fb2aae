/* Where on the real API server may a test do as it likes? */

#include "place.h"

#include <stdio.h>

#include "support/cluster.h"
#include "support/json_text.h"
#include "support/temp_dir.h"

static const struct prb_gvr namespaces = { .version = "v1", .resource = "namespaces" };
static const struct prb_gvr configmaps = { .version = "v1", .resource = "configmaps" };

static int create_namespace(struct prb_test_place *place, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("{'metadata':{'name':'%s'}}", place->namespace);
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &namespaces, NULL, place->namespace);
    return prb_api_create(place->api, &ref, body, NULL, NULL, err);
}

bool prb_test_place_open(struct prb_test_place *place)
{
    char name[PRB_TEST_NAME_SIZE];
    struct prb_error err;

    *place = (struct prb_test_place){ .api = NULL };
    prb_test_unique_name("kube", name);
    (void)prb_copy(place->namespace, sizeof(place->namespace), name);
    if (prb_test_cluster_config(&place->config, &err) == 0 &&
            prb_kube_open(place->config, NULL, &place->api, &err) == 0 &&
            create_namespace(place, &err) == 0)
        return true;
    (void)fprintf(stderr, "%s\n", err.msg);
    return false;
}

void prb_test_place_close(struct prb_test_place *place)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = NULL;
    struct prb_error err;
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &namespaces, NULL, place->namespace);
    if (place->api && prb_api_get(place->api, &ref, NULL, &namespace, &err) == 0) {
        const struct prb_delete_options options = { .uid = prb_object_uid(namespace) };

        (void)prb_api_delete(place->api, &ref, &options, &err);
    }
    prb_api_close(place->api);
    prb_kube_config_free(place->config);
}

struct prb_ref prb_test_place_ref(const struct prb_test_place *place, const char *name)
{
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &configmaps, place->namespace, name);
    return ref;
}

int prb_test_place_add(const struct prb_test_place *place, const char *name, const char *value,
        const char *labels, struct prb_object **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("{'metadata':{'name':'%s','labels':%s},'data':{'k':'%s'}}", name,
                    labels ? labels : "{}", value);
    struct prb_ref ref = prb_test_place_ref(place, name);

    return prb_api_create(place->api, &ref, body, NULL, ret, err);
}
