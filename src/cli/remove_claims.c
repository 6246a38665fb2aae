/* Which finalizers of ours are on claims, whatever their kinds are called here? */

#include <stdlib.h>

#include "probate/base/str.h"
#include "probate/reconcilers/claims.h"

#include "remove.h"

static const struct prb_gvr definitions = { PRB_DEFINITION_GROUP, "v1", PRB_DEFINITION_RESOURCE };

const struct prb_right prb_remove_definition_rights[] = {
    { PRB_DEFINITION_GROUP, PRB_DEFINITION_RESOURCE, "list" },
};
const size_t prb_remove_definition_right_count =
        sizeof(prb_remove_definition_rights) / sizeof(prb_remove_definition_rights[0]);

/* Whoever never ran the controller of claims need not have rights on them: what may not be seen,
 * and nobody named, is told of, and does not count as left. */
static bool may_see(struct prb_removal *removal, const struct prb_gvr *gvr)
{
    const struct prb_list_options options = {
        .metadata_only = true, .limit = 1, .timeout_ms = PRB_REMOVE_CALL_MS
    };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;
    int r;

    prb_page_init(&page);
    r = prb_api_list(removal->api, gvr, &options, &page, &err);
    if (r == PRB_E_FORBIDDEN)
        prb_remove_say(removal,
                "leave %s.%s alone, which may not be listed: if the controller claims ever ran, "
                "finalizers of Probate may be left there",
                gvr->resource, gvr->group);
    return r != PRB_E_FORBIDDEN;
}

static void sweep_kind(
        struct prb_removal *removal, const char *group, const char *plural, bool named)
{
    struct prb_trace trace = {
        .step = PRB_REMOVE_CLAIMS, .what = plural, .find = prb_remove_finalizer
    };
    struct prb_resource found;
    struct prb_error err;
    int r = prb_api_resolve(removal->api, group, plural, &found, &err);

    if (r == PRB_E_NOTFOUND)
        return;
    if (r < 0) {
        prb_remove_fail(removal, plural, &err);
        return;
    }
    trace.gvr = found.gvr;
    if (named || may_see(removal, &trace.gvr))
        prb_remove_sweep(removal, &trace);
}

static bool is_named(const struct prb_removal *removal, const char *group, const char *plural)
{
    for (size_t i = 0; i < removal->claim_count; i++) {
        if (prb_streq(removal->claims[i].group, group) &&
                prb_streq(removal->claims[i].resource, plural))
            return true;
    }
    return false;
}

static void sweep_defined(struct prb_removal *removal, const struct prb_object *definition)
{
    const struct json_object *spec = prb_object_spec(definition);
    const char *group = prb_json_str(spec, "group");
    const char *plural = prb_json_str(prb_json_obj(spec, "claimNames"), "plural");

    if (group && plural && !is_named(removal, group, plural))
        sweep_kind(removal, group, plural, false);
}

static void sweep_definitions(struct prb_removal *removal)
{
    prb_autofree char *next = NULL;

    do {
        const struct prb_list_options options = { .next = next, .timeout_ms = PRB_REMOVE_CALL_MS };
        prb_auto(prb_page_done) struct prb_page page;
        struct prb_error err;
        int r;

        prb_page_init(&page);
        r = prb_api_list(removal->api, &definitions, &options, &page, &err);
        if (r == PRB_E_NOTFOUND || r == PRB_E_FORBIDDEN)
            return; /* no claims, or no rights, which who runs the controller has */
        if (r < 0) {
            prb_remove_fail(removal, "CompositeResourceDefinitions", &err);
            return;
        }
        for (size_t i = 0; i < page.count && prb_remove_goes_on(removal); i++)
            sweep_defined(removal, page.objects[i]);
        free(next);
        next = prb_take(page.next);
    } while (next && prb_remove_goes_on(removal));
}

void prb_remove_claims(struct prb_removal *removal)
{
    for (size_t i = 0; i < removal->claim_count && prb_remove_goes_on(removal); i++)
        sweep_kind(removal, removal->claims[i].group, removal->claims[i].resource, true);
    if (prb_remove_goes_on(removal))
        sweep_definitions(removal);
}
