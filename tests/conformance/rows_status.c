/* Who may write status, and who may not? */

#include "objects.h"
#include "support/json_text.h"

static const char *phase_of(const struct prb_object *object)
{
    return prb_json_str(prb_object_status(object), "phase");
}

static int64_t spec_of(const struct prb_object *object)
{
    int64_t n = -1;

    (void)prb_json_int(prb_object_spec(object), "n", &n);
    return n;
}

static int create_widget(struct conf *c, struct prb_object **ret)
{
    return conf_create(c, &c->widget, conf_body(c, &c->widget, "a", "{'spec':{'n':1}}"), ret);
}

static int patch_status(struct conf *c, const struct conf_kind *kind, struct json_object *patch,
        struct prb_object **ret)
{
    prb_auto(prb_json_free) struct json_object *body = patch;
    const struct prb_write_options options = { .subresource = "status" };
    struct prb_ref ref = conf_ref(c, kind, "a");

    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_patch(c->api, &ref, PRB_PATCH_MERGE, body, &options, ret, &c->err);
}

static int a_created_object_has_no_status(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;

    CONF_OK(c, conf_create(c, &c->widget, conf_body(c, &c->widget, "a", "{'status':{'phase':'x'}}"),
                       &made));
    CONF_STR(c, NULL, phase_of(made));
    return 0;
}

static int a_plain_update_leaves_status_alone(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct json_object *tree;

    CONF_OK(c, create_widget(c, NULL));
    CONF_OK(c, patch_status(c, &c->widget, prb_test_json("{'status':{'phase':'x'}}"), &made));
    tree = prb_object_copy(made);
    prb_json_set(tree, "spec", prb_test_json("{'n':2}"));
    prb_json_set(tree, "status", prb_test_json("{'phase':'y'}"));
    CONF_OK(c, conf_update(c, &c->widget, tree, NULL, &now));
    CONF_INT(c, 2, spec_of(now));
    CONF_STR(c, "x", phase_of(now));
    return 0;
}

static int a_status_update_leaves_all_else_alone(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct json_object *tree;

    CONF_OK(c, create_widget(c, &made));
    tree = prb_object_copy(made);
    prb_json_set(tree, "spec", prb_test_json("{'n':2}"));
    prb_json_set(tree, "status", prb_test_json("{'phase':'y'}"));
    prb_json_set_str(prb_json_ensure_obj(prb_json_obj(tree, "metadata"), "labels"), "mark", "x");
    CONF_OK(c, conf_update(c, &c->widget, tree, "status", &now));
    CONF_INT(c, 1, spec_of(now));
    CONF_STR(c, "y", phase_of(now));
    CONF_STR(c, NULL, prb_object_label(now, "mark"));
    CONF_INT(c, 1, prb_object_generation(now));
    return 0;
}

static int a_status_patch_changes_status_only(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, create_widget(c, NULL));
    CONF_OK(c, patch_status(c, &c->widget, prb_test_json("{'spec':{'n':5},'status':{'phase':'z'}}"),
                       &now));
    CONF_INT(c, 1, spec_of(now));
    CONF_STR(c, "z", phase_of(now));
    CONF_INT(c, 1, prb_object_generation(now));
    return 0;
}

static int a_plain_patch_leaves_status_alone(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, create_widget(c, NULL));
    CONF_OK(c, conf_merge(c, &c->widget, "a",
                       prb_test_json("{'spec':{'n':5},'status':{'phase':'z'}}"), &now));
    CONF_INT(c, 5, spec_of(now));
    CONF_STR(c, NULL, phase_of(now));
    return 0;
}

static int a_status_update_from_an_old_version_is_a_conflict(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    struct json_object *tree;

    CONF_OK(c, create_widget(c, &made));
    CONF_OK(c, conf_merge(c, &c->widget, "a", prb_test_json("{'spec':{'n':2}}"), NULL));
    tree = prb_object_copy(made);
    prb_json_set(tree, "status", prb_test_json("{'phase':'y'}"));
    CONF_FAILS(c, PRB_E_CONFLICT, conf_update(c, &c->widget, tree, "status", NULL));
    return 0;
}

static int without_the_subresource_status_is_like_spec(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, conf_create(c, &c->gadget, conf_body(c, &c->gadget, "a", "{'status':{'phase':'x'}}"),
                       &made));
    CONF_STR(c, "x", phase_of(made));
    CONF_OK(c, conf_merge(c, &c->gadget, "a", prb_test_json("{'status':{'phase':'y'}}"), &now));
    CONF_STR(c, "y", phase_of(now));
    CONF_INT(c, 2, prb_object_generation(now));
    CONF_OK(c, conf_delete(c, &c->gadget, "a", PRB_PROPAGATE_BACKGROUND));
    return 0;
}

static int a_subresource_that_is_not_served_is_not_found(struct conf *c)
{
    CONF_OK(c, conf_create(c, &c->gadget, conf_body(c, &c->gadget, "a", "{}"), NULL));
    CONF_FAILS(c, PRB_E_NOTFOUND,
            patch_status(c, &c->gadget, prb_test_json("{'status':{'phase':'y'}}"), NULL));
    CONF_OK(c, conf_delete(c, &c->gadget, "a", PRB_PROPAGATE_BACKGROUND));
    return 0;
}

static const struct conf_row rows[] = {
    { "status given on create is dropped", a_created_object_has_no_status },
    { "an update of the object leaves status alone", a_plain_update_leaves_status_alone },
    { "an update of status leaves spec, labels and generation alone",
            a_status_update_leaves_all_else_alone },
    { "a patch of status leaves spec and generation alone", a_status_patch_changes_status_only },
    { "a patch of the object leaves status alone", a_plain_patch_leaves_status_alone },
    { "an update of status from an old resourceVersion is CONFLICT",
            a_status_update_from_an_old_version_is_a_conflict },
    { "without a status subresource status is a field like others",
            without_the_subresource_status_is_like_spec },
    { "status of a kind without that subresource is NOTFOUND",
            a_subresource_that_is_not_served_is_not_found },
};
CONF_ROWS(conf_status_rows, rows);
