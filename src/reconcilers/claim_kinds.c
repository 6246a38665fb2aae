/* Which kinds are claims, which composites, and what do these compose? */

#include <string.h>

#include "probate/base/str.h"

#include "claim_internal.h"

const struct prb_gvr prb_claim_definitions = { PRB_DEFINITION_GROUP, "v1",
    PRB_DEFINITION_RESOURCE };

static const struct prb_claim_settings presets = { .finalizer = PRB_CLAIM_FINALIZER };

const struct prb_claim_settings *prb_claim_settings_of(const struct prb_reconciler *self)
{
    return self->settings ? self->settings : &presets;
}

/* --- definitions ------------------------------------------------------------------------------ */

/* v1 has all of them; a server without it has another. */
const struct prb_gvr *prb_claim_definitions_read(const struct prb_view *view)
{
    const struct prb_known_resource *known;

    if (prb_view_knows(view, &prb_claim_definitions))
        return &prb_claim_definitions;
    known = prb_view_resource(view, PRB_DEFINITION_GROUP, PRB_DEFINITION_RESOURCE);
    if (known && known->state == PRB_RESOURCE_PRESENT && prb_view_knows(view, &known->gvr))
        return &known->gvr;
    return NULL;
}

bool prb_claim_knows_definitions(const struct prb_view *view)
{
    const struct prb_known_resource *known =
            prb_view_resource(view, PRB_DEFINITION_GROUP, PRB_DEFINITION_RESOURCE);

    return prb_claim_definitions_read(view) || (known && known->state == PRB_RESOURCE_ABSENT);
}

void prb_claim_each_definition(const struct prb_view *view, prb_view_each_fn each, void *ctx)
{
    const struct prb_gvr *gvr = prb_claim_definitions_read(view);

    if (gvr)
        prb_view_each(view, gvr, NULL, each, ctx);
}

static const char *group_of(const struct prb_object *definition)
{
    return prb_json_str(prb_object_spec(definition), "group");
}

/* Of "names" or "claimNames": their "kind" or "plural". NULL: it has none. */
static const char *name_of(const struct prb_object *definition, const char *names, const char *key)
{
    return prb_json_str(prb_json_obj(prb_object_spec(definition), names), key);
}

/* Looks for the definition of a kind of claims. */
struct search {
    const struct prb_gvr *gvr;
    const struct prb_object *found;
};

static bool is_it(void *ctx, const struct prb_object *definition)
{
    struct search *search = ctx;

    if (prb_streq(group_of(definition), search->gvr->group) &&
            prb_streq(name_of(definition, "claimNames", "plural"), search->gvr->resource))
        search->found = definition;
    return !search->found;
}

const struct prb_object *prb_claim_definition(
        const struct prb_view *view, const struct prb_gvr *gvr)
{
    struct search search = { .gvr = gvr };

    prb_claim_each_definition(view, is_it, &search);
    return search.found;
}

bool prb_claim_is_kind(const struct prb_claim_settings *settings, const struct prb_view *view,
        const struct prb_gvr *gvr)
{
    for (size_t i = 0; i < settings->claim_count; i++) {
        if (prb_streq(settings->claims[i].group, gvr->group) &&
                prb_streq(settings->claims[i].resource, gvr->resource))
            return true;
    }
    return prb_claim_definition(view, gvr) || prb_claim_is_former(view, gvr);
}

bool prb_claim_defines(const struct prb_object *definition, const struct prb_claim_name *composite)
{
    return prb_streq(group_of(definition), composite->group) &&
           prb_streq(name_of(definition, "names", "kind"), composite->kind);
}

const struct prb_known_resource *prb_claim_find_kind(
        const struct prb_view *view, const char *group, const char *kind)
{
    const struct prb_known_resource *known =
            group && kind ? prb_view_resource(view, group, kind) : NULL;

    return known && known->state == PRB_RESOURCE_PRESENT && prb_view_knows(view, &known->gvr)
                   ? known
                   : NULL;
}

/* --- what is read ----------------------------------------------------------------------------- */

/* Who wants, and what is seen of it so far. */
struct wanting {
    const struct prb_view *view;
    void (*want)(void *ctx, const char *group, const char *resource);
    void *ctx;
};

static void want_kind(const struct wanting *wanting, const char *group, const char *kind)
{
    if (group && kind)
        wanting->want(wanting->ctx, group, kind);
}

