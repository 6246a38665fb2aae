/* What does an API server do between a write and its storage? */

#include "gate.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/critical_service.h"
#include "probate/model/selector.h"

#include "../admission/cert_files.h"
#include "../admission/https_client.h"
#include "manifest.h"

#define HEAD_MAX ((size_t)1024)

struct gate {
    struct prb_hub *hub;            /* borrowed */
    struct prb_api *eye;            /* borrowed: where Namespaces are */
    struct json_object *webhooks;   /* owned; only read */
    struct json_object *configured; /* owned: what they are part of */
    gnutls_certificate_credentials_t trust;
    bool keeps_conditions;
    atomic_uint port;
};

/* ---- is a write for a webhook? ---- */

static bool has_text(const struct json_object *list, const char *text)
{
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const char *item = prb_json_string(prb_json_elem(list, i));

        if (prb_streq(item, text) || prb_streq(item, "*"))
            return true;
    }
    return false;
}

static bool covers(const struct json_object *webhook, const struct prb_hub_write *write)
{
    const struct json_object *rules = prb_json_arr(webhook, "rules");
    prb_autofree char *resource = prb_asprintf("%s%s%s", write->resource->gvr.resource,
            write->subresource[0] ? "/" : "", write->subresource);

    for (size_t i = 0; i < prb_json_len(rules); i++) {
        const struct json_object *rule = prb_json_elem(rules, i);

        if (has_text(prb_json_arr(rule, "operations"), write->operation) &&
                has_text(prb_json_arr(rule, "apiGroups"), write->resource->gvr.group) &&
                has_text(prb_json_arr(rule, "resources"), resource))
            return true;
    }
    return false;
}

static bool selects(const struct json_object *webhook, const char *member,
        const struct prb_object *one, const struct prb_object *other)
{
    prb_auto(prb_selector_free) struct prb_selector *selector = NULL;
    const struct json_object *json = prb_json_obj(webhook, member);
    struct prb_error err;

    if (!json)
        return true;
    if (prb_selector_from_json(json, &selector, &err) < 0) {
        (void)fprintf(stderr, "%s cannot be read: %s\n", member, err.msg);
        abort();
    }
    return (one && prb_selector_matches(selector, one)) ||
           (other && prb_selector_matches(selector, other));
}

static bool is_about_namespace(const struct prb_hub_write *write)
{
    return prb_streq(write->resource->gvr.group, "") &&
           prb_streq(write->resource->gvr.resource, "namespaces");
}

/* With the label that Kubernetes puts on each. */
static struct prb_object *name_it(const struct prb_object *namespace, const char *name)
{
    struct json_object *tree = namespace ? prb_object_copy(namespace) : json_object_new_object(),
                       *metadata;
    struct prb_object *named = NULL;
    struct prb_error err;

    metadata = prb_json_ensure_obj(tree, "metadata");
    prb_json_set_str(metadata, "name", name);
    prb_json_set_str(prb_json_ensure_obj(metadata, "labels"), PRB_MANIFEST_NAME_LABEL, name);
    (void)prb_object_new(tree, &named, &err);
    return named;
}

/* The Namespace that a write is in; of a Namespace that is written, as it will be. NULL: in none.
 */
static struct prb_object *namespace_of(struct gate *gate, const struct prb_hub_write *write)
{
    const char *name = is_about_namespace(write) ? write->name : write->namespace;
    prb_auto(prb_object_unref) struct prb_object *stored = NULL;
    struct prb_error err;
    struct prb_ref ref;

    if (name[0] == '\0')
        return NULL;
    if (is_about_namespace(write) && write->object && write->subresource[0] == '\0')
        return name_it(write->object, name);
    if (prb_ref_init(&ref, &prb_namespaces, NULL, name))
        (void)prb_api_get(gate->eye, &ref, NULL, &stored, &err);
    return name_it(stored, name);
}

static bool has_label(const struct prb_object *object)
{
    return object && prb_object_label(object, PRB_LABEL_PROTECTED);
}

/* There is one expression, which is evaluated here by hand. */
static bool meets(
        struct gate *gate, const struct json_object *webhook, const struct prb_hub_write *write)
{
    const struct json_object *conditions = prb_json_arr(webhook, "matchConditions");

    if (!conditions || !gate->keeps_conditions)
        return true;
    if (prb_json_len(conditions) != 1 ||
            !prb_streq(prb_json_str(prb_json_elem(conditions, 0), "expression"),
                    PRB_LABEL_TAKEN_OFF)) {
        (void)fprintf(stderr, "the gate does not know this matchCondition\n");
        abort();
    }
    return has_label(write->old) && !has_label(write->object);
}

/* ---- asking ---- */

/* The keeper closes what has a condition where that was stored. */
static bool fails_closed(const struct gate *gate, const struct json_object *webhook)
{
    return (gate->keeps_conditions && prb_json_has(webhook, "matchConditions")) ||
           prb_streq(prb_json_str(webhook, "failurePolicy"), "Fail");
}

static const char *path_of(const struct json_object *webhook)
{
    const char *url = prb_json_str(prb_json_obj(webhook, "clientConfig"), "url");

    return strchr(url + strlen("https://"), '/');
}

