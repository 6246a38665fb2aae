/* When does an update get through, and what does it count? */

#include "objects.h"
#include "support/json_text.h"

/* The object's tree with a label set. */
static struct json_object *labelled(const struct prb_object *object, const char *value)
{
    struct json_object *tree = prb_object_copy(object);

    prb_json_set_str(prb_json_ensure_obj(prb_json_obj(tree, "metadata"), "labels"), "mark", value);
    return tree;
}

static int an_update_changes_the_version(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &made));
    CONF_OK(c, conf_update(c, &conf_configmap, labelled(made, "x"), NULL, &now));
    CONF_STR(c, "x", prb_object_label(now, "mark"));
    CONF_STR(c, prb_object_uid(made), prb_object_uid(now));
    CONF_TRUE(c, !prb_streq(prb_object_resource_version(made), prb_object_resource_version(now)));
    return 0;
}

static int an_update_from_an_old_version_is_a_conflict(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &made));
    CONF_OK(c, conf_update(c, &conf_configmap, labelled(made, "x"), NULL, NULL));
    CONF_FAILS(c, PRB_E_CONFLICT, conf_update(c, &conf_configmap, labelled(made, "y"), NULL, NULL));
    CONF_STR(c, "Conflict", c->err.reason);
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &now));
    CONF_STR(c, "x", prb_object_label(now, "mark"));
    return 0;
}

static int an_update_with_another_uid_is_a_conflict(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    struct json_object *tree;

    CONF_OK(c, conf_create_plain(c, "a", &made));
    tree = labelled(made, "x");
    prb_json_set_str(prb_json_obj(tree, "metadata"), "uid", "11111111-2222-3333-4444-555555555555");
    CONF_FAILS(c, PRB_E_CONFLICT, conf_update(c, &conf_configmap, tree, NULL, NULL));
    return 0;
}

static int an_update_of_a_former_object_is_a_conflict(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *former = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &former));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_FAILS(
            c, PRB_E_CONFLICT, conf_update(c, &conf_configmap, labelled(former, "x"), NULL, NULL));
    return 0;
}

static int an_update_without_a_version_overwrites(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_update(c, &conf_configmap,
                       conf_body(c, &conf_configmap, "a", "{'data':{'k':'v'}}"), NULL, &now));
    CONF_STR(c, "v", prb_json_str(prb_json_obj(prb_object_tree(now), "data"), "k"));
    return 0;
}

static int custom_resources_need_a_version(struct conf *c)
{
    CONF_OK(c, conf_create(c, &c->widget, conf_body(c, &c->widget, "a", "{}"), NULL));
    CONF_FAILS(c, PRB_E_INVALID,
            conf_update(
                    c, &c->widget, conf_body(c, &c->widget, "a", "{'spec':{'n':1}}"), NULL, NULL));
    return 0;
}

static int an_update_that_changes_nothing_keeps_the_version(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &made));
    CONF_OK(c, conf_update(c, &conf_configmap, prb_object_copy(made), NULL, &now));
    CONF_STR(c, prb_object_resource_version(made), prb_object_resource_version(now));
    return 0;
}

static int an_update_of_what_is_not_there_is_not_found(struct conf *c)
{
    CONF_FAILS(c, PRB_E_NOTFOUND,
            conf_update(c, &conf_configmap, conf_body(c, &conf_configmap, "a", "{}"), NULL, NULL));
    return 0;
}

/* Kubernetes 1.20 answers 409, 1.36 answers 404: both mean that it is gone. */
static int an_update_of_what_went_is_not_found(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &made));
    CONF_OK(c, conf_delete(c, &conf_configmap, "a", PRB_PROPAGATE_DEFAULT));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_update(c, &conf_configmap, labelled(made, "x"), NULL, NULL));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "a", NULL));
    return 0;
}

/* A PUT of a Lease that is absent creates it, but not in place of one that was seen. */
static int an_update_of_a_lease_that_went_is_not_found(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;

    CONF_OK(c, conf_create(c, &conf_lease, conf_body(c, &conf_lease, "a", "{}"), &made));
    CONF_OK(c, conf_delete(c, &conf_lease, "a", PRB_PROPAGATE_DEFAULT));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_update(c, &conf_lease, labelled(made, "x"), NULL, NULL));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_lease, "a", NULL));
    return 0;
}

static int an_update_leaves_the_identity_alone(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct json_object *tree;

    CONF_OK(c, conf_create(c, &c->widget, conf_body(c, &c->widget, "a", "{}"), &made));
    tree = labelled(made, "x");
    prb_json_del(prb_json_obj(tree, "metadata"), "uid");
    prb_json_del(prb_json_obj(tree, "metadata"), "creationTimestamp");
    prb_json_set_int(prb_json_obj(tree, "metadata"), "generation", 77);
    CONF_OK(c, conf_update(c, &c->widget, tree, NULL, &now));
    CONF_STR(c, prb_object_uid(made), prb_object_uid(now));
    CONF_INT(c, prb_object_created_at_ms(made), prb_object_created_at_ms(now));
    CONF_INT(c, 1, prb_object_generation(now));
    return 0;
}

static int a_change_of_spec_raises_the_generation(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create(c, &c->widget, conf_body(c, &c->widget, "a", "{'spec':{'n':1}}"), NULL));
    CONF_OK(c, conf_merge(c, &c->widget, "a", prb_test_json("{'spec':{'n':2}}"), &now));
    CONF_INT(c, 2, prb_object_generation(now));
    return 0;
}

static int a_change_of_labels_keeps_the_generation(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create(c, &c->widget, conf_body(c, &c->widget, "a", "{'spec':{'n':1}}"), NULL));
    CONF_OK(c, conf_merge(c, &c->widget, "a",
                       prb_test_json("{'metadata':{'labels':{'mark':'x'},'annotations':"
                                     "{'mark':'x'},'finalizers':['" CONF_FINALIZER "']}}"),
                       &now));
    CONF_STR(c, "x", prb_object_label(now, "mark"));
    CONF_INT(c, 1, prb_object_generation(now));
    CONF_OK(c, conf_release(c, &c->widget, "a"));
    return 0;
}

static const struct conf_row rows[] = {
    { "an update changes resourceVersion and keeps the uid", an_update_changes_the_version },
    { "an update from an old resourceVersion is CONFLICT",
            an_update_from_an_old_version_is_a_conflict },
    { "an update with another uid is CONFLICT", an_update_with_another_uid_is_a_conflict },
    { "an update of a former object of that name is CONFLICT",
            an_update_of_a_former_object_is_a_conflict },
    { "an update without resourceVersion overwrites a ConfigMap",
            an_update_without_a_version_overwrites },
    { "an update without resourceVersion of a custom resource is INVALID",
            custom_resources_need_a_version },
    { "an update that changes nothing keeps resourceVersion",
            an_update_that_changes_nothing_keeps_the_version },
    { "an update of an absent object is NOTFOUND", an_update_of_what_is_not_there_is_not_found },
    { "an update of an object that was seen and went is NOTFOUND",
            an_update_of_what_went_is_not_found },
    { "an update of a Lease that was seen and went is NOTFOUND and creates none",
            an_update_of_a_lease_that_went_is_not_found },
    { "an update cannot change uid, creation time or generation",
            an_update_leaves_the_identity_alone },
    { "a change of spec raises generation", a_change_of_spec_raises_the_generation },
    { "a change of metadata keeps generation", a_change_of_labels_keeps_the_generation },
};
CONF_ROWS(conf_update_rows, rows);
