/* What does a watch tell of changes? */

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "events.h"
#include "objects.h"
#include "support/json_text.h"

/* A watch on this row's ConfigMaps from now on. */
static int watch_from_now(
        struct conf *c, const struct prb_watch_options *options, struct prb_watch_log **ret)
{
    struct prb_watch_options filled =
            options ? *options : (struct prb_watch_options){ .namespace = NULL };
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    r = conf_list(c, &conf_configmap, NULL, &page);
    if (r < 0)
        return r;
    filled.resource_version = page.resource_version;
    return conf_events_start(c, &conf_configmap, &filled, ret);
}

static int check_event(struct conf *c, struct prb_watch_log *events, size_t index,
        enum prb_watch_event_type type, const char *name)
{
    const struct prb_watch_log_event *event = prb_watch_log_at(events, index);

    CONF_TRUE(c, event != NULL);
    CONF_INT(c, type, event->type);
    CONF_TRUE(c, conf_is(c, event->object, name));
    return 0;
}

static int set_label(struct conf *c, const char *name, const char *value)
{
    return conf_merge(c, &conf_configmap, name,
            prb_test_json("{'metadata':{'labels':{'mark':%s}}}", value), NULL);
}

static int a_watch_tells_of_every_change_in_order(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    int64_t before = 0, version;

    CONF_OK(c, watch_from_now(c, NULL, &events));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, set_label(c, "a", "'x'"));
    CONF_OK(c, conf_create_plain(c, "b", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_events_wait(c, events, 4));
    CONF_OK(c, check_event(c, events, 0, PRB_WATCH_ADDED, "a"));
    CONF_OK(c, check_event(c, events, 1, PRB_WATCH_MODIFIED, "a"));
    CONF_OK(c, check_event(c, events, 2, PRB_WATCH_ADDED, "b"));
    CONF_OK(c, check_event(c, events, 3, PRB_WATCH_DELETED, "a"));
    for (size_t i = 0; i < 4; i++) {
        CONF_TRUE(c, prb_parse_int(prb_watch_log_at(events, i)->resource_version, 1, INT64_MAX,
                             &version));
        CONF_TRUE(c, version > before);
        before = version;
    }
    return 0;
}

static int a_watch_is_silent_about_writes_that_change_nothing(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;

    CONF_OK(c, watch_from_now(c, NULL, &events));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, set_label(c, "a", "'x'"));
    CONF_OK(c, set_label(c, "a", "'x'"));
    CONF_OK(c, conf_create_plain(c, "end", NULL));
    CONF_OK(c, conf_events_wait(c, events, 3));
    CONF_OK(c, check_event(c, events, 2, PRB_WATCH_ADDED, "end"));
    return 0;
}

static int an_end_is_told_with_the_last_state(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    prb_auto(prb_object_unref) struct prb_object *last = NULL;
    const struct prb_watch_log_event *event;

    CONF_OK(c, watch_from_now(c, NULL, &events));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_merge(c, &conf_configmap, "a", prb_test_json("{'data':{'k':'v'}}"), &last));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_events_wait(c, events, 3));
    event = prb_watch_log_at(events, 2);
    CONF_INT(c, PRB_WATCH_DELETED, event->type);
    CONF_STR(c, "v", prb_json_str(prb_json_obj(prb_object_tree(event->object), "data"), "k"));
    CONF_STR(c, prb_object_uid(last), prb_object_uid(event->object));
    CONF_TRUE(c, !prb_streq(prb_object_resource_version(last), event->resource_version));
    return 0;
}

static int a_deletion_that_is_held_is_a_change_first(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;

    CONF_OK(c, watch_from_now(c, NULL, &events));
    CONF_OK(c, conf_create_held(c, "a", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_release(c, &conf_configmap, "a"));
    CONF_OK(c, conf_events_wait(c, events, 3));
    CONF_OK(c, check_event(c, events, 1, PRB_WATCH_MODIFIED, "a"));
    CONF_TRUE(c, prb_object_is_deleting(prb_watch_log_at(events, 1)->object));
    CONF_OK(c, check_event(c, events, 2, PRB_WATCH_DELETED, "a"));
    return 0;
}

static int objects_come_and_go_with_the_selector(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    prb_autofree char *selector = prb_asprintf("%s,mark=x", c->selector);

    CONF_OK(c,
            watch_from_now(c, &(struct prb_watch_options){ .label_selector = selector }, &events));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, set_label(c, "a", "'x'"));
    CONF_OK(c, conf_merge(c, &conf_configmap, "a", prb_test_json("{'data':{'k':'v'}}"), NULL));
    CONF_OK(c, set_label(c, "a", "'y'"));
    CONF_OK(c, set_label(c, "a", "'z'"));
    CONF_OK(c, set_label(c, "a", "'x'"));
    CONF_OK(c, conf_events_wait(c, events, 4));
    CONF_OK(c, check_event(c, events, 0, PRB_WATCH_ADDED, "a"));
    CONF_OK(c, check_event(c, events, 1, PRB_WATCH_MODIFIED, "a"));
    CONF_OK(c, check_event(c, events, 2, PRB_WATCH_DELETED, "a"));
    CONF_OK(c, check_event(c, events, 3, PRB_WATCH_ADDED, "a"));
    return 0;
}

