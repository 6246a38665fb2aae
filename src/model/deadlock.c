/*
 * Do CriticalServices wait for each other in a circle?
 *
 * There are two places for each: its demands, which wait for what its criteria name, and itself,
 * which (if it is Strict) waits for its provider, and so for the demands of all that guard that. A
 * search in breadth from one of these places, along what each waits for, is back at it by the
 * shortest way first. What guards an object is looked up by name: the search takes time with the
 * number of criteria, not with its square.
 */

#include "probate/model/deadlock.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"

/* A message has 4096 bytes, with other things to say. */
#define TEXT_MAX 2048

/* No index of a service. */
#define NONE SIZE_MAX

/* Services by what they guard: a chain of indices for each key, by name of the service. */
struct chains {
    size_t *next;          /* owned; NONE ends a chain */
    struct prb_map *first; /* owned; key -> where the first has its next */
};

/* How a search came to a place. */
struct step {
    bool visited;
    size_t from;
    const struct prb_criterion
            *criterion; /* of `from`: it waits for this; NULL: for its provider */
};

/* A place is the index of a service for its demands, and that and `count` for itself. */
struct search {
    const struct prb_critical_service *services; /* borrowed */
    size_t count, start;
    struct chains by_provider, by_namespace, by_name;
    struct step *steps; /* owned; one for each place: its first visit */
    size_t *queue;      /* owned; places come to, in order */
    size_t queued;
};

static void chains_init(struct chains *chains, size_t count)
{
    chains->first = prb_map_new(NULL);
    chains->next = prb_calloc(count, sizeof(*chains->next));
}

static void chains_done(struct chains *chains)
{
    prb_map_free(chains->first);
    free(chains->next);
}

static size_t chains_find(const struct chains *chains, const char *key)
{
    const size_t *first = prb_map_find(chains->first, key);

    return first ? (size_t)(first - chains->next) : NONE;
}

static void chains_put(struct chains *chains, const char *key, size_t index)
{
    chains->next[index] = chains_find(chains, key);
    prb_map_set(chains->first, key, &chains->next[index]);
}

/* '/' is in neither of the names of an object that exists. */
static char *key_of(const char *namespace, const char *name)
{
    return prb_asprintf("%s/%s", namespace, name);
}

static int compare_names(const void *a, const void *b)
{
    const struct prb_critical_service *const *left = a, *const *right = b;

    return strcmp((*left)->name, (*right)->name);
}

static void index_one(struct search *search, size_t index)
{
    const struct prb_critical_service *service = &search->services[index];
    prb_autofree char *provider = key_of(service->provider.namespace, service->provider.name);

    chains_put(&search->by_name, service->name, index);
    if (!prb_means_deployments(service->provider.group, service->provider.resource))
        return;
    chains_put(&search->by_provider, provider, index);
    chains_put(&search->by_namespace, service->provider.namespace, index);
}

/* The answer must not depend on the order in which a server lists them: last name first, so that
 * each chain begins with the first. */
static void index_all(struct search *search)
{
    prb_autofree const struct prb_critical_service **sorted =
            prb_calloc(search->count, sizeof(struct prb_critical_service *));

    for (size_t i = 0; i < search->count; i++)
        sorted[i] = &search->services[i];
    qsort(sorted, search->count, sizeof(struct prb_critical_service *), compare_names);
    for (size_t i = search->count; i > 0; i--)
        index_one(search, (size_t)(sorted[i - 1] - search->services));
}

static void search_init(struct search *search)
{
    chains_init(&search->by_provider, search->count);
    chains_init(&search->by_namespace, search->count);
    chains_init(&search->by_name, search->count);
    search->steps = prb_calloc(2 * search->count, sizeof(*search->steps));
    search->queue = prb_calloc(2 * search->count, sizeof(*search->queue));
    index_all(search);
}

static void search_done(struct search *search)
{
    chains_done(&search->by_provider);
    chains_done(&search->by_namespace);
    chains_done(&search->by_name);
    free(search->steps);
    free(search->queue);
}

static void search_donep(struct search *search)
{
    search_done(search);
}

/* Whoever guards what the criterion waits for: a chain to follow, NULL when that is nobody's. */
static const struct chains *guards_of(
        const struct search *search, const struct prb_criterion *criterion, size_t *ret_first)
{
    const struct chains *chains = NULL;
    prb_autofree char *key = NULL;

    if (criterion->type != PRB_CRITERION_RESOURCE)
        return NULL;
    if (prb_means_deployments(criterion->group, criterion->resource)) {
        key = key_of(criterion->namespace, criterion->name);
        chains = &search->by_provider;
    } else if (prb_means_namespaces(criterion->group, criterion->resource)) {
        chains = &search->by_namespace;
    } else if (prb_means_critical_services(criterion->group, criterion->resource)) {
        chains = &search->by_name;
    }
    if (chains)
        *ret_first = chains_find(chains, key ? key : criterion->name);
    return chains;
}

