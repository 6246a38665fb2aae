/* Does the API server grant accounts what their roles say? It learns of these a moment later. */

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/kube/kube.h"

#include "support/account.h"
#include "support/wait.h"

struct grant {
    const struct prb_test_account *account;
    const struct json_object *documents; /* borrowed: roles, bindings and what else there is */
    struct prb_api *api;
    struct prb_access_question question;
    struct prb_error err; /* of the last call */
};

static bool is_granted(void *ctx)
{
    struct grant *grant = ctx;
    enum prb_access access = PRB_ACCESS_DENIED;

    if (prb_api_may(grant->api, &grant->question, &access, &grant->err) < 0)
        return prb_test_saw("%s", grant->err.msg);
    return access == PRB_ACCESS_ALLOWED || prb_test_saw("it may not");
}

static int await_one(struct grant *grant, struct prb_error *err)
{
    prb_autofree char *what = prb_asprintf("%s may %s %s.%s", grant->question.user,
            grant->question.verb, grant->question.resource, grant->question.group);

    if (prb_test_await(what, is_granted, grant, PRB_TEST_SOON_MS))
        return 0;
    return prb_fail(err, PRB_E_FORBIDDEN, "%s", prb_test_awaited());
}

/* One rule of a role, with every group, resource and verb. */
static int await_rule(struct grant *grant, const struct json_object *rule, struct prb_error *err)
{
    const struct json_object *groups = prb_json_arr(rule, "apiGroups");
    const struct json_object *resources = prb_json_arr(rule, "resources");
    const struct json_object *verbs = prb_json_arr(rule, "verbs");
    size_t per_group = prb_json_len(resources) * prb_json_len(verbs);

    grant->question.name = prb_json_string(prb_json_elem(prb_json_arr(rule, "resourceNames"), 0));
    for (size_t i = 0; i < prb_json_len(groups) * per_group; i++) {
        size_t at = i % per_group;

        grant->question.group = prb_json_string(prb_json_elem(groups, i / per_group));
        grant->question.resource =
                prb_json_string(prb_json_elem(resources, at / prb_json_len(verbs)));
        grant->question.verb = prb_json_string(prb_json_elem(verbs, at % prb_json_len(verbs)));
        if (await_one(grant, err) < 0)
            return err->code;
    }
    return 0;
}

/* Is this the binding of that role? */
static bool binds(const struct json_object *binding, const struct json_object *role)
{
    const struct json_object *to = prb_json_obj(binding, "roleRef");

    return prb_streq(prb_json_str(to, "kind"), prb_json_str(role, "kind")) &&
           prb_streq(
                   prb_json_str(to, "name"), prb_json_str(prb_json_obj(role, "metadata"), "name"));
}

/* Whom a role is given to: a role that nobody is bound to is part of one of the account's. Heap. */
static char *user_of(const struct grant *grant, const struct json_object *role)
{
    const char *namespace = grant->account->namespace, *name = grant->account->name;

    for (size_t i = 0; i < prb_json_len(grant->documents); i++) {
        const struct json_object *binding = prb_json_elem(grant->documents, i);
        const struct json_object *subject = prb_json_elem(prb_json_arr(binding, "subjects"), 0);

        if (subject && binds(binding, role)) {
            namespace = prb_json_str(subject, "namespace");
            name = prb_json_str(subject, "name");
        }
    }
    return prb_asprintf("system:serviceaccount:%s:%s", namespace, name);
}

static int await_role(struct grant *grant, const struct json_object *role, struct prb_error *err)
{
    const struct json_object *rules = prb_json_arr(role, "rules");
    prb_autofree char *user = user_of(grant, role);

    grant->question = (struct prb_access_question){ .user = user,
        .namespace = prb_json_str(prb_json_obj(role, "metadata"), "namespace") };
    for (size_t i = 0; i < prb_json_len(rules); i++) {
        if (await_rule(grant, prb_json_elem(rules, i), err) < 0)
            return err->code;
    }
    return 0;
}

static int keep(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    (void)line;
    (void)err;
    prb_json_push(ctx, taken);
    return 0;
}

int prb_test_account_await(
        const struct prb_test_account *account, const char *manifests, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *documents = json_object_new_array();
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    prb_auto(prb_api_close) struct prb_api *api = NULL;
    struct grant grant = { .account = account, .documents = documents };

    if (prb_kube_config_load(account->admin, NULL, &config, err) < 0 ||
            prb_kube_open(config, NULL, &api, err) < 0 ||
            prb_yaml_read(manifests, strlen(manifests), keep, documents, err) < 0)
        return err->code;
    grant.api = api;
    for (size_t i = 0; i < prb_json_len(documents); i++) {
        if (await_role(&grant, prb_json_elem(documents, i), err) < 0)
            return err->code;
    }
    return 0;
}
