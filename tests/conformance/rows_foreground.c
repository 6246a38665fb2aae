/* In which order do owner and dependents go when the owner is to go last? */

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "events.h"
#include "objects.h"

#define FOREGROUND "foregroundDeletion"

static int create_child(
        struct conf *c, const char *name, const char *owners, bool held, struct prb_object **ret)
{
    return conf_create(c, &conf_configmap,
            conf_body(c, &conf_configmap, name,
                    "{'metadata':{'ownerReferences':[%s],'finalizers':[%s]}}", owners,
                    held ? "'" CONF_FINALIZER "'" : ""),
            ret);
}

static bool has_foreground(const struct prb_object *object)
{
    return object && prb_object_is_deleting(object) && prb_object_has_finalizer(object, FOREGROUND);
}

static int an_owner_waits_for_dependents_that_block(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    prb_autofree char *reference = NULL;

    CONF_OK(c, conf_create_plain(c, "owner", &owner));
    reference = conf_owned_by(&conf_configmap, owner, true);
    CONF_OK(c, create_child(c, "child", reference, true, NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_FOREGROUND));
    CONF_OK(c, conf_wait_for(c, &conf_configmap, "child", conf_is_deleting));
    CONF_OK(c, conf_get(c, &conf_configmap, "owner", &now));
    CONF_TRUE(c, has_foreground(now));
    CONF_OK(c, conf_release(c, &conf_configmap, "child"));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "owner"));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "child", NULL));
    return 0;
}

static int an_owner_does_not_wait_for_the_others(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;
    prb_autofree char *reference = NULL;

    CONF_OK(c, conf_create_plain(c, "owner", &owner));
    reference = conf_owned_by(&conf_configmap, owner, false);
    CONF_OK(c, create_child(c, "child", reference, true, NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_FOREGROUND));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "owner"));
    CONF_OK(c, conf_wait_for(c, &conf_configmap, "child", conf_is_deleting));
    CONF_OK(c, conf_release(c, &conf_configmap, "child"));
    return 0;
}

static int an_owner_without_dependents_goes(struct conf *c)
{
    CONF_OK(c, conf_create_plain(c, "owner", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_FOREGROUND));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "owner"));
    return 0;
}

static bool has_one_owner(const struct prb_object *object)
{
    return object && prb_object_owner_count(object) == 1;
}

static int another_owner_keeps_a_dependent(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *leaving = NULL;
    prb_auto(prb_object_unref) struct prb_object *staying = NULL;
    prb_auto(prb_object_unref) struct prb_object *child = NULL;
    prb_autofree char *of_leaving = NULL;
    prb_autofree char *of_staying = NULL;
    prb_autofree char *both = NULL;

    CONF_OK(c, conf_create_plain(c, "leaving", &leaving));
    CONF_OK(c, conf_create_plain(c, "staying", &staying));
    of_leaving = conf_owned_by(&conf_configmap, leaving, true);
    of_staying = conf_owned_by(&conf_configmap, staying, true);
    both = prb_asprintf("%s,%s", of_leaving, of_staying);
    CONF_OK(c, create_child(c, "child", both, false, NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "leaving", PRB_PROPAGATE_FOREGROUND));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "leaving"));
    CONF_OK(c, conf_wait_for(c, &conf_configmap, "child", has_one_owner));
    CONF_OK(c, conf_get(c, &conf_configmap, "child", &child));
    CONF_TRUE(c, prb_object_is_owned_by(child, prb_object_uid(staying)));
    CONF_TRUE(c, !prb_object_is_deleting(child));
    return 0;
}

/* Owner, child and grandchild, each blocking the one above. */
static int create_chain(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;
    prb_auto(prb_object_unref) struct prb_object *child = NULL;
    prb_autofree char *of_owner = NULL;
    prb_autofree char *of_child = NULL;
    int r = conf_create_plain(c, "owner", &owner);

    if (r < 0)
        return r;
    of_owner = conf_owned_by(&conf_configmap, owner, true);
    r = create_child(c, "child", of_owner, false, &child);
    if (r < 0)
        return r;
    of_child = conf_owned_by(&conf_configmap, child, true);
    return create_child(c, "grandchild", of_child, false, NULL);
}

static int a_chain_goes_from_the_bottom_up(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;
    prb_auto(prb_watch_log_stop) struct prb_watch_log *events = NULL;
    int owner, child, grandchild;

    prb_page_init(&page);
    CONF_OK(c, create_chain(c));
    CONF_OK(c, conf_list(c, &conf_configmap, NULL, &page));
    CONF_OK(c, conf_events_start(c, &conf_configmap,
                       &(struct prb_watch_options){ .resource_version = page.resource_version },
                       &events));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_FOREGROUND));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "owner"));
    CONF_OK(c, conf_events_wait_deleted(c, events, "owner"));
    owner = conf_events_find(c, events, PRB_WATCH_DELETED, "owner");
    child = conf_events_find(c, events, PRB_WATCH_DELETED, "child");
    grandchild = conf_events_find(c, events, PRB_WATCH_DELETED, "grandchild");
    CONF_TRUE(c, grandchild >= 0 && child >= 0);
    CONF_TRUE(c, grandchild < child && child < owner);
    return 0;
}

static int deleting_again_can_make_it_foreground(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;
    prb_auto(prb_object_unref) struct prb_object *before = NULL;
    prb_autofree char *reference = NULL;

    CONF_OK(c, conf_create_held(c, "owner", &owner));
    reference = conf_owned_by(&conf_configmap, owner, true);
    CONF_OK(c, create_child(c, "child", reference, true, NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_BACKGROUND));
    CONF_OK(c, conf_get(c, &conf_configmap, "owner", &before));
    CONF_TRUE(c, !prb_object_has_finalizer(before, FOREGROUND));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_FOREGROUND));
    CONF_OK(c, conf_wait_for(c, &conf_configmap, "owner", has_foreground));
    CONF_OK(c, conf_wait_for(c, &conf_configmap, "child", conf_is_deleting));
    CONF_OK(c, conf_release(c, &conf_configmap, "child"));
    CONF_OK(c, conf_release(c, &conf_configmap, "owner"));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "owner"));
    return 0;
}

static const struct conf_row rows[] = {
    { "foreground: the owner waits for dependents that block it",
            an_owner_waits_for_dependents_that_block },
    { "foreground: the owner does not wait where blockOwnerDeletion is false",
            an_owner_does_not_wait_for_the_others },
    { "foreground: an owner without dependents goes", an_owner_without_dependents_goes },
    { "foreground: a dependent with another owner stays, and blocks nothing",
            another_owner_keeps_a_dependent },
    { "foreground: a chain of three goes from the bottom up", a_chain_goes_from_the_bottom_up },
    { "foreground: deleting again with it makes a deletion wait for dependents",
            deleting_again_can_make_it_foreground },
};
CONF_ROWS(conf_foreground_rows, rows);
