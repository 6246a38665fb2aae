/* How do the rules come to judge what is written to the embedded API server? */

#include "embedded.h"

#include <stdlib.h>
#include <string.h>

#include "probate/admission/engine.h"
#include "probate/admission/review.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "manifest.h"
#include "registered.h"

/* As the registration that is given the longest time. Nothing here is far away; this is for a
 * machine that is out of breath. */
#define DEADLINE_MS 25000

#define SERVICE_ACCOUNT "system:serviceaccount:"

struct prb_embedded {
    struct prb_embedded_options options;
    struct prb_judge judge;
    struct prb_engine engine;
    struct prb_review_reader *reader;  /* owned */
    struct prb_registered *registered; /* owned */
};

static struct prb_view *open_view(void *ctx)
{
    return prb_wiring_view(ctx);
}

/* Enough of a request to find its registrations. */
static struct prb_request *sketch(const struct prb_hub_write *write)
{
    static const enum prb_operation operations[] = { PRB_CREATE, PRB_UPDATE, PRB_DELETE };
    struct prb_request *request = prb_calloc(1, sizeof(*request));

    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        if (prb_streq(prb_operation_name(operations[i]), write->operation))
            request->operation = operations[i];
    }
    request->gvr = write->resource->gvr;
    request->kind = prb_strdup(write->resource->kind);
    request->subresource = prb_strdup(write->subresource);
    request->name = prb_strdup(write->name);
    request->namespace = prb_strdup(write->namespace);
    request->object = write->object ? prb_object_ref(write->object) : NULL;
    request->old = write->old ? prb_object_ref(write->old) : NULL;
    return request;
}

static void set_object(
        struct json_object *request, const char *key, const struct prb_object *object)
{
    if (object)
        prb_json_set(request, key, prb_object_copy(object));
}

static void add_group(struct json_object *groups, const char *group)
{
    prb_json_push(groups, json_object_new_string(group));
}

/* The groups that a user has by being what it is. */
static struct json_object *user_info(const char *user)
{
    struct json_object *info = json_object_new_object(), *groups = json_object_new_array();
    prb_autofree char *of_namespace = NULL;

    if (prb_starts_with(user, SERVICE_ACCOUNT)) {
        const char *namespace = user + strlen(SERVICE_ACCOUNT);

        of_namespace = prb_asprintf(
                "system:serviceaccounts:%.*s", (int)strcspn(namespace, ":"), namespace);
        add_group(groups, "system:serviceaccounts");
        add_group(groups, of_namespace);
    }
    add_group(groups, "system:authenticated");
    prb_json_set_str(info, "username", user);
    prb_json_set(info, "groups", groups);
    return info;
}

static void set_kind(struct json_object *request, const struct prb_resource *resource)
{
    struct json_object *kind = prb_json_ensure_obj(request, "kind");
    struct json_object *where = prb_json_ensure_obj(request, "resource");

    prb_json_set_str(kind, "group", resource->gvr.group);
    prb_json_set_str(kind, "version", resource->gvr.version);
    prb_json_set_str(kind, "kind", resource->kind);
    prb_json_set_str(where, "group", resource->gvr.group);
    prb_json_set_str(where, "version", resource->gvr.version);
    prb_json_set_str(where, "resource", resource->gvr.resource);
}

/* What the API server would send. */
static struct json_object *review_of(const struct prb_hub_write *write)
{
    struct json_object *review = json_object_new_object(), *request;
    char uid[PRB_UUID_SIZE];

    prb_json_set_str(review, "apiVersion", "admission.k8s.io/v1");
    prb_json_set_str(review, "kind", "AdmissionReview");
    request = prb_json_ensure_obj(review, "request");
    prb_random_uuid(uid);
    prb_json_set_str(request, "uid", uid);
    set_kind(request, write->resource);
    prb_json_set_str(request, "subResource", write->subresource);
    prb_json_set_str(request, "operation", write->operation);
    prb_json_set_str(request, "name", write->name);
    prb_json_set_str(request, "namespace", write->namespace);
    prb_json_set_bool(request, "dryRun", write->dry_run);
    prb_json_set(request, "userInfo", user_info(write->user));
    set_object(request, "object", write->object);
    set_object(request, "oldObject", write->old);
    return review;
}

