/* How do caBundle and failurePolicy get into the configuration, and nothing else? */

#include <stdio.h>

#include "probate/base/str.h"
#include "probate/model/patch.h"
#include "probate/rules/registry.h"

#include "registration_internal.h"

const struct prb_gvr prb_webhook_configurations = { "admissionregistration.k8s.io", "v1",
    "validatingwebhookconfigurations" };

/* "/metadata/managedFields/" and an index. */
#define POINTER_SIZE 64

/* It holds up nothing but self-tests, and says what is wrong only when it fails closed. */
static bool is_selftest(const char *name)
{
    return prb_streq(name, PRB_SELFTEST_WEBHOOK);
}

/* In whatever order, but as we write it: Go does not read all that we do. */
static bool bundle_fits(const struct json_object *webhook, const struct prb_bundle *wanted)
{
    prb_auto(prb_bundle_done) struct prb_bundle there = { 0 };
    prb_autofree char *text = NULL;

    prb_bundle_add_encoded(&there, prb_webhook_bundle(webhook));
    text = prb_bundle_encoded(&there);
    return prb_bundle_equal(&there, wanted) && prb_streq(text, prb_webhook_bundle(webhook));
}

/* What failurePolicy is to be; NULL: it is not ours to say, or not yet. */
static const char *want_policy(
        const struct json_object *webhook, const struct prb_registration_wish *wish)
{
    const char *name = prb_json_str(webhook, "name");

    if (prb_closed_is_mild(wish->closed, name))
        return "Ignore";
    if (!prb_closed_has(wish->closed, name))
        return NULL;

    /* It would refuse everything it matches: also when somebody has set Fail already. */
    if (prb_closed_lacks_condition(wish->closed, webhook))
        return "Ignore";

    /* Once it fails closed it stays so: what an apply leaves out, it may take away. */
    return wish->confirmed || is_selftest(name) ||
                           prb_streq(prb_json_str(webhook, "failurePolicy"), "Fail")
                   ? "Fail"
                   : NULL;
}

/* Fields of one webhook, of which some may be ours; true: one of them is not as it should be. */
static bool add_entry(struct json_object *entries, const struct json_object *webhook,
        const struct prb_registration_wish *wish, const char *bundle_text)
{
    const char *policy = want_policy(webhook, wish);
    struct json_object *entry = json_object_new_object();
    bool differs = false;

    prb_json_set_str(entry, "name", prb_json_str(webhook, "name"));
    if (wish->bundle) {
        prb_json_set_str(prb_json_ensure_obj(entry, "clientConfig"), "caBundle", bundle_text);
        differs = !bundle_fits(webhook, wish->bundle);
    }
    if (policy) {
        prb_json_set_str(entry, "failurePolicy", policy);
        differs = differs || !prb_streq(prb_json_str(webhook, "failurePolicy"), policy);
    }
    prb_json_push(entries, entry);
    return differs;
}

struct json_object *prb_registration_apply(
        const struct prb_registered *registered, const struct prb_registration_wish *wish)
{
    const struct json_object *webhooks = prb_registered_webhooks(registered);
    prb_autofree char *text = wish->bundle ? prb_bundle_encoded(wish->bundle) : NULL;
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");
    struct json_object *entries = json_object_new_array();
    bool differs = false;

    prb_json_set(body, "webhooks", entries);
    for (size_t i = 0; i < prb_json_len(webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(webhooks, i);

        if (prb_webhook_is_ours(webhook) && add_entry(entries, webhook, wish, text))
            differs = true;
    }
    if (!differs)
        return NULL;
    prb_json_set_str(body, "apiVersion", "admissionregistration.k8s.io/v1");
    prb_json_set_str(body, "kind", "ValidatingWebhookConfiguration");
    prb_json_set_str(metadata, "name", prb_object_name(registered->config));
    prb_json_set_str(metadata, "uid", prb_object_uid(registered->config));
    return prb_take(body);
}

/* The index of what Probate has applied; false: nothing. */
static bool find_owned(const struct prb_object *config, size_t *ret)
{
    const struct json_object *entries = prb_json_arr(prb_object_metadata(config), "managedFields");

    for (size_t i = 0; i < prb_json_len(entries); i++) {
        const struct json_object *entry = prb_json_elem(entries, i);

        if (!prb_streq(prb_json_str(entry, "manager"), PRB_FIELD_MANAGER) ||
                !prb_streq(prb_json_str(entry, "operation"), "Apply"))
            continue;
        *ret = i;
        return true;
    }
    return false;
}

bool prb_registration_owns(const struct prb_registered *registered)
{
    size_t index;

    return registered->config && find_owned(registered->config, &index);
}

/* How a patch is sent. */
struct way {
    enum prb_patch_type type;
    int timeout_ms;
};

static int patch(struct prb_api *api, const struct prb_object *seen, struct way way,
        const struct json_object *body, struct prb_object **ret, struct prb_error *err)
{
    const struct prb_write_options options = { .force = way.type == PRB_PATCH_APPLY,
        .resource_version = prb_object_resource_version(seen),
        .timeout_ms = way.timeout_ms };
    struct prb_ref ref;

    if (!prb_object_ref_in(seen, &prb_webhook_configurations, &ref))
        return prb_fail(err, PRB_E_INTERNAL, "a configuration without a name");
    return prb_api_patch(api, &ref, way.type, body, &options, ret, err);
}

static int release(
        struct prb_api *api, const struct prb_object *seen, int timeout_ms, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = prb_json_patch_new();
    char pointer[POINTER_SIZE], manager[POINTER_SIZE + sizeof("/manager")];
    size_t index;

    if (!find_owned(seen, &index))
        return 0;
    (void)snprintf(pointer, sizeof(pointer), "/metadata/managedFields/%zu", index);
    (void)snprintf(manager, sizeof(manager), "%s/manager", pointer);
    prb_json_patch_add(body, "test", manager, json_object_new_string(PRB_FIELD_MANAGER));
    prb_json_patch_add(body, "remove", pointer, NULL);
    return patch(api, seen, (struct way){ PRB_PATCH_JSON, timeout_ms }, body, NULL, err);
}

int prb_registration_release(struct prb_api *api, const struct prb_registered *registered,
        int timeout_ms, struct prb_error *err)
{
    return release(api, registered->config, timeout_ms, err);
}

int prb_registration_write(struct prb_api *api, const struct prb_registered *registered,
        const struct json_object *body, int timeout_ms, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *written = NULL;
    struct prb_error later;
    int r = patch(api, registered->config, (struct way){ PRB_PATCH_APPLY, timeout_ms }, body,
            &written, err);

    /* What is not given back now is at the next look. */
    if (r == 0 && release(api, written, timeout_ms, &later) < 0)
        return 0;
    return r;
}
