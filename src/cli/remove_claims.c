/* Which finalizers of ours are on claims, whatever their kinds are called here? */

#include <stdlib.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/reconcilers/claims.h"

#include "remove.h"

const struct prb_right prb_remove_definition_rights[] = {
    { PRB_DEFINITION_GROUP, PRB_DEFINITION_RESOURCE, "list" },
};
const size_t prb_remove_definition_right_count =
        sizeof(prb_remove_definition_rights) / sizeof(prb_remove_definition_rights[0]);

/* One round over claims. */
struct sweep {
    struct prb_removal *removal;
    struct prb_map *seen; /* borrowed: kinds that have had their turn, by the name of their CRD */
};

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

static void sweep_found(
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

/* Each kind once, by whomever it is known. */
static void sweep_kind(struct sweep *sweep, const char *group, const char *plural, bool named)
{
    prb_autofree char *name = prb_asprintf("%s.%s", plural, group);

    if (prb_map_find(sweep->seen, name))
        return;
    prb_map_set(sweep->seen, name, sweep);
    sweep_found(sweep->removal, group, plural, named);
}

static void sweep_defined(struct sweep *sweep, const struct prb_object *definition)
{
    const struct json_object *spec = prb_object_spec(definition);
    const char *group = prb_json_str(spec, "group");
    const char *plural = prb_json_str(prb_json_obj(spec, "claimNames"), "plural");

    if (group && plural)
        sweep_kind(sweep, group, plural, false);
}

/* A definition that has gone before its claims has left their kind behind. */
static void sweep_left(struct sweep *sweep, const struct prb_object *crd)
{
    struct prb_gvr kind;

    if (prb_claim_kind_of(crd, &kind))
        sweep_kind(sweep, kind.group, kind.resource, false);
}

/* Where kinds of claims are known from. */
static const struct source {
    struct prb_gvr gvr;
    const char *what;
    void (*each)(struct sweep *sweep, const struct prb_object *object);
    bool metadata_only;
} sources[] = {
    { { PRB_DEFINITION_GROUP, "v1", PRB_DEFINITION_RESOURCE }, "CompositeResourceDefinitions",
            sweep_defined, false },
    { { "apiextensions.k8s.io", "v1", "customresourcedefinitions" }, "CustomResourceDefinitions",
            sweep_left, true },
};

static void sweep_source(struct sweep *sweep, const struct source *source)
{
    struct prb_removal *removal = sweep->removal;
    prb_autofree char *next = NULL;

    do {
        const struct prb_list_options options = {
            .next = next, .metadata_only = source->metadata_only, .timeout_ms = PRB_REMOVE_CALL_MS
        };
        prb_auto(prb_page_done) struct prb_page page;
        struct prb_error err;
        int r;

        prb_page_init(&page);
        r = prb_api_list(removal->api, &source->gvr, &options, &page, &err);
        if (r == PRB_E_NOTFOUND || r == PRB_E_FORBIDDEN)
            return; /* no claims, or no rights, which who runs the controller has */
        if (r < 0) {
            prb_remove_fail(removal, source->what, &err);
            return;
        }
        for (size_t i = 0; i < page.count && prb_remove_goes_on(removal); i++)
            source->each(sweep, page.objects[i]);
        free(next);
        next = prb_take(page.next);
    } while (next && prb_remove_goes_on(removal));
}

void prb_remove_claims(struct prb_removal *removal)
{
    prb_auto(prb_map_free) struct prb_map *seen = prb_map_new(NULL);
    struct sweep sweep = { .removal = removal, .seen = seen };

    for (size_t i = 0; i < removal->claim_count && prb_remove_goes_on(removal); i++)
        sweep_kind(&sweep, removal->claims[i].group, removal->claims[i].resource, true);
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]) && prb_remove_goes_on(removal); i++)
        sweep_source(&sweep, &sources[i]);
}
