/* When does a deletion begin, what holds it up, and when is it over? */

#include "probate/base/str.h"

#include "objects.h"
#include "support/json_text.h"

#define OTHER_FINALIZER "probate.test/other"

/* Delete with these preconditions. */
static int delete_if(struct conf *c, const char *name, const char *uid, const char *version)
{
    struct prb_ref ref = conf_ref(c, &conf_configmap, name);

    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_delete(c->api, &ref,
            &(struct prb_delete_options){ .uid = uid, .resource_version = version }, &c->err);
}

static int set_finalizers(struct conf *c, const char *name, const char *list)
{
    return conf_merge(c, &conf_configmap, name,
            prb_test_json("{'metadata':{'finalizers':[%s]}}", list), NULL);
}

static int without_finalizers_an_object_goes_at_once(struct conf *c)
{
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "a", NULL));
    return 0;
}

static int a_finalizer_holds_an_object(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create_held(c, "a", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &now));
    CONF_TRUE(c, prb_object_is_deleting(now));
    CONF_TRUE(c, prb_object_has_finalizer(now, CONF_FINALIZER));
    CONF_OK(c, conf_release(c, &conf_configmap, "a"));
    return 0;
}

static int the_last_finalizer_lets_an_object_go(struct conf *c)
{
    CONF_OK(c, conf_create_held(c, "a", NULL));
    CONF_OK(c, set_finalizers(c, "a", "'" CONF_FINALIZER "','" OTHER_FINALIZER "'"));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, set_finalizers(c, "a", "'" OTHER_FINALIZER "'"));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", NULL));
    CONF_OK(c, set_finalizers(c, "a", ""));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "a", NULL));
    return 0;
}

static int a_deleting_object_takes_no_new_finalizer(struct conf *c)
{
    CONF_OK(c, conf_create_held(c, "a", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_FAILS(
            c, PRB_E_INVALID, set_finalizers(c, "a", "'" CONF_FINALIZER "','" OTHER_FINALIZER "'"));
    CONF_INT(c, 422, c->err.status);
    CONF_OK(c, conf_release(c, &conf_configmap, "a"));
    return 0;
}

static int a_deleting_object_may_still_change(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create_held(c, "a", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_merge(c, &conf_configmap, "a", prb_test_json("{'data':{'k':'v'}}"), &now));
    CONF_STR(c, "v", prb_json_str(prb_json_obj(prb_object_tree(now), "data"), "k"));
    CONF_OK(c, conf_release(c, &conf_configmap, "a"));
    return 0;
}

static int a_deletion_cannot_be_taken_back(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *seen = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct json_object *tree;

    CONF_OK(c, conf_create_held(c, "a", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &seen));
    tree = prb_object_copy(seen);
    prb_json_del(prb_json_obj(tree, "metadata"), "deletionTimestamp");
    prb_json_del(prb_json_obj(tree, "metadata"), "deletionGracePeriodSeconds");
    CONF_OK(c, conf_update(c, &conf_configmap, tree, NULL, &now));
    CONF_INT(c, prb_object_deleted_at_ms(seen), prb_object_deleted_at_ms(now));
    CONF_OK(c, conf_release(c, &conf_configmap, "a"));
    return 0;
}

static int deleting_again_changes_nothing(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *first = NULL;
    prb_auto(prb_object_unref) struct prb_object *second = NULL;

    CONF_OK(c, conf_create_held(c, "a", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_BACKGROUND));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &first));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_BACKGROUND));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &second));
    CONF_STR(c, prb_object_resource_version(first), prb_object_resource_version(second));
    CONF_OK(c, conf_release(c, &conf_configmap, "a"));
    return 0;
}

static int the_begin_of_a_deletion_raises_the_generation(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create(c, &c->widget,
                       conf_body(c, &c->widget, "a",
                               "{'metadata':{'finalizers':['" CONF_FINALIZER "']}}"),
                       NULL));
    CONF_OK(c, conf_delete(c, &c->widget, "a", PRB_PROPAGATE_BACKGROUND));
    CONF_OK(c, conf_get(c, &c->widget, "a", &now));
    CONF_INT(c, 2, prb_object_generation(now));
    CONF_OK(c, conf_release(c, &c->widget, "a"));
    return 0;
}

static int another_uid_is_not_deleted(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *former = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &former));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_FAILS(c, PRB_E_CONFLICT, delete_if(c, "a", prb_object_uid(former), NULL));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", NULL));
    return 0;
}

static int another_version_is_not_deleted(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *seen = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &seen));
    CONF_OK(c, conf_merge(c, &conf_configmap, "a", prb_test_json("{'data':{'k':'v'}}"), NULL));
    CONF_FAILS(c, PRB_E_CONFLICT,
            delete_if(c, "a", prb_object_uid(seen), prb_object_resource_version(seen)));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", NULL));
    return 0;
}

static int the_version_that_was_seen_is_deleted(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *seen = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &seen));
    CONF_OK(c, delete_if(c, "a", prb_object_uid(seen), prb_object_resource_version(seen)));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "a", NULL));
    return 0;
}

static int what_is_not_there_cannot_be_deleted(struct conf *c)
{
    CONF_FAILS(
            c, PRB_E_NOTFOUND, delete_if(c, "none", "11111111-2222-3333-4444-555555555555", NULL));
    return 0;
}

static int nothing_is_deleted_by_name_alone(struct conf *c)
{
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_FAILS(c, PRB_E_INVALID, delete_if(c, "a", NULL, NULL));
    CONF_FAILS(c, PRB_E_INVALID, delete_if(c, "a", "", NULL));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", NULL));
    return 0;
}

static int a_name_is_taken_while_its_object_is_deleting(struct conf *c)
{
    CONF_OK(c, conf_create_held(c, "a", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_FAILS(c, PRB_E_EXISTS, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_release(c, &conf_configmap, "a"));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    return 0;
}

static const struct conf_row rows[] = {
    { "without finalizers an object goes at once", without_finalizers_an_object_goes_at_once },
    { "a finalizer holds a deleted object", a_finalizer_holds_an_object },
    { "an object goes with its last finalizer", the_last_finalizer_lets_an_object_go },
    { "a deleting object takes no new finalizer", a_deleting_object_takes_no_new_finalizer },
    { "a deleting object may still be changed", a_deleting_object_may_still_change },
    { "deletionTimestamp cannot be taken off", a_deletion_cannot_be_taken_back },
    { "deleting again changes nothing", deleting_again_changes_nothing },
    { "the begin of a deletion raises generation", the_begin_of_a_deletion_raises_the_generation },
    { "a delete that names another uid is CONFLICT", another_uid_is_not_deleted },
    { "a delete that names another resourceVersion is CONFLICT", another_version_is_not_deleted },
    { "a delete that names uid and resourceVersion as they are goes through",
            the_version_that_was_seen_is_deleted },
    { "deleting an absent object is NOTFOUND", what_is_not_there_cannot_be_deleted },
    { "a delete without a uid is INVALID", nothing_is_deleted_by_name_alone },
    { "a name is taken until its deleting object is gone",
            a_name_is_taken_while_its_object_is_deleting },
};
CONF_ROWS(conf_delete_rows, rows);
