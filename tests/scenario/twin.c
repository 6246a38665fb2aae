/* What does the scratch reconciler want? */

#include "twin.h"

#include <stdio.h>

#include "probate/base/str.h"

static bool ref_in_namespace(
        const struct prb_ref *beside, const char *name, const char *suffix, struct prb_ref *ret)
{
    char whole[2 * PRB_NAME_SIZE];

    (void)snprintf(whole, sizeof(whole), "%s%s", name, suffix);
    return prb_ref_init(ret, &beside->gvr, beside->namespace, whole);
}

static void part(const struct prb_view *view, const struct prb_ref *key,
        const struct prb_object *original, struct prb_changes *out)
{
    const struct prb_object *twin;
    struct prb_ref twin_ref;

    if (!prb_object_has_finalizer(original, TWIN_FINALIZER) ||
            !ref_in_namespace(key, key->name, "-twin", &twin_ref))
        return;
    twin = prb_view_find(view, &twin_ref);
    if (!twin) {
        prb_changes_remove_finalizer(out, key, original, TWIN_FINALIZER, "its twin is gone");
        return;
    }
    if (!prb_object_is_deleting(twin))
        prb_changes_delete(out, &twin_ref, twin, PRB_PROPAGATE_BACKGROUND, "its original goes");
    prb_changes_wait(out, "its twin %s is still there", twin_ref.name);
}

static void decide(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *key, struct prb_changes *out)
{
    const struct prb_object *object = prb_view_find(view, key);

    (void)self;
    if (!object)
        return;
    if (prb_object_is_deleting(object))
        part(view, key, object, out);
    else
        prb_changes_add_finalizer(out, key, object, TWIN_FINALIZER, "its twin is to go first");
}

/* A twin that changes is news about its original, and never looked at for itself. */
static void map(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx)
{
    const char *original = prb_object_label(object, TWIN_OF);
    struct prb_ref key;

    (void)view;
    if (!original)
        enqueue(ctx, ref);
    else if (ref_in_namespace(ref, original, "", &key))
        enqueue(ctx, &key);
}

static const struct prb_right rights[] = {
    { "", "configmaps", "get,list,watch,patch,delete" },
};

void twin_init(struct twin *twin, const char *world)
{
    (void)snprintf(twin->selector, sizeof(twin->selector), "%s=%s", TWIN_WORLD, world);
    twin->watch = (struct prb_watch_spec){ .group = "",
        .version = "v1",
        .resource = "configmaps",
        .label_selector = twin->selector,
        .map = map };
    twin->reconciler = (struct prb_reconciler){ .name = "twin",
        .summary = "A ConfigMap goes after its twin.",
        .watches = &twin->watch,
        .watch_count = 1,
        .rights = rights,
        .right_count = sizeof(rights) / sizeof(rights[0]),
        .decide = decide };
}
