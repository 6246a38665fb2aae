/* How does a namespace end? */

#include <stdio.h>

#include "probate/base/str.h"

#include "events.h"
#include "objects.h"
#include "support/json_text.h"

/* A namespace of this row (its short name is c->ns, which is unique over runs), and the row as it
 * sees things from inside of it. */
static int make_namespace(struct conf *c, const char *meta, struct conf *ret_inside)
{
    struct prb_ref ref = conf_ref(c, &conf_namespace, c->ns);
    int r = conf_create(c, &conf_namespace,
            conf_body(c, &conf_namespace, c->ns, "{'metadata':%s}", meta), NULL);

    *ret_inside = *c;
    (void)prb_copy(ret_inside->ns, sizeof(ret_inside->ns), ref.name);
    return r;
}

static const char *phase_of(const struct prb_object *object)
{
    return prb_json_str(prb_object_status(object), "phase");
}

static bool is_terminating(const struct prb_object *object)
{
    return object && prb_streq(phase_of(object), "Terminating");
}

static int a_new_namespace_is_active(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    const struct json_object *finalizers;
    struct conf inside;

    CONF_OK(c, make_namespace(c, "{}", &inside));
    CONF_OK(c, conf_get(c, &conf_namespace, c->ns, &now));
    CONF_STR(c, "Active", phase_of(now));
    finalizers = prb_json_arr(prb_object_spec(now), "finalizers");
    CONF_STR(c, "kubernetes", prb_json_string(prb_json_elem(finalizers, 0)));
    CONF_OK(c, conf_delete(c, &conf_namespace, c->ns, PRB_PROPAGATE_DEFAULT));
    return 0;
}

static int a_namespace_takes_its_contents_along(struct conf *c)
{
    struct conf inside;

    CONF_OK(c, make_namespace(c, "{}", &inside));
    CONF_OK(&inside, conf_create_plain(&inside, "a", NULL));
    CONF_OK(&inside,
            conf_create(&inside, &c->widget, conf_body(&inside, &c->widget, "b", "{}"), NULL));
    CONF_OK(c, conf_delete(c, &conf_namespace, c->ns, PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_wait_gone(c, &conf_namespace, c->ns));
    CONF_FAILS(&inside, PRB_E_NOTFOUND, conf_get(&inside, &conf_configmap, "a", NULL));
    CONF_FAILS(&inside, PRB_E_NOTFOUND, conf_get(&inside, &c->widget, "b", NULL));
    return 0;
}

static int a_terminating_namespace_takes_nothing_new(struct conf *c)
{
    struct conf inside;

    CONF_OK(c, make_namespace(c, "{}", &inside));
    CONF_OK(&inside, conf_create_held(&inside, "a", NULL));
    CONF_OK(c, conf_delete(c, &conf_namespace, c->ns, PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_wait_for(c, &conf_namespace, c->ns, is_terminating));
    /* The real server learns of it a moment later than it is stored. */
    CONF_OK(&inside, conf_wait_for(&inside, &conf_configmap, "a", conf_is_deleting));
    CONF_FAILS(&inside, PRB_E_FORBIDDEN, conf_create_plain(&inside, "b", NULL));
    CONF_STR(&inside, "Forbidden", inside.err.reason);
    CONF_OK(&inside, conf_release(&inside, &conf_configmap, "a"));
    return 0;
}

static int a_finalizer_inside_holds_the_namespace(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct conf inside;

    CONF_OK(c, make_namespace(c, "{}", &inside));
    CONF_OK(&inside, conf_create_held(&inside, "a", NULL));
    CONF_OK(&inside, conf_create_plain(&inside, "b", NULL));
    CONF_OK(c, conf_delete(c, &conf_namespace, c->ns, PRB_PROPAGATE_DEFAULT));
    CONF_OK(&inside, conf_wait_for(&inside, &conf_configmap, "a", conf_is_deleting));
    CONF_OK(&inside, conf_wait_gone(&inside, &conf_configmap, "b"));
    CONF_OK(c, conf_get(c, &conf_namespace, c->ns, &now));
    CONF_TRUE(c, prb_object_is_deleting(now));
    CONF_STR(c, "Terminating", phase_of(now));
    CONF_OK(&inside, conf_release(&inside, &conf_configmap, "a"));
    CONF_OK(c, conf_wait_gone(c, &conf_namespace, c->ns));
    return 0;
}

static int a_finalizer_on_the_namespace_outlives_its_contents(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct conf inside;

    CONF_OK(c, make_namespace(c, "{'finalizers':['" CONF_FINALIZER "']}", &inside));
    CONF_OK(&inside, conf_create_plain(&inside, "a", NULL));
    CONF_OK(c, conf_delete(c, &conf_namespace, c->ns, PRB_PROPAGATE_DEFAULT));
    CONF_OK(&inside, conf_wait_gone(&inside, &conf_configmap, "a"));
    CONF_OK(c, conf_get(c, &conf_namespace, c->ns, &now));
    CONF_TRUE(c, prb_object_has_finalizer(now, CONF_FINALIZER));
    CONF_OK(c, conf_release(c, &conf_namespace, c->ns));
    CONF_OK(c, conf_wait_gone(c, &conf_namespace, c->ns));
    return 0;
}

/* Wait until `events` has a DELETED for `name`; its place in the order of all writes. */
static int find_end(struct conf *c, struct prb_watch_log *events, const char *name, int64_t *ret)
{
    int at;

    CONF_OK(c, conf_events_wait_deleted(c, events, name));
    at = conf_events_find(c, events, PRB_WATCH_DELETED, name);
    CONF_TRUE(c, prb_parse_int(prb_watch_log_at(events, (size_t)at)->resource_version, 1, INT64_MAX,
                         ret));
    return 0;
}

/* Compares resourceVersions of two collections, which a client must not do, but both servers
 * count all writes with one number, and this is about the order of writes. */
static int contents_go_before_the_namespace(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *outside_events = NULL;
    prb_auto(prb_watch_log_stop) struct prb_watch_log *inside_events = NULL;
    int64_t namespace_end, content_end;
    struct conf inside;

    CONF_OK(c, make_namespace(c, "{}", &inside));
    CONF_OK(&inside, conf_create_plain(&inside, "a", NULL));
    CONF_OK(c, conf_events_start(c, &conf_namespace, NULL, &outside_events));
    CONF_OK(&inside, conf_events_start(&inside, &conf_configmap, NULL, &inside_events));
    CONF_OK(&inside, conf_events_wait(&inside, inside_events, 1));
    CONF_OK(c, conf_events_wait(c, outside_events, 1));
    CONF_OK(c, conf_delete(c, &conf_namespace, c->ns, PRB_PROPAGATE_DEFAULT));
    CONF_TRUE(c, find_end(&inside, inside_events, "a", &content_end) == 0);
    CONF_TRUE(c, find_end(c, outside_events, c->ns, &namespace_end) == 0);
    CONF_TRUE(c, content_end < namespace_end);
    return 0;
}

static const struct conf_row rows[] = {
    { "a new namespace is Active", a_new_namespace_is_active },
    { "a namespace takes its contents along", a_namespace_takes_its_contents_along },
    { "a terminating namespace takes nothing new", a_terminating_namespace_takes_nothing_new },
    { "a finalizer inside holds the namespace, Terminating",
            a_finalizer_inside_holds_the_namespace },
    { "a finalizer on the namespace outlives its contents",
            a_finalizer_on_the_namespace_outlives_its_contents },
    { "contents go before their namespace", contents_go_before_the_namespace },
};
CONF_ROWS(conf_namespace_rows, rows);
