/* How does a test run the cluster deletion controller on a hub, pass by pass? */

#include "cluster_hub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/log.h"
#include "probate/base/str.h"
#include "probate/control/apply.h"
#include "probate/reconcilers/registry.h"

#include "cluster_world.h"

struct cluster_hub cluster_hub;

static const char *const collections[CACHES] = { CLUSTERS, NAMESPACES, ADDONS, WORKS, ROLEBINDINGS,
    ROLES, BINDINGS, MONITORED };
static struct prb_gvr monitored;
static struct prb_known_resource known;
static char refusal[PRB_ERROR_MSG_MAX];

static struct prb_gvr gvr_of(const char *text)
{
    struct prb_gvr gvr;

    if (!prb_gvr_parse(text, &gvr))
        abort();
    return gvr;
}

void cluster_hub_init(void)
{
    const struct prb_hub_options options = { .clock = &cluster_hub.clock.clock };

    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, fileno(stderr));
    prb_fake_clock_init(&cluster_hub.clock, 1767225600000);
    cluster_hub.hub = prb_hub_new(&options);
    cluster_hub.api = prb_hub_api(cluster_hub.hub);
    world_objects_open(cluster_hub.api);
    cluster_hub.writes = 0;
    cluster_hub.writes_max = SIZE_MAX;
    refusal[0] = '\0';
    for (size_t i = 0; i < CACHES; i++) {
        struct prb_gvr gvr = gvr_of(collections[i]);

        cluster_hub.caches[i] = prb_store_new(&gvr);
    }
    monitored = gvr_of(MONITORED);
    known = (struct prb_known_resource){
        .state = PRB_RESOURCE_PRESENT, .gvr = monitored, .namespaced = true
    };
    (void)prb_copy(known.name, sizeof(known.name), monitored.resource);
    cluster_hub.settings = (struct prb_cluster_settings){ .finalizer = FINALIZER,
        .monitored = &monitored,
        .monitored_count = 1,
        .delete_works = PRB_DELETE_WORKS_ADDON };
    prb_changes_init(&cluster_hub.changes);
}

void cluster_hub_done(void)
{
    prb_changes_done(&cluster_hub.changes);
    for (size_t i = 0; i < CACHES; i++)
        prb_store_unref(cluster_hub.caches[i]);
    world_objects_close();
    prb_hub_free(cluster_hub.hub);
}

void put(const char *yaml)
{
    struct prb_error err;

    must(prb_hub_load_text(cluster_hub.hub, yaml, strlen(yaml), &err), "put", &err);
}

static void list(const char *gvr, const char *namespace, struct prb_page *page)
{
    struct prb_gvr parsed = gvr_of(gvr);
    struct prb_list_options options = { .namespace = namespace };
    struct prb_error err;

    prb_page_init(page);
    must(prb_api_list_all(cluster_hub.api, &parsed, &options, 10000, page, &err), gvr, &err);
}

size_t count_in(const char *gvr, const char *namespace)
{
    prb_auto(prb_page_done) struct prb_page page;

    list(gvr, namespace, &page);
    return page.count;
}

const char *nth_in(const char *gvr, const char *namespace, size_t n)
{
    static char text[PRB_REF_TEXT_SIZE];
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_gvr parsed = gvr_of(gvr);
    struct prb_ref ref;

    list(gvr, namespace, &page);
    text[0] = '\0';
    if (n < page.count && prb_object_ref_in(page.objects[n], &parsed, &ref))
        prb_ref_format(&ref, text);
    return text;
}

void release(const char *ref)
{
    if (is_there(ref))
        set(ref, NULL, "{\"metadata\":{\"finalizers\":null}}");
}

void see_some(unsigned which)
{
    for (size_t i = 0; i < CACHES; i++) {
        prb_auto(prb_page_done) struct prb_page page;

        prb_page_init(&page);
        if (!(which & (1U << i)))
            continue;
        list(collections[i], NULL, &page);
        prb_store_replace(cluster_hub.caches[i], page.objects, page.count, NULL, NULL);
        prb_store_set_synced(cluster_hub.caches[i]);
    }
}

void see(void)
{
    see_some(~0U);
}

static void decide_now(const char *cluster)
{
    int64_t now_ms = cluster_hub.clock.now_ms;
    struct prb_reconciler reconciler = prb_reconciler_cluster_deletion;
    prb_auto(prb_view_close) struct prb_view *view =
            prb_view_open(cluster_hub.caches, CACHES, now_ms);
    struct prb_ref ref = prb_world_ref(cluster);

    reconciler.settings = &cluster_hub.settings;
    prb_view_set_resources(view, &known, 1);
    if (refusal[0])
        prb_view_set_trouble(view, refusal);
    reconciler.decide(&reconciler, view, &ref, &cluster_hub.changes);
}

/* One by one, so that the law sees what is there before each. */
static const char *perform(law_fn *law)
{
    const struct prb_apply_options options = { .controller = "test" };
    struct prb_changes *all = &cluster_hub.changes;
    struct prb_error err;

    for (size_t i = 0; i < all->count; i++) {
        const struct prb_changes one = { .items = &all->items[i], .count = 1 };
        const char *wrong = law ? law(&all->items[i]) : NULL;

        if (wrong)
            return wrong;
        if (cluster_hub.writes >= cluster_hub.writes_max)
            return NULL;
        cluster_hub.result = prb_apply(cluster_hub.api, NULL, &one, &options, &err);
        if (cluster_hub.result != 0) {
            if (!prb_errc_is_transient(err.code))
                (void)prb_copy(refusal, sizeof(refusal), err.msg);
            return NULL;
        }
        cluster_hub.writes += all->items[i].type != PRB_CHANGE_EVENT;
    }
    refusal[0] = '\0';
    return NULL;
}

const char *pass(const char *cluster, law_fn *law)
{
    prb_changes_done(&cluster_hub.changes);
    cluster_hub.result = 0;
    decide_now(cluster);
    return perform(law);
}
