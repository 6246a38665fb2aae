/* What becomes of an object when it is created, and what is said of what is not there? */

#include <string.h>

#include "probate/base/str.h"

#include "objects.h"

static int a_created_object_gets_its_identity(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    prb_auto(prb_object_unref) struct prb_object *read = NULL;

    CONF_OK(c, conf_create_plain(c, "a", &made));
    CONF_INT(c, 36, strlen(prb_object_uid(made)));
    CONF_TRUE(c, prb_object_resource_version(made)[0] != '\0');
    CONF_TRUE(c, prb_object_created_at_ms(made) > 0);
    CONF_STR(c, c->ns, prb_object_namespace(made));
    CONF_STR(c, "ConfigMap", prb_object_kind(made));
    CONF_STR(c, "v1", prb_object_api_version(made));
    CONF_OK(c, conf_get(c, &conf_configmap, "a", &read));
    CONF_STR(c, prb_object_uid(made), prb_object_uid(read));
    CONF_STR(c, prb_object_resource_version(made), prb_object_resource_version(read));
    return 0;
}

static int what_only_the_server_may_say_is_not_kept(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *made = NULL;

    CONF_OK(c, conf_create(c, &c->widget,
                       conf_body(c, &c->widget, "a",
                               "{'metadata':{'uid':'11111111-2222-3333-4444-555555555555',"
                               "'creationTimestamp':'2001-01-01T00:00:00Z','generation':9,"
                               "'deletionTimestamp':'2001-01-01T00:00:00Z'}}"),
                       &made));
    CONF_TRUE(c, !prb_streq(prb_object_uid(made), "11111111-2222-3333-4444-555555555555"));
    CONF_TRUE(c, prb_object_created_at_ms(made) > 1000000000000);
    CONF_INT(c, 1, prb_object_generation(made));
    CONF_TRUE(c, !prb_object_is_deleting(made));
    return 0;
}

static int a_taken_name_is_refused(struct conf *c)
{
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_FAILS(c, PRB_E_EXISTS, conf_create_plain(c, "a", NULL));
    CONF_STR(c, "AlreadyExists", c->err.reason);
    CONF_INT(c, 409, c->err.status);
    return 0;
}

static int the_same_name_is_free_in_another_namespace(struct conf *c)
{
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_create(c, &conf_configmap,
                       conf_body(c, &conf_configmap, "a", "{'metadata':{'namespace':'%s'}}",
                               c->other_ns),
                       NULL));
    return 0;
}

static int an_absent_object_is_not_found(struct conf *c)
{
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "none", NULL));
    CONF_STR(c, "NotFound", c->err.reason);
    CONF_INT(c, 404, c->err.status);
    return 0;
}

static int a_resource_that_is_not_served_says_so(struct conf *c)
{
    struct conf_kind nonsense = conf_configmap;

    CONF_TRUE(c, prb_gvr_init(&nonsense.gvr, "", "v1", "nonsenses"));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &nonsense, "a", NULL));
    CONF_STR(c, "NotServed", c->err.reason);
    return 0;
}

static int a_group_that_is_not_served_says_so(struct conf *c)
{
    struct conf_kind nonsense = conf_configmap;
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    CONF_TRUE(c, prb_gvr_init(&nonsense.gvr, "nowhere.example.com", "v1", "things"));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &nonsense, "a", NULL));
    CONF_STR(c, "NotServed", c->err.reason);
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_list(c, &nonsense, NULL, &page));
    CONF_STR(c, "NotServed", c->err.reason);
    return 0;
}

static int a_version_that_is_not_served_says_so(struct conf *c)
{
    struct conf_kind old = c->widget;

    CONF_TRUE(c, prb_copy(old.gvr.version, sizeof(old.gvr.version), "v7"));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &old, "a", NULL));
    CONF_STR(c, "NotServed", c->err.reason);
    return 0;
}

static int a_missing_namespace_takes_nothing(struct conf *c)
{
    CONF_FAILS(c, PRB_E_NOTFOUND,
            conf_create(c, &conf_configmap,
                    conf_body(
                            c, &conf_configmap, "a", "{'metadata':{'namespace':'%s-none'}}", c->ns),
                    NULL));
    return 0;
}

static int body_and_url_must_name_the_same_namespace(struct conf *c)
{
    prb_auto(prb_json_free) struct json_object *body =
            conf_body(c, &conf_configmap, "a", "{'metadata':{'namespace':'%s'}}", c->other_ns);
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    CONF_FAILS(c, PRB_E_INVALID, prb_api_create(c->api, &ref, body, NULL, NULL, &c->err));
    CONF_FAILS(c, PRB_E_NOTFOUND, conf_get(c, &conf_configmap, "a", NULL));
    return 0;
}

static int body_and_url_must_name_the_same_object(struct conf *c)
{
    prb_auto(prb_json_free) struct json_object *body = conf_body(c, &conf_configmap, "b", "{}");
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_FAILS(c, PRB_E_INVALID, prb_api_update(c->api, &ref, body, NULL, NULL, &c->err));
    return 0;
}

static int a_name_that_is_none_is_refused(struct conf *c)
{
    prb_auto(prb_json_free) struct json_object *body =
            conf_body(c, &conf_configmap, "a", "{'metadata':{'name':'Not_A_Name'}}");
    struct prb_ref ref = conf_ref(c, &conf_configmap, "a");

    CONF_TRUE(c, prb_copy(ref.name, sizeof(ref.name), "Not_A_Name"));
    CONF_FAILS(c, PRB_E_INVALID, prb_api_create(c->api, &ref, body, NULL, NULL, &c->err));
    CONF_INT(c, 422, c->err.status);
    return 0;
}

static const struct conf_row rows[] = {
    { "a created object gets uid, version, time and namespace",
            a_created_object_gets_its_identity },
    { "uid, times and generation given by the creator are not kept",
            what_only_the_server_may_say_is_not_kept },
    { "creating a taken name is EXISTS", a_taken_name_is_refused },
    { "the same name is free in another namespace", the_same_name_is_free_in_another_namespace },
    { "an absent object is NOTFOUND, reason NotFound", an_absent_object_is_not_found },
    { "a resource that is not served is NOTFOUND, reason NotServed",
            a_resource_that_is_not_served_says_so },
    { "a group that is not served is NOTFOUND, reason NotServed",
            a_group_that_is_not_served_says_so },
    { "a version that is not served is NOTFOUND, reason NotServed",
            a_version_that_is_not_served_says_so },
    { "creating in a missing namespace is NOTFOUND", a_missing_namespace_takes_nothing },
    { "a body for another namespace than the URL's is INVALID",
            body_and_url_must_name_the_same_namespace },
    { "a body for another name than the URL's is INVALID", body_and_url_must_name_the_same_object },
    { "a name that is no DNS name is INVALID", a_name_that_is_none_is_refused },
};
CONF_ROWS(conf_create_rows, rows);
