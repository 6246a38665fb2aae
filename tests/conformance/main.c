/*
 * Do the embedded hub and a real API server behave as the table says?
 *
 *     test_conformance hub|cluster [PART-OF-A-ROW'S-NAME]
 */

#include <stdio.h>
#include <stdlib.h>
#include <unity.h>

#include "probate/base/random.h"
#include "probate/base/str.h"
#include "probate/hub/hub.h"
#include "probate/kube/kube.h"

#include "crd.h"
#include "objects.h"
#include "support/cluster.h"

/* The rows that take long come first, so that the others run beside them. */
static const struct conf_rows *const groups[] = { &conf_watch_start_rows, &conf_namespace_rows,
    &conf_crd_rows, &conf_foreground_rows, &conf_owner_rows, &conf_create_rows, &conf_update_rows,
    &conf_status_rows, &conf_delete_rows, &conf_list_rows, &conf_selector_rows, &conf_watch_rows,
    &conf_patch_rows, &conf_apply_rows, &conf_dry_run_rows, &conf_resolve_rows, &conf_access_rows,
    &conf_share_rows, &conf_served_rows };

/* Rows on a real server mostly wait; on the hub they mostly compute, on two cores. */
#define CLUSTER_THREADS 12
#define HUB_THREADS 4

/* Often enough for the row on bookmarks to be quick. */
#define HUB_BOOKMARK_MS 100

/* What all rows of a run on a real server share; on the hub each has a hub of its own. */
struct run {
    struct conf shared; /* `api` is owned here; NULL: rows make a hub */
    unsigned id;        /* tells runs apart that share a server */
};

void setUp(void)
{
}

void tearDown(void)
{
}

/* The row of that number; the table runner asks for none that is not there. */
static const struct conf_row *row_at(size_t index)
{
    size_t group = 0;

    while (index >= groups[group]->count)
        index -= groups[group++]->count;
    return &groups[group]->rows[index];
}

static const char *name_at(size_t index)
{
    return row_at(index)->name;
}

static size_t count_rows(void)
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        count += groups[i]->count;
    return count;
}

static int create_namespace(struct conf *c, const char *name)
{
    return conf_create(c, &conf_namespace,
            conf_body(c, &conf_namespace, "", "{'metadata':{'name':'%s'}}", name), NULL);
}

/* Namespaces and kinds that rows expect to find. */
static int furnish(struct conf *c)
{
    char group[PRB_GROUP_SIZE];

    prb_test_unique_name("conf", c->ns);
    prb_test_unique_name("conf", c->other_ns);
    (void)snprintf(group, sizeof(group), "%s.example.com", c->ns);
    CONF_OK(c, create_namespace(c, c->ns));
    CONF_OK(c, create_namespace(c, c->other_ns));
    CONF_OK(c, conf_crd_create(c,
                       &(struct conf_crd_spec){ .group = group,
                               .kind = "Widget",
                               .short_name = "wdg",
                               .namespaced = true,
                               .status = true },
                       &c->widget));
    CONF_OK(c, conf_crd_create(c,
                       &(struct conf_crd_spec){
                               .group = group, .kind = "Gadget", .short_name = "gdg" },
                       &c->gadget));
    return 0;
}

/* On a hub of its own, which ends with the row. */
static void check_on_hub(const struct conf_row *row, struct conf *c)
{
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(&(struct prb_hub_options){
            .log_max = CONF_HUB_LOG_MAX, .bookmark_ms = HUB_BOOKMARK_MS });

    c->api = prb_hub_api(hub);
    if (furnish(c) == 0)
        (void)row->check(c);
}

static void check_row(void *ctx, size_t index, char why[PRB_TEST_WHY_SIZE])
{
    const struct run *run = ctx;
    const struct conf_row *row = row_at(index);
    struct conf c = run->shared;

    (void)snprintf(c.id, sizeof(c.id), "r%zu-%08x", index, run->id);
    (void)snprintf(c.selector, sizeof(c.selector), "row=%s", c.id);
    c.why = why;
    if (c.real)
        (void)row->check(&c);
    else
        check_on_hub(row, &c);
}

/* Best effort: what rows left over goes with the namespaces. */
static void unfurnish(struct conf *c)
{
    const char *const namespaces[] = { c->ns, c->other_ns };

    (void)conf_crd_delete(c, &c->widget);
    (void)conf_crd_delete(c, &c->gadget);
    for (size_t i = 0; i < 2; i++) {
        struct prb_ref ref = { .gvr = conf_namespace.gvr };
        prb_auto(prb_object_unref) struct prb_object *object = NULL;

        (void)prb_copy(ref.name, sizeof(ref.name), namespaces[i]);
        if (prb_api_get(c->api, &ref, NULL, &object, &c->err) == 0)
            (void)prb_api_delete(c->api, &ref,
                    &(struct prb_delete_options){ .uid = prb_object_uid(object) }, &c->err);
    }
}

static int open_cluster(struct conf *c)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;

    CONF_OK(c, prb_test_cluster_config(&config, &c->err));
    CONF_OK(c, prb_kube_open(config, NULL, &c->api, &c->err));
    return furnish(c);
}

static void run_table(struct run *run, const char *only)
{
    prb_test_table_run(&(struct prb_test_table){ .file = "tests/conformance",
            .count = count_rows(),
            .threads = run->shared.real ? CLUSTER_THREADS : HUB_THREADS,
            .name = name_at,
            .check = check_row,
            .ctx = run,
            .only = only });
}

int main(int argc, char **argv)
{
    char why[PRB_TEST_WHY_SIZE] = "";
    struct run run = { .shared = { .why = why, .id = "run" }, .id = (unsigned)prb_random_u64() };
    const char *target = argc > 1 ? argv[1] : "";

    run.shared.real = prb_streq(target, "cluster");
    if (!run.shared.real && !prb_streq(target, "hub")) {
        (void)fprintf(stderr, "usage: %s hub|cluster [PART-OF-A-ROW'S-NAME]\n", argv[0]);
        return 2;
    }
    if (run.shared.real && open_cluster(&run.shared) < 0) {
        (void)fprintf(stderr, "%s\n", why);
        prb_api_close(run.shared.api);
        return 1;
    }
    UNITY_BEGIN();
    run_table(&run, argc > 2 ? argv[2] : NULL);
    if (run.shared.real) {
        unfurnish(&run.shared);
        prb_api_close(run.shared.api);
    }
    return UNITY_END();
}