static bool post(struct gate *gate, const struct json_object *webhook, const char *review,
        struct answer *ret)
{
    struct https https = { .stream = { .session = NULL } };
    prb_auto(prb_str_done) struct prb_str head;
    size_t len = strlen(review);
    int64_t timeout_s = 10;
    bool good;

    (void)prb_json_int(webhook, "timeoutSeconds", &timeout_s);
    prb_str_init(&head, HEAD_MAX);
    prb_str_addf(&head,
            "POST %s?timeout=%llds HTTP/1.1\r\nHost: probate\r\nContent-Length: %zu\r\n"
            "Accept: application/json, */*\r\nContent-Type: application/json\r\n\r\n",
            path_of(webhook), (long long)timeout_s, len);
    good = https_open(&https, (uint16_t)atomic_load(&gate->port), gate->trust) &&
           https_say(&https, prb_str_get(&head)) && https_send(&https, review, len) &&
           https_read(&https, ret);
    https_close(&https);
    return good;
}

/* A denial, as the client is told. */
static int deny(const struct json_object *response, const char *name, struct prb_error *err)
{
    const struct json_object *status = prb_json_obj(response, "status");
    const char *message = prb_json_str(status, "message");
    int64_t code = 403;

    (void)prb_json_int(status, "code", &code);
    (void)prb_fail(err,
            code == 422   ? PRB_E_INVALID
            : code == 503 ? PRB_E_UNAVAILABLE
                          : PRB_E_FORBIDDEN,
            "admission webhook \"%s\" denied the request: %s", name, message ? message : "");
    err->status = (int)code;
    return err->code;
}

static int read_answer(
        const struct answer *answer, const char *name, bool *ret_told, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *review = NULL;
    const struct json_object *response;
    struct prb_error ignored;
    bool allowed = false;

    *ret_told = answer->status == 200 && answer->body &&
                prb_json_parse(answer->body, strlen(answer->body), NULL, &review, &ignored) == 0;
    response = prb_json_obj(review, "response");
    *ret_told = *ret_told && prb_json_bool(response, "allowed", &allowed);
    return !*ret_told || allowed ? 0 : deny(response, name, err);
}

static int ask(struct gate *gate, const struct json_object *webhook, const char *review,
        struct prb_error *err)
{
    const char *name = prb_json_str(webhook, "name");
    prb_auto(answer_done) struct answer answer = { 0 };
    bool told = false;
    int r = 0;

    if (atomic_load(&gate->port) != 0 && post(gate, webhook, review, &answer))
        r = read_answer(&answer, name, &told, err);
    if (told || !fails_closed(gate, webhook))
        return r;
    (void)prb_fail(err, PRB_E_UNAVAILABLE, "failed calling webhook \"%s\": HTTP %d %.200s", name,
            answer.status, answer.body ? answer.body : "");
    err->status = 500;
    return err->code;
}

static int admit(void *ctx, const struct prb_hub_write *write, struct prb_error *err)
{
    struct gate *gate = ctx;
    prb_auto(prb_object_unref) struct prb_object *namespace = NULL;
    prb_autofree char *review = NULL;

    for (size_t i = 0; i < prb_json_len(gate->webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(gate->webhooks, i);

        if (!covers(webhook, write))
            continue;
        if (!namespace)
        namespace = namespace_of(gate, write);
        if ((namespace && !selects(webhook, "namespaceSelector", namespace, NULL)) ||
                !selects(webhook, "objectSelector", write->object, write->old) ||
                !meets(gate, webhook, write))
            continue;
        if (!review)
            review = gate_review(write);
        if (ask(gate, webhook, review, err) < 0)
            return err->code;
    }
    return 0;
}

/* ---- the whole ---- */

static void left_out(const struct prb_rule *rule)
{
    (void)rule; /* there are no claims here */
}

static struct json_object *configure(const struct gate_options *options)
{
    prb_auto(prb_json_free) struct json_object *client = json_object_new_object();

    prb_json_set_str(client, "url", "https://127.0.0.1" PRB_MANIFEST_PATH);
    return prb_manifest_webhook(&(struct prb_manifest_webhook){ .name = PRB_MANIFEST_NAME,
                                        .client = client,
                                        .namespace = PRB_MANIFEST_NAMESPACE,
                                        .conditions = true,
                                        .choice = options->choice },
            left_out);
}

struct gate *gate_open(const struct gate_options *options)
{
    struct gate *gate = prb_calloc(1, sizeof(*gate));

    gate->hub = options->hub;
    gate->eye = prb_hub_api(options->hub);
    gate->keeps_conditions = options->keeps_conditions;
    gate->configured = configure(options);
    gate->webhooks = prb_json_arr(gate->configured, "webhooks");
    gate->trust = make_client(options->certs->ca_cert, NULL, NULL);
    prb_hub_set_admission(gate->hub, admit, gate);
    return gate;
}

void gate_close(struct gate *gate)
{
    if (!gate)
        return;
    prb_hub_set_admission(gate->hub, NULL, NULL);
    gnutls_certificate_free_credentials(gate->trust);
    prb_json_free(gate->configured);
    free(gate);
}

void gate_set_port(struct gate *gate, uint16_t port)
{
    atomic_store(&gate->port, port);
}
