/* What happens to a kind, and to its objects, when its definition comes and goes? */

#include <stdlib.h>

#include "probate/api/definition.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "crd.h"
#include "events.h"
#include "objects.h"
#include "support/json_text.h"
#include "support/wait.h"

/* A kind that only this row knows. */
static int create_kind(struct conf *c, struct conf_kind *ret)
{
    prb_autofree char *group = prb_asprintf("%s.%s", c->id, c->widget.gvr.group);

    return conf_crd_create(c,
            &(struct conf_crd_spec){
                    .group = group, .kind = "Thing", .short_name = "thg", .namespaced = true },
            ret);
}

static int a_kind_defined_at_run_time_is_served(struct conf *c)
{
    static const char *const names[] = { "things", "thing", "Thing", "thg" };
    struct prb_resource found;
    struct conf_kind thing;

    CONF_OK(c, create_kind(c, &thing));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        CONF_OK(c, prb_api_resolve(c->api, thing.gvr.group, names[i], &found, &c->err));
        CONF_TRUE(c, prb_gvr_equal(&thing.gvr, &found.gvr));
    }
    CONF_OK(c, conf_create(c, &thing, conf_body(c, &thing, "a", "{}"), NULL));
    CONF_OK(c, conf_get(c, &thing, "a", NULL));
    CONF_OK(c, conf_crd_delete(c, &thing));
    return 0;
}

/* Wait until the server positively does not know the resource. */
static int wait_not_served(struct conf *c, const struct conf_kind *kind)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "%s are not served", kind->gvr.resource);
    int r;

    do {
        r = conf_get(c, kind, "a", NULL);
        if (r == PRB_E_NOTFOUND && prb_streq(c->err.reason, "NotServed"))
            return 0;
        (void)prb_test_saw("%s", r < 0 ? c->err.msg : "an object");
    } while (prb_test_wait_more(&wait));
    return prb_fail(&c->err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

/* Wait until discovery says so, too. A client may go by what it said a minute ago. */
static int wait_not_resolved(struct conf *c, const struct conf_kind *kind)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_LONG_MS, "%s are not resolved", kind->gvr.resource);
    struct prb_resource found;
    int r;

    do {
        r = prb_api_resolve(c->api, kind->gvr.group, kind->gvr.resource, &found, &c->err);
        if (r != 0 && r != PRB_E_UNAVAILABLE) /* a group that goes is named a moment longer */
            return r;
        (void)prb_test_saw("%s", r < 0 ? c->err.msg : "they are");
    } while (prb_test_wait_more(&wait));
    return prb_fail(&c->err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

static int a_definition_takes_its_objects_along(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    struct conf_kind thing;

    CONF_OK(c, create_kind(c, &thing));
    CONF_OK(c, conf_create(c, &thing, conf_body(c, &thing, "a", "{}"), NULL));
    CONF_OK(c, conf_events_start(c, &thing, NULL, &events));
    CONF_OK(c, conf_events_wait(c, events, 1));
    CONF_OK(c, conf_crd_delete(c, &thing));
    CONF_OK(c, wait_not_served(c, &thing));
    CONF_FAILS(c, PRB_E_NOTFOUND, wait_not_resolved(c, &thing));
    CONF_OK(c, conf_events_wait_deleted(c, events, "a"));
    return 0;
}

static int set_served(struct conf *c, const struct conf_kind *kind, bool served)
{
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("[{'op':'replace','path':'/spec/versions/0/served','value':%s}]",
                    served ? "true" : "false");
    prb_autofree char *name = prb_asprintf("%s.%s", kind->gvr.resource, kind->gvr.group);
    struct prb_ref ref = { .gvr = conf_crd.gvr };

    (void)prb_copy(ref.name, sizeof(ref.name), name);
    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_patch(c->api, &ref, PRB_PATCH_JSON, body, NULL, NULL, &c->err);
}

static int wait_served_again(struct conf *c, const struct conf_kind *kind)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "%s are served", kind->gvr.resource);
    int r;

    do {
        r = conf_get(c, kind, "a", NULL);
        if (r == 0)
            return 0;
        (void)prb_test_saw("%s", c->err.msg);
    } while (prb_test_wait_more(&wait));
    return r;
}

static int a_definition_that_serves_nothing_keeps_its_objects(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *before = NULL, *after = NULL;
    struct prb_sought sought = { .name = "THG", .clock = prb_clock_system() };
    struct prb_resource found;
    struct conf_kind thing;

    CONF_OK(c, create_kind(c, &thing));
    CONF_OK(c, conf_create(c, &thing, conf_body(c, &thing, "a", "{}"), NULL));
    CONF_OK(c, conf_get(c, &thing, "a", &before));
    CONF_OK(c, set_served(c, &thing, false));
    CONF_OK(c, wait_not_served(c, &thing));
    prb_api_forget(c->api, thing.gvr.group);
    CONF_FAILS(c, PRB_E_NOTFOUND, wait_not_resolved(c, &thing));
    CONF_STR(c, PRB_REASON_NOT_SERVED, c->err.reason);
    sought.group = thing.gvr.group;
    sought.deadline_ms = sought.clock->mono_ms(sought.clock) + PRB_API_TIMEOUT_MS;
    CONF_FAILS(c, PRB_E_UNAVAILABLE, prb_api_find(c->api, &sought, &found, &c->err));
    CONF_STR(c, PRB_REASON_DEFINED, c->err.reason);
    CONF_OK(c, set_served(c, &thing, true));
    CONF_OK(c, wait_served_again(c, &thing));
    CONF_OK(c, conf_get(c, &thing, "a", &after));
    CONF_STR(c, prb_object_uid(before), prb_object_uid(after));
    CONF_OK(c, conf_crd_delete(c, &thing));
    return 0;
}