static bool want_defined(void *ctx, const struct prb_object *definition)
{
    want_kind(ctx, group_of(definition), name_of(definition, "claimNames", "kind"));
    want_kind(ctx, group_of(definition), name_of(definition, "names", "kind"));
    return true;
}

/* Kinds of Kubernetes itself are no composites: who may write claims must not make us read Secrets
 * by naming one. */
static bool may_be_composite(const char *group)
{
    size_t len = strlen(group);

    return strchr(group, '.') && !(len > 7 && prb_streq(group + len - 7, ".k8s.io"));
}

static bool want_composite_of(void *ctx, const struct prb_object *claim)
{
    struct prb_claim_name composite;

    if (prb_claim_composite_name(claim, &composite) && may_be_composite(composite.group))
        want_kind(ctx, composite.group, composite.kind);
    return true;
}

/* Goes through claims of which no definition says what their composites are. */
struct walk {
    const struct prb_view *view;
    prb_view_each_fn each;
    void *ctx;
};

static void walk_kind(void *ctx, const char *group, const char *plural)
{
    const struct walk *walk = ctx;
    const struct prb_known_resource *known = prb_claim_find_kind(walk->view, group, plural);

    if (known && !prb_claim_definition(walk->view, &known->gvr))
        prb_view_each(walk->view, &known->gvr, NULL, walk->each, walk->ctx);
}

/* Kinds that a flag names, or a definition did that is gone. */
static void each_named(const struct prb_claim_settings *settings, const struct prb_view *view,
        prb_claim_kind_fn *each, void *ctx)
{
    for (size_t i = 0; i < settings->claim_count; i++)
        each(ctx, settings->claims[i].group, settings->claims[i].resource);
    prb_claim_each_former(view, each, ctx);
}

/* Their name is the plural; composites, when they name their claim, have the kind. */
static void want_named(void *ctx, const char *group, const char *plural)
{
    const struct wanting *wanting = ctx;
    const struct prb_known_resource *known = prb_view_resource(wanting->view, group, plural);

    wanting->want(wanting->ctx, group, plural);
    if (known && known->state == PRB_RESOURCE_PRESENT)
        wanting->want(wanting->ctx, group, known->kind);
}

void prb_claims_want_whole(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx)
{
    const struct prb_claim_settings *settings = prb_claim_settings_of(self);
    struct wanting wanting = { .view = view, .want = want, .ctx = ctx };
    struct walk walk = { .view = view, .each = want_composite_of, .ctx = &wanting };

    want(ctx, PRB_DEFINITION_GROUP, PRB_DEFINITION_RESOURCE);
    prb_claim_each_definition(view, want_defined, &wanting);
    each_named(settings, view, want_named, &wanting);
    each_named(settings, view, walk_kind, &walk);
}

static bool want_composed_of(void *ctx, const struct prb_object *composite)
{
    struct prb_claim_name composed;

    for (size_t i = 0; i < prb_claim_composed_count(composite); i++) {
        if (prb_claim_composed_at(composite, i, &composed))
            want_kind(ctx, composed.group, composed.kind);
    }
    return true;
}

static void want_composed(const struct wanting *wanting, const char *group, const char *kind)
{
    const struct prb_known_resource *known = prb_claim_find_kind(wanting->view, group, kind);
    struct wanting copy = *wanting;

    if (known)
        prb_view_each(wanting->view, &known->gvr, NULL, want_composed_of, &copy);
}

static bool want_composed_by(void *ctx, const struct prb_object *definition)
{
    want_composed(ctx, group_of(definition), name_of(definition, "names", "kind"));
    return true;
}

static bool want_composed_under(void *ctx, const struct prb_object *claim)
{
    const struct wanting *wanting = ctx;
    const struct prb_known_resource *known;
    const struct prb_object *composite;
    struct prb_claim_name name;
    struct prb_ref ref;

    if (!prb_claim_composite_name(claim, &name))
        return true;
    known = prb_claim_find_kind(wanting->view, name.group, name.kind);
    if (!known || !prb_ref_init(&ref, &known->gvr, NULL, name.name))
        return true;
    composite = prb_view_find(wanting->view, &ref);
    return composite ? want_composed_of(ctx, composite) : true;
}

void prb_claims_want(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx)
{
    struct wanting wanting = { .view = view, .want = want, .ctx = ctx };
    struct walk walk = { .view = view, .each = want_composed_under, .ctx = &wanting };

    prb_claim_each_definition(view, want_composed_by, &wanting);
    each_named(prb_claim_settings_of(self), view, walk_kind, &walk);
}
