/* Which collections are wanted now? */

#include <stdlib.h>
#include <string.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "wanted_internal.h"

#define CRD_GROUP "apiextensions.k8s.io"
#define CRDS "customresourcedefinitions"

/* What is being collected. */
struct names {
    struct prb_map *map; /* key to struct prb_want */
    bool whole;          /* of those that are named now the bodies are wanted */
    bool more;           /* than fit in */
};

/* Of several names for the same thing that differ in case, one is enough. */
static void add_name(void *ctx, const char *group, const char *resource)
{
    struct names *names = ctx;
    struct prb_want *want;
    char key[PRB_WANTED_KEY_SIZE];

    group = group ? group : "";
    resource = resource ? resource : "";
    if (strlen(group) >= sizeof(want->found.group) || strlen(resource) >= sizeof(want->found.name))
        return; /* nothing can have a name that long */
    prb_wanted_key_of_name(group, resource, key);
    if (prb_map_find(names->map, key))
        return;
    if (prb_map_count(names->map) >= PRB_WANTED_NAMES_MAX) {
        names->more = true;
        return;
    }
    want = prb_calloc(1, sizeof(*want));
    want->found.state = PRB_RESOURCE_UNKNOWN;
    (void)prb_copy(want->found.trouble, sizeof(want->found.trouble), PRB_NOT_LOOKED_FOR);
    (void)prb_copy(want->found.group, sizeof(want->found.group), group);
    (void)prb_copy(want->found.name, sizeof(want->found.name), resource);
    want->known = want->found;
    want->whole = names->whole;
    want->beyond = true;
    prb_map_set(names->map, key, want);
}

/* Those with bodies first: of what is named twice they hold. Are there more than fit in? */
static bool collect_names(const struct prb_wanted *wanted, struct prb_map *map)
{
    struct names names = { .map = map, .whole = true };

    if (wanted->owner.collect_whole)
        wanted->owner.collect_whole(wanted->owner.ctx, add_name, &names);
    names.whole = false;
    if (wanted->owner.collect)
        wanted->owner.collect(wanted->owner.ctx, add_name, &names);
    return names.more;
}

static void remove_unnamed(struct prb_wanted *wanted, const struct prb_map *names)
{
    size_t at = 0;
    const char *key;
    void *value;

    while (prb_map_next(wanted->wants, &at, &key, &value)) {
        const struct prb_want *want = value;

        if (prb_map_find(names, key))
            continue;
        wanted->sought -= want->beyond ? 0 : 1;
        (void)prb_map_remove(wanted->wants, key);
        wanted->outdated = true;
    }
}

/* Takes from `names` what is new. */
static void add_new(struct prb_wanted *wanted, struct prb_map *names)
{
    size_t at = 0;
    const char *key;
    void *value;

    while (prb_map_next(names, &at, &key, &value)) {
        struct prb_want *known = prb_map_find(wanted->wants, key);

        if (known) {
            known->whole = ((const struct prb_want *)value)->whole;
            continue;
        }
        prb_map_set(wanted->wants, key, value);
        (void)prb_map_take(names, key);
        wanted->outdated = true;
    }
}

/* One whose bodies nobody wants is one too many from now on. */
static bool make_room(struct prb_wanted *wanted)
{
    size_t at = 0;
    const char *key;
    void *value;

    while (prb_map_next(wanted->wants, &at, &key, &value)) {
        struct prb_want *want = value;

        if (want->whole || want->beyond)
            continue;
        want->beyond = true;
        want->found = (struct prb_known_resource){ .state = PRB_RESOURCE_UNKNOWN };
        (void)prb_copy(want->found.group, sizeof(want->found.group), want->known.group);
        (void)prb_copy(want->found.name, sizeof(want->found.name), want->known.name);
        (void)prb_copy(want->found.trouble, sizeof(want->found.trouble), PRB_NOT_LOOKED_FOR);
        wanted->sought--;
        return true;
    }
    return false;
}

static void admit_those(struct prb_wanted *wanted, bool whole)
{
    size_t at = 0;
    const char *key;
    void *value;

    while (prb_map_next(wanted->wants, &at, &key, &value)) {
        struct prb_want *want = value;

        if (!want->beyond || want->whole != whole ||
                (wanted->sought >= PRB_WANTED_MAX && !(whole && make_room(wanted))))
            continue;
        want->beyond = false;
        wanted->sought++;
        prb_queue_add(wanted->queue, key);
    }
}

/*
 * Whoever is looked for stays so; others follow as there is room. But those with bodies, which name
 * others, come before these: hundreds of kinds that a few objects name must not keep out the kind
 * of the object that a controller is there for.
 */
static void admit(struct prb_wanted *wanted)
{
    admit_those(wanted, true);
    admit_those(wanted, false);
}

/* The objects that name collections are looked at again when names are left out, and when they no
 * longer are. */
static void note_more(struct prb_wanted *wanted, bool more, struct prb_wanted_news *news)
{
    if (wanted->more == more)
        return;
    wanted->more = more;
    wanted->outdated = true;
    prb_wanted_news_add(news, NULL);
    if (more)
        prb_warn("more collections are named than are remembered",
                KV("controller", wanted->owner.name), KV_INT("collections", PRB_WANTED_NAMES_MAX));
}

void prb_wanted_collect(struct prb_wanted *wanted)
{
    prb_auto(prb_map_free) struct prb_map *names = prb_map_new(free);
    struct prb_wanted_news news = { .gvrs = NULL };
    bool more = collect_names(wanted, names);

    (void)pthread_mutex_lock(&wanted->lock);
    if (wanted->active) {
        remove_unnamed(wanted, names);
        add_new(wanted, names);
        admit(wanted);
        note_more(wanted, more, &news);
        prb_wanted_follow(wanted);
        prb_wanted_publish(wanted, &news);
    }
    (void)pthread_mutex_unlock(&wanted->lock);
    prb_wanted_news_tell(wanted, &news);
}

static void ask_group_again(struct prb_wanted *wanted, const char *group)
{
    size_t at = 0;
    const char *key;
    void *value;

    (void)pthread_mutex_lock(&wanted->lock);
    while (prb_map_next(wanted->wants, &at, &key, &value)) {
        struct prb_want *want = value;

        if (want->beyond || !prb_streq(want->found.group, group))
            continue;
        want->fresh = true;
        prb_queue_forget(wanted->queue, key);
        prb_queue_add(wanted->queue, key);
    }
    (void)pthread_mutex_unlock(&wanted->lock);
}

void prb_wanted_look_for(
        struct prb_wanted *wanted, const struct prb_gvr *gvr, const struct prb_object *object)
{
    const char *dot = strchr(prb_object_name(object), '.');

    /* The name of a CRD is the plural, a dot and the group. */
    if (dot && prb_streq(gvr->group, CRD_GROUP) && prb_streq(gvr->resource, CRDS))
        ask_group_again(wanted, dot + 1);
}
