/* A reconciler that only writes down what it sees. */

#include "wanting.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"

enum { NAMES_MAX = 64 };

_Atomic int looks;

static pthread_mutex_t notes_lock = PTHREAD_MUTEX_INITIALIZER;
static struct prb_map *notes; /* name of a ConfigMap to text; NULL: none */

static const struct prb_gvr configmaps = { .group = "", .version = "v1", .resource = "configmaps" };

/* With the lock held. */
static struct prb_map *ensure_notes(void)
{
    if (!notes)
        notes = prb_map_new(free);
    return notes;
}

/* Call `each` for every GROUP/NAME of a text; NULL has none. */
static void each_in(
        const char *text, void (*each)(void *ctx, const char *group, const char *name), void *ctx)
{
    prb_autofree char *names = prb_strdup(text);
    char *at = names, *name;

    while (at && (name = strsep(&at, ","))) {
        char *slash = strchr(name, '/');

        if (!slash)
            continue;
        *slash = '\0';
        each(ctx, name, slash + 1);
    }
}

static void each_name(const struct prb_object *map,
        void (*each)(void *ctx, const char *group, const char *name), void *ctx)
{
    each_in(prb_object_annotation(map, "wants"), each, ctx);
    each_in(prb_object_annotation(map, "wants-whole"), each, ctx);
}

/* What is written for one ConfigMap. */
struct seen {
    const struct prb_view *view;
    struct prb_str *text;
};

struct names {
    const char *items[NAMES_MAX];
    size_t count;
};