/* Note how `to` was come to; true when that closes the circle. */
static bool visit(
        struct search *search, size_t from, const struct prb_criterion *criterion, size_t to)
{
    struct step *step = &search->steps[to];

    if (step->visited)
        return false;
    *step = (struct step){ .visited = true, .from = from, .criterion = criterion };
    search->queue[search->queued++] = to;
    return to == search->start;
}

/* From the demands of a service to what guards what they name. */
static bool expand_demands(struct search *search, size_t from)
{
    const struct prb_critical_service *service = &search->services[from];

    for (size_t i = 0; i < service->criterion_count; i++) {
        const struct prb_criterion *criterion = &service->criteria[i];
        size_t to = NONE;
        const struct chains *chains = guards_of(search, criterion, &to);
        bool itself = chains == &search->by_name;

        for (; chains && to != NONE; to = chains->next[to]) {
            /* What may go at any time is waited for, but not for ever. */
            if (itself && search->services[to].best_effort)
                continue;
            if (visit(search, from, criterion, itself ? to + search->count : to))
                return true;
        }
    }
    return false;
}

/* From a service itself to the demands of all that guard its provider, its own among them. */
static bool expand_itself(struct search *search, size_t from)
{
    const struct prb_critical_service *service = &search->services[from - search->count];
    prb_autofree char *key = key_of(service->provider.namespace, service->provider.name);
    size_t to;

    if (!prb_means_deployments(service->provider.group, service->provider.resource))
        return false;
    for (to = chains_find(&search->by_provider, key); to != NONE;
            to = search->by_provider.next[to]) {
        if (visit(search, from, NULL, to))
            return true;
    }
    return false;
}

static bool expand(struct search *search, size_t from)
{
    return from < search->count ? expand_demands(search, from) : expand_itself(search, from);
}

/* The start is in the queue only when it was come back to, which ends the search. */
static bool run(struct search *search)
{
    if (expand(search, search->start))
        return true;
    for (size_t i = 0; i < search->queued; i++) {
        if (expand(search, search->queue[i]))
            return true;
    }
    return false;
}

static void member_text(const struct search *search, size_t to, struct prb_str *out)
{
    const struct step *step = &search->steps[to];
    const struct prb_critical_service *waiting = &search->services[step->from % search->count];
    const char *guard = search->services[to % search->count].name;
    const struct prb_criterion *criterion = step->criterion;

    if (!criterion && prb_streq(waiting->name, guard))
        return; /* that it stays until its provider is gone was said before */
    prb_str_addf(out, "%s%s waits for ", out->len > 0 ? "; " : "", waiting->name);
    if (!criterion)
        prb_str_addf(out, "deployments.apps %s/%s to be gone, which %s protects",
                waiting->provider.namespace, waiting->provider.name, guard);
    else if (prb_means_deployments(criterion->group, criterion->resource))
        prb_str_addf(out, "deployments.apps %s/%s to be gone, which %s protects",
                criterion->namespace, criterion->name, guard);
    else if (prb_means_namespaces(criterion->group, criterion->resource))
        prb_str_addf(out, "namespaces %s to be gone, which %s protects", criterion->name, guard);
    else
        prb_str_addf(out,
                "criticalservices.probate.dev %s to be gone, which stays until its provider is "
                "gone",
                guard);
}

/* From the start on, the way it was gone: the steps lead back, so they are turned round first. */
static char *cycle_text(struct search *search)
{
    prb_auto(prb_str_done) struct prb_str text;
    size_t count = 0, at = search->start;

    prb_str_init(&text, TEXT_MAX);
    do {
        search->queue[count++] = at;
        at = search->steps[at].from;
    } while (at != search->start);
    while (count > 0)
        member_text(search, search->queue[--count], &text);
    return prb_str_take(&text);
}

/* Through the place `at` of the service: 0 its demands, 1 itself. */
static char *find(
        const struct prb_critical_service *services, size_t count, size_t start, size_t at)
{
    prb_auto(search_done) struct search search = {
        .services = services, .count = count, .start = start + at * count
    };

    if (start >= count)
        return NULL;
    search_init(&search);
    return run(&search) ? cycle_text(&search) : NULL;
}

char *prb_deadlock_find_by_criteria(
        const struct prb_critical_service *services, size_t count, size_t start)
{
    return find(services, count, start, 0);
}

char *prb_deadlock_find(const struct prb_critical_service *services, size_t count, size_t start)
{
    char *cycle = find(services, count, start, 0);

    return cycle ? cycle : find(services, count, start, 1);
}
