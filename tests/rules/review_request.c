/* Which request does this AdmissionReview carry? */

#include "review_request.h"

#include <stdio.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

static char *text_of(const struct json_object *tree, const char *key)
{
    const char *text = prb_json_str(tree, key);

    return prb_strdup(text ? text : "");
}

static struct prb_object *object_of(const struct json_object *request, const char *key)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    if (prb_json_obj(request, key))
        (void)prb_object_draft(prb_json_copy(prb_json_obj(request, key)), &object, &err);
    return object;
}

static enum prb_operation operation_of(const char *name)
{
    static const enum prb_operation all[] = { PRB_CREATE, PRB_UPDATE, PRB_DELETE, PRB_CONNECT };

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (prb_streq(prb_operation_name(all[i]), name))
            return all[i];
    }
    (void)fprintf(stderr, "test request: no operation: %s\n", name ? name : "(none)");
    abort();
}

/* deletecollection leaves it out. */
static char *name_of(const struct json_object *source)
{
    const char *in_request = prb_json_str(source, "name");
    const struct json_object *object = prb_json_obj(source, "oldObject");

    if (in_request && in_request[0])
        return prb_strdup(in_request);
    if (!object)
        object = prb_json_obj(source, "object");
    return text_of(prb_json_obj(object, "metadata"), "name");
}

struct prb_request *prb_test_request(const struct json_object *review)
{
    const struct json_object *source = prb_json_obj(review, "request");
    const struct json_object *resource = prb_json_obj(source, "resource");
    struct prb_request *request = prb_calloc(1, sizeof(*request));

    request->uid = text_of(source, "uid");
    request->operation = operation_of(prb_json_str(source, "operation"));
    request->kind = text_of(prb_json_obj(source, "kind"), "kind");
    request->subresource = text_of(source, "subResource");
    request->name = name_of(source);
    request->namespace = text_of(source, "namespace");
    request->subject = prb_subject_new(text_of(prb_json_obj(source, "userInfo"), "username"),
            prb_strdup(""), prb_calloc(1, sizeof(char *)), NULL);
    (void)prb_json_bool(source, "dryRun", &request->dry_run);
    request->object = object_of(source, "object");
    request->old = object_of(source, "oldObject");
    if (!prb_gvr_init(&request->gvr, prb_json_str(resource, "group"),
                prb_json_str(resource, "version"), prb_json_str(resource, "resource"))) {
        (void)fprintf(stderr, "test request: no resource\n");
        abort();
    }
    return request;
}
