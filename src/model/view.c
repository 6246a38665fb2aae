/* What does a decision see, and how is it held still while it looks? */

#include "probate/model/view.h"

#include <strings.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/defect.h"
#include "probate/model/outcome.h"

#include "store_internal.h"

struct held {
    struct prb_store *store; /* borrowed, locked */
    bool synced;             /* at the opening: a view does not change its mind */
    bool whole;              /* no object in it has a defect */
};

/* Not what the view shows: this may change while it is read. */
struct memo {
    void *memo; /* owned */
    void (*free_memo)(void *memo);
};

/* Collections of which only some namespaces are read, and cannot be. */
#define UNREAD_MAX 4

struct unread {
    struct prb_gvr gvr;
    const char *why; /* borrowed */
};

struct prb_view {
    int64_t now_ms;
    struct unread unread[UNREAD_MAX];
    size_t unread_count;
    struct memo *memo;                          /* owned */
    const struct prb_known_resource *resources; /* borrowed */
    size_t resource_count;
    bool more_resources;                 /* that nobody looks for */
    const char *trouble;                 /* borrowed, as both below */
    const struct prb_outcomes *outcomes; /* NULL: this is the first round */
    const struct json_object *memory;
    size_t count;
    struct held stores[]; /* sorted by address */
};

/* A second view could wait for a writer who waits for the first. */
static _Thread_local bool open_in_this_thread;

static int by_address(const void *a, const void *b)
{
    const struct held *left = a, *right = b;

    return (left->store > right->store) - (left->store < right->store);
}

struct prb_view *prb_view_open(struct prb_store *const *stores, size_t count, int64_t now_ms)
{
    struct prb_view *view = prb_calloc(1, sizeof(*view) + count * sizeof(view->stores[0]));

    if (open_in_this_thread)
        prb_defect("a thread opens a second view");
    open_in_this_thread = true;
    view->now_ms = now_ms;
    view->memo = prb_calloc(1, sizeof(*view->memo));
    view->count = count;
    for (size_t i = 0; i < count; i++)
        view->stores[i].store = stores[i];

    /* One order for everyone: two views that share stores cannot wait for each other. */
    qsort(view->stores, count, sizeof(view->stores[0]), by_address);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && view->stores[i].store == view->stores[i - 1].store)
            prb_defect("a view is opened on one store twice");
        prb_store_lock(view->stores[i].store);

        /* Read after the lock: a store that is synced by now was filled before. */
        view->stores[i].synced = prb_store_synced(view->stores[i].store);
        view->stores[i].whole = prb_store_contents(view->stores[i].store)->defects == 0;
    }
    return view;
}

void prb_view_close(struct prb_view *view)
{
    if (!view)
        return;
    for (size_t i = view->count; i-- > 0;)
        prb_store_unlock(view->stores[i].store);
    open_in_this_thread = false;
    prb_view_set_memo(view, NULL, NULL);
    free(view->memo);
    free(view);
}

int64_t prb_view_now_ms(const struct prb_view *view)
{
    return view->now_ms;
}

/* The store that holds the objects of this namespace; NULL: of all. Of several, one that was read.
 */
static const struct held *find_store(
        const struct prb_view *view, const struct prb_gvr *gvr, const char *namespace)
{
    const struct held *found = NULL;

    for (size_t i = 0; i < view->count && !(found && found->synced); i++) {
        const struct held *held = &view->stores[i];

        if (prb_gvr_equal(prb_store_gvr(held->store), gvr) &&
                prb_store_covers(held->store, namespace) && (!found || held->synced))
            found = held;
    }
    return found;
}

bool prb_view_knows(const struct prb_view *view, const struct prb_gvr *gvr)
{
    return prb_view_knows_in(view, gvr, NULL);
}

bool prb_view_knows_in(
        const struct prb_view *view, const struct prb_gvr *gvr, const char *namespace)
{
    const struct held *held = find_store(view, gvr, namespace);

    return held && held->synced && held->whole;
}

bool prb_view_has_read(const struct prb_view *view, const struct prb_gvr *gvr)
{
    const struct held *held = find_store(view, gvr, NULL);

    return held && held->synced;
}

const struct prb_object *prb_view_find(const struct prb_view *view, const struct prb_ref *ref)
{
    const struct held *held = find_store(view, &ref->gvr, ref->namespace);

    if (!held)
        return NULL;
    return prb_contents_find(prb_store_contents(held->store), ref->namespace, ref->name);
}

/* A walk over one of several stores that hold parts of a collection. */
struct walk {
    const struct prb_view *view;
    const struct held *held;
    prb_view_each_fn each;
    void *ctx;
    bool stopped;
};

