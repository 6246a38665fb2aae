/* How does a role look, and what binds it to a service account? */

#include "probate/base/mem.h"

#include "manifest.h"

#define RBAC_GROUP "rbac.authorization.k8s.io"

struct json_object *prb_manifest_role(const char *kind, const char *namespace, const char *name)
{
    struct json_object *role = json_object_new_object();
    struct json_object *metadata;

    prb_json_set_str(role, "apiVersion", RBAC_GROUP "/v1");
    prb_json_set_str(role, "kind", kind);
    metadata = prb_json_ensure_obj(role, "metadata");
    prb_json_set_str(metadata, "name", name);
    prb_json_set_str(metadata, "namespace", namespace);
    return role;
}

struct json_object *prb_manifest_binding(const struct prb_manifest_binding *options)
{
    prb_autofree char *kind = prb_asprintf("%sBinding", options->kind);
    struct json_object *binding = prb_manifest_role(kind, options->namespace, options->name);
    struct json_object *ref = prb_json_ensure_obj(binding, "roleRef");
    struct json_object *subjects = json_object_new_array();
    struct json_object *account = json_object_new_object();

    prb_json_set_str(ref, "apiGroup", RBAC_GROUP);
    prb_json_set_str(ref, "kind", options->kind);
    prb_json_set_str(ref, "name", options->role);
    prb_json_set_str(account, "kind", "ServiceAccount");
    prb_json_set_str(account, "name", options->account);
    prb_json_set_str(account, "namespace", options->account_namespace);
    prb_json_push(subjects, account);
    prb_json_set(binding, "subjects", subjects);
    return binding;
}
