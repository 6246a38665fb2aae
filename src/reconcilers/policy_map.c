/* Which policies does a changed object concern, and which kinds are to be watched? */

#include "policy_map.h"

#include "probate/base/str.h"
#include "probate/model/side.h"

#include "policy_internal.h"

/* An object that changed, and to whom that is told. */
struct change {
    const struct prb_view *view;
    const struct prb_ref *ref;
    prb_policy_enqueue_fn *enqueue;
    void *ctx;
};

static bool tell(void *ctx, const struct prb_object *policy)
{
    const struct change *change = ctx;
    struct prb_ref key;

    if (prb_object_ref_in(policy, &prb_policy_policies, &key))
        change->enqueue(change->ctx, &key);
    return true;
}

static const struct json_object *templates_of(const struct prb_object *policy)
{
    return prb_json_arr(prb_object_spec(policy), "object-templates");
}

static const struct json_object *related_of(const struct prb_object *policy)
{
    return prb_json_arr(prb_object_status(policy), "relatedObjects");
}

/* ---- policies ---- */

static bool searches(const struct prb_object *policy)
{
    const struct json_object *list = templates_of(policy);

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *definition =
                prb_json_obj(prb_json_elem(list, i), "objectDefinition");

        if (prb_streq(prb_json_str(definition, "kind"), PRB_POLICY_KIND) &&
                !prb_json_str(prb_json_obj(definition, "metadata"), "name"))
            return true;
    }
    return false;
}

static bool tell_if_searching(void *ctx, const struct prb_object *policy)
{
    return searches(policy) ? tell(ctx, policy) : true;
}

void prb_policy_map_policy(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_policy_enqueue_fn *enqueue, void *ctx)
{
    struct change change = { .view = view, .ref = ref, .enqueue = enqueue, .ctx = ctx };

    (void)object;
    enqueue(ctx, ref);
    prb_view_each(view, &prb_policy_policies, NULL, tell_if_searching, &change);
}

/* ---- namespaces ---- */

/* Those that select namespaces, and those that want something in this one: it may have come, or be
 * going. */
static bool concerns_namespace(const struct prb_object *policy, const char *name)
{
    const struct json_object *list = templates_of(policy);

    if (prb_json_obj(prb_object_spec(policy), "namespaceSelector"))
        return true;
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *metadata =
                prb_json_at(prb_json_elem(list, i), "objectDefinition", "metadata");

        if (prb_streq(prb_json_str(metadata, "namespace"), name))
            return true;
    }
    return false;
}

static bool tell_if_there(void *ctx, const struct prb_object *policy)
{
    const struct change *change = ctx;

    return concerns_namespace(policy, change->ref->name) ? tell(ctx, policy) : true;
}

void prb_policy_map_namespace(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_policy_enqueue_fn *enqueue, void *ctx)
{
    struct change change = { .view = view, .ref = ref, .enqueue = enqueue, .ctx = ctx };

    (void)object;
    prb_view_each(view, &prb_policy_policies, NULL, tell_if_there, &change);
}

/* ---- what templates and statuses name ---- */

/* Is this what is named? The name first: it is the least likely to be the same. */
static bool is_meant(const struct change *change, const struct json_object *named)
{
    const struct json_object *metadata = prb_json_obj(named, "metadata");
    const char *api_version = prb_json_str(named, "apiVersion");
    const char *kind = prb_json_str(named, "kind"), *namespace;
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];
    const struct prb_known_resource *known;

    if (!prb_streq(prb_json_str(metadata, "name"), change->ref->name) || !kind || !api_version ||
            !prb_api_version_parse(api_version, group, version) ||
            !prb_streq(group, change->ref->gvr.group))
        return false;
    namespace = prb_json_str(metadata, "namespace");
    if (namespace && namespace[0] != '\0' && change->ref->namespace[0] != '\0' &&
            !prb_streq(namespace, change->ref->namespace))
        return false;
    known = prb_view_resource(change->view, group, kind);
    return !known || known->state == PRB_RESOURCE_UNKNOWN ||
           prb_streq(known->gvr.resource, change->ref->gvr.resource);
}

static bool tell_if_named(void *ctx, const struct prb_object *policy)
{
    const struct json_object *templates = templates_of(policy), *related = related_of(policy);

    for (size_t i = 0; i < prb_json_len(templates); i++) {
        if (is_meant(ctx, prb_json_obj(prb_json_elem(templates, i), "objectDefinition")))
            return tell(ctx, policy);
    }
    for (size_t i = 0; i < prb_json_len(related); i++) {
        if (is_meant(ctx, prb_json_obj(prb_json_elem(related, i), "object")))
            return tell(ctx, policy);
    }
    return true;
}

void prb_policy_map_wanted(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_policy_enqueue_fn *enqueue, void *ctx)
{
    struct change change = { .view = view, .ref = ref, .enqueue = enqueue, .ctx = ctx };

    prb_view_each(view, &prb_policy_policies, NULL, object ? tell_if_named : tell, &change);
}

/* ---- what is to be watched ---- */

struct wanting {
    void (*want)(void *ctx, const char *group, const char *resource);
    void *ctx;
};

/* What is on the hub's side is none of the cluster's kinds, whoever names it. */
static void want_one(const struct wanting *wanting, const struct json_object *named)
{
    const char *api_version = prb_json_str(named, "apiVersion");
    const char *kind = prb_json_str(named, "kind");
    char group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];

    if (kind && kind[0] != '\0' && api_version &&
            prb_api_version_parse(api_version, group, version) && !prb_side_is_hub(group))
        wanting->want(wanting->ctx, group, kind);
}

/* Who is looked at by the clock alone need not be told of anything. */
static bool is_watching(const struct prb_object *policy)
{
    static const char *const states[] = { "compliant", "noncompliant" };
    const struct json_object *interval =
            prb_json_obj(prb_object_spec(policy), "evaluationInterval");

    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        const char *text = prb_json_str(interval, states[i]);

        if (!text || prb_streq(text, "watch"))
            return true;
    }
    return prb_object_is_deleting(policy);
}

static bool want_kinds(void *ctx, const struct prb_object *policy)
{
    const struct json_object *templates = templates_of(policy), *related = related_of(policy);

    if (!is_watching(policy))
        return true;
    for (size_t i = 0; i < prb_json_len(templates); i++)
        want_one(ctx, prb_json_obj(prb_json_elem(templates, i), "objectDefinition"));
    for (size_t i = 0; i < prb_json_len(related); i++)
        want_one(ctx, prb_json_obj(prb_json_elem(related, i), "object"));
    return true;
}

void prb_policy_want(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx)
{
    struct wanting wanting = { .want = want, .ctx = ctx };

    (void)self;
    prb_view_each(view, &prb_policy_policies, NULL, want_kinds, &wanting);
}