static int a_definition_that_serves_nothing_goes_with_its_objects(struct conf *c)
{
    struct prb_sought sought = { .name = "things", .clock = prb_clock_system() };
    struct prb_test_wait wait;
    struct conf_kind thing;

    CONF_OK(c, create_kind(c, &thing));
    CONF_OK(c, conf_create(c, &thing, conf_body(c, &thing, "a", "{}"), NULL));
    CONF_OK(c, set_served(c, &thing, false));
    CONF_OK(c, wait_not_served(c, &thing));
    CONF_OK(c, conf_crd_delete(c, &thing));
    sought.group = thing.gvr.group;
    wait = prb_test_wait_for(PRB_TEST_SOON_MS, "the definition of %s is gone", thing.gvr.resource);
    do {
        sought.deadline_ms = sought.clock->mono_ms(sought.clock) + PRB_API_TIMEOUT_MS;
        if (prb_api_confirm_unserved(c->api, &sought, &c->err) == PRB_E_NOTFOUND)
            return 0;
        (void)prb_test_saw("%s", c->err.msg);
    } while (prb_test_wait_more(&wait));
    return prb_fail(&c->err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

static int an_object_with_a_finalizer_holds_its_definition(struct conf *c)
{
    struct conf_kind thing;

    CONF_OK(c, create_kind(c, &thing));
    CONF_OK(c,
            conf_create(c, &thing,
                    conf_body(c, &thing, "a", "{'metadata':{'finalizers':['" CONF_FINALIZER "']}}"),
                    NULL));
    CONF_OK(c, conf_crd_delete(c, &thing));
    CONF_OK(c, conf_wait_for(c, &thing, "a", conf_is_deleting));
    CONF_OK(c, conf_release(c, &thing, "a"));
    CONF_OK(c, wait_not_served(c, &thing));
    return 0;
}

static int watch_definition(struct conf *c, const char *name, struct prb_watch_log **ret_events)
{
    prb_autofree char *selector = prb_asprintf("metadata.name=%s", name);
    const struct prb_watch_options options = { .field_selector = selector };

    return prb_watch_log_start(c->api, &conf_crd.gvr, &options, ret_events, &c->err);
}

/* The place of the first event that is so in the order of all writes; 0: there is none. */
static int64_t find_write(struct prb_watch_log *events, bool removed)
{
    const struct prb_watch_log_event *event;
    int64_t version;

    for (size_t i = 0; (event = prb_watch_log_at(events, i)) != NULL; i++) {
        if (removed ? event->type == PRB_WATCH_DELETED : prb_object_is_deleting(event->object))
            return prb_parse_int(event->resource_version, 1, INT64_MAX, &version) ? version : 0;
    }
    return 0;
}

/* As in rows_namespace.c, of the order of writes in two collections. */
static int instances_go_before_their_definition(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *definitions = NULL;
    prb_auto(prb_watch_log_stop) struct prb_watch_log *instances = NULL;
    prb_autofree char *name = NULL;
    struct conf_kind thing;

    CONF_OK(c, create_kind(c, &thing));
    name = prb_asprintf("%s.%s", thing.gvr.resource, thing.gvr.group);
    CONF_OK(c,
            conf_create(c, &thing,
                    conf_body(c, &thing, "a", "{'metadata':{'finalizers':['" CONF_FINALIZER "']}}"),
                    NULL));
    CONF_OK(c, watch_definition(c, name, &definitions));
    CONF_OK(c, conf_events_start(c, &thing, NULL, &instances));
    CONF_OK(c, conf_events_wait(c, definitions, 1));
    CONF_OK(c, conf_events_wait(c, instances, 1));
    CONF_OK(c, conf_crd_delete(c, &thing));
    CONF_OK(c, conf_wait_for(c, &thing, "a", conf_is_deleting));
    CONF_OK(c, conf_release(c, &thing, "a"));
    CONF_OK(c, conf_events_wait_deleted(c, instances, "a"));
    CONF_TRUE(c, prb_watch_log_wait_for(definitions, PRB_WATCH_DELETED, name, PRB_TEST_SOON_MS));
    CONF_TRUE(c, find_write(definitions, false) > 0);
    CONF_TRUE(c, find_write(definitions, false) < find_write(instances, false));
    CONF_TRUE(c, find_write(instances, false) < find_write(instances, true));
    CONF_TRUE(c, find_write(instances, true) < find_write(definitions, true));
    return 0;
}

static const struct conf_row rows[] = {
    { "a kind defined at run time is served and resolves by all its names",
            a_kind_defined_at_run_time_is_served },
    { "a definition that is deleted takes its objects along, and is no longer served",
            a_definition_takes_its_objects_along },
    { "a definition that serves no version keeps its objects, which are not served and not gone",
            a_definition_that_serves_nothing_keeps_its_objects },
    { "a definition that serves no version is deleted like any other",
            a_definition_that_serves_nothing_goes_with_its_objects },
    { "a finalizer on an object holds its deleted definition",
            an_object_with_a_finalizer_holds_its_definition },
    { "the deletion of a definition is one of its objects, which then go before it",
            instances_go_before_their_definition },
};
CONF_ROWS(conf_crd_rows, rows);