/* What the client is answered. */
static int answer(const struct prb_verdict *verdict, struct prb_error *err)
{
    static const enum prb_errc codes[] = {
        [PRB_DENY_NOT] = PRB_OK,
        [PRB_DENY_FORBIDDEN] = PRB_E_FORBIDDEN,
        [PRB_DENY_INVALID] = PRB_E_INVALID,
        [PRB_DENY_UNAVAILABLE] = PRB_E_UNAVAILABLE,
    };

    if (prb_verdict_allows(verdict))
        return 0;
    (void)prb_fail(err, codes[verdict->denial], "%s", verdict->message);
    err->status = prb_review_code(verdict);
    err->retry_after_ms = verdict->retry_after_s * 1000;
    return err->code;
}

/* One call of an API server. */
static int judge(const struct prb_embedded *embedded, const struct json_object *review,
        const struct prb_registered_call *call, struct prb_error *err)
{
    const struct prb_clock *clock = embedded->engine.clock;
    int64_t began_ms = clock->mono_ms(clock);
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_auto(prb_verdict_done) struct prb_verdict verdict;

    prb_verdict_init(&verdict);
    if (prb_review_read_tree(embedded->reader, review, &request, err) < 0)
        return prb_wrap(err, "the review cannot be read");
    request->only = prb_strdup(call->rule->name);
    request->route =
            call->rule->registrations ? call->rule->registrations[call->index].route : NULL;
    prb_engine_judge(&embedded->engine, request, began_ms + DEADLINE_MS, &verdict);
    prb_verdict_report(request, &verdict, (clock->mono_ms(clock) - began_ms) * 1000);
    prb_wiring_note(embedded->options.wiring, verdict.notes, verdict.note_count);
    return answer(&verdict, err);
}

static int admit(void *ctx, const struct prb_hub_write *write, struct prb_error *err)
{
    const struct prb_embedded *embedded = ctx;
    const struct prb_registered_source source = {
        .api = embedded->engine.api, .open_view = open_view, .ctx = embedded->options.wiring
    };
    prb_autofree struct prb_registered_call *calls =
            prb_calloc(prb_registered_count(embedded->registered) + 1, sizeof(*calls));
    prb_auto(prb_request_free) struct prb_request *request = sketch(write);
    prb_auto(prb_json_free) struct json_object *review = NULL;
    int r, count = prb_registered_find(embedded->registered, &source, request, calls, err);

    if (count <= 0)
        return count;
    review = review_of(write);
    for (int i = 0; i < count; i++) {
        r = judge(embedded, review, &calls[i], err);
        if (r < 0)
            return r;
    }
    return 0;
}

int prb_embedded_start(const struct prb_embedded_options *options, struct prb_embedded **ret,
        struct prb_error *err)
{
    struct prb_embedded *embedded;

    /* What a controller has done by then nobody has judged. */
    if (prb_wiring_has_run(options->wiring))
        return prb_fail(err, PRB_E_INTERNAL, "admission begins before the first controller");
    embedded = prb_calloc(1, sizeof(*embedded));
    embedded->options = *options;
    embedded->judge = prb_rule_choice_judge(options->choice);
    embedded->reader = prb_review_reader_new(options->choice->rules, options->choice->count);
    embedded->engine = (struct prb_engine){ .judge = &embedded->judge,
        .api = prb_hub_api_as(options->hub, PRB_EMBEDDED_USER),
        .clock = prb_clock_system(),
        .open_view = open_view,
        .ctx = options->wiring };
    if (prb_registered_new(options->choice, PRB_MANIFEST_NAMESPACE, &embedded->registered, err) <
            0) {
        prb_review_reader_free(embedded->reader);
        free(embedded);
        return err->code;
    }
    prb_hub_set_admission(options->hub, admit, embedded);
    *ret = embedded;
    return 0;
}

void prb_embedded_stop(struct prb_embedded *embedded)
{
    if (!embedded)
        return;
    prb_api_interrupt(embedded->engine.api);
    prb_hub_set_admission(embedded->options.hub, NULL, NULL);
    prb_registered_free(embedded->registered);
    prb_review_reader_free(embedded->reader);
    free(embedded);
}