/* Two of them may hold the same namespace for a while: it is shown once. */
static bool show_once(void *ctx, const struct prb_object *object)
{
    struct walk *walk = ctx;
    const struct prb_gvr *gvr = prb_store_gvr(walk->held->store);

    if (find_store(walk->view, gvr, prb_object_namespace(object)) == walk->held)
        walk->stopped = !walk->each(walk->ctx, object);
    return !walk->stopped;
}

static void walk_all(const struct prb_view *view, const struct prb_gvr *gvr, const char *owner_uid,
        prb_view_each_fn each, void *ctx)
{
    struct walk walk = { .view = view, .each = each, .ctx = ctx };

    for (size_t i = 0; i < view->count && !walk.stopped; i++) {
        const struct prb_contents *contents = prb_store_contents(view->stores[i].store);

        walk.held = &view->stores[i];
        if (!prb_gvr_equal(prb_store_gvr(walk.held->store), gvr))
            continue;
        if (owner_uid)
            prb_contents_each_owned(contents, owner_uid, show_once, &walk);
        else
            prb_contents_each(contents, NULL, show_once, &walk);
    }
}

void prb_view_each(const struct prb_view *view, const struct prb_gvr *gvr, const char *namespace,
        prb_view_each_fn each, void *ctx)
{
    const struct held *held = find_store(view, gvr, namespace);

    if (held)
        prb_contents_each(prb_store_contents(held->store), namespace, each, ctx);
    else if (!namespace)
        walk_all(view, gvr, NULL, each, ctx);
}

void prb_view_each_owned(const struct prb_view *view, const struct prb_gvr *gvr,
        const char *owner_uid, prb_view_each_fn each, void *ctx)
{
    const struct held *held = find_store(view, gvr, NULL);

    if (held)
        prb_contents_each_owned(prb_store_contents(held->store), owner_uid, each, ctx);
    else
        walk_all(view, gvr, owner_uid, each, ctx);
}

void *prb_view_memo(const struct prb_view *view)
{
    return view->memo->memo;
}

void prb_view_set_memo(const struct prb_view *view, void *memo_taken, void (*free_memo)(void *memo))
{
    struct memo old = *view->memo;

    *view->memo = (struct memo){ .memo = memo_taken, .free_memo = free_memo };
    if (old.memo)
        old.free_memo(old.memo);
}

void prb_view_set_trouble(struct prb_view *view, const char *text)
{
    view->trouble = text;
}

const char *prb_view_trouble(const struct prb_view *view)
{
    return view->trouble;
}

void prb_view_set_outcomes(struct prb_view *view, const struct prb_outcomes *outcomes)
{
    view->outcomes = outcomes;
}

const struct prb_outcome *prb_view_outcome(const struct prb_view *view, const char *slot)
{
    return view->outcomes ? prb_outcomes_find(view->outcomes, slot) : NULL;
}

void prb_view_set_memory(struct prb_view *view, const struct json_object *memory)
{
    view->memory = memory;
}

const struct json_object *prb_view_memory(const struct prb_view *view)
{
    return view->memory;
}

void prb_view_set_unread(struct prb_view *view, const struct prb_gvr *gvr, const char *why)
{
    if (view->unread_count == UNREAD_MAX)
        prb_defect("a view has more unread collections than there can be");
    view->unread[view->unread_count++] = (struct unread){ .gvr = *gvr, .why = why };
}

const char *prb_view_unread(const struct prb_view *view, const struct prb_gvr *gvr)
{
    for (size_t i = 0; i < view->unread_count; i++) {
        if (prb_gvr_equal(&view->unread[i].gvr, gvr))
            return view->unread[i].why;
    }
    return NULL;
}

void prb_view_set_resources(
        struct prb_view *view, const struct prb_known_resource *items, size_t count)
{
    view->resources = items;
    view->resource_count = count;
}

void prb_view_set_more_resources(struct prb_view *view)
{
    view->more_resources = true;
}

const struct prb_known_resource *prb_view_resource(
        const struct prb_view *view, const char *group, const char *name)
{
    static const struct prb_known_resource one_too_many = { .trouble = PRB_TOO_MANY_NAMED,
        .left_out = true };

    for (size_t i = 0; i < view->resource_count; i++) {
        const struct prb_known_resource *known = &view->resources[i];

        if (prb_streq(known->group, group) && strcasecmp(known->name, name) == 0)
            return known;
    }
    return view->more_resources ? &one_too_many : NULL;
}
