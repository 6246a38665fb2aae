/* Which objects are there, under this name, in this namespace, of this owner? */

#include "contents.h"

#include "probate/base/mem.h"

/* The objects that name one owner; at most one entry for each object. */
struct list {
    const struct prb_object **items; /* owned; the objects are borrowed from by_namespace */
    size_t count;
    size_t cap;
};

static void free_list(void *value)
{
    struct list *list = value;

    free(list->items);
    free(list);
}

static void free_names(void *value)
{
    prb_map_free(value);
}

static void free_object(void *value)
{
    prb_object_unref(value);
}

void prb_contents_init(struct prb_contents *contents)
{
    *contents = (struct prb_contents){
        .by_namespace = prb_map_new(free_names),
        .by_owner = prb_map_new(free_list),
    };
}

void prb_contents_done(struct prb_contents *contents)
{
    prb_map_free(contents->by_owner);
    prb_map_free(contents->by_namespace);
    *contents = (struct prb_contents){ .count = 0 };
}

const struct prb_object *prb_contents_find(
        const struct prb_contents *contents, const char *namespace, const char *name)
{
    const struct prb_map *names = prb_map_find(contents->by_namespace, namespace);

    return names ? prb_map_find(names, name) : NULL;
}

static void list_add(struct list *list, const struct prb_object *object)
{
    /* An object that names the owner twice was added a moment ago, so it is the last one. */
    if (list->count > 0 && list->items[list->count - 1] == object)
        return;
    if (list->count == list->cap) {
        list->cap = list->cap ? list->cap * 2 : 1;
        list->items = prb_realloc(list->items, list->cap, sizeof(struct prb_object *));
    }
    list->items[list->count++] = object;
}

static void list_drop(struct list *list, const struct prb_object *object)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i] == object) {
            list->items[i] = list->items[--list->count];
            return;
        }
    }
}

static void index_owners(struct prb_contents *contents, const struct prb_object *object)
{
    for (size_t i = 0; i < prb_object_owner_count(object); i++) {
        struct prb_owner owner;
        struct list *list;

        if (!prb_object_owner_at(object, i, &owner) || owner.uid[0] == '\0')
            continue;
        list = prb_map_find(contents->by_owner, owner.uid);
        if (!list) {
            list = prb_calloc(1, sizeof(*list));
            prb_map_set(contents->by_owner, owner.uid, list);
        }
        list_add(list, object);
    }
}

static void unindex_owners(struct prb_contents *contents, const struct prb_object *object)
{
    for (size_t i = 0; i < prb_object_owner_count(object); i++) {
        struct prb_owner owner;
        struct list *list;

        if (!prb_object_owner_at(object, i, &owner))
            continue;
        list = prb_map_find(contents->by_owner, owner.uid);
        if (!list)
            continue;
        list_drop(list, object);
        if (list->count == 0)
            (void)prb_map_remove(contents->by_owner, owner.uid);
    }
}

void prb_contents_put(struct prb_contents *contents, const struct prb_object *object)
{
    const char *namespace = prb_object_namespace(object);
    const char *name = prb_object_name(object);
    struct prb_map *names = prb_map_find(contents->by_namespace, namespace);
    const struct prb_object *old;

    if (!names) {
        names = prb_map_new(free_object);
        prb_map_set(contents->by_namespace, namespace, names);
    }
    old = prb_map_find(names, name);
    if (old == object)
        return;
    contents->defects += prb_object_defect(object) ? 1 : 0;
    contents->defects -= old && prb_object_defect(old) ? 1 : 0;
    if (old)
        unindex_owners(contents, old);
    else
        contents->count++;
    prb_map_set(names, name, prb_object_ref(object));
    index_owners(contents, object);
}

bool prb_contents_remove(struct prb_contents *contents, const char *namespace, const char *name)
{
    struct prb_map *names = prb_map_find(contents->by_namespace, namespace);
    prb_auto(prb_object_unref) struct prb_object *old = names ? prb_map_take(names, name) : NULL;

    if (!old)
        return false;
    contents->defects -= prb_object_defect(old) ? 1 : 0;
    unindex_owners(contents, old);
    contents->count--;
    if (prb_map_count(names) == 0)
        (void)prb_map_remove(contents->by_namespace, namespace);
    return true;
}

static bool each_name(const struct prb_map *names, prb_contents_each_fn each, void *ctx)
{
    const char *name;
    void *object;
    size_t at = 0;

    while (prb_map_next(names, &at, &name, &object)) {
        if (!each(ctx, object))
            return false;
    }
    return true;
}

void prb_contents_each(const struct prb_contents *contents, const char *namespace,
        prb_contents_each_fn each, void *ctx)
{
    const char *key;
    void *names;
    size_t at = 0;

    if (namespace) {
        names = prb_map_find(contents->by_namespace, namespace);
        if (names)
            (void)each_name(names, each, ctx);
        return;
    }
    while (prb_map_next(contents->by_namespace, &at, &key, &names)) {
        if (!each_name(names, each, ctx))
            return;
    }
}

void prb_contents_each_owned(const struct prb_contents *contents, const char *owner_uid,
        prb_contents_each_fn each, void *ctx)
{
    const struct list *list = prb_map_find(contents->by_owner, owner_uid);

    for (size_t i = 0; list && i < list->count; i++) {
        if (!each(ctx, list->items[i]))
            return;
    }
}
