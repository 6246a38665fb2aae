/* What do decisions see of what is wanted, and what of it is new? */

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "text.h"
#include "wanted_internal.h"

void prb_wanted_sight_unref(struct prb_wanted_sight *sight)
{
    if (!sight || atomic_fetch_sub_explicit(&sight->refs, 1, memory_order_acq_rel) > 1)
        return;
    for (size_t i = 0; i < sight->store_count; i++)
        prb_store_unref(sight->stores[i]);
    free(sight->stores);
    free(sight->known);
    free(sight);
}

bool prb_wanted_sight_has(const struct prb_wanted_sight *sight, const struct prb_gvr *gvr)
{
    for (size_t i = 0; sight && i < sight->known_count; i++) {
        if (sight->known[i].state == PRB_RESOURCE_PRESENT &&
                prb_gvr_equal(&sight->known[i].gvr, gvr))
            return true;
    }
    return false;
}

struct prb_wanted_sight *prb_wanted_sight(struct prb_wanted *wanted)
{
    struct prb_wanted_sight *sight;

    (void)pthread_mutex_lock(&wanted->lock);
    sight = wanted->sight;
    if (sight)
        (void)atomic_fetch_add_explicit(&sight->refs, 1, memory_order_relaxed);
    (void)pthread_mutex_unlock(&wanted->lock);
    return sight;
}

void prb_wanted_news_add(struct prb_wanted_news *news, const struct prb_gvr *gvr)
{
    if (!gvr) {
        news->not_found = true;
        return;
    }
    news->gvrs = prb_realloc(news->gvrs, news->count + 1, sizeof(*news->gvrs));
    news->gvrs[news->count++] = *gvr;
}

void prb_wanted_news_tell(const struct prb_wanted *wanted, struct prb_wanted_news *news)
{
    for (size_t i = 0; i < news->count; i++)
        wanted->owner.changed(wanted->owner.ctx, &news->gvrs[i], NULL);
    if (news->not_found)
        wanted->owner.changed(wanted->owner.ctx, NULL, NULL);
    free(prb_take(news->gvrs));
}

/* What is to be known of a name: what discovery said, and how its collection is. */
static struct prb_known_resource compose(
        const struct prb_wanted *wanted, const struct prb_want *want)
{
    const struct prb_followed *followed = prb_wanted_find_followed(wanted, want);
    struct prb_known_resource known = want->found;

    known.left_out = want->beyond;
    if (want->beyond)
        (void)snprintf(known.trouble, sizeof(known.trouble),
                "%d collections are looked for already, and this is one more", PRB_WANTED_MAX);
    if (!followed)
        return known;
    known.forbidden = followed->forbidden;
    if (known.trouble[0] == '\0')
        prb_text_copy(known.trouble, sizeof(known.trouble), followed->trouble);
    return known;
}

/* A trouble that only counts up, or tells another time, is the same. */
static bool differs(const struct prb_known_resource *a, const struct prb_known_resource *b)
{
    return a->state != b->state || a->namespaced != b->namespaced || a->forbidden != b->forbidden ||
           !prb_gvr_equal(&a->gvr, &b->gvr) || !prb_streq(a->kind, b->kind) ||
           !prb_text_says_same(a->trouble, b->trouble);
}

static void log_change(const struct prb_wanted *wanted, const struct prb_known_resource *known)
{
    static const char *const states[] = { [PRB_RESOURCE_UNKNOWN] = "unknown",
        [PRB_RESOURCE_ABSENT] = "not served",
        [PRB_RESOURCE_PRESENT] = "found" };

    prb_info("collection that objects name", KV("controller", wanted->owner.name),
            KV("group", known->group), KV("name", known->name), KV("state", states[known->state]),
            KV("version", known->gvr.version), KV("trouble", known->trouble));
}

static void update(struct prb_wanted *wanted, struct prb_want *want, struct prb_wanted_news *news)
{
    struct prb_known_resource next = compose(wanted, want);

    if (!differs(&want->known, &next))
        return;
    want->known = next;
    wanted->outdated = true;
    log_change(wanted, &next);
    prb_wanted_news_add(news, next.state == PRB_RESOURCE_PRESENT ? &next.gvr : NULL);
}

static struct prb_wanted_sight *make_sight(const struct prb_wanted *wanted)
{
    struct prb_wanted_sight *sight = prb_calloc(1, sizeof(*sight));
    const char *key;
    void *value;

    atomic_init(&sight->refs, 1);
    sight->more = wanted->more;
    sight->known = prb_calloc(prb_map_count(wanted->wants) + 1, sizeof(*sight->known));
    sight->stores = prb_calloc(prb_map_count(wanted->followed) + 1, sizeof(struct prb_store *));
    for (size_t at = 0; prb_map_next(wanted->wants, &at, &key, &value);)
        sight->known[sight->known_count++] = ((const struct prb_want *)value)->known;
    for (size_t at = 0; prb_map_next(wanted->followed, &at, &key, &value);) {
        const struct prb_followed *followed = value;

        if (followed->own)
            sight->stores[sight->store_count++] = prb_store_ref(followed->store);
    }
    return sight;
}

void prb_wanted_publish(struct prb_wanted *wanted, struct prb_wanted_news *news)
{
    struct prb_wanted_sight *old = wanted->sight;
    size_t at = 0;
    const char *key;
    void *value;

    while (prb_map_next(wanted->wants, &at, &key, &value))
        update(wanted, value, news);
    if (!wanted->outdated)
        return;
    wanted->outdated = false;
    wanted->sight = make_sight(wanted);
    prb_wanted_sight_unref(old);
}
