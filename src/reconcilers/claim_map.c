/* Which claims and composites have to be looked at when something has changed? */

#include "probate/base/str.h"

#include "claim_internal.h"

/* Where keys go. */
struct sink {
    const struct prb_view *view;
    const struct prb_gvr *gvr; /* of the collection that is gone through */
    bool deleting;             /* only those */
    void (*enqueue)(void *ctx, const struct prb_ref *key);
    void *ctx;
};

static bool enqueue_each(void *ctx, const struct prb_object *object)
{
    const struct sink *sink = ctx;
    struct prb_ref key;

    if ((!sink->deleting || prb_object_is_deleting(object)) &&
            prb_object_ref_in(object, sink->gvr, &key))
        sink->enqueue(sink->ctx, &key);
    return true;
}

/* All objects of a kind, if it is read. */
static void enqueue_kind(const struct sink *sink, const char *group, const char *kind)
{
    const struct prb_known_resource *known = prb_claim_find_kind(sink->view, group, kind);
    struct sink copy = *sink;

    if (!known)
        return;
    copy.gvr = &known->gvr;
    prb_view_each(sink->view, &known->gvr, NULL, enqueue_each, &copy);
}

static bool enqueue_deleted_claims(void *ctx, const struct prb_object *definition)
{
    const struct sink *sink = ctx;
    const struct json_object *spec = prb_object_spec(definition);

    enqueue_kind(sink, prb_json_str(spec, "group"),
            prb_json_str(prb_json_obj(spec, "claimNames"), "kind"));
    return true;
}

/* The claim that a composite is bound to, while it is being deleted. */
static void enqueue_claim_of(const struct sink *sink, const struct prb_object *composite)
{
    const struct prb_known_resource *known;
    const struct prb_object *claim;
    struct prb_claim_name name;
    struct prb_ref key;

    if (!prb_claim_of_composite(composite, &name))
        return;
    known = prb_claim_find_kind(sink->view, name.group, name.kind);
    if (!known || !prb_ref_init(&key, &known->gvr, name.namespace, name.name))
        return;
    claim = prb_view_find(sink->view, &key);
    if (claim && prb_object_is_deleting(claim))
        sink->enqueue(sink->ctx, &key);
}

/* Up from what is composed to the claim at the top. */
static void enqueue_above(const struct sink *sink, const struct prb_object *object)
{
    struct prb_claim_ascent ascent = { .at = object };

    enqueue_claim_of(sink, object);
    while ((object = prb_claim_ascend(&ascent, sink->view))) {
        if (!ascent.blocks)
            sink->enqueue(sink->ctx, &ascent.ref);
        enqueue_claim_of(sink, object);
    }
}

/* What these three have may be composed, too, as anything else. */

void prb_claim_map_definition(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx)
{
    struct sink sink = { .view = view, .deleting = true, .enqueue = enqueue, .ctx = ctx };

    enqueue(ctx, ref);
    (void)enqueue_deleted_claims(&sink, object);
    enqueue_above(&sink, object);
}

void prb_claim_map_webhook(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx)
{
    struct sink sink = {
        .view = view, .gvr = prb_claim_definitions_read(view), .enqueue = enqueue, .ctx = ctx
    };

    (void)ref;
    prb_claim_each_definition(view, enqueue_each, &sink);
    enqueue_above(&sink, object);
}

/* Which kinds are read follows from them too, and keys from what is read. */
void prb_claim_map_crd(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx)
{
    const struct sink sink = { .view = view, .enqueue = enqueue, .ctx = ctx };

    (void)ref;
    enqueue_above(&sink, object);
}

void prb_claim_map_wanted(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx)
{
    struct sink sink = { .view = view, .gvr = &ref->gvr, .enqueue = enqueue, .ctx = ctx };

    if (object) {
        /* Claims and composites are keys themselves; of others nothing follows. */
        enqueue(ctx, ref);
        enqueue_above(&sink, object);
        return;
    }

    /* More is known of what is left, or of what may be. */
    prb_view_each(view, &ref->gvr, NULL, enqueue_each, &sink);
    sink.deleting = true;
    prb_claim_each_definition(view, enqueue_deleted_claims, &sink);
}
