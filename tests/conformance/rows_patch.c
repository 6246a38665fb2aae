/* What does a patch change, and when is it refused? */

#include "probate/base/str.h"

#include "objects.h"
#include "support/json_text.h"

static const char *data_of(const struct prb_object *object, const char *key)
{
    return prb_json_str(prb_json_obj(prb_object_tree(object), "data"), key);
}

static int create_data(struct conf *c, struct prb_object **ret)
{
    return conf_create(c, &conf_configmap,
            conf_body(c, &conf_configmap, "a", "{'data':{'x':'1','y':'2'}}"), ret);
}

static int patch_with(struct conf *c, enum prb_patch_type type, struct json_object *patch_taken,
        const struct prb_write_options *options, struct prb_object **ret)
{
    prb_auto(prb_json_free) struct json_object *patch = patch_taken;
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    c->err = (struct prb_error){ .code = PRB_OK };
    return prb_api_patch(c->api, &ref, type, patch, options, ret, &c->err);
}

static int a_merge_patch_sets_and_removes(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, create_data(c, NULL));
    CONF_OK(c, patch_with(c, PRB_PATCH_MERGE, prb_test_json("{'data':{'x':null,'y':'3','z':'4'}}"),
                       NULL, &now));
    CONF_STR(c, NULL, data_of(now, "x"));
    CONF_STR(c, "3", data_of(now, "y"));
    CONF_STR(c, "4", data_of(now, "z"));
    return 0;
}

static int a_patch_that_changes_nothing_keeps_the_version(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, create_data(c, &made));
    CONF_OK(c, patch_with(c, PRB_PATCH_MERGE, prb_test_json("{'data':{'x':'1'}}"), NULL, &now));
    CONF_STR(c, prb_object_resource_version(made), prb_object_resource_version(now));
    return 0;
}

static int a_patch_for_another_version_is_a_conflict(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, create_data(c, &made));
    CONF_OK(c, patch_with(c, PRB_PATCH_MERGE, prb_test_json("{'data':{'x':'9'}}"), NULL, NULL));
    for (int type = PRB_PATCH_MERGE; type <= PRB_PATCH_JSON; type++) {
        const struct prb_write_options options = { .resource_version =
                                                           prb_object_resource_version(made) };

        CONF_FAILS(c, PRB_E_CONFLICT,
                patch_with(c, (enum prb_patch_type)type,
                        type == PRB_PATCH_MERGE
                                ? prb_test_json("{'data':{'y':'9'}}")
                                : prb_test_json("[{'op':'add','path':'/data/y','value':'9'}]"),
                        &options, NULL));
    }
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &now));
    CONF_STR(c, "2", data_of(now, "y"));
    return 0;
}

static int a_patch_for_this_version_goes_through(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, create_data(c, &made));
    CONF_OK(c, patch_with(c, PRB_PATCH_MERGE, prb_test_json("{'data':{'y':'9'}}"),
                       &(struct prb_write_options){
                               .resource_version = prb_object_resource_version(made) },
                       &now));
    CONF_STR(c, "9", data_of(now, "y"));
    return 0;
}

static int a_json_patch_works_in_order(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, create_data(c, NULL));
    CONF_OK(c, patch_with(c, PRB_PATCH_JSON,
                       prb_test_json("[{'op':'test','path':'/data/x','value':'1'},"
                                     "{'op':'replace','path':'/data/x','value':'5'},"
                                     "{'op':'remove','path':'/data/y'},"
                                     "{'op':'add','path':'/metadata/labels/a.b~1c','value':'6'},"
                                     "{'op':'move','from':'/data/x','path':'/data/m'}]"),
                       NULL, NULL));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &now));
    CONF_STR(c, "5", data_of(now, "m"));
    CONF_STR(c, "6", prb_object_label(now, "a.b/c"));
    CONF_STR(c, NULL, data_of(now, "x"));
    CONF_STR(c, NULL, data_of(now, "y"));
    return 0;
}

static int a_test_that_fails_is_a_conflict(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;

    CONF_OK(c, create_data(c, NULL));
    CONF_FAILS(c, PRB_E_CONFLICT,
            patch_with(c, PRB_PATCH_JSON,
                    prb_test_json("[{'op':'replace','path':'/data/x','value':'5'},"
                                  "{'op':'test','path':'/data/y','value':'other'}]"),
                    NULL, NULL));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &now));
    CONF_STR(c, "1", data_of(now, "x"));
    return 0;
}

static int a_path_that_is_not_there_is_invalid(struct conf *c)
{
    CONF_OK(c, create_data(c, NULL));
    CONF_FAILS(c, PRB_E_INVALID,
            patch_with(c, PRB_PATCH_JSON, prb_test_json("[{'op':'remove','path':'/data/none'}]"),
                    NULL, NULL));
    return 0;
}

static int what_is_not_there_cannot_be_patched(struct conf *c)
{
    CONF_FAILS(c, PRB_E_NOTFOUND,
            patch_with(c, PRB_PATCH_MERGE, prb_test_json("{'data':{'x':'1'}}"), NULL, NULL));
    CONF_STR(c, "NotFound", c->err.reason);
    CONF_FAILS(c, PRB_E_NOTFOUND,
            patch_with(c, PRB_PATCH_JSON,
                    prb_test_json("[{'op':'test','path':'/metadata/uid','value':'x'}]"), NULL,
                    NULL));
    return 0;
}

/* As INVALID by older servers, as CONFLICT by newer ones. */
static int a_patch_with_another_uid_is_refused(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    int r;

    CONF_OK(c, create_data(c, NULL));
    r = patch_with(c, PRB_PATCH_MERGE,
            prb_test_json("{'metadata':{'uid':'11111111-2222-3333-4444-555555555555'},"
                          "'data':{'x':'9'}}"),
            NULL, NULL);
    CONF_TRUE(c, r == PRB_E_INVALID || r == PRB_E_CONFLICT);
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &now));
    CONF_STR(c, "1", data_of(now, "x"));
    return 0;
}

static const struct conf_row rows[] = {
    { "a merge patch sets, and removes by null", a_merge_patch_sets_and_removes },
    { "a patch that changes nothing keeps resourceVersion",
            a_patch_that_changes_nothing_keeps_the_version },
    { "a patch for another resourceVersion is CONFLICT",
            a_patch_for_another_version_is_a_conflict },
    { "a patch for this resourceVersion goes through", a_patch_for_this_version_goes_through },
    { "a JSON patch works in order", a_json_patch_works_in_order },
    { "a JSON patch whose test fails is CONFLICT and changes nothing",
            a_test_that_fails_is_a_conflict },
    { "a JSON patch on a path that is not there is INVALID", a_path_that_is_not_there_is_invalid },
    { "patching an absent object is NOTFOUND", what_is_not_there_cannot_be_patched },
    { "a patch that names another uid is refused", a_patch_with_another_uid_is_refused },
};
CONF_ROWS(conf_patch_rows, rows);
