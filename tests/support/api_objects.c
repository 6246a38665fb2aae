/* Which objects do most tests on an API server need? */

#include "support/api_objects.h"

#include "probate/base/json.h"
#include "probate/base/str.h"

#include "support/json_text.h"

static struct prb_ref namespace_ref(const char *name)
{
    struct prb_ref ref = { .gvr = { .version = "v1", .resource = "namespaces" } };

    (void)prb_copy(ref.name, sizeof(ref.name), name);
    return ref;
}

int prb_test_namespace_create(struct prb_api *api, const char *name, struct prb_error *err)
{
    struct prb_ref ref = namespace_ref(name);
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}", name);

    return prb_api_create(api, &ref, body, NULL, NULL, err);
}

void prb_test_namespace_delete(struct prb_api *api, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_ref ref = namespace_ref(name);
    struct prb_error err;

    if (prb_api_get(api, &ref, NULL, &object, &err) == 0)
        (void)prb_api_delete(
                api, &ref, &(struct prb_delete_options){ .uid = prb_object_uid(object) }, &err);
}

struct prb_ref prb_test_configmap(const char *namespace, const char *name)
{
    struct prb_ref ref = { .gvr = { .version = "v1", .resource = "configmaps" } };

    (void)prb_copy(ref.namespace, sizeof(ref.namespace), namespace);
    (void)prb_copy(ref.name, sizeof(ref.name), name);
    return ref;
}
