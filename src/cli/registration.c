/* How is Probate registered now? */

#include "registration.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/core/webhook.h"

#include "registration_internal.h"

#define DOMAIN ".probate.dev"

void prb_registered_done(struct prb_registered *registered)
{
    prb_object_unref(registered->config);
    prb_bundle_done(&registered->in_all);
    prb_bundle_done(&registered->in_any);
    *registered = (struct prb_registered){ 0 };
}

const struct json_object *prb_registered_webhooks(const struct prb_registered *registered)
{
    return registered->config ? prb_json_arr(prb_object_tree(registered->config), "webhooks")
                              : NULL;
}

bool prb_webhook_is_ours(const struct json_object *webhook)
{
    const char *name = prb_json_str(webhook, "name");
    size_t len = name ? strlen(name) : 0;

    return len > strlen(DOMAIN) && strcmp(name + len - strlen(DOMAIN), DOMAIN) == 0;
}

const char *prb_webhook_bundle(const struct json_object *webhook)
{
    const char *bundle = prb_json_str(prb_json_obj(webhook, "clientConfig"), "caBundle");

    return bundle && bundle[0] ? bundle : NULL;
}

static void gather(struct prb_registered *registered)
{
    const struct json_object *webhooks = prb_registered_webhooks(registered);
    bool first = true;

    for (size_t i = 0; i < prb_json_len(webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(webhooks, i);
        const char *text = prb_webhook_bundle(webhook);
        prb_auto(prb_bundle_done) struct prb_bundle one = { 0 };

        if (!prb_webhook_is_ours(webhook))
            continue;
        registered->blank = registered->blank || !text;
        prb_bundle_add_encoded(&one, text);
        if (one.count == 0)
            continue;
        if (first)
            prb_bundle_unite(&registered->in_all, &one);
        first = false;
        prb_bundle_intersect(&registered->in_all, &one);
        prb_bundle_unite(&registered->in_any, &one);
    }
}

int prb_registered_read(struct prb_api *api, const char *name, int timeout_ms,
        struct prb_registered *ret, struct prb_error *err)
{
    const struct prb_get_options options = { .timeout_ms = timeout_ms };
    struct prb_ref ref;
    int r;

    if (!prb_ref_init(&ref, &prb_webhook_configurations, NULL, name))
        return prb_fail(err, PRB_E_INVALID, "\"%s\" is no name of a configuration", name);
    r = prb_api_get(api, &ref, &options, &ret->config, err);
    if (r == PRB_E_NOTFOUND)
        return 0;
    if (r < 0)
        return prb_wrap(err, "read the webhook configuration %s", name);
    gather(ret);
    return 0;
}

/* Also of a rule that is called for nothing as this process is set: the registration may say more.
 */
static void add_closed(struct prb_closed *closed, const struct prb_rule_entry *entry)
{
    const struct prb_rule *rule = entry->rule;
    size_t count = rule->registrations ? rule->registration_count : 1;

    for (size_t i = 0; i < count && closed->count + closed->mild_count < PRB_WEBHOOKS_MAX; i++) {
        const struct prb_registration *one = rule->registrations ? &rule->registrations[i] : NULL;
        char *name;

        if (one && one->fail_open)
            continue;
        name = prb_asprintf("%s" DOMAIN, one && one->name ? one->name : rule->name);
        if (entry->mode == PRB_MODE_DENY) {
            closed->conditions[closed->count] = one ? one->condition : NULL;
            closed->names[closed->count++] = name;
        } else {
            closed->mild[closed->mild_count++] = name;
        }
    }
}

void prb_closed_init(struct prb_closed *closed, const struct prb_rule_choice *choice)
{
    *closed = (struct prb_closed){ 0 };
    for (size_t i = 0; i < choice->count; i++)
        add_closed(closed, &choice->entries[i]);
}

void prb_closed_done(struct prb_closed *closed)
{
    for (size_t i = 0; i < closed->count; i++)
        free(closed->names[i]);
    for (size_t i = 0; i < closed->mild_count; i++)
        free(closed->mild[i]);
    *closed = (struct prb_closed){ 0 };
}

static bool is_among(char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (prb_streq(names[i], name))
            return true;
    }
    return false;
}

bool prb_closed_has(const struct prb_closed *closed, const char *name)
{
    return is_among(closed->names, closed->count, name);
}

bool prb_closed_lacks_condition(const struct prb_closed *closed, const struct json_object *webhook)
{
    for (size_t i = 0; i < closed->count; i++) {
        if (prb_streq(closed->names[i], prb_json_str(webhook, "name")))
            return closed->conditions[i] &&
                   !prb_webhook_has_condition(webhook, closed->conditions[i]);
    }
    return false;
}

bool prb_closed_is_mild(const struct prb_closed *closed, const char *name)
{
    return is_among(closed->mild, closed->mild_count, name);
}

size_t prb_registered_open(const struct prb_registered *registered, const struct prb_closed *closed,
        const char **ret_name)
{
    const struct json_object *webhooks = prb_registered_webhooks(registered);
    size_t count = 0;

    for (size_t i = 0; i < prb_json_len(webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(webhooks, i);
        const char *name = prb_json_str(webhook, "name");

        if (!prb_closed_has(closed, name) || prb_closed_lacks_condition(closed, webhook) ||
                prb_streq(prb_json_str(webhook, "failurePolicy"), "Fail"))
            continue;
        if (count++ == 0 && ret_name)
            *ret_name = name;
    }
    return count;
}

const char *prb_registered_unconditional(
        const struct prb_registered *registered, const struct prb_closed *closed)
{
    const struct json_object *webhooks = prb_registered_webhooks(registered);

    for (size_t i = 0; i < prb_json_len(webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(webhooks, i);

        if (prb_closed_lacks_condition(closed, webhook))
            return prb_json_str(webhook, "name");
    }
    return NULL;
}
