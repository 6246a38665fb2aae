/* Does a dry run leave no trace, and yet tell what would be? */

#include "probate/base/str.h"

#include "objects.h"
#include "support/json_text.h"

static const struct prb_write_options dry = { .dry_run = true };

static int a_dry_create_makes_nothing(struct conf *c)
{
    prb_auto(prb_json_free) struct json_object *body = conf_body(c, &conf_configmap, "a", "{}");
    prb_auto(prb_object_unref) struct prb_object *would = NULL;
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    CONF_OK(c, prb_api_create(c->api, &ref, body, &dry, &would, &c->err));
    CONF_TRUE(c, conf_is(c, would, "a"));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "a", NULL));
    return 0;
}

static int a_dry_create_of_a_taken_name_is_refused(struct conf *c)
{
    prb_auto(prb_json_free) struct json_object *body = conf_body(c, &conf_configmap, "a", "{}");
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_FAILS(c, PRB_E_EXISTS, prb_api_create(c->api, &ref, body, &dry, NULL, &c->err));
    return 0;
}

static int a_dry_update_changes_nothing(struct conf *c)
{
    prb_auto(prb_json_free) struct json_object *body =
            conf_body(c, &conf_configmap, "a", "{'data':{'k':'v'}}");
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *would = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    CONF_OK(c, conf_create_plain(c, "a", &made));
    CONF_OK(c, prb_api_update(c->api, &ref, body, &dry, &would, &c->err));
    CONF_STR(c, "v", prb_json_str(prb_json_obj(prb_object_tree(would), "data"), "k"));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &now));
    CONF_STR(c, prb_object_resource_version(made), prb_object_resource_version(now));
    CONF_TRUE(c, !prb_json_has(prb_object_tree(now), "data"));
    return 0;
}

static int a_dry_patch_changes_nothing(struct conf *c)
{
    prb_auto(prb_json_free) struct json_object *patch = prb_test_json("{'data':{'k':'v'}}");
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *would = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    CONF_OK(c, conf_create_plain(c, "a", &made));
    CONF_OK(c, prb_api_patch(c->api, &ref, PRB_PATCH_MERGE, patch, &dry, &would, &c->err));
    CONF_STR(c, "v", prb_json_str(prb_json_obj(prb_object_tree(would), "data"), "k"));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &now));
    CONF_STR(c, prb_object_resource_version(made), prb_object_resource_version(now));
    return 0;
}

static int a_dry_apply_makes_nothing(struct conf *c)
{
    prb_auto(prb_json_free) struct json_object *body =
            conf_body(c, &conf_configmap, "a", "{'data':{'k':'v'}}");
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    CONF_OK(c, prb_api_patch(c->api, &ref, PRB_PATCH_APPLY, body, &dry, NULL, &c->err));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "a", NULL));
    return 0;
}

static int a_dry_delete_deletes_nothing(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    CONF_OK(c, conf_create_plain(c, "a", &made));
    CONF_OK(c, prb_api_delete(c->api, &ref,
                       &(struct prb_delete_options){ .uid = prb_object_uid(made),
                               .propagation = PRB_PROPAGATE_FOREGROUND,
                               .dry_run = true },
                       &c->err));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &now));
    CONF_STR(c, prb_object_resource_version(made), prb_object_resource_version(now));
    CONF_TRUE(c, !prb_object_is_deleting(now));
    return 0;
}

static int a_dry_delete_of_another_uid_is_refused(struct conf *c)
{
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_FAILS(c, PRB_E_CONFLICT,
            prb_api_delete(c->api, &ref,
                    &(struct prb_delete_options){
                            .uid = "11111111-2222-3333-4444-555555555555", .dry_run = true },
                    &c->err));
    return 0;
}

static const struct conf_row rows[] = {
    { "a dry-run create makes nothing", a_dry_create_makes_nothing },
    { "a dry-run create of a taken name is EXISTS", a_dry_create_of_a_taken_name_is_refused },
    { "a dry-run update changes nothing", a_dry_update_changes_nothing },
    { "a dry-run patch changes nothing", a_dry_patch_changes_nothing },
    { "a dry-run apply makes nothing", a_dry_apply_makes_nothing },
    { "a dry-run delete deletes nothing", a_dry_delete_deletes_nothing },
    { "a dry-run delete of another uid is CONFLICT", a_dry_delete_of_another_uid_is_refused },
};
CONF_ROWS(conf_dry_run_rows, rows);
