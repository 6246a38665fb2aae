/* Does the API server ask Probate, and get an answer? */

#include "selftest_call.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/random.h"
#include "probate/base/str.h"
#include "probate/rules/registry.h"

#define CLOCK_PREFIX "probate-clock-"

/* Both prefixes, and a random number in hexadecimal digits. */
#define NAME_SIZE 64

static const struct prb_gvr leases = { "coordination.k8s.io", "v1", "leases" };

static struct json_object *make_lease(const struct prb_ref *ref, bool labelled)
{
    struct json_object *lease = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(lease, "metadata");

    prb_json_set_str(lease, "apiVersion", "coordination.k8s.io/v1");
    prb_json_set_str(lease, "kind", "Lease");
    prb_json_set_str(metadata, "name", ref->name);
    prb_json_set_str(metadata, "namespace", ref->namespace);
    if (labelled)
        prb_json_set_str(prb_json_ensure_obj(metadata, "labels"), PRB_SELFTEST_LABEL, "true");
    return lease;
}

static int create(struct prb_api *api, const struct prb_ref *ref, bool labelled, int timeout_ms,
        struct prb_object **ret, struct prb_error *err)
{
    const struct prb_write_options options = { .dry_run = true, .timeout_ms = timeout_ms };
    prb_auto(prb_json_free) struct json_object *lease = make_lease(ref, labelled);

    return prb_api_create(api, ref, lease, &options, ret, err);
}

static int make_ref(
        const char *namespace, const char *prefix, struct prb_ref *ret, struct prb_error *err)
{
    char name[NAME_SIZE];

    (void)snprintf(name, sizeof(name), "%s%016llx", prefix, (unsigned long long)prb_random_u64());
    return prb_ref_init(ret, &leases, namespace, name)
                   ? 0
                   : prb_fail(err, PRB_E_INVALID, "\"%s\" is no namespace", namespace);
}

/* By its own words, with a name that nobody else can know. */
static bool is_answer(const struct prb_error *err, const char *name)
{
    return err->code == PRB_E_FORBIDDEN && strstr(err->msg, PRB_SELFTEST_ANSWER) &&
           strstr(err->msg, name);
}

/* In every version since webhooks exist: failed calling webhook "NAME": REASON. */
static bool is_failed_call(const struct prb_error *err)
{
    return strstr(err->msg, "failed calling webhook") || strstr(err->msg, "denied the request");
}

enum prb_selftest prb_selftest_call(
        struct prb_api *api, const char *namespace, int timeout_ms, struct prb_error *why)
{
    struct prb_ref ref;
    int r = make_ref(namespace, PRB_SELFTEST_PREFIX, &ref, why);

    if (r < 0)
        return PRB_SELFTEST_UNKNOWN;
    r = create(api, &ref, true, timeout_ms, NULL, why);
    if (r == 0) {
        (void)prb_fail(why, PRB_E_UNAVAILABLE,
                "the API server did not ask Probate: there is no webhook \"selftest.probate.dev\", "
                "or it fails open and could not be called");
        return PRB_SELFTEST_UNASKED;
    }
    if (is_answer(why, ref.name))
        return PRB_SELFTEST_ANSWERED;
    return is_failed_call(why) ? PRB_SELFTEST_FAILED : PRB_SELFTEST_UNKNOWN;
}

int prb_server_time(struct prb_api *api, const char *namespace, int timeout_ms, int64_t *ret_ms,
        struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *lease = NULL;
    struct prb_ref ref;
    int64_t ms;
    int r = make_ref(namespace, CLOCK_PREFIX, &ref, err);

    if (r == 0)
        r = create(api, &ref, false, timeout_ms, &lease, err);
    if (r < 0)
        return r;
    ms = prb_object_created_at_ms(lease);
    if (ms == 0)
        return prb_fail(err, PRB_E_UNSUPPORTED, "the server does not say when an object was made");
    *ret_ms = ms;
    return 0;
}