/* As the one before: who leaves a selection leaves as it was known to those who select. */
static int who_leaves_a_selection_is_shown_as_it_was(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    prb_autofree char *selector = prb_asprintf("%s,mark=x", c->selector);

    CONF_OK(c,
            watch_from_now(c, &(struct prb_watch_options){ .label_selector = selector }, &events));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, set_label(c, "a", "'x'"));
    CONF_OK(c, set_label(c, "a", "null"));
    CONF_OK(c, conf_events_wait(c, events, 2));
    CONF_OK(c, check_event(c, events, 1, PRB_WATCH_DELETED, "a"));
    CONF_STR(c, "x", prb_object_label(prb_watch_log_at(events, 1)->object, "mark"));
    return 0;
}

static int a_watch_may_be_on_one_name(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    struct prb_ref ref = conf_ref(c, &conf_configmap, "b");
    prb_autofree char *selector = prb_asprintf("metadata.name=%s", ref.name);

    CONF_OK(c,
            watch_from_now(c, &(struct prb_watch_options){ .field_selector = selector }, &events));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_create_plain(c, "b", NULL));
    CONF_OK(c, conf_events_wait(c, events, 1));
    CONF_OK(c, check_event(c, events, 0, PRB_WATCH_ADDED, "b"));
    return 0;
}

static int a_watch_may_be_metadata_only(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    const struct prb_object *object;

    CONF_OK(c, watch_from_now(c, &(struct prb_watch_options){ .metadata_only = true }, &events));
    CONF_OK(c, conf_create(c, &conf_configmap,
                       conf_body(c, &conf_configmap, "a", "{'data':{'k':'v'}}"), NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_events_wait(c, events, 2));
    CONF_OK(c, check_event(c, events, 1, PRB_WATCH_DELETED, "a"));
    for (size_t i = 0; i < 2; i++) {
        object = prb_watch_log_at(events, i)->object;
        CONF_STR(c, c->id, prb_object_label(object, "row"));
        CONF_TRUE(c, !prb_json_has(prb_object_tree(object), "data"));
        CONF_TRUE(c,
                !prb_json_has(prb_json_obj(prb_object_tree(object), "metadata"), "managedFields"));
    }
    return 0;
}

static int a_watch_sees_one_namespace_or_all(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *one = NULL;
    prb_auto(prb_watch_log_stop) struct prb_watch_log *all = NULL;

    CONF_OK(c, watch_from_now(c, NULL, &one));
    CONF_OK(c, watch_from_now(c, &(struct prb_watch_options){ .namespace = "" }, &all));
    CONF_OK(c, conf_create(c, &conf_configmap,
                       conf_body(c, &conf_configmap, "a", "{'metadata':{'namespace':'%s'}}",
                               c->other_ns),
                       NULL));
    CONF_OK(c, conf_create_plain(c, "b", NULL));
    CONF_OK(c, conf_events_wait(c, all, 2));
    CONF_OK(c, check_event(c, all, 0, PRB_WATCH_ADDED, "a"));
    CONF_OK(c, conf_events_wait(c, one, 1));
    CONF_OK(c, check_event(c, one, 0, PRB_WATCH_ADDED, "b"));
    return 0;
}

static const struct conf_row rows[] = {
    { "a watch tells of every change, in order", a_watch_tells_of_every_change_in_order },
    { "a watch is silent about writes that change nothing",
            a_watch_is_silent_about_writes_that_change_nothing },
    { "DELETED carries the last state and a resourceVersion of its own",
            an_end_is_told_with_the_last_state },
    { "a held deletion is MODIFIED first, DELETED at its end",
            a_deletion_that_is_held_is_a_change_first },
    { "an object that enters or leaves the selection is ADDED or DELETED",
            objects_come_and_go_with_the_selector },
    { "an object that leaves the selection is shown as it was in it",
            who_leaves_a_selection_is_shown_as_it_was },
    { "a watch may be on one name", a_watch_may_be_on_one_name },
    { "a watch may be metadata only", a_watch_may_be_metadata_only },
    { "a watch sees one namespace or all", a_watch_sees_one_namespace_or_all },
};
CONF_ROWS(conf_watch_rows, rows);
