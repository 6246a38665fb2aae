/* What becomes of dependents when an owner goes? Owners and dependents are ConfigMaps: the real
 * garbage collector learns of a new custom resource only half a minute later. */

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "objects.h"
#include "support/json_text.h"

/* A ConfigMap with owner references as JSON text. */
static int create_owned(struct conf *c, const char *name, const char *owners)
{
    return conf_create(c, &conf_configmap,
            conf_body(c, &conf_configmap, name, "{'metadata':{'ownerReferences':[%s]}}", owners),
            NULL);
}

static int an_owner_goes_first_and_dependents_follow(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;
    prb_autofree char *reference = NULL;

    CONF_OK(c, conf_create_plain(c, "owner", &owner));
    reference = conf_owned_by(&conf_configmap, owner, false);
    CONF_OK(c, create_owned(c, "child", reference));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_BACKGROUND));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "owner", NULL));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "child"));
    return 0;
}

static int background_is_the_default(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;
    prb_autofree char *reference = NULL;

    CONF_OK(c, conf_create_plain(c, "owner", &owner));
    reference = conf_owned_by(&conf_configmap, owner, true);
    CONF_OK(c, create_owned(c, "child", reference));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_DEFAULT));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "owner", NULL));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "child"));
    return 0;
}

static int grandchildren_follow_too(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;
    prb_auto(prb_object_unref) struct prb_object *child = NULL;
    prb_autofree char *of_owner = NULL;
    prb_autofree char *of_child = NULL;

    CONF_OK(c, conf_create_plain(c, "owner", &owner));
    of_owner = conf_owned_by(&conf_configmap, owner, false);
    CONF_OK(c, create_owned(c, "child", of_owner));
    CONF_OK(c, conf_get(c, &conf_configmap, "child", &child));
    of_child = conf_owned_by(&conf_configmap, child, false);
    CONF_OK(c, create_owned(c, "grandchild", of_child));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_BACKGROUND));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "grandchild"));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "child", NULL));
    return 0;
}

static bool has_no_owner(const struct prb_object *object)
{
    return object && prb_object_owner_count(object) == 0;
}

static int orphans_stay_without_the_reference(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;
    prb_auto(prb_object_unref) struct prb_object *child = NULL;
    prb_autofree char *reference = NULL;

    CONF_OK(c, conf_create_plain(c, "owner", &owner));
    reference = conf_owned_by(&conf_configmap, owner, true);
    CONF_OK(c, create_owned(c, "child", reference));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_ORPHAN));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "owner"));
    CONF_OK(c, conf_wait_for(c, &conf_configmap, "child", has_no_owner));
    CONF_OK(c, conf_get(c, &conf_configmap, "child", &child));
    CONF_TRUE(c, !prb_object_is_deleting(child));
    return 0;
}

static bool has_one_owner(const struct prb_object *object)
{
    return object && prb_object_owner_count(object) == 1;
}

static int two_owners_have_to_go(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *first = NULL;
    prb_auto(prb_object_unref) struct prb_object *second = NULL;
    prb_auto(prb_object_unref) struct prb_object *child = NULL;
    prb_autofree char *of_first = NULL;
    prb_autofree char *of_second = NULL;
    prb_autofree char *both = NULL;

    CONF_OK(c, conf_create_plain(c, "first", &first));
    CONF_OK(c, conf_create_plain(c, "second", &second));
    of_first = conf_owned_by(&conf_configmap, first, false);
    of_second = conf_owned_by(&conf_configmap, second, false);
    both = prb_asprintf("%s,%s", of_first, of_second);
    CONF_OK(c, create_owned(c, "child", both));
    CONF_OK(c, conf_delete(c, &conf_configmap, "first", PRB_PROPAGATE_BACKGROUND));
    CONF_OK(c, conf_wait_for(c, &conf_configmap, "child", has_one_owner));
    CONF_OK(c, conf_get(c, &conf_configmap, "child", &child));
    CONF_TRUE(c, prb_object_is_owned_by(child, prb_object_uid(second)));
    CONF_TRUE(c, !prb_object_is_deleting(child));
    CONF_OK(c, conf_delete(c, &conf_configmap, "second", PRB_PROPAGATE_BACKGROUND));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "child"));
    return 0;
}

static int a_dependent_of_nobody_goes(struct conf *c)
{
    CONF_OK(c, create_owned(c, "child",
                       "{'apiVersion':'v1','kind':'ConfigMap','name':'never-was',"
                       "'uid':'11111111-2222-3333-4444-555555555555'}"));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "child"));
    return 0;
}

static int a_finalizer_holds_a_dependent(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;
    prb_autofree char *reference = NULL;

    CONF_OK(c, conf_create_plain(c, "owner", &owner));
    reference = conf_owned_by(&conf_configmap, owner, false);
    CONF_OK(c, conf_create(c, &conf_configmap,
                       conf_body(c, &conf_configmap, "child",
                               "{'metadata':{'ownerReferences':[%s],"
                               "'finalizers':['" CONF_FINALIZER "']}}",
                               reference),
                       NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "owner", PRB_PROPAGATE_BACKGROUND));
    CONF_OK(c, conf_wait_for(c, &conf_configmap, "child", conf_is_deleting));
    CONF_OK(c, conf_release(c, &conf_configmap, "child"));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "child", NULL));
    return 0;
}

static int a_cluster_scoped_owner_takes_namespaced_dependents_along(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *owner = NULL;
    prb_autofree char *reference = NULL;

    CONF_OK(c, conf_create(c, &conf_clusterrole,
                       conf_body(c, &conf_clusterrole, c->ns, "{'rules':[]}"), &owner));
    reference = conf_owned_by(&conf_clusterrole, owner, false);
    CONF_OK(c, create_owned(c, "child", reference));
    CONF_OK(c, conf_delete(c, &conf_clusterrole, c->ns, PRB_PROPAGATE_BACKGROUND));
    CONF_OK(c, conf_wait_gone(c, &conf_configmap, "child"));
    return 0;
}

static const struct conf_row rows[] = {
    { "background: the owner goes at once, dependents follow",
            an_owner_goes_first_and_dependents_follow },
    { "background is the default", background_is_the_default },
    { "background: dependents of dependents follow too", grandchildren_follow_too },
    { "orphan: dependents stay and lose the reference", orphans_stay_without_the_reference },
    { "a dependent of two owners goes with the second, and loses the first's reference",
            two_owners_have_to_go },
    { "a dependent whose owner does not exist goes", a_dependent_of_nobody_goes },
    { "a finalizer holds a collected dependent", a_finalizer_holds_a_dependent },
    { "a cluster-scoped owner takes namespaced dependents along",
            a_cluster_scoped_owner_takes_namespaced_dependents_along },
};
CONF_ROWS(conf_owner_rows, rows);
