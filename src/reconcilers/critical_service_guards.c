/*
 * Which CriticalServices guard a Deployment, or somebody in a namespace, and is one waited for?
 *
 * Who asks once goes through them all, and of most reads only the provider's name or the groups of
 * the criteria. Who asks again of the same view (at a start for every object there is) gets an
 * index: 1,000 CriticalServices and 10,000 Deployments are then some ten thousand steps instead of
 * ten million.
 */

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "critical_service_internal.h"

/* One CriticalService in the chain of a key. */
struct entry {
    const struct prb_object *service; /* borrowed from the view */
    struct entry *next;               /* borrowed; NULL ends the chain */
};

struct guards {
    struct prb_map *first;  /* owned; key -> entry; NULL: not made yet */
    struct entry *entries;  /* owned; two for each CriticalService */
    struct prb_map *waited; /* owned; names that criteria name; values mean nothing */
    size_t count;
};

static void guards_free(void *memo)
{
    struct guards *guards = memo;

    prb_map_free(guards->first);
    prb_map_free(guards->waited);
    free(guards->entries);
    free(guards);
}

static const char *provider_text(const struct prb_object *service, const char *member)
{
    const char *text = prb_json_str(prb_json_obj(prb_object_spec(service), "provider"), member);

    return text ? text : "";
}

/* '/' is in no name: "home/op" is a Deployment, "home/" all of a namespace. */
static void put(struct guards *guards, const struct prb_object *service, const char *name)
{
    prb_autofree char *key = prb_asprintf("%s/%s", provider_text(service, "namespace"), name);
    struct entry *entry = &guards->entries[guards->count++];

    *entry = (struct entry){ .service = service, .next = prb_map_find(guards->first, key) };
    prb_map_set(guards->first, key, entry);
}

static bool count_one(void *ctx, const struct prb_object *service)
{
    (void)service;
    ++*(size_t *)ctx;
    return true;
}

/* Call `name` with each CriticalService that this one waits for, until it says false. */
static bool each_waited_for(
        const struct prb_object *object, bool (*name)(void *ctx, const char *name), void *ctx)
{
    struct prb_critical_service service;

    if (!prb_crit_mentions_group(object, prb_critical_services.group))
        return true;
    prb_critical_service_read(object, &service);
    for (size_t i = 0; i < service.criterion_count; i++) {
        const struct prb_criterion *criterion = &service.criteria[i];

        if (criterion->type == PRB_CRITERION_RESOURCE &&
                prb_means_critical_services(criterion->group, criterion->resource) &&
                !name(ctx, criterion->name))
            return false;
    }
    return true;
}

static bool put_name(void *ctx, const char *name)
{
    struct guards *guards = ctx;

    prb_map_set(guards->waited, name, guards);
    return true;
}

static bool put_all(void *ctx, const struct prb_object *service)
{
    const char *name = provider_text(service, "name");

    put(ctx, service, "");
    if (name[0])
        put(ctx, service, name);
    return each_waited_for(service, put_name, ctx);
}

struct search {
    const char *namespace, *name; /* name "": any in the namespace */
    prb_view_each_fn each;
    void *ctx;
};

static bool compare(void *ctx, const struct prb_object *service)
{
    const struct search *search = ctx;

    if (search->name[0] && !prb_streq(provider_text(service, "name"), search->name))
        return true;
    if (!prb_streq(provider_text(service, "namespace"), search->namespace))
        return true;
    return search->each(search->ctx, service);
}

static void look_up(const struct guards *guards, const struct search *search)
{
    prb_autofree char *key = prb_asprintf("%s/%s", search->namespace, search->name);
    const struct entry *entry = prb_map_find(guards->first, key);

    while (entry && search->each(search->ctx, entry->service))
        entry = entry->next;
}

static void make_index(const struct prb_view *view, struct guards *guards)
{
    size_t services = 0;

    prb_view_each(view, &prb_critical_services, NULL, count_one, &services);
    guards->first = prb_map_new(NULL);
    guards->waited = prb_map_new(NULL);
    guards->entries = prb_calloc(2 * services + 1, sizeof(*guards->entries));
    prb_view_each(view, &prb_critical_services, NULL, put_all, guards);
}

/* The index, from the second time on that this view is asked; NULL the first time. */
static const struct guards *index_of(const struct prb_view *view)
{
    struct guards *guards = prb_view_memo(view);

    if (!guards) {
        prb_view_set_memo(view, prb_calloc(1, sizeof(*guards)), guards_free);
        return NULL;
    }
    if (!guards->first)
        make_index(view, guards);
    return guards;
}

void prb_crit_each_guard(const struct prb_view *view, const char *namespace, const char *name,
        prb_view_each_fn each, void *ctx)
{
    struct search search = { .namespace = namespace, .name = name, .each = each, .ctx = ctx };
    const struct guards *guards = index_of(view);

    if (guards)
        look_up(guards, &search);
    else
        prb_view_each(view, &prb_critical_services, NULL, compare, &search);
}

/* One name, and whether anybody waits for it. */
struct wait {
    const char *name;
    bool found;
};

static bool is_another(void *ctx, const char *name)
{
    struct wait *wait = ctx;

    wait->found = prb_streq(wait->name, name);
    return !wait->found;
}

static bool waits_for_others(void *ctx, const struct prb_object *service)
{
    return each_waited_for(service, is_another, ctx);
}

bool prb_crit_is_waited_for(const struct prb_view *view, const struct prb_critical_service *service)
{
    const struct guards *guards = index_of(view);
    struct wait wait = { .name = service->name };

    if (guards)
        return prb_map_find(guards->waited, service->name) != NULL;
    prb_view_each(view, &prb_critical_services, NULL, waits_for_others, &wait);
    return wait.found;
}
