/* What do most tests ask a scripted server? */

#include "caller.h"

#include <stdlib.h>

#include "probate/base/mem.h"

const struct prb_ref prb_test_a = {
    .gvr = { .version = "v1", .resource = "configmaps" },
    .namespace = "ns",
    .name = "a",
};

void prb_test_caller_start(struct prb_test_caller *caller, const char *token_file,
        const struct prb_kube_options *options)
{
    char source[] = "test";
    prb_autofree char *file = prb_strdup(token_file);
    struct prb_kube_config config = { .token_file = file, .source = source };
    struct prb_error err;

    caller->server = prb_test_server_start();
    config.server = prb_test_server_url(caller->server);
    if (prb_kube_open(&config, options, &caller->api, &err) < 0)
        abort();
}

void prb_test_caller_stop(struct prb_test_caller *caller)
{
    prb_api_close(caller->api);
    prb_test_server_stop(caller->server);
}

int prb_test_get(struct prb_api *api, int timeout_ms, struct prb_error *err)
{
    const struct prb_get_options options = { .timeout_ms = timeout_ms };
    prb_auto(prb_object_unref) struct prb_object *object = NULL;

    *err = (struct prb_error){ .code = PRB_OK };
    return prb_api_get(api, &prb_test_a, &options, &object, err);
}

int prb_test_create(struct prb_api *api, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();

    prb_json_set_str(prb_json_ensure_obj(body, "metadata"), "name", "a");
    *err = (struct prb_error){ .code = PRB_OK };
    return prb_api_create(api, &prb_test_a, body, NULL, NULL, err);
}
