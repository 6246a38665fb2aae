/* Where does a watch begin, and where can it no longer begin? */

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "events.h"
#include "objects.h"
#include "support/json_text.h"

/* Writes that surely push the first ones out of the hub's memory. */
#define WRITES (2 * CONF_HUB_LOG_MAX)

static int start(struct conf *c, const char *version, struct prb_watch_log **ret)
{
    return conf_events_start(
            c, &conf_configmap, &(struct prb_watch_options){ .resource_version = version }, ret);
}

static int a_watch_begins_after_its_version(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    prb_auto(prb_object_unref) struct prb_object *first = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &first));
    CONF_OK(c, conf_create_plain(c, "b", NULL));
    CONF_OK(c, start(c, prb_object_resource_version(first), &events));
    CONF_OK(c, conf_create_plain(c, "c", NULL));
    CONF_OK(c, conf_events_wait(c, events, 2));
    CONF_TRUE(c, conf_is(c, prb_watch_log_at(events, 0)->object, "b"));
    CONF_TRUE(c, conf_is(c, prb_watch_log_at(events, 1)->object, "c"));
    return 0;
}

static int without_a_version_what_exists_comes_first(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;

    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_create_plain(c, "b", NULL));
    CONF_OK(c, start(c, NULL, &events));
    CONF_OK(c, conf_events_wait(c, events, 2));
    CONF_OK(c, conf_create_plain(c, "c", NULL));
    CONF_OK(c, conf_events_wait(c, events, 3));
    for (size_t i = 0; i < 3; i++)
        CONF_INT(c, PRB_WATCH_ADDED, prb_watch_log_at(events, i)->type);
    CONF_TRUE(c, conf_is(c, prb_watch_log_at(events, 2)->object, "c"));
    return 0;
}

static int a_watch_resumes_without_loss_or_repetition(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *before = NULL;
    prb_auto(prb_watch_log_stop) struct prb_watch_log *after = NULL;
    prb_autofree char *version = NULL;

    CONF_OK(c, start(c, NULL, &before));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_events_wait(c, before, 1));
    prb_watch_log_halt(before);
    CONF_OK(c, conf_create_plain(c, "b", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    version = prb_watch_log_version(before);
    CONF_OK(c, start(c, version, &after));
    CONF_OK(c, conf_create_plain(c, "c", NULL));
    CONF_OK(c, conf_events_wait(c, after, 3));
    CONF_INT(c, 0, conf_events_find(c, after, PRB_WATCH_ADDED, "b"));
    CONF_INT(c, 1, conf_events_find(c, after, PRB_WATCH_DELETED, "a"));
    CONF_INT(c, 2, conf_events_find(c, after, PRB_WATCH_ADDED, "c"));
    CONF_INT(c, 1, prb_watch_log_count(before));
    return 0;
}

/* A real server sends one a minute; the hub is asked for more in these tests. */
static int an_idle_watch_gets_bookmarks_to_resume_from(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    prb_auto(prb_watch_log_stop) struct prb_watch_log *after = NULL;
    prb_autofree char *version = NULL;
    prb_auto(prb_object_unref) struct prb_object *first = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &first));
    CONF_OK(c, start(c, prb_object_resource_version(first), &events));
    CONF_OK(c, conf_events_wait_bookmark(c, events));
    CONF_INT(c, 0, prb_watch_log_count(events));
    prb_watch_log_halt(events);
    CONF_OK(c, conf_create_plain(c, "b", NULL));
    version = prb_watch_log_version(events);
    CONF_OK(c, start(c, version, &after));
    CONF_OK(c, conf_events_wait(c, after, 1));
    CONF_TRUE(c, conf_is(c, prb_watch_log_at(after, 0)->object, "b"));
    return 0;
}

/*
 * On widgets, whose collection began long after version 1: the real server keeps the history of a
 * collection from its own start on, so that version 1 of an old collection may still be there. A
 * continue token that has expired cannot be had on a real server within five minutes, the age at
 * which it forgets.
 */
static int a_version_that_is_too_old_is_gone(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    int r;

    for (int i = 0; i < WRITES; i++) {
        char name[16];

        (void)snprintf(name, sizeof(name), "w-%d", i);
        CONF_OK(c, conf_create(c, &c->widget, conf_body(c, &c->widget, name, "{}"), NULL));
    }
    r = conf_events_start(
            c, &c->widget, &(struct prb_watch_options){ .resource_version = "1" }, &events);
    if (r == 0)
        CONF_OK(c, conf_events_wait_closed(c, events));
    CONF_INT(c, PRB_E_GONE, c->err.code);
    CONF_INT(c, 0, events ? prb_watch_log_count(events) : 0);
    return 0;
}

static int what_is_not_served_cannot_be_watched(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    struct conf_kind nonsense = conf_configmap;
    int r;

    CONF_TRUE(c, prb_gvr_init(&nonsense.gvr, "nowhere.example.com", "v1", "things"));
    r = conf_events_start(c, &nonsense, NULL, &events);
    if (r == 0)
        CONF_OK(c, conf_events_wait_closed(c, events));
    CONF_INT(c, PRB_E_NOTFOUND, c->err.code);
    CONF_STR(c, "NotServed", c->err.reason);
    return 0;
}

static int a_watch_by_a_broken_selector_is_invalid(struct conf *c)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    int r = conf_events_start(
            c, &conf_configmap, &(struct prb_watch_options){ .label_selector = "a b" }, &events);

    if (r == 0)
        CONF_OK(c, conf_events_wait_closed(c, events));
    CONF_INT(c, PRB_E_INVALID, c->err.code);
    return 0;
}

static const struct conf_row rows[] = {
    { "an idle watch gets a bookmark that it can resume from",
            an_idle_watch_gets_bookmarks_to_resume_from },
    { "a watch begins after the resourceVersion it names", a_watch_begins_after_its_version },
    { "a watch without resourceVersion begins with what exists, as ADDED",
            without_a_version_what_exists_comes_first },
    { "a watch resumes without loss or repetition", a_watch_resumes_without_loss_or_repetition },
    { "a watch from a resourceVersion that is too old is GONE", a_version_that_is_too_old_is_gone },
    { "a watch on what is not served is NOTFOUND, reason NotServed",
            what_is_not_served_cannot_be_watched },
    { "a watch by a selector that is none is INVALID", a_watch_by_a_broken_selector_is_invalid },
};
CONF_ROWS(conf_watch_start_rows, rows);
