/* Which bytes does an API server send for a write? */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "gate.h"

#define SERVICE_ACCOUNT "system:serviceaccount:"

/* Two objects of some MB, each six times as long in the end. */
#define REVIEW_MAX ((size_t)128 * 1024 * 1024)

static void set_kind(struct json_object *request, const struct prb_resource *resource)
{
    static const char *const kinds[] = { "kind", "requestKind" };
    static const char *const resources[] = { "resource", "requestResource" };

    for (size_t i = 0; i < 2; i++) {
        struct json_object *kind = prb_json_ensure_obj(request, kinds[i]);
        struct json_object *where = prb_json_ensure_obj(request, resources[i]);

        prb_json_set_str(kind, "group", resource->gvr.group);
        prb_json_set_str(kind, "version", resource->gvr.version);
        prb_json_set_str(kind, "kind", resource->kind);
        prb_json_set_str(where, "group", resource->gvr.group);
        prb_json_set_str(where, "version", resource->gvr.version);
        prb_json_set_str(where, "resource", resource->gvr.resource);
    }
}

static struct json_object *user_info(const char *user)
{
    struct json_object *info = json_object_new_object(), *groups = json_object_new_array();

    if (prb_starts_with(user, SERVICE_ACCOUNT))
        prb_json_push(groups, json_object_new_string("system:serviceaccounts"));
    prb_json_push(groups, json_object_new_string("system:authenticated"));
    prb_json_set_str(info, "username", user);
    prb_json_set(info, "groups", groups);
    return info;
}

static void set_object(
        struct json_object *request, const char *key, const struct prb_object *object)
{
    prb_json_set(request, key, object ? prb_object_copy(object) : NULL);
}

/* As Go prints it: these are six bytes each. */
static void escape(const char *text, struct prb_str *out)
{
    for (; *text; text++) {
        size_t plain = strcspn(text, "<>&");

        prb_str_addn(out, text, plain);
        text += plain;
        if (*text == '\0')
            return;
        prb_str_addf(out, "\\u%04x", (unsigned)*text);
    }
}

char *gate_review(const struct prb_hub_write *write)
{
    prb_auto(prb_json_free) struct json_object *review = json_object_new_object();
    prb_autofree char *text = NULL;
    struct json_object *request;
    prb_auto(prb_str_done) struct prb_str out;
    char uid[PRB_UUID_SIZE];

    prb_json_set_str(review, "kind", "AdmissionReview");
    prb_json_set_str(review, "apiVersion", "admission.k8s.io/v1");
    request = prb_json_ensure_obj(review, "request");
    prb_random_uuid(uid);
    prb_json_set_str(request, "uid", uid);
    set_kind(request, write->resource);
    if (write->subresource[0])
        prb_json_set_str(request, "subResource", write->subresource);
    prb_json_set_str(request, "name", write->name);
    if (write->namespace[0])
        prb_json_set_str(request, "namespace", write->namespace);
    prb_json_set_str(request, "operation", write->operation);
    prb_json_set(request, "userInfo", user_info(write->user));
    set_object(request, "object", write->object);
    set_object(request, "oldObject", write->old);
    prb_json_set_bool(request, "dryRun", write->dry_run);
    prb_json_set(request, "options", NULL);
    text = prb_json_text(review, false);
    prb_str_init(&out, REVIEW_MAX);
    escape(text, &out);
    return prb_str_take(&out);
}