static bool add_object(void *ctx, const struct prb_object *object)
{
    struct names *names = ctx;

    if (names->count < NAMES_MAX)
        names->items[names->count++] = prb_object_name(object);
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool note_body(void *ctx, const struct prb_object *object)
{
    const char *names = prb_json_str(prb_object_spec(object), "names");

    if (names)
        prb_str_addf(ctx, " %s=%s", prb_object_name(object), names);
    if (prb_json_str(prb_object_spec(object), "other"))
        prb_str_add(ctx, " and too much");
    return true;
}

static void note_objects(const struct seen *seen, const struct prb_gvr *gvr)
{
    struct names names = { .count = 0 };

    if (!prb_view_knows(seen->view, gvr)) {
        prb_str_add(seen->text, " unread");
        return;
    }
    prb_view_each(seen->view, gvr, NULL, add_object, &names);
    qsort(names.items, names.count, sizeof(names.items[0]), by_text);
    prb_str_add(seen->text, ":");
    for (size_t i = 0; i < names.count; i++)
        prb_str_addf(seen->text, " %s", names.items[i]);
    prb_view_each(seen->view, gvr, NULL, note_body, seen->text);
}

static void note_one(void *ctx, const char *group, const char *name)
{
    static const char *const states[] = { [PRB_RESOURCE_UNKNOWN] = "unknown",
        [PRB_RESOURCE_ABSENT] = "absent",
        [PRB_RESOURCE_PRESENT] = "present" };
    const struct seen *seen = ctx;
    const struct prb_known_resource *known = prb_view_resource(seen->view, group, name);
    char gvr[PRB_GVR_TEXT_SIZE];

    if (seen->text->len > 0)
        prb_str_add(seen->text, "; ");
    prb_str_add(seen->text, known ? states[known->state] : "none");
    if (!known)
        return;
    if (known->state == PRB_RESOURCE_PRESENT) {
        prb_gvr_format(&known->gvr, gvr);
        prb_str_addf(seen->text, " %s", gvr);
        note_objects(seen, &known->gvr);
    }
    if (known->forbidden)
        prb_str_add(seen->text, " forbidden");
    if (known->trouble[0])
        prb_str_addf(seen->text, " (%s)", known->trouble);
}

static void decide(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *key, struct prb_changes *out)
{
    const struct prb_object *map = prb_view_find(view, key);
    prb_auto(prb_str_done) struct prb_str text;

    (void)self;
    (void)out;
    prb_str_init(&text, 65536);
    if (!prb_gvr_equal(&key->gvr, &configmaps))
        return;
    atomic_fetch_add(&looks, 1);
    if (map)
        each_name(map, note_one, &(struct seen){ .view = view, .text = &text });
    (void)pthread_mutex_lock(&notes_lock);
    prb_map_set(ensure_notes(), key->name, prb_str_take(&text));
    (void)pthread_mutex_unlock(&notes_lock);
}

/* Who wants, and where it is to be said. */
struct asker {
    void (*want)(void *ctx, const char *group, const char *resource);
    void *ctx;
};

static bool want_of_map(void *ctx, const struct prb_object *map)
{
    const struct asker *asker = ctx;

    each_in(prb_object_annotation(map, "wants"), asker->want, asker->ctx);
    return true;
}

static bool want_whole_of_map(void *ctx, const struct prb_object *map)
{
    const struct asker *asker = ctx;

    each_in(prb_object_annotation(map, "wants-whole"), asker->want, asker->ctx);
    return true;
}

static void wants_whole(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx)
{
    (void)self;
    prb_view_each(view, &configmaps, NULL, want_whole_of_map,
            &(struct asker){ .want = want, .ctx = ctx });
}

/* What the bodies name, of what a map wants whole. */
static bool want_of_body(void *ctx, const struct prb_object *object)
{
    const struct asker *asker = ctx;

    each_in(prb_json_str(prb_object_spec(object), "names"), asker->want, asker->ctx);
    return true;
}

struct bodies {
    const struct prb_view *view;
    struct asker asker;
};

static void want_of_bodies(void *ctx, const char *group, const char *name)
{
    struct bodies *bodies = ctx;
    const struct prb_known_resource *known = prb_view_resource(bodies->view, group, name);

    if (known && known->state == PRB_RESOURCE_PRESENT)
        prb_view_each(bodies->view, &known->gvr, NULL, want_of_body, &bodies->asker);
}

static bool want_of_whole(void *ctx, const struct prb_object *map)
{
    each_in(prb_object_annotation(map, "wants-whole"), want_of_bodies, ctx);
    return true;
}

static void wants(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx)
{
    (void)self;
    prb_view_each(
            view, &configmaps, NULL, want_of_map, &(struct asker){ .want = want, .ctx = ctx });
    prb_view_each(view, &configmaps, NULL, want_of_whole,
            &(struct bodies){ .view = view, .asker = { .want = want, .ctx = ctx } });
}

/* A change, and whom it may concern. */
struct mapping {
    const struct prb_view *view;
    const struct prb_ref *ref;
    bool concerned;
    void (*enqueue)(void *ctx, const struct prb_ref *key);
    void *ctx;
};

static void check_name(void *ctx, const char *group, const char *name)
{
    struct mapping *mapping = ctx;
    const struct prb_known_resource *known = prb_view_resource(mapping->view, group, name);

    if (mapping->ref->gvr.resource[0] == '\0')
        mapping->concerned = true;
    else if (known && known->state == PRB_RESOURCE_PRESENT &&
             prb_gvr_equal(&known->gvr, &mapping->ref->gvr))
        mapping->concerned = true;
}

static bool map_to(void *ctx, const struct prb_object *map)
{
    struct mapping *mapping = ctx;
    struct prb_ref key;

    mapping->concerned = false;
    each_name(map, check_name, mapping);
    if (mapping->concerned && prb_object_ref_in(map, &configmaps, &key))
        mapping->enqueue(mapping->ctx, &key);
    return true;
}

static void map_wanted(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, void (*enqueue)(void *ctx, const struct prb_ref *key),
        void *ctx)
{
    struct mapping mapping = { .view = view, .ref = ref, .enqueue = enqueue, .ctx = ctx };

    if (object && !prb_streq(prb_object_name(object), ref->name))
        abort();
    prb_view_each(view, &configmaps, NULL, map_to, &mapping);
}

char *noted(const char *map)
{
    const char *text;
    char *copy;

    (void)pthread_mutex_lock(&notes_lock);
    text = prb_map_find(ensure_notes(), map);
    copy = prb_strdup(text ? text : "");
    (void)pthread_mutex_unlock(&notes_lock);
    return copy;
}

void forget_notes(void)
{
    (void)pthread_mutex_lock(&notes_lock);
    prb_map_free(notes);
    notes = NULL;
    (void)pthread_mutex_unlock(&notes_lock);
}

static const struct prb_watch_spec watches[] = {
    { .group = "", .version = "v1", .resource = "configmaps" },
};

static const char *const keeps[] = { "spec.names", NULL };

const struct prb_reconciler wanting = {
    .name = "wanting",
    .summary = "for tests",
    .watches = watches,
    .watch_count = 1,
    .decide = decide,
    .wants = wants,
    .wants_whole = wants_whole,
    .wanted_keeps = keeps,
    .map_wanted = map_wanted,
};
