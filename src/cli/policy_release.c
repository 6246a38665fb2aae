/* Which policies does a finalizer of ours hold for nobody? */

#include "policy_release.h"

#include <stdlib.h>

#include "probate/base/clock.h"
#include "probate/base/json.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/patch.h"
#include "probate/model/policy.h"
#include "probate/reconcilers/policy.h"

#include "remove.h"

/* When the server did not answer, or a policy was changed meanwhile: it has settled by then. */
#define AGAIN_MS INT64_C(10000)

/* Short, since the end of the program waits for it. */
#define CALL_MS 5000

static const struct prb_gvr policies = { PRB_POLICY_GROUP, "v1", "configurationpolicies" };

static bool is_stray(const struct prb_policy_release *release, const struct prb_object *policy)
{
    return !prb_streq(prb_object_namespace(policy), release->keep) &&
           prb_object_has_finalizer(policy, PRB_POLICY_FINALIZER) &&
           prb_remove_is_ours(policy, PRB_POLICY_FINALIZER);
}

static void tell(const struct prb_policy_release *release, const struct prb_object *policy)
{
    prb_autofree char *note = prb_asprintf(
            "Probate carries out the policies of namespace %s only. Its finalizer %s is taken off "
            "this one, and nothing is pruned",
            release->keep, PRB_POLICY_FINALIZER);
    const struct prb_event event = { .api_version = PRB_POLICY_GROUP "/v1",
        .kind = PRB_POLICY_KIND,
        .namespace = prb_object_namespace(policy),
        .name = prb_object_name(policy),
        .uid = prb_object_uid(policy),
        .warning = true,
        .reason = "PolicyReleased",
        .note = note };

    prb_recorder_event(release->recorder, &event);
    prb_info("a finalizer of Probate is taken off a policy that is not carried out",
            KV("namespace", event.namespace), KV("policy", event.name));
}

/* Only if it is as it was seen: another manager may have set the finalizer since. */
static void take_off(struct prb_policy_release *release, const struct prb_object *policy)
{
    const struct prb_write_options options = {
        .resource_version = prb_object_resource_version(policy), .timeout_ms = CALL_MS
    };
    prb_auto(prb_json_free) struct json_object *patch =
            prb_patch_remove_finalizer(policy, PRB_POLICY_FINALIZER);
    struct prb_error err;
    struct prb_ref ref;
    int r;

    if (!patch || !prb_object_ref_in(policy, &policies, &ref))
        return;
    r = prb_api_patch(release->api, &ref, PRB_PATCH_JSON, patch, &options, NULL, &err);
    if (r == 0) {
        tell(release, policy);
    } else if (r == PRB_E_CONFLICT || prb_errc_is_transient((enum prb_errc)r)) {
        release->again = true;
    } else if (r != PRB_E_NOTFOUND) {
        prb_warn("a finalizer of Probate stays on a policy that is not carried out: 'probate "
                 "remove' takes it off, or do so by hand",
                KV("namespace", ref.namespace), KV("policy", ref.name), KV("error", err.msg));
    }
}

static int see_to_page(
        struct prb_policy_release *release, const struct prb_page *page, struct prb_error *err)
{
    for (size_t i = 0; i < page->count; i++) {
        if (!release->go_on(release->ctx))
            return prb_fail(err, PRB_E_CANCELLED, "it may not go on");
        if (is_stray(release, page->objects[i]))
            take_off(release, page->objects[i]);
    }
    return 0;
}

int prb_policy_release_sweep(struct prb_policy_release *release, struct prb_error *err)
{
    prb_autofree char *next = NULL;

    release->again = false;
    do {
        const struct prb_list_options options = {
            .metadata_only = true, .keep_managed_fields = true, .next = next, .timeout_ms = CALL_MS
        };
        prb_auto(prb_page_done) struct prb_page page;
        int r;

        prb_page_init(&page);
        r = prb_api_list(release->api, &policies, &options, &page, err);
        if (r == 0)
            r = see_to_page(release, &page, err);
        if (r < 0)
            return r;
        free(next);
        next = prb_take(page.next);
    } while (next);
    return 0;
}

void prb_policy_release_tend(struct prb_policy_release *release)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t now_ms = clock->mono_ms(clock);
    struct prb_error err;
    int r;

    if (release->done || now_ms < release->due_ms || !release->go_on(release->ctx))
        return;
    r = prb_policy_release_sweep(release, &err);
    release->due_ms = now_ms + AGAIN_MS;

    /* Without such a kind there are no policies. */
    release->done = (r == 0 && !release->again) || r == PRB_E_NOTFOUND || r == PRB_E_FORBIDDEN ||
                    r == PRB_E_UNAUTHORIZED;
    if (r < 0 && r != PRB_E_NOTFOUND && r != PRB_E_CANCELLED)
        prb_warn("whether policies outside of --policy-namespace have a finalizer of Probate could "
                 "not be seen: such a policy stays when it is deleted, until 'probate remove' or "
                 "somebody takes it off",
                KV("namespace", release->keep), KV("error", err.msg));
}
