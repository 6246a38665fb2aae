/* How do the CAs get into their Secret, and out of it? */

#include "ca_secret.h"

#include <string.h>

#include "probate/base/mem.h"

static const struct prb_gvr secrets = { "", "v1", "secrets" };

void prb_ca_secret_done(struct prb_ca_secret *secret)
{
    prb_object_unref(secret->object);
    prb_authorities_done(&secret->authorities);
    *secret = (struct prb_ca_secret){ 0 };
}

int prb_ca_secret_read(struct prb_api *api, const struct prb_ref *ref, int timeout_ms,
        struct prb_ca_secret *ret, struct prb_error *err)
{
    const struct prb_get_options options = { .timeout_ms = timeout_ms };
    const struct json_object *data = NULL;
    int r = prb_api_get(api, ref, &options, &ret->object, err);

    if (r < 0 && r != PRB_E_NOTFOUND)
        return prb_wrap(err, "read the Secret %s/%s", ref->namespace, ref->name);
    if (ret->object)
        data = prb_json_obj(prb_object_tree(ret->object), "data");
    prb_authorities_read(data, &ret->authorities);
    return 0;
}

static struct json_object *make(const struct prb_ref *ref)
{
    struct json_object *secret = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(secret, "metadata");

    prb_json_set_str(secret, "apiVersion", "v1");
    prb_json_set_str(secret, "kind", "Secret");
    prb_json_set_str(secret, "type", "Opaque");
    prb_json_set_str(metadata, "name", ref->name);
    prb_json_set_str(metadata, "namespace", ref->namespace);
    return secret;
}

int prb_ca_secret_write(struct prb_api *api, const struct prb_ref *ref, int timeout_ms,
        const struct prb_ca_secret *secret, struct prb_error *err)
{
    const struct prb_write_options options = { .timeout_ms = timeout_ms };
    prb_auto(prb_json_free) struct json_object *body =
            secret->object ? prb_object_copy(secret->object) : make(ref);
    int r;

    prb_json_set(body, "data", prb_authorities_write(&secret->authorities));
    r = secret->object ? prb_api_update(api, ref, body, &options, NULL, err)
                       : prb_api_create(api, ref, body, &options, NULL, err);
    return r < 0 ? prb_wrap(err, "write the Secret %s/%s", ref->namespace, ref->name) : 0;
}

int prb_ca_secret_parse(const char *text, struct prb_ref *ret, struct prb_error *err)
{
    const char *slash = strchr(text, '/');
    prb_autofree char *namespace = slash ? prb_strndup(text, (size_t)(slash - text)) : NULL;

    if (!slash || slash == text || !prb_ref_init(ret, &secrets, namespace, slash + 1))
        return prb_fail(err, PRB_E_INVALID,
                "--certs-secret: \"%s\" is not of the form NAMESPACE/NAME", text);
    return 0;
}
