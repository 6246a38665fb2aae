/* How does a test see what the cluster deletion controller wants done? */

#include "cluster_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/model/patch.h"

struct prb_world *world;
struct prb_cluster_settings settings;
struct prb_changes changes;
const char *trouble;
const char *now;

static struct prb_gvr monitored[1];
static struct prb_known_resource known[1];

void cluster_world_init(void)
{
    settings = (struct prb_cluster_settings){
        .finalizer = FINALIZER, .monitored = monitored, .delete_works = PRB_DELETE_WORKS_ADDON
    };
    trouble = NULL;
    now = NOW;
    prb_changes_init(&changes);
}

void cluster_world_done(void)
{
    prb_changes_done(&changes);
    prb_world_free(world);
    world = NULL;
}

void build(const char *yaml)
{
    static const char *const served[] = { CLUSTERS, NAMESPACES, ADDONS, WORKS, ROLEBINDINGS, ROLES,
        BINDINGS };

    prb_world_free(world);
    world = prb_world_new(yaml);
    for (size_t i = 0; i < sizeof(served) / sizeof(served[0]); i++)
        (void)prb_world_serve(world, served[i]);
}

void monitor_hive(int state, const char *trouble_text)
{
    struct prb_known_resource *resource = &known[0];

    (void)prb_gvr_parse(HIVE, &monitored[0]);
    settings.monitored_count = 1;
    *resource =
            (struct prb_known_resource){ .state = state, .gvr = monitored[0], .namespaced = true };
    (void)prb_copy(resource->group, sizeof(resource->group), monitored[0].group);
    (void)prb_copy(resource->name, sizeof(resource->name), monitored[0].resource);
    (void)prb_copy(resource->trouble, sizeof(resource->trouble), trouble_text);
    if (state == PRB_RESOURCE_PRESENT && !trouble_text[0])
        (void)prb_world_serve(world, HIVE);
}

struct prb_known_resource *known_hive(void)
{
    return &known[0];
}

static const struct json_object *condition_of(const struct prb_change *change)
{
    const struct json_object *list =
            prb_json_arr(prb_json_obj(change->body, "status"), "conditions");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (prb_streq(prb_json_str(prb_json_elem(list, i), "type"), "ContentDeleteSuccess"))
            return prb_json_elem(list, i);
    }
    return NULL;
}

static void print_merge(const struct prb_change *change, const char *what, struct prb_str *out)
{
    const struct json_object *annotations =
            prb_json_obj(prb_json_obj(change->body, "metadata"), "annotations");
    const struct json_object *condition = condition_of(change);

    if (condition)
        prb_str_addf(out, "condition %s %s @%s\n", prb_json_str(condition, "status"),
                prb_json_str(condition, "reason"), change->resource_version);
    else if (prb_json_str(annotations, PRB_MARK_CLUSTER_UID))
        prb_str_addf(out, "mark %s %s %s%s @%s\n", what,
                prb_json_str(annotations, PRB_MARK_CLUSTER_UID),
                prb_json_str(annotations, PRB_MARK_NAMESPACE_UID),
                prb_json_str(annotations, PRB_MARK_KEEPS) ? " to keep" : "",
                change->resource_version);
    else if (prb_json_has(annotations, PRB_MARK_CLUSTER_UID) &&
             prb_json_has(annotations, PRB_MARK_NAMESPACE_UID) &&
             prb_json_has(annotations, PRB_MARK_KEEPS))
        prb_str_addf(out, "unmark %s @%s\n", what, change->resource_version);
    else
        prb_str_addf(out, "merge %s ?\n", what);
}

/* The list of finalizers that a patch leaves, or that it only tests. */
static void print_json(const struct prb_change *change, const char *what, struct prb_str *out)
{
    const struct json_object *last = prb_json_elem(change->body, prb_json_len(change->body) - 1);
    const char *op = prb_json_str(last, "op");
    prb_autofree char *value = prb_json_text(prb_json_find(last, "value"), false);

    if (prb_streq(op, "test"))
        prb_str_addf(out, "same %s %s\n", what, value);
    else
        prb_str_addf(out, "finalizers %s %s %s\n", what, op, prb_streq(op, "remove") ? "" : value);
}

static void print_change(const struct prb_change *change, struct prb_str *out)
{
    char what[PRB_REF_TEXT_SIZE];

    prb_ref_describe(&change->ref, what);
    switch (change->type) {
    case PRB_CHANGE_MERGE_PATCH:
        print_merge(change, what, out);
        break;
    case PRB_CHANGE_JSON_PATCH:
        print_json(change, what, out);
        break;
    case PRB_CHANGE_DELETE:
        prb_str_addf(out, "delete %s %s%s%s\n", what, change->uid,
                change->resource_version ? " @" : "",
                change->resource_version ? change->resource_version : "");
        break;
    case PRB_CHANGE_EXPECT_ABSENT:
        prb_str_addf(out, "absent %s\n", what);
        break;
    case PRB_CHANGE_EXPECT_NONE:
        prb_str_addf(out, "none %s\n", what);
        break;
    case PRB_CHANGE_EVENT:
        prb_str_addf(
                out, "%s %s on %s\n", change->warning ? "warning" : "event", change->reason, what);
        break;
    case PRB_CHANGE_CREATE:
    case PRB_CHANGE_UPDATE:
    case PRB_CHANGE_APPLY:
    case PRB_CHANGE_READ:
    case PRB_CHANGE_RESOLVE:
        prb_str_addf(out, "? %s\n", what);
        break;
    }
}

const char *decide_on(const char *key)
{
    struct prb_ref ref = prb_world_ref(key);
    struct prb_reconciler reconciler = prb_reconciler_cluster_deletion;
    prb_auto(prb_view_close) struct prb_view *view = NULL;
    static char text[16384];
    prb_auto(prb_str_done) struct prb_str out;
    int64_t now_ms = 0;

    (void)prb_time_parse(now, &now_ms);
    prb_str_init(&out, sizeof(text) - 1);
    reconciler.settings = &settings;
    view = prb_world_view(world, now_ms);
    prb_view_set_resources(view, known, settings.monitored_count);
    prb_view_set_trouble(view, trouble);
    prb_changes_done(&changes);
    reconciler.decide(&reconciler, view, &ref, &changes);
    for (size_t i = 0; i < changes.count; i++)
        print_change(&changes.items[i], &out);
    (void)prb_copy(text, sizeof(text), prb_str_get(&out));
    return text;
}

const char *decide(void)
{
    return decide_on(C1);
}

void check(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        build(rows[i].world);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, decide(), rows[i].name);
    }
}

const char *message(void)
{
    for (size_t i = 0; i < changes.count; i++) {
        if (changes.items[i].type == PRB_CHANGE_MERGE_PATCH && condition_of(&changes.items[i]))
            return prb_json_str(condition_of(&changes.items[i]), "message");
    }
    return "";
}

const char *waits(void)
{
    return changes.waits_for ? changes.waits_for : "";
}

void see_condition(void)
{
    struct prb_store *clusters = prb_world_store(world, CLUSTERS);
    prb_auto(prb_object_unref) struct prb_object *before = prb_store_get(clusters, "", "c1");
    prb_auto(prb_object_unref) struct prb_object *after = NULL;
    struct prb_error err;

    for (size_t i = 0; i < changes.count; i++) {
        if (changes.items[i].type != PRB_CHANGE_MERGE_PATCH || !condition_of(&changes.items[i]))
            continue;
        if (prb_object_new(prb_merge_patch(prb_object_tree(before), changes.items[i].body), &after,
                    &err) == 0)
            (void)prb_store_put(clusters, after);
    }
}
