#ifndef PROBATE_CORE_RECONCILER_H
#define PROBATE_CORE_RECONCILER_H

/*
 * One controller, as a table entry: what it watches, which rights it needs, and a pure function
 * from a view and a key to changes. It performs no I/O, keeps no state and reads the time only
 * from the view: same view, same changes.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/core/changes.h"
#include "probate/model/view.h"

struct prb_reconciler;

/* One collection a reconciler reads. */
struct prb_watch_spec {
    const char *group, *version, *resource; /* static */
    const char *label_selector;             /* static; NULL: all objects */

    /* With `whole`: of the bodies only these members ("status.readyReplicas") are kept beside the
     * metadata; static, NULL-terminated. NULL: everything. */
    const char *const *keeps;
    bool whole; /* bodies are read; otherwise only metadata is fetched and kept */

    /* Of the annotations only these are kept; static, NULL-terminated. NULL: all. They are the bulk
     * of the metadata: what was applied last is one of them. */
    const char *const *annotations;

    /*
     * Only what is in the reconciler's `namespace` is read, if it has one. prb_view_knows then says
     * no more than that: of what is elsewhere the view knows nothing.
     */
    bool scoped;

    /*
     * Read only in the namespaces that `namespaces` of the reconciler names, metadata only, as long
     * as it names them: the collection may be larger than memory. It is optional, and `decide` asks
     * prb_view_knows_in. `map` is called with `object` NULL and an empty name in `ref` when what is
     * known of a namespace changed.
     */
    bool by_namespace;

    /*
     * Keys are decided even while this collection is unknown (its kind is not installed, say);
     * `decide` then has to ask prb_view_knows. Otherwise keys wait until it was read.
     */
    bool optional;

    /*
     * Which keys have to be looked at when `object` of this collection changed: call `enqueue` for
     * each. NULL: the object itself. The view is open on all collections of the reconciler.
     */
    void (*map)(const struct prb_view *view, const struct prb_ref *ref,
            const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
            void *ctx);

    /* The same, instead of `map`, for who needs its settings to name a key. */
    void (*map_for)(const struct prb_reconciler *self, const struct prb_view *view,
            const struct prb_ref *ref, const struct prb_object *object,
            void (*enqueue)(void *ctx, const struct prb_ref *key), void *ctx);
};

/* One API right; the table is what `probate manifest rbac` prints. */
struct prb_right {
    const char *group, *resource; /* static; resource may be "x/status" */
    const char *verbs;            /* static, comma-separated */
};

struct prb_reconciler {
    const char *name;    /* stable: --controllers, metrics, logs */
    const char *summary; /* one sentence for a person */
    const struct prb_watch_spec *watches;
    size_t watch_count;
    const struct prb_right *rights;
    size_t right_count;
    const void *settings; /* borrowed; what the command line decided; NULL: none */

    /* The one namespace that `scoped` watches and rights are about; borrowed. NULL: all. */
    const char *namespace;
    const struct prb_right *scoped_rights; /* needed in that namespace only */
    size_t scoped_right_count;

    /* Runs only where it is named in --controllers, "*" does not mean it. */
    bool by_name;

    void (*decide)(const struct prb_reconciler *self, const struct prb_view *view,
            const struct prb_ref *key, struct prb_changes *out);

    /*
     * Names the namespaces in which the `by_namespace` collections are read: called with a view on
     * all other collections whenever one of these changed. NULL: it has no such collections.
     */
    void (*namespaces)(const struct prb_reconciler *self, const struct prb_view *view,
            void (*name)(void *ctx, const char *namespace), void *ctx);

    /*
     * Collections it reads beside `watches`, which objects in those name: called with a view on all
     * collections whenever one of `watches` changed; says each by group and plural, singular, kind
     * or short name. They are found by discovery and read, metadata only, as long as they are
     * named; prb_view_resource says what became of each. NULL: none. Who wants any must not have a
     * label_selector in `watches`: a collection is in the view once, and whole.
     */
    void (*wants)(const struct prb_reconciler *self, const struct prb_view *view,
            void (*want)(void *ctx, const char *group, const char *resource), void *ctx);

    /*
     * The same for collections whose bodies are read: of those the members in `wanted_keeps` stay
     * (as `keeps` of a watch; NULL: everything). Since these may name further collections, both are
     * called after they changed, too. What both name has bodies. NULL: none.
     */
    void (*wants_whole)(const struct prb_reconciler *self, const struct prb_view *view,
            void (*want)(void *ctx, const char *group, const char *resource), void *ctx);
    const char *const *wanted_keeps; /* static */

    /* What of both is not served is absent only if no CustomResourceDefinition has it; until then
     * it is unknown. Needs the rights to get and list customresourcedefinitions. */
    bool confirms_absence;

    /*
     * As `map` of a watch, for those collections. `object` NULL: what is known of the collection
     * itself changed (it was found, read, went, or cannot be read); of `ref` only the gvr holds,
     * and not even that when it was not found.
     */
    void (*map_wanted)(const struct prb_view *view, const struct prb_ref *ref,
            const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
            void *ctx);
};

#endif
